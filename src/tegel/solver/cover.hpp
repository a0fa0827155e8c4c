// Exact cover with multiplicities and colours.
//
// An *item* wants between `least` and `most` of the chosen *options* to hold it. An option
// holds each of its items in a colour: colour 0 takes the item for this option alone; options
// that hold an item in the same colour > 0 share it, and count once together (Knuth's
// coloured items).
//
// The search branches on the item with the fewest ways left, tries the options that hold it
// one by one, and drops each from the rest of that branch once tried, so that every solution
// comes exactly once. It runs in slices: `run(nodes)` returns when a solution stands, when
// there are no more, or when that many nodes have been visited, and goes on when called again.
//
// Sets of options are bits, and what changes is copied at every choice instead of undone:
// counting the 6 x 10 pentominoes takes a third of the time of linked or swapped lists.
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "tegel/require.hpp"
#include "tegel/solver/chance.hpp"

namespace tegel::solver {

enum class Status { PAUSED, FOUND, DONE };

class Cover {
  public:
    using Holding = std::pair<int, int>;  // an item, and the colour it is held in

    Cover(const std::vector<int>& least, const std::vector<int>& most,
          const std::vector<std::vector<Holding>>& options)
        : words((options.size() + 63) / 64), weight(options.size()) {
        require(least.size() == most.size(), "as many least as most");
        root.alive.resize(words);
        for (std::size_t item = 0; item < least.size(); ++item) {
            require(least[item] >= 0 && most[item] >= 0, "an item is not wanted less than never");
            root.items.push_back({0, least[item], most[item], 0});
            if (least[item] > 0) wanting.push_back(int(item));
        }
        holders.resize(least.size(), Set(words));
        for (std::size_t option = 0; option < options.size(); ++option) {
            first.push_back(holdings.size());
            add(root.alive, option);
            for (const auto& [item, colour] : options[option]) {
                require(item >= 0 && std::size_t(item) < least.size(), "there is no such item");
                ++root.items[item].size;
                add(holders[item], option);
                if (colour > 0)
                    add(painters.try_emplace({item, colour}, words).first->second, option);
                holdings.push_back({item, colour});
            }
        }
        first.push_back(holdings.size());
    }

    // Begin again. Seed 0 tries options in the order given; with another seed their order is
    // drawn, and an option of greater weight comes first the more surely the greater it is.
    void restart(std::uint64_t seed) {
        levels.clear();
        tries.clear();
        chosen.clear();
        chance = Chance(seed);
        shuffled = seed != 0;
        started = false;
    }

    void weigh(std::vector<double> weights) {
        require(weights.size() == weight.size(), "a weight an option");
        for (const double one : weights) require(std::isfinite(one), "a weight is finite");
        weight = std::move(weights);
    }

    Status run(std::uint64_t budget) {
        const std::uint64_t end = limit(budget);
        if (!started && begin()) return found();
        while (!levels.empty()) {
            if (nodes >= end) return Status::PAUSED;
            if (advance() && descend()) return found();
        }
        return Status::DONE;
    }

    // Go on counting solutions without stopping at each.
    Status count(std::uint64_t budget) {
        const std::uint64_t end = limit(budget);
        Status status = Status::FOUND;
        while (status == Status::FOUND) {
            if (nodes >= end) return Status::PAUSED;
            status = run(end - nodes);
        }
        return status;
    }

    // The size of the search tree as one random dive guesses it (Knuth 1975): right on
    // average. Begins again.
    double dive(std::uint64_t seed) {
        restart(seed);
        double ways = 1, sum = 1;
        bool good = !begin() && !levels.empty();
        while (good) {
            Level& level = levels.back();
            const int degree = level.end - level.next;
            ways *= degree;
            sum += ways;
            for (std::uint32_t skipped = chance.below(degree); good && skipped > 0; --skipped)
                good = remove(frames[levels.size() - 1], tries[level.next++]);
            good = good && choose(tries[level.next++]) && !descend();
        }
        restart(seed);
        return sum;
    }

    std::vector<int> solution() const { return chosen; }
    std::uint64_t visited() const { return nodes; }
    std::uint64_t solutions() const { return found_so_far; }

  private:
    using Set = std::vector<std::uint64_t>;  // of options
    struct Item {
        int size;         // how many living options hold it
        int least, room;  // how many it still needs, and may still have
        int colour;       // in which it is held
    };
    struct Frame {
        Set alive;
        std::vector<Item> items;
    };
    struct Level {
        int begin, next, end;  // the options to try, in tries
        bool holding;          // one of them is chosen
    };

    static void add(Set& set, std::size_t option) {
        set[option / 64] |= std::uint64_t(1) << option % 64;
    }

    template <class Each>
    static void each(std::uint64_t word, std::size_t index, Each&& visit) {
        for (; word; word &= word - 1) visit(int(index * 64 + std::countr_zero(word)));
    }

    std::uint64_t limit(std::uint64_t budget) const {
        return nodes + std::min(budget, std::numeric_limits<std::uint64_t>::max() - nodes);
    }

    Status found() {
        ++found_so_far;
        return Status::FOUND;
    }

    // Open the first level; true if nothing is wanted at all.
    bool begin() {
        started = true;
        if (frames.empty()) frames.push_back(root);
        frames[0] = root;
        const bool feasible = std::ranges::all_of(root.items, [](const Item& item) {
            return item.least <= std::min(item.size, item.room);
        });
        return feasible && descend();
    }

    // Open a level at the item with the fewest ways left; true if no item is in want.
    bool descend() {
        const Frame& frame = frames[levels.size()];
        int best = -1, fewest = std::numeric_limits<int>::max();
        for (const int item : wanting) {
            const Item& now = frame.items[item];
            const int ways = now.size - now.least;
            if (ways < fewest && now.least > 0) best = item, fewest = ways;
        }
        if (best < 0) return true;
        const int begin = int(tries.size());
        for (std::size_t k = 0; k < words; ++k)
            each(holders[best][k] & frame.alive[k], k,
                 [&](int option) { tries.push_back(option); });
        if (shuffled) shuffle(begin);
        // One of the first size - least + 1 options must be chosen, whatever their order.
        const int end = int(tries.size()) - frame.items[best].least + 1;
        levels.push_back({begin, begin, end, false});
        if (levels.size() == frames.size()) frames.push_back(root);
        return false;
    }

    void shuffle(int begin) {
        keyed.clear();
        for (std::size_t k = begin; k < tries.size(); ++k)
            keyed.emplace_back(-weight[tries[k]] - chance.unit(), tries[k]);
        std::ranges::sort(keyed);
        for (std::size_t k = 0; k < keyed.size(); ++k) tries[begin + k] = keyed[k].second;
    }

    // Choose the next option of the deepest level and say true; or close the level.
    bool advance() {
        Level& level = levels.back();
        Frame& frame = frames[levels.size() - 1];
        for (bool good = true; good;) {
            if (level.holding) {
                level.holding = false;
                chosen.pop_back();
                good = remove(frame, tries[level.next - 1]);
            }
            if (!good || level.next == level.end) break;
            assert(level.begin <= level.next && level.next < level.end);
            const int option = tries[level.next++];
            if (!(frame.alive[option / 64] >> option % 64 & 1)) continue;
            ++nodes;
            level.holding = true;
            if (choose(option)) return true;
        }
        tries.resize(level.begin);
        levels.pop_back();
        return false;
    }

    // In the next frame, hold the items of an option and remove all that can't go with it;
    // false if that leaves an item in want.
    bool choose(int option) {
        chosen.push_back(option);
        Frame& frame = frames[levels.size()];
        frame = frames[levels.size() - 1];
        clash.assign(words, 0);
        add(clash, option);
        for (std::size_t k = first[option]; k < first[option + 1]; ++k) {
            const auto& [number, colour] = holdings[k];
            Item& item = frame.items[number];
            if (item.colour > 0) continue;  // shared: were it another colour, it would be dead
            --item.least;
            --item.room;
            item.colour = colour;
            const Set& others = holders[number];
            if (colour > 0) {
                const Set& same = painters.find({number, colour})->second;
                for (std::size_t w = 0; w < words; ++w) clash[w] |= others[w] & ~same[w];
            } else if (item.room == 0) {
                for (std::size_t w = 0; w < words; ++w) clash[w] |= others[w];
            }
        }
        bool good = true;
        for (std::size_t w = 0; w < words && good; ++w) {
            const std::uint64_t dying = clash[w] & frame.alive[w];
            frame.alive[w] ^= dying;
            each(dying, w, [&](int other) { good &= leave(frame, other); });
        }
        return good;
    }

    bool remove(Frame& frame, int option) {
        frame.alive[option / 64] &= ~(std::uint64_t(1) << option % 64);
        return leave(frame, option);
    }

    // Take a dead option off the counts of its items; false if one of them is left in want.
    bool leave(Frame& frame, int option) {
        bool good = true;
        for (std::size_t k = first[option]; k < first[option + 1]; ++k) {
            Item& item = frame.items[holdings[k].first];
            good &= --item.size >= item.least;
        }
        return good;
    }

    std::size_t words;               // in a set of options
    std::vector<std::size_t> first;  // the first holding of each option, and one past the last
    std::vector<Holding> holdings;
    std::vector<Set> holders;         // by item
    std::map<Holding, Set> painters;  // by item and colour > 0
    std::vector<int> wanting;         // the items that need options
    std::vector<double> weight;
    Frame root;
    std::vector<Frame> frames;  // one a level, and one for the choice made in the deepest
    std::vector<Level> levels;
    std::vector<int> tries, chosen;
    std::vector<std::pair<double, int>> keyed;
    Set clash;
    Chance chance{0};
    bool shuffled = false, started = false;
    std::uint64_t nodes = 0, found_so_far = 0;
};

}  // namespace tegel::solver
