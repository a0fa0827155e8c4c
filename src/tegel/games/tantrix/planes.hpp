// What a net sees of Tantrix (planes.py says the same, drawn by the law).
//
// Planes are 21 x 21, with the first tile in the middle, columns by q and rows by r; what lies
// further than 10 cells away comes in again at the other side. Colours are numbered as the mover
// sees them: its own, those of the other sides in the order of turns, then the rest; a tile whose
// colours are renamed is a tile, too. Planes:
//
// - tile; edge s c: a tile whose side s, clockwise from east, has colour c;
// - open: empty cells beside a tile; forced: those with three tiles around them;
// - fits n t: where the tile with number n of the hand may be laid now, turned t times;
// - line c: how many tiles the line of colour c through the tile runs over;
// - forms n: how many forms of the hand of the seat n from the mover on could lie on an open cell.
//
// Scalars: hands, from the mover on, and the bag, a number for each of 56 tiles; for each tile of
// the own hand, in order, its 24 edges by colour; for each side from the mover's on its score by
// 30, and its colour, a 1 among 0s; the step (before, free, after, choosing), a 1 among 0s; tiles
// in the bag by 56.
//
// An action is 441 x plane + square: 36 planes, as `fits`, and one whose first squares are the
// colours to choose. Where a field is so wide that open cells share a square, the first of them
// in the order of (q, r) has it, and the others the first squares that no open cell has.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tegel/games/tantrix/rules.hpp"
#include "tegel/games/tantrix/tiles.hpp"
#include "tegel/search/net.hpp"

namespace tegel::tantrix {

constexpr int EDGE = 21, SQUARES = EDGE * EDGE;
constexpr int EDGES = 1, OPEN = EDGES + TURNS * COLOURS, FORCED = OPEN + 1, FITS = FORCED + 1,
              LINES = FITS + HAND * TURNS, REACH = LINES + COLOURS;  // planes
constexpr int COLOUR_ACTIONS = HAND * TURNS * SQUARES;

constexpr int square_of(int place) {
    const int x = ((place >> 7) - 64 + EDGE / 2 + 10 * EDGE) % EDGE;
    const int y = ((place & 127) - 64 + EDGE / 2 + 10 * EDGE) % EDGE;
    return y * EDGE + x;
}

// Colours as somebody sees them: by colour its number; and by form what it looks like then.
class Seen {
  public:
    using Ranks = std::array<int, COLOURS>;

    static const Seen& by(const Ranks& ranks) {
        static const std::vector<Seen> all = [] {
            std::vector<Seen> made(256);
            Ranks ranks{0, 1, 2, 3};
            do made[index(ranks)] = Seen(ranks);
            while (std::next_permutation(ranks.begin(), ranks.end()));
            return made;
        }();
        return all[index(ranks)];
    }
    Seen() = default;

    Ranks ranks{};
    std::array<std::uint16_t, FORMS> forms{};

    int tile(int number) const { return forms[(number - 1) * TURNS] / TURNS; }  // from 0 on

  private:
    explicit Seen(const Ranks& ranks) : ranks(ranks) {
        std::array<std::uint16_t, 1 << 2 * TURNS> by_edges{};
        const auto key = [](const auto& edges, auto name) {
            int found = 0;
            for (int side = 0; side < TURNS; ++side) found = found << 2 | name(edges[side]);
            return std::size_t(found);
        };
        for (int form = 0; form < FORMS; ++form)
            by_edges[key(TABLES.edges[form], [](int colour) { return colour; })] = std::uint16_t(form);
        for (int form = 0; form < FORMS; ++form)
            forms[form] = by_edges[key(TABLES.edges[form], [&](int colour) { return ranks[colour]; })];
    }
    static std::size_t index(const Ranks& ranks) {
        return std::size_t(ranks[0] | ranks[1] << 2 | ranks[2] << 4 | ranks[3] << 6);
    }
};

inline const Seen& Board::seen_by(int voice) const {
    Seen::Ranks ranks{-1, -1, -1, -1};
    int next = 0;
    for (int step = 0; step < teams; ++step)
        if (const int colour = colours[(voice + step) % teams]; colour >= 0) ranks[colour] = next++;
    for (int& rank : ranks)
        if (rank < 0) rank = next++;
    return Seen::by(ranks);
}

inline Shape Board::shape() const {
    return {REACH + count, EDGE, EDGE,
            (count + 1) * TILES + HAND * TURNS * COLOURS + teams * (1 + COLOURS) + 5,
            COLOUR_ACTIONS + SQUARES, teams, teams + 1, 400};
}

// How many tiles the line of a colour through a tile runs over, and whether it is a loop.
inline std::pair<int, bool> Board::line(int place, int colour) const {
    const int mine = form(place);
    int side = 0, end = 0;
    while (TABLES.edges[mine][side] != colour) ++side;
    const int length = 1 + along(place, side, end);
    if (end == place) return {length, true};
    return {length + along(place, TABLES.across[mine][side], end), false};
}

// By open cell, in the order of (q, r), the place and the square that its actions have.
inline void Board::squares(std::vector<std::pair<int, int>>& found) const {
    found.clear();
    if (!laid_count) found.push_back({CENTRE, 0});
    for (int i = 0; i < open_count; ++i) found.push_back({open[i], 0});
    std::sort(found.begin(), found.end());
    std::array<bool, SQUARES> taken{};
    bool all = true;
    for (auto& [place, square] : found) {
        square = square_of(place);
        if (taken[square]) square = -1, all = false;
        else taken[square] = true;
    }
    if (all) return;
    int next = 0;
    for (auto& [place, square] : found)
        if (square < 0) {
            while (taken[next]) ++next;
            square = next;
            taken[next] = true;
        }
}

inline void Board::look(View& view) {
    const Shape shape = this->shape();
    const Seen& seen = seen_by(seat);
    view.planes.assign(std::size_t(shape.channels * SQUARES), 0);
    view.scalars.assign(std::size_t(shape.scalars), 0);
    view.codes.clear();
    view.actions.clear();
    std::uint8_t* planes = view.planes.data();
    const auto show = [&](int plane, int place, int value = 1) {
        std::uint8_t& byte = planes[plane * SQUARES + square_of(place)];
        byte = std::max(byte, std::uint8_t(value));
    };
    for (int i = 0; i < laid_count; ++i) {
        const int place = laid[i], mine = form(place);
        show(0, place);
        for (int side = 0; side < TURNS; ++side)
            show(EDGES + side * COLOURS + seen.ranks[TABLES.edges[mine][side]], place);
        for (int colour = 0; colour < COLOURS; ++colour)
            if (TABLES.colours[mine] >> colour & 1)
                show(LINES + seen.ranks[colour], place, line(place, colour).first);
    }
    for (int i = 0; i < open_count; ++i) {
        show(OPEN, open[i]);
        if (around(faces(open[i])) >= 3) show(FORCED, open[i]);
    }
    for (int step = 0; step < count; ++step)
        places(hands[(seat + step) % count], false, bag != 0, [&](int place, const FormSet& forms) {
            int many = 0;
            for (std::uint64_t word : forms.words) many += std::popcount(word);
            show(REACH + step, place, many);
            return true;
        });
    look(view, seen);
    tell(view.scalars.data(), seen);
}

// The legal moves.
inline void Board::look(View& view, const Seen& seen) {
    static thread_local std::vector<Candidate> found;
    static thread_local std::vector<std::pair<int, int>> numbers;
    moves(found);
    squares(numbers);
    const std::uint64_t mine = held(hands[seat], seen);
    for (const Candidate& move : found) {
        int action = COLOUR_ACTIONS;
        if (Kind(move.code >> 24) == CHOOSE) {
            action += seen.ranks[move.code & 3];
        } else {
            const int place = int(move.code & 16383), form = seen.forms[move.code >> 14 & 511];
            // No game gives a hand more tiles than six.
            const int slot = std::min(
                HAND - 1, std::popcount(mine & ((std::uint64_t(1) << form / TURNS) - 1)));
            const int plane = slot * TURNS + form % TURNS;
            const auto at = std::lower_bound(numbers.begin(), numbers.end(), std::pair{place, 0});
            action = plane * SQUARES + at->second;
            view.planes[std::size_t((FITS + plane) * SQUARES + square_of(place))] = 1;
        }
        view.codes.push_back(move.code);
        view.actions.push_back(action);
    }
}

// A set of tiles as it is seen, from 0 on.
inline std::uint64_t Board::held(std::uint64_t tiles, const Seen& seen) {
    std::uint64_t found = 0;
    for (; tiles; tiles &= tiles - 1) found |= std::uint64_t(1) << seen.tile(std::countr_zero(tiles));
    return found;
}

inline void Board::tell(float* scalar, const Seen& seen) const {
    for (int step = 0; step <= count; ++step) {
        const std::uint64_t tiles = held(step < count ? hands[(seat + step) % count] : bag, seen);
        for (int tile = 0; tile < TILES; ++tile) *scalar++ = float(tiles >> tile & 1);
    }
    std::uint64_t own = held(hands[seat], seen);
    for (int slot = 0; slot < HAND; ++slot, own &= own - 1)
        for (int side = 0; side < TURNS; ++side, scalar += COLOURS)
            if (own) scalar[TABLES.edges[std::countr_zero(own) * TURNS][side]] = 1;
    for (int step = 0; step < teams; ++step) {
        const int colour = colours[(seat + step) % teams];
        *scalar++ = colour < 0 ? 0 : float(points(colour)) / 30;
        if (colour >= 0) scalar[seen.ranks[colour]] = 1;
        scalar += COLOURS;
    }
    scalar[choosing() ? 3 : step - BEFORE] = 1;
    scalar[4] = float(std::popcount(bag)) / TILES;
}

// Turned or flipped, planes would have to change places, too.
inline std::vector<Symmetry> Board::symmetries() const { return {}; }

// Whose best line or loop a tile is on; of several the first from the voice on.
inline void Board::owned(int voice, std::uint8_t* owners) const {
    std::fill_n(owners, SQUARES, std::uint8_t(0));
    for (int step = teams - 1; step >= 0; --step) {
        const int colour = colours[(voice + step) % teams];
        if (colour < 0) continue;
        const int best = points(colour);
        for (int i = 0; i < laid_count; ++i) {
            if (!(TABLES.colours[form(laid[i])] >> colour & 1)) continue;
            const auto [length, loop] = line(laid[i], colour);
            if ((loop ? 2 * length : length) == best)
                owners[square_of(laid[i])] = std::uint8_t(step + 1);
        }
    }
}

}  // namespace tegel::tantrix
