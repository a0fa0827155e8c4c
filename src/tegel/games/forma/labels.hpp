// Forma: labels of corners, which say whether so many bridges can be chosen together, by
// elimination as bridges.py has it and explains it.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
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

// A set of labels: label (west, north) is bit north * stride + west. One word is enough for
// what is met in play; a board full of squares needs eight.
template <int WORDS>
struct Labels {
    std::array<std::uint64_t, WORDS> words{};

    void add(int bit) { words[bit / 64] |= std::uint64_t(1) << bit % 64; }
    bool any() const {
        std::uint64_t some = 0;
        for (std::uint64_t word : words) some |= word;
        return some;
    }
    int count() const {
        int bits = 0;
        for (std::uint64_t word : words) bits += std::popcount(word);
        return bits;
    }
    Labels& operator&=(const Labels& other) {
        for (int i = 0; i < WORDS; ++i) words[i] &= other.words[i];
        return *this;
    }
    Labels& operator|=(const Labels& other) {
        for (int i = 0; i < WORDS; ++i) words[i] |= other.words[i];
        return *this;
    }
    bool within(const Labels& other) const {
        std::uint64_t more = 0;
        for (int i = 0; i < WORDS; ++i) more |= words[i] & ~other.words[i];
        return !more;
    }
    // By less than a word, downward and upward.
    Labels operator>>(int by) const {
        Labels moved;
        for (int i = 0; i < WORDS; ++i) {
            moved.words[i] = words[i] >> by;
            if (i + 1 < WORDS && by) moved.words[i] |= words[i + 1] << (64 - by);
        }
        return moved;
    }
    Labels operator<<(int by) const {
        Labels moved;
        for (int i = 0; i < WORDS; ++i) {
            moved.words[i] = words[i] << by;
            if (i && by) moved.words[i] |= words[i - 1] >> (64 - by);
        }
        return moved;
    }
    // Calls `each` with every label as a set of its own, in order.
    template <class Each>
    void singly(Each each) const {
        for (int i = 0; i < WORDS; ++i)
            for (std::uint64_t rest = words[i]; rest; rest &= rest - 1) {
                Labels one;
                one.words[i] = rest & -rest;
                each(one);
            }
    }
};

// The corners of the squares, numbered; all those of a foreign square have one number.
class Corners {
  public:
    int size;
    std::array<int, (WIDEST + 1) * (WIDEST + 1)> number;
    std::vector<std::array<int, 4>> squares;  // own ones, by the numbers of their corners
    std::vector<std::vector<int>> touching;   // own squares by corner

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

  private:
    // The corners of a square, clockwise from the north-west; rows count upward.
    std::array<int, 4> four(int x, int y) const {
        const int wide = size + 1;
        return {(y + 1) * wide + x, (y + 1) * wide + x + 1, y * wide + x + 1, y * wide + x};
    }
};

// Looks for labels that come from so many bridges southward and eastward.
template <int WORDS>
class Elimination {
  public:
    Elimination(const Corners& corners, int southward, int eastward)
        : corners(corners), southward(southward), eastward(eastward), stride(southward + 2) {
        assert(eastward * stride + southward < 64 * WORDS && stride + 1 < 64);
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

    bool succeeds() const {
        std::vector<int> trouble;
        for (const auto& all : corners.touching) trouble.push_back(int(all.size()));
        std::vector<std::pair<std::vector<Set>, int>> waiting;
        waiting.push_back({at_edges(), -1});
        std::vector<int> everything(corners.squares.size());
        for (std::size_t i = 0; i < everything.size(); ++i) everything[i] = int(i);
        while (!waiting.empty()) {
            auto [possible, chosen] = std::move(waiting.back());
            waiting.pop_back();
            if (!leaves(possible, chosen < 0 ? everything : corners.touching[chosen])) {
                if (chosen >= 0) trouble[chosen] += int(corners.touching[chosen].size());
                continue;
            }
            int corner = -1;
            double fewest = 0;
            for (std::size_t n = 0; n < possible.size(); ++n) {
                const int count = possible[n].count();
                if (count < 2) continue;
                const double worth = double(count) / trouble[n];
                if (corner < 0 || worth < fewest) corner = int(n), fewest = worth;
            }
            if (corner < 0) return true;
            possible[corner].singly([&](const Set& label) {
                waiting.push_back({possible, corner});
                waiting.back().first[corner] = label;
            });
        }
        return false;
    }

  private:
    using Set = Labels<WORDS>;

    const Corners& corners;
    int southward, eastward, stride;
    std::vector<std::array<int, 4>> shifts;  // how labels of a square's corners may differ

    // By corner, the labels that the edges allow.
    std::vector<Set> at_edges() const {
        Set full, west, east, north, south;
        for (int n = 0; n <= eastward; ++n)
            for (int w = 0; w <= southward; ++w) {
                const int bit = n * stride + w;
                full.add(bit);
                if (w == 0) west.add(bit);
                if (w == southward) east.add(bit);
                if (n == 0) north.add(bit);
                if (n == eastward) south.add(bit);
            }
        const int size = corners.size;
        std::vector<Set> possible(corners.touching.size(), full);
        for (int y = 0; y <= size; ++y)
            for (int x = 0; x <= size; ++x) {
                Set& labels = possible[corners.number[y * (size + 1) + x]];
                if (x == 0) labels &= west;
                if (x == size) labels &= east;
                if (y == 0) labels &= south;
                if (y == size) labels &= north;
            }
        return possible;
    }

    // Strikes out labels until nothing more can be; whether every corner keeps one.
    bool leaves(std::vector<Set>& possible, const std::vector<int>& changed) const {
        std::deque<int> queue(changed.begin(), changed.end());
        std::vector<char> queued(corners.squares.size(), 0);
        for (int square : changed) queued[square] = 1;
        while (!queue.empty()) {
            const int square = queue.front();
            queue.pop_front();
            queued[square] = 0;
            const auto& four = corners.squares[square];
            std::array<Set, 4> kept{};
            for (const auto& shift : shifts) {
                Set lowest = possible[four[0]] >> shift[0];
                for (int i = 1; i < 4; ++i) lowest &= possible[four[i]] >> shift[i];
                for (int i = 0; i < 4; ++i) kept[i] |= lowest << shift[i];
            }
            for (int i = 0; i < 4; ++i) {
                Set& labels = possible[four[i]];
                if (labels.within(kept[i])) continue;
                labels &= kept[i];
                if (!labels.any()) return false;
                for (int other : corners.touching[four[i]])
                    if (!queued[other]) queued[other] = 1, queue.push_back(other);
            }
        }
        return std::all_of(possible.begin(), possible.end(),
                           [](const Set& labels) { return labels.any(); });
    }
};

// Whether so many bridges southward and eastward can be chosen together.
inline bool labelled(const Corners& corners, int southward, int eastward) {
    constexpr int MOST_WORDS = 8;
    static_assert(WIDEST * (WIDEST + 2) + WIDEST < 64 * MOST_WORDS);
    if (eastward * (southward + 2) + southward < 64)
        return Elimination<1>(corners, southward, eastward).succeeds();
    return Elimination<MOST_WORDS>(corners, southward, eastward).succeeds();
}

}  // namespace tegel::forma
