// What the trees of the search are made of: nodes and edges, in two arrays.
//
// - a node is a position met, with how often and how well it went for each seat;
// - an edge is a move from a node: its prior (how promising it looks), how often it was taken,
//   and its child once it was. What else it knows depends on the tree.
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "tegel/search/board.hpp"

namespace tegel {

struct Node {
    std::uint32_t visits = 0;
    std::uint32_t first = 0, count = 0;  // its edges
    bool expanded = false;               // whether its edges are listed
    std::int8_t seat = 0;                // whose decision it is
    Values wins{}, values{};             // sums
    Expected scores{}, squares{};        // sums of scores, and of their squares

    void tell(const Worth& worth, int seats) {
        ++visits;
        for (int i = 0; i < seats; ++i) {
            wins[i] += worth.wins[i];
            values[i] += worth.values[i];
            scores[i] += worth.scores[i];
            squares[i] += worth.scores[i] * worth.scores[i];
        }
    }
};

template <class E>
struct Arena {
    using Edge = E;

    std::vector<Node> nodes{Node{}};  // the first is the root
    std::vector<Edge> edges;
    bool restricted = false;  // whether some moves of the root are not considered

    Node& root() { return nodes[0]; }
    const Node& root() const { return nodes[0]; }
    std::span<const Edge> of(const Node& node) const {
        assert(node.first + node.count <= edges.size());
        return std::span(edges).subspan(node.first, node.count);
    }
    bool full(const Tuning& tuning) const {
        return nodes.size() >= tuning.nodes || edges.size() >= tuning.edges;
    }

    // Gives a node its edges: candidates with their priors.
    void expand(std::uint32_t index, int seat, const std::vector<Candidate>& candidates) {
        assert(!candidates.empty());
        Node& node = nodes[index];
        node.expanded = true;
        node.seat = std::int8_t(seat);
        node.first = std::uint32_t(edges.size());
        node.count = std::uint32_t(candidates.size());
        for (const Candidate& candidate : candidates)
            edges.push_back({candidate.code, candidate.weight});
    }

    // Where an edge leads; its node is made when it is first followed.
    std::uint32_t follow(std::uint32_t edge) {
        assert(edge < edges.size());
        if (!edges[edge].child) {
            edges[edge].child = std::uint32_t(nodes.size());
            nodes.push_back(Node{});
        }
        return edges[edge].child;
    }

    // An edge of a draw, by its odds.
    std::uint32_t drawn(const Node& node, Random& random) const {
        float rest = random.unit();
        std::uint32_t i = 0;
        while (i + 1 < node.count && rest >= edges[node.first + i].prior)
            rest -= edges[node.first + i++].prior;
        return node.first + i;
    }

    // A move of the root with what was tried most after it, up to so many plies, the next draw, or
    // where less than `known` visits say what is next.
    template <Playable B>
    std::vector<Code> line(B board, Code code, std::size_t plies, std::uint32_t known) const {
        std::vector<Code> found{code};
        std::vector<Candidate> legal;
        const Edge* taken = nullptr;
        for (const Edge& edge : of(root()))
            if (edge.code == code) taken = &edge;
        board.play(code);
        while (taken && taken->child && found.size() < plies && !board.over() &&
               board.turn() != CHANCE) {
            board.moves(legal);
            const auto before = taken;
            taken = nullptr;
            for (const Edge& edge : of(nodes[before->child]))
                if (edge.visits >= known && (!taken || edge.visits > taken->visits) &&
                    std::ranges::any_of(legal, [&](const Candidate& move) {
                        return move.code == edge.code;
                    }))
                    taken = &edge;
            if (!taken) break;
            found.push_back(taken->code);
            board.play(taken->code);
        }
        return found;
    }

    // Considers only those moves of the root of which the predicate is true, if there are any.
    template <class Predicate>
    void restrict(Predicate sees) {
        const auto begin = edges.begin() + root().first;
        const auto end = std::stable_partition(begin, begin + root().count,
                                               [&](const Edge& edge) { return sees(edge.code); });
        if (end != begin) root().count = std::uint32_t(end - begin), restricted = true;
    }

    // The tree below a move of the root, if it was tried, becomes the tree.
    void keep(Code code) {
        Arena kept;
        for (const Edge& edge : of(root()))
            if (edge.code == code && edge.child) copy(edge.child, 0, kept);
        *this = std::move(kept);
    }

  private:
    void copy(std::uint32_t from, std::uint32_t to, Arena& kept) const {
        assert(from < nodes.size());
        const auto first = std::uint32_t(kept.edges.size()), count = nodes[from].count;
        kept.nodes[to] = nodes[from];
        kept.nodes[to].first = first;
        const auto begin = edges.begin() + nodes[from].first;
        kept.edges.insert(kept.edges.end(), begin, begin + count);
        for (std::uint32_t i = first; i < first + count; ++i)
            if (const std::uint32_t child = kept.edges[i].child) {
                const auto place = std::uint32_t(kept.nodes.size());
                kept.edges[i].child = place;
                kept.nodes.push_back(Node{});
                copy(child, place, kept);
            }
    }
};

// The moves that a board considers, with their priors: draws by their odds, other moves by how
// promising they look, the best first and no more than `width` of them.
template <Playable B>
void weigh(B& board, std::vector<Candidate>& candidates, std::size_t width, float temperature) {
    board.consider(candidates);
    assert(!candidates.empty());
    if (board.turn() != CHANCE) {
        auto better = [](const Candidate& a, const Candidate& b) {
            return a.weight != b.weight ? a.weight > b.weight : a.code < b.code;
        };
        if (candidates.size() > width) {
            std::nth_element(candidates.begin(), candidates.begin() + std::ptrdiff_t(width),
                             candidates.end(), better);
            candidates.resize(width);
        }
        std::sort(candidates.begin(), candidates.end(), better);
        const float top = candidates[0].weight;
        for (Candidate& candidate : candidates)
            candidate.weight = std::exp((candidate.weight - top) / temperature);
    }
    float total = 0;
    for (const Candidate& candidate : candidates) total += candidate.weight;
    for (Candidate& candidate : candidates) candidate.weight /= total;
}

}  // namespace tegel
