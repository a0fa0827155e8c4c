// Many games at once as a Python module (see batch.py).
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "kernels.hpp"
#include "tegel/busy.hpp"
#include "tegel/env/batch.hpp"
#include "tegel/require.hpp"

namespace nb = nanobind;

namespace tegel {
namespace {

// Arrays that Python made: contiguous, of the sizes that batch.py says.
template <class T>
using Flat = nb::ndarray<T, nb::c_contig, nb::device::cpu>;

class Games {
  public:
    virtual ~Games() = default;
    virtual void reset(Flat<const std::uint64_t> seeds,
                       std::optional<Flat<const std::uint8_t>> which) = 0;
    virtual void step(Flat<const std::int64_t> actions) = 0;
    virtual void sample(Flat<std::int64_t> actions) = 0;
    virtual std::size_t legal(Flat<std::int64_t> offsets) const = 0;
    virtual void fill(Flat<std::int32_t> actions) const = 0;
    virtual Packed packed(std::size_t game) const = 0;
    virtual std::vector<Code> drawn(std::size_t game) const = 0;
};

struct Kept {
    std::optional<Flat<std::uint8_t>> planes;
    std::optional<Flat<float>> scalars;
    std::optional<Flat<std::uint8_t>> mask;
    Flat<float> rewards;
    Flat<std::uint8_t> done;
    Flat<std::int32_t> mover;

    Arrays arrays() const {
        return {planes ? planes->data() : nullptr,
                scalars ? scalars->data() : nullptr,
                mask ? mask->data() : nullptr,
                rewards.data(),
                done.data(),
                mover.data()};
    }
};

template <Netted B>
class GamesOf final : public Games {
  public:
    GamesOf(const B& begin, std::size_t count, int threads, bool autoreset, Kept kept)
        : kept(checked(std::move(kept), begin, count)),
          batch(begin, count, threads, autoreset, this->kept.arrays()) {}

    void reset(Flat<const std::uint64_t> seeds,
               std::optional<Flat<const std::uint8_t>> which) override {
        need(seeds.size(), 1, "seeds");
        if (which) need(which->size(), 1, "games to begin");
        aside([&] { batch.reset(seeds.data(), which ? which->data() : nullptr); });
    }
    void step(Flat<const std::int64_t> actions) override {
        need(actions.size(), 1, "actions");
        aside([&] { batch.step(actions.data()); });
    }
    void sample(Flat<std::int64_t> actions) override {
        need(actions.size(), 1, "actions");
        aside([&] { batch.sample(actions.data()); });
    }
    // Where the legal actions of each game begin in a list of all; how many these are.
    std::size_t legal(Flat<std::int64_t> offsets) const override {
        busy.rest();
        require(offsets.size() == batch.count() + 1, "offsets are one more than games");
        std::int64_t total = 0;
        for (std::size_t i = 0; i < batch.count(); ++i) {
            offsets.data()[i] = total;
            total += std::int64_t(batch.legal(i).size());
        }
        offsets.data()[batch.count()] = total;
        return std::size_t(total);
    }
    void fill(Flat<std::int32_t> actions) const override {
        busy.rest();
        std::int32_t* next = actions.data();
        std::size_t total = 0;
        for (std::size_t i = 0; i < batch.count(); ++i) total += batch.legal(i).size();
        require(actions.size() == total, "no room for the legal actions");
        for (std::size_t i = 0; i < batch.count(); ++i)
            next = std::copy(batch.legal(i).begin(), batch.legal(i).end(), next);
    }
    Packed packed(std::size_t game) const override {
        busy.rest();
        require(game < batch.count(), "there is no such game");
        return batch.packed(game);
    }
    std::vector<Code> drawn(std::size_t game) const override {
        busy.rest();
        require(game < batch.count(), "there is no such game");
        return batch.drawn(game);
    }

  private:
    const Kept kept;
    Batch<B> batch;
    Busy busy{"the games are being stepped by another thread"};

    static void check(std::size_t found, std::size_t wanted, const std::string& what) {
        require(found == wanted,
                what + " are " + std::to_string(found) + ", not " + std::to_string(wanted));
    }
    void need(std::size_t found, std::size_t each, const char* what) const {
        check(found, batch.count() * each, what);
    }
    static Kept checked(Kept kept, const B& begin, std::size_t count) {
        const Shape s = begin.shape();
        if (kept.planes)
            check(kept.planes->size(), count * std::size_t(s.channels * s.height * s.width),
                  "planes");
        if (kept.scalars) check(kept.scalars->size(), count * std::size_t(s.scalars), "scalars");
        if (kept.mask)
            check(kept.mask->size(), count * std::size_t(s.actions), "numbers of the mask");
        check(kept.rewards.size(), count * std::size_t(begin.seats()), "rewards");
        check(kept.done.size(), count, "ends");
        check(kept.mover.size(), count, "movers");
        return kept;
    }
    // Work while other threads of Python run, which may not touch the games meanwhile.
    template <class Work>
    void aside(Work work) {
        const Busy::Work working(busy);
        nb::gil_scoped_release release;
        work();
    }
};

template <class B>
std::unique_ptr<Games> games_of(const Packed& packed, std::size_t count, int threads,
                                bool autoreset, Kept kept) {
    if constexpr (Netted<B>) {
        B begin(packed);
        std::vector<Candidate> found;
        begin.moves(found);
        require(!begin.over() && !found.empty(), "no game begins where nobody can move");
        return std::make_unique<GamesOf<B>>(begin, count, threads, autoreset, std::move(kept));
    } else {
        throw std::invalid_argument("this game has no planes");
    }
}

#define TEGEL_GAMES(game) \
    if (name == #game)    \
        return games_of<game::Board>(packed, count, threads, autoreset, std::move(kept));

std::unique_ptr<Games> made(const std::string& name, const Packed& packed, std::size_t count,
                            int threads, bool autoreset, std::optional<Flat<std::uint8_t>> planes,
                            std::optional<Flat<float>> scalars,
                            std::optional<Flat<std::uint8_t>> mask, Flat<float> rewards,
                            Flat<std::uint8_t> done, Flat<std::int32_t> mover) {
    require(threads >= 1 && threads <= 1024, "threads are 1 to 1024");
    Kept kept{planes, scalars, mask, rewards, done, mover};
    TEGEL_KERNELS(TEGEL_GAMES)
    throw std::invalid_argument("no kernel for " + name);
}

}  // namespace
}  // namespace tegel

using namespace tegel;

NB_MODULE(TEGEL_MODULE, module) {
    nb::class_<Games>(module, "Games")
        .def("reset", &Games::reset, nb::arg("seeds"), nb::arg("which").none())
        .def("step", &Games::step)
        .def("sample", &Games::sample)
        .def("legal", &Games::legal)
        .def("fill", &Games::fill)
        .def("packed", &Games::packed)
        .def("drawn", &Games::drawn);
    module.def("games", &made, nb::arg("game"), nb::arg("packed"), nb::arg("count"),
               nb::arg("threads"), nb::arg("autoreset"), nb::arg("planes").none(),
               nb::arg("scalars").none(), nb::arg("mask").none(), nb::arg("rewards"),
               nb::arg("done"), nb::arg("mover"));
}
