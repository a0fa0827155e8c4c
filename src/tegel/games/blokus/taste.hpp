// What looks good in Blokus: weights of moves for the search tree, quick choices for
// rollouts, and what an end is worth. No rule is here; all numbers are measured or trained.
#pragma once

#include "tegel/games/blokus/kernel.hpp"
#include "tegel/games/blokus/weights.hpp"

namespace tegel::blokus {

// What is seen of a move, besides which tile it lays.
enum Feature {
    DENIED,      // rivals' corners covered
    DENIED_NEW,  // of these, opened since the mover's last turn
    CROWDED,     // rivals' corners beside the tile
    OPENED,      // new corners of the own colour
    SHUT,        // 1 if there is none
    AHEAD,       // open squares around them
    WASTED,      // own corners covered beyond the first
    CLOSED,      // own corners beside the tile
    TOUCHED,     // rivals' squares beside the tile
    FRIENDLY,    // corners of the own side's other colour covered
    SHIELDED,    // squares of the own side's other colour beside the tile
    CONTESTED,   // new own corners that are rivals' corners too, or lie beside their squares
    SAFE,        // squares covered that are closed to all rivals
    CENTRAL,     // how near to the centre the nearest new corner lies, 0 to 1
    FEATURES
};
static_assert(FEATURES == FACTS);

// Rollouts: the weight of a tile by its size, then of a square that denies or opens.
struct Habits {
    std::array<float, SIZES> sizes{0.01f, 0.02f, 0.06f, 0.25f, 1.0f};
    float denied = 2.5f, denied_new = 2.0f, opened = 1.1f;
    int candidates = 4;
    float bonus = 0.15f;  // the part of a value that is the margin
};
inline Habits HABITS;

inline int Board::phase() const {
    const int tiles = placed(colour);
    return tiles < 4 ? 0 : tiles < 9 ? 1 : 2;
}

inline Seen Board::seen(Code code) const {
    Seen seen{};
    const Form& form = TABLES.forms[code >> PLACE_BITS];
    const int mine = colour, base = ORIGIN + int(code & (ROOM - 1));
    const std::uint32_t against = rivals[mine], with = partners[mine];
    constexpr std::uint64_t COUNTS = 0x4332322132212110;  // how many bits a nibble has
    auto corners = [&](int square, std::uint32_t of) {
        const std::uint32_t open = (ground[square] >> 4u) & ~std::uint32_t(ground[square]) & of;
        return int(COUNTS >> 4 * open & 15);
    };
    auto is = [&](int square, std::uint32_t of) { return of << 1 >> owner[square] & 1; };
    int own = 0;
    for (int i = 0; i < form.size; ++i) {
        const int square = base + form.cells[i];
        const int denied = corners(square, against);
        seen[DENIED] += float(denied);
        if (denied && opened[square] + rules.colours > ply) seen[DENIED_NEW] += 1;
        seen[FRIENDLY] += float(corners(square, with));
        own += corners(square, 1u << mine);
        seen[SAFE] += float((ground[square] & against) == against);
    }
    seen[WASTED] = float(std::max(own - 1, 0));
    for (int i = 0; i < form.sides; ++i) {
        const int square = base + form.beside[i];
        seen[CROWDED] += float(corners(square, against));
        seen[CLOSED] += float(corners(square, 1u << mine));
        seen[TOUCHED] += float(is(square, against));
        seen[SHIELDED] += float(is(square, with));
    }
    for (int i = 0; i < form.corners; ++i) {
        const int square = base + form.diagonal[i];
        if (ground[square] & 0x11 << mine) continue;
        seen[OPENED] += 1;
        bool contested = corners(square, against);
        for (int step : {1, -1, STRIDE, -STRIDE}) {
            seen[AHEAD] += float(!(ground[square + step] >> mine & 1));
            contested |= is(square + step, against);
        }
        seen[CONTESTED] += contested;
        const int number = square - ORIGIN, x = number % STRIDE, y = number / STRIDE;
        const float middle = float(rules.size - 1) / 2;
        const float away = std::max(std::abs(float(x) - middle), std::abs(float(y) - middle));
        seen[CENTRAL] = std::max(seen[CENTRAL], 1 - away / middle);
    }
    seen[SHUT] = float(seen[OPENED] == 0);
    seen[FEATURES + form.tile] = 1;
    return seen;
}

inline void Board::consider(std::vector<Candidate>& candidates) {
    moves(candidates);
    const auto& weights = WEIGHTS[rules.size < 20][phase()];
    for (Candidate& candidate : candidates) {
        const Seen all = seen(candidate.code);
        const int tile = TABLES.forms[candidate.code >> PLACE_BITS].tile;
        candidate.weight = weights[FEATURES + tile];
        for (int i = 0; i < FEATURES; ++i) candidate.weight += weights[i] * all[i];
    }
}

// A legal move of a colour as a hasty player makes it: some are drawn, larger tiles rather
// than smaller ones, and of these one that denies or opens corners is preferred.
inline Code Board::hasty(int of, Random& random) {
    auto& list = lists[of];
    std::array<Code, 32> codes;
    std::array<float, 32> weights;
    float all = 0;
    int count = 0;
    while (count < HABITS.candidates) {
        std::array<float, SIZES> parts;
        float total = 0;
        for (int size = 0; size < SIZES; ++size)
            total += parts[size] = float(list[size].count) * HABITS.sizes[size];
        if (total == 0) break;
        float rest = random.unit() * total;
        int size = SIZES - 1;
        while (size > 0 && rest >= parts[size]) rest -= parts[size--];
        if (!list[size].count) continue;
        const std::uint32_t index = random.below(list[size].count);
        const Code code = list[size][index];
        if (!legal(of, code)) {
            list[size].drop(index);
            continue;
        }
        codes[count] = code;
        all += weights[count++] = liking(of, code);
    }
    if (!count) return NOTHING;
    float rest = random.unit() * all;
    while (--count && rest >= weights[count]) rest -= weights[count];
    return codes[count];
}

inline float Board::liking(int of, Code code) const {
    const Form& form = TABLES.forms[code >> PLACE_BITS];
    const int base = ORIGIN + int(code & (ROOM - 1));
    float weight = 1;
    for (int i = 0; i < form.size; ++i) {
        const int square = base + form.cells[i];
        if ((ground[square] >> 4) & ~ground[square] & rivals[of]) {
            weight *= HABITS.denied;
            if (opened[square] + rules.colours > ply) weight *= HABITS.denied_new;
        }
    }
    for (int i = 0; i < form.corners; ++i)
        if (!(ground[base + form.diagonal[i]] & 0x11 << of)) weight *= HABITS.opened;
    return weight;
}

inline void Board::rollout(Random& random, Trace& trace) {
    const int all = (1 << rules.colours) - 1;
    while (out != all) {
        if (!(out >> colour & 1)) {
            const Code code = hasty(colour, random);
            if (code == NOTHING) {
                out |= 1 << colour;
            } else {
                trace.push_back(key(code));
                put(code);
            }
        }
        colour = std::uint8_t(colour + 1 == rules.colours ? 0 : colour + 1);
    }
    ended = true;
}

// The win is shared among those who win.
inline void Board::values(Values& wins, Values& values) const {
    Scores all{};
    scores(all);
    const int sides = rules.sides;
    int best = all[0], winners = 0, sum = 0;
    for (int side = 0; side < sides; ++side) best = std::max(best, all[side]), sum += all[side];
    for (int side = 0; side < sides; ++side) winners += all[side] == best;
    for (int seat = 0; seat < rules.seats; ++seat) {
        const int own = all[seat % sides];
        const float margin = float(own) - float(sum - own) / float(sides - 1);
        wins[seat] = own == best ? 1.0f / float(winners) : 0.0f;
        const float share = (1 + std::tanh(margin / 25)) / 2;
        values[seat] = (1 - HABITS.bonus) * wins[seat] + HABITS.bonus * share;
    }
}

}  // namespace tegel::blokus
