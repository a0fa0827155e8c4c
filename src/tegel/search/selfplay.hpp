// Games that a net plays against itself, to learn from: many at once, so that their leaves fill
// the batches that a GPU wants.
//
// At the root moves are drawn by the net's own odds (Gumbel's trick), and the simulations are
// shared out among them by halving: what looks worse is left out, round by round. That improves
// on the net even with few simulations, and says of every move how likely it should have been
// (Danihelka and others, "Policy improvement by planning with Gumbel", 2022).
//
// A lesson is a position that was searched, with what the search made of its moves, and later
// what became of the game. Each game's chances follow from the seed alone, in whatever order
// threads come to it. All begin at once, so that without more they would end at once, too, and
// lessons come in waves: the first game of each is played in more or less haste, and not learned
// from.
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "tegel/require.hpp"
#include "tegel/search/board.hpp"
#include "tegel/search/crew.hpp"
#include "tegel/search/net.hpp"
#include "tegel/search/puct.hpp"

namespace tegel {

struct Practice {
    std::uint32_t simulations = 32;  // a move
    std::uint32_t considered = 12;   // moves drawn at the root
    float opening = 0.5f;            // of the games begin with moves by lot,
    std::uint32_t plies = 3;         // so many at most
    float trust = 50, scale = 0.5f;  // how much values count beside the net's own odds
};

struct Lesson {
    View view;
    std::vector<float> odds;  // by legal move, what the search makes of them
    int seat, voice;
    std::vector<std::uint8_t> owned;  // squares at the end
    Worth end;                        // by seat

    // Keeps only so many moves, the likeliest.
    void shorten(std::size_t most) {
        assert(most > 0 && odds.size() == view.actions.size());
        if (odds.size() <= most) return;
        std::vector<std::pair<float, std::uint32_t>> order;
        for (std::uint32_t i = 0; i < odds.size(); ++i) order.push_back({-odds[i], i});
        std::nth_element(order.begin(), order.begin() + long(most), order.end());
        Lesson kept;
        float total = 0;
        for (std::size_t i = 0; i < most; ++i) total -= order[i].first;
        for (std::size_t i = 0; i < most; ++i) {
            kept.odds.push_back(-order[i].first / total);
            kept.view.actions.push_back(view.actions[order[i].second]);
        }
        odds = std::move(kept.odds);
        view.actions = std::move(kept.view.actions);
        view.codes = {};
    }
};

// One game after the other, each of whose positions waits for the net.
template <Netted B>
class Learner {
  public:
    Learner(const B& begin, std::uint64_t seed)
        : begin(begin), random(seed), search(begin, {}, Random(mixed(seed))) {}

    Shape shape() const { return search.shape(); }
    const View& waiting() const { return search.leaf(0).view; }
    // What is made of a game that is over: its lessons, then the next game begins.
    using Over = std::function<void(const B&, std::vector<Lesson>&)>;

    // Begins the first game, and goes on until the net is needed.
    void start(const Practice& practice, const Over& over) {
        restart(practice);
        go_on(practice, over);
    }
    // Takes what the net says, and goes on until it is needed again.
    void answer(const float* logits, const float* said, const Practice& practice,
                const Over& over) {
        assert(search.waiting() == 1);
        const bool first = !search.root().judged;
        search.answer(logits, said);
        if (first) {
            seen = search.leaf(0).view;
            own = search.root().sums.values[std::size_t(search.board().turn())];
            share_out(practice);
        }
        go_on(practice, over);
    }

  private:
    const B begin;
    Random random;
    Guided<B> search;
    float haste = random.unit();  // of the first game, of the simulations; 0 in all others
    View seen;      // the root
    float own = 0;  // what the net says of it
    std::vector<Lesson> lessons;
    // Halving: edges drawn, the first `alive` of which are still considered, each with the
    // noise that it was drawn with, until all have `target` visits.
    struct Drawn {
        std::uint32_t edge;
        float lot;          // its logit, with noise
        float promise = 0;  // the same with its value

        bool operator>(const Drawn& other) const { return promise > other.promise; }
    };
    std::vector<Drawn> drawn;
    std::size_t alive = 0;
    std::uint32_t target = 0, rounds = 1;

    void restart(const Practice& practice) {
        B board = begin;
        draw(board);
        if (random.unit() < practice.opening)
            for (std::uint32_t left = 1 + random.below(practice.plies); left && !board.over();
                 --left) {
                board.play(board.random(random));
                draw(board);
            }
        search.begin(board);
        lessons.clear();
    }

    void go_on(const Practice& practice, const Over& over) {
        for (;;) {
            if (search.board().over()) {
                finish(over);
                restart(practice);
            } else if (search.root().judged &&
                       float(search.simulations()) >= (1 - haste) * float(practice.simulations)) {
                move(practice);
            } else if (search.descend(search.root().judged ? halving(practice) : search.ANY) ==
                       search.WAITS) {
                if (search.root().judged || waiting().codes.size() > 1) return;
                const Code only = waiting().codes[0];
                advance(only);  // no choice, nothing to learn
            }
        }
    }

    void advance(Code code) {
        B after = search.board();
        after.play(code);
        draw(after);
        search.begin(after);
    }

    // Lets chance decide for as long as it is its turn.
    void draw(B& board) {
        while (!board.over() && board.turn() == CHANCE) board.play(board.random(random));
    }

    void share_out(const Practice& practice) {
        const auto& root = search.root();
        drawn.clear();
        for (std::uint32_t i = root.first; i < root.first + root.count; ++i)
            drawn.push_back(
                {i, logit(i) - std::log(-std::log(random.unit() * 0.9999999f + 3e-8f))});
        for (Drawn& one : drawn) one.promise = one.lot;
        alive = std::min<std::size_t>(practice.considered, drawn.size());
        std::partial_sort(drawn.begin(), drawn.begin() + long(alive), drawn.end(), std::greater{});
        drawn.resize(alive);
        assert(alive > 0);
        rounds = 1;
        for (std::size_t left = alive; left > 2; left = (left + 1) / 2) ++rounds;
        target = share(practice);
    }

    float logit(std::uint32_t edge) { return std::log(std::max(search.edge(edge).prior, 1e-30f)); }
    std::uint32_t share(const Practice& practice) const {
        return std::max(1u, practice.simulations / (rounds * std::uint32_t(alive)));
    }
    // How much values count beside logits.
    float weight(const Practice& practice) {
        std::uint32_t most = 0;
        for (const Drawn& one : drawn) most = std::max(most, search.edge(one.edge).visits);
        return (practice.trust + float(most)) * practice.scale;
    }
    void rank(const Practice& practice) {
        const float counts = weight(practice);
        for (Drawn& one : drawn) {
            const auto& edge = search.edge(one.edge);
            one.promise = edge.visits ? one.lot + counts * edge.mean() : -1e9f;
        }
        std::sort(drawn.begin(), drawn.begin() + long(alive), std::greater{});
    }
    // The edge of the root to follow now.
    std::uint32_t halving(const Practice& practice) {
        assert(alive > 0 && alive <= drawn.size());
        for (;;) {
            for (std::size_t i = 0; i < alive; ++i)
                if (search.edge(drawn[i].edge).visits < target) return drawn[i].edge;
            if (alive > 1) rank(practice);
            if (alive > 2) alive = (alive + 1) / 2;
            target += share(practice);
        }
    }

    // The search of this position is over: its best move is made, its lesson remembered.
    void move(const Practice& practice) {
        assert(search.waiting() == 0);
        rank(practice);
        Lesson lesson;
        lesson.seat = search.board().turn();
        lesson.voice = search.board().voice();
        lesson.odds = improved(practice);
        lesson.view = std::move(seen);
        if constexpr (requires { B::WIDTH; }) lesson.shorten(3 * B::WIDTH);
        lessons.push_back(std::move(lesson));
        advance(search.edge(drawn[0].edge).code);
    }

    // How likely each move of the view should have been.
    std::vector<float> improved(const Practice& practice) {
        const auto& root = search.root();
        float visits = 0, mass = 0, sum = 0;
        for (std::uint32_t i = root.first; i < root.first + root.count; ++i)
            if (const auto& edge = search.edge(i); edge.visits) {
                visits += float(edge.visits);
                mass += edge.prior;
                sum += edge.prior * edge.mean();
            }
        const float untried = (own + (mass > 0 ? visits * sum / mass : 0)) / (1 + visits);
        const float counts = weight(practice);
        std::vector<std::pair<Code, float>> by_code;
        float top = -1e30f, total = 0;
        for (std::uint32_t i = root.first; i < root.first + root.count; ++i) {
            const auto& edge = search.edge(i);
            const float value = edge.visits ? edge.mean() : untried;
            by_code.push_back({edge.code, logit(i) + counts * value});
            top = std::max(top, by_code.back().second);
        }
        for (auto& [code, odds] : by_code) total += odds = std::exp(odds - top);
        assert(total > 0);
        std::sort(by_code.begin(), by_code.end());
        std::vector<float> found;
        for (Code code : seen.codes) {
            const auto at = std::lower_bound(by_code.begin(), by_code.end(),
                                             std::pair<Code, float>{code, -1.0f});
            assert(at != by_code.end() && at->first == code);
            found.push_back(at->second / total);
        }
        return found;
    }

    void finish(const Over& over) {
        if (std::exchange(haste, 0.0f) > 0) return;
        const B& board = search.board();
        const Shape shape = board.shape();
        for (Lesson& lesson : lessons) {
            lesson.end = judged(board);
            lesson.owned.resize(std::size_t(shape.height * shape.width));
            board.owned(lesson.voice, lesson.owned.data());
        }
        over(board, lessons);
    }
};

// Many games at once, and the lessons of those that are over.
template <Netted B>
class School {
  public:
    School(const B& begin, int games, std::uint64_t seed, int threads) : crew(threads) {
        for (int i = 0; i < games; ++i)
            learners.push_back(std::make_unique<Learner<B>>(begin, mixed(seed) + std::uint64_t(i)));
    }

    Practice practice;

    struct Played {
        std::uint64_t games = 0, plies = 0;  // over, and searched
        double first = 0;                    // wins of the first seat
    };
    Played played() const {
        std::lock_guard guard(lock);
        return sums;
    }

    int count() const { return int(learners.size()); }
    const View& waiting(int index) const {
        assert(index >= 0 && index < count());
        return learners[std::size_t(index)]->waiting();
    }

    // Takes what the net says of all positions that wait (nothing at first), and goes on until
    // all wait again; then `each` gets every number, on some thread. Refuses what is no number,
    // and then nothing has happened.
    template <class Each>
    void step(const float* logits, const float* said, Each each) {
        require(!failed, "the school failed in the middle of a step: make a new one");
        if (begun) check(logits, said);
        failed = true;
        const typename Learner<B>::Over over = [this](const B& board,
                                                      std::vector<Lesson>& lessons) {
            Values wins{}, values{};
            board.values(wins, values);
            std::lock_guard guard(lock);
            ++sums.games, sums.plies += lessons.size(), sums.first += wins[0];
            for (Lesson& lesson : lessons) done.push_back(std::move(lesson));
        };
        crew.share(count(), [&](int i) {
            Learner<B>& learner = *learners[std::size_t(i)];
            if (!begun) return learner.start(practice, over);
            learner.answer(logits + offsets[std::size_t(i)], said + std::size_t(i) * each_said(),
                           practice, over);
        });
        begun = true;
        offsets.assign(1, 0);
        for (int i = 0; i < count(); ++i)
            offsets.push_back(offsets.back() + waiting(i).codes.size());
        crew.share(count(), [&](int i) { each(i, offsets[std::size_t(i)]); });
        failed = false;
    }
    // Legal moves of all that wait.
    std::size_t moves() const { return offsets.empty() ? 0 : offsets.back(); }
    Shape shape() const { return learners[0]->shape(); }

    // Lessons that nobody took yet, at most so many.
    std::vector<Lesson> take(std::size_t most) {
        std::lock_guard guard(lock);
        std::vector<Lesson> taken;
        for (; taken.size() < most && !done.empty(); done.pop_front())
            taken.push_back(std::move(done.front()));
        return taken;
    }

  private:
    Crew crew;
    std::vector<std::unique_ptr<Learner<B>>> learners;
    std::vector<std::size_t> offsets;  // where the legal moves of each begin, with the end of all
    bool begun = false, failed = false;
    mutable std::mutex lock;  // of what threads of the crew write:
    Played sums;
    std::deque<Lesson> done;

    std::size_t each_said() const { return SAID * std::size_t(shape().sides); }
    void check(const float* logits, const float* said) {
        assert(offsets.size() == learners.size() + 1);
        const auto finite = [](const float* from, const float* to) {
            return std::all_of(from, to, [](float number) { return std::isfinite(number); });
        };
        crew.share(count(), [&](int i) {
            const auto at = std::size_t(i);
            require(finite(logits + offsets[at], logits + offsets[at + 1]) &&
                        finite(said + at * each_said(), said + (at + 1) * each_said()),
                    "the net gave no number");
        });
    }
};

}  // namespace tegel
