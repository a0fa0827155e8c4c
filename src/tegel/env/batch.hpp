// Many games at once, stepped over arrays that somebody else keeps.
//
// - a game is a board with its own chance, which follows from its seed; draws are made between
//   steps, so that somebody always decides, or the game is over;
// - what is shown of a game is a row of each array: planes, scalars, the mask of its legal
//   actions, who moves, and what the last step brought: rewards, and whether a game ended;
// - a step is judged first and made then: if one action is not legal, nothing happens at all.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "tegel/require.hpp"
#include "tegel/search/board.hpp"
#include "tegel/search/crew.hpp"
#include "tegel/search/net.hpp"

namespace tegel {

// What a board remembers of having been looked at, if it does (see net.hpp).
struct Nothing {};
template <class B>
struct Watching {
    using type = Nothing;
};
template <class B>
    requires requires { typename B::Watch; }
struct Watching<B> {
    using type = typename B::Watch;
};

// The arrays, by row a game. What nobody wants to see is null.
struct Arrays {
    std::uint8_t* planes = nullptr;
    float* scalars = nullptr;
    std::uint8_t* mask = nullptr;
    float* rewards = nullptr;      // by seat
    std::uint8_t* done = nullptr;  // whether the last step ended a game
    std::int32_t* mover = nullptr;  // -1: the game is over
};

constexpr std::int64_t NO_ACTION = -1;  // leaves a game as it is

template <Netted B>
class Batch {
  public:
    Batch(const B& begin, std::size_t count, int threads, bool autoreset, const Arrays& arrays)
        : begin(begin), sizes(begin.shape()), arrays(arrays), autoreset(autoreset), crew(threads),
          threads(threads) {
        if constexpr (WATCHED) {  // what games begin with is worked out once
            View view;
            std::vector<std::uint8_t> planes(
                std::size_t(sizes.channels * sizes.height * sizes.width));
            std::vector<float> scalars(std::size_t(sizes.scalars));
            this->begin.show(view, seen, planes.data(), scalars.data());
        }
        games.reserve(count);
        for (std::size_t i = 0; i < count; ++i) games.emplace_back(this->begin);
    }

    const Shape& shape() const { return sizes; }
    std::size_t count() const { return games.size(); }

    // Begins those games anew that have a 1, each with its seed; without such a list, all.
    void reset(const std::uint64_t* seeds, const std::uint8_t* which) {
        share([&](std::size_t i) {
            if (which && !which[i]) return;
            forget(i);
            games[i].random = Random(seeds[i]);
            restart(games[i]);
            show(i);
        });
        started = true;
    }

    // Makes an action in every game, or refuses all of them in a sentence.
    void step(const std::int64_t* actions) {
        begun();
        std::atomic<std::size_t> wrong{games.size()};
        share([&](std::size_t i) {
            if (chosen(games[i], actions[i])) return;
            std::size_t first = wrong;
            while (i < first && !wrong.compare_exchange_weak(first, i)) {
            }
        });
        if (const std::size_t i = wrong; i < games.size()) {
            const std::string game = "game " + std::to_string(i);
            require(!games[i].board.over(), game + " is over: reset it, or leave it alone with -1");
            require(false, game + " has no legal action " + std::to_string(actions[i]));
        }
        share([&](std::size_t i) { advance(i, actions[i]); });
    }

    // A legal action of every game, each with the same chance; -1 where it is over.
    void sample(std::int64_t* actions) {
        begun();
        share([&](std::size_t i) {
            Game& game = games[i];
            const auto many = std::uint32_t(game.view.actions.size());
            actions[i] = many ? game.view.actions[game.lots.below(many)] : NO_ACTION;
        });
    }

    const std::vector<std::int32_t>& legal(std::size_t i) const {
        begun();
        return games[i].view.actions;
    }
    Packed packed(std::size_t i) const { return games[i].board.packed(); }
    const std::vector<Code>& drawn(std::size_t i) const { return games[i].drawn; }

  private:
    struct Game {
        explicit Game(const B& begin) : board(begin) {}

        B board;
        Random random, lots;  // lots: of `sample`, so that it changes no draw
        View view;
        typename Watching<B>::type watch;
        std::vector<Code> drawn;  // since the last step
        std::size_t choice = 0;  // the place of the action that is made
    };

    static constexpr bool WATCHED = requires { typename B::Watch; };
    B begin;
    typename Watching<B>::type seen;  // by who looks at a game when it begins
    const Shape sizes;
    const Arrays arrays;
    const bool autoreset;
    Crew crew;
    const int threads;
    std::vector<Game> games;
    bool started = false;

    void begun() const { require(started, "the games have not begun: reset them first"); }

    // Work on every game, by stretches, so that threads do not write into each other's lines.
    template <class Work>
    void share(Work work) {
        if (threads == 1) {
            for (std::size_t i = 0; i < games.size(); ++i) work(i);
            return;
        }
        constexpr std::size_t STRETCH = 16;
        crew.share(int((games.size() + STRETCH - 1) / STRETCH), [&](int stretch) {
            const std::size_t first = std::size_t(stretch) * STRETCH;
            for (std::size_t i = first; i < std::min(first + STRETCH, games.size()); ++i) work(i);
        });
    }

    static bool chosen(Game& game, std::int64_t action) {
        if (action == NO_ACTION) return true;
        const auto& legal = game.view.actions;
        const auto found = std::find(legal.begin(), legal.end(), action);
        game.choice = std::size_t(found - legal.begin());
        return found != legal.end();
    }

    static void draw(Game& game) {
        while (!game.board.over() && game.board.turn() == CHANCE) {
            game.drawn.push_back(game.board.random(game.random));
            game.board.play(game.drawn.back());
        }
    }
    void restart(Game& game) {
        game.lots = Random(game.random());
        game.board = begin;
        game.watch = seen;
        draw(game);
    }

    void advance(std::size_t i, std::int64_t action) {
        Game& game = games[i];
        forget(i);
        if (action == NO_ACTION) return;
        game.board.play(game.view.codes[game.choice]);
        draw(game);
        if (game.board.over()) {
            reward(i);
            if (autoreset) restart(game);
        }
        show(i);
    }

    // What the step before brought.
    void forget(std::size_t i) {
        games[i].drawn.clear();
        arrays.done[i] = 0;
        std::fill_n(arrays.rewards + i * std::size_t(begin.seats()), begin.seats(), 0.0f);
    }
    // From 1, for who wins alone, on; all sides together nothing.
    void reward(std::size_t i) {
        Values wins{}, values{};
        games[i].board.values(wins, values);
        arrays.done[i] = 1;
        const auto sides = float(sizes.sides);
        for (int seat = 0; seat < begin.seats(); ++seat)
            arrays.rewards[i * std::size_t(begin.seats()) + std::size_t(seat)] =
                (sides * wins[std::size_t(seat)] - 1) / (sides - 1);
    }

    void show(std::size_t i) {
        Game& game = games[i];
        const auto plane = std::size_t(sizes.channels * sizes.height * sizes.width);
        const auto scalars = std::size_t(sizes.scalars);
        std::uint8_t* mask = arrays.mask ? arrays.mask + i * std::size_t(sizes.actions) : nullptr;
        if (mask)
            for (std::int32_t action : game.view.actions) mask[action] = 0;
        arrays.mover[i] = game.board.over() ? -1 : game.board.turn();
        std::uint8_t* to = arrays.planes ? arrays.planes + i * plane : nullptr;
        float* numbers = arrays.scalars ? arrays.scalars + i * scalars : nullptr;
        if (game.board.over()) {
            game.view.codes.clear();
            game.view.actions.clear();
            if (to) std::fill_n(to, plane, std::uint8_t(0)), std::fill_n(numbers, scalars, 0.0f);
            return;
        }
        if constexpr (WATCHED) {
            if (!to) {
                game.view.planes.resize(plane), game.view.scalars.resize(scalars);
                to = game.view.planes.data(), numbers = game.view.scalars.data();
            }
            game.board.show(game.view, game.watch, to, numbers);
        } else {
            game.board.look(game.view);
            if (to) std::copy_n(game.view.planes.data(), plane, to);
            if (to) std::copy_n(game.view.scalars.data(), scalars, numbers);
        }
        if (mask)
            for (std::int32_t action : game.view.actions) mask[action] = 1;
    }
};

}  // namespace tegel
