// Endgames solved: what every move of a position is worth if all play their best from there.
//
// - a worth is what a position leads to: by seat the share of the win, what is played for, and
//   the score. Where draws are still to come nothing is solved: in none of our games are such
//   positions small (Tantrix has 13 tiles left then);
// - two sides, whose values add up to one, are searched by alpha-beta; more seats by vectors,
//   each maximising its own entry; of equals, the move with the smallest code is made;
// - the work is what it costs: moves listed, and positions met by their size in memory. It is
//   limited, so that a number of simulations also says how far endgames are solved, on every
//   machine.
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "tegel/search/board.hpp"

namespace tegel {

struct Proof {
    Code code;
    bool exact;  // if not, the move is no better than the best, and nothing else is known
    Worth worth;
};

template <Playable B>
class Exact {
  public:
    // What some moves of a position are worth, the best first, or nothing if the best is not
    // found within so much work, or before `stop`, asked now and then, says so. `all`: the others
    // too, as far as the work goes.
    template <class Stop>
    std::vector<Proof> solve(const B& board, const std::vector<Code>& codes, std::uint64_t work,
                             Random random, Stop stop, bool all = true) {
        left = std::int64_t(work);
        sides = two_sides(board) ? 2 : board.seats();
        if (codes.empty() || board.turn() == CHANCE || !feasible(board, random)) return {};
        if constexpr (hashed)
            table.assign(std::bit_ceil(std::min<std::uint64_t>(work / 8 + 1, MOST_ENTRIES)), {});
        history.assign(HISTORY, 0);
        const int mover = board.turn();
        std::vector<Proof> proofs;
        float alpha = -1, beta = 2;
        std::size_t best = 0;
        for (Code code : codes) {
            B after = board;
            after.play(code);
            const float low = side(mover) ? -1 : alpha, high = side(mover) ? beta : 2;
            Proof proof{code, true, worth(after, low, high, stop)};
            if (left < 0) return {};
            const float value = proof.worth.values[0];
            proof.exact = sides > 2 || (value > low && value < high);
            const bool better = proofs.empty() ||
                                proof.worth.values[mover] > proofs[best].worth.values[mover] ||
                                (sides > 2 && code < proofs[best].code &&
                                 proof.worth.values[mover] == proofs[best].worth.values[mover]);
            if (better) best = proofs.size();
            proofs.push_back(proof);
            if (side(mover)) beta = std::min(beta, value);
            else alpha = std::max(alpha, value);
        }
        std::swap(proofs[0], proofs[best]);
        for (Proof& proof : proofs) {  // the others, for as long as the work allows
            if (proof.exact || left < 0 || !all) continue;
            B after = board;
            after.play(proof.code);
            proof.worth = worth(after, -1, 2, stop);
            proof.exact = left >= 0;
        }
        for (Proof& proof : proofs)
            if (!proof.exact) proof.worth = {};
        table = {};
        std::stable_sort(proofs.begin() + 1, proofs.end(), [&](const Proof& a, const Proof& b) {
            return a.exact != b.exact ? a.exact : a.worth.values[mover] > b.worth.values[mover];
        });
        return proofs;
    }

  private:
    static constexpr bool hashed = requires(const B& b) { b.hash(); };
    static constexpr std::size_t MOST_ENTRIES = 1 << 18, HISTORY = 1 << 16;
    static constexpr std::int64_t COPY = 1 + sizeof(B) / 2048;
    enum Bound : std::uint8_t { EMPTY, EQUAL, AT_LEAST, AT_MOST };

    struct Entry {
        std::uint64_t hash = 0;
        Code code = 0;
        Bound bound = EMPTY;
        Worth worth;
    };

    std::int64_t left = 0;
    int sides = 0;
    std::vector<Entry> table;
    std::vector<std::uint32_t> history;  // by move, how often it was the best answer

    static bool two_sides(const B& board) {
        if constexpr (requires { board.sides(); }) return board.sides() == 2;
        return board.seats() == 2;
    }
    // Of two sides, the one that a seat plays for; side 0 maximises the value of seat 0.
    int side(int seat) const { return sides == 2 ? seat % 2 : 0; }
    static std::size_t place(int seat, Code code) {
        return std::size_t((code * 4 + Code(seat)) * 0x9e3779b1u >> 16);
    }

    // Whether there is hope: by the number of ways to go on along some random games. Alpha-beta
    // needs about the square root of all; equal positions are met but once.
    bool feasible(const B& board, Random& random) const {
        constexpr int GAMES = 4;
        const double most = GAMES * std::log(double(left)) / (sides == 2 ? 0.5 : 0.8);
        std::vector<Candidate> found;
        double ways = 0;
        for (int game = 0; game < GAMES; ++game)
            for (B probe = board; !probe.over(); probe.play(probe.random(random))) {
                probe.moves(found);
                ways += std::log(double(found.size()));
                if (ways > most) return false;
            }
        return true;
    }

    static Worth reached(const B& board) {
        Worth worth;
        Scores scores{};
        board.values(worth.wins, worth.values);
        board.scores(scores);
        for (int seat = 0; seat < MOST_SEATS; ++seat) worth.scores[seat] = float(scores[seat]);
        return worth;
    }

    template <class Stop>
    Worth worth(B& board, float alpha, float beta, Stop& stop) {
        const std::int64_t before = left;
        left -= COPY;
        if (board.over()) {
            if constexpr (requires { B::ENDING; }) left -= B::ENDING;
            return reached(board);
        }
        std::vector<Candidate> found;
        board.moves(found);
        assert(!found.empty());
        left -= std::int64_t(found.size());
        if (board.turn() == CHANCE || (before >> 10 != left >> 10 && stop())) left = -1;
        if (left < 0) return {};

        const int mover = board.turn();
        const bool low = side(mover);  // side 1 minimises
        Entry* entry = nullptr;
        Code first = ~Code(0);
        std::uint64_t hash = 0;
        if constexpr (hashed) {
            hash = board.hash();
            entry = &table[hash & (table.size() - 1)];
            if (entry->bound != EMPTY && entry->hash == hash) {
                const float value = entry->worth.values[0];
                if (entry->bound == EQUAL || (entry->bound == AT_LEAST && value >= beta) ||
                    (entry->bound == AT_MOST && value <= alpha))
                    return entry->worth;
                first = entry->code;
            }
        }
        for (Candidate& move : found)
            move.weight = move.code == first ? 1e9f : float(history[place(mover, move.code)]);
        std::sort(found.begin(), found.end(), [&](const Candidate& a, const Candidate& b) {
            return sides == 2 && a.weight != b.weight ? a.weight > b.weight : a.code < b.code;
        });
        const float alpha_before = alpha, beta_before = beta;
        Worth best;
        Code chosen = found[0].code;
        bool any = false;
        for (const Candidate& move : found) {
            B after = board;
            after.play(move.code);
            const Worth here = worth(after, alpha, beta, stop);
            if (left < 0) return {};
            if (!any || here.values[mover] > best.values[mover]) best = here, chosen = move.code;
            any = true;
            if (sides > 2) continue;
            if (low) beta = std::min(beta, here.values[0]);
            else alpha = std::max(alpha, here.values[0]);
            if (alpha >= beta) break;
        }
        ++history[place(mover, chosen)];
        if (entry) {
            const float value = best.values[0];
            const Bound bound = sides > 2 || (value > alpha_before && value < beta_before) ? EQUAL
                                : value >= beta_before ? AT_LEAST
                                                       : AT_MOST;
            *entry = Entry{hash, chosen, bound, best};
        }
        return best;
    }
};

}  // namespace tegel
