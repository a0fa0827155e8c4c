// What a colour of Blokus may not cover, seen from every square: a placement is dead as soon as its
// form hits something in the window of 5 x 5 squares from its lower left on.
//
// To look whether a move is still alive takes three reads then, and to close a square 25 writes:
// that pays for who looks at long lists after every move.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "tegel/games/blokus/field.hpp"
#include "tegel/polyominoes.hpp"

namespace tegel::blokus {

class Windows {
  public:
    Windows() { around.fill(SPENT); }

    bool hit(Code code) const {
        return around[ORIGIN + (code & PLACE)] & forms[code >> PLACE_BITS];
    }

    // Sees what was closed, and which tiles were spent, since it was last asked; whether that may
    // have killed one of the moves that cover squares so often.
    bool close(const Rows& closed, int size, std::uint32_t hand, const std::uint16_t* counts) {
        bool killed = false;
        for (int y = 0; y < size; ++y) {
            std::uint32_t& row = known[std::size_t(y)];
            std::uint32_t fresh =
                closed[std::size_t(y + MARGIN)] >> MARGIN & ((1u << size) - 1) & ~row;
            for (row |= fresh; fresh; fresh &= fresh - 1) {
                const int x = std::countr_zero(fresh);
                killed |= counts[y * size + x] > 0;
                close(ORIGIN + y * STRIDE + x);
            }
        }
        if (hand == held) return killed;
        held = hand;
        for (std::size_t form = 0; form < FORMS; ++form) {
            forms[form] = SPENT;
            if (!(hand >> TABLES.forms[form].tile & 1)) continue;
            forms[form] = 0;
            for (std::size_t row = 0; row < 5; ++row)
                forms[form] |= std::uint32_t(TABLES.forms[form].rows[row]) << 5 * row;
        }
        return true;
    }

  private:
    static constexpr int SIDE = 20;
    static constexpr int ORIGIN = MARGIN * STRIDE + MARGIN;  // where square 0 stands
    static constexpr std::uint32_t SPENT = 1u << 31;  // in every window

    std::array<std::uint32_t, ORIGIN + SIDE * STRIDE> around;  // 5 x 5 bits
    std::array<std::uint32_t, FORMS> forms{};
    std::array<std::uint32_t, SIDE> known{};
    std::uint32_t held = ~0u;

    void close(int at) {
        for (int row = 0; row < 5; ++row)
            for (int column = 0; column < 5; ++column)
                around[std::size_t(at - row * STRIDE - column)] |= 1u << (5 * row + column);
    }
};

}  // namespace tegel::blokus
