"""The solver: the six tasks of Blokus, known counts, and what it says when there is nothing."""

import random
import time
from collections import Counter

import pytest

from tegel import games, solver
from tegel.game import BadNotation
from tegel.games.blokus import GAME as BLOKUS_GAME
from tegel.games.puzzle.notation import record as record_of
from tegel.games.puzzle.picture import shown
from tegel.lattice import polyforms
from tegel.record import Record
from tegel.solver import Placement, Puzzle, Tile
from tegel.solver.check import fault, solved
from tegel.solver.cover import COMPILED
from tegel.solver.linking import hopeless
from tegel.solver.puzzle import COLOURS, Position
from tegel.solver.solver import Count, Progress, effort, symmetries
from tegel.solver.tasks import rectangle, sets

compiled = pytest.mark.skipif(not COMPILED, reason="there is no compiled solver here")
RECTANGLES = ["tetra-8x10", "tetra-8x10-apart", "penta-15x16", "penta-15x16-apart"]
BLOKUS = ["all84", "all84-descending"]


def solution(task: Puzzle, seed: int) -> Position:
    answer = solver.solve(task, seed=seed, seconds=120)
    assert answer.position, answer
    return answer.position


@compiled
@pytest.mark.parametrize("name", RECTANGLES)
def test_B4_rectangles_use_each_set_once_and_fill_the_board(name: str, rng: random.Random) -> None:
    """Checked here without the checker's help."""
    task, found = solver.load(name), set()
    for seed in rng.sample(range(10**9), 5):
        position = solution(task, seed)
        size = 4 if name.startswith("tetra") else 5
        pieces = Counter((p.colour, p.tile) for p in position)
        assert set(pieces.values()) == {1}
        assert len(pieces) == 4 * {4: 5, 5: 12}[size]
        assert sorted(cell for p in position for cell in p.cells) == sorted(task.board)
        if name.endswith("apart"):
            colour = {cell: p for p in position for cell in p.cells}
            for (x, y), one in colour.items():
                for beside in ((x + 1, y), (x, y + 1)):
                    other = colour.get(beside, one)
                    assert other is one or other.colour != one.colour
        found.add(frozenset(position))
    assert len(found) == 5, "different seeds give different solutions"


def by_the_law(task: Puzzle, position: Position) -> Record:
    """Play a solution as a game of Blokus: by the rules all four colours end with all tiles
    placed, laid in strict turn."""
    record = record_of(task, position)
    sizes = []
    state = BLOKUS_GAME.start(record.variant, **record.options)
    for number, text in enumerate(record.moves):
        assert state.rules.colours[state.colour] == COLOURS[number % 4]
        move = BLOKUS_GAME.parse(text)
        state = state.play(move)
        sizes.append(len(move.cells))
    assert len(record.moves) == 84
    assert min(games.final(record).scores) >= 15, "all tiles placed"
    if task.constraints.descending:
        assert sizes == sorted(sizes, reverse=True)
        assert games.final(record).scores == (20, 20, 20, 20), "the single squares came last"
    return record


@compiled
@pytest.mark.slow
@pytest.mark.parametrize("name", BLOKUS)
def test_B5_all_84_tiles_are_laid_in_turn(name: str, rng: random.Random, soak: bool) -> None:
    for seed in rng.sample(range(10**9), 10 if soak else 1):
        position = solution(solver.load(name), seed)
        record = by_the_law(solver.load(name), position)
        fixed = Record("blokus", "classic", {"corners": "fixed"}, {}, record.moves)
        assert min(games.final(fixed).scores) >= 15, "each colour from its own corner"


@pytest.mark.slow
@compiled
def test_the_same_seed_gives_the_same_solution() -> None:
    for name in RECTANGLES:
        assert solution(solver.load(name), 5) == solution(solver.load(name), 5)


@compiled
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "distinct"),
    [
        ("pentominoes-6x10", 2339),
        ("pentominoes-5x12", 1010),
        ("pentominoes-4x15", 368),
        ("pentominoes-3x20", 2),
    ],
)
@pytest.mark.sliced(2)
def test_known_counts_of_the_pentomino_rectangles(name: str, distinct: int) -> None:
    task = solver.load(name)
    begun = time.process_time()
    assert solver.count(task) == Count(4 * distinct, distinct)
    assert time.process_time() - begun < 10


def test_known_counts_of_dominoes() -> None:
    """Tilings of boards by dominoes, https://oeis.org/A099390. Of the three on 2 x 3, two are
    mirror images."""
    for width, height, total in ((2, 3, 3), (4, 4, 36), (4, 6, 281)):
        dominoes = Tile("2", ((0, 0), (0, 1)), "", width * height // 2)
        task = Puzzle("dominoes", rectangle(width, height), (dominoes,))
        assert solver.count(task).total == total
    dominoes = Tile("2", ((0, 0), (0, 1)), "", 3)
    assert solver.count(Puzzle("dominoes", rectangle(2, 3), (dominoes,))).distinct == 2


def test_counting_refuses_in_a_sentence_where_it_would_not_end() -> None:
    for name in RECTANGLES:
        with pytest.raises(BadNotation, match=r"counting would take about 10\^\d+ steps"):
            solver.count(solver.load(name))
    for name in BLOKUS:
        with pytest.raises(BadNotation, match="can't all be listed"):
            solver.count(solver.load(name))


def test_counting_colourings() -> None:
    """Two dominoes and two squares, colours apart, worked out by hand.

    Of 2 x 2 by two dominoes, one blue and one red: upright or flat, and either first."""
    task = solver.parse("puzzle: x\nrule: apart\ntiles: blue 2, red 2\n\n..\n..\n")
    assert solver.count(task).total == 4
    assert solver.count(task).distinct == 1
    plain = solver.parse("puzzle: x\nrule: cover\ntiles: blue 2, red 2\n\n..\n..\n")
    assert solver.count(plain).total == 2, "colours are irrelevant to the rule"
    three = solver.parse("puzzle: x\nrule: apart\ntiles: blue 1*2, red 1\n\n...\n")
    assert [{p.colour: p.cells for p in s}["red"] for s in solver.solutions(three)] == [((1, 0),)]


def test_impossible_is_proved() -> None:
    """The five tetrominoes fill no rectangle of 20 squares: on a chessboard the T covers three
    squares of one colour."""
    for width, height in ((5, 4), (10, 2)):
        answer = solver.solve(Puzzle("x", rectangle(width, height), sets(4, colours=("blue",))))
        assert (answer.position, answer.proved) == (None, True)
    too_few = Puzzle("x", rectangle(20, 20), sets(5))
    assert solver.solve(too_few).proved
    four = solver.parse("puzzle: x\nrule: apart\ntiles: blue 1*3, red 1\n\n..\n..\n")
    answer = solver.solve(four)
    assert (answer.position, answer.proved) == (None, True), "tiled easily, never coloured"


def test_a_tiling_of_any_shapes_a_user_describes() -> None:
    """The 35 hexominoes can't fill a rectangle; some of them fill a frame with a hole."""
    shapes = polyforms(6)
    assert len(shapes) == 35
    tiles = tuple(Tile(f"h{number}", shape) for number, shape in enumerate(shapes))
    ring = [cell for cell in rectangle(6, 6) if cell not in {(2, 2), (3, 3), (2, 3), (3, 2)}]
    ring = [cell for cell in ring if cell not in {(0, 0), (5, 5)}]
    task = Puzzle("frame", tuple(ring), tiles)
    answer = solver.solve(task, seed=4)
    assert answer.position
    assert len(answer.position) == 5
    assert shown(task, answer.position).svg().startswith("<svg")


def test_what_is_given_stays() -> None:
    task = solver.load("tetra-8x10-apart")
    whole = solution(task, 8)
    given = whole[3:9]
    answer = solver.solve(task, given, seed=9)
    assert answer.position
    assert set(given) <= set(answer.position)
    wrong = (given[0], Placement("O", "blue", given[0].cells))
    with pytest.raises(solver.Fault, match="the position breaks the rule 'form' at"):
        solver.solve(task, wrong)


@compiled
def test_what_is_given_stays_on_the_board_of_blokus() -> None:
    task = solver.load("all84")
    lying = [Placement("1", "blue", ((19, 0),)), Placement("1", "red", ((0, 0),))]
    answer = solver.solve(task, lying, seed=2, seconds=120)
    assert answer.position
    assert set(lying) <= set(answer.position)
    assert solved(task, answer.position)
    by_the_law(task, answer.position)


def test_what_is_plainly_impossible_on_the_board_of_blokus() -> None:
    """Blue's first tile in the corner a20, and yellow around its only open square."""
    task = solver.load("all84")
    yellow = Placement("V5", "yellow", ((1, 18), (2, 18), (3, 18), (3, 17), (3, 16)))
    blue = Placement("1", "blue", ((0, 19),))
    closed = (blue, Placement("1", "yellow", ((1, 18),)))
    assert hopeless(task, closed)
    assert not hopeless(task, (blue,))
    assert fault(task, (blue, yellow)), "yellow must begin in a corner too"


@compiled
def test_searches_can_be_watched_and_stopped() -> None:
    seen: list[Progress] = []

    def watch(progress: Progress) -> bool:
        seen.append(progress)
        return len(seen) == 3

    task = solver.load("all84")
    answer = solver.solve(task, seed=1, watch=watch)
    assert (answer.position, answer.proved) == (None, False)
    assert [p.steps for p in seen] == sorted({p.steps for p in seen})
    assert seen[0].steps == 0
    assert seen[2].squares
    answer = solver.solve(task, seed=1, seconds=0)
    assert (answer.position, answer.proved) == (None, False)


def test_symmetries_of_a_board() -> None:
    def count(*rows: str) -> int:
        board = "\n".join(rows)
        return len(symmetries(solver.parse(f"puzzle: x\ntiles: 1\n\n{board}\n")))

    assert count("...", "...", "...") == 8
    assert count("...", "...") == 4
    assert count("..", ".#") == 2
    assert count("..#", "#..") == 2
    assert count("...", "..#", "#..") == 1


def test_effort_grows_with_the_puzzle() -> None:
    small, big = solver.load("pentominoes-3x20"), solver.load("tetra-8x10")
    assert 1e3 < effort(small) < 1e6 < effort(big)
