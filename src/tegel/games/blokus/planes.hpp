// What a net sees of Blokus (planes.py says the same, drawn by the law).
//
// Colours come in the order of turns, from the mover on; the board is turned so that the mover's
// own starting square lies where the first colour's does. Planes, each for all colours:
//
// - tiles: squares covered;        - closed: squares that a tile may not cover;
// - corners: where the next tile may begin;
// - reach: squares that some legal move would cover, if it were the colour's turn;
// - moves: how many legal moves would, 255 at most.
//
// Scalars, for one colour after the other: 21 of its hand; how many legal moves it has, as
// log(1 + n) / 8; its squares by 89; whether the single square came last; the side that scores
// with it, a 1 among 0s (all 0: a shared colour); the side that moves it next, likewise.
//
// An action is form x squares of the board + square of the lower left, as the mover sees them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tegel/games/blokus/rules.hpp"
#include "tegel/search/net.hpp"
#include "tegel/search/turned.hpp"

namespace tegel::blokus {

constexpr int KINDS = 5;  // of planes

inline const Turned& Board::sight(int of) const {
    return Turned::of(rules.size, (4 - of * 4 / rules.colours) % 4);
}

inline Shape Board::shape() const {
    const int size = rules.size, colours = rules.colours;
    return {KINDS * colours, size, size, colours * (TILES + 3 + 2 * rules.sides),
            FORMS * size * size, rules.sides, colours + 1, 1000};
}

inline void Board::look(View& view) {
    const Shape shape = this->shape();
    const Turned& turned = sight(colour);
    const int squares = rules.size * rules.size, colours = rules.colours, mover = turn();
    view.planes.assign(std::size_t(shape.channels * squares), 0);
    view.scalars.assign(std::size_t(shape.scalars), 0);
    view.codes.clear();
    view.actions.clear();
    float* scalar = view.scalars.data();
    std::array<std::uint16_t, ROOM> counts;
    for (int step = 0; step < colours; ++step) {
        const int of = (colour + step) % colours;
        counts.fill(0);
        enlist(of);
        List& list = lists[of];
        for (std::uint32_t i = 0; i < list.count;) {
            const Code code = list[i];
            if (!legal(of, code)) {
                list.drop(i);
                continue;
            }
            ++i;
            const int form = int(code >> PLACE_BITS), place = int(code & PLACE);
            for (int cell = 0; cell < TABLES.forms[form].size; ++cell)
                ++counts[ORIGIN + place + TABLES.forms[form].cells[cell]];
            if (step) continue;
            view.codes.push_back(code);
            view.actions.push_back(turned.action(form, place % STRIDE, place / STRIDE));
        }
        for (int y = 0; y < rules.size; ++y)
            for (int x = 0; x < rules.size; ++x) {
                const int here = ORIGIN + y * STRIDE + x;
                const bool closed = ground[here] >> of & 1;
                std::uint8_t* plane = &view.planes[std::size_t(step * squares + turned.square(x, y))];
                plane[0 * colours * squares] = owner[here] == of + 1;
                plane[1 * colours * squares] = closed;
                plane[2 * colours * squares] = !closed && (ground[here] >> (4 + of) & 1);
                plane[3 * colours * squares] = counts[here] > 0;
                plane[4 * colours * squares] = std::uint8_t(std::min<int>(counts[here], 255));
            }
        for (int tile = 0; tile < TILES; ++tile) *scalar++ = float(field.hands[of] >> tile & 1);
        *scalar++ = std::log1p(float(list.count)) / 8;
        *scalar++ = float(field.covered[of]) / SQUARES;
        *scalar++ = float(field.single >> of & 1);
        if (of != rules.shared) scalar[side_from(mover, rules.side(of), rules.sides)] = 1;
        scalar += rules.sides;
        scalar[side_from(mover, rules.seat(of, field.placed(of)), rules.sides)] = 1;
        scalar += rules.sides;
    }
}

// With starting squares of their own, those turns that leave each where it is.
inline std::vector<Symmetry> Board::symmetries() const {
    const int size = rules.size;
    std::vector<Symmetry> found;
    for (int turn = 1; turn < 8; ++turn) {
        const Turned& turned = Turned::of(size, turn);
        bool still = true;
        for (int of = 0; of < rules.colours && rules.fixed; ++of) {
            const int x = rules.starts[of] % STRIDE, y = rules.starts[of] / STRIDE;
            still &= turned.square(x, y) == y * size + x;
        }
        if (!still) continue;
        found.push_back(turned.symmetry());
    }
    return found;
}

inline void Board::owned(int voice, std::uint8_t* owners) const {
    const Turned& turned = sight(voice);
    for (int y = 0; y < rules.size; ++y)
        for (int x = 0; x < rules.size; ++x) {
            const int of = owner[ORIGIN + y * STRIDE + x];
            owners[turned.square(x, y)] =
                of ? std::uint8_t(1 + side_from(voice, of - 1, rules.colours)) : std::uint8_t(0);
        }
}

}  // namespace tegel::blokus
