// What looks good in Blokus: how promising moves are, for the search tree, and what an end
// is worth. No rule is here; the weights are learned (see bench/priors.py).
//
// What is seen of a move is the sum of what is seen of the squares it covers, those beside
// it, and those at its corners. So in one position a square has one weight in each of these
// roles, and a move is as promising as the weights of its squares together.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "tegel/games/blokus/rules.hpp"
#include "tegel/games/blokus/weights.hpp"
#include "tegel/polyominoes.hpp"
#include "tegel/search/board.hpp"

namespace tegel::blokus {

enum Feature {
    // squares covered
    DENIED,       // rivals' corners
    DENIED_NEW,   // 1 if opened since the mover's last turn
    DENIED_ROOM,  // squares free to the rival around them
    HAMPERED,     // rivals' corners beside the square
    FRIENDLY,     // corners of the own side's other colour
    WASTED,       // own corners
    SAFE,         // closed to all rivals
    MIDDLE,       // how near to the centre, 0 to 1
    // squares beside the tile
    CROWDED,      // rivals' corners
    CLOSED,       // own corners
    SPENT,        // free to the mover until now
    TOUCHED,      // rivals' squares
    SHIELDED,     // squares of the own side's other colour
    // new corners of the own colour
    OPENED,
    AHEAD,        // squares free around them
    STUCK,        // 1 if there is none
    CONTESTED,    // 1 if it is a rival's corner too, or lies beside a rival's square
    SECURE,       // 1 if it is closed to all rivals
    CENTRAL,      // how near to the centre, 0 to 1
    FEATURES
};
static_assert(sizeof(WEIGHTS[0][0]) / sizeof(float) == FEATURES + TILES);

// The part of what is played for that is the margin, and the margin that counts as large.
constexpr float BONUS = 0.35f, LARGE = 30;

// On the large board a colour's first tiles hurry ahead: only large ones are considered, whose
// new corners come as near to the centre as any, or nearly. Rollouts can't tell yet that who
// comes late finds the middle taken.
constexpr int HURRIED = 3;  // tiles
constexpr float NEARLY = 1; // squares

// How promising the moves of the colour to move are.
class Taste {
  public:
    explicit Taste(const Board& board)
        : board(board), mine(board.colour), against(board.rivals[mine]), with(board.partners[mine]),
          weights(WEIGHTS[board.rules.size < 20][board.phase()]) {
        for (auto& role : known) role.fill(UNKNOWN);
        for (int of = 0; of < board.rules.colours; ++of) {
            const Corners& met = board.field.corners[of];
            for (int i = met.fresh; i < met.count && (against >> of & 1); ++i)
                mark(fresh, met.squares[i]);
        }
    }

    float operator()(Code code) {
        const Form& form = TABLES.forms[code >> PLACE_BITS];
        float sum = weights[FEATURES + form.tile];
        each(code, [&](int role, int square) {
            float& weight = known[role][square];
            if (weight == UNKNOWN) {
                weight = 0;
                facts(role, square,
                      [&](int feature, float amount) { weight += weights[feature] * amount; });
            }
            sum += weight;
        });
        return sum;
    }

    // How many squares its new corners come towards the centre, from the edge.
    float ahead(Code code) const {
        float nearest = 0;
        each(code, [&](int role, int square) {
            if (role == CORNER && !(board.ground[square] & 0x11 << mine))
                nearest = std::max(nearest, central(square));
        });
        return nearest * float(board.rules.size - 1) / 2;
    }

    std::vector<float> seen(Code code) const {
        std::vector<float> seen(FEATURES + TILES);
        seen[FEATURES + TABLES.forms[code >> PLACE_BITS].tile] = 1;
        each(code, [&](int role, int square) {
            facts(role, square, [&](int feature, float amount) { seen[feature] += amount; });
        });
        return seen;
    }

  private:
    enum Role { COVERED, BESIDE, CORNER, ROLES };
    static constexpr float UNKNOWN = 1e9f;

    const Board& board;
    const int mine;
    const int against, with;  // sets of colours
    const float* const weights;
    Rows fresh{};  // rivals' corners opened since the mover's last turn
    std::array<std::array<float, ROOM>, ROLES> known;

    template <class Each>
    static void each(Code code, Each each) {
        const Form& form = TABLES.forms[code >> PLACE_BITS];
        const int base = ORIGIN + int(code & PLACE);
        for (int i = 0; i < form.size; ++i) each(COVERED, base + form.cells[i]);
        for (int i = 0; i < form.sides; ++i) each(BESIDE, base + form.beside[i]);
        for (int i = 0; i < form.corners; ++i) each(CORNER, base + form.diagonal[i]);
    }

    // The colours of a set that have an open corner there.
    int corners(int square, int of) const {
        return (board.ground[square] >> 4) & ~board.ground[square] & of;
    }
    bool is(int square, int of) const { return of << 1 >> board.owner[square] & 1; }
    // How many squares around are free to a colour.
    int room(int square, int of) const {
        int free = 0;
        for (int step : STEPS) free += !(board.ground[square + step] >> of & 1);
        return free;
    }
    float central(int square) const {
        const int number = square - ORIGIN, last = board.rules.size - 1;
        const int x = std::abs(2 * (number % STRIDE) - last),
                  y = std::abs(2 * (number / STRIDE) - last);
        return 1 - float(std::max(x, y)) / float(last);
    }

    template <class Add>
    void facts(int role, int square, Add add) const {
        const int ground = board.ground[square];
        if (role == COVERED) {
            if (const int denied = corners(square, against)) {
                add(DENIED, float(std::popcount(unsigned(denied))));
                add(DENIED_NEW, float(has(fresh, square - ORIGIN)));
                for (int of = 0; of < COLOURS; ++of)
                    if (denied >> of & 1) add(DENIED_ROOM, float(room(square, of)));
            }
            for (int step : STEPS) add(HAMPERED, float(corners(square + step, against) != 0));
            add(FRIENDLY, float(corners(square, with) != 0));
            add(WASTED, float(ground >> (4 + mine) & 1));
            add(SAFE, float((ground & against) == against));
            add(MIDDLE, central(square));
        } else if (role == BESIDE) {
            add(CROWDED, float(std::popcount(unsigned(corners(square, against)))));
            add(CLOSED, float(corners(square, 1 << mine) != 0));
            add(SPENT, float(!(ground >> mine & 1)));
            add(TOUCHED, float(is(square, against)));
            add(SHIELDED, float(is(square, with)));
        } else if (!(ground & 0x11 << mine)) {
            bool contested = corners(square, against);
            for (int step : STEPS) contested |= is(square + step, against);
            const int free = room(square, mine);
            add(OPENED, 1);
            add(AHEAD, float(free));
            add(STUCK, float(free == 0));
            add(CONTESTED, float(contested));
            add(SECURE, float((ground & against) == against));
            add(CENTRAL, central(square));
        }
    }
};

inline int Board::phase() const {
    const int tiles = field.placed(colour);
    return tiles < 4 ? 0 : tiles < 9 ? 1 : 2;
}

inline std::vector<float> Board::seen(Code code) const { return Taste(*this).seen(code); }

inline void Board::consider(std::vector<Candidate>& candidates) {
    moves(candidates);
    Taste taste(*this);
    if (hurries && rules.size == 20 && field.placed(colour) < HURRIED) {
        float best = -1;
        for (Candidate& candidate : candidates) {
            const bool large = TABLES.forms[candidate.code >> PLACE_BITS].size == 5;
            candidate.weight = large ? taste.ahead(candidate.code) : -1;
            best = std::max(best, candidate.weight);
        }
        std::erase_if(candidates,
                      [&](const Candidate& move) { return move.weight < best - NEARLY; });
    }
    for (Candidate& candidate : candidates) candidate.weight = taste(candidate.code);
}

// The win is shared among those who win.
inline void Board::values(Values& wins, Values& values) const {
    Scores all{};
    scores(all);
    const int sides = rules.sides;
    int best = all[0], winners = 0, sum = 0;
    for (int side = 0; side < sides; ++side) best = std::max(best, all[side]), sum += all[side];
    for (int side = 0; side < sides; ++side) winners += all[side] == best;
    for (int seat = 0; seat < rules.seats; ++seat) {
        const int own = all[seat % sides];
        const float margin = float(own) - float(sum - own) / float(sides - 1);
        wins[seat] = own == best ? 1.0f / float(winners) : 0.0f;
        const float share = (1 + std::tanh(margin / LARGE)) / 2;
        values[seat] = (1 - BONUS) * wins[seat] + BONUS * share;
    }
}

}  // namespace tegel::blokus
