// The two trees, the search over them, and endgames solved, on Nim.
#include <cstdint>
#include <vector>

#include "expect.hpp"
#include "nim.hpp"
#include "tegel/search/engine.hpp"

using namespace tegel;

// Every visit of the root went through one of its edges, and all values lie between 0 and 1.
template <class B>
void visits_add_up(const Search<B>& search, std::uint32_t wanted) {
    std::uint32_t sum = 0;
    for (const Opinion& opinion : search.opinions()) {
        sum += opinion.visits;
        for (int seat = 0; seat < 2; ++seat)
            EXPECT(opinion.worth.values[seat] >= 0 && opinion.worth.values[seat] <= 1);
        if (opinion.visits) EXPECT(opinion.worth.wins[0] + opinion.worth.wins[1] > 0.999f);
    }
    EXPECT(sum == wanted && search.visits() == wanted);
}

const Tuning SEARCHED{.work = 0};  // nothing is solved: the tree has to find it

template <class B>
void search_of(const B& board) {
    const auto never = [] { return false; };
    Search<B> search(board, 1, SEARCHED), again(board, 1, SEARCHED);
    EXPECT(search.run({300}, never) <= 300);
    again.run({300}, never);
    visits_add_up(search, search.visits());
    for (std::size_t i = 0; i < search.opinions().size(); ++i)
        EXPECT(search.opinions()[i].visits == again.opinions()[i].visits);
    // What is known about a move is what is known about the position after it.
    while (!search.board().over()) {
        const Opinion best = search.opinions()[0];
        const bool draws = search.board().turn() == CHANCE;
        search.play(best.code);
        EXPECT(search.visits() == best.visits || draws);
        search.run({100}, never);
        EXPECT(search.board().over() || !search.opinions().empty());
    }
}

void a_tree_that_is_full_stays_so() {
    Tuning small = SEARCHED;
    small.nodes = small.edges = 20;
    Search<nim::Plain> plain({7, 7}, 1, small);
    Search<nim::Pooled> pooled({7, 7}, 1, small);
    plain.run({500}, [] { return false; });
    pooled.run({500}, [] { return false; });
    visits_add_up(plain, plain.visits());
    visits_add_up(pooled, pooled.visits());
}

void some_moves_are_not_considered() {
    Search<nim::Plain> search({5, 3}, 1, SEARCHED);
    search.restrict([](Code code) { return code == 2 || code == 9; });
    search.run({50}, [] { return false; });
    EXPECT(search.opinions().size() == 2);
    search.play(2);
    search.run({50}, [] { return false; });
    EXPECT(search.opinions().size() == 6);
}

// In a pooled tree a node meets other moves at each visit, and keeps what it knew.
void a_throw_leaves_a_pooled_tree_as_it_is() {
    nim::Pooled board(6, 6);
    board.play(2);
    Search<nim::Pooled> search(board, 1, SEARCHED);
    search.run({400}, [] { return false; });
    const Opinion best = search.opinions()[0];
    search.play(best.code);
    EXPECT(search.visits() == best.visits && search.board().turn() == CHANCE);
    search.play(1);
    EXPECT(search.visits() == best.visits);
    search.run({best.visits + 50u}, [] { return false; });
    EXPECT(search.opinions().size() == 2);  // only what the die allows
}

// A line is what may be played, from the move asked for up to a throw, and knows its bounds.
template <class B>
void lines_can_be_played(const B& start) {
    Search<B> search(start, 1, SEARCHED);
    EXPECT(search.run({400, 1e9, false}, [] { return false; }) == 400);  // though it is settled
    for (const Opinion& opinion : search.opinions()) {
        const auto line = search.line(opinion.code, 3);
        EXPECT(line.size() >= 1 && line.size() <= 3 && line[0] == opinion.code);
        B board = start;
        for (std::size_t i = 0; i < line.size(); ++i) {
            EXPECT(!board.over() && (i == 0 || board.turn() != CHANCE) && legal(board, line[i]));
            board.play(line[i]);
        }
        EXPECT(opinion.spreads[0] >= 0 && opinion.spreads[0] < 100);
    }
}

// The line of a solved position leads to what was proved.
void lines_of_proofs_are_proofs() {
    Search<nim::Plain> search({4, 3}, 1);
    search.run({1000, 1e9, false}, [] { return false; });
    for (const Opinion& opinion : search.opinions()) {
        nim::Plain board(4, 3);
        for (Code code : search.line(opinion.code, 20)) board.play(code);
        EXPECT(opinion.exact && board.over());
        EXPECT(judged(board).wins[0] == opinion.worth.wins[0]);
    }
}

// Two heaps are lost for who is to move if they are equal, and only then.
void nim_is_solved() {
    for (int one = 0; one < 8; ++one)
        for (int other = 0; other < 8; ++other) {
            Search<nim::Plain> search({one, other}, 1);
            search.run({1000}, [] { return false; });
            if (one + other < 2) continue;
            for (const Opinion& opinion : search.opinions()) {
                nim::Plain after(one, other);
                after.play(opinion.code);
                EXPECT(opinion.exact);
                EXPECT(opinion.worth.wins[0] == float(after.heaps[0] == after.heaps[1]));
            }
        }
    Exact<nim::Thrown> exact;  // what is left to chance is not
    nim::Thrown board(2, 2);
    board.play(3);
    EXPECT(exact.solve(board, {1}, 1'000'000, Random(1), [] { return false; }).empty());
}

void what_comes_from_outside_is_checked() {
    EngineOf<nim::Plain> engine({3, 4, 0, 0}, 1, {});
    for (Number code : {Number(-1), Number(0), Number(4), Number(13), Number(1) << 40})
        EXPECT(refused([&] { engine.play(code); }));
    EXPECT((engine.packed() == Packed{3, 4, 0, 0}));
    for (const Packed& packed :
         {Packed{}, {3}, {3, 4, 0}, {3, 4, 0, 0, 0}, {8, 0, 0, 0}, {1, 1, 2, 0}})
        EXPECT(refused([&] { EngineOf<nim::Plain>(packed, 1, {}); }));
    EXPECT(refused([] { tuned<nim::Plain>({{"width", 0}}); }));
    EXPECT(refused([] { tuned<nim::Plain>({{"unheard", 1}}); }));
    EXPECT(tuned<nim::Plain>({{"width", 7}}).width == 7);
}

int main() {
    search_of(nim::Plain(5, 4));
    search_of(nim::Thrown(5, 4));
    search_of(nim::Pooled(5, 4));
    a_tree_that_is_full_stays_so();
    some_moves_are_not_considered();
    a_throw_leaves_a_pooled_tree_as_it_is();
    lines_can_be_played(nim::Plain(5, 4));
    lines_can_be_played(nim::Thrown(5, 4));
    lines_can_be_played(nim::Pooled(5, 4));
    lines_of_proofs_are_proofs();
    nim_is_solved();
    what_comes_from_outside_is_checked();
}
