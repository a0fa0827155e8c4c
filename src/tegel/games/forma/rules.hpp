// Forma on packed integers: the same law as rules.py and closings.py, for search (setup.hpp has the
// set-up). Only tiles that fit are played here: a bot does not misjudge.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tegel/games/forma/bridges.hpp"
#include "tegel/games/forma/labels.hpp"
#include "tegel/polyominoes.hpp"
#include "tegel/search/board.hpp"
#include "tegel/search/net.hpp"
#include "tegel/search/packed.hpp"

namespace tegel::forma {

using namespace polyominoes;

constexpr int ORIGIN = 32, PLACES = 1 << PLACE_BITS;
constexpr int ROOM = ORIGIN + 20 * STRIDE + 4 * STRIDE + 8;  // tiles may stick out at the top
constexpr int CLOSED = 10, TOWER = 50, BRIDGE = 50;
constexpr int OBSTACLES = 25;
constexpr Code DECLINE = FORMS << PLACE_BITS;
// What comes in a code where tiles have their form, in the set-up.
enum Arrangement {
    PUT_OBSTACLE = FORMS + 1,
    PUT_TOWER,
    REMOVE,
    DONE,
    OBSTACLE_DRAWN,
    TOWER_DRAWN,
    MANY,
    BEGINS
};
enum Stage : std::uint8_t { READY, PLACED, DRAWN };  // the set-up is done, chosen, drawn
constexpr Code NOTHING = ~Code(0);
constexpr std::array<int, 4> SIDES{1, -1, STRIDE, -STRIDE};

// What stands on a square: a seat's tile is its number + 1.
enum Standing : std::uint8_t { SEAT = 7, MARKER = 8, OBSTACLE = 16, THE_TOWER = 32, OFF = 64 };

// The forms of each tile are numbered one after the other.
inline const std::array<int, TILES + 1> FIRST_FORM = [] {
    std::array<int, TILES + 1> first{};
    for (int form = FORMS - 1; form >= 0; --form) first[TABLES.forms[form].tile] = form;
    first[TILES] = FORMS;
    return first;
}();

using Pool = std::array<std::vector<Code>, MOST_SEATS>;

class Board {
  public:
    static constexpr std::uint32_t KEYS = 0;
    static constexpr Tuning TUNING{.curiosity = 1.1f, .unknown = 0, .maturity = 3};
    static constexpr int ENDING = 100;  // the bridges are dear: some 50 microseconds
    static constexpr std::size_t WIDTH = 256;  // of tens of thousands of moves

    explicit Board(std::span<const std::int64_t> packed);
    Packed packed() const;

    int seats() const { return count; }
    int turn() const { return stage == DRAWN ? CHANCE : seat; }
    bool over() const { return ended; }
    std::uint32_t key(Code) const { return 0; }
    void scores(Scores& scores) const;
    void values(Values& wins, Values& values) const;
    void judge(Values& wins, Values& values, Expected& scores) const;
    void tidy();
    void moves(std::vector<Candidate>& candidates);
    void consider(std::vector<Candidate>& candidates);
    void play(Code code);
    Code random(Random& random);
    void rollout(Random& random, Trace& trace);

    // For nets, see planes.hpp.
    static bool idle(Code code) { return code >> PLACE_BITS == REMOVE; }
    Shape shape() const;
    void look(View& view);
    std::vector<Symmetry> symmetries() const;
    int voice() const { return turn(); }
    void owned(int voice, std::uint8_t* owners) const;

  private:
    std::array<std::uint8_t, ROOM> standing;  // 0: free
    std::array<std::uint8_t, ROOM> open{};  // how many free squares are beside it
    std::array<std::array<std::int8_t, TILES>, MOST_SEATS> hands{}, aside{};
    std::array<std::int16_t, MOST_SEATS> points{}, markers{};  // points: without the end's
    // By tile, the first placement that may still fit: what does not fit never will again.
    std::array<std::uint16_t, TILES> witness{};
    int size = 0, count = 0, most = 0, seat = 0, closer = -1, tower = -1;
    bool misfit = false, ended = false;
    Stage stage = READY;
    std::int8_t wanted = -1;  // how many obstacles are drawn, if it is known
    std::shared_ptr<const Pool> pool;  // see taste.hpp

    std::uint8_t& at(int square) { return standing[ORIGIN + square]; }
    bool fits(Code code) const {
        const auto& cells = TABLES.forms[code >> PLACE_BITS].cells;
        const std::uint8_t* base = &standing[ORIGIN + (code & (PLACES - 1))];
        assert(int(code & (PLACES - 1)) < 20 * STRIDE);
        return !(base[cells[0]] | base[cells[1]] | base[cells[2]] | base[cells[3]] |
                 base[cells[4]]);
    }
    bool somewhere(int tile);
    bool can_place(int who);
    void pass_on();
    void take(int square, std::uint8_t what);
    void put(Code code);
    void mark(std::vector<int>& squares);
    int left(int who) const;
    // See setup.hpp.
    bool ready() const { return stage == READY && seat != CHANCE; }
    int obstacles() const;
    template <class Visit>
    void room(bool for_tower, Visit visit) const;
    void arrangements(std::vector<Candidate>& found) const;
    void arrange(Code code);
    void set_out();
    Code arrangement(Random& random) const;
    int action(Code code) const;  // see planes.hpp
    Land land(int who) const;
    // See taste.hpp.
    float promise(Code code) const;
    int gap(int who, bool eastward) const;
    void expect(Expected& scores) const;
    template <class Visit>
    void through(int square, Visit visit) const;
    void dents(std::vector<int>& squares) const;
    Code hasty(Random& random);
    Code around(int square, Random& random) const;
};

inline Board::Board(std::span<const std::int64_t> packed) {
    constexpr int COPIES = 16;  // of a tile, in a hand or aside: far more than there are
    Reading reading(packed);
    size = reading.number("the size of the board", 5, WIDEST);
    count = reading.number("the number of seats", 2, MOST_SEATS);
    most = reading.number("the number of markers", 0, WIDEST * WIDEST);
    seat = reading.number("the seat to move", CHANCE, count - 1);
    stage = Stage(reading.number("the stage of the set-up", READY, DRAWN));
    wanted = std::int8_t(reading.number("the number of obstacles", -1, OBSTACLES));
    misfit = reading.flag("whether there was a misfit");
    closer = reading.number("who closed the tower in", -1, count - 1);
    const auto square = [&](int least = 0) {
        const int found = reading.number("a square", least, size * STRIDE - 1);
        reading.require(found < 0 || found % STRIDE < size, "a square is off the board");
        return found;
    };
    tower = square(-1);
    standing.fill(OFF);
    for (int y = 0; y < size; ++y)
        for (int x = 0; x < size; ++x) at(y * STRIDE + x) = 0;
    if (tower >= 0) at(tower) = THE_TOWER;
    // Puts something on each of some squares, which must be free, or hold an obstacle.
    const auto put_all = [&](int most, std::uint8_t what, bool on_obstacles) {
        const int found = reading.number("how many squares there are", 0, most);
        for (int left = found; left > 0; --left) {
            std::uint8_t& place = at(square());
            reading.require(!place || (on_obstacles && place == OBSTACLE),
                            "a square is taken twice");
            place |= what;
        }
        return std::int16_t(found);
    };
    put_all(size * size, OBSTACLE, false);
    int lying = misfit;
    for (int who = 0; who < count; ++who) {
        for (auto* hand : {&hands[who], &aside[who]})
            for (auto& copies : *hand)
                copies =
                    std::int8_t(reading.number("how many copies of a tile there are", 0, COPIES));
        points[who] = put_all(size * size, std::uint8_t(who + 1), false);
        markers[who] = put_all(most, std::uint8_t(MARKER | (who + 1)), true);
        points[who] = std::int16_t(points[who] + CLOSED * markers[who]);
        lying += points[who];
    }
    reading.end();
    reading.require(ready() || !lying, "no tile lies there before the set-up is done");
    for (int place = 0; place < size * STRIDE; ++place)
        for (int step : SIDES) open[ORIGIN + place] += !at(place + step);
    for (int tile = 0; tile < TILES; ++tile)
        witness[tile] = std::uint16_t(FIRST_FORM[tile] << PLACE_BITS);
    set_out();
}

inline Packed Board::packed() const {
    Packed packed{size, count, most, seat, stage, wanted, misfit, closer, tower};
    auto list = [&](auto wanted) {
        const std::size_t place = packed.size();
        packed.push_back(0);
        for (int square = 0; square < size * STRIDE; ++square)
            if (wanted(standing[ORIGIN + square])) packed.push_back(square);
        packed[place] = std::int64_t(packed.size() - place - 1);
    };
    list([](int what) { return what & OBSTACLE; });
    for (int who = 0; who < count; ++who) {
        packed.insert(packed.end(), hands[who].begin(), hands[who].end());
        packed.insert(packed.end(), aside[who].begin(), aside[who].end());
        list([=](int what) { return what == who + 1; });
        list([=](int what) { return (what & MARKER) && (what & SEAT) == who + 1; });
    }
    return packed;
}

// Whether a tile fits anywhere. Its witness moves on over all placements, once a game.
inline bool Board::somewhere(int tile) {
    std::uint32_t code = witness[tile];
    const std::uint32_t end = std::uint32_t(FIRST_FORM[tile + 1]) << PLACE_BITS;
    const std::uint32_t last = std::uint32_t(size * STRIDE);
    while (code < end && !fits(code))
        if ((++code & (PLACES - 1)) >= last) code = ((code >> PLACE_BITS) + 1) << PLACE_BITS;
    witness[tile] = std::uint16_t(std::min<std::uint32_t>(code, 0xFFFF));
    return code < end;
}

inline bool Board::can_place(int who) {
    for (int tile = TILES - 1; tile >= 0; --tile)
        if (hands[who][tile] > 0 && somewhere(tile)) return true;
    return false;
}

inline void Board::pass_on() {
    misfit = false;
    for (int step = 1; step <= count; ++step) {
        const int next = (seat + step) % count;
        if (can_place(next)) {
            seat = next;
            return;
        }
    }
    seat = (seat + 1) % count;
    ended = true;
}

inline void Board::take(int square, std::uint8_t what) {
    at(square) = what;
    for (int step : SIDES) --open[ORIGIN + square + step];
}

// Marks squares closed in, in reading order, as far as the markers go; those are left.
inline void Board::mark(std::vector<int>& squares) {
    const auto room = std::size_t(std::max(0, most - markers[seat]));
    if (squares.size() > room) {
        std::sort(squares.begin(), squares.end(), [](int a, int b) {
            return a / STRIDE != b / STRIDE ? a / STRIDE > b / STRIDE : a < b;
        });
        squares.resize(room);
    }
    for (int square : squares) {
        if (at(square) & OBSTACLE) at(square) |= std::uint8_t(MARKER | (seat + 1));
        else take(square, std::uint8_t(MARKER | (seat + 1)));
    }
    markers[seat] = std::int16_t(markers[seat] + int(squares.size()));
    points[seat] = std::int16_t(points[seat] + CLOSED * int(squares.size()));
}

inline void Board::put(Code code) {
    const Form& form = TABLES.forms[code >> PLACE_BITS];
    const int base = code & (PLACES - 1);
    assert(hands[seat][form.tile] > 0);
    --hands[seat][form.tile];
    points[seat] = std::int16_t(points[seat] + form.size);
    for (int i = 0; i < form.size; ++i) take(base + form.cells[i], std::uint8_t(seat + 1));
    static thread_local std::vector<int> closed, obstacles;
    closed.clear();
    obstacles.clear();
    for (int i = 0; i < form.sides; ++i) {
        const int square = base + form.beside[i];
        if (!at(square) && !open[ORIGIN + square]) closed.push_back(square);
    }
    mark(closed);
    // Obstacles beside the tile or beside a square just marked.
    auto look = [&](int square) {
        if ((at(square) & (OBSTACLE | MARKER)) != OBSTACLE) return;
        for (int step : SIDES) {
            const int beside = at(square + step);
            if (beside != OFF && (beside & SEAT) != seat + 1) return;
        }
        if (std::find(obstacles.begin(), obstacles.end(), square) == obstacles.end())
            obstacles.push_back(square);
    };
    for (int i = 0; i < form.sides; ++i) look(base + form.beside[i]);
    for (int square : closed)
        for (int step : SIDES) look(square + step);
    mark(obstacles);
    if (closer < 0 && tower >= 0 && !open[ORIGIN + tower]) closer = seat;
}

inline void Board::play(Code code) {
    if (!ready()) return arrange(code);
    assert(!ended && (code == DECLINE ? misfit : fits(code)));
    if (code != DECLINE) put(code);
    pass_on();
}

inline void Board::moves(std::vector<Candidate>& found) {
    found.clear();
    if (ended) return;
    if (!ready()) return arrangements(found);
    for (int tile = 0; tile < TILES; ++tile) {
        if (hands[seat][tile] <= 0 || !somewhere(tile)) continue;
        for (int form = FIRST_FORM[tile]; form < FIRST_FORM[tile + 1]; ++form)
            for (int square = 0; square < size * STRIDE; ++square) {
                const Code code = Code(form) << PLACE_BITS | Code(square);
                if (fits(code)) found.push_back({code, 0});
            }
    }
    if (misfit) found.push_back({DECLINE, 0});
}

inline int Board::left(int who) const {
    int squares = 0;
    for (int tile = 0; tile < TILES; ++tile)
        squares += (hands[who][tile] + aside[who][tile]) * TABLES.forms[FIRST_FORM[tile]].size;
    return squares;
}

inline Land Board::land(int who) const {
    Land land{size, {}};
    for (int y = 0; y < size; ++y)
        for (int x = 0; x < size; ++x)
            land.own[y][x] = (standing[ORIGIN + y * STRIDE + x] & SEAT) == who + 1;
    return land;
}

inline void Board::scores(Scores& scores) const {
    for (int who = 0; who < count; ++who) {
        scores[who] = points[who] + TOWER * (closer == who) - left(who);
        if (ended) scores[who] += BRIDGE * most_bridges(land(who));
    }
}

inline Code Board::random(Random& random) {
    assert(!ended);
    std::array<std::uint8_t, FORMS> forms;
    std::uint32_t many = 0;
    for (int form = 0; form < FORMS && ready(); ++form)
        if (hands[seat][TABLES.forms[form].tile] > 0) forms[many++] = std::uint8_t(form);
    for (int tries = 0; tries < 200 && many && !misfit; ++tries) {
        const Code code = Code(forms[random.below(many)]) << PLACE_BITS |
                          Code(random.below(std::uint32_t(size * STRIDE)));
        if (fits(code)) return code;
    }
    static thread_local std::vector<Candidate> found;
    moves(found);
    return found[random.below(std::uint32_t(found.size()))].code;
}

}  // namespace tegel::forma
