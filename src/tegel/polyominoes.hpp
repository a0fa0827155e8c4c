// The 21 polyominoes of 1 to 5 squares in their 91 forms, numbered as the games number them,
// and all their placements through a square.
//
// A square's number is 21 x row + column on boards of any size, so that one spare column
// parts the rows; an offset is the difference of two numbers.
//
// The placements through a square lie within four steps of it: a **diamond** of 41 squares.
// They are 414, in the order of `through`, and a set of them has a bit for each: five words
// for the tiles of five squares, two for those of four, one for the rest. What does not fit
// is the union of what covers each closed square of the diamond: a few dozen instructions
// for all 414 at once.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace tegel::polyominoes {

constexpr int STRIDE = 21;
constexpr int TILES = 21;
constexpr int FORMS = 91;
constexpr int PLACE_BITS = 9;  // a code is form << 9 | number of the lower left square
constexpr int MARGIN = 4;      // rows and columns around a board, so that diamonds stay inside
constexpr int ROWS = 20 + 2 * MARGIN;
constexpr int DIAMOND = 41;

using Rows = std::array<std::uint32_t, ROWS>;   // a set of squares: by row, a bit a column
using Placements = std::array<std::uint64_t, 8>;  // a set of placements through a square

struct Form {
    std::int8_t tile, size;
    std::int8_t sides, corners;               // how many there are
    std::array<std::int16_t, 5> cells;        // offsets from the lower left of the box;
                                              // a smaller tile repeats its last
    std::array<std::int16_t, 12> beside;      // squares that share a side with the tile
    std::array<std::int8_t, 12> contacts;     // by these, how many sides they share
    std::array<std::int16_t, 8> diagonal;     // squares that touch it at a corner only
    // The same by row and column: the tile, and what is around it, a row and a column lower.
    std::array<std::uint8_t, 5> rows;
    std::array<std::uint8_t, 7> beside_rows, diagonal_rows;
};

// A placement through a square.
struct Through {
    std::int32_t code;  // to add to the number of the square
    std::int8_t tile = -1, size = 0;
};

// The number of a square of the diamond, row by row.
constexpr int in_diamond(int x, int y) {
    constexpr std::array<int, 9> middles{0, 2, 6, 12, 20, 28, 34, 38, 40};
    return middles[y + 4] + x;
}

// What a set of squares has in the diamond around a square, a bit for each.
inline std::uint64_t diamond(const Rows& rows, int square) {
    const std::uint32_t* row = &rows[square / STRIDE];
    const int x = square % STRIDE;
    std::uint64_t found = 0;
    for (int y = -4; y <= 4; ++y) {
        const int reach = y < 0 ? 4 + y : 4 - y;
        const std::uint64_t part = row[y + 4] >> (x + MARGIN - reach) & ((2u << 2 * reach) - 1);
        found |= part << in_diamond(-reach, y);
    }
    return found;
}

// What is closed within two steps, of what is closed in a diamond, as 13 bits.
constexpr std::uint32_t inner(std::uint64_t diamond) {
    return std::uint32_t(
        (diamond >> in_diamond(0, -2) & 1) | (diamond >> in_diamond(-1, -1) & 7) << 1 |
        (diamond >> in_diamond(-2, 0) & 31) << 4 | (diamond >> in_diamond(-1, 1) & 7) << 9 |
        (diamond >> in_diamond(0, 2) & 1) << 12);
}

constexpr std::uint64_t outer(std::uint64_t inner) {
    return (inner & 1) << in_diamond(0, -2) | (inner >> 1 & 7) << in_diamond(-1, -1) |
           (inner >> 4 & 31) << in_diamond(-2, 0) | (inner >> 9 & 7) << in_diamond(-1, 1) |
           (inner >> 12) << in_diamond(0, 2);
}

// One placement through a square, in a tree that grows placements square by square: the
// children of a placement have one square more. Depth first; `skip` leads past its children.
struct Growth {
    std::int16_t offset;  // the square that is new
    std::int16_t skip;
    std::int32_t code;    // to add to the number of the square all these placements cover
    std::uint32_t below;  // tiles of this placement and of all that grow from it
    std::int8_t tile, size;
};

struct Tables {
    std::array<Form, FORMS> forms;
    std::array<std::int8_t, TILES> sizes{};  // by tile
    std::array<Growth, 414> growths;
    std::array<Through, 512> through;
    std::array<Placements, DIAMOND> covering{};  // by square of the diamond, those that cover it
    std::array<Placements, TILES> laying{};      // by tile
    // By what is closed within two steps, the squares of the diamond of which it matters
    // whether they are closed: those that can be reached, and the first that can't.
    std::array<std::uint64_t, 1 << 13> telling{};

    Tables();
};

inline const Tables TABLES;

using Cells = std::set<std::pair<int, int>>;  // column, row

inline Cells at_origin(const Cells& cells) {
    int left = 99, low = 99;
    for (auto [x, y] : cells) left = std::min(left, x), low = std::min(low, y);
    Cells moved;
    for (auto [x, y] : cells) moved.insert({x - left, y - low});
    return moved;
}

// Turn t: t mod 4 quarter turns clockwise, after a left-right flip if t >= 4.
inline Cells turned(Cells cells, int turn) {
    if (turn >= 4) {
        Cells flipped;
        for (auto [x, y] : cells) flipped.insert({-x, y});
        cells = flipped;
    }
    for (int quarter = 0; quarter < turn % 4; ++quarter) {
        Cells next;
        for (auto [x, y] : cells) next.insert({y, -x});
        cells = next;
    }
    return at_origin(cells);
}

inline Cells drawn(const char* rows) {
    Cells cells;
    int x = 0, y = 0;
    for (; *rows; ++rows, ++x) {
        if (*rows == 'X') cells.insert({x, y});
        if (*rows == '/') x = -1, --y;
    }
    return at_origin(cells);
}

inline Form form_of(const Cells& cells, int tile) {
    Form form{};
    form.tile = std::int8_t(tile);
    form.size = std::int8_t(cells.size());
    Cells sides, corners;
    int index = 0, offset = 0;
    for (auto [x, y] : cells) {
        offset = y * STRIDE + x;
        form.cells[index++] = std::int16_t(offset);
        form.rows[y] |= std::uint8_t(1 << x);
        for (int step : {-1, 1}) sides.insert({x + step, y}), sides.insert({x, y + step});
        for (int u : {-1, 1})
            for (int v : {-1, 1}) corners.insert({x + u, y + v});
    }
    for (; index < 5; ++index) form.cells[index] = std::int16_t(offset);
    for (auto [x, y] : sides)
        if (!cells.contains({x, y})) {
            form.contacts[form.sides] = 0;
            for (int step : {-1, 1})
                form.contacts[form.sides] =
                    std::int8_t(form.contacts[form.sides] + cells.contains({x + step, y}) +
                                cells.contains({x, y + step}));
            form.beside[form.sides++] = std::int16_t(y * STRIDE + x);
            form.beside_rows[y + 1] |= std::uint8_t(1 << (x + 1));
        }
    for (auto [x, y] : corners)
        if (!cells.contains({x, y}) && !sides.contains({x, y})) {
            form.diagonal[form.corners++] = std::int16_t(y * STRIDE + x);
            form.diagonal_rows[y + 1] |= std::uint8_t(1 << (x + 1));
        }
    return form;
}

inline Tables::Tables() {
    const char* drawings[TILES] = {
        "X",           "X/X",         "X/X/X",       "X./XX",       "X/X/X/X",     "X./X./XX",
        "XX/XX",       "XXX/.X.",     "XX./.XX",     ".XX/XX./.X.", "X/X/X/X/X",   "X./X./X./XX",
        ".X/.X/XX/X.", "XX/XX/X.",    "XXX/.X./.X.", "X.X/XXX",     "X../X../XXX", "X../XX./.XX",
        ".X./XXX/.X.", ".X/XX/.X/.X", "XX./.X./.XX",
    };
    std::map<Cells, int> numbers;
    for (int tile = 0; tile < TILES; ++tile)
        for (int turn = 0; turn < 8; ++turn) {
            const Cells cells = turned(drawn(drawings[tile]), turn);
            const int number = int(numbers.size());
            if (numbers.emplace(cells, number).second) forms[number] = form_of(cells, tile);
            sizes[tile] = std::int8_t(cells.size());
        }

    // Every connected set of up to five squares that holds (0, 0), each once: a set grows by
    // an untried neighbour; what was tried before is left out (Redelmeier's enumeration).
    int count = 0;
    auto grow = [&](auto& self, const Cells& cells, std::vector<std::pair<int, int>> untried,
                    Cells seen) -> std::uint32_t {
        std::uint32_t all = 0;
        while (!untried.empty()) {
            const auto [x, y] = untried.front();
            untried.erase(untried.begin());
            Cells larger = cells;
            larger.insert({x, y});
            int left = 99, low = 99;
            for (auto [u, v] : larger) left = std::min(left, u), low = std::min(low, v);
            const int form = numbers.at(at_origin(larger));
            const int index = count++;
            Growth& growth = growths[index];
            growth.offset = std::int16_t(y * STRIDE + x);
            growth.code = (form << PLACE_BITS) + low * STRIDE + left;
            growth.tile = forms[form].tile;
            growth.size = forms[form].size;
            growth.below = 1u << growth.tile;
            if (larger.size() < 5) {
                auto next = untried;
                Cells known = seen;
                for (auto [u, v] : {std::pair{x + 1, y}, {x, y - 1}, {x - 1, y}, {x, y + 1}})
                    if (known.insert({u, v}).second) next.push_back({u, v});
                growth.below |= self(self, larger, next, known);
            }
            growth.skip = std::int16_t(count);
            all |= growth.below;
        }
        return all;
    };
    grow(grow, {}, {{0, 0}}, {{0, 0}});

    std::array<int, 6> next{0, 470, 466, 448, 320, 0};  // by size, where its placements begin
    for (const auto& [cells, number] : numbers)
        for (auto [x, y] : cells) {
            const Form& form = forms[number];
            const int place = next[form.size]++;
            through[place] = {(number << PLACE_BITS) - y * STRIDE - x, form.tile, form.size};
            const auto bit = std::uint64_t(1) << place % 64;
            laying[form.tile][place / 64] |= bit;
            std::uint64_t squares = 0;
            for (auto [u, v] : cells) {
                covering[in_diamond(u - x, v - y)][place / 64] |= bit;
                squares |= std::uint64_t(1) << in_diamond(u - x, v - y);
            }
            const std::uint32_t near = inner(squares);
            for (std::uint32_t closed = 0; closed < telling.size(); ++closed)
                if (const std::uint32_t hit = near & closed; !hit) telling[closed] |= squares;
                else if (!(hit & (hit - 1))) telling[closed] |= outer(hit);
        }
}

}  // namespace tegel::polyominoes
