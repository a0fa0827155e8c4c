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
#include <cstdint>
#include <limits>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

#include "chance.hpp"

namespace tegel {

enum class Status { paused, found, done };

class Cover {
  public:
    using Holding = std::pair<int, int>;  // an item, and the colour it is held in

    Cover(const std::vector<int>& least, const std::vector<int>& most,
          const std::vector<std::vector<Holding>>& options)
        : words_((options.size() + 63) / 64), weight_(options.size()) {
        if (least.size() != most.size()) throw std::invalid_argument("as many least as most");
        root_.alive.resize(words_);
        for (std::size_t item = 0; item < least.size(); ++item) {
            root_.items.push_back({0, least[item], most[item], 0});
            if (least[item] > 0) wanting_.push_back(static_cast<int>(item));
        }
        holders_.resize(least.size(), Set(words_));
        for (std::size_t option = 0; option < options.size(); ++option) {
            first_.push_back(holdings_.size());
            add(root_.alive, option);
            for (const auto& [item, colour] : options[option]) {
                ++root_.items.at(item).size;
                add(holders_[item], option);
                if (colour > 0) add(painters_.try_emplace({item, colour}, words_).first->second, option);
                holdings_.push_back({item, colour});
            }
        }
        first_.push_back(holdings_.size());
    }

    // Begin again. Seed 0 tries options in the order given; with another seed their order is
    // drawn, and an option of greater weight comes first the more surely the greater it is.
    void restart(std::uint64_t seed) {
        levels_.clear();
        tries_.clear();
        chosen_.clear();
        chance_ = Chance(seed);
        shuffled_ = seed != 0;
        started_ = false;
    }

    void weigh(std::vector<double> weights) {
        if (weights.size() != weight_.size()) throw std::invalid_argument("a weight an option");
        weight_ = std::move(weights);
    }

    Status run(std::uint64_t budget) {
        const std::uint64_t end = visited_ + budget;
        if (!started_ && begin()) return found();
        while (!levels_.empty()) {
            if (visited_ >= end) return Status::paused;
            if (advance() && descend()) return found();
        }
        return Status::done;
    }

    // Go on counting solutions without stopping at each.
    Status count(std::uint64_t budget) {
        const std::uint64_t end = visited_ + budget;
        Status status = Status::found;
        while (status == Status::found) {
            if (visited_ >= end) return Status::paused;
            status = run(end - visited_);
        }
        return status;
    }

    // The size of the search tree as one random dive guesses it (Knuth 1975): right on
    // average. Begins again.
    double dive(std::uint64_t seed) {
        restart(seed);
        double ways = 1, sum = 1;
        bool good = !begin() && !levels_.empty();
        while (good) {
            Level& level = levels_.back();
            const int degree = level.end - level.next;
            ways *= degree;
            sum += ways;
            for (std::uint32_t skipped = chance_.below(degree); good && skipped > 0; --skipped)
                good = remove(frames_[levels_.size() - 1], tries_[level.next++]);
            good = good && choose(tries_[level.next++]) && !descend();
        }
        restart(seed);
        return sum;
    }

    std::vector<int> solution() const { return chosen_; }
    std::uint64_t visited() const { return visited_; }
    std::uint64_t solutions() const { return solutions_; }

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
        int begin, next, end;  // the options to try, in tries_
        bool holding;          // one of them is chosen
    };

    static void add(Set& set, std::size_t option) {
        set[option / 64] |= std::uint64_t{1} << option % 64;
    }

    template <class Each> static void each(std::uint64_t word, std::size_t index, Each&& visit) {
        for (; word; word &= word - 1) visit(static_cast<int>(index * 64 + std::countr_zero(word)));
    }

    Status found() {
        ++solutions_;
        return Status::found;
    }

    // Open the first level; true if nothing is wanted at all.
    bool begin() {
        started_ = true;
        if (frames_.empty()) frames_.push_back(root_);
        frames_[0] = root_;
        const bool feasible = std::ranges::all_of(root_.items, [](const Item& item) {
            return item.least <= std::min(item.size, item.room);
        });
        return feasible && descend();
    }

    // Open a level at the item with the fewest ways left; true if no item is in want.
    bool descend() {
        const Frame& frame = frames_[levels_.size()];
        int best = -1, fewest = std::numeric_limits<int>::max();
        for (const int item : wanting_) {
            const Item& now = frame.items[item];
            const int ways = now.size - now.least;
            if (ways < fewest && now.least > 0) best = item, fewest = ways;
        }
        if (best < 0) return true;
        const int begin = static_cast<int>(tries_.size());
        for (std::size_t k = 0; k < words_; ++k)
            each(holders_[best][k] & frame.alive[k], k, [&](int option) { tries_.push_back(option); });
        if (shuffled_) shuffle(begin);
        // One of the first size - least + 1 options must be chosen, whatever their order.
        const int end = static_cast<int>(tries_.size()) - frame.items[best].least + 1;
        levels_.push_back({begin, begin, end, false});
        if (levels_.size() == frames_.size()) frames_.push_back(root_);
        return false;
    }

    void shuffle(int begin) {
        keyed_.clear();
        for (std::size_t k = begin; k < tries_.size(); ++k)
            keyed_.emplace_back(-weight_[tries_[k]] - chance_.unit(), tries_[k]);
        std::ranges::sort(keyed_);
        for (std::size_t k = 0; k < keyed_.size(); ++k) tries_[begin + k] = keyed_[k].second;
    }

    // Choose the next option of the deepest level and say true; or close the level.
    bool advance() {
        Level& level = levels_.back();
        Frame& frame = frames_[levels_.size() - 1];
        for (bool good = true; good;) {
            if (level.holding) {
                level.holding = false;
                chosen_.pop_back();
                good = remove(frame, tries_[level.next - 1]);
            }
            if (!good || level.next == level.end) break;
            const int option = tries_[level.next++];
            if (!(frame.alive[option / 64] >> option % 64 & 1)) continue;
            ++visited_;
            level.holding = true;
            if (choose(option)) return true;
        }
        tries_.resize(level.begin);
        levels_.pop_back();
        return false;
    }

    // In the next frame, hold the items of an option and remove all that can't go with it;
    // false if that leaves an item in want.
    bool choose(int option) {
        chosen_.push_back(option);
        Frame& frame = frames_[levels_.size()];
        frame = frames_[levels_.size() - 1];
        clash_.assign(words_, 0);
        add(clash_, option);
        for (std::size_t k = first_[option]; k < first_[option + 1]; ++k) {
            const auto& [number, colour] = holdings_[k];
            Item& item = frame.items[number];
            if (item.colour > 0) continue;  // shared: were it another colour, it would be dead
            --item.least;
            --item.room;
            item.colour = colour;
            const Set& holders = holders_[number];
            if (colour > 0) {
                const Set& same = painters_.find({number, colour})->second;
                for (std::size_t w = 0; w < words_; ++w) clash_[w] |= holders[w] & ~same[w];
            } else if (item.room == 0) {
                for (std::size_t w = 0; w < words_; ++w) clash_[w] |= holders[w];
            }
        }
        bool good = true;
        for (std::size_t w = 0; w < words_ && good; ++w) {
            const std::uint64_t dying = clash_[w] & frame.alive[w];
            frame.alive[w] ^= dying;
            each(dying, w, [&](int other) { good &= leave(frame, other); });
        }
        return good;
    }

    bool remove(Frame& frame, int option) {
        frame.alive[option / 64] &= ~(std::uint64_t{1} << option % 64);
        return leave(frame, option);
    }

    // Take a dead option off the counts of its items; false if one of them is left in want.
    bool leave(Frame& frame, int option) {
        bool good = true;
        for (std::size_t k = first_[option]; k < first_[option + 1]; ++k) {
            Item& item = frame.items[holdings_[k].first];
            good &= --item.size >= item.least;
        }
        return good;
    }

    std::size_t words_;               // in a set of options
    std::vector<std::size_t> first_;  // the first holding of each option, and one past the last
    std::vector<Holding> holdings_;
    std::vector<Set> holders_;         // by item
    std::map<Holding, Set> painters_;  // by item and colour > 0
    std::vector<int> wanting_;         // the items that need options
    std::vector<double> weight_;
    Frame root_;
    std::vector<Frame> frames_;  // one a level, and one for the choice made in the deepest
    std::vector<Level> levels_;
    std::vector<int> tries_, chosen_;
    std::vector<std::pair<double, int>> keyed_;
    Set clash_;
    Chance chance_{0};
    bool shuffled_ = false, started_ = false;
    std::uint64_t visited_ = 0, solutions_ = 0;
};

}  // namespace tegel
