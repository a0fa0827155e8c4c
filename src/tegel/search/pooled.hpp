// The tree of games in which draws are many and change little: draws are pooled.
//
// What was drawn makes no node: a node holds whatever follows the same moves. It may have other
// moves at each visit, and be somebody else's turn; so every edge counts how often it could have
// been chosen, and its value is read from its child, for whose turn it is. Only where a draw is
// next for the position itself has the root an edge for each.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "tegel/search/arena.hpp"
#include "tegel/search/board.hpp"

namespace tegel {

struct PooledEdge {
    Code code;
    float prior;
    std::uint32_t child = 0;    // 0: not tried
    std::uint32_t visits = 0;
    std::uint32_t offered = 0;  // how often it could be chosen
};

template <Playable B>
class PooledTree {
  public:
    static_assert(B::KEYS == 0, "RAVE is for plain trees");

    Arena<PooledEdge> arena;

    PooledTree(const B& start, const Tuning& tuning) : tuning(tuning), board(start) {}

    // Lists the moves of the position that the tree is of. Since the root was met there may
    // have been draws: only edges that are legal now stay.
    void prepare(const B& start) {
        const bool draws = start.turn() == CHANCE;
        if (at_draw() != draws) arena = {};
        board = start;
        if (!arena.root().expanded) {
            expand(0);
        } else if (!draws && !arena.restricted) {
            refresh(0);
            std::vector<PooledEdge> legal;
            for (std::uint32_t edge : choices) legal.push_back(arena.edges[edge]);
            arena.root().first = std::uint32_t(arena.edges.size());
            arena.root().count = std::uint32_t(legal.size());
            arena.edges.insert(arena.edges.end(), legal.begin(), legal.end());
        }
    }

    // A move was made. A draw leaves the tree as it is, unless the root has edges for draws.
    void advance(const B& before, Code code) {
        arena.restricted = false;
        if (before.turn() != CHANCE || at_draw()) arena.keep(code);
    }

    void simulate(const B& start, Random& random) {
        board = start;
        way.assign(1, 0);
        taken.clear();
        for (std::uint32_t node = 0;; way.push_back(node)) {
            if (node || !at_draw()) draw(random);
            if (board.over()) break;
            if (node) {
                if (!arena.nodes[node].expanded) {
                    if (arena.nodes[node].visits < tuning.maturity || arena.full(tuning)) break;
                    expand(node);
                }
                if (arena.full(tuning)) break;
                refresh(node);
            } else {
                choices.resize(arena.root().count);
                std::iota(choices.begin(), choices.end(), arena.root().first);
            }
            const bool draws = !node && at_draw();
            taken.push_back(draws ? arena.drawn(arena.root(), random) : chosen(arena.nodes[node]));
            board.play(arena.edges[taken.back()].code);
            node = arena.follow(taken.back());
        }
        trace.clear();
        if (!board.over()) board.rollout(random, trace);
        const Worth worth = judged(board);
        for (std::uint32_t node : way) arena.nodes[node].tell(worth, board.seats());
        for (std::uint32_t edge : taken) ++arena.edges[edge].visits;
    }

  private:
    Tuning tuning;
    B board;  // where a simulation is
    std::vector<Candidate> candidates;
    std::vector<std::uint32_t> way, taken;  // nodes, and the edges between them
    std::vector<std::uint32_t> choices;     // edges of a node that are legal now
    Trace trace;

    // Whether the root has edges for draws.
    bool at_draw() const { return arena.root().expanded && arena.root().seat == CHANCE; }

    // Draws until somebody decides.
    void draw(Random& random) {
        while (!board.over() && board.turn() == CHANCE) board.play(board.random(random));
    }

    void expand(std::uint32_t node) {
        weigh(board, candidates, std::numeric_limits<std::size_t>::max(), tuning.temperature);
        arena.expand(node, board.turn(), candidates);
    }

    // Finds the moves of the position among the edges of a node; if it has not all of them, its
    // edges are listed anew, and what was known of them is kept.
    void refresh(std::uint32_t index) {
        board.moves(candidates);
        auto order = [](const Candidate& a, const Candidate& b) { return a.code < b.code; };
        std::sort(candidates.begin(), candidates.end(), order);
        choices.clear();
        const Node node = arena.nodes[index];
        for (std::uint32_t i = node.first; i < node.first + node.count; ++i)
            if (std::binary_search(candidates.begin(), candidates.end(),
                                   Candidate{arena.edges[i].code, 0}, order))
                choices.push_back(i);
        if (choices.size() == candidates.size()) return;
        const auto known = arena.of(node);
        const std::vector<PooledEdge> before(known.begin(), known.end());
        expand(index);
        std::vector<PooledEdge>& edges = arena.edges;
        const std::uint32_t first = arena.nodes[index].first;
        choices.resize(arena.nodes[index].count);
        std::iota(choices.begin(), choices.end(), first);
        for (const PooledEdge& edge : before) {
            const auto same =
                std::find_if(edges.begin() + first, edges.end(),
                             [&](const PooledEdge& now) { return now.code == edge.code; });
            if (same != edges.end()) *same = edge;
            else edges.push_back(edge);
        }
        arena.nodes[index].count = std::uint32_t(edges.size()) - first;
    }

    // The edge to follow from a node, of those that are legal now.
    std::uint32_t chosen(const Node& node) {
        const int seat = board.turn();
        const float mean = node.visits ? node.values[seat] / float(node.visits) : 0.5f;
        float most = -1e9f;
        std::uint32_t best = node.first;
        for (std::uint32_t i : choices) {
            PooledEdge& edge = arena.edges[i];
            const float visits = float(edge.visits);
            const float value =
                edge.visits ? arena.nodes[edge.child].values[seat] / visits : mean - tuning.unknown;
            const float spread = tuning.curiosity * std::sqrt(float(++edge.offered));
            const float promise = value + spread * edge.prior / (1 + visits);
            if (promise > most) most = promise, best = i;
        }
        return best;
    }
};

}  // namespace tegel
