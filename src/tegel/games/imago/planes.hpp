// What a net sees of Imago (planes.py says the same, drawn by the law).
//
// Planes are 8 x 8: the board lies in the middle, with one square around it. A stock lies there as
// if its box began at the lower left of the board, so that it has room for one more stone on every
// side, and it does not matter where it began. Own things come first. Planes:
//
// - board k: stones of kind k; own stock k, other stock k: those in the stocks;
// - for both stocks: images (by how many a hollow is held), corners (lower left of each image),
//   needed (hollows that all of them hold), claimed, captures (hollows that could be captured),
//   takes (how many stock cells a stone could go to), places (how many stones could go to a stock
//   cell), the last three as if a turn of the seat began;
// - the stone and the stock cell of a take that waits for an answer.
//
// Scalars: for both seats stones in stock by 16, those set aside by 32, whether it is out, whether
// it is tied to a claim; the step (a turn begins, taken, captured, asked), a 1 among 0s; whether
// the other passed; stones on the board by 32.
//
// An action is 64 x plane + square: a take has the plane of its stock cell's square and the
// square of its hollow; then a plane for captures and one for claims, with the lower left of the
// image; then one whose first squares are allow, end and pass.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "tegel/games/imago/rules.hpp"
#include "tegel/games/imago/stones.hpp"
#include "tegel/search/net.hpp"

namespace tegel::imago {

constexpr int EDGE = SIZE + 2, SQUARES = EDGE * EDGE;
constexpr int CAPTURES = SQUARES * SQUARES, CLAIMS = CAPTURES + SQUARES, WORDS = CLAIMS + SQUARES;

// The square of a cell of the board, or of a stock's cell counted from its box. No game leads off
// the planes.
constexpr int square_of(int x, int y) {
    return std::clamp(y + 1, 0, EDGE - 1) * EDGE + std::clamp(x + 1, 0, EDGE - 1);
}
constexpr auto SQUARE_OF = [] {
    std::array<std::uint8_t, 64> squares{};
    for (int hollow = 0; hollow < 64; ++hollow)
        squares[std::size_t(hollow)] = std::uint8_t(square_of(hollow % STRIDE, hollow / STRIDE));
    return squares;
}();
constexpr int square_of(int hollow) { return SQUARE_OF[std::size_t(hollow)]; }

// The lower left of a stock's box.
inline std::pair<int, int> corner_of(const Stock& stock) {
    int left = stock.count ? SIZE : 0, low = left;
    for (int i = 0; i < stock.count; ++i) {
        left = std::min<int>(left, stock.stones[std::size_t(i)].x);
        low = std::min<int>(low, stock.stones[std::size_t(i)].y);
    }
    return {left, low};
}

inline int Board::kind_count() const { return 1 + *std::max_element(kinds.begin(), kinds.end()); }

inline Shape Board::shape() const {
    return {3 * kind_count() + 16, EDGE, EDGE, 14, WORDS + SQUARES, 2, 3, 400};
}

// The number of a move of who has a stock whose box has this lower left.
inline int action(Code code, std::pair<int, int> box) {
    const auto [left, low] = box;
    const int hollow = int(code >> 8 & 63);
    const int corner = square_of(hollow % STRIDE + left, hollow / STRIDE + low);
    switch (Act(code >> 14)) {
        case TAKE: {
            const int x = int(code >> 4 & 15) - 8, y = int(code & 15) - 8;
            return square_of(x - left, y - low) * SQUARES + square_of(hollow);
        }
        case CAPTURE: return CAPTURES + corner;
        case CLAIM: return CLAIMS + corner;
        case ALLOW: return WORDS;
        case END: return WORDS + 1;
        default: return WORDS + 2;
    }
}

// What is true of one stock: its stones by kind, and seven planes of what it may do. The takes and
// captures are left in `scratch`, in this order.
inline void Board::look(int who, const Kinds& here, const Images& own, const Images& theirs,
                        std::uint8_t* stones, std::uint8_t* plane) const {
    const Stock& stock = stocks[who];
    const auto [left, low] = corner_of(stock);
    for (int i = 0; i < stock.count; ++i) {
        const Stone& stone = stock.stones[std::size_t(i)];
        stones[kinds[stone.colour] * SQUARES + square_of(stone.x - left, stone.y - low)] = 1;
    }
    const auto mark = [&](int kind, Set hollows) {
        for (; hollows; hollows &= hollows - 1)
            ++plane[kind * SQUARES + square_of(std::countr_zero(hollows))];
    };
    for (const Image& image : own) {
        mark(0, image.hollows);
        plane[SQUARES + square_of(image.shift % STRIDE + left, image.shift / STRIDE + low)] = 1;
    }
    mark(2, needed(own));
    if (stock.claim >= 0 && own.count) mark(3, own.all[0].hollows);
    scratch.clear();
    takes(who, here, own, theirs, scratch);
    for (const Candidate& move : scratch) {
        const int x = int(move.code >> 4 & 15) - 8, y = int(move.code & 15) - 8;
        ++plane[5 * SQUARES + square_of(int(move.code >> 8 & 63))];
        ++plane[6 * SQUARES + square_of(x - left, y - low)];
    }
    Set captured = 0;
    const std::size_t taken = scratch.size();
    captures(who, own, theirs, scratch);
    for (std::size_t i = taken; i < scratch.size(); ++i)
        for (const Image& image : own)
            if (image.shift == int(scratch[i].code >> 8 & 63)) captured |= image.hollows;
    mark(4, captured);
}

inline void Board::look(View& view) {
    const Shape shape = this->shape();
    const int own = turn(), count = kind_count();
    view.planes.assign(std::size_t(shape.channels * SQUARES), 0);
    view.scalars.assign(std::size_t(shape.scalars), 0);
    std::uint8_t* planes = view.planes.data();
    float* scalar = view.scalars.data();
    for (int colour = 0; colour < COLOURS; ++colour)
        for (Set rest = board[colour]; rest; rest &= rest - 1)
            planes[kinds[colour] * SQUARES + square_of(std::countr_zero(rest))] = 1;
    const Kinds here = kinds_here();
    const std::array<Images, 2> matches{images(0, here), images(1, here)};
    for (int step : {1, 0}) {  // who moves comes last, whose moves are needed below
        const int who = step ? 1 - own : own;
        look(who, here, matches[who], matches[1 - who], planes + (1 + step) * count * SQUARES,
             planes + (3 * count + 7 * step) * SQUARES);
        int put_aside = 0;
        for (int stones : aside[who]) put_aside += stones;
        scalar[4 * step] = float(stocks[who].count) / 16;
        scalar[4 * step + 1] = float(put_aside) / STONES;
        scalar[4 * step + 2] = float(stocks[who].out);
        scalar[4 * step + 3] = float(stocks[who].claim >= 0);
    }
    if (asked) {
        const auto [left, low] = corner_of(stocks[player]);
        const int x = int(asked >> 4 & 15) - 8, y = int(asked & 15) - 8;
        std::uint8_t* last = planes + (3 * count + 14) * SQUARES;
        last[square_of(int(asked >> 8 & 63))] = 1;
        last[SQUARES + square_of(x - left, y - low)] = 1;
    }
    scalar[8 + (asked ? 3 : step - FIRST)] = 1;
    scalar[12] = float(passes);
    scalar[13] = float(std::popcount(stones())) / STONES;
    if (asked || step != FIRST || scratch.empty()) moves(scratch);
    const auto box = corner_of(stocks[own]);
    view.codes.clear();
    view.actions.clear();
    for (const Candidate& move : scratch) {
        view.codes.push_back(move.code);
        view.actions.push_back(action(move.code, box));
    }
}

// Columns and rows may change places: that leaves the lower left of every box where it is.
inline std::vector<Symmetry> Board::symmetries() const {
    const auto flipped = [](int square) { return square % EDGE * EDGE + square / EDGE; };
    Symmetry symmetry;
    for (int square = 0; square < SQUARES; ++square) symmetry.squares.push_back(flipped(square));
    for (int action = 0; action < WORDS; ++action) {
        const int plane = action / SQUARES;
        symmetry.actions.push_back((plane < SQUARES ? flipped(plane) : plane) * SQUARES +
                                   flipped(action % SQUARES));
    }
    for (int word = WORDS; word < WORDS + SQUARES; ++word) symmetry.actions.push_back(word);
    return {symmetry};
}

// Who took or captured the stone of a hollow since this board began.
inline void Board::owned(int voice, std::uint8_t* owners) const {
    std::fill_n(owners, SQUARES, std::uint8_t(0));
    for (int step = 0; step < 2; ++step)
        for (Set rest = gone[step ? 1 - voice : voice]; rest; rest &= rest - 1)
            owners[square_of(std::countr_zero(rest))] = std::uint8_t(step + 1);
}

}  // namespace tegel::imago
