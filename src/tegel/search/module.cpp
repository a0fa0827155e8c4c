// The engine as a Python module: one class for the boards of all games (see kernel.py).
//
// `kernels.hpp` is written by the build: it includes games/*/kernel.hpp, and names them. The
// build makes the module twice, for any processor and for those with AVX2.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <ctime>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <unordered_set>

#include "kernels.hpp"
#include "tegel/search/search.hpp"

namespace nb = nanobind;
using namespace tegel;

// code, prior, visits; wins, values and scores by seat; whether they are exact
using Row = std::tuple<Code, float, std::uint32_t, std::vector<float>, std::vector<float>,
                       std::vector<float>, bool>;

class Engine {
  public:
    virtual ~Engine() = default;
    virtual Packed packed() const = 0;
    virtual int turn() const = 0;
    virtual bool over() const = 0;
    virtual std::vector<int> scores() const = 0;
    virtual std::vector<std::pair<Code, float>> moves(bool weighed) const = 0;
    virtual std::vector<std::vector<float>> features(const std::vector<Code>& codes) const = 0;
    virtual int phase() const = 0;
    virtual void play(Code code) = 0;
    virtual void overlook(const std::vector<Code>& codes) = 0;
    virtual std::uint64_t think(std::uint64_t simulations, double seconds) = 0;
    virtual std::vector<Row> opinions() const = 0;
    virtual std::pair<std::uint64_t, std::uint64_t> random_games(double seconds,
                                                                 std::uint64_t seed) const = 0;
    virtual std::uint64_t rollouts(double seconds, std::uint64_t seed) const = 0;

    std::atomic<bool> stopped{false};
};

template <Playable B>
class EngineOf final : public Engine {
  public:
    EngineOf(const Packed& packed, std::uint64_t seed, const Tuning& tuning)
        : search(B(packed), seed, tuning) {}

    Packed packed() const override { return search.board().packed(); }
    int turn() const override { return search.board().turn(); }
    bool over() const override { return search.board().over(); }
    std::vector<int> scores() const override {
        Scores scores{};
        search.board().scores(scores);
        return {scores.begin(), scores.begin() + search.board().seats()};
    }
    std::vector<std::pair<Code, float>> moves(bool weighed) const override {
        B board = search.board();
        std::vector<Candidate> candidates;
        if (!board.over()) weighed ? board.consider(candidates) : board.moves(candidates);
        std::vector<std::pair<Code, float>> found;
        for (const auto& candidate : candidates) found.push_back({candidate.code, candidate.weight});
        return found;
    }
    std::vector<std::vector<float>> features(const std::vector<Code>& codes) const override {
        std::vector<std::vector<float>> found;
        if constexpr (requires(const B& b, Code code) { b.seen(code); })
            for (Code code : codes) {
                const auto seen = search.board().seen(code);
                found.emplace_back(seen.begin(), seen.end());
            }
        return found;
    }
    int phase() const override {
        if constexpr (requires(const B& b) { b.phase(); }) return search.board().phase();
        return 0;
    }
    void play(Code code) override { search.play(code); }
    void overlook(const std::vector<Code>& codes) override {
        const std::unordered_set<Code> unseen(codes.begin(), codes.end());
        search.restrict([&](const auto& edge) { return !unseen.contains(edge.code); });
    }
    std::uint64_t think(std::uint64_t simulations, double seconds) override {
        nb::gil_scoped_release release;
        using Clock = std::chrono::steady_clock;
        auto asked = Clock::now();
        bool interrupted = false;
        stopped = false;
        const auto done = search.run({simulations, seconds}, [&] {
            if (Clock::now() - asked > std::chrono::milliseconds(50)) {
                asked = Clock::now();
                nb::gil_scoped_acquire acquire;  // Ctrl-C is heard while we think
                interrupted = PyErr_CheckSignals() != 0;
            }
            return interrupted || stopped.load(std::memory_order_relaxed);
        });
        if (interrupted) {
            nb::gil_scoped_acquire acquire;
            throw nb::python_error();
        }
        return done;
    }
    std::vector<Row> opinions() const override {
        std::vector<Row> rows;
        const int seats = search.board().seats();
        for (const Opinion& o : search.opinions())
            rows.push_back({o.code, o.prior, o.visits,
                            {o.wins.begin(), o.wins.begin() + seats},
                            {o.values.begin(), o.values.begin() + seats},
                            {o.scores.begin(), o.scores.begin() + seats},
                            o.exact});
        return rows;
    }
    std::pair<std::uint64_t, std::uint64_t> random_games(double seconds,
                                                         std::uint64_t seed) const override {
        std::uint64_t plies = 0;
        const auto games = repeat(seconds, [&, random = Random(seed),
                                            board = search.board()]() mutable {
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

    // How often some work is done in some seconds of this process's own time.
    template <class Work>
    static std::uint64_t repeat(double seconds, Work work) {
        const std::clock_t end = std::clock() + std::clock_t(seconds * CLOCKS_PER_SEC);
        std::uint64_t count = 0;
        do {
            for (int i = 0; i < 8; ++i, ++count) work();
        } while (std::clock() < end);
        return count;
    }
};

// Tunables by name.
using Settings = std::map<std::string, double>;

static Tuning tuned(Tuning tuning, const Settings& settings) {
    for (const auto& [name, value] : settings) {
        auto set = [&](const char* known, auto& field) {
            if (name != known) return false;
            field = std::remove_reference_t<decltype(field)>(value);
            return true;
        };
        if (!(set("curiosity", tuning.curiosity) || set("rave", tuning.rave) ||
              set("unknown", tuning.unknown) || set("temperature", tuning.temperature) ||
              set("width", tuning.width) || set("narrow", tuning.narrow) ||
              set("growth", tuning.growth) || set("maturity", tuning.maturity) ||
              set("nodes", tuning.nodes) || set("edges", tuning.edges) ||
              set("work", tuning.work)))
            throw std::invalid_argument("the engine has no setting " + name);
    }
    return tuning;
}

// What a board is best searched with, if it says so.
template <Playable B>
Tuning usual() {
    if constexpr (requires { B::TUNING; }) return B::TUNING;
    return {};
}

#define TEGEL_NAME(game) #game,
#define TEGEL_ENGINE(game)                                 \
    if (name == #game)                                     \
        return std::make_unique<EngineOf<game::Board>>(    \
            packed, seed, tuned(usual<game::Board>(), settings));

static std::unique_ptr<Engine> engine(const std::string& name, const Packed& packed,
                                      std::uint64_t seed, const Settings& settings) {
    TEGEL_KERNELS(TEGEL_ENGINE)
    throw std::invalid_argument("no kernel for " + name);
}

// Whether this processor can run the module that is built for AVX2.
static bool has_avx2() {
#if defined(__x86_64__) && defined(__GNUC__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
#else
    return false;
#endif
}

NB_MODULE(TEGEL_MODULE, module) {
    module.attr("GAMES") = nb::cast(std::vector<std::string>{TEGEL_KERNELS(TEGEL_NAME)});
    module.attr("AVX2") = has_avx2();
    nb::class_<Engine>(module, "Engine")
        .def_prop_ro("packed", &Engine::packed)
        .def_prop_ro("turn", &Engine::turn)
        .def_prop_ro("over", &Engine::over)
        .def_prop_ro("scores", &Engine::scores)
        .def("moves", &Engine::moves, nb::arg("weighed") = false)
        .def("features", &Engine::features)
        .def_prop_ro("phase", &Engine::phase)
        .def("play", &Engine::play)
        .def("overlook", &Engine::overlook)
        .def("think", &Engine::think)
        .def("stop", [](Engine& engine) { engine.stopped = true; })
        .def("opinions", &Engine::opinions)
        .def("random_games", &Engine::random_games, nb::call_guard<nb::gil_scoped_release>())
        .def("rollouts", &Engine::rollouts, nb::call_guard<nb::gil_scoped_release>());
    module.def("engine", &engine);
}
