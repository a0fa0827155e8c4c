// The board of Blokus as sets of squares, with hands and corners: all that a rollout needs.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstdint>

#include "tegel/polyominoes.hpp"
#include "tegel/search/board.hpp"

namespace tegel::blokus {

using namespace polyominoes;

constexpr int COLOURS = 4;
constexpr int SQUARES = 89;  // of a colour
constexpr int SIZES = 5;
constexpr int CORNERS = TILES * 8;  // a colour can't meet more
constexpr Code NOTHING = ~Code(0);
constexpr Code PLACE = (1 << PLACE_BITS) - 1;

// The corners of a colour in the order in which they were met.
struct Corners {
    std::array<std::uint16_t, CORNERS> squares;
    std::uint8_t count = 0, listed = 0;  // the first so many are in the list of moves
    std::uint8_t fresh = 0;              // those from here on came with its last tile

    void drop(int index) { squares[index] = squares[--count]; }
};

inline void mark(Rows& rows, int square) {
    rows[square / STRIDE + MARGIN] |= 1u << (square % STRIDE + MARGIN);
}
inline bool has(const Rows& rows, int square) {
    return rows[square / STRIDE + MARGIN] >> (square % STRIDE + MARGIN) & 1;
}

// Calls `each` with the placements of a set.
template <class Each>
void each(const Placements& placements, Each each) {
    for (int word = 0; word < int(placements.size()); ++word)
        for (std::uint64_t bits = placements[word]; bits; bits &= bits - 1)
            each(64 * word + std::countr_zero(bits));
}

struct Field {
    std::array<Rows, COLOURS> closed, corner;  // corner: met as one, perhaps closed since
    std::array<Placements, COLOURS> held{};    // placements of tiles in hand
    std::array<std::uint32_t, COLOURS> hands{};
    std::array<Corners, COLOURS> corners;
    std::array<std::uint8_t, COLOURS> covered{};  // squares
    std::uint8_t single = 0;

    Field() = default;
    Field(int size, int colours) {
        for (auto& rows : corner) rows.fill(0);
        for (auto& rows : closed) {
            rows.fill(~0u);
            for (int y = 0; y < size; ++y) rows[y + MARGIN] = ~(((1u << size) - 1) << MARGIN);
        }
        for (int of = 0; of < colours; ++of) {
            hands[of] = (1u << TILES) - 1;
            for (const auto& laying : TABLES.laying)
                for (int word = 0; word < 8; ++word) held[of][word] |= laying[word];
        }
    }

    int placed(int of) const { return TILES - std::popcount(hands[of]); }
    // How many squares the tiles have that are not in a hand any more.
    int spent(int of) const {
        int squares = SQUARES;
        for (int tile = 0; tile < TILES; ++tile)
            if (hands[of] >> tile & 1) squares -= TABLES.sizes[tile];
        return squares;
    }
    int score(int of) const {
        if (hands[of]) return covered[of] - SQUARES;
        return single >> of & 1 ? 20 : 15;
    }
    // The placements that a colour has in its hand and that fit, where these squares of the
    // diamond are closed.
    Placements fitting(int of, std::uint64_t closed) const {
        Placements dead{};
        closed &= TABLES.telling[inner(closed)];
        for (; closed; closed &= closed - 1) {
            const Placements& covering = TABLES.covering[std::countr_zero(closed)];
            for (int word = 0; word < 8; ++word) dead[word] |= covering[word];
        }
        Placements fitting = held[of];
        for (int word = 0; word < 8; ++word) fitting[word] &= ~dead[word];
        return fitting;
    }
    Placements fitting_at(int of, int square) const {
        return fitting(of, diamond(closed[of], square));
    }
    bool fits(int of, int square) const {
        std::uint64_t some = 0;
        for (std::uint64_t word : fitting_at(of, square)) some |= word;
        return some;
    }
    // Whether a colour can place; forgets dead corners it meets.
    bool any(int of) {
        Corners& all = corners[of];
        for (; all.count; --all.count)
            if (fits(of, all.squares[all.count - 1])) break;
        all.listed = std::min(all.listed, all.count);
        return all.count;
    }
    void meet(int of, int square) {
        assert(corners[of].count < CORNERS);
        mark(corner[of], square);
        corners[of].squares[corners[of].count++] = std::uint16_t(square);
    }
    void spend(int of, int tile) {
        hands[of] ^= 1u << tile;
        for (int word = 0; word < 8; ++word) held[of][word] &= ~TABLES.laying[tile][word];
    }
    void cover(int of, int square) {
        for (auto& rows : closed) mark(rows, square);
        const int y = square / STRIDE + MARGIN, x = square % STRIDE + MARGIN;
        closed[of][y - 1] |= 1u << x, closed[of][y + 1] |= 1u << x;
        closed[of][y] |= 5u << (x - 1);
        ++covered[of];
    }
    // A colour makes a legal move.
    void put(int of, Code code) {
        const Form& form = TABLES.forms[code >> PLACE_BITS];
        const int place = code & PLACE, y = place / STRIDE + MARGIN, x = place % STRIDE + MARGIN;
        Corners& met = corners[of];
        if (!covered[of]) {  // other starting squares are of no use any more
            met.count = met.listed = 0;
            corner[of].fill(0);
        }
        for (auto& rows : closed)
            for (int i = 0; i < 5; ++i) rows[y + i] |= std::uint32_t(form.rows[i]) << x;
        spend(of, form.tile);
        covered[of] = std::uint8_t(covered[of] + form.size);
        single = std::uint8_t((single & ~(1 << of)) | (form.tile == 0) << of);
        met.fresh = met.count;
        for (int i = 0; i < 7; ++i) {
            const int row = y - 1 + i;
            closed[of][row] |= std::uint32_t(form.beside_rows[i]) << (x - 1);
            std::uint32_t opened = std::uint32_t(form.diagonal_rows[i]) << (x - 1);
            opened &= ~(closed[of][row] | corner[of][row]);
            corner[of][row] |= opened;
            assert(met.count + std::popcount(opened) <= CORNERS);
            for (; opened; opened &= opened - 1)
                met.squares[met.count++] =
                    std::uint16_t((row - MARGIN) * STRIDE + std::countr_zero(opened) - MARGIN);
        }
    }
};

}  // namespace tegel::blokus
