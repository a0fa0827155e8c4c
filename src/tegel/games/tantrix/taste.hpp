// What looks good in Tantrix: weights of moves for the search tree, quick choices for rollouts,
// and what an end is worth. No rule is here.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "tegel/games/tantrix/rules.hpp"
#include "tegel/games/tantrix/tiles.hpp"
#include "tegel/search/board.hpp"

namespace tegel::tantrix {

// How long a line of a colour a placement makes, a loop counting twice; 0 if it has none.
inline int Board::reach(Code code, int colour) const {
    const int place = int(code & 16383), mine = int(code >> 14 & 511);
    if (!(TABLES.colours[mine] >> colour & 1)) return 0;
    int side = 0, end = 0;
    while (TABLES.edges[mine][side] != colour) ++side;
    const int length = 1 + along(place, side, end);
    if (end == place) return 2 * length;
    return length + along(place, TABLES.across[mine][side], end);
}

// Moves weigh by the lines that they make: more if they are the best of their colour.
inline void Board::consider(std::vector<Candidate>& candidates) {
    moves(candidates);
    if (drawing() || choosing() || candidates.size() < 2 || !laid_count) return;
    std::array<int, MOST_SEATS> before{};
    for (int side = 0; side < teams; ++side) before[side] = points(colours[side]);
    for (Candidate& candidate : candidates)
        for (int side = 0; side < teams; ++side) {
            const int length = reach(candidate.code, colours[side]);
            const float gain =
                0.4f * float(std::max(0, length - before[side])) + 0.05f * float(length);
            candidate.weight += side == seat % teams ? gain : -0.7f * gain / float(teams - 1);
        }
}

inline void Board::rollout(Random& random, Trace&) {
    static thread_local std::vector<Candidate> found;
    while (!ended) {
        if (drawing()) {
            play(drawn(random));
            continue;
        }
        moves(found);
        // The best of three: cells where the own colour comes in, the others' do not.
        Code best = found[0].code;
        if (found.size() > 1 && laid_count && !choosing()) {
            int most = -99;
            const int own = colours[seat % teams] + 1;
            for (int tries = 0; tries < 3; ++tries) {
                const Code code = found[random.below(std::uint32_t(found.size()))].code;
                int liking = 0;
                for (std::uint32_t seen = faces(int(code & 16383)); seen; seen >>= 3) {
                    const int colour = int(seen & 7);
                    if (!colour) continue;
                    if (colour == own) liking += 3;
                    else
                        for (int side = 0; side < teams; ++side)
                            liking -= colours[side] + 1 == colour;
                }
                if (liking > most) most = liking, best = code;
            }
        } else if (found.size() > 1) {
            best = found[random.below(std::uint32_t(found.size()))].code;
        }
        play(best);
    }
}

// The win, shared among those who win, and a little for the margin; a deadlock is a draw.
inline void Board::values(Values& wins, Values& values) const {
    Scores all{};
    scores(all);
    int best = 0, winners = 0, sum = 0;
    for (int side = 0; side < teams; ++side) best = std::max(best, all[side]), sum += all[side];
    for (int side = 0; side < teams; ++side) winners += bag || all[side] == best;
    for (int i = 0; i < count; ++i) {
        const int own = all[i % teams];
        const float margin = float(own) - float(sum - own) / float(teams - 1);
        wins[i] = bag || own == best ? 1.0f / float(winners) : 0.0f;
        values[i] = 0.7f * wins[i] + 0.15f * (1 + std::tanh(margin / 8));
    }
}

}  // namespace tegel::tantrix
