// Imago on packed integers: the same law as rules.py, stones.py and table.py, for search.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tegel/games/imago/stones.hpp"
#include "tegel/search/board.hpp"
#include "tegel/search/net.hpp"
#include "tegel/search/packed.hpp"

namespace tegel::imago {

enum Act { DRAW, LOT, TAKE, CAPTURE, CLAIM, ALLOW, END, PASS };
enum Step { LAYOUT, LOTS, FIRST, TAKEN, CAPTURED };

// A code: the act, a hollow or a number drawn, and a stock cell.
constexpr Code coded(Act act, int hollow = 0, int x = 0, int y = 0) {
    return Code(act) << 14 | Code(hollow) << 8 | Code(x + 8) << 4 | Code(y + 8);
}

class Board {
  public:
    static constexpr std::uint32_t KEYS = 0;

    explicit Board(std::span<const std::int64_t> packed);
    Packed packed() const;

    int seats() const { return 2; }
    int turn() const { return asked ? 1 - player : player; }
    bool over() const { return passes >= 2; }
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
    int voice() const { return turn(); }
    void owned(int voice, std::uint8_t* owners) const;

  private:
    std::array<std::int8_t, COLOURS> kinds;  // by colour
    std::array<Set, COLOURS> board;          // by colour
    std::array<Stock, 2> stocks;
    std::array<std::array<std::int8_t, COLOURS>, 2> aside;
    int player = CHANCE;
    Step step = LAYOUT;
    Code asked = 0;  // the take that waits for an answer
    int passes = 0;
    std::array<Set, 2> gone{};  // by seat, hollows it emptied since this board began

    // Room for short lists, apart from the board so that boards are quick to copy.
    static inline thread_local std::vector<Candidate> scratch;

    Set stones() const {
        Set all = 0;
        for (Set hollows : board) all |= hollows;
        return all;
    }
    int colour_at(int hollow) const {
        for (int colour = 0; colour < COLOURS; ++colour)
            if (board[colour] >> hollow & 1) return colour;
        return -1;
    }
    void check(const Reading& reading) const;
    using Kinds = std::array<std::int8_t, 64>;  // by hollow, that of its stone; -1: none
    Kinds kinds_here() const;
    Images images(int seat) const { return images(seat, kinds_here()); }
    Images images(int seat, const Kinds& here) const;
    Set needed(const Images& images) const;
    bool alone(const Image& image) const { return !(beside(image.hollows) & stones()); }
    bool spares(int seat, const Images& theirs, Set group) const;
    void takes(int seat, std::vector<Candidate>& found) const;
    void takes(int seat, const Kinds& here, const Images& own, const Images& theirs,
               std::vector<Candidate>& found) const;
    void captures(int seat, std::vector<Candidate>& found) const;
    void captures(int seat, const Images& own, const Images& theirs,
                  std::vector<Candidate>& found) const;
    void claims(int seat, int hollow, std::vector<Candidate>& found) const;
    void take(Code code);
    void capture(int shift);
    void turn_over() { player = 1 - player, step = FIRST; }
    int kind_count() const;
    void look(int who, const Kinds& here, const Images& own, const Images& theirs,
              std::uint8_t* stones, std::uint8_t* plane) const;
};

inline Board::Board(std::span<const std::int64_t> packed) {
    Reading reading(packed);
    std::array<int, COLOURS> used{};
    for (auto& kind : kinds) kind = std::int8_t(reading.number("a kind", 0, COLOURS - 1));
    for (int colour = 0; colour < COLOURS; ++colour) {
        const auto hollows = Set(reading.any());
        reading.require(!(hollows & ~BOARD), "a stone is off the board");
        for (int other = 0; other < colour; ++other)
            reading.require(!(hollows & board[other]), "two stones lie in one hollow");
        board[colour] = hollows;
        used[colour] = std::popcount(hollows);
    }
    player = reading.number("the player to move", CHANCE, 1);
    step = Step(reading.number("the step of the turn", LAYOUT, CAPTURED));
    const Code waiting = Code(reading.number("the take that waits", 0, (PASS + 1) << 14));
    passes = reading.number("the number of passes", 0, 2);
    for (int seat = 0; seat < 2; ++seat) {
        Stock& stock = stocks[seat];
        stock.claim = reading.number("a claim", -1, 63);
        stock.out = reading.flag("whether a player is out");
        stock.count = reading.number("the number of stones in a stock", 0, STONES);
        for (int i = 0; i < stock.count; ++i) {
            const auto x = std::int8_t(reading.number("a stock cell", 1 - SIZE, SIZE - 1));
            const auto y = std::int8_t(reading.number("a stock cell", 1 - SIZE, SIZE - 1));
            const auto colour = std::int8_t(reading.number("a stone's colour", 0, COLOURS - 1));
            stock.stones[i] = {x, y, colour};
            ++used[colour];
        }
        for (int colour = 0; colour < COLOURS; ++colour) {
            aside[seat][colour] = std::int8_t(reading.number("the stones aside", 0, STONES));
            used[colour] += aside[seat][colour];
        }
    }
    reading.end();
    for (int colour = 0; colour < COLOURS; ++colour)
        reading.require(used[colour] <= COUNTS[colour], "there are too many stones of a colour");
    check(reading);
    if (!waiting) return;
    scratch.clear();
    if (player != CHANCE && (step == FIRST || step == CAPTURED)) takes(player, scratch);
    reading.require(std::ranges::any_of(scratch, [=](auto& move) { return move.code == waiting; }),
                    "no such take can wait for an answer");
    asked = waiting;
}

// Refuses what the stones on the board rule out.
inline void Board::check(const Reading& reading) const {
    reading.require((player == CHANCE) == (step == LAYOUT || step == LOTS),
                    "chance decides in the layout, and nowhere else");
    for (int seat = 0; seat < 2; ++seat)
        reading.require(stocks[seat].claim < 0 || images(seat).count == 1,
                        "a claim is no image of its stock");
    if (step != LAYOUT) return;
    Set filled = 0;
    for (int i = 0; i < std::popcount(stones()); ++i) filled |= Set(1) << READING[i];
    reading.require(filled == stones() && filled != BOARD && !stocks[0].count && !stocks[1].count,
                    "a layout is filled in reading order");
}

inline Packed Board::packed() const {
    Packed packed(kinds.begin(), kinds.end());
    for (Set hollows : board) packed.push_back(std::int64_t(hollows));
    packed.insert(packed.end(), {player, step, std::int64_t(asked), passes});
    for (int seat = 0; seat < 2; ++seat) {
        const Stock& stock = stocks[seat];
        packed.insert(packed.end(), {stock.claim, stock.out, stock.count});
        for (int i = 0; i < stock.count; ++i) {
            const Stone& stone = stock.stones[i];
            packed.insert(packed.end(), {stone.x, stone.y, stone.colour});
        }
        packed.insert(packed.end(), aside[seat].begin(), aside[seat].end());
    }
    return packed;
}

inline void Board::scores(Scores& scores) const {
    for (int seat = 0; seat < 2; ++seat) {
        scores[seat] = stocks[seat].count;
        for (int count : aside[seat]) scores[seat] += count;
    }
}

// The same for positions from which the same may follow, with the same scores.
inline std::uint64_t Board::hash() const {
    std::uint64_t hash = 0;
    auto add = [&](std::uint64_t number) {
        hash = (hash ^ number) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    };
    for (Set hollows : board) add(hollows);
    Scores points{};
    scores(points);
    add(std::uint64_t(player) << 60 | std::uint64_t(step) << 56 | std::uint64_t(passes) << 52 |
        std::uint64_t(points[0]) << 44 | std::uint64_t(points[1]) << 36 | asked);
    for (const Stock& stock : stocks) {
        add(std::uint64_t(stock.claim + 1) << 8 | std::uint64_t(stock.out) << 7 | stock.count);
        for (int i = 0; i < stock.count; ++i)
            add(std::uint64_t(stock.stones[i].x + 8) << 12 | (stock.stones[i].y + 8) << 6 |
                kinds[stock.stones[i].colour]);
    }
    return hash;
}

inline Board::Kinds Board::kinds_here() const {
    Kinds here;
    here.fill(-1);
    for (int colour = 0; colour < COLOURS; ++colour)
        for (Set rest = board[colour]; rest; rest &= rest - 1)
            here[std::countr_zero(rest)] = kinds[colour];
    return here;
}

// Where a stock matches; with a claim, only there; nowhere for a player who is out.
inline Images Board::images(int seat, const Kinds& here) const {
    Images found;
    const Stock& stock = stocks[seat];
    if (stock.out) return found;
    const Set all = stones();
    Set shifts = all;
    for (int i = 0; i < stock.count; ++i) shifts &= shifted(all, stock.stones[i].offset());
    if (stock.claim >= 0) shifts &= Set(1) << stock.claim;
    for (; shifts; shifts &= shifts - 1) {
        Image& image = found.all[found.count];
        image.shift = std::countr_zero(shifts);
        image.hollows = 0;
        image.here.fill(-1);
        std::array<std::int8_t, COLOURS> there;
        there.fill(-1);
        bool matches = true;
        for (int i = 0; i < stock.count && matches; ++i) {
            const Stone& stone = stock.stones[i];
            const int hollow = image.shift + stone.offset();
            const std::int8_t kind = kinds[stone.colour], answer = here[hollow];
            if (there[kind] < 0 && image.here[answer] < 0)
                there[kind] = answer, image.here[answer] = kind;
            matches = there[kind] == answer && image.here[answer] == kind;
            image.hollows |= Set(1) << hollow;
        }
        found.count += matches;
    }
    return found;
}

// The hollows that every image of a stock holds.
inline Set Board::needed(const Images& images) const {
    Set common = images.count ? stones() : 0;
    for (const Image& image : images) common &= image.hollows;
    return common;
}

inline void Board::takes(int seat, std::vector<Candidate>& found) const {
    const Kinds here = kinds_here();
    takes(seat, here, images(seat, here), images(1 - seat, here), found);
}

inline void Board::takes(int seat, const Kinds& here, const Images& own, const Images& theirs,
                         std::vector<Candidate>& found) const {
    const Stock& stock = stocks[seat];
    std::array<Set, COLOURS> of_kind{};
    for (int colour = 0; colour < COLOURS; ++colour) of_kind[kinds[colour]] |= board[colour];
    Set fresh = stones();
    for (int i = 0; i < stock.count; ++i) fresh &= ~of_kind[kinds[stock.stones[i].colour]];
    const Set spared = ~needed(theirs);
    // The stock cells beside the stock, in a square of 16 by 16 around the first stone, by column.
    std::array<std::uint32_t, 16> filled{};
    for (int i = 0; i < stock.count; ++i)
        filled[stock.stones[i].x + 8] |= 1u << (stock.stones[i].y + 8);
    for (int x = 1; x < 15; ++x) {
        std::uint32_t edge =
            (filled[x] << 1 | filled[x] >> 1 | filled[x - 1] | filled[x + 1]) & ~filled[x];
        if (!stock.count) edge = x == 8 ? 1u << 8 : 0;
        for (; edge; edge &= edge - 1) {
            const int u = x - 8, v = std::countr_zero(edge) - 8;
            Set hollows = 0;
            for (const Image& image : own) {
                const int column = image.shift % STRIDE + u, row = image.shift / STRIDE + v;
                if (column < 0 || column >= SIZE || row < 0 || row >= SIZE) continue;
                const int hollow = row * STRIDE + column;
                if (here[hollow] < 0) continue;
                const int kind = image.here[here[hollow]];
                const Set fitting = kind < 0 ? fresh : of_kind[kind];
                hollows |= fitting & ~image.hollows & ~(Set(1) << hollow);
            }
            for (hollows &= spared; hollows; hollows &= hollows - 1)
                found.push_back({coded(TAKE, std::countr_zero(hollows), u, v), 0});
        }
    }
}

// Whether a seat would still have an image, or needs none, if a group were captured.
inline bool Board::spares(int seat, const Images& theirs, Set group) const {
    const Stock& stock = stocks[seat];
    if (stock.claim >= 0 && theirs.count && group == theirs.all[0].hollows) return true;
    if (stock.out) return true;
    for (const Image& image : theirs)
        if (!(image.hollows & group)) return true;
    return false;
}

inline void Board::captures(int seat, std::vector<Candidate>& found) const {
    if (stocks[seat].count < 2) return;
    const Kinds here = kinds_here();
    const Images own = images(seat, here);
    if (std::ranges::any_of(own, [this](const Image& image) { return alone(image); }))
        captures(seat, own, images(1 - seat, here), found);
}

inline void Board::captures(int seat, const Images& own, const Images& theirs,
                            std::vector<Candidate>& found) const {
    if (stocks[seat].count < 2) return;
    for (const Image& image : own)
        if (alone(image) && spares(1 - seat, theirs, image.hollows))
            found.push_back({coded(CAPTURE, image.shift), 0});
}

inline void Board::claims(int seat, int hollow, std::vector<Candidate>& found) const {
    if (stocks[seat].count < 2 || stocks[seat].claim >= 0) return;
    for (const Image& image : images(seat))
        if (image.hollows >> hollow & 1) found.push_back({coded(CLAIM, image.shift), 0});
}

inline void Board::moves(std::vector<Candidate>& found) {
    found.clear();
    if (over()) return;
    if (asked) {
        claims(1 - player, asked >> 8 & 63, found);
        found.push_back({coded(ALLOW), 0});
        return;
    }
    switch (step) {
        case LAYOUT:
            for (int colour = 0; colour < COLOURS; ++colour) {
                const int left = COUNTS[colour] - std::popcount(board[colour]) - aside[0][colour] -
                                 aside[1][colour];
                if (left > 0) found.push_back({coded(DRAW, colour), float(left)});
            }
            break;
        case LOTS:
            found.push_back({coded(LOT, 0), 1});
            found.push_back({coded(LOT, 1), 1});
            break;
        case FIRST: {
            const Kinds here = kinds_here();
            const Images own = images(player, here), theirs = images(1 - player, here);
            takes(player, here, own, theirs, found);
            captures(player, own, theirs, found);
            if (found.empty()) found.push_back({coded(PASS), 0});
            break;
        }
        case TAKEN:
            captures(player, found);
            found.push_back({coded(END), 0});
            break;
        case CAPTURED: takes(player, found); break;
    }
}

inline void Board::play(Code code) {
    assert(!over());
    const int hollow = code >> 8 & 63;
    switch (Act(code >> 14)) {
        case DRAW:
            board[hollow] |= Set(1) << READING[std::popcount(stones())];
            if (stones() == BOARD) step = LOTS;
            break;
        case LOT:
            player = hollow;
            step = FIRST;
            break;
        case TAKE:
            scratch.clear();
            claims(1 - player, hollow, scratch);
            if (scratch.empty()) take(code);
            else asked = code;
            break;
        case ALLOW: {
            const Code waiting = asked;
            asked = 0;
            take(waiting);
            break;
        }
        case CLAIM:
            stocks[1 - player].claim = hollow;
            asked = 0;
            break;
        case CAPTURE: capture(hollow); break;
        case END: turn_over(); break;
        case PASS:
            ++passes;
            turn_over();
            break;
    }
}

inline void Board::take(Code code) {
    const int hollow = code >> 8 & 63;
    assert(colour_at(hollow) >= 0);
    const Stone stone{std::int8_t(int(code >> 4 & 15) - 8), std::int8_t(int(code & 15) - 8),
                      std::int8_t(colour_at(hollow))};
    board[stone.colour] &= ~(Set(1) << hollow);
    gone[std::size_t(player)] |= Set(1) << hollow;
    Stock& stock = stocks[player];
    int place = stock.count++;
    for (; place > 0 && stone < stock.stones[place - 1]; --place)
        stock.stones[place] = stock.stones[place - 1];
    stock.stones[place] = stone;
    passes = 0;
    scratch.clear();
    captures(player, scratch);
    if (scratch.empty()) turn_over();
    else step = TAKEN;
}

inline void Board::capture(int shift) {
    Stock &stock = stocks[player], &theirs = stocks[1 - player];
    Set group = 0;
    for (int i = 0; i < stock.count; ++i) {
        ++aside[player][stock.stones[i].colour];
        group |= Set(1) << (shift + stock.stones[i].offset());
    }
    const Images claimed = images(1 - player);
    if (theirs.claim >= 0 && claimed.count && group & claimed.all[0].hollows) {
        theirs.claim = -1;
        theirs.out = true;
    }
    for (int colour = 0; colour < COLOURS; ++colour) {
        aside[player][colour] += std::int8_t(std::popcount(board[colour] & group));
        board[colour] &= ~group;
    }
    gone[std::size_t(player)] |= group;
    stock = Stock{};
    step = CAPTURED;
    passes = 0;
    scratch.clear();
    takes(player, scratch);
    if (scratch.empty()) turn_over();
}

inline Code Board::random(Random& random) {
    std::vector<Candidate>& found = scratch;
    moves(found);
    assert(!found.empty());
    if (player != CHANCE) return found[random.below(std::uint32_t(found.size()))].code;
    float total = 0;
    for (const auto& candidate : found) total += candidate.weight;
    float rest = random.unit() * total;
    std::size_t i = 0;
    while (i + 1 < found.size() && rest >= found[i].weight) rest -= found[i++].weight;
    return found[i].code;
}

}  // namespace tegel::imago
