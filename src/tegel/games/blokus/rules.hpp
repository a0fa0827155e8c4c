// Blokus on packed integers: the same law as rules.py, for search.
//
// - a square is closed to a colour if a tile of its may not cover it: off the board, taken,
//   or beside an own tile; a corner is a square where a colour's next tile may begin;
// - what is closed stays closed, and a hand only gets smaller: a corner through which nothing
//   fits is dead for good. So a colour's corners are kept in the order in which they were
//   met, and looked at only when a move is wanted (see field.hpp);
// - all moves: a colour's list holds the placements through its corners, for each corner
//   those through no corner listed before, so none is there twice. Entries only die, and
//   the dead are dropped when they are met: a move drawn from the list and redrawn if dead
//   is uniform over the living.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "tegel/games/blokus/field.hpp"
#include "tegel/games/blokus/rollout.hpp"
#include "tegel/games/blokus/windows.hpp"
#include "tegel/polyominoes.hpp"
#include "tegel/search/board.hpp"
#include "tegel/search/net.hpp"
#include "tegel/search/packed.hpp"
#include "tegel/search/turned.hpp"

namespace tegel::blokus {

constexpr int ORIGIN = 32;  // where square 0 stands in the arrays: offsets may be negative
constexpr int ROOM = 512;
constexpr int MOST = 400;  // squares of a board
constexpr int SPARE = 32;  // bytes after an array, so that rows can be read in one go
constexpr std::array<int, 4> STEPS{1, -1, STRIDE, -STRIDE};

struct Rules {
    int size, colours, seats, sides, shared, fixed;  // shared: a colour, or -1
    std::array<int, COLOURS> starts;

    // The seat that moves a colour of which so many tiles are placed.
    int seat(int colour, int placed) const {
        if (colour == shared) return placed % seats;
        const int dealt = colour - (shared >= 0 && colour > shared);
        return dealt % seats;
    }
    // Who scores with a colour; -1 for a shared one.
    int side(int colour) const { return colour == shared ? -1 : seat(colour, 0) % sides; }
};

// A growing list of codes, with room made before a bunch is added.
class List {
  public:
    List() = default;
    List(const List& other) { *this = other; }
    List& operator=(const List& other) {
        if (this == &other) return *this;
        count = 0;
        reserve(other.count);
        count = other.count;
        if (count) std::memcpy(data.get(), other.data.get(), count * sizeof(std::uint16_t));
        return *this;
    }
    void reserve(std::uint32_t more) {
        if (count + more <= room) return;
        room = 2 * (count + more) + 64;
        std::unique_ptr<std::uint16_t[]> larger(new std::uint16_t[room]);
        if (count) std::memcpy(larger.get(), data.get(), count * sizeof(std::uint16_t));
        data = std::move(larger);
    }
    std::uint16_t* begin() { return data.get(); }
    std::uint16_t* end() { return data.get() + count; }
    void drop(std::uint32_t index) { data[index] = data[--count]; }
    std::uint16_t operator[](std::uint32_t index) const { return data[index]; }

    std::uint32_t count = 0;

  private:
    std::uint32_t room = 0;
    std::unique_ptr<std::uint16_t[]> data;
};

class Board {
  public:
    static constexpr std::uint32_t SPAN = FORMS << PLACE_BITS;
    static constexpr std::uint32_t KEYS = COLOURS * SPAN;
    static constexpr Tuning TUNING{.curiosity = 0.7f,
                                   .rave = 4000,
                                   .unknown = 0,
                                   .temperature = 0.85f,
                                   .narrow = 30,
                                   .growth = 4,
                                   .maturity = 6};

    explicit Board(std::span<const std::int64_t> packed);
    Packed packed() const;

    int seats() const { return rules.seats; }
    int turn() const { return rules.seat(colour, field.placed(colour)); }
    bool over() const { return ended; }
    std::uint32_t key(Code code) const { return std::uint32_t(colour) * SPAN + code; }
    std::uint64_t hash() const { return laid ^ mixed(KEYS + (field.single << 2 | colour)); }
    void scores(Scores& scores) const;
    void values(Values& wins, Values& values) const;
    void tidy();
    void moves(std::vector<Candidate>& candidates);
    void consider(std::vector<Candidate>& candidates);
    void play(Code code);
    Code random(Random& random);
    void rollout(Random& random, Trace& trace);
    std::vector<float> seen(Code code) const;  // see taste.hpp
    int phase() const;

    // For nets, see planes.hpp.
    Shape shape() const;
    void look(View& view);
    // By colour and square, how many legal moves would cover it; the second half is spare.
    using Counts = std::array<std::array<std::uint16_t, 2 * MOST>, COLOURS>;
    // What is known of a game that is looked at after every move.
    struct Watch {
        Counts counts{};
        std::array<std::vector<std::int32_t>, COLOURS> actions;  // of the moves in the lists
        std::array<Windows, COLOURS> windows;
        std::vector<std::uint16_t> dead;  // room
    };
    void show(View& view, Watch& watch, std::uint8_t* planes, float* scalars);
    std::vector<Symmetry> symmetries() const;
    int voice() const { return colour; }
    void owned(int voice, std::uint8_t* owners) const;

  private:
    friend class Taste;

    Rules rules;
    Field field;
    // By square: bit c: closed to colour c; bit 4 + c: met as a corner of colour c.
    std::array<std::uint8_t, ROOM> ground;
    std::array<std::uint8_t, ROOM> owner{};   // 0: empty, else colour + 1
    std::array<std::uint8_t, COLOURS> rivals{}, partners{};  // by colour, sets of colours
    std::array<List, COLOURS> lists;
    std::uint64_t laid = 0;  // a sum, by exclusive or, over the moves made on this board
    std::uint8_t colour = 0, out = 0;
    bool ended = false;
    bool hurries = false;  // see taste.hpp

    std::uint8_t& at(int square) { return ground[ORIGIN + square]; }

    // Whether a placement through a corner met once is still legal.
    bool legal(int of, Code code) const {
        const Form& form = TABLES.forms[code >> PLACE_BITS];
        const std::uint8_t* base = &ground[ORIGIN + (code & PLACE)];
        const auto& cells = form.cells;
        const int closed =
            base[cells[0]] | base[cells[1]] | base[cells[2]] | base[cells[3]] | base[cells[4]];
        return !(closed >> of & 1) && (field.hands[of] >> form.tile & 1);
    }
    const Turned& sight(int of) const;
    void recount(int of, Counts& counts);
    void count(int of, Watch& watch);
    void draw(const Counts& counts, std::uint8_t* planes, float* scalars) const;
    void tell(float* scalar) const;
    void meet(int of, int square);
    void enlist(int of);
    void pass_on();
};

inline Board::Board(std::span<const std::int64_t> packed) {
    Reading reading(packed);
    rules.size = reading.number("the size of the board", 5, 20);
    rules.colours = reading.number("the number of colours", 2, COLOURS);
    rules.seats = reading.number("the number of seats", 2, rules.colours);
    rules.sides = reading.number("the number of sides", 2, rules.seats);
    rules.shared = reading.number("the shared colour", -1, rules.colours - 1);
    rules.fixed = reading.flag("whether corners are fixed");
    const auto square = [&] {
        const int found = reading.number("a square", 0, rules.size * STRIDE - 1);
        reading.require(found % STRIDE < rules.size, "a square is off the board");
        return found;
    };
    for (int& start : rules.starts) start = square();
    colour = std::uint8_t(reading.number("the colour to move", 0, rules.colours - 1));
    field = Field(rules.size, rules.colours);
    field.single = std::uint8_t(reading.number("the set of colours", 0, (1 << COLOURS) - 1));
    ground.fill(0x0F);
    for (int y = 0; y < rules.size; ++y)
        for (int x = 0; x < rules.size; ++x) at(y * STRIDE + x) = 0;
    for (int of = 0; of < rules.colours; ++of) {
        const int hand = reading.number("a hand", 0, (1 << TILES) - 1);
        for (int tile = 0; tile < TILES; ++tile)
            if (!(hand >> tile & 1)) field.spend(of, tile);
        for (int left = reading.number("how many squares a colour has", 0, SQUARES); left; --left) {
            const int taken = square();
            reading.require(!owner[ORIGIN + taken], "a square is taken twice");
            at(taken) |= 0x0F;
            owner[ORIGIN + taken] = std::uint8_t(of + 1);
            for (int step : STEPS) at(taken + step) |= 1 << of;
            field.cover(of, taken);
        }
        reading.require(field.covered[of] == field.spent(of), "a hand and its squares disagree");
    }
    reading.end();
    for (int of = 0; of < rules.colours; ++of) {
        for (int other = 0; other < rules.colours; ++other)
            if (rules.side(of) != rules.side(other)) rivals[of] |= 1 << other;
            else if (of != other) partners[of] |= 1 << other;
        if (!field.covered[of])
            for (int start = 0; start < rules.colours; ++start)
                if (!rules.fixed || start == of) meet(of, rules.starts[start]);
        for (int taken = 0; taken < rules.size * STRIDE; ++taken)
            if (owner[ORIGIN + taken] == of + 1)
                for (int step : {STRIDE + 1, STRIDE - 1, -STRIDE + 1, -STRIDE - 1}) {
                    meet(of, taken + step);
                    reading.require(field.corners[of].count <= 8 * field.placed(of),
                                    "no tiles make such squares");
                }
        field.corners[of].fresh = field.corners[of].count;
    }
    ended = !field.any(colour);
}

inline Packed Board::packed() const {
    Packed packed{rules.size, rules.colours, rules.seats, rules.sides, rules.shared, rules.fixed};
    packed.insert(packed.end(), rules.starts.begin(), rules.starts.end());
    packed.push_back(colour);
    packed.push_back(field.single);
    for (int of = 0; of < rules.colours; ++of) {
        packed.push_back(field.hands[of]);
        packed.push_back(field.covered[of]);
        for (int square = 0; square < rules.size * STRIDE; ++square)
            if (owner[ORIGIN + square] == of + 1) packed.push_back(square);
    }
    return packed;
}

inline void Board::meet(int of, int square) {
    if (at(square) & 0x11 << of) return;
    at(square) |= 0x10 << of;
    field.meet(of, square);
}

// The placements through new corners join the list of a colour.
inline void Board::enlist(int of) {
    Corners& all = field.corners[of];
    if (all.listed == all.count) return;
    List& list = lists[of];
    Rows known = field.closed[of];
    for (int i = 0; i < all.listed; ++i) mark(known, all.squares[i]);
    for (; all.listed < all.count; ++all.listed) {
        const int square = all.squares[all.listed];
        list.reserve(414);
        std::uint16_t* end = list.end();
        each(field.fitting(of, diamond(known, square)),
             [&](int place) { *end++ = std::uint16_t(TABLES.through[place].code + square); });
        list.count = std::uint32_t(list.count + (end - list.end()));
        mark(known, square);
    }
}

inline void Board::pass_on() {
    for (int step = 1; step <= rules.colours; ++step) {
        const int next = (colour + step) % rules.colours;
        if (out >> next & 1) continue;
        if (field.any(next)) {
            colour = std::uint8_t(next);
            return;
        }
        out |= 1 << next;
    }
    colour = std::uint8_t((colour + 1) % rules.colours);
    ended = true;
}

inline void Board::play(Code code) {
    const Form& form = TABLES.forms[code >> PLACE_BITS];
    const int base = code & PLACE, mine = colour;
    assert(!ended && legal(mine, code));
    laid ^= mixed(key(code));
    if (!field.covered[mine]) {  // other starting squares are of no use any more
        lists[mine].count = 0;
        for (auto& square : ground) square &= std::uint8_t(~(0x10 << mine));
    }
    for (int i = 0; i < form.size; ++i) {
        at(base + form.cells[i]) |= 0x0F;
        owner[ORIGIN + base + form.cells[i]] = std::uint8_t(mine + 1);
    }
    for (int i = 0; i < form.sides; ++i) at(base + form.beside[i]) |= 1 << mine;
    field.put(mine, code);
    const Corners& met = field.corners[mine];
    for (int i = met.fresh; i < met.count; ++i) at(met.squares[i]) |= 0x10 << mine;
    pass_on();
}

inline Code Board::random(Random& random) {
    assert(!ended);
    enlist(colour);
    List& list = lists[colour];
    for (;;) {
        assert(list.count);
        const std::uint32_t index = random.below(list.count);
        if (legal(colour, list[index])) return list[index];
        list.drop(index);
    }
}

// Forgets the lists and all dead corners; from now on the opening is cut short.
inline void Board::tidy() {
    hurries = true;
    for (int of = 0; of < rules.colours; ++of) {
        Corners& all = field.corners[of];
        lists[of].count = all.listed = 0;
        int kept = 0, fresh = 0;
        for (int i = 0; i < all.count; ++i)
            if (field.fits(of, all.squares[i])) {
                all.squares[kept++] = all.squares[i];
                fresh += i < all.fresh;
            }
        all.count = std::uint8_t(kept);
        all.fresh = std::uint8_t(fresh);
    }
}

inline void Board::moves(std::vector<Candidate>& candidates) {
    candidates.clear();
    if (ended) return;
    enlist(colour);
    List& list = lists[colour];
    for (std::uint32_t i = 0; i < list.count;)
        if (legal(colour, list[i])) candidates.push_back({list[i++], 0.0f});
        else list.drop(i);
}

// Plays to the end on the field alone: the rest is of no use any more.
inline void Board::rollout(Random& random, Trace& trace) {
    const int all = (1 << rules.colours) - 1;
    Rollout move(field, random, rivals, rules.colours);
    while (out != all) {
        if (!(out >> colour & 1)) {
            const Code code = move(colour);
            if (code == NOTHING) {
                out |= 1 << colour;
            } else {
                trace.push_back(key(code));
                field.put(colour, code);
            }
        }
        colour = std::uint8_t(colour + 1 == rules.colours ? 0 : colour + 1);
    }
    ended = true;
}

inline void Board::scores(Scores& scores) const {
    std::array<int, MOST_SEATS> by_side{};
    for (int of = 0; of < rules.colours; ++of)
        if (of != rules.shared) by_side[rules.side(of)] += field.score(of);
    for (int seat = 0; seat < rules.seats; ++seat) scores[seat] = by_side[seat % rules.sides];
}

}  // namespace tegel::blokus
