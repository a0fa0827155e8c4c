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
#include <utility>
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
    bool settles = true;  // whether it is over when more can't change the choice
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
        prove(budget, [&] { return (budget.settles && spent() >= budget.seconds / 4) || stop(); });
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
                if (budget.settles && settled(tree.arena, left)) break;
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

    // A legal move with what probably follows it, up to so many plies or the next draw; if the
    // position was solved, what follows if all play their best.
    std::vector<Code> line(Code code, std::size_t plies) const {
        assert(legal(start, code));
        if (proofs.empty()) return tree.arena.line(start, code, plies, KNOWN);
        std::vector<Code> found{code};
        B board = start;
        for (board.play(code); found.size() < plies && !board.over(); board.play(found.back())) {
            const auto best = Exact<B>().solve(
                board, codes(board), solved_by, random, [] { return false; }, false);
            if (best.empty()) break;
            found.push_back(best[0].code);
        }
        return found;
    }

    // Makes a legal move, and keeps what is known about the position after it.
    void play(Code code) {
        assert(legal(start, code));
        tree.advance(start, code);
        start.play(code);
        proofs.clear();
        given_up = 0;
    }

    // Considers only some moves of the position: those of which the predicate is true.
    template <class Predicate>
    void restrict(Predicate sees) {
        if (start.over()) return;
        tree.prepare(start);  // before it is tidied up: a board may list fewer moves then
        tree.arena.restrict(sees);
    }

  private:
    static constexpr std::uint32_t KNOWN = 8;  // visits that say what is next in a line
    static constexpr double PAUSE = 3e6;  // work between two looks of whoever looks on: 0.5 s

    B start;
    std::conditional_t<Pooling<B>, PooledTree<B>, PlainTree<B>> tree;
    Random random;
    Tuning tuning;
    Exact<B> exact;
    std::vector<Proof> proofs;  // of the moves of the position, once it is solved
    std::uint64_t solved_by = 0;  // the work that was allowed then
    double given_up = 0;  // the work that was not enough, where choices do not settle

    static std::vector<Code> codes(B board) {
        std::vector<Candidate> candidates;
        board.moves(candidates);
        std::vector<Code> found;
        for (const Candidate& candidate : candidates) found.push_back(candidate.code);
        return found;
    }

    // Solves the position if the budget allows it; if choices do not settle, again with more work
    // until every move is proved.
    template <class Stop>
    void prove(const Budget& budget, Stop stop) {
        const Node& root = tree.arena.root();
        const bool proved = std::ranges::all_of(proofs, &Proof::exact);
        if (root.count < 2 || (!proofs.empty() && (budget.settles || proved))) return;
        std::vector<Code> todo = codes(start);
        if (tree.arena.restricted || todo.size() == root.count) {
            todo.clear();  // the tree looks at all of these, the most promising first
            for (const auto& edge : tree.arena.of(root)) todo.push_back(edge.code);
        }
        // What was simulated before counts; and without a limit there is one all the same.
        const double simulations = std::max(double(budget.simulations), double(root.visits));
        const double most = budget.settles ? 5e7 : PAUSE;
        const double work = std::min(most, double(tuning.work) * simulations);
        if (!budget.settles && work < 2 * given_up) return;
        given_up = work;
        auto found = exact.solve(start, todo, std::uint64_t(work), random, stop);
        if (found.empty()) return;
        proofs = std::move(found);
        solved_by = std::uint64_t(work);
    }
};

}  // namespace tegel
