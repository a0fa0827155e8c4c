// How Blokus is played to its end in a simulation: in haste, but not blindly.
//
// A colour first looks for answers: moves that cover corners which rivals opened since its
// last turn. Otherwise it draws one of its own corners, and there a placement, a large tile
// rather than a small one. (To weigh several draws by the corners that they deny and open
// costs more simulations than it is worth.)
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "tegel/games/blokus/field.hpp"
#include "tegel/polyominoes.hpp"
#include "tegel/search/board.hpp"

namespace tegel::blokus {

// By size of the tile, how likely a placement is drawn.
constexpr std::array<float, SIZES> LIKELY{0.01f, 0.02f, 0.06f, 0.25f, 1.0f};

class Rollout {
  public:
    Rollout(Field& field, Random& random, const std::array<std::uint8_t, COLOURS>& rivals,
            int colours)
        : field(field), random(random), rivals(rivals), colours(colours) {}

    // A legal move of a colour, or NOTHING.
    Code operator()(int of) {
        const Code code = answer(of);
        return code != NOTHING ? code : elsewhere(of);
    }

  private:
    Field& field;
    Random& random;
    const std::array<std::uint8_t, COLOURS>& rivals;
    const int colours;

    // Some placements, how many there are by size, and how much they weigh together.
    struct Choice {
        Placements placements{};
        int square = 0;
        std::array<int, SIZES> counts{};
        float weight = 0;

        Choice() = default;
        Choice(const Placements& placements, int square) : placements(placements), square(square) {
            for (int word = 0; word < 5; ++word) counts[4] += std::popcount(placements[word]);
            for (int word = 5; word < 7; ++word) counts[3] += std::popcount(placements[word]);
            if (const std::uint64_t rest = placements[7]) {
                counts[2] = std::popcount(rest & 0x3FFFF);
                counts[1] = std::popcount(rest & 0x3C0000);
                counts[0] = int(rest >> 22 & 1);
            }
            for (int size = 0; size < SIZES; ++size) weight += float(counts[size]) * LIKELY[size];
        }
        Code drawn(Random& random) const {
            float rest = random.unit() * weight;
            int size = SIZES - 1;
            while (size > 0 && (!counts[size] || rest >= float(counts[size]) * LIKELY[size])) {
                rest -= float(counts[size]) * LIKELY[size];
                --size;
            }
            while (size < SIZES - 1 && !counts[size]) ++size;  // by rounding
            constexpr std::array<int, SIZES> first{470, 466, 448, 320, 0};
            std::uint32_t left = random.below(std::uint32_t(counts[size]));
            int word = first[size] / 64;
            std::uint64_t bits = placements[word] >> first[size] % 64 << first[size] % 64;
            for (std::uint32_t some; left >= (some = std::uint32_t(std::popcount(bits)));) {
                left -= some;
                bits = placements[++word];
            }
            for (; left; --left) bits &= bits - 1;
            return Code(TABLES.through[64 * word + std::countr_zero(bits)].code + square);
        }
    };

    Code answer(int of) {
        Choice best;
        float sum = 0;
        for (int rival = 0; rival < colours; ++rival) {
            if (!(rivals[of] >> rival & 1)) continue;
            const Corners& theirs = field.corners[rival];
            for (int i = theirs.fresh; i < theirs.count; ++i) {
                const int square = theirs.squares[i];
                std::uint64_t own = diamond(field.corner[of], square);
                if (!own || has(field.closed[rival], square) || has(field.closed[of], square))
                    continue;
                Placements found = field.fitting_at(of, square), through{};
                for (; own; own &= own - 1)
                    for (int word = 0; word < 8; ++word)
                        through[word] |= TABLES.covering[std::countr_zero(own)][word];
                for (int word = 0; word < 8; ++word) found[word] &= through[word];
                const Choice choice(found, square);
                sum += choice.weight;
                if (choice.weight > 0 && random.unit() * sum < choice.weight) best = choice;
            }
        }
        return best.weight > 0 ? best.drawn(random) : NOTHING;
    }

    Code elsewhere(int of) {
        Corners& all = field.corners[of];
        while (all.count) {
            const int place = int(random.below(all.count)), square = all.squares[place];
            const Choice choice(field.fitting_at(of, square), square);
            if (choice.weight > 0) return choice.drawn(random);
            all.drop(place);
        }
        return NOTHING;
    }
};

}  // namespace tegel::blokus
