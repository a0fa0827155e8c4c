// Forma: the most bridges that a set of squares makes, exactly, as bridges.py has it and
// explains it: labels of corners (labels.hpp); and quickly, each direction by itself.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "tegel/games/forma/labels.hpp"

namespace tegel::forma {

// A set of squares by rows.
using Rows = std::array<std::uint32_t, WIDEST>;

// The least number of squares to pay for on a way from the lowest row to the highest: free
// ones cost nothing, paid ones one each, others are shut. By sides, or by corners too; many
// if there is no way.
inline int toll(int size, const Rows& free, const Rows& paid, bool corners) {
    Rows reached{};
    for (int cost = 0; cost <= size * size; ++cost) {
        // One step onto paid squares, then as far as free ones lead.
        Rows next = reached;
        bool grew = false;
        for (int y = 0; y < size; ++y) {
            std::uint32_t near = reached[y] << 1 | reached[y] >> 1;
            for (int beside : {y - 1, y + 1})
                if (beside >= 0 && beside < size)
                    near |= corners ? reached[beside] << 1 | reached[beside] | reached[beside] >> 1
                                    : reached[beside];
            if (y == 0) near = ~0u;
            if (cost) next[y] |= near & paid[y];
            if (y == 0) next[y] |= free[y];
            grew |= next[y] != reached[y];
        }
        if (!grew && cost) break;
        for (bool spreading = true; spreading;) {
            spreading = false;
            for (int turn = 0; turn < 2 * size; ++turn) {  // up, then down
                const int y = turn < size ? turn : 2 * size - 1 - turn;
                std::uint32_t row = next[y];
                for (int beside : {y - 1, y + 1})
                    if (beside >= 0 && beside < size)
                        row |= free[y] &
                               (corners ? next[beside] << 1 | next[beside] | next[beside] >> 1
                                        : next[beside]);
                for (std::uint32_t before = 0; before != row;)
                    before = row, row |= free[y] & (row << 1 | row >> 1);
                if (row != next[y]) next[y] = row, spreading = true;
            }
        }
        reached = next;
        if (reached[size - 1]) return cost;
    }
    return size * size;
}

// The least number of own squares on a way from edge to edge by sides and corners: as many
// bridges there are across (Menger). From west to east it counts those southward.
inline int least(const Land& land, bool eastward) {
    Rows own{}, others{};
    for (int y = 0; y < land.size; ++y)
        for (int x = 0; x < land.size; ++x)
            (land.own[y][x] ? own : others)[eastward ? x : y] |= 1u << (eastward ? y : x);
    return toll(land.size, others, own, true);
}

// As many bridges as can be chosen together.
inline int most_bridges(const Land& land) {
    const int souths = least(land, true), easts = least(land, false);
    if (!souths || !easts) return souths + easts;
    const Corners corners(land);
    for (int sum = souths + easts; sum > 0; --sum)
        for (int south = std::max(0, sum - easts); south <= std::min(souths, sum); ++south)
            if (labelled(corners, south, sum - south)) return sum;
    return 0;
}

}  // namespace tegel::forma
