// What the search thinks of the moves of a position.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "tegel/search/arena.hpp"
#include "tegel/search/board.hpp"
#include "tegel/search/exact.hpp"

namespace tegel {

// How often a move was tried, and what followed for each seat.
struct Opinion {
    Code code;
    float prior;
    std::uint32_t visits;
    Worth worth;         // means; of an untried move its prior says all there is
    bool exact = false;  // proved: this is what follows if all play their best
    Expected spreads{};  // the standard deviations of the scores
};

// The moves of a root, the most tried first.
template <class Edge>
std::vector<Opinion> opinions(const Arena<Edge>& arena, int seats) {
    std::vector<Opinion> found;
    for (const Edge& edge : arena.of(arena.root())) {
        Opinion opinion{edge.code, edge.prior, 0, {}};
        const Node& child = arena.nodes[edge.child];
        if (edge.child && child.visits) {
            opinion.visits = child.visits;
            for (int seat = 0; seat < seats; ++seat) {
                opinion.worth.wins[seat] = child.wins[seat] / float(child.visits);
                opinion.worth.values[seat] = child.values[seat] / float(child.visits);
                const float score = child.scores[seat] / float(child.visits);
                const float square = child.squares[seat] / float(child.visits);
                opinion.worth.scores[seat] = score;
                opinion.spreads[seat] = std::sqrt(std::max(0.0f, square - score * score));
            }
        }
        found.push_back(opinion);
    }
    std::stable_sort(found.begin(), found.end(), [](const Opinion& a, const Opinion& b) {
        return a.visits != b.visits ? a.visits > b.visits : a.prior > b.prior;
    });
    return found;
}

// The moves of a position that was solved, the best first, with the priors that the root gave
// them.
template <class Edge>
std::vector<Opinion> opinions(const Arena<Edge>& arena, const std::vector<Proof>& proofs) {
    std::vector<Opinion> found;
    for (const Proof& proof : proofs) {
        float prior = 0;
        for (const Edge& edge : arena.of(arena.root()))
            if (edge.code == proof.code) prior = edge.prior;
        found.push_back({proof.code, prior, 0, proof.worth, proof.exact});
    }
    return found;
}

// Whether so many further simulations can't change which move of a root is tried most.
template <class Edge>
bool settled(const Arena<Edge>& arena, double left) {
    if (arena.root().count < 2) return true;
    std::uint32_t first = 0, second = 0;
    for (const Edge& edge : arena.of(arena.root()))
        if (edge.visits > first) second = first, first = edge.visits;
        else if (edge.visits > second) second = edge.visits;
    return double(first) > double(second) + left;
}

}  // namespace tegel
