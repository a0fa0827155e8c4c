// Search with nets as a Python module (see nets.py): the net itself is on the side of Python.
//
// - a guide thinks about one game: `leaves` gives positions out, `answer` takes what a net says;
// - a school lets a net play many games against itself, and gives the lessons out.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels.hpp"
#include "tegel/busy.hpp"
#include "tegel/require.hpp"
#include "tegel/search/puct.hpp"
#include "tegel/search/selfplay.hpp"

namespace nb = nanobind;

namespace tegel {
namespace {

// code, prior, visits; wins, values and scores by seat; whether they are exact
using Row = std::tuple<Code, float, std::uint32_t, std::vector<float>, std::vector<float>,
                       std::vector<float>, bool>;
using Settings = std::map<std::string, double>;
using Clock = std::chrono::steady_clock;

// Arrays that Python made, to be filled or read.
template <class T>
using Flat = nb::ndarray<T, nb::c_contig, nb::device::cpu>;

template <class T>
T* checked(const Flat<T>& array, std::size_t size, const char* name) {
    if (array.size() != size)
        throw std::invalid_argument(std::string(name) + " has " + std::to_string(array.size()) +
                                    " numbers, not " + std::to_string(size));
    return array.data();
}

// An array of Python's with the numbers of a vector.
template <class T>
nb::ndarray<nb::numpy, T> given(std::vector<T> numbers, std::vector<std::size_t> shape) {
    auto kept = std::make_unique<std::vector<T>>(std::move(numbers));
    T* data = kept->data();
    nb::capsule owner(kept.release(),
                      [](void* made) noexcept { delete static_cast<std::vector<T>*>(made); });
    return nb::ndarray<nb::numpy, T>(data, shape.size(), shape.data(), owner);
}

// Whether a setting is the one known by a name; if so, it is set. Raises what is out of range: a
// double that a whole number can't hold is undefined as one.
template <class Number>
bool set(const std::string& name, const char* known, Number& field, double value, double least,
         double most) {
    if (name != known) return false;
    const bool fits = value >= least && value <= most;  // NaN is neither
    const bool whole = std::is_floating_point_v<Number> || value == std::floor(value);
    std::ostringstream sentence;
    sentence << name << " is " << value << "; it must be a "
             << (std::is_floating_point_v<Number> ? "number" : "whole number") << " from " << least
             << " to " << most;
    require(fits && whole, sentence.str());
    field = Number(value);
    return true;
}

constexpr double MOST_NODES = 100'000'000, MOST_EDGES = 4'000'000'000;
constexpr double MOST_SIMULATIONS = 100'000'000, MOST_MOVES = 100'000;
constexpr int MOST_GAMES = 1'000'000, MOST_THREADS = 1024, MOST_BATCH = 1'000'000;

Guidance guided(const Settings& settings) {
    Guidance guidance;
    for (const auto& [name, value] : settings)
        if (!(set(name, "curiosity", guidance.curiosity, value, 0, 1000) ||
              set(name, "unknown", guidance.unknown, value, -10, 10) ||
              set(name, "work", guidance.work, value, 0, 1e9) ||
              set(name, "nodes", guidance.nodes, value, 1, MOST_NODES) ||
              set(name, "edges", guidance.edges, value, 1, MOST_EDGES)))
            throw std::invalid_argument("the search with a net has no setting " + name);
    return guidance;
}

Practice practised(const Settings& settings) {
    Practice practice;
    for (const auto& [name, value] : settings)
        if (!(set(name, "simulations", practice.simulations, value, 1, MOST_SIMULATIONS) ||
              set(name, "considered", practice.considered, value, 1, MOST_MOVES) ||
              set(name, "opening", practice.opening, value, 0, 1) ||
              set(name, "plies", practice.plies, value, 1, MOST_MOVES) ||
              set(name, "trust", practice.trust, value, 0, 1e9) ||
              set(name, "scale", practice.scale, value, 0, 1e9)))
            throw std::invalid_argument("self-play has no setting " + name);
    return practice;
}

// Leaves: planes, scalars, and for all legal moves, one leaf after the other, their actions; the
// numbers of these by leaf.
using Leaves = std::tuple<nb::ndarray<nb::numpy, std::uint8_t>, nb::ndarray<nb::numpy, float>,
                          nb::ndarray<nb::numpy, std::int32_t>, std::vector<std::size_t>>;

// The search of one game. While it thinks, in `begin` and `leaves`, other threads may only stop it.
class Guide {
  public:
    virtual ~Guide() = default;
    virtual Packed packed() const = 0;
    virtual Shape shape() const = 0;
    virtual bool over() const = 0;
    virtual void play(Code code) = 0;
    virtual std::vector<Code> draw(std::uint64_t seed) = 0;
    virtual void overlook(const std::vector<Code>& codes) = 0;
    virtual void begin(std::uint64_t simulations, double seconds, bool settles) = 0;
    virtual nb::object leaves(int batch) = 0;
    virtual void answer(Flat<const float> logits, Flat<const float> said) = 0;
    virtual void abandon() = 0;
    virtual std::vector<Row> opinions() const = 0;
    virtual std::vector<Code> line(Code code, std::size_t plies) const = 0;
    virtual nb::object look() const = 0;
    virtual std::vector<Symmetry> symmetries() const = 0;
    virtual int voice() const = 0;
    virtual std::vector<std::uint8_t> owned(int voice) const = 0;
    virtual std::vector<std::vector<float>> ends(int seat) const = 0;
    virtual int turn() const = 0;

    Busy busy{"the search is thinking: stop it first"};
    std::atomic<bool> stopped{false};
};

template <Netted B>
class GuideOf final : public Guide {
  public:
    GuideOf(const Packed& packed, std::uint64_t seed, const Guidance& guidance)
        : search(B(packed), guidance, Random(mixed(seed))), random(seed) {
        std::vector<Candidate> found;
        B board = search.board();
        if (!board.over()) board.moves(found);
        require(over() || !found.empty(), "no such position: nobody can move in it");
    }

    Packed packed() const override { return search.board().packed(); }
    Shape shape() const override { return search.shape(); }
    bool over() const override { return search.board().over(); }
    void play(Code code) override {
        if (over() || !legal(search.board(), code))
            throw std::invalid_argument("no legal move has the number " + std::to_string(code));
        search.play(code);
    }
    // Lets chance decide for as long as it is its turn, and tells what was drawn.
    std::vector<Code> draw(std::uint64_t seed) override {
        Random random(seed);
        std::vector<Code> drawn;
        while (!over() && turn() == CHANCE) {
            B board = search.board();
            drawn.push_back(board.random(random));
            search.play(drawn.back());
        }
        return drawn;
    }
    void overlook(const std::vector<Code>& codes) override { search.overlook(codes); }

    // Begins to think; if choices settle, only until the best move is clear.
    void begin(std::uint64_t simulations, double seconds, bool settles) override {
        require(seconds >= 0, "a search takes 0 seconds or more");
        const Busy::Work working(busy);
        stopped = false;
        settling = settles;
        wanted = simulations;
        limit = seconds;
        began = Clock::now();
        kept = search.simulations();
        nb::gil_scoped_release release;
        search.prove(std::max<std::uint64_t>(simulations, kept), settles, random, [&] {
            return spent() >= limit / 4 || stopped.load(std::memory_order_relaxed);
        });
    }
    // The next leaves to judge, at most so many, or nothing if the search is over.
    nb::object leaves(int batch) override {
        require(batch >= 1 && batch <= MOST_BATCH, "a batch has 1 to 1,000,000 leaves");
        const Busy::Work working(busy);
        {
            nb::gil_scoped_release release;
            while (!search.waiting() && !over() && !search.solved() && more())
                while (int(search.waiting()) < batch &&
                       search.simulations() + search.waiting() < wanted)
                    if (const auto met = search.descend(settling ? search.ANY : search.neglected());
                        met == search.MET)
                        break;
                    else if (met == search.OVER && !more()) break;
        }
        if (!search.waiting()) return nb::none();
        std::vector<const View*> views;
        for (std::size_t i = 0; i < search.waiting(); ++i) views.push_back(&search.leaf(i).view);
        return nb::cast(gathered(views));
    }
    void answer(Flat<const float> logits, Flat<const float> said) override {
        std::size_t moves = 0;
        for (std::size_t i = 0; i < search.waiting(); ++i)
            moves += search.leaf(i).view.codes.size();
        const float* first = checked(logits, moves, "the policy");
        const float* second =
            checked(said, search.waiting() * SAID * std::size_t(search.shape().sides),
                    "the values");
        for (std::size_t i = 0; i < moves; ++i)
            if (!std::isfinite(first[i])) throw std::invalid_argument("the net gave no number");
        for (std::size_t i = 0; i < said.size(); ++i)
            if (!std::isfinite(second[i])) throw std::invalid_argument("the net gave no number");
        search.answer(first, second);
    }
    void abandon() override { search.abandon(); }

    std::vector<Row> opinions() const override {
        std::vector<Row> rows;
        const auto seats = search.board().seats();
        const auto first = [=](const auto& all) {
            return std::vector<float>(all.begin(), all.begin() + seats);
        };
        for (const auto& o : search.opinions())
            rows.push_back({o.code, o.prior, o.visits, first(o.worth.wins), first(o.worth.values),
                            first(o.worth.scores), o.exact});
        return rows;
    }
    std::vector<Code> line(Code code, std::size_t plies) const override {
        if (over() || !legal(search.board(), code))
            throw std::invalid_argument("no legal move has the number " + std::to_string(code));
        return search.line(code, plies, random);
    }
    nb::object look() const override {
        if (over()) throw std::invalid_argument("the game is over here");
        if (turn() == CHANCE) throw std::invalid_argument("nobody looks where chance decides");
        B board = search.board();
        View view;
        board.look(view);
        return nb::make_tuple(nb::cast(gathered({&view})), view.codes);
    }
    std::vector<Symmetry> symmetries() const override { return search.board().symmetries(); }
    int voice() const override { return search.board().voice(); }
    int turn() const override { return search.board().turn(); }
    // How a game ended: by side, from a seat on, its share of the win, what it plays for, its score.
    std::vector<std::vector<float>> ends(int seat) const override {
        if (!over()) throw std::invalid_argument("the game goes on here");
        if (seat < 0 || seat >= search.board().seats()) throw std::invalid_argument("no such seat");
        const Worth end = judged(search.board());
        std::vector<std::vector<float>> found;
        for (int side = 0; side < shape().sides; ++side) {
            const auto of = std::size_t((seat + side) % shape().sides);
            found.push_back({end.wins[of], end.values[of], end.scores[of]});
        }
        return found;
    }
    std::vector<std::uint8_t> owned(int voice) const override {
        if (voice < 0 || voice >= shape().owners - 1)
            throw std::invalid_argument("nobody looks so");
        std::vector<std::uint8_t> squares(std::size_t(shape().height * shape().width));
        search.board().owned(voice, squares.data());
        return squares;
    }

  private:
    Guided<B> search;
    Random random;
    std::uint64_t wanted = 0, kept = 0;
    double limit = 0;
    bool settling = true;
    Clock::time_point began;

    double spent() const { return std::chrono::duration<double>(Clock::now() - began).count(); }
    // Whether the search goes on.
    bool more() const {
        const std::uint64_t done = search.simulations();
        if (stopped || done >= wanted || search.full()) return false;
        const double time = spent();
        if (time >= limit && done) return false;
        double left = double(wanted - done);
        if (time > 0 && done > kept)
            left = std::min(left, (limit - time) / time * double(done - kept));
        return !settling || !search.settled(left);
    }

    Leaves gathered(const std::vector<const View*>& views) const {
        const Shape s = search.shape();
        std::vector<std::uint8_t> planes;
        std::vector<float> scalars;
        std::vector<std::int32_t> actions;
        std::vector<std::size_t> counts;
        for (const View* view : views) {
            planes.insert(planes.end(), view->planes.begin(), view->planes.end());
            scalars.insert(scalars.end(), view->scalars.begin(), view->scalars.end());
            actions.insert(actions.end(), view->actions.begin(), view->actions.end());
            counts.push_back(view->actions.size());
        }
        const std::size_t moves = actions.size();
        return {given(std::move(planes), {views.size(), std::size_t(s.channels),
                                          std::size_t(s.height), std::size_t(s.width)}),
                given(std::move(scalars), {views.size(), std::size_t(s.scalars)}),
                given(std::move(actions), {moves}), counts};
    }
};

// Self-play of many games. While it steps, other threads may take lessons and ask what was played.
class Schooling {
  public:
    virtual ~Schooling() = default;
    virtual Shape shape() const = 0;
    virtual int count() const = 0;
    virtual void practise(const Settings& settings) = 0;
    virtual std::size_t step(Flat<const float> logits, Flat<const float> said,
                             Flat<std::uint8_t> planes, Flat<float> scalars,
                             Flat<std::int64_t> actions) = 0;
    virtual std::size_t take(Flat<std::uint8_t> planes, Flat<float> scalars,
                             Flat<std::uint8_t> owned, Flat<std::int32_t> actions, Flat<float> odds,
                             Flat<float> ends) = 0;
    virtual std::tuple<std::uint64_t, std::uint64_t, double> played() const = 0;
};

template <Netted B>
class SchoolOf final : public Schooling {
  public:
    SchoolOf(const Packed& packed, int games, std::uint64_t seed, int threads)
        : school(B(packed), games, seed, threads), sizes(B(packed).shape()) {}

    Shape shape() const override { return sizes; }
    int count() const override { return school.count(); }
    void practise(const Settings& settings) override {
        busy.rest();
        school.practice = practised(settings);
    }

    // Takes what the net says of the last batch, plays on, and fills the next: in `actions` the
    // places of all legal moves in the policies of the batch. How many these are.
    std::size_t step(Flat<const float> logits, Flat<const float> said, Flat<std::uint8_t> planes,
                     Flat<float> scalars, Flat<std::int64_t> actions) override {
        const Busy::Work working(busy);
        const auto games = std::size_t(count());
        const auto plane = std::size_t(sizes.channels * sizes.height * sizes.width);
        const auto scalar = std::size_t(sizes.scalars);
        std::uint8_t* to_planes = checked(planes, games * plane, "planes");
        float* to_scalars = checked(scalars, games * scalar, "scalars");
        checked(said, games * SAID * std::size_t(sizes.sides), "the values");
        require(logits.size() >= school.moves(),
                "the policy has fewer numbers than there are moves");
        std::int64_t* to_actions = actions.data();
        const std::size_t room = actions.size();
        std::atomic<bool> full{false};
        nb::gil_scoped_release release;
        school.step(logits.data(), said.data(), [&](int i, std::size_t offset) {
            const View& view = school.waiting(i);
            const auto at = std::size_t(i);
            std::memcpy(to_planes + at * plane, view.planes.data(), plane);
            std::memcpy(to_scalars + at * scalar, view.scalars.data(), scalar * sizeof(float));
            if (offset + view.actions.size() > room) full = true;
            else
                for (std::size_t j = 0; j < view.actions.size(); ++j)
                    to_actions[offset + j] = std::int64_t(at) * sizes.actions + view.actions[j];
        });
        if (full) throw std::runtime_error("there is no room for so many legal moves");
        return school.moves();
    }

    // Fills arrays with lessons, one a row, and tells how many. Of more legal moves than there is
    // room for the least likely are left out; where there are fewer the rest has the action -1.
    std::size_t take(Flat<std::uint8_t> planes, Flat<float> scalars, Flat<std::uint8_t> owned,
                     Flat<std::int32_t> actions, Flat<float> odds, Flat<float> ends) override {
        const auto plane = std::size_t(sizes.channels * sizes.height * sizes.width);
        const auto squares = std::size_t(sizes.height * sizes.width),
                   scalar = std::size_t(sizes.scalars);
        const std::size_t most = owned.size() / squares;
        require(most >= 1 && owned.size() == most * squares, "squares of whole lessons are needed");
        const std::size_t room = actions.size() / most;
        checked(actions, most * room, "actions");
        checked(planes, most * plane, "planes");
        checked(scalars, most * scalar, "scalars");
        checked(odds, most * room, "odds");
        checked(ends, most * SAID * std::size_t(sizes.sides), "ends");
        nb::gil_scoped_release release;
        const std::vector<Lesson> lessons = school.take(most);
        std::vector<std::uint32_t> order;
        for (std::size_t i = 0; i < lessons.size(); ++i) {
            const Lesson& lesson = lessons[i];
            std::memcpy(planes.data() + i * plane, lesson.view.planes.data(), plane);
            std::memcpy(scalars.data() + i * scalar, lesson.view.scalars.data(),
                        scalar * sizeof(float));
            std::memcpy(owned.data() + i * squares, lesson.owned.data(), squares);
            order.resize(lesson.odds.size());
            for (std::uint32_t j = 0; j < order.size(); ++j) order[j] = j;
            if (order.size() > room) {
                std::nth_element(order.begin(), order.begin() + long(room), order.end(),
                                 [&](auto a, auto b) { return lesson.odds[a] > lesson.odds[b]; });
                order.resize(room);
            }
            std::fill_n(actions.data() + i * room, room, -1);
            std::fill_n(odds.data() + i * room, room, 0.0f);
            for (std::size_t j = 0; j < order.size(); ++j) {
                actions.data()[i * room + j] = lesson.view.actions[order[j]];
                odds.data()[i * room + j] = lesson.odds[order[j]];
            }
            for (int side = 0; side < sizes.sides; ++side) {
                const auto seat = std::size_t((lesson.seat + side) % sizes.sides);
                float* end =
                    ends.data() + (i * std::size_t(sizes.sides) + std::size_t(side)) * SAID;
                end[0] = lesson.end.wins[seat], end[1] = lesson.end.values[seat];
                end[2] = lesson.end.scores[seat];
            }
        }
        return lessons.size();
    }
    std::tuple<std::uint64_t, std::uint64_t, double> played() const override {
        const auto [games, plies, first] = school.played();
        return {games, plies, first};
    }

  private:
    School<B> school;
    Busy busy{"the school is at work on another thread"};
    const Shape sizes;
};

template <class B>
bool netted() {
    return Netted<B>;
}

template <class B>
std::unique_ptr<Guide> guide_of(const Packed& packed, std::uint64_t seed,
                                const Settings& settings) {
    if constexpr (Netted<B>) return std::make_unique<GuideOf<B>>(packed, seed, guided(settings));
    else throw std::invalid_argument("nets can't see this game yet");
}

template <class B>
std::unique_ptr<Schooling> school_of(const Packed& packed, int games, std::uint64_t seed,
                                     int threads) {
    if constexpr (Netted<B>) return std::make_unique<SchoolOf<B>>(packed, games, seed, threads);
    else throw std::invalid_argument("nets can't see this game yet");
}

#define TEGEL_NETTED(game) \
    if (netted<game::Board>()) names.push_back(#game);
#define TEGEL_GUIDE(game) \
    if (name == #game) return guide_of<game::Board>(packed, seed, settings);
#define TEGEL_SCHOOL(game) \
    if (name == #game) return school_of<game::Board>(packed, games, seed, threads);

std::vector<std::string> seen() {
    std::vector<std::string> names;
    TEGEL_KERNELS(TEGEL_NETTED)
    return names;
}

std::unique_ptr<Guide> guide(const std::string& name, const Packed& packed, std::uint64_t seed,
                             const Settings& settings) {
    TEGEL_KERNELS(TEGEL_GUIDE)
    throw std::invalid_argument("no kernel for " + name);
}

std::unique_ptr<Schooling> school(const std::string& name, const Packed& packed, int games,
                                  std::uint64_t seed, int threads) {
    require(games >= 1 && games <= MOST_GAMES, "a school has 1 to 1,000,000 games");
    require(threads >= 1 && threads <= MOST_THREADS, "a school has 1 to 1,024 threads");
    TEGEL_KERNELS(TEGEL_SCHOOL)
    throw std::invalid_argument("no kernel for " + name);
}

// A method of a guide that is refused while the guide thinks on another thread.
template <class Result, class... Given>
auto at_rest(Result (Guide::*method)(Given...)) {
    return [method](Guide& guide, Given... given) -> Result {
        guide.busy.rest();
        return (guide.*method)(std::forward<Given>(given)...);
    };
}
template <class Result, class... Given>
auto at_rest(Result (Guide::*method)(Given...) const) {
    return [method](const Guide& guide, Given... given) -> Result {
        guide.busy.rest();
        return (guide.*method)(std::forward<Given>(given)...);
    };
}

}  // namespace
}  // namespace tegel

using namespace tegel;

NB_MODULE(TEGEL_MODULE, module) {
    module.attr("GAMES") = nb::cast(seen());
    nb::class_<Shape>(module, "Shape")
        .def_ro("channels", &Shape::channels)
        .def_ro("height", &Shape::height)
        .def_ro("width", &Shape::width)
        .def_ro("scalars", &Shape::scalars)
        .def_ro("actions", &Shape::actions)
        .def_ro("sides", &Shape::sides)
        .def_ro("owners", &Shape::owners)
        .def_ro("moves", &Shape::moves);
    nb::class_<Guide>(module, "Guide")
        .def_prop_ro("packed", at_rest(&Guide::packed))
        .def_prop_ro("shape", &Guide::shape)
        .def_prop_ro("over", at_rest(&Guide::over))
        .def("play", at_rest(&Guide::play))
        .def("draw", at_rest(&Guide::draw))
        .def("overlook", at_rest(&Guide::overlook))
        .def("begin", &Guide::begin)
        .def("leaves", &Guide::leaves)
        .def("answer", at_rest(&Guide::answer))
        .def("abandon", at_rest(&Guide::abandon))
        .def("stop", [](Guide& guide) { guide.stopped = true; })
        .def("opinions", at_rest(&Guide::opinions))
        .def("line", at_rest(&Guide::line))
        .def("look", at_rest(&Guide::look))
        .def("symmetries",
             [](const Guide& guide) {
                 guide.busy.rest();
                 std::vector<std::pair<std::vector<std::int32_t>, std::vector<std::int32_t>>> all;
                 for (auto& one : guide.symmetries()) all.push_back({one.squares, one.actions});
                 return all;
             })
        .def_prop_ro("turn", at_rest(&Guide::turn))
        .def_prop_ro("voice", at_rest(&Guide::voice))
        .def("owned", at_rest(&Guide::owned))
        .def("ends", at_rest(&Guide::ends));
    nb::class_<Schooling>(module, "School")
        .def_prop_ro("shape", &Schooling::shape)
        .def_prop_ro("count", &Schooling::count)
        .def("practise", &Schooling::practise)
        .def("step", &Schooling::step)
        .def("take", &Schooling::take)
        .def_prop_ro("played", &Schooling::played);
    module.def("guide", &guide);
    module.def("school", &school);
}
