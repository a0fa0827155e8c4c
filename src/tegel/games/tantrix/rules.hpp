// Tantrix on packed integers: the same law as rules.py, field.py and lines.py, for search.
//
// - a place is (q + 64) << 7 | (r + 64); the field hangs together and is at most 58 cells
//   wide with its border, so an array of 64 x 64 cells, wrapped around, holds every field;
// - a cell holds its form, if it has a tile, and otherwise its faces: three bits a side,
//   0 for none, else the colour + 1.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "tegel/games/tantrix/tiles.hpp"
#include "tegel/search/board.hpp"
#include "tegel/search/net.hpp"
#include "tegel/search/packed.hpp"

namespace tegel::tantrix {

constexpr int HAND = 6;
constexpr int CENTRE = 64 << 7 | 64;
// Clockwise from east, as (q, r).
constexpr std::array<int, TURNS> STEPS{1 << 7, 1, -(1 << 7) + 1, -(1 << 7), -1, (1 << 7) - 1};

enum Kind { DRAW, PLACE, CHOOSE };
enum Step { BEFORE = 1, FREE = 2, AFTER = 3 };

constexpr Code placed(int place, int form) {
    return Code(PLACE) << 24 | Code(form) << 14 | Code(place);
}

class Seen;  // see planes.hpp

class Board {
  public:
    static constexpr std::uint32_t KEYS = 0;
    static constexpr Tuning TUNING{.unknown = 0, .temperature = 0.8f};
    static constexpr bool POOLS = true;  // a drawn tile changes one of six in one hand

    explicit Board(std::span<const std::int64_t> packed);
    Packed packed() const;

    int seats() const { return count; }
    int sides() const { return teams; }
    int turn() const { return drawing() ? CHANCE : seat; }
    bool over() const { return ended; }
    std::uint32_t key(Code) const { return 0; }
    std::uint64_t hash() const;
    void scores(Scores& scores) const;
    void values(Values& wins, Values& values) const;
    void tidy() {}
    void moves(std::vector<Candidate>& candidates);
    void consider(std::vector<Candidate>& candidates);
    void play(Code code);
    Code random(Random& random);
    void rollout(Random& random, Trace& trace);

    // For nets, see planes.hpp.
    Shape shape() const;
    void look(View& view);
    std::vector<Symmetry> symmetries() const;
    int voice() const { return seat % teams; }
    void owned(int voice, std::uint8_t* owners) const;

  private:
    int count = 0, teams = 0;
    bool chosen = false;                     // whether sides choose their colours
    std::array<std::uint64_t, MOST_SEATS> hands{};
    std::uint64_t bag = 0;
    std::array<int, MOST_SEATS> colours{};   // by side; -1: not yet chosen
    int seat = 0, step = BEFORE;
    bool ended = false;
    std::array<std::uint32_t, 64 * 64> cells{};  // faces, or form + 1 above them
    std::array<std::uint16_t, TILES> laid{};     // places
    std::array<std::uint16_t, TURNS * TILES> open{};
    int laid_count = 0, open_count = 0;

    static constexpr int FACES = 18;  // bits
    static constexpr std::uint32_t FACE_MASK = (1u << FACES) - 1;
    static constexpr int at(int place) { return (place >> 7 & 63) << 6 | (place & 63); }
    std::uint32_t faces(int place) const { return cells[at(place)] & FACE_MASK; }
    int form(int place) const { return int(cells[at(place)] >> FACES) - 1; }
    bool filled(int place) const { return cells[at(place)] >> FACES; }
    static int around(std::uint32_t faces) {
        int tiles = 0;
        for (; faces; faces >>= 3) tiles += (faces & 7) != 0;
        return tiles;
    }

    bool drawing() const { return bag && std::popcount(hands[seat]) < HAND; }
    bool choosing() const {
        if (drawing()) return false;
        for (int side = 0; side < teams; ++side)
            if (colours[side] < 0) return true;
        return false;
    }
    FormSet forms(std::uint64_t tiles) const {
        FormSet all;
        for (; tiles; tiles &= tiles - 1)
            for (int i = 0; i < 6; ++i)
                all.words[i] |= TABLES.of_tile[std::countr_zero(tiles)].words[i];
        return all;
    }
    bool whole() const;
    void lay(int place, int form);
    FormSet fitting(int place, const FormSet& hand, bool bound) const;
    bool controlled(int place) const;
    template <class Visit>
    void places(std::uint64_t tiles, bool forced, bool bound, Visit visit) const;
    bool any(std::uint64_t tiles, bool forced, bool bound) const;
    void settle();
    void next_turn() { seat = (seat + 1) % count, step = BEFORE; }
    int points(int colour) const;
    int along(int start, int side, int& end) const;
    int reach(Code code, int colour) const;
    Code drawn(Random& random) const;
    // See planes.hpp.
    const Seen& seen_by(int voice) const;
    static std::uint64_t held(std::uint64_t tiles, const Seen& seen);
    std::pair<int, bool> follow(int start, int side, std::array<int, TILES>& found) const;
    void squares(std::vector<std::pair<int, int>>& found) const;
    std::array<int, COLOURS> show_tiles(std::uint8_t* planes, const Seen& seen) const;
    void show_open(View& view, const Seen& seen);
    void tell(float* scalar, const Seen& seen, const std::array<int, COLOURS>& best) const;
};

inline Board::Board(std::span<const std::int64_t> packed) {
    Reading reading(packed);
    count = reading.number("the number of seats", 2, MOST_SEATS);
    teams = reading.number("the number of sides", 2, count);
    reading.require(count % teams == 0, "sides have as many seats as each other");
    chosen = reading.flag("whether colours are chosen");
    std::uint64_t known = 0;
    const auto tiles = [&](std::uint64_t found) {
        constexpr std::uint64_t ALL = ((std::uint64_t(1) << TILES) - 1) << 1;
        reading.require(!(found & ~ALL) && !(found & known),
                        "there is no such tile, or it is there twice");
        known |= found;
        return found;
    };
    bag = tiles(std::uint64_t(reading.any()));
    for (int i = 0; i < count; ++i) hands[i] = tiles(std::uint64_t(reading.any()));
    for (int i = 0; i < teams; ++i) {
        colours[i] = reading.number("a colour", -1, COLOURS - 1);
        const auto end = colours.begin() + i;
        reading.require(colours[i] < 0 || std::find(colours.begin(), end, colours[i]) == end,
                        "two sides have one colour");
    }
    seat = reading.number("the seat to move", 0, count - 1);
    step = reading.number("the step of the turn", BEFORE, AFTER);
    while (reading.left()) {
        const int q = reading.number("a column", -TILES, TILES);
        const int r = reading.number("a row", -TILES, TILES);
        const int form = reading.number("a form", 0, FORMS - 1);
        tiles(std::uint64_t(1) << (form / TURNS + 1));
        reading.require(!filled((q + 64) << 7 | (r + 64)), "a cell is taken twice");
        lay((q + 64) << 7 | (r + 64), form);
    }
    reading.require(whole(), "the field does not hang together around its centre");
    // A packed position is a settled one.
    const bool free = step == FREE;
    ended = !drawing() && !choosing() && !any(hands[seat], !free, bag != 0);
}

// Whether the field is empty, or hangs together and holds the centre: then it has room.
inline bool Board::whole() const {
    if (!laid_count) return true;
    if (!filled(CENTRE)) return false;
    std::vector<int> reached{CENTRE};
    for (std::size_t i = 0; i < reached.size(); ++i)
        for (int step : STEPS)
            if (const int beyond = reached[i] + step;
                filled(beyond) && std::ranges::find(reached, beyond) == reached.end())
                reached.push_back(beyond);
    return int(reached.size()) == laid_count;
}

inline Packed Board::packed() const {
    Packed packed{count, teams, chosen, std::int64_t(bag)};
    for (int i = 0; i < count; ++i) packed.push_back(std::int64_t(hands[i]));
    for (int i = 0; i < teams; ++i) packed.push_back(colours[i]);
    packed.insert(packed.end(), {seat, step});
    auto sorted = laid;
    std::sort(sorted.begin(), sorted.begin() + laid_count);
    for (int i = 0; i < laid_count; ++i)
        packed.insert(packed.end(),
                      {(sorted[i] >> 7) - 64, (sorted[i] & 127) - 64, form(sorted[i])});
    return packed;
}

// The same for positions from which the same may follow, with the same scores.
inline std::uint64_t Board::hash() const {
    std::uint64_t hash = mixed(bag << 7 | std::uint64_t(seat) << 2 | std::uint64_t(step));
    for (int i = 0; i < laid_count; ++i)
        hash += mixed(std::uint64_t(form(laid[i]) + 1) << 20 | laid[i]);
    for (int i = 0; i < count; ++i) hash += mixed(hands[i] << 3 | std::uint64_t(i + 1));
    return hash;
}

inline void Board::lay(int place, int form) {
    assert(!filled(place) && laid_count < TILES);
    cells[at(place)] = std::uint32_t(form + 1) << FACES;
    laid[laid_count++] = std::uint16_t(place);
    for (int i = 0; i < open_count; ++i)
        if (open[i] == place) open[i] = open[--open_count];
    for (int side = 0; side < TURNS; ++side) {
        const int beyond = place + STEPS[side];
        if (filled(beyond)) continue;
        std::uint32_t& cell = cells[at(beyond)];
        assert(open_count < int(open.size()));
        if (!cell) open[open_count++] = std::uint16_t(beyond);
        cell |= std::uint32_t(TABLES.edges[form][side] + 1) << 3 * ((side + 3) % TURNS);
    }
}

// Those of some forms that may lie on an open cell: by rule a or, if bound, by a to d.
inline FormSet Board::fitting(int place, const FormSet& hand, bool bound) const {
    FormSet found = hand;
    std::uint32_t seen = faces(place);
    for (int side = 0; seen; seen >>= 3, ++side)
        if (seen & 7) found &= TABLES.showing[side][(seen & 7) - 1];
    if (!bound || !found.any()) return found;
    for (int side = 0; side < TURNS; ++side) {
        const int beyond = place + STEPS[side];
        if (filled(beyond)) continue;
        std::uint32_t theirs = faces(beyond);
        if (!theirs) continue;
        if (around(theirs) >= 3) return {};
        std::uint32_t once = 0;
        for (; theirs; theirs >>= 3) {
            const std::uint32_t colour = theirs & 7;
            if (!colour) continue;
            if (once >> colour & 1) found.remove(TABLES.showing[side][colour - 1]);
            once |= 1u << colour;
        }
    }
    return found.any() && controlled(place) ? FormSet{} : found;
}

// Whether a tile on an empty cell would close a controlled side. Ruling T2.
inline bool Board::controlled(int place) const {
    for (int heading = 0; heading < TURNS; ++heading) {
        const int beyond = place + STEPS[heading];
        if (filled(beyond)) continue;
        const int back = heading + 3;
        for (int turn : {1, 5}) {
            int length = 0, x = beyond;
            while (!filled(x) && filled(x + STEPS[(back + turn) % TURNS]) &&
                   filled(x + STEPS[(back + 2 * turn) % TURNS]))
                ++length, x += STEPS[heading];
            if (length >= 2 && filled(x)) return true;
        }
    }
    return false;
}

template <class Visit>
inline void Board::places(std::uint64_t tiles, bool forced, bool bound, Visit visit) const {
    const FormSet hand = forms(tiles);
    for (int i = 0; i < open_count; ++i) {
        const int place = open[i];
        if (forced && around(faces(place)) < 3) continue;
        const FormSet found = fitting(place, hand, bound);
        if (found.any() && !visit(place, found)) return;
    }
}

// Whether any of some tiles may be laid: only on forced spaces, or anywhere.
inline bool Board::any(std::uint64_t tiles, bool forced, bool bound) const {
    if (!laid_count) return tiles && !forced;
    bool found = false;
    places(tiles, forced, bound, [&](int, const FormSet&) { return !(found = true); });
    return found;
}

inline void Board::moves(std::vector<Candidate>& found) {
    found.clear();
    if (ended) return;
    if (drawing()) {
        for (std::uint64_t rest = bag; rest; rest &= rest - 1)
            found.push_back({Code(std::countr_zero(rest)), 1});
        return;
    }
    if (choosing()) {
        for (int colour = 0; colour < COLOURS; ++colour)
            if (std::find(colours.begin(), colours.begin() + teams, colour) ==
                colours.begin() + teams)
                found.push_back({Code(CHOOSE) << 24 | Code(colour), 0});
        return;
    }
    const auto add = [&](int place, int form) { found.push_back({placed(place, form), 0}); };
    if (!laid_count) {
        for (std::uint64_t rest = hands[seat]; rest; rest &= rest - 1)
            add(CENTRE, (std::countr_zero(rest) - 1) * TURNS);
        return;
    }
    places(hands[seat], step != FREE, bag != 0, [&](int place, const FormSet& forms) {
        forms.each([&](int form) { add(place, form); });
        return true;
    });
}

inline void Board::play(Code code) {
    assert(!ended);
    switch (Kind(code >> 24)) {
        case DRAW: {
            assert(bag >> code & 1);
            hands[seat] |= std::uint64_t(1) << code;
            bag ^= std::uint64_t(1) << code;
            if (laid_count) break;
            int held = 0, highest = 0;  // the set-up: ruling T1
            for (int i = 0; i < count; ++i) {
                held += std::popcount(hands[i]);
                if (hands[i] > hands[highest]) highest = i;
            }
            if (held < count) seat = held;
            else if (held == count) seat = highest;
            else if (std::popcount(hands[seat]) == HAND) seat = (seat + 1) % count;
            break;
        }
        case CHOOSE: {
            colours[seat % teams] = int(code & 3);
            bool open_still = false;
            for (int side = 0; side < teams; ++side) open_still |= colours[side] < 0;
            seat = (seat + count + (open_still ? 1 : 1 - teams)) % count;
            break;
        }
        case PLACE: {
            const int form = int(code >> 14 & 511);
            assert(hands[seat] >> (form / TURNS + 1) & 1);
            lay(int(code & 16383), form);
            hands[seat] ^= std::uint64_t(1) << (form / TURNS + 1);
            if (step == FREE) step = AFTER;
            break;
        }
    }
    settle();
}

// Passes steps and turns on until there is something to decide, or the game is over.
inline void Board::settle() {
    const bool bound = bag != 0;
    for (;;) {
        std::uint64_t held = 0;
        for (int i = 0; i < count; ++i) held |= hands[i];
        if (drawing() || choosing()) return;
        if (!held) break;
        if (!hands[seat]) {
            next_turn();
        } else if (step == FREE) {
            if (any(hands[seat], false, bound)) return;
            if (bound || !any(held, false, false)) break;
            next_turn();
        } else {
            if (any(hands[seat], true, bound)) return;
            if (step == BEFORE) step = FREE;
            else next_turn();
        }
    }
    ended = true;
}

// How many tiles a line runs over from a tile on, out by one of its sides; `end` is where it
// arrives.
inline int Board::along(int start, int side, int& end) const {
    int length = 0, place = start + STEPS[side];
    while (place != start && filled(place)) {
        ++length;
        side = TABLES.across[form(place)][(side + 3) % TURNS];
        place += STEPS[side];
    }
    end = place;
    return length;
}

// The points of the best line or loop of a colour.
inline int Board::points(int colour) const {
    int best = 0;
    for (int i = 0; i < laid_count; ++i) {
        const int place = laid[i], mine = form(place);
        if (!(TABLES.colours[mine] >> colour & 1)) continue;
        int side = 0, end = 0;
        while (TABLES.edges[mine][side] != colour) ++side;
        // A line is counted from its ends, a loop from anywhere.
        const int one = place + STEPS[side];
        const int other = place + STEPS[TABLES.across[mine][side]];
        if (filled(one) && filled(other)) {
            if (2 * laid_count <= best) continue;
            const int length = along(place, side, end);
            if (end == place) best = std::max(best, 2 * (length + 1));
            continue;
        }
        const int inward = filled(one) ? side : TABLES.across[mine][side];
        best = std::max(best, along(place, inward, end) + 1);
    }
    return best;
}

inline void Board::scores(Scores& scores) const {
    for (int i = 0; i < count; ++i)
        scores[i] = colours[i % teams] < 0 ? 0 : points(colours[i % teams]);
}

inline Code Board::drawn(Random& random) const {
    std::uint32_t index = random.below(std::uint32_t(std::popcount(bag)));
    std::uint64_t rest = bag;
    while (index--) rest &= rest - 1;
    return Code(std::countr_zero(rest));
}

inline Code Board::random(Random& random) {
    if (drawing()) return drawn(random);
    static thread_local std::vector<Candidate> found;
    moves(found);
    assert(!found.empty());
    return found[random.below(std::uint32_t(found.size()))].code;
}

}  // namespace tegel::tantrix
