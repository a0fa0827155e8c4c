// Threads that share work: every number is done once, and what one of them throws comes out.
#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

#include "expect.hpp"
#include "tegel/search/crew.hpp"

using namespace tegel;

void every_number_is_done_once() {
    Crew crew(4);
    for (int count : {0, 1, 15, 16, 17, 1000}) {
        std::vector<std::atomic<int>> done(std::size_t(count) + 1);
        crew.share(count, [&](int i) { ++done[std::size_t(i)]; });
        for (int i = 0; i < count; ++i) EXPECT(done[std::size_t(i)] == 1);
    }
}

void what_a_piece_of_work_throws_is_thrown_to_who_shares_it_out() {
    Crew crew(4);
    for (int at : {0, 5, 999}) {
        std::string said;
        try {
            crew.share(1000, [&](int i) {
                if (i == at) throw std::runtime_error("number " + std::to_string(i));
            });
        } catch (const std::runtime_error& error) {
            said = error.what();
        }
        EXPECT(said == "number " + std::to_string(at));
    }
    std::atomic<int> done{0};
    crew.share(1000, [&](int) { ++done; });
    EXPECT(done == 1000);  // the crew goes on
}

void if_all_throw_one_is_heard() {
    Crew crew(4);
    int heard = 0;
    try {
        crew.share(1000, [](int) { throw std::runtime_error("no"); });
    } catch (const std::runtime_error&) {
        ++heard;
    }
    EXPECT(heard == 1);
}

int main() {
    every_number_is_done_once();
    what_a_piece_of_work_throws_is_thrown_to_who_shares_it_out();
    if_all_throw_one_is_heard();
}
