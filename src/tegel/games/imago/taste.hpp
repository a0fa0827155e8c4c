// What looks good in Imago: weights of moves for the search tree, quick choices for rollouts, and
// what an end is worth. No rule is here.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "tegel/games/imago/rules.hpp"
#include "tegel/games/imago/stones.hpp"
#include "tegel/search/board.hpp"

namespace tegel::imago {

// Captures first, then takes that leave the stock well matched and the opponent's badly.
inline void Board::consider(std::vector<Candidate>& candidates) {
    moves(candidates);
    if (player == CHANCE || candidates.size() < 2) return;
    for (Candidate& candidate : candidates) {
        const Act act = Act(candidate.code >> 14);
        if (act == CAPTURE) candidate.weight = 2.0f;
        if (act != TAKE) continue;
        Board after = *this;
        after.take(candidate.code);
        const Images own = after.images(player), theirs = after.images(1 - player);
        const Set all = after.stones();
        int loose = 9;  // stones around the image that is nearest to being isolated
        for (const Image& image : own)
            loose = std::min(loose, std::popcount(beside(image.hollows) & all));
        candidate.weight = (after.step == TAKEN ? 2.5f : 0.0f) - 0.25f * float(loose) +
                           0.1f * float(std::min(own.count, 6)) -
                           0.1f * float(std::min(theirs.count, 6));
    }
}

inline void Board::rollout(Random& random, Trace&) {
    while (!over()) {
        moves(scratch);
        std::uint32_t index = random.below(std::uint32_t(scratch.size()));
        // A capture doubles the stock: nobody forgoes it easily.
        if (player != CHANCE && !asked)
            for (std::uint32_t i = 0; i < scratch.size(); ++i)
                if (scratch[i].code >> 14 == CAPTURE && random.below(4)) index = i;
        play(Code(scratch[index].code));
    }
}

inline void Board::values(Values& wins, Values& values) const {
    Scores all{};
    scores(all);
    const float margin = float(all[0] - all[1]);
    wins[0] = margin > 0 ? 1.0f : margin < 0 ? 0.0f : 0.5f;
    wins[1] = 1 - wins[0];
    values[0] = 0.85f * wins[0] + 0.15f * (1 + std::tanh(margin / 8)) / 2;
    values[1] = 1 - values[0];
}

}  // namespace tegel::imago
