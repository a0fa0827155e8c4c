// How Blokus is played to its end in a simulation: in haste, but not blindly.
//
// A colour first looks for answers: moves that cover corners which rivals opened since its
// last turn. Otherwise it draws corners of its own, and at each a placement, large tiles
// rather than smaller ones, and prefers those that deny rivals corners or open its own.
#pragma once

#include "tegel/games/blokus/field.hpp"

namespace tegel::blokus {

// How rollouts are played and ends are judged; measured, see docs/engine.md.
struct Habits {
    std::array<float, SIZES> sizes{0.01f, 0.02f, 0.06f, 0.25f, 1.0f};
    float denied = 2.5f, opened = 1.1f;  // a square that denies or opens
    int candidates = 2;
    float local = 1;   // the chance to look for answers first
    float bonus = 0.15f, scale = 25;  // the part of a value that is the margin
};
inline Habits HABITS;

class Rollout {
  public:
    Rollout(Field& field, Random& random, const std::array<std::uint8_t, COLOURS>& rivals,
            int colours)
        : field(field), random(random), rivals(rivals), colours(colours) {}

    // A legal move of a colour, or NOTHING.
    Code operator()(int of) {
        Code code = NOTHING;
        if (HABITS.local > 0 && (HABITS.local >= 1 || random.unit() < HABITS.local))
            code = answer(of);
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
            for (int size = 0; size < SIZES; ++size)
                weight += float(counts[size]) * HABITS.sizes[size];
        }
        Code drawn(Random& random) const {
            float rest = random.unit() * weight;
            int size = SIZES - 1;
            while (size > 0 && (!counts[size] || rest >= float(counts[size]) * HABITS.sizes[size])) {
                rest -= float(counts[size]) * HABITS.sizes[size];
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
        std::array<Code, 32> codes;
        std::array<float, 32> weights;
        float sum = 0;
        int count = 0;
        while (count < HABITS.candidates && all.count) {
            const int place = int(random.below(all.count)), square = all.squares[place];
            const Choice choice(field.fitting_at(of, square), square);
            if (choice.weight == 0) {
                all.drop(place);
                continue;
            }
            codes[count] = choice.drawn(random);
            sum += weights[count] = HABITS.candidates > 1 ? liking(of, codes[count]) : 1;
            ++count;
        }
        if (!count) return NOTHING;
        float rest = random.unit() * sum;
        while (--count && rest >= weights[count]) rest -= weights[count];
        return codes[count];
    }

    float liking(int of, Code code) const {
        const Form& form = TABLES.forms[code >> PLACE_BITS];
        const int place = code & PLACE, y = place / STRIDE + MARGIN, x = place % STRIDE + MARGIN;
        float weight = 1;
        for (int i = 0; i < 5; ++i) {
            std::uint32_t open = 0;
            for (int rival = 0; rival < colours; ++rival)
                if (rivals[of] >> rival & 1)
                    open |= field.corner[rival][y + i] & ~field.closed[rival][y + i];
            for (open &= std::uint32_t(form.rows[i]) << x; open; open &= open - 1)
                weight *= HABITS.denied;
        }
        for (int i = 0; i < 7; ++i) {
            const int row = y - 1 + i;
            std::uint32_t opened = std::uint32_t(form.diagonal_rows[i]) << (x - 1);
            opened &= ~(field.closed[of][row] | field.corner[of][row]);
            for (; opened; opened &= opened - 1) weight *= HABITS.opened;
        }
        return weight;
    }
};

}  // namespace tegel::blokus
