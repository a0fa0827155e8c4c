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
#include <cstring>
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
    return {KINDS * colours,     size,        size,        colours * (TILES + 3 + 2 * rules.sides),
            FORMS * size * size, rules.sides, colours + 1, 1000};
}

// Where the cells of forms lie on planes of some size, counted from the lower left.
class Flat {
  public:
    static const Flat& of(int size) {
        static const std::vector<Flat> all = [] {
            std::vector<Flat> made;
            for (int size = 0; size <= 20; ++size) made.push_back(Flat(size));
            return made;
        }();
        return all[std::size_t(size)];
    }

    // Adds to all squares of a placement, and for a tile with fewer than five to spare counts.
    void add(std::uint16_t* counts, Code code, int by) const {
        counts += squares[code & PLACE];
        for (const std::int16_t cell : forms[code >> PLACE_BITS])
            counts[cell] = std::uint16_t(counts[cell] + by);
    }

  private:
    std::array<std::array<std::int16_t, 5>, FORMS> forms;  // always five: so no loop is guessed
    std::array<std::int16_t, PLACE + 1> squares{};         // by place

    explicit Flat(int size) {
        for (std::size_t number = 0; number < FORMS; ++number) {
            const Form& form = TABLES.forms[number];
            std::size_t next = 0;
            for (int y = 0; y < 5; ++y)
                for (int x = 0; x < 5; ++x)
                    if (form.rows[std::size_t(y)] >> x & 1)
                        forms[number][next++] = std::int16_t(y * size + x);
            for (; next < 5; ++next) forms[number][next] = MOST;
        }
        for (int place = 0; place < size * STRIDE; ++place)
            squares[std::size_t(place)] = std::int16_t(place / STRIDE * size + place % STRIDE);
    }
};

inline void Board::look(View& view) {
    const Shape shape = this->shape();
    view.planes.resize(std::size_t(shape.channels * shape.height * shape.width));
    view.scalars.resize(std::size_t(shape.scalars));
    Counts counts;
    for (int of = 0; of < rules.colours; ++of) recount(of, counts);
    draw(counts, view.planes.data(), view.scalars.data());
    const List& list = lists[colour];
    const Turned& turned = sight(colour);
    view.codes.resize(list.count);
    view.actions.resize(list.count);
    for (std::uint32_t i = 0; i < list.count; ++i) {
        view.codes[i] = list[i];
        view.actions[i] = turned.action(list[i] >> PLACE_BITS, list[i] & PLACE);
    }
}

// The same for who looks after every move, into arrays.
inline void Board::show(View& view, Watch& watch, std::uint8_t* planes, float* scalars) {
    for (int of = 0; of < rules.colours; ++of) count(of, watch);
    draw(watch.counts, planes, scalars);
    view.codes.assign(lists[colour].begin(), lists[colour].end());
    view.actions = watch.actions[colour];
}

// Leaves only legal moves in the list of a colour, and counts which squares they cover.
inline void Board::recount(int of, Counts& counts) {
    const Flat& flat = Flat::of(rules.size);
    std::uint16_t* own = counts[std::size_t(of)].data();
    counts[std::size_t(of)].fill(0);
    enlist(of);
    List& list = lists[of];
    for (std::uint32_t i = 0; i < list.count;)
        if (legal(of, list[i])) flat.add(own, list[i++], 1);
        else list.drop(i);
}

// The same, where all but a few moves are counted already: of these the dead are dropped, without a
// branch for each, and those through new corners join them.
inline void Board::count(int of, Watch& watch) {
    const Flat& flat = Flat::of(rules.size);
    const auto number = std::size_t(of);
    List& list = lists[number];
    std::vector<std::int32_t>& actions = watch.actions[number];
    std::uint16_t* own = watch.counts[number].data();
    if (list.count < actions.size()) {  // other starting squares were forgotten
        watch.counts[number].fill(0);
        actions.clear();
    }
    const Turned& turned = sight(of);
    const auto join = [&] {
        auto i = std::uint32_t(actions.size());
        for (actions.resize(list.count); i < list.count; ++i) {
            flat.add(own, list[i], 1);
            actions[i] = turned.action(list[i] >> PLACE_BITS, list[i] & PLACE);
        }
    };
    join();  // what somebody else listed
    Windows& windows = watch.windows[number];
    if (windows.close(field.closed[number], rules.size, field.hands[number], own)) {
        if (watch.dead.size() < list.count) watch.dead.resize(2 * list.count);
        std::uint16_t *moves = list.begin(), *dead = watch.dead.data();
        std::int32_t* numbers = actions.data();
        std::uint32_t kept = 0;
        for (std::uint32_t i = 0; i < list.count; ++i) {
            const std::uint16_t code = moves[i];
            const bool hit = windows.hit(code);
            *dead = code;
            dead += hit;
            moves[kept] = code;
            numbers[kept] = numbers[i];
            kept += !hit;
        }
        list.count = kept;
        actions.resize(kept);
        for (const std::uint16_t* code = watch.dead.data(); code != dead; ++code)
            flat.add(own, *code, -1);
    }
    enlist(of);
    join();
}

// What lies on the board and how much covers it is turned first, so that planes need not be.
inline void Board::draw(const Counts& counts, std::uint8_t* planes, float* scalars) const {
    const int size = rules.size, squares = size * size, apart = rules.colours * squares;
    const Turned& turned = sight(colour);
    std::array<std::uint8_t, MOST + SPARE> upright, grounds, owners;
    const auto seen = [&](const std::array<std::uint8_t, ROOM>& from, std::uint8_t* to) {
        for (int y = 0; y < size; ++y)  // a row with some more, which the next one covers
            std::memcpy(&upright[std::size_t(y * size)], &from[std::size_t(ORIGIN + y * STRIDE)],
                        SPARE);
        turned.turn(upright.data(), to);
    };
    seen(ground, grounds.data());
    seen(owner, owners.data());
    for (int step = 0; step < rules.colours; ++step, planes += squares) {
        const int of = (colour + step) % rules.colours;
        const std::uint16_t* own = counts[std::size_t(of)].data();
        for (int i = 0; i < squares; ++i) {
            const int closed = grounds[std::size_t(i)] >> of & 1;
            planes[i] = owners[std::size_t(i)] == of + 1;
            planes[apart + i] = std::uint8_t(closed);
            planes[2 * apart + i] = std::uint8_t(grounds[std::size_t(i)] >> (4 + of) & 1 & ~closed);
        }
        for (int i = 0; i < squares; ++i)
            upright[std::size_t(i)] = std::uint8_t(std::min<std::uint16_t>(own[i], 255));
        turned.turn(upright.data(), planes + 4 * apart);
        for (int i = 0; i < squares; ++i) planes[3 * apart + i] = planes[4 * apart + i] > 0;
    }
    tell(scalars);
}

inline void Board::tell(float* scalar) const {
    const int mover = turn();
    for (int step = 0; step < rules.colours; ++step) {
        const int of = (colour + step) % rules.colours;
        for (int tile = 0; tile < TILES; ++tile) *scalar++ = float(field.hands[of] >> tile & 1);
        *scalar++ = std::log1p(float(lists[of].count)) / 8;
        *scalar++ = float(field.covered[of]) / SQUARES;
        *scalar++ = float(field.single >> of & 1);
        std::fill_n(scalar, 2 * rules.sides, 0.0f);
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
