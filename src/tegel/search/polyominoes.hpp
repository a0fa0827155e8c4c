// The 21 polyominoes of 1 to 5 squares in their 91 forms, numbered as the games number them,
// and the tree of all placements through a square.
//
// A square's number is 21 x row + column on boards of any size, so that one spare column
// parts the rows; an offset is the difference of two numbers.
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

struct Form {
    std::int8_t tile, size;
    std::int8_t sides, corners;               // how many there are
    std::array<std::int16_t, 5> cells;        // offsets from the lower left of the box;
                                              // a smaller tile repeats its last
    std::array<std::int16_t, 12> beside;      // squares that share a side with the tile
    std::array<std::int8_t, 12> contacts;     // by these, how many sides they share
    std::array<std::int16_t, 8> diagonal;     // squares that touch it at a corner only
};

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
    std::array<Growth, 414> growths;

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
        for (int step : {-1, 1}) sides.insert({x + step, y}), sides.insert({x, y + step});
        for (int u : {-1, 1})
            for (int v : {-1, 1}) corners.insert({x + u, y + v});
    }
    for (; index < 5; ++index) form.cells[index] = std::int16_t(offset);
    for (auto [x, y] : sides)
        if (!cells.contains({x, y})) {
            form.contacts[form.sides] = 0;
            for (int step : {-1, 1})
                form.contacts[form.sides] = std::int8_t(form.contacts[form.sides] +
                                                        cells.contains({x + step, y}) +
                                                        cells.contains({x, y + step}));
            form.beside[form.sides++] = std::int16_t(y * STRIDE + x);
        }
    for (auto [x, y] : corners)
        if (!cells.contains({x, y}) && !sides.contains({x, y}))
            form.diagonal[form.corners++] = std::int16_t(y * STRIDE + x);
    return form;
}

inline Tables::Tables() {
    const char* drawings[TILES] = {
        "X", "X/X", "X/X/X", "X./XX", "X/X/X/X", "X./X./XX", "XX/XX", "XXX/.X.", "XX./.XX",
        ".XX/XX./.X.", "X/X/X/X/X", "X./X./X./XX", ".X/.X/XX/X.", "XX/XX/X.", "XXX/.X./.X.",
        "X.X/XXX", "X../X../XXX", "X../XX./.XX", ".X./XXX/.X.", ".X/XX/.X/.X", "XX./.X./.XX",
    };
    std::map<Cells, int> numbers;
    for (int tile = 0; tile < TILES; ++tile)
        for (int turn = 0; turn < 8; ++turn) {
            const Cells cells = turned(drawn(drawings[tile]), turn);
            const int number = int(numbers.size());
            if (numbers.emplace(cells, number).second) forms[number] = form_of(cells, tile);
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
}

}  // namespace tegel::polyominoes
