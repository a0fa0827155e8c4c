// What looks good in Forma: which of tens of thousands of placements to look at, quick choices
// for rollouts, and what a position is worth. No rule is here.
//
// - a dent is a free square with one open side: whoever moves next closes it;
// - the pool is, by seat, the most promising placements of every tile at the root of a search.
//   A move changes little of the board, so below the root they are looked at again, together
//   with all placements that close a dent, instead of all there are.
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "tegel/games/forma/bridges.hpp"
#include "tegel/games/forma/rules.hpp"
#include "tegel/games/forma/setup.hpp"
#include "tegel/polyominoes.hpp"
#include "tegel/search/board.hpp"

namespace tegel::forma {

constexpr float DENT = 3;           // points that a dent is worth to whoever comes next
constexpr std::size_t OF_TILE = 24; // placements of each tile in a pool
constexpr std::size_t WIDEST_LIST = 160;
constexpr int FORESIGHT = 4;        // plies of a rollout
constexpr float LIKELY_BRIDGE =
    80; // points for what is nearly a bridge: there may be more than one

// How good a placement looks at once, in points: what it brings and denies, less what it offers.
inline float Board::promise(Code code) const {
    const Form& form = TABLES.forms[code >> PLACE_BITS];
    const int base = ORIGIN + int(code & (PLACES - 1));
    float sum = float(form.size);
    int own = 0;
    for (int i = 0; i < form.size; ++i)
        if (open[base + form.cells[i]] == 1) sum += DENT;
    for (int i = 0; i < form.sides; ++i) {
        const int square = base + form.beside[i], what = standing[square];
        const int before = open[square], still = before - form.contacts[i];
        if (!what) {
            if (still == 0) sum += before == 1 ? CLOSED + DENT : CLOSED;
            else if (still == 1) sum -= DENT;
        } else if ((what & SEAT) == seat + 1) {
            ++own;
        } else if (what == THE_TOWER && closer < 0) {
            if (still == 0) sum += before == 1 ? 1.7f * TOWER : TOWER;
            else if (still == 1) sum -= 0.7f * TOWER;
        } else if (what == OBSTACLE) {
            int mine = form.contacts[i], others = 0;
            for (int step : SIDES) {
                const int beyond = standing[square + step];
                if (beyond == OFF) ++mine;
                else if (beyond) (beyond & SEAT) == seat + 1 ? ++mine : ++others;
            }
            if (mine == 4) sum += CLOSED;
            else if (!others) sum += float(mine);
            else if (mine == form.contacts[i] && mine + others == 4) sum += 5;  // denied
        }
    }
    return sum + 0.5f * float(own > 0);
}

// Visits the placements of tiles in hand that cover a free square, and fit.
template <class Visit>
inline void Board::through(int square, Visit visit) const {
    std::uint32_t held = 0;
    for (int tile = 0; tile < TILES; ++tile) held |= std::uint32_t(hands[seat][tile] > 0) << tile;
    for (std::size_t i = 0; i < TABLES.growths.size();) {
        const Growth& growth = TABLES.growths[i];
        if (standing[ORIGIN + square + growth.offset] || !(growth.below & held)) {
            i = std::size_t(growth.skip);
            continue;
        }
        if (held >> growth.tile & 1) visit(Code(growth.code + square));
        ++i;
    }
}

// The squares that close a dent, or the tower, when they are taken.
inline void Board::dents(std::vector<int>& squares) const {
    squares.clear();
    const int last = ORIGIN + size * STRIDE;
    auto add = [&](int square) {
        for (int step : SIDES)
            if (!standing[square + step] &&
                std::find(squares.begin(), squares.end(), square + step - ORIGIN) == squares.end())
                squares.push_back(square + step - ORIGIN);
    };
    for (int square = ORIGIN; square < last; ++square)
        if (open[square] == 1 && !standing[square]) add(square);
    if (tower >= 0 && closer < 0 && open[ORIGIN + tower] == 1) add(ORIGIN + tower);
}

inline void Board::tidy() {
    pool = nullptr;
    if (ended || !ready()) return;
    Board seen = *this;
    seen.misfit = false;
    auto fresh = std::make_shared<Pool>();
    std::vector<Candidate> found;
    auto better = [](const Candidate& a, const Candidate& b) {
        return a.weight != b.weight ? a.weight > b.weight : a.code < b.code;
    };
    for (int who = 0; who < count; ++who) {
        seen.seat = who;
        seen.moves(found);  // tile by tile
        for (Candidate& candidate : found) candidate.weight = seen.promise(candidate.code);
        for (auto first = found.begin(); first != found.end();) {
            const int tile = TABLES.forms[first->code >> PLACE_BITS].tile;
            const auto last = std::find_if(first, found.end(), [&](const Candidate& candidate) {
                return TABLES.forms[candidate.code >> PLACE_BITS].tile != tile;
            });
            const auto kept = first + std::min<std::ptrdiff_t>(OF_TILE, last - first);
            std::partial_sort(first, kept, last, better);
            for (; first != kept; ++first) (*fresh)[who].push_back(first->code);
            first = last;
        }
    }
    pool = std::move(fresh);
}

inline void Board::consider(std::vector<Candidate>& candidates) {
    if (!ready()) {
        moves(candidates);
        std::erase_if(candidates, [](const Candidate& move) { return idle(move.code); });
        return;
    }
    candidates.clear();
    if (pool) {
        static thread_local std::vector<int> squares;
        for (Code code : (*pool)[seat])
            if (hands[seat][TABLES.forms[code >> PLACE_BITS].tile] > 0 && fits(code))
                candidates.push_back({code, 0});
        dents(squares);
        for (int square : squares)
            through(square, [&](Code code) { candidates.push_back({code, 0}); });
        std::sort(candidates.begin(), candidates.end(),
                  [](const Candidate& a, const Candidate& b) { return a.code < b.code; });
        candidates.erase(std::unique(candidates.begin(), candidates.end(),
                                     [](const Candidate& a, const Candidate& b) {
                                         return a.code == b.code;
                                     }),
                         candidates.end());
        if (misfit) candidates.push_back({DECLINE, 0});
    }
    if (candidates.size() < 12) moves(candidates);
    for (Candidate& candidate : candidates)
        candidate.weight = candidate.code == DECLINE ? -9.0f : promise(candidate.code) / 6;
    if (pool && candidates.size() > WIDEST_LIST) {
        std::nth_element(candidates.begin(), candidates.begin() + WIDEST_LIST, candidates.end(),
                         [](const Candidate& a, const Candidate& b) {
                             return a.weight != b.weight ? a.weight > b.weight : a.code < b.code;
                         });
        candidates.resize(WIDEST_LIST);
    }
}

// Any placement over a square of a tile in hand that fits; NOTHING if the draw fails.
inline Code Board::around(int square, Random& random) const {
    if (standing[ORIGIN + square]) return NOTHING;
    for (int tries = 0; tries < 12; ++tries) {
        const int number = int(random.below(FORMS));
        const Form& form = TABLES.forms[number];
        if (hands[seat][form.tile] <= 0) continue;
        const int base = square - form.cells[random.below(std::uint32_t(form.size))];
        if (base < 0) continue;
        const Code code = Code(number) << PLACE_BITS | Code(base);
        if (fits(code)) return code;
    }
    return NOTHING;
}

// The best of some placements: those that close a dent, some of the pool, and some anywhere.
inline Code Board::hasty(Random& random) {
    Code best = NOTHING;
    float most_promise = -1e9f;
    auto weigh = [&](Code code) {
        if (code == NOTHING) return;
        const float here = promise(code) + random.unit();
        if (here > most_promise) most_promise = here, best = code;
    };
    static thread_local std::vector<int> squares;
    dents(squares);
    const auto many = std::uint32_t(squares.size());
    for (std::uint32_t i = 0; i < std::min(many, 2u); ++i)
        through(squares[random.below(many)], weigh);
    if (pool && !(*pool)[seat].empty())
        for (int tries = 0; tries < 8; ++tries) {
            const Code code = (*pool)[seat][random.below(std::uint32_t((*pool)[seat].size()))];
            if (hands[seat][TABLES.forms[code >> PLACE_BITS].tile] > 0 && fits(code)) weigh(code);
        }
    for (int tries = 0; tries < 6; ++tries)
        weigh(around(int(random.below(std::uint32_t(size * STRIDE))), random));
    if (best != NOTHING) return best;
    for (int tile = TILES - 1; tile >= 0; --tile)
        if (hands[seat][tile] > 0 && somewhere(tile)) return witness[tile];
    assert(false && "who is to move can place");
    return NOTHING;
}

inline void Board::rollout(Random& random, Trace&) {
    while (!ready()) play(arrangement(random));
    for (int ply = 0; !ended && ply < FORESIGHT; ++ply) play(hasty(random));
}

// The fewest squares that still part a seat from a bridge, eastward or northward.
inline int Board::gap(int who, bool eastward) const {
    Rows own{}, free{};
    for (int y = 0; y < size; ++y)
        for (int x = 0; x < size; ++x) {
            const int what = standing[ORIGIN + y * STRIDE + x];
            const std::uint32_t bit = 1u << (eastward ? y : x);
            if ((what & SEAT) == who + 1) own[eastward ? x : y] |= bit;
            else if (!what) free[eastward ? x : y] |= bit;
        }
    return toll(size, own, free, false);
}

// What scores to expect: exact at the end, before it with what may still come.
inline void Board::expect(Expected& scores) const {
    if (ended) {
        Scores all{};
        this->scores(all);
        for (int who = 0; who < count; ++who) scores[who] = float(all[who]);
        return;
    }
    int free = 0, tiles = 0;
    for (int square = 0; square < size * STRIDE; ++square) free += !standing[ORIGIN + square];
    for (int who = 0; who < count; ++who) tiles += left(who);
    const float fitting = std::min(1.0f, 0.85f * float(free) / float(std::max(1, tiles)));
    for (int who = 0; who < count; ++who) {
        scores[who] =
            float(points[who] + TOWER * (closer == who)) + float(left(who)) * (2 * fitting - 1);
        for (bool eastward : {false, true})
            scores[who] += LIKELY_BRIDGE * std::exp(-float(gap(who, eastward)) / 6);
    }
}

inline void Board::judge(Values& wins, Values& values, Expected& scores) const {
    expect(scores);
    const float best = *std::max_element(scores.begin(), scores.begin() + count);
    float shares = 0, sum = 0;
    for (int who = 0; who < count; ++who) {
        wins[who] = ended ? float(scores[who] == best) : std::exp((scores[who] - best) / 40);
        shares += wins[who];
        sum += scores[who];
    }
    for (int who = 0; who < count; ++who) {
        const float margin = scores[who] - (sum - scores[who]) / float(count - 1);
        wins[who] /= shares;
        values[who] = 0.7f * wins[who] + 0.15f * (1 + std::tanh(margin / 80));
    }
}

inline void Board::values(Values& wins, Values& values) const {
    Expected scores{};
    judge(wins, values, scores);
}

}  // namespace tegel::forma
