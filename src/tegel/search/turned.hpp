// Square boards turned and flipped, and what becomes of polyominoes on them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include "tegel/polyominoes.hpp"
#include "tegel/search/net.hpp"

namespace tegel::polyominoes {

// The forms and what turns make of them.
struct Turns {
    std::array<int, FORMS> width{}, height{};
    std::array<std::array<int, FORMS>, 8> form;

    Turns() {
        std::array<Cells, FORMS> cells;
        std::map<Cells, int> numbers;
        for (int number = 0; number < FORMS; ++number) {
            for (int y = 0; y < 5; ++y)
                for (int x = 0; x < 5; ++x)
                    if (TABLES.forms[number].rows[y] >> x & 1) {
                        cells[number].insert({x, y});
                        width[number] = std::max(width[number], x + 1);
                        height[number] = std::max(height[number], y + 1);
                    }
            numbers[cells[number]] = number;
        }
        for (int turn = 0; turn < 8; ++turn)
            for (int number = 0; number < FORMS; ++number)
                form[turn][number] = numbers.at(turned(cells[number], turn));
    }
};

// A board of some size, turned as polyominoes are. The action of a tile is form x squares of the
// board + square of the lower left, as they come to lie: it is linear in its column and row; a
// square's number is the action of the single square there.
class Turned {
  public:
    static const Turned& of(int size, int turn) {
        static const std::vector<Turned> all = [] {
            const Turns turns;
            std::vector<Turned> made;
            for (int size = 0; size <= LARGEST; ++size)
                for (int turn = 0; turn < 8; ++turn) made.push_back(Turned(size, turn, turns));
            return made;
        }();
        return all[std::size_t(8 * size + turn)];
    }

    int action(int form, int x, int y) const { return base[form] + by_x * x + by_y * y; }
    int action(int form, int place) const { return base[form] + by_place[std::size_t(place)]; }
    int square(int x, int y) const { return action(0, x, y); }
    bool fits(int form, int x, int y) const {
        return x + width[form] <= size && y + height[form] <= size;
    }
    // What it makes of all squares, and of all actions of tiles.
    Symmetry symmetry() const {
        Symmetry symmetry;
        symmetry.squares.resize(std::size_t(size * size));
        for (int y = 0; y < size; ++y)
            for (int x = 0; x < size; ++x)
                symmetry.squares[std::size_t(square(x, y))] = y * size + x;
        for (int form = 0; form < FORMS; ++form)
            for (int y = 0; y < size; ++y)
                for (int x = 0; x < size; ++x)  // what lies over the edge is never asked for
                    symmetry.actions.push_back(fits(form, x, y) ? action(form, x, y)
                                                                : (form * size + y) * size + x);
        return symmetry;
    }

    // Turns a plane of bytes.
    void turn(const std::uint8_t* from, std::uint8_t* to) const {
        const int squares = size * size;
        if (by_x == 1) {
            std::memcpy(to, from, std::size_t(squares));
        } else if (by_x == -1 && by_y == -size) {  // half a turn: all bytes reversed
            int i = 0;
            for (; i + 8 <= squares; i += 8) {
                std::uint64_t eight;
                std::memcpy(&eight, from + i, 8);
                eight = __builtin_bswap64(eight);
                std::memcpy(to + squares - 8 - i, &eight, 8);
            }
            for (; i < squares; ++i) to[squares - 1 - i] = from[i];
        } else {
            for (int i = 0; i < squares; ++i) to[by_square[std::size_t(i)]] = from[i];
        }
    }

  private:
    static constexpr int LARGEST = 20;

    int size, by_x = 0, by_y = 0;
    std::array<int, FORMS> base{}, width, height;
    std::array<std::int32_t, 1 << PLACE_BITS> by_place{};  // to add, by the number of a square
    std::array<std::uint16_t, LARGEST * LARGEST> by_square{};  // where it comes to lie

    Turned(int size, int turn, const Turns& turns)
        : size(size), width(turns.width), height(turns.height) {
        // Where the lower left of a box comes to lie.
        const auto corner = [&](int form, int x, int y) {
            int w = width[form], h = height[form];
            if (turn >= 4) x = size - x - w;
            for (int quarter = 0; quarter < turn % 4; ++quarter) {
                const int old = x;
                x = y, y = size - old - w;
                std::swap(w, h);
            }
            return y * size + x;
        };
        for (int form = 0; form < FORMS; ++form)
            base[form] = turns.form[turn][form] * size * size + corner(form, 0, 0);
        by_x = corner(0, 1, 0) - corner(0, 0, 0);
        by_y = corner(0, 0, 1) - corner(0, 0, 0);
        for (int place = 0; place < size * STRIDE; ++place)
            by_place[std::size_t(place)] = by_x * (place % STRIDE) + by_y * (place / STRIDE);
        for (int y = 0; y < size; ++y)
            for (int x = 0; x < size; ++x)
                by_square[std::size_t(y * size + x)] = std::uint16_t(square(x, y));
    }
};

}  // namespace tegel::polyominoes
