// Monte-Carlo tree search over any board (see board.hpp): a position, the tree below it (tree.hpp,
// or pooled.hpp where a board pools its draws), and proofs where it can be solved (exact.hpp).
//
// On one thread the result follows from board, seed and number of simulations alone.
#pragma once

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "tegel/search/board.hpp"
#include "tegel/search/exact.hpp"
#include "tegel/search/opinion.hpp"
#include "tegel/search/pooled.hpp"
#include "tegel/search/tree.hpp"

namespace tegel {

struct Budget {
    std::uint64_t simulations = std::numeric_limits<std::uint64_t>::max();
    double seconds = std::numeric_limits<double>::infinity();
};

// A board pools its draws if it says so.
template <class B>
concept Pooling = requires { B::POOLS; };

template <Playable B>
class Search {
  public:
    Search(const B& board, std::uint64_t seed, const Tuning& tuning = {})
        : start(board), tree(board, tuning), random(seed), tuning(tuning) {}

    const B& board() const { return start; }
    std::uint32_t visits() const { return tree.arena.root().visits; }

    // Simulates until the position has had so many simulations, with those kept from before,
    // the time is over, the choice is settled, or `stop`, asked now and then, says so; the
    // number of simulations made: none if the position was solved.
    template <class Stop>
    std::uint64_t run(const Budget& budget, Stop stop) {
        using Clock = std::chrono::steady_clock;
        const auto began = Clock::now();
        const auto spent = [&] {
            return std::chrono::duration<double>(Clock::now() - began).count();
        };
        if (start.over()) return 0;
        start.tidy();
        tree.prepare(start);
        prove(budget, [&] { return spent() >= budget.seconds / 4 || stop(); });
        if (!proofs.empty()) return 0;
        const std::uint64_t kept = visits();
        std::uint64_t done = 0;
        for (; kept + done < budget.simulations; ++done) {
            if (done % 32 == 0 && done) {
                if (stop()) break;
                const double now = spent();
                if (now >= budget.seconds) break;
                double left = double(budget.simulations - kept - done);
                if (now > 0) left = std::min(left, (budget.seconds - now) / now * double(done));
                if (settled(tree.arena, left)) break;
            }
            tree.simulate(start, random);
        }
        return done;
    }

    // The moves of the position, the most tried first; if it was solved, the best first.
    std::vector<Opinion> opinions() const {
        return proofs.empty() ? tegel::opinions(tree.arena, start.seats())
                              : tegel::opinions(tree.arena, proofs);
    }

    // Makes a legal move, and keeps what is known about the position after it.
    void play(Code code) {
        assert(legal(start, code));
        tree.advance(start, code);
        start.play(code);
        proofs.clear();
    }

    // Considers only some moves of the position: those of which the predicate is true.
    template <class Predicate>
    void restrict(Predicate sees) {
        if (start.over()) return;
        tree.prepare(start);  // before it is tidied up: a board may list fewer moves then
        tree.arena.restrict(sees);
    }

  private:
    B start;
    std::conditional_t<Pooling<B>, PooledTree<B>, PlainTree<B>> tree;
    Random random;
    Tuning tuning;
    Exact<B> exact;
    std::vector<Proof> proofs;  // of the moves of the position, once it is solved

    // Solves the position if the budget allows it.
    template <class Stop>
    void prove(const Budget& budget, Stop stop) {
        const Node& root = tree.arena.root();
        if (!proofs.empty() || root.count < 2) return;
        std::vector<Candidate> candidates;
        B board = start;
        board.moves(candidates);
        std::vector<Code> codes;
        if (tree.arena.restricted || candidates.size() == root.count)
            for (const auto& edge : tree.arena.of(root)) codes.push_back(edge.code);
        else  // the tree looks at some of them only
            for (const Candidate& candidate : candidates) codes.push_back(candidate.code);
        // What was simulated before counts; and without a limit there is one all the same.
        const double simulations = std::max(double(budget.simulations), double(root.visits));
        const double work = std::min(5e7, double(tuning.work) * simulations);
        proofs = exact.solve(start, codes, std::uint64_t(work), random, stop);
    }
};

}  // namespace tegel
