// Exact cover and packing: problems whose answers are known, and what is no problem.
#include <cstdint>
#include <limits>
#include <vector>

#include "expect.hpp"
#include "tegel/solver/cover.hpp"
#include "tegel/solver/packing.hpp"

using namespace tegel::solver;
using Options = std::vector<std::vector<Cover::Holding>>;

// Dominoes on a board of 2 by n: there are as many ways as Fibonacci says.
Cover dominoes(int length) {
    Options options;
    for (int x = 0; x < length; ++x) {
        options.push_back({{x, 0}, {length + x, 0}});
        if (x + 1 < length)
            for (int row : {0, length}) options.push_back({{row + x, 0}, {row + x + 1, 0}});
    }
    const std::vector<int> once(std::size_t(2 * length), 1);
    return Cover(once, once, options);
}

void every_solution_comes_once() {
    std::uint64_t before = 1, now = 1;
    for (int length = 1; length < 16; ++length) {
        Cover whole = dominoes(length), sliced = dominoes(length);
        EXPECT(whole.count(std::numeric_limits<std::uint64_t>::max()) == Status::DONE);
        while (sliced.count(1) != Status::DONE) continue;
        sliced.restart(7);
        EXPECT(whole.solutions() == now && sliced.solutions() == now);
        const std::uint64_t next = before + now;
        before = now, now = next;
    }
}

void what_is_no_problem_is_refused() {
    EXPECT(refused([] { Cover({1}, {}, {}); }));
    EXPECT(refused([] { Cover({-1}, {1}, {}); }));
    EXPECT(refused([] { Cover({1}, {1}, {{{1, 0}}}); }));
    EXPECT(refused([] { Cover({1}, {1}, {{{-1, 0}}}); }));
    Cover cover = dominoes(3);
    EXPECT(refused([&] { cover.weigh({1}); }));
    EXPECT(refused(
        [&] { cover.weigh(std::vector<double>(7, std::numeric_limits<double>::quiet_NaN())); }));
    const std::vector<std::vector<Packing::Shape>> tiles{{{{0, 0}}},
                                                         {{{0, 0}, {1, 0}}, {{0, 0}, {0, 1}}}};
    const std::vector<std::vector<int>> hands{{0, 1}};
    EXPECT(refused([&] { Packing(0, 3, {}, tiles, hands, {0}, false, 1); }));
    EXPECT(refused([&] { Packing(1 << 30, 1 << 30, {}, tiles, hands, {0}, false, 1); }));
    EXPECT(refused([&] { Packing(3, 3, {9}, tiles, hands, {0}, false, 1); }));
    EXPECT(refused([&] { Packing(3, 3, {}, tiles, hands, {-1}, false, 1); }));
    EXPECT(refused([&] { Packing(3, 3, {}, {{}}, hands, {0}, false, 1); }));
    EXPECT(refused([&] { Packing(3, 3, {}, {{{{-1, 0}}}}, {{0}}, {0}, false, 1); }));
    EXPECT(refused([&] { Packing(3, 3, {}, tiles, {{2}}, {0}, false, 1); }));
    EXPECT(refused([&] { Packing(3, 3, {}, tiles, hands, {}, false, 1); }));
    Packing packing(3, 3, {}, tiles, hands, {0}, false, 1);
    EXPECT(refused([&] { packing.fix(1, 0, {0}); }));
    EXPECT(refused([&] { packing.fix(0, 2, {0}); }));
    EXPECT(refused([&] { packing.fix(0, 0, {}); }));
    EXPECT(refused([&] { packing.fix(0, 1, {2, 3}); }));
    packing.fix(0, 1, {0, 1});
    EXPECT(refused([&] { packing.fix(0, 1, {0, 1}); }));
    EXPECT(packing.run(100) == Status::FOUND && packing.missing() == 0);
    EXPECT(packing.best().size() == 2);
}

int main() {
    every_solution_comes_once();
    what_is_no_problem_is_refused();
}
