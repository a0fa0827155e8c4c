// The engine as a Python module (see kernel.py).
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
#include <chrono>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "kernels.hpp"
#include "tegel/busy.hpp"
#include "tegel/search/engine.hpp"

namespace nb = nanobind;

namespace tegel {
namespace {

// code, prior, visits; wins, values and scores by seat; whether they are exact; the spreads of the
// scores
using Row = std::tuple<Code, float, std::uint32_t, std::vector<float>, std::vector<float>,
                       std::vector<float>, bool, std::vector<float>>;

// An engine that Python may ask from any thread: while one thinks, others may only stop it.
class Desk {
  public:
    explicit Desk(std::unique_ptr<Engine> engine) : engine(std::move(engine)) {}

    // The engine, if it is at rest.
    Engine& ask() const {
        busy.rest();
        return *engine;
    }

    // Work of the engine while other threads run.
    template <class Work>
    auto aside(Work work) {
        const Busy::Work working(busy);
        nb::gil_scoped_release release;
        return work(*engine);
    }

    std::uint64_t think(std::uint64_t simulations, double seconds, bool settles) {
        using Clock = std::chrono::steady_clock;
        auto asked = Clock::now();
        bool interrupted = false;
        stopped = false;
        const auto done = aside([&](Engine& engine) {
            return engine.think({simulations, seconds, settles}, [&] {
                if (Clock::now() - asked > std::chrono::milliseconds(50)) {
                    asked = Clock::now();
                    nb::gil_scoped_acquire acquire;  // Ctrl-C is heard while we think
                    interrupted = PyErr_CheckSignals() != 0;
                }
                return interrupted || stopped.load(std::memory_order_relaxed);
            });
        });
        if (interrupted) throw nb::python_error();
        return done;
    }
    void stop() { stopped = true; }

    std::vector<Row> opinions() const {
        std::vector<Row> rows;
        const int seats = ask().seats();
        const auto first = [=](const auto& all) {
            return std::vector<float>(all.begin(), all.begin() + seats);
        };
        for (const Opinion& o : ask().opinions())
            rows.push_back({o.code, o.prior, o.visits, first(o.worth.wins), first(o.worth.values),
                            first(o.worth.scores), o.exact, first(o.spreads)});
        return rows;
    }

  private:
    std::unique_ptr<Engine> engine;
    Busy busy{"the engine is thinking: stop it first"};
    std::atomic<bool> stopped{false};
};

#define TEGEL_NAME(game) #game,
#define TEGEL_ENGINE(game)             \
    if (name == #game)                 \
        return std::make_unique<Desk>( \
            std::make_unique<EngineOf<game::Board>>(packed, seed, tuned<game::Board>(settings)));

std::unique_ptr<Desk> engine(const std::string& name, const Packed& packed, std::uint64_t seed,
                             const Settings& settings) {
    TEGEL_KERNELS(TEGEL_ENGINE)
    throw std::invalid_argument("no kernel for " + name);
}

// Whether this processor can run the module that is built for AVX2.
bool has_avx2() {
#if defined(__x86_64__) && defined(__GNUC__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
#else
    return false;
#endif
}

}  // namespace
}  // namespace tegel

using namespace tegel;

NB_MODULE(TEGEL_MODULE, module) {
    using Codes = std::vector<Number>;
    module.attr("GAMES") = nb::cast(std::vector<std::string>{TEGEL_KERNELS(TEGEL_NAME)});
    module.attr("AVX2") = has_avx2();
    nb::class_<Desk>(module, "Engine")
        .def_prop_ro("packed", [](const Desk& desk) { return desk.ask().packed(); })
        .def_prop_ro("turn", [](const Desk& desk) { return desk.ask().turn(); })
        .def_prop_ro("over", [](const Desk& desk) { return desk.ask().over(); })
        .def_prop_ro("scores", [](const Desk& desk) { return desk.ask().scores(); })
        .def_prop_ro("phase", [](const Desk& desk) { return desk.ask().phase(); })
        .def(
            "moves", [](const Desk& desk, bool weighed) { return desk.ask().moves(weighed); },
            nb::arg("weighed") = false)
        .def("features",
             [](const Desk& desk, const Codes& codes) { return desk.ask().features(codes); })
        .def("play", [](Desk& desk, Number code) { desk.ask().play(code); })
        .def("overlook", [](Desk& desk, const Codes& codes) { desk.ask().overlook(codes); })
        .def("think", &Desk::think, nb::arg("simulations"), nb::arg("seconds"),
             nb::arg("settles") = true)
        .def("stop", &Desk::stop)
        .def("opinions", &Desk::opinions)
        .def("line", [](const Desk& desk, Number code,
                        std::size_t plies) { return desk.ask().line(code, plies); })
        .def("random_games",
             [](Desk& desk, double seconds, std::uint64_t seed) {
                 return desk.aside([=](Engine& e) { return e.random_games(seconds, seed); });
             })
        .def("rollouts", [](Desk& desk, double seconds, std::uint64_t seed) {
            return desk.aside([=](Engine& e) { return e.rollouts(seconds, seed); });
        });
    module.def("engine", &engine);
}
