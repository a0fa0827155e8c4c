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
            by_edges[key(TABLES.edges[form], [](int colour) { return colour; })] =
                std::uint16_t(form);
        for (int form = 0; form < FORMS; ++form)
            forms[form] =
                by_edges[key(TABLES.edges[form], [&](int colour) { return ranks[colour]; })];
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
    return {REACH + count,
            EDGE,
            EDGE,
            (count + 1) * TILES + HAND * TURNS * COLOURS + teams * (1 + COLOURS) + 5,
            COLOUR_ACTIONS + SQUARES,
            teams,
            teams + 1,
            400};
}

// The tiles of the line that leaves a tile by a side, from that tile on; how many they are, and
// whether it is a loop.
inline std::pair<int, bool> Board::follow(int start, int side,
                                          std::array<int, TILES>& found) const {
    int length = 0;
    found[length++] = start;
    for (const int way : {side, int(TABLES.across[form(start)][side])}) {
        int place = start + STEPS[way], out = way;
        while (place != start && filled(place)) {
            found[length++] = place;
            out = TABLES.across[form(place)][(out + 3) % TURNS];
            place += STEPS[out];
        }
        if (place == start) return {length, true};
    }
    return {length, false};
}

// The squares that actions of open cells have, in the order of (q, r), where some of them share one;
// nothing where each has its own.
inline void Board::squares(std::vector<std::pair<int, int>>& found) const {
    found.clear();
    std::array<bool, SQUARES> taken{};
    bool shared = false;
    for (int i = 0; i < open_count; ++i) {
        bool& one = taken[std::size_t(square_of(open[i]))];
        shared |= one;
        one = true;
    }
    if (!shared) return;
    for (int i = 0; i < open_count; ++i) found.push_back({open[i], 0});
    std::sort(found.begin(), found.end());
    taken.fill(false);
    for (auto& [place, square] : found) {
        square = square_of(place);
        if (taken[square]) square = -1;
        else taken[square] = true;
    }
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
    const auto best = show_tiles(view.planes.data(), seen);
    show_open(view, seen);
    tell(view.scalars.data(), seen, best);
}

// Tiles and lines; by colour, what its best line or loop is worth.
inline std::array<int, COLOURS> Board::show_tiles(std::uint8_t* planes, const Seen& seen) const {
    std::array<int, COLOURS> best{};
    std::array<std::uint8_t, 64 * 64> known{};  // the colours whose line was followed, by cell
    std::array<int, TILES> along;
    for (int i = 0; i < laid_count; ++i) {
        const int place = laid[i], mine = form(place), square = square_of(place);
        planes[square] = 1;
        for (int side = 0; side < TURNS; ++side) {
            const int colour = TABLES.edges[mine][side];
            planes[(EDGES + side * COLOURS + seen.ranks[colour]) * SQUARES + square] = 1;
            if (known[at(place)] >> colour & 1) continue;
            const auto [length, loop] = follow(place, side, along);
            best[colour] = std::max(best[colour], loop ? 2 * length : length);
            for (int j = 0; j < length; ++j) {
                known[at(along[j])] |= std::uint8_t(1 << colour);
                std::uint8_t& byte =
                    planes[(LINES + seen.ranks[colour]) * SQUARES + square_of(along[j])];
                byte = std::max(byte, std::uint8_t(length));
            }
        }
    }
    return best;
}

// Open cells, what may lie there, and the legal moves.
inline void Board::show_open(View& view, const Seen& seen) {
    static thread_local std::vector<std::pair<int, int>> numbers;
    std::uint8_t* planes = view.planes.data();
    const auto show = [&](int plane, int square, int value = 1) {
        std::uint8_t& byte = planes[plane * SQUARES + square];
        byte = std::max(byte, std::uint8_t(value));
    };
    const std::uint64_t mine = held(hands[seat], seen);
    squares(numbers);
    const auto add = [&](int place, int square, int number) {
        const int form = seen.forms[number];
        // No game gives a hand more tiles than six.
        const int slot =
            std::min(HAND - 1, std::popcount(mine & ((std::uint64_t(1) << form / TURNS) - 1)));
        const int plane = slot * TURNS + form % TURNS;
        planes[(FITS + plane) * SQUARES + square] = 1;
        if (!numbers.empty())
            square = std::lower_bound(numbers.begin(), numbers.end(), std::pair{place, 0})->second;
        view.codes.push_back(placed(place, number));
        view.actions.push_back(plane * SQUARES + square);
    };
    if (choosing() || !laid_count) {
        static thread_local std::vector<Candidate> found;
        moves(found);
        for (const Candidate& move : found) {
            if (Kind(move.code >> 24) == PLACE) {
                add(CENTRE, square_of(CENTRE), int(move.code >> 14 & 511));
            } else {
                view.codes.push_back(move.code);
                view.actions.push_back(COLOUR_ACTIONS + seen.ranks[move.code & 3]);
            }
        }
    }
    const bool choice = choosing();
    std::array<FormSet, MOST_SEATS> each;
    std::uint64_t all = 0;
    for (int step = 0; step < count; ++step) {
        each[step] = forms(hands[(seat + step) % count]);
        all |= hands[step];
    }
    const FormSet every = forms(all);
    for (int i = 0; i < open_count; ++i) {
        const int place = open[i], square = square_of(place);
        const bool forced = around(faces(place)) >= 3;
        show(OPEN, square);
        if (forced) show(FORCED, square);
        const FormSet fits = fitting(place, every, bag != 0);
        if (!fits.any()) continue;
        for (int step = 0; step < count; ++step) {
            FormSet own = fits;
            own &= each[step];
            show(REACH + step, square, own.count());
            if (!step && !choice && (forced || this->step == FREE))
                own.each([&](int number) { add(place, square, number); });
        }
    }
}

// A set of tiles as it is seen, from 0 on.
inline std::uint64_t Board::held(std::uint64_t tiles, const Seen& seen) {
    std::uint64_t found = 0;
    for (; tiles; tiles &= tiles - 1)
        found |= std::uint64_t(1) << seen.tile(std::countr_zero(tiles));
    return found;
}

inline void Board::tell(float* scalar, const Seen& seen,
                        const std::array<int, COLOURS>& best) const {
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
        *scalar++ = colour < 0 ? 0 : float(best[colour]) / 30;
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
    std::array<int, TILES> along;
    for (int step = teams - 1; step >= 0; --step) {
        const int colour = colours[(voice + step) % teams];
        if (colour < 0) continue;
        const int best = points(colour);
        for (int i = 0; i < laid_count; ++i) {
            const auto& edges = TABLES.edges[form(laid[i])];
            const auto side = std::find(edges.begin(), edges.end(), colour);
            if (side == edges.end()) continue;
            const auto [length, loop] = follow(laid[i], int(side - edges.begin()), along);
            if ((loop ? 2 * length : length) == best)
                owners[square_of(laid[i])] = std::uint8_t(step + 1);
        }
    }
}

}  // namespace tegel::tantrix
