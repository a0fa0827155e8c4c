// The words between search and games: what a board must be able to do to be searched.
//
// - a code is a move as an integer, the same on the side of the law (`Game.code`);
// - a packed position is a list of integers, the same on the side of the law (`Game.pack`);
// - a voice is who makes a move: a seat, or one of several colours of a seat; the same code
//   of the same voice is the same move wherever it is met, which is what RAVE counts.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <span>
#include <vector>

namespace tegel {

using Code = std::uint32_t;
using Packed = std::vector<std::int64_t>;

constexpr int MOST_SEATS = 4;
constexpr int CHANCE = -1;

// By seat, from 0 (lost) to 1 (won). What to play for is the win with a little for the margin, so
// that the engine fights for points also when the game is decided.
using Values = std::array<float, MOST_SEATS>;
using Scores = std::array<int, MOST_SEATS>;
using Expected = std::array<float, MOST_SEATS>;  // scores, as means

// What a position leads to.
struct Worth {
    Values wins{}, values{};  // the share of the win, and what is played for
    Expected scores{};
};

// A move that may be made. Weights of draws are their odds; those of other moves say how
// promising they look (their logarithms, up to a constant).
struct Candidate {
    Code code;
    float weight;
};

// What was played after the tree was left: keys as `Board::key` gives them.
using Trace = std::vector<std::uint32_t>;

// Chance, deterministic for a seed (wyrand).
class Random {
  public:
    explicit Random(std::uint64_t seed = 0)
        : state(seed * 0x9e3779b97f4a7c15u + 0x2545f4914f6cdd1du) {}

    std::uint64_t operator()() {
        state += 0xa0761d6478bd642fu;
        __extension__ using Wide = unsigned __int128;
        const Wide product = Wide(state) * (state ^ 0xe7037ed1a0b428dbu);
        return std::uint64_t(product >> 64) ^ std::uint64_t(product);
    }
    // A number below `count`.
    std::uint32_t below(std::uint32_t count) {
        return std::uint32_t(((*this)() >> 32) * count >> 32);
    }
    // A number from 0 up to, not including, 1.
    float unit() { return float((*this)() >> 40) * 0x1p-24f; }

  private:
    std::uint64_t state;
};

// A number with its bits spread, for hashes; 0 too, or what has that number would leave no trace.
inline std::uint64_t mixed(std::uint64_t number) {
    number += 0x9e3779b97f4a7c15u;
    number = (number ^ number >> 31) * 0x94d049bb133111ebu;
    return (number ^ number >> 29) * 0xbf58476d1ce4e5b9u;
}

// How a board is searched; a board may say what suits it best (`TUNING`).
struct Tuning {
    float curiosity = 1.4f;     // weight of prior and of what is little known
    float rave = 600;           // visits after which RAVE counts about as little as half
    float unknown = 0.05f;      // how much worse than its parent an untried move is taken to be
    float temperature = 0.5f;    // of the priors
    std::uint32_t width = 120;  // moves considered below the root, the most promising ones
    float narrow = 1e9f, growth = 0;  // so many of them at first, and more by the root of visits
    std::uint32_t maturity = 1;     // visits after which the moves of a position are listed
    std::uint32_t nodes = 2'000'000, edges = 12'000'000;  // most kept
    float work = 60;                // on the exact endgame, for each simulation
};

template <class B>
concept Playable =
    std::copyable<B> &&
    requires(B b, const B c, std::span<const std::int64_t> packed, Code code, Random& random,
             Trace& trace, std::vector<Candidate>& candidates, Values& values, Scores& scores) {
        B(packed);
        { c.packed() } -> std::same_as<Packed>;
        { c.seats() } -> std::convertible_to<int>;
        { c.turn() } -> std::convertible_to<int>;
        { c.over() } -> std::convertible_to<bool>;
        { c.scores(scores) };               // as the law has them
        { b.tidy() };                       // before a search; may narrow what is considered
        { b.moves(candidates) };            // all legal ones; only those of draws have weights
        { b.consider(candidates) };         // those worth searching, with their weights
        { b.play(code) };                   // a legal one
        { b.random(random) } -> std::same_as<Code>;  // any legal move, each with the same chance
        { b.rollout(random, trace) };  // plays on as good players might, to the end or nearly
        { c.values(values, values) };  // the share of the win, and what to play for
        { c.key(code) } -> std::convertible_to<std::uint32_t>;  // voice and code; below B::KEYS
        // Optional: `judge(wins, values, expected)`, for a board whose rollouts stop before the end;
        // `hash()`, the same for positions from which the same follows; `sides()`, fewer than seats
        // where seats play together; `ENDING`, what a final account costs, in moves listed; `POOLS`,
        // if the search should make no nodes for draws (see pooled.hpp).
        { B::KEYS } -> std::convertible_to<std::uint32_t>;  // 0: RAVE does not help
    };

// What a position after a rollout is worth.
template <Playable B>
Worth judged(const B& board) {
    Worth worth;
    if constexpr (requires { board.judge(worth.wins, worth.values, worth.scores); }) {
        board.judge(worth.wins, worth.values, worth.scores);
    } else {
        Scores scores{};
        board.values(worth.wins, worth.values);
        board.scores(scores);
        for (int seat = 0; seat < board.seats(); ++seat) worth.scores[seat] = float(scores[seat]);
    }
    return worth;
}

// Whether a move may be made, whatever number comes for it.
template <Playable B>
bool legal(B board, Code code) {
    std::vector<Candidate> found;
    board.moves(found);
    return std::ranges::any_of(found, [=](const Candidate& move) { return move.code == code; });
}

}  // namespace tegel
