// The engine for whoever asks by numbers: one class for the boards of all games. What comes from
// outside is checked here, and refused in a sentence: codes, settings, limits.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <vector>

#include "tegel/require.hpp"
#include "tegel/search/board.hpp"
#include "tegel/search/opinion.hpp"
#include "tegel/search/search.hpp"

namespace tegel {

using Number = std::int64_t;                     // what is said to be a code
using Settings = std::map<std::string, double>;  // tunables by name

class Engine {
  public:
    virtual ~Engine() = default;
    virtual Packed packed() const = 0;
    virtual int seats() const = 0;
    virtual int turn() const = 0;
    virtual bool over() const = 0;
    virtual std::vector<int> scores() const = 0;
    virtual std::vector<std::pair<Code, float>> moves(bool weighed) const = 0;
    virtual std::vector<std::vector<float>> features(const std::vector<Number>& codes) const = 0;
    virtual int phase() const = 0;
    virtual void play(Number code) = 0;
    virtual void overlook(const std::vector<Number>& codes) = 0;
    // See Search::run.
    virtual std::uint64_t think(const Budget& budget, const std::function<bool()>& stop) = 0;
    virtual std::vector<Opinion> opinions() const = 0;
    // See Search::line.
    virtual std::vector<Code> line(Number code, std::size_t plies) const = 0;
    // How many games, and plies, can be played in some seconds.
    virtual std::pair<std::uint64_t, std::uint64_t> random_games(double seconds,
                                                                 std::uint64_t seed) const = 0;
    virtual std::uint64_t rollouts(double seconds, std::uint64_t seed) const = 0;
};

template <Playable B>
class EngineOf final : public Engine {
  public:
    EngineOf(const Packed& packed, std::uint64_t seed, const Tuning& tuning)
        : search(B(packed), seed, tuning) {
        require(over() || !moves(false).empty(), "no such position: nobody can move in it");
    }

    Packed packed() const override { return search.board().packed(); }
    int seats() const override { return search.board().seats(); }
    int turn() const override { return search.board().turn(); }
    bool over() const override { return search.board().over(); }
    std::vector<int> scores() const override {
        Scores scores{};
        search.board().scores(scores);
        return {scores.begin(), scores.begin() + seats()};
    }
    std::vector<std::pair<Code, float>> moves(bool weighed) const override {
        B board = search.board();
        std::vector<Candidate> candidates;
        if (!board.over()) weighed ? board.consider(candidates) : board.moves(candidates);
        std::vector<std::pair<Code, float>> found;
        for (const auto& candidate : candidates)
            found.push_back({candidate.code, candidate.weight});
        return found;
    }
    std::vector<std::vector<float>> features(const std::vector<Number>& codes) const override {
        std::unordered_set<Number> known;
        for (const auto& [code, weight] : moves(false)) known.insert(code);
        std::vector<std::vector<float>> found;
        for (Number code : codes) {
            require(known.contains(code), illegal(code));
            if constexpr (requires(const B& b) { b.seen(Code()); })
                found.push_back(search.board().seen(Code(code)));
        }
        return found;
    }
    int phase() const override {
        if constexpr (requires(const B& b) { b.phase(); }) return search.board().phase();
        return 0;
    }
    void play(Number code) override { search.play(checked(code)); }
    void overlook(const std::vector<Number>& codes) override {
        const std::unordered_set<Number> unseen(codes.begin(), codes.end());
        search.restrict([&](Code code) { return !unseen.contains(code); });
    }
    std::uint64_t think(const Budget& budget, const std::function<bool()>& stop) override {
        require(budget.seconds >= 0, "the engine thinks for some seconds, not for less than none");
        return search.run(budget, stop);
    }
    std::vector<Opinion> opinions() const override { return search.opinions(); }
    std::vector<Code> line(Number code, std::size_t plies) const override {
        return search.line(checked(code), plies);
    }
    std::pair<std::uint64_t, std::uint64_t> random_games(double seconds,
                                                         std::uint64_t seed) const override {
        std::uint64_t plies = 0;
        const auto games =
            repeat(seconds, [&, random = Random(seed), board = search.board()]() mutable {
                board = search.board();
                for (; !board.over(); ++plies) board.play(board.random(random));
            });
        return {games, plies};
    }
    std::uint64_t rollouts(double seconds, std::uint64_t seed) const override {
        return repeat(seconds, [&, random = Random(seed), board = search.board(),
                                trace = Trace()]() mutable {
            board = search.board();
            trace.clear();
            if (!board.over()) board.rollout(random, trace);
        });
    }

  private:
    Search<B> search;

    // A number, if it is the code of a legal move.
    Code checked(Number code) const {
        require(code >= 0 && code <= std::numeric_limits<Code>::max() &&
                    legal(search.board(), Code(code)),
                illegal(code));
        return Code(code);
    }

    static std::string illegal(Number code) {
        return "no move with the code " + std::to_string(code) + " is legal here";
    }

    // How often some work is done in some seconds of this process's own time.
    template <class Work>
    static std::uint64_t repeat(double seconds, Work work) {
        require(seconds >= 0 && seconds <= 3600, "to measure takes from 0 to 3600 seconds");
        const std::clock_t end = std::clock() + std::clock_t(seconds * CLOCKS_PER_SEC);
        std::uint64_t count = 0;
        do {
            for (int i = 0; i < 8; ++i, ++count) work();
        } while (std::clock() < end);
        return count;
    }
};

// What a board is best searched with, if it says so, with some settings changed.
template <Playable B>
Tuning tuned(const Settings& settings) {
    Tuning tuning;
    if constexpr (requires { B::TUNING; }) tuning = B::TUNING;
    for (const auto& [name, value] : settings) {
        auto set = [&](const char* known, auto& field, double least, double most) {
            if (name != known) return false;
            require(value >= least && value <= most, name + " is " + std::to_string(least) +
                                                         " to " + std::to_string(most) + ", not " +
                                                         std::to_string(value));
            field = std::remove_reference_t<decltype(field)>(value);
            return true;
        };
        require(set("curiosity", tuning.curiosity, 0, 1e6) || set("rave", tuning.rave, 1e-3, 1e9) ||
                    set("unknown", tuning.unknown, -1e6, 1e6) ||
                    set("temperature", tuning.temperature, 1e-3, 1e6) ||
                    set("width", tuning.width, 1, 1e6) || set("narrow", tuning.narrow, 1, 1e9) ||
                    set("growth", tuning.growth, 0, 1e6) ||
                    set("maturity", tuning.maturity, 0, 1e9) ||
                    set("nodes", tuning.nodes, 1, 1e8) || set("edges", tuning.edges, 1, 1e8) ||
                    set("work", tuning.work, 0, 1e9),
                "the engine has no setting " + name);
    }
    return tuning;
}

}  // namespace tegel
