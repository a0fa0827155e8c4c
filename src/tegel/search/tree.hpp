// The tree of most games: one node a position, and a node for every draw.
//
// A simulation goes down by the best mix of prior, value and RAVE (how well a move went when the
// same voice made it later), adds a node, rolls out from there, and tells all on the way how it
// ended.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "tegel/search/arena.hpp"
#include "tegel/search/board.hpp"

namespace tegel {

struct PlainEdge {
    Code code;
    float prior;
    std::uint32_t child = 0;  // 0: not tried
    std::uint32_t visits = 0, rave_visits = 0;
    float value = 0, rave_value = 0;  // sums, for whose decision it is
};

template <Playable B>
class PlainTree {
  public:
    Arena<PlainEdge> arena;

    PlainTree(const B& start, const Tuning& tuning)
        : tuning(tuning), board(start), met(B::KEYS / 64 + 1) {}

    // Lists the moves of the position that the tree is of.
    void prepare(const B& start) {
        if (arena.root().expanded) return;
        board = start;
        expand(0, std::numeric_limits<std::size_t>::max());
    }

    // A move was made.
    void advance(const B&, Code code) { arena.keep(code); }

    void simulate(const B& start, Random& random) {
        board = start;
        steps.clear();
        std::uint32_t node = 0;
        while (!board.over()) {
            if (!arena.nodes[node].expanded) {
                if (arena.nodes[node].visits < tuning.maturity || arena.full(tuning)) break;
                expand(node, tuning.width);
            }
            const bool draws = arena.nodes[node].seat == CHANCE;
            const std::uint32_t edge =
                draws ? arena.drawn(arena.nodes[node], random) : chosen(arena.nodes[node]);
            steps.push_back({node, edge, B::KEYS ? board.key(0) : 0});
            board.play(arena.edges[edge].code);
            node = arena.follow(edge);
        }
        trace.clear();
        if (!board.over()) board.rollout(random, trace);
        tell(node, judged(board));
    }

  private:
    struct Step {
        std::uint32_t node, edge;
        std::uint32_t voice;  // what to add to a code for its key
    };

    Tuning tuning;
    B board;  // where a simulation is
    std::vector<Candidate> candidates;
    std::vector<Step> steps;
    Trace trace;
    std::vector<std::uint64_t> met;  // a set of keys: moves of a simulation

    void expand(std::uint32_t node, std::size_t width) {
        weigh(board, candidates, width, tuning.temperature);
        arena.expand(node, board.turn(), candidates);
    }

    // How many of a node's moves, the most promising first, are considered by now.
    std::uint32_t considered(const Node& node) const {
        const float wide = tuning.narrow + tuning.growth * std::sqrt(float(node.visits));
        return wide < float(node.count) ? std::uint32_t(wide) : node.count;
    }

    // The edge to follow from a node.
    std::uint32_t chosen(const Node& node) const {
        const float mean = node.visits ? node.values[node.seat] / float(node.visits) : 0.5f;
        const float untried = mean - tuning.unknown;
        const float curiosity = tuning.curiosity * std::sqrt(float(node.visits + 1));
        float most = -1e9f;
        std::uint32_t best = node.first;
        for (std::uint32_t i = node.first, end = i + considered(node); i < end; ++i) {
            const PlainEdge& edge = arena.edges[i];
            const float visits = float(edge.visits);
            float value = edge.visits ? edge.value / visits : untried;
            if constexpr (B::KEYS > 0) {
                if (edge.rave_visits) {
                    const float met = float(edge.rave_visits);
                    const float part = met / (met + visits + 3 + met * visits / tuning.rave);
                    value += part * (edge.rave_value / met - value);
                }
            }
            const float promise = value + curiosity * edge.prior / (1 + visits);
            if (promise > most) most = promise, best = i;
        }
        return best;
    }

    // Tells the nodes and edges on the way to a leaf how it ended.
    void tell(std::uint32_t leaf, const Worth& worth) {
        const int seats = board.seats();
        arena.nodes[leaf].tell(worth, seats);
        for (const Step& step : steps) {
            Node& node = arena.nodes[step.node];
            PlainEdge& edge = arena.edges[step.edge];
            node.tell(worth, seats);
            ++edge.visits;
            if (node.seat != CHANCE) edge.value += worth.values[node.seat];
        }
        if constexpr (B::KEYS > 0) tell_rave(worth.values);
    }

    // Tells every node on the way of the moves that its voice made later.
    void tell_rave(const Values& values) {
        for (std::uint32_t key : trace) met[key / 64] |= std::uint64_t(1) << key % 64;
        for (std::size_t i = steps.size(); i-- > 0;) {
            const Step& step = steps[i];
            const Node& node = arena.nodes[step.node];
            if (node.seat == CHANCE) continue;
            trace.push_back(step.voice + arena.edges[step.edge].code);
            met[trace.back() / 64] |= std::uint64_t(1) << trace.back() % 64;
            const float value = values[node.seat];
            for (std::uint32_t e = node.first, end = e + considered(node); e < end; ++e) {
                PlainEdge& edge = arena.edges[e];
                const std::uint32_t key = step.voice + edge.code;
                const auto found = std::uint32_t(met[key / 64] >> key % 64 & 1);
                edge.rave_visits += found;
                edge.rave_value += float(found) * value;
            }
        }
        for (std::uint32_t key : trace) met[key / 64] = 0;
    }
};

}  // namespace tegel
