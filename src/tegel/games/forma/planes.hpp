// What a net sees of Forma (planes.py says the same, drawn by the law).
//
// Seats come in the order of turns, from the mover on; the board lies as it is. Planes:
//
// - for each seat: tiles; marked: its markers, on squares and obstacles; reach: squares that one
//   of its tiles could cover;
// - obstacles, tower, free squares; open: how many free squares are beside a square.
//
// Scalars: for each seat its hand and what it laid aside, 21 counts by 2 each, the part of its
// markers that is left, its score so far by 100, whether it closed the tower in; then whether
// there was a misfit, whether the board is being set up, obstacles by 25, whether the tower stands.
//
// An action is squares x plane + square: a plane for each of the 91 forms, with the square of the
// lower left; then one each for obstacles put up, the tower, and pieces taken away; then one whose
// first squares are decline and done.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tegel/games/forma/rules.hpp"
#include "tegel/games/forma/setup.hpp"
#include "tegel/search/net.hpp"
#include "tegel/search/turned.hpp"

namespace tegel::forma {

constexpr int PLANES_OF_SEAT = 3, PLANES_OF_ALL = 4, ACTION_PLANES = FORMS + 4;

inline Shape Board::shape() const {
    return {PLANES_OF_SEAT * count + PLANES_OF_ALL,
            size,
            size,
            count * (2 * TILES + 3) + 4,
            ACTION_PLANES * size * size,
            count,
            count + 1,
            30'000};
}

inline int Board::action(Code code) const {
    const int squares = size * size, what = int(code >> PLACE_BITS),
              place = int(code & (PLACES - 1));
    const int square = place / STRIDE * size + place % STRIDE;
    switch (what) {
        case PUT_OBSTACLE: return FORMS * squares + square;
        case PUT_TOWER: return (FORMS + 1) * squares + square;
        case REMOVE: return (FORMS + 2) * squares + square;
        case DONE: return (FORMS + 3) * squares + 1;
        case FORMS: return (FORMS + 3) * squares;
        default: return what * squares + square;
    }
}

inline void Board::look(View& view) {
    const Shape shape = this->shape();
    const int squares = size * size, own = turn();
    view.planes.assign(std::size_t(shape.channels * squares), 0);
    view.scalars.assign(std::size_t(shape.scalars), 0);
    view.codes.clear();
    view.actions.clear();
    float* scalar = view.scalars.data();
    Scores points{};
    scores(points);
    std::array<std::uint32_t, 32> free{};
    std::uint8_t* planes = view.planes.data();
    std::uint8_t* common = planes + PLANES_OF_SEAT * count * squares;
    for (int y = 0; y < size; ++y)
        for (int x = 0; x < size; ++x) {
            const int here = ORIGIN + y * STRIDE + x, what = standing[here], square = y * size + x;
            free[y] |= std::uint32_t(!what) << x;
            common[square] = (what & OBSTACLE) != 0;
            common[squares + square] = what == THE_TOWER;
            common[2 * squares + square] = !what;
            common[3 * squares + square] = open[here];
            if (!(what & SEAT)) continue;
            const int step = side_from(own, (what & SEAT) - 1, count);
            planes[(PLANES_OF_SEAT * step + (what & MARKER ? 1 : 0)) * squares + square] = 1;
        }
    for (int step = 0; step < count; ++step) {
        const int who = (own + step) % count;
        std::array<std::uint32_t, 32> reach{};
        for (int number = 0; number < FORMS; ++number) {
            const Form& form = TABLES.forms[number];
            if (hands[who][form.tile] <= 0) continue;
            for (int y = 0; y < size; ++y) {
                std::uint32_t fitting = ~0u;
                for (int row = 0; row < 5; ++row)
                    for (std::uint32_t cells = form.rows[row]; cells; cells &= cells - 1)
                        fitting &= free[y + row] >> std::countr_zero(cells);
                if (!fitting) continue;
                for (int row = 0; row < 5; ++row)
                    for (std::uint32_t cells = form.rows[row]; cells; cells &= cells - 1)
                        reach[y + row] |= fitting << std::countr_zero(cells);
            }
        }
        for (int y = 0; y < size; ++y)
            for (int x = 0; x < size; ++x)
                planes[(PLANES_OF_SEAT * step + 2) * squares + y * size + x] = reach[y] >> x & 1;
        for (int copies : hands[who]) *scalar++ = float(copies) / 2;
        for (int copies : aside[who]) *scalar++ = float(copies) / 2;
        *scalar++ = float(most - markers[who]) / float(std::max(1, most));
        *scalar++ = float(points[who]) / 100;
        *scalar++ = float(closer == who);
    }
    *scalar++ = float(misfit);
    *scalar++ = float(stage == PLACED);
    *scalar++ = float(obstacles()) / OBSTACLES;
    *scalar++ = float(tower >= 0);
    static thread_local std::vector<Candidate> found;
    moves(found);
    for (const Candidate& move : found) {
        view.codes.push_back(move.code);
        view.actions.push_back(action(move.code));
    }
}

// The board may be turned and flipped. (When markers run out, which squares get the last of them
// depends on the order of reading.)
inline std::vector<Symmetry> Board::symmetries() const {
    std::vector<Symmetry> found;
    const int squares = size * size;
    for (int turn = 1; turn < 8; ++turn) {
        const Turned& turned = Turned::of(size, turn);
        Symmetry symmetry = turned.symmetry();
        for (int plane = FORMS; plane < FORMS + 3; ++plane)
            for (int square = 0; square < squares; ++square)
                symmetry.actions.push_back(plane * squares +
                                           turned.square(square % size, square / size));
        for (int word = 0; word < squares; ++word)
            symmetry.actions.push_back((FORMS + 3) * squares + word);
        found.push_back(std::move(symmetry));
    }
    return found;
}

inline void Board::owned(int voice, std::uint8_t* owners) const {
    for (int y = 0; y < size; ++y)
        for (int x = 0; x < size; ++x) {
            const int who = standing[ORIGIN + y * STRIDE + x] & SEAT;
            owners[y * size + x] =
                who ? std::uint8_t(1 + side_from(voice, who - 1, count)) : std::uint8_t(0);
        }
}

}  // namespace tegel::forma
