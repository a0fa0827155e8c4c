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
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <tuple>
#include <utility>
#include <vector>

#include "tegel/require.hpp"
#include "tegel/solver/chance.hpp"
#include "tegel/solver/cover.hpp"

namespace tegel::solver {

class Packing {
  public:
    using Shape = std::vector<std::pair<int, int>>;
    using Lying = std::tuple<int, int, std::vector<int>>;  // colour, tile, cells

    // Cells are numbered row by row; `off` are those that are no squares of the board. Tiles
    // are given by their forms; `hands` are the tiles of each colour, `starts` their first
    // squares.
    Packing(int width, int height, const std::vector<int>& off,
            const std::vector<std::vector<Shape>>& shapes,
            const std::vector<std::vector<int>>& hands, const std::vector<int>& first,
            bool descending, std::uint64_t seed)
        : width(width), height(height), starts(first), tiles(int(shapes.size())), chance(seed) {
        require(width > 0 && height > 0 && width <= MOST_CELLS / height, "no such board");
        area = width * height;
        check(off, shapes, hands);
        for (const auto& forms : shapes) {
            const int size = int(forms.front().size());
            sizes.push_back(size);
            rank_of.push_back(descending ? size : 0);
            biggest = std::max(biggest, size);
            by_size.push_back(int(by_size.size()));
            ranks = std::max(ranks, rank_of.back() + 1);
        }
        std::ranges::stable_sort(by_size, std::greater{}, [&](int tile) { return sizes[tile]; });
        covering.resize(tiles * area);
        for (int tile = 0; tile < tiles; ++tile)
            for (const Shape& form : shapes[tile])
                for (int at = 0; at < area; ++at) place(tile, form, at % width, at / width);
        taken.assign(area, 0);
        for (const int cell : off) taken[cell] = 1;
        for (std::size_t colour = 0; colour < starts.size(); ++colour) {
            barred.push_back(taken);
            owner.emplace_back(area, -1);
            corners.emplace_back(ranks, std::vector<int>(area, 0));
            on.emplace_back(tiles, -1);
            fixed.emplace_back(tiles, 1);  // tiles that a colour does not have stay away
            for (const int tile : hands[colour]) {
                fixed.back()[tile] = 0;
                lacking += sizes[tile];
            }
        }
    }

    // Lay a tile that stays where it is.
    void fix(int colour, int tile, const std::vector<int>& cells) {
        require(colour >= 0 && colour < colours() && tile >= 0 && tile < tiles &&
                    !fixed[colour][tile] && on[colour][tile] < 0,
                "no such tile is in hand");
        require(!cells.empty() && on_board(cells[0]), "no such place");
        const auto& over = covering[tile * area + cells[0]];
        const auto found =
            std::ranges::find_if(over, [&](int number) { return places[number].cells == cells; });
        require(found != over.end(), "no such place");
        lay(colour, *found);
        fixed[colour][tile] = 1;
    }

    // Tries so many times to do better; found when every tile lies.
    Status run(std::uint64_t tries) {
        if (!tries_made) recreate();
        remember();
        for (std::uint64_t end = tries_made + tries; tries_made < end && lacking > 0;
             ++tries_made) {
            before = on;
            const int lacked = lacking;
            ruin();
            recreate();
            const int worse = lacking - lacked;
            if (worse > 0 && !accepted(worse)) restore();
            remember();
        }
        return lacking == 0 ? Status::FOUND : Status::PAUSED;
    }

    int missing() const { return lacking; }
    std::uint64_t tried() const { return tries_made; }

    // What lies in the best position so far.
    std::vector<Lying> best() const {
        std::vector<Lying> found;
        for (int colour = 0; colour < int(best_yet.size()); ++colour)
            for (int tile = 0; tile < tiles; ++tile)
                if (best_yet[colour][tile] >= 0)
                    found.push_back({colour, tile, places[best_yet[colour][tile]].cells});
        return found;
    }

  private:
    static constexpr int MOST_CELLS = 10'000;

    struct Place {
        int tile;
        std::vector<int> cells, sides, corners;  // covered, beside, touching at a corner only
    };

    bool on_board(int cell) const { return cell >= 0 && cell < area; }

    // Refuses what is no problem of this kind.
    void check(const std::vector<int>& off, const std::vector<std::vector<Shape>>& shapes,
               const std::vector<std::vector<int>>& hands) const {
        require(std::ranges::all_of(off, [&](int cell) { return on_board(cell); }) &&
                    std::ranges::all_of(starts, [&](int cell) { return on_board(cell); }),
                "a cell is off the board");
        for (const auto& forms : shapes) {
            require(!forms.empty() && !forms[0].empty(), "a tile has forms, and they have cells");
            for (const Shape& form : forms) {
                require(form.size() == forms[0].size(), "the forms of a tile have as many cells");
                for (const auto& [x, y] : form)
                    require(x >= 0 && y >= 0 && x < MOST_CELLS && y < MOST_CELLS,
                            "a form is too wide");
            }
        }
        require(hands.size() == starts.size(), "a start for each hand");
        for (const auto& hand : hands)
            for (const int tile : hand) require(tile >= 0 && tile < tiles, "there is no such tile");
    }

    void place(int tile, const Shape& form, int x, int y) {
        Place made{tile, {}, {}, {}};
        std::vector<char> near(area, 0);
        const auto mark = [&](int column, int row, char how) {
            if (column < 0 || column >= width || row < 0 || row >= height) return;
            near[row * width + column] = std::max(near[row * width + column], how);
        };
        for (const auto& [dx, dy] : form) {
            const int column = x + dx, row = y + dy;
            if (column >= width || row >= height) return;
            for (int u = -1; u <= 1; ++u)
                for (int v = -1; v <= 1; ++v)
                    mark(column + u, row + v, u && v ? 1 : u || v ? 2 : 3);
        }
        for (int cell = 0; cell < area; ++cell)
            if (near[cell])
                (near[cell] == 3   ? made.cells
                 : near[cell] == 2 ? made.sides
                                   : made.corners)
                    .push_back(cell);
        for (const int cell : made.cells)
            covering[tile * area + cell].push_back(int(places.size()));
        for (int k = 0; k < biggest; ++k)
            covered.push_back(made.cells[std::min<std::size_t>(k, made.cells.size() - 1)]);
        places.push_back(std::move(made));
    }

    void lay(int colour, int number) { change(colour, number, 1); }
    void lift(int colour, int number) { change(colour, number, -1); }

    void change(int colour, int number, int by) {
        const Place& place = places[number];
        lacking -= by * sizes[place.tile];
        on[colour][place.tile] = by > 0 ? number : -1;
        for (const int cell : place.cells) {
            taken[cell] += by;
            for (auto& cells : barred) cells[cell] += by;
            owner[colour][cell] = by > 0 ? place.tile : -1;
        }
        for (const int cell : place.sides) barred[colour][cell] += by;
        for (int rank = 0; rank <= rank_of[place.tile]; ++rank)
            for (const int cell : place.corners) corners[colour][rank][cell] += by;
    }

    bool fits(int colour, int number) const {
        int sum = 0;
        for (int k = number * biggest; k < (number + 1) * biggest; ++k)
            sum += barred[colour][covered[k]];
        return sum == 0;
    }

    // Take away some tiles near a random square, and those that then hang in the air.
    void ruin() {
        const int centre = int(chance.below(area));
        int count = 2 + int(chance.below(4));
        for (int radius = 0; count > 0 && radius < 6; ++radius)
            for (int cell = 0; cell < area; ++cell)
                if (std::max(std::abs(cell % width - centre % width),
                             std::abs(cell / width - centre / width)) == radius)
                    count -= lift_from(cell, count);
        for (int colour = 0; colour < colours(); ++colour) settle(colour);
    }

    // Lift the tile on a cell if it may be, and say how many that were.
    int lift_from(int cell, int most) {
        for (int colour = 0; colour < colours() && most > 0; ++colour) {
            const int tile = owner[colour][cell];
            if (tile < 0 || fixed[colour][tile]) continue;
            lift(colour, on[colour][tile]);
            return 1;
        }
        return 0;
    }

    // Lift the tiles of a colour that can't be reached from its starting square.
    void settle(int colour) {
        reached.assign(tiles, 0);
        queue.clear();
        const auto reach = [&](int tile) {
            if (tile >= 0 && !reached[tile]) reached[tile] = 1, queue.push_back(tile);
        };
        const int first = owner[colour][starts[colour]];
        if (first >= 0 && rank_of[first] == ranks - 1) reach(first);
        for (std::size_t k = 0; k < queue.size(); ++k)
            for (const int cell : places[on[colour][queue[k]]].corners) {
                const int other = owner[colour][cell];
                if (other >= 0 && rank_of[other] <= rank_of[queue[k]]) reach(other);
            }
        for (int tile = 0; tile < tiles; ++tile)
            if (on[colour][tile] >= 0 && !reached[tile] && !fixed[colour][tile])
                lift(colour, on[colour][tile]);
    }

    // Lay what can be laid: the biggest first, of these the one that fits most snugly,
    // rather one that has few places, with some chance in it.
    void recreate() {
        while (true) {
            int best_colour = -1, best_number = -1, largest = 0;
            double most = 0;
            for (const int tile : by_size) {
                if (sizes[tile] < largest) break;
                for (int colour = 0; colour < colours(); ++colour) {
                    if (on[colour][tile] >= 0 || fixed[colour][tile]) continue;
                    options(colour, tile);
                    const double scarce = -0.05 * double(openings.size());
                    for (const int number : openings) {
                        const double worth = scarce + snug(places[number]) + 4 * chance.unit();
                        if (best_number < 0 || worth > most) {
                            best_colour = colour, best_number = number;
                            largest = sizes[tile], most = worth;
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
        openings.clear();
        const std::vector<int>& open = corners[colour][rank_of[tile]];
        const bool begun = std::ranges::any_of(on[colour], [](int number) { return number >= 0; });
        if (!begun && rank_of[tile] != ranks - 1) return;
        for (int cell = 0; cell < area; ++cell) {
            if (begun ? !open[cell] : cell != starts[colour]) continue;
            if (barred[colour][cell]) continue;
            for (const int number : covering[tile * area + cell])
                if (fits(colour, number)) openings.push_back(number);
        }
    }

    // How many sides of a place lie against other tiles or the edge, about.
    double snug(const Place& place) const {
        const auto against =
            std::ranges::count_if(place.sides, [&](int cell) { return taken[cell] != 0; });
        const int around = 2 * sizes[place.tile] + 2;
        const int edge = std::max(0, around - int(place.sides.size()));
        return double(against + edge);
    }

    bool accepted(int worse) { return chance.unit() < 0.03 / worse; }

    int colours() const { return int(starts.size()); }

    void restore() {
        for (int colour = 0; colour < colours(); ++colour)
            for (int tile = 0; tile < tiles; ++tile)
                if (on[colour][tile] >= 0 && on[colour][tile] != before[colour][tile])
                    lift(colour, on[colour][tile]);
        for (int colour = 0; colour < colours(); ++colour)
            for (int tile = 0; tile < tiles; ++tile)
                if (on[colour][tile] < 0 && before[colour][tile] >= 0)
                    lay(colour, before[colour][tile]);
    }

    void remember() {
        if (best_yet.empty() || lacking < least) best_yet = on, least = lacking;
    }

    int width, height, area = 0;
    std::vector<int> starts;
    int tiles, ranks = 1;
    int biggest = 0;
    std::vector<int> sizes, rank_of, by_size;  // by tile; and tiles
    std::vector<Place> places;
    std::vector<int> covered;  // the cells of the places once more, biggest for each, for speed
    std::vector<std::vector<int>> covering;  // by tile and cell, the places that cover it
    std::vector<int> taken;
    std::vector<std::vector<int>> barred, owner;  // by colour and cell
    std::vector<std::vector<std::vector<int>>> corners;  // by colour, rank and cell
    std::vector<std::vector<int>> on, before, best_yet;     // by colour and tile, the place
    std::vector<std::vector<char>> fixed;
    std::vector<char> reached;
    std::vector<int> queue, openings;
    int lacking = 0, least = 0;
    std::uint64_t tries_made = 0;
    Chance chance;
};

}  // namespace tegel::solver
