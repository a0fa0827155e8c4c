// Blokus on packed integers: the same law as rules.py, for search.
//
// - a square is closed to a colour if a tile of its may not cover it: off the board, taken,
//   or beside an own tile; a corner is a square where a colour's next tile may begin;
// - moves are kept, not rebuilt: a colour's list holds every placement that was legal once.
//   What was ever closed stays closed, so entries only die, and the dead are dropped when
//   they are met; a move drawn from the list and redrawn if dead is uniform over the living;
// - a new corner adds the placements through it, except those through an older corner, which
//   are in the list already: so no placement is ever there twice.
#pragma once

#include <bit>
#include <cmath>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "tegel/search/board.hpp"
#include "tegel/search/polyominoes.hpp"

namespace tegel::blokus {

using namespace polyominoes;

constexpr int COLOURS = 4;
constexpr int SQUARES = 89;  // of a colour
constexpr int SIZES = 5;
constexpr int ORIGIN = 32;  // where square 0 stands in the arrays: offsets may be negative
constexpr int ROOM = 512;
constexpr Code NOTHING = ~Code(0);

constexpr int FACTS = 14;  // seen of a move, see taste.hpp; then 1 for the tile it lays
using Seen = std::array<float, FACTS + TILES>;

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

    explicit Board(std::span<const std::int64_t> packed);
    Packed packed() const;

    int seats() const { return rules.seats; }
    int turn() const { return rules.seat(colour, placed(colour)); }
    bool over() const { return ended; }
    std::uint32_t key(Code code) const { return std::uint32_t(colour) * SPAN + code; }
    void scores(Scores& scores) const;
    void values(Values& wins, Values& values) const;
    void tidy();
    void moves(std::vector<Candidate>& candidates);
    void consider(std::vector<Candidate>& candidates);
    void play(Code code);
    Code random(Random& random);
    void rollout(Random& random, Trace& trace);
    Seen seen(Code code) const;  // see taste.hpp
    int phase() const;

  private:
    Rules rules;
    // By square: bit c: closed to colour c; bit 4 + c: met as a corner of colour c.
    std::array<std::uint8_t, ROOM> ground;
    std::array<std::uint8_t, ROOM> owner{};   // 0: empty, else colour + 1
    std::array<std::uint8_t, ROOM> opened{};  // the ply at which a corner was met last
    std::array<std::uint32_t, COLOURS> hands{};
    std::array<std::uint8_t, COLOURS> rivals{}, partners{};  // by colour, sets of colours
    std::array<std::uint8_t, COLOURS> covered{};  // squares
    std::array<std::array<List, SIZES>, COLOURS> lists;
    std::uint8_t colour = 0, single = 0, out = 0, ply = 0;
    bool ended = false;

    int placed(int of) const { return TILES - std::popcount(hands[of]); }
    int score(int of) const {
        if (hands[of]) return covered[of] - SQUARES;
        return single >> of & 1 ? 20 : 15;
    }
    std::uint8_t& at(int square) { return ground[ORIGIN + square]; }

    bool legal(int of, Code code) const {
        const Form& form = TABLES.forms[code >> PLACE_BITS];
        const std::uint8_t* base = &ground[ORIGIN + (code & (ROOM - 1))];
        const auto& cells = form.cells;
        const int closed = base[cells[0]] | base[cells[1]] | base[cells[2]] | base[cells[3]] |
                           base[cells[4]];
        return !(closed >> of & 1) && (hands[of] >> form.tile & 1);
    }
    void meet(int of, int square);
    void put(Code code);
    bool any(int of);
    Code drawn(int of, Random& random);
    void pass_on();
    Code hasty(int of, Random& random);
    float liking(int of, Code code) const;
};

inline Board::Board(std::span<const std::int64_t> packed) {
    std::size_t next = 0;
    auto number = [&] {
        if (next >= packed.size()) throw std::invalid_argument("a packed position is too short");
        return int(packed[next++]);
    };
    for (int* field : {&rules.size, &rules.colours, &rules.seats, &rules.sides, &rules.shared,
                       &rules.fixed})
        *field = number();
    for (int& start : rules.starts) start = number();
    colour = std::uint8_t(number());
    single = std::uint8_t(number());
    ground.fill(0x0F);
    for (int y = 0; y < rules.size; ++y)
        for (int x = 0; x < rules.size; ++x) at(y * STRIDE + x) = 0;
    for (int of = 0; of < rules.colours; ++of) {
        hands[of] = std::uint32_t(number());
        covered[of] = std::uint8_t(number());
        for (int i = 0; i < covered[of]; ++i) {
            const int square = number();
            at(square) |= 0x0F;
            owner[ORIGIN + square] = std::uint8_t(of + 1);
            for (int step : {1, -1, STRIDE, -STRIDE}) at(square + step) |= 1 << of;
        }
    }
    for (int of = 0; of < rules.colours; ++of)
        for (int other = 0; other < rules.colours; ++other)
            if (rules.side(of) != rules.side(other))
                rivals[of] |= 1 << other;
            else if (of != other)
                partners[of] |= 1 << other;
    ply = 1;
    for (int of = 0; of < rules.colours; ++of) {
        ply = std::uint8_t(ply + placed(of));
        if (!covered[of]) {
            for (int start = 0; start < rules.colours; ++start)
                if (!rules.fixed || start == of) meet(of, rules.starts[start]);
            continue;
        }
        for (int square = 0; square < rules.size * STRIDE; ++square)
            if (owner[ORIGIN + square] == of + 1)
                for (int step : {STRIDE + 1, STRIDE - 1, -STRIDE + 1, -STRIDE - 1})
                    meet(of, square + step);
    }
    ended = !any(colour);
}

inline Packed Board::packed() const {
    Packed packed{rules.size, rules.colours, rules.seats, rules.sides, rules.shared, rules.fixed};
    packed.insert(packed.end(), rules.starts.begin(), rules.starts.end());
    packed.push_back(colour);
    packed.push_back(single);
    for (int of = 0; of < rules.colours; ++of) {
        packed.push_back(hands[of]);
        packed.push_back(covered[of]);
        for (int square = 0; square < rules.size * STRIDE; ++square)
            if (owner[ORIGIN + square] == of + 1) packed.push_back(square);
    }
    return packed;
}

// The square becomes a corner of a colour, and the placements through it join its list.
inline void Board::meet(int of, int square) {
    const int mask = 0x11 << of;
    if (at(square) & mask) return;
    auto& list = lists[of];
    std::array<std::uint16_t*, SIZES + 1> end;
    constexpr std::array<std::uint32_t, SIZES> most{1, 4, 18, 76, 315};
    for (int size = 0; size < SIZES; ++size) {
        list[size].reserve(most[size]);
        end[size + 1] = list[size].end();
    }
    const std::uint8_t* base = &ground[ORIGIN + square];
    const std::uint32_t hand = hands[of];
    const Growth* const all = TABLES.growths.data();
    for (int index = 0; index < int(TABLES.growths.size());) {
        const Growth& growth = all[index];
        if ((base[growth.offset] & mask) || !(growth.below & hand)) {
            index = growth.skip;
            continue;
        }
        *end[growth.size] = std::uint16_t(growth.code + square);
        end[growth.size] += hand >> growth.tile & 1;
        ++index;
    }
    for (int size = 0; size < SIZES; ++size)
        list[size].count += std::uint32_t(end[size + 1] - list[size].end());
    at(square) |= 0x10 << of;
    opened[ORIGIN + square] = ply;
}

// The colour to move covers squares; nothing is said about who is next.
inline void Board::put(Code code) {
    const Form& form = TABLES.forms[code >> PLACE_BITS];
    const int base = code & (ROOM - 1), mine = colour;
    if (!covered[mine]) {  // other starting squares are of no use any more
        for (auto& list : lists[mine]) list.count = 0;
        for (auto& square : ground) square &= std::uint8_t(~(0x10 << mine));
    }
    for (int i = 0; i < form.size; ++i) {
        at(base + form.cells[i]) |= 0x0F;
        owner[ORIGIN + base + form.cells[i]] = std::uint8_t(mine + 1);
    }
    for (int i = 0; i < form.sides; ++i) at(base + form.beside[i]) |= 1 << mine;
    hands[mine] ^= 1u << form.tile;
    covered[mine] = std::uint8_t(covered[mine] + form.size);
    single = std::uint8_t((single & ~(1 << mine)) | (form.tile == 0) << mine);
    ++ply;
    for (int i = 0; i < form.corners; ++i) meet(mine, base + form.diagonal[i]);
}

// Whether a colour can place.
inline bool Board::any(int of) {
    for (auto& list : lists[of])
        for (; list.count; --list.count)
            if (legal(of, list[list.count - 1])) return true;
    return false;
}

inline void Board::pass_on() {
    for (int step = 1; step <= rules.colours; ++step) {
        const int next = (colour + step) % rules.colours;
        if (out >> next & 1) continue;
        if (any(next)) {
            colour = std::uint8_t(next);
            return;
        }
        out |= 1 << next;
    }
    colour = std::uint8_t((colour + 1) % rules.colours);
    ended = true;
}

inline void Board::play(Code code) {
    put(code);
    pass_on();
}

// A legal move of a colour, each with the same chance; NOTHING if it has none.
inline Code Board::drawn(int of, Random& random) {
    auto& list = lists[of];
    for (;;) {
        std::uint32_t total = 0;
        for (auto& part : list) total += part.count;
        if (!total) return NOTHING;
        std::uint32_t index = random.below(total);
        int size = SIZES - 1;
        while (index >= list[size].count) index -= list[size--].count;
        const Code code = list[size][index];
        if (legal(of, code)) return code;
        list[size].drop(index);
    }
}

inline Code Board::random(Random& random) { return drawn(colour, random); }

// Drops all dead moves.
inline void Board::tidy() {
    for (int of = 0; of < rules.colours; ++of)
        for (auto& list : lists[of])
            for (std::uint32_t i = 0; i < list.count;)
                if (legal(of, list[i])) ++i;
                else list.drop(i);
}

inline void Board::moves(std::vector<Candidate>& candidates) {
    candidates.clear();
    if (ended) return;
    for (auto& list : lists[colour])
        for (std::uint32_t i = 0; i < list.count;)
            if (legal(colour, list[i]))
                candidates.push_back({list[i++], 0.0f});
            else
                list.drop(i);
}

inline void Board::scores(Scores& scores) const {
    std::array<int, MOST_SEATS> by_side{};
    for (int of = 0; of < rules.colours; ++of)
        if (of != rules.shared) by_side[rules.side(of)] += score(of);
    for (int seat = 0; seat < rules.seats; ++seat) scores[seat] = by_side[seat % rules.sides];
}

}  // namespace tegel::blokus

#include "tegel/games/blokus/taste.hpp"
