// Forma: the most bridges that a set of squares makes, exactly, as bridges.py has it and
// explains it: labels of corners, by elimination; and quickly, each direction by itself.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

namespace tegel::forma {

constexpr int WIDEST = 20;

struct Land {
    int size;
    std::array<std::array<bool, WIDEST>, WIDEST> own;  // by row and column
};

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
                        row |= free[y] & (corners ? next[beside] << 1 | next[beside] |
                                                        next[beside] >> 1
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

using Labels = std::uint64_t;  // a set: label (west, north) is bit north * stride + west

class Corners {
  public:
    explicit Corners(const Land& land) : size(land.size) {
        number.fill(-1);
        int count = 0;
        std::array<std::array<bool, WIDEST>, WIDEST> seen{};
        for (int y = 0; y < size; ++y)
            for (int x = 0; x < size; ++x) {
                if (land.own[y][x] || seen[y][x]) continue;
                std::vector<std::pair<int, int>> part{{x, y}};
                seen[y][x] = true;
                while (!part.empty()) {
                    const auto [a, b] = part.back();
                    part.pop_back();
                    for (int corner : four(a, b)) number[corner] = count;
                    for (int v = std::max(0, b - 1); v <= std::min(size - 1, b + 1); ++v)
                        for (int u = std::max(0, a - 1); u <= std::min(size - 1, a + 1); ++u)
                            if (!land.own[v][u] && !seen[v][u])
                                seen[v][u] = true, part.push_back({u, v});
                }
                ++count;
            }
        for (int corner = 0; corner < (size + 1) * (size + 1); ++corner)
            if (number[corner] < 0) number[corner] = count++;
        touching.resize(std::size_t(count));
        for (int y = 0; y < size; ++y)
            for (int x = 0; x < size; ++x) {
                if (!land.own[y][x]) continue;
                std::array<int, 4> corners = four(x, y);
                for (int& corner : corners) corner = number[corner];
                for (int i = 0; i < 4; ++i)
                    if (std::find(corners.begin(), corners.begin() + i, corners[i]) ==
                        corners.begin() + i)
                        touching[corners[i]].push_back(int(squares.size()));
                squares.push_back(corners);
            }
    }

    // Whether there are labels that come from so many bridges southward and eastward.
    bool labelled(int southward, int eastward) {
        stride = southward + 2;
        patterns();
        std::vector<int> trouble;
        for (const auto& all : touching) trouble.push_back(int(all.size()));
        std::vector<std::pair<std::vector<Labels>, int>> waiting;
        waiting.push_back({at_edges(southward, eastward), -1});
        std::vector<int> everything(squares.size());
        for (std::size_t i = 0; i < squares.size(); ++i) everything[i] = int(i);
        while (!waiting.empty()) {
            auto [possible, chosen] = std::move(waiting.back());
            waiting.pop_back();
            if (!leaves(possible, chosen < 0 ? everything : touching[chosen])) {
                if (chosen >= 0) trouble[chosen] += int(touching[chosen].size());
                continue;
            }
            int corner = -1;
            double fewest = 0;
            for (std::size_t n = 0; n < possible.size(); ++n) {
                if (!(possible[n] & (possible[n] - 1))) continue;
                const double worth = double(std::popcount(possible[n])) / trouble[n];
                if (corner < 0 || worth < fewest) corner = int(n), fewest = worth;
            }
            if (corner < 0) return true;
            for (Labels rest = possible[corner]; rest; rest &= rest - 1) {
                waiting.push_back({possible, corner});
                waiting.back().first[corner] = rest & -rest;
            }
        }
        return false;
    }

  private:
    int size, stride = 0;
    std::array<int, (WIDEST + 1) * (WIDEST + 1)> number;
    std::vector<std::array<int, 4>> squares;  // own ones, by the numbers of their corners
    std::vector<std::vector<int>> touching;   // own squares by corner
    std::vector<std::array<int, 4>> shifts;   // how labels of a square's corners may differ

    // The corners of a square, clockwise from the north-west; rows count upward.
    std::array<int, 4> four(int x, int y) const {
        const int wide = size + 1;
        return {(y + 1) * wide + x, (y + 1) * wide + x + 1, y * wide + x + 1, y * wide + x};
    }

    void patterns() {
        shifts.clear();
        for (int bits = 0; bits < 15; ++bits) {
            if (bits == 5 || bits == 10) continue;  // no square carries two of one direction
            std::array<int, 4> west, north;
            for (int i = 0; i < 4; ++i) west[i] = bits >> i & 1, north[i] = west[i] * stride;
            shifts.push_back(west);
            if (bits) shifts.push_back(north);
        }
        const std::array<int, 4> ring{0, 1, stride + 1, stride};
        for (int turn = 0; turn < 4; ++turn) {
            std::array<int, 4> turned;
            for (int i = 0; i < 4; ++i) turned[i] = ring[(i + turn) % 4];
            shifts.push_back(turned);
        }
    }

    std::vector<Labels> at_edges(int southward, int eastward) const {
        Labels full = 0, west = 0, east = 0, north = 0, south = 0;
        for (int n = 0; n <= eastward; ++n)
            for (int w = 0; w <= southward; ++w) {
                const Labels bit = Labels(1) << (n * stride + w);
                full |= bit;
                if (w == 0) west |= bit;
                if (w == southward) east |= bit;
                if (n == 0) north |= bit;
                if (n == eastward) south |= bit;
            }
        std::vector<Labels> possible(touching.size(), full);
        for (int y = 0; y <= size; ++y)
            for (int x = 0; x <= size; ++x) {
                Labels& labels = possible[number[y * (size + 1) + x]];
                if (x == 0) labels &= west;
                if (x == size) labels &= east;
                if (y == 0) labels &= south;
                if (y == size) labels &= north;
            }
        return possible;
    }

    // Strikes out labels until nothing more can be; whether every corner keeps one.
    bool leaves(std::vector<Labels>& possible, const std::vector<int>& changed) const {
        std::deque<int> queue(changed.begin(), changed.end());
        std::vector<char> queued(squares.size(), 0);
        for (int square : changed) queued[square] = 1;
        while (!queue.empty()) {
            const int square = queue.front();
            queue.pop_front();
            queued[square] = 0;
            const auto& corners = squares[square];
            std::array<Labels, 4> kept{};
            for (const auto& shift : shifts) {
                Labels lowest = ~Labels(0);
                for (int i = 0; i < 4; ++i) lowest &= possible[corners[i]] >> shift[i];
                for (int i = 0; i < 4; ++i) kept[i] |= lowest << shift[i];
            }
            for (int i = 0; i < 4; ++i) {
                Labels& labels = possible[corners[i]];
                if (!(labels & ~kept[i])) continue;
                labels &= kept[i];
                if (!labels) return false;
                for (int other : touching[corners[i]])
                    if (!queued[other]) queued[other] = 1, queue.push_back(other);
            }
        }
        return std::all_of(possible.begin(), possible.end(), [](Labels all) { return all; });
    }
};

// As many bridges as can be chosen together.
inline int most_bridges(const Land& land) {
    const int souths = least(land, true), easts = least(land, false);
    if (!souths || !easts) return souths + easts;
    Corners corners(land);
    for (int sum = souths + easts; sum > 0; --sum)
        for (int south = std::max(0, sum - easts); south <= std::min(souths, sum); ++south)
            if (corners.labelled(south, sum - south)) return sum;
    return 0;
}

}  // namespace tegel::forma
