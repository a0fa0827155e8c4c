// All tiles of all colours on one board by the rules of Blokus: local search.
//
// A colour's tiles touch each other at corners only, all hang together by corners, and one
// covers the colour's starting square: then each colour can lay its tiles in some order, and
// since no colour minds when another's tiles came, the colours can take turns. If sizes must
// descend, a tile hangs on tiles that are no smaller.
//
// The search takes the tiles around a square away, and whatever hangs on them, lays what it
// can again, biggest first, snugly and with some chance, and keeps the result if no more
// squares are left in hand than before (a few more, now and then).

#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "chance.hpp"
#include "cover.hpp"

namespace tegel {

class Packing {
  public:
    using Shape = std::vector<std::pair<int, int>>;
    using Lying = std::tuple<int, int, std::vector<int>>;  // colour, tile, cells

    // Cells are numbered row by row; `off` are those that are no squares of the board. Tiles
    // are given by their forms; `hands` are the tiles of each colour, `starts` their first
    // squares.
    Packing(int width, int height, const std::vector<int>& off,
            const std::vector<std::vector<Shape>>& tiles,
            const std::vector<std::vector<int>>& hands, std::vector<int> starts, bool descending,
            std::uint64_t seed)
        : width_(width), height_(height), cells_(width * height), starts_(std::move(starts)),
          tiles_(static_cast<int>(tiles.size())), chance_(seed) {
        for (const auto& forms : tiles) {
            const int size = static_cast<int>(forms.front().size());
            size_.push_back(size);
            rank_.push_back(descending ? size : 0);
            biggest_ = std::max(biggest_, size);
            by_size_.push_back(static_cast<int>(by_size_.size()));
            ranks_ = std::max(ranks_, rank_.back() + 1);
        }
        std::ranges::stable_sort(by_size_, std::greater{}, [&](int tile) { return size_[tile]; });
        covering_.resize(tiles_ * cells_);
        for (int tile = 0; tile < tiles_; ++tile)
            for (const Shape& form : tiles[tile])
                for (int at = 0; at < cells_; ++at) place(tile, form, at % width, at / width);
        taken_.assign(cells_, 0);
        for (const int cell : off) taken_.at(cell) = 1;
        if (hands.size() != starts_.size()) throw std::invalid_argument("a start for each hand");
        for (std::size_t colour = 0; colour < starts_.size(); ++colour) {
            barred_.push_back(taken_);
            owner_.emplace_back(cells_, -1);
            corners_.emplace_back(ranks_, std::vector<int>(cells_, 0));
            on_.emplace_back(tiles_, -1);
            fixed_.emplace_back(tiles_, 1);  // tiles that a colour does not have stay away
            for (const int tile : hands[colour]) {
                fixed_.back().at(tile) = 0;
                missing_ += size_[tile];
            }
        }
    }

    // Lay a tile that stays where it is.
    void fix(int colour, int tile, const std::vector<int>& cells) {
        for (const int number : covering_.at(tile * cells_ + cells.at(0)))
            if (places_[number].cells == cells) {
                lay(colour, number);
                fixed_.at(colour).at(tile) = 1;
                return;
            }
        throw std::invalid_argument("no such place");
    }

    // Tries so many times to do better; found when every tile lies.
    Status run(std::uint64_t tries) {
        if (!tried_) recreate();
        remember();
        for (std::uint64_t end = tried_ + tries; tried_ < end && missing_ > 0; ++tried_) {
            before_ = on_;
            const int missing = missing_;
            ruin();
            recreate();
            const int worse = missing_ - missing;
            if (worse > 0 && !accepted(worse)) restore();
            remember();
        }
        return missing_ == 0 ? Status::found : Status::paused;
    }

    int missing() const { return missing_; }
    std::uint64_t tried() const { return tried_; }

    // What lies in the best position so far.
    std::vector<Lying> best() const {
        std::vector<Lying> found;
        for (int colour = 0; colour < static_cast<int>(best_.size()); ++colour)
            for (int tile = 0; tile < tiles_; ++tile)
                if (best_[colour][tile] >= 0)
                    found.push_back({colour, tile, places_[best_[colour][tile]].cells});
        return found;
    }

  private:
    struct Place {
        int tile;
        std::vector<int> cells, sides, corners;  // covered, beside, touching at a corner only
    };

    void place(int tile, const Shape& form, int x, int y) {
        Place made{tile, {}, {}, {}};
        std::vector<char> near(cells_, 0);
        const auto mark = [&](int column, int row, char how) {
            if (column < 0 || column >= width_ || row < 0 || row >= height_) return;
            near[row * width_ + column] = std::max(near[row * width_ + column], how);
        };
        for (const auto& [dx, dy] : form) {
            const int column = x + dx, row = y + dy;
            if (column >= width_ || row >= height_) return;
            for (int u = -1; u <= 1; ++u)
                for (int v = -1; v <= 1; ++v) mark(column + u, row + v, u && v ? 1 : u || v ? 2 : 3);
        }
        for (int cell = 0; cell < cells_; ++cell)
            if (near[cell])
                (near[cell] == 3 ? made.cells : near[cell] == 2 ? made.sides : made.corners)
                    .push_back(cell);
        for (const int cell : made.cells)
            covering_[tile * cells_ + cell].push_back(static_cast<int>(places_.size()));
        for (int k = 0; k < biggest_; ++k)
            covered_.push_back(made.cells[std::min<std::size_t>(k, made.cells.size() - 1)]);
        places_.push_back(std::move(made));
    }

    void lay(int colour, int number) { change(colour, number, 1); }
    void lift(int colour, int number) { change(colour, number, -1); }

    void change(int colour, int number, int by) {
        const Place& place = places_[number];
        missing_ -= by * size_[place.tile];
        on_[colour][place.tile] = by > 0 ? number : -1;
        for (const int cell : place.cells) {
            taken_[cell] += by;
            for (auto& barred : barred_) barred[cell] += by;
            owner_[colour][cell] = by > 0 ? place.tile : -1;
        }
        for (const int cell : place.sides) barred_[colour][cell] += by;
        for (int rank = 0; rank <= rank_[place.tile]; ++rank)
            for (const int cell : place.corners) corners_[colour][rank][cell] += by;
    }

    bool fits(int colour, int number) const {
        int sum = 0;
        for (int k = number * biggest_; k < (number + 1) * biggest_; ++k)
            sum += barred_[colour][covered_[k]];
        return sum == 0;
    }

    // Take away some tiles near a random square, and those that then hang in the air.
    void ruin() {
        const int centre = static_cast<int>(chance_.below(cells_));
        int count = 2 + static_cast<int>(chance_.below(4));
        for (int radius = 0; count > 0 && radius < 6; ++radius)
            for (int cell = 0; cell < cells_; ++cell)
                if (std::max(std::abs(cell % width_ - centre % width_),
                             std::abs(cell / width_ - centre / width_)) == radius)
                    count -= lift_from(cell, count);
        for (int colour = 0; colour < colours(); ++colour) settle(colour);
    }

    // Lift the tile on a cell if it may be, and say how many that were.
    int lift_from(int cell, int most) {
        for (int colour = 0; colour < colours() && most > 0; ++colour) {
            const int tile = owner_[colour][cell];
            if (tile < 0 || fixed_[colour][tile]) continue;
            lift(colour, on_[colour][tile]);
            return 1;
        }
        return 0;
    }

    // Lift the tiles of a colour that can't be reached from its starting square.
    void settle(int colour) {
        reached_.assign(tiles_, 0);
        queue_.clear();
        const auto reach = [&](int tile) {
            if (tile >= 0 && !reached_[tile]) reached_[tile] = 1, queue_.push_back(tile);
        };
        const int first = owner_[colour][starts_[colour]];
        if (first >= 0 && rank_[first] == ranks_ - 1) reach(first);
        for (std::size_t k = 0; k < queue_.size(); ++k)
            for (const int cell : places_[on_[colour][queue_[k]]].corners) {
                const int other = owner_[colour][cell];
                if (other >= 0 && rank_[other] <= rank_[queue_[k]]) reach(other);
            }
        for (int tile = 0; tile < tiles_; ++tile)
            if (on_[colour][tile] >= 0 && !reached_[tile] && !fixed_[colour][tile])
                lift(colour, on_[colour][tile]);
    }

    // Lay what can be laid: the biggest first, of these the one that fits most snugly,
    // rather one that has few places, with some chance in it.
    void recreate() {
        while (true) {
            int best_colour = -1, best_number = -1, biggest = 0;
            double most = 0;
            for (const int tile : by_size_) {
                if (size_[tile] < biggest) break;
                for (int colour = 0; colour < colours(); ++colour) {
                    if (on_[colour][tile] >= 0 || fixed_[colour][tile]) continue;
                    options(colour, tile);
                    const double scarce = -0.05 * static_cast<double>(options_.size());
                    for (const int number : options_) {
                        const double worth = scarce + snug(places_[number]) + 4 * chance_.unit();
                        if (best_number < 0 || worth > most) {
                            best_colour = colour, best_number = number;
                            biggest = size_[tile], most = worth;
                        }
                    }
                }
            }
            if (best_number < 0) return;
            lay(best_colour, best_number);
        }
    }

    // The places where a tile of a colour may go now.
    void options(int colour, int tile) {
        options_.clear();
        const std::vector<int>& open = corners_[colour][rank_[tile]];
        const bool begun = std::ranges::any_of(on_[colour], [](int number) { return number >= 0; });
        if (!begun && rank_[tile] != ranks_ - 1) return;
        for (int cell = 0; cell < cells_; ++cell) {
            if (begun ? !open[cell] : cell != starts_[colour]) continue;
            if (barred_[colour][cell]) continue;
            for (const int number : covering_[tile * cells_ + cell])
                if (fits(colour, number)) options_.push_back(number);
        }
    }

    // How many sides of a place lie against other tiles or the edge, about.
    double snug(const Place& place) const {
        const auto taken = std::ranges::count_if(
            place.sides, [&](int cell) { return taken_[cell] != 0; });
        const int around = 2 * size_[place.tile] + 2;
        const int edge = std::max(0, around - static_cast<int>(place.sides.size()));
        return static_cast<double>(taken + edge);
    }

    bool accepted(int worse) { return chance_.unit() < 0.03 / worse; }

    int colours() const { return static_cast<int>(starts_.size()); }

    void restore() {
        for (int colour = 0; colour < colours(); ++colour)
            for (int tile = 0; tile < tiles_; ++tile)
                if (on_[colour][tile] >= 0 && on_[colour][tile] != before_[colour][tile])
                    lift(colour, on_[colour][tile]);
        for (int colour = 0; colour < colours(); ++colour)
            for (int tile = 0; tile < tiles_; ++tile)
                if (on_[colour][tile] < 0 && before_[colour][tile] >= 0)
                    lay(colour, before_[colour][tile]);
    }

    void remember() {
        if (best_.empty() || missing_ < least_) best_ = on_, least_ = missing_;
    }

    int width_, height_, cells_;
    std::vector<int> starts_;
    int tiles_, ranks_ = 1;
    int biggest_ = 0;
    std::vector<int> size_, rank_, by_size_;
    std::vector<Place> places_;
    std::vector<int> covered_;  // the cells of the places once more, biggest_ for each, for speed
    std::vector<std::vector<int>> covering_;  // by tile and cell, the places that cover it
    std::vector<int> taken_;
    std::vector<std::vector<int>> barred_, owner_;  // by colour and cell
    std::vector<std::vector<std::vector<int>>> corners_;     // by colour, rank and cell
    std::vector<std::vector<int>> on_, before_, best_;       // by colour and tile, the place
    std::vector<std::vector<char>> fixed_;
    std::vector<char> reached_;
    std::vector<int> queue_, options_;
    int missing_ = 0, least_ = 0;
    std::uint64_t tried_ = 0;
    Chance chance_;
};

}  // namespace tegel
