// The hollows, stones and stocks of Imago for the kernel.
//
// Hollows are numbered 7 x row + column, as in the law: sets of them are 64-bit integers.
// A stock cell is (x, y) counted from the first stone, a shift the hollow that answers to it.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace tegel::imago {

using Set = std::uint64_t;

constexpr int STRIDE = 7, SIZE = 6, COLOURS = 11, STONES = 32;
constexpr std::array<int, COLOURS> COUNTS{8, 7, 3, 3, 2, 2, 2, 2, 1, 1, 1};

// The hollows in reading order, which is the order in which they are filled.
constexpr auto READING = [] {
    std::array<int, STONES> hollows{};
    int count = 0;
    for (int row = SIZE - 1; row >= 0; --row)
        for (int column = 0; column < SIZE; ++column)
            if (!((column == 0 || column == SIZE - 1) && (row == 0 || row == SIZE - 1)))
                hollows[count++] = row * STRIDE + column;
    return hollows;
}();
constexpr Set BOARD = [] {
    Set board = 0;
    for (int hollow : READING) board |= Set(1) << hollow;
    return board;
}();

struct Stone {
    std::int8_t x, y, colour;

    int offset() const { return y * STRIDE + x; }
    bool operator<(const Stone& other) const {
        return x != other.x ? x < other.x : y != other.y ? y < other.y : colour < other.colour;
    }
};

struct Stock {
    std::array<Stone, STONES> stones;  // ascending
    int count = 0;
    int claim = -1;  // the shift it is tied to
    bool out = false;
};

struct Image {
    int shift;
    Set hollows;
    std::array<std::int8_t, COLOURS> here;  // the kind in the stock, by the kind on the board
};

struct Images {
    std::array<Image, STONES> all;
    int count = 0;

    const Image* begin() const { return all.data(); }
    const Image* end() const { return all.data() + count; }
};

constexpr Set shifted(Set set, int by) { return by >= 0 ? set >> by : set << -by; }

constexpr Set beside(Set set) {
    return (set << 1 | set >> 1 | set << STRIDE | set >> STRIDE) & BOARD & ~set;
}

}  // namespace tegel::imago
