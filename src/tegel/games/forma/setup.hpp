// Setting up the board of Forma: the same law as layout.py.
//
// Chance draws who begins, and where the layout is drawn also the tower, how many obstacles there
// are, and these; else the starting player puts pieces up and takes them away until it is done.
#pragma once

#include <cassert>
#include <cstdint>
#include <vector>

#include "tegel/games/forma/rules.hpp"
#include "tegel/search/board.hpp"

namespace tegel::forma {

inline int Board::obstacles() const {
    int found = 0;
    for (int square = 0; square < size * STRIDE; ++square)
        found += (standing[ORIGIN + square] & OBSTACLE) != 0;
    return found;
}

// Visits the squares where a piece may stand: nothing that stands touches it, at a side or a
// corner, and the tower does not stand at an edge.
template <class Visit>
inline void Board::room(bool for_tower, Visit visit) const {
    const int edge = for_tower ? 1 : 0;
    for (int y = edge; y < size - edge; ++y)
        for (int x = edge; x < size - edge; ++x) {
            const std::uint8_t* here = &standing[ORIGIN + y * STRIDE + x];
            int touched = 0;
            for (int row : {-STRIDE, 0, STRIDE})
                for (int column : {-1, 0, 1}) touched |= here[row + column] & ~OFF;
            if (!touched) visit(y * STRIDE + x);
        }
}

inline void Board::arrangements(std::vector<Candidate>& found) const {
    const auto add = [&](int what, int number = 0) {
        found.push_back({Code(what) << PLACE_BITS | Code(number), float(turn() == CHANCE)});
    };
    if (seat == CHANCE) {
        for (int who = 0; who < count; ++who) add(BEGINS, who);
    } else if (stage == DRAWN) {
        if (tower < 0) room(true, [&](int square) { add(TOWER_DRAWN, square); });
        else if (wanted < 0)
            for (int many = 0; many <= OBSTACLES; ++many) add(MANY, many);
        else room(false, [&](int square) { add(OBSTACLE_DRAWN, square); });
    } else {
        if (obstacles() < OBSTACLES) room(false, [&](int square) { add(PUT_OBSTACLE, square); });
        if (tower < 0) room(true, [&](int square) { add(PUT_TOWER, square); });
        for (int square = 0; square < size * STRIDE; ++square)
            if (standing[ORIGIN + square] == OBSTACLE || standing[ORIGIN + square] == THE_TOWER)
                add(REMOVE, square);
        if (tower >= 0) add(DONE);
    }
}

inline void Board::arrange(Code code) {
    const int number = int(code & (PLACES - 1));
    switch (code >> PLACE_BITS) {
        case BEGINS: seat = number; break;
        case MANY: wanted = number; break;
        case PUT_TOWER:
        case TOWER_DRAWN:
            take(number, THE_TOWER);
            tower = number;
            break;
        case PUT_OBSTACLE:
        case OBSTACLE_DRAWN: take(number, OBSTACLE); break;
        case REMOVE:
            if (number == tower) tower = -1;
            at(number) = 0;
            for (int step : SIDES) ++open[ORIGIN + number + step];
            break;
        default: stage = READY;
    }
    set_out();
}

// The play begins once all stands that should. (Nothing is left to draw only on small boards.)
inline void Board::set_out() {
    if (stage == DRAWN && seat != CHANCE) {
        bool left = false;
        room(tower < 0, [&](int) { left = true; });
        if ((tower >= 0 && obstacles() == wanted) || (!left && (tower < 0 || wanted >= 0)))
            stage = READY;
    }
    ended = ready() && !can_place(seat);
}

// What to do in the set-up without thinking: the tower, half of the obstacles, and no more.
inline Code Board::arrangement(Random& random) const {
    static thread_local std::vector<Candidate> found;
    found.clear();
    arrangements(found);
    assert(!found.empty());
    if (turn() != CHANCE) {
        if (tower >= 0 && obstacles() >= OBSTACLES / 2) return Code(DONE) << PLACE_BITS;
        const Code wanted = tower < 0 ? PUT_TOWER : PUT_OBSTACLE;
        std::erase_if(found,
                      [=](const Candidate& move) { return move.code >> PLACE_BITS != wanted; });
        if (found.empty()) arrangements(found);
    }
    return found[random.below(std::uint32_t(found.size()))].code;
}

}  // namespace tegel::forma
