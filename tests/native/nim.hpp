// Nim, a game small enough to know everything about, as a board for the search: two heaps, who
// takes the last one wins. With dice, a die is thrown before every move, and says how many may be
// taken at most.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tegel/search/board.hpp"
#include "tegel/search/packed.hpp"

namespace tegel::nim {

template <bool DICE>
class Heaps {
  public:
    static constexpr std::uint32_t KEYS = 2 * 16;

    Heaps(int one, int other) : heaps{one, other} {}
    explicit Heaps(std::span<const std::int64_t> packed) {
        Reading reading(packed);
        for (int* field : {&heaps[0], &heaps[1]}) *field = reading.number("a heap", 0, 7);
        seat = reading.number("the seat", 0, 1);
        most = reading.number("the die", 0, 3);
        reading.end();
    }
    Packed packed() const { return {heaps[0], heaps[1], seat, most}; }

    int seats() const { return 2; }
    bool throwing() const { return DICE && !most; }
    int turn() const { return throwing() ? CHANCE : seat; }
    bool over() const { return !heaps[0] && !heaps[1]; }
    std::uint32_t key(Code code) const { return std::uint32_t(seat) * 16 + code; }
    std::uint64_t hash() const { return std::uint64_t(heaps[0] << 8 | heaps[1] << 4 | seat); }
    void scores(Scores& scores) const { scores[0] = seat, scores[1] = 1 - seat; }
    void values(Values& wins, Values& values) const {
        wins[seat] = 0, wins[1 - seat] = 1;  // who could not take has lost
        values = wins;
    }
    void tidy() {}
    void moves(std::vector<Candidate>& found) {
        found.clear();
        if (over()) return;
        if (throwing()) {
            for (Code die : {1u, 2u, 3u}) found.push_back({die, 1});
            return;
        }
        for (int heap = 0; heap < 2; ++heap)
            for (int count = 1; count <= heaps[heap] && count <= (DICE ? most : 7); ++count)
                found.push_back({Code(heap * 8 + count), 0});
    }
    void consider(std::vector<Candidate>& found) { moves(found); }
    void play(Code code) {
        if (throwing()) {
            most = int(code);
            return;
        }
        heaps[code / 8] -= int(code % 8);
        seat = 1 - seat, most = 0;
    }
    Code random(Random& random) {
        std::vector<Candidate> found;
        moves(found);
        return found[random.below(std::uint32_t(found.size()))].code;
    }
    void rollout(Random& chance, Trace& trace) {
        while (!over()) {
            const Code code = random(chance);
            if (!throwing()) trace.push_back(key(code));
            play(code);
        }
    }

    int heaps[2]{};
    int seat = 0, most = 0;
};

using Plain = Heaps<false>;
using Thrown = Heaps<true>;  // a node for every throw

// The same with throws pooled; RAVE is for plain trees.
class Pooled : public Heaps<true> {
  public:
    static constexpr std::uint32_t KEYS = 0;
    static constexpr bool POOLS = true;
    using Heaps<true>::Heaps;
};

}  // namespace tegel::nim
