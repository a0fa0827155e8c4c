"""Analysis: what is thought of positions and of games, against the truth where it is known."""

import json
import random
import time
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import pytest

from tegel import games, tree
from tegel.game import CHANCE, BadNotation, State
from tegel.record import Record
from tegel.search import analysis, kernel, nets
from tegel.search import report as reporting
from tegel.search.analysis import Analysis, Line, Mind, Worth, analyse
from tegel.search.chance import draw
from tegel.search.report import judge, report, reports, verdict
from test_exact import TABLES as SOLVED
from test_exact import Brute, late
from toy import GAME as TOY

pytestmark = pytest.mark.slow
built = pytest.mark.skipif(not kernel.GAMES, reason="the native engine was not built")
TABLES = [(name, variant) for name in games.names() for variant in games.load(name).variants]


def begun(name: str, variant: str) -> State[Any]:
    options = {"layout": "random"} if name == "forma" else {}
    state: State[Any] = games.load(name).start(variant, **options)
    return state


def walked(state: State[Any], rng: random.Random, plies: int) -> Iterator[State[Any]]:
    """The states of a random game."""
    yield state
    while not state.outcome and plies:
        plies -= 1
        move = draw(state, rng) if state.turn == CHANCE else rng.choice(state.moves())
        state = state.play(move)
        yield state


def last(state: State[Any], simulations: int, **more: Any) -> Analysis:
    *_, found = analyse(state, simulations=simulations, **more)
    return found


def check_line(state: State[Any], line: Line, sides: int) -> State[Any]:
    """A line can be played, ends where a draw is next, and its numbers fit the table."""
    assert 1 <= len(line.moves) <= analysis.PLIES
    for text in line.moves:
        assert state.turn != CHANCE, "a line ends at a draw"
        state = state.play(games.load(game_name(state)).parse(text))
    assert len(line.chance) == sides
    assert sum(line.chance) == pytest.approx(1, abs=1e-4)
    assert len(line.scores) == len(state.scores)
    assert 0 <= line.doubt <= 0.5
    return state


def game_name(state: State[Any]) -> str:
    return str(state).split()[0]


# Positions


@pytest.mark.parametrize(("name", "variant"), TABLES)
def test_every_variant_is_analysed_anywhere(
    name: str, variant: str, rng: random.Random, soak: bool
) -> None:
    for _ in range(30 if soak else 2):
        *_, state = walked(begun(name, variant), rng, rng.randrange(30, 90))
        found = last(state, 150)
        sides = games.load(name).sides(state)
        json.dumps(asdict(found))
        assert len(found.scores) == len(sides)
        if state.turn == CHANCE or state.outcome:
            assert (found.seat, found.lines) == (-1, ())
        else:
            assert (found.seat, found.side) == (state.turn, sides[state.turn])
            assert len({line.moves[0] for line in found.lines}) == len(found.lines)
            for line in found.lines:
                check_line(state, line, len(set(sides)))
        assert found.exact or found.simulations >= 150


@built
@pytest.mark.sliced(3)
@pytest.mark.parametrize(("name", "variant"), SOLVED)
def test_solved_endgames_are_told_as_brute_force_finds_them(
    name: str, variant: str, rng: random.Random, soak: bool
) -> None:
    """Every line, and what every move loses."""
    for _ in range(20 if soak else 1):
        state, brute = late(name, variant, rng)
        two, side = len(set(brute.game.sides(state))) == 2, brute.game.sides(state)[state.turn]
        found = last(state, 100_000, lines=10_000)
        assert found.exact
        assert (found.simulations, found.doubt) == (0, 0.0)
        assert {line.moves[0] for line in found.lines} == set(map(str, state.moves()))
        for line in found.lines:
            chance, scores = truth(brute, state.play(brute.game.parse(line.moves[0])))
            assert line.chance == pytest.approx(chance)
            end = check_line(state, line, len(chance))
            if two:  # another line of play may lead to the same margin
                margin = scores[0] - scores[1]
                assert line.margin == pytest.approx(-margin if side else margin)
                assert not end.outcome or end.scores[0] - end.scores[1] == margin
            else:
                others = (score for seat, score in enumerate(scores) if seat != state.turn)
                assert line.margin == pytest.approx(scores[state.turn] - max(others))
        best = found.lines[0].chance[side]
        for line in rng.sample(found.lines, min(3, len(found.lines))):
            said = judge(state, brute.game.parse(line.moves[0]), simulations=100_000)
            assert said
            lost = max(0.0, best - line.chance[side])
            assert (said.doubt, said.mark) == (0, mark_of(lost))
            assert said.loss == pytest.approx(lost)


def mark_of(lost: float) -> str:
    return "??" if lost > 0.19 else "?" if lost > 0.09 else "?!" if lost > 0.06 else ""


def truth(brute: Brute, state: State[Any]) -> tuple[tuple[float, ...], tuple[int, ...]]:
    """By side the share of the win, by seat the scores, if all play their best."""
    assert brute.game.kernel
    while not state.outcome:
        seat = state.turn
        moves = sorted(state.moves(), key=brute.game.kernel.code)
        state = max((state.play(m) for m in moves), key=lambda s: brute.worth(s)[0][seat])
    sides = brute.game.sides(state)
    winners = {sides[seat] for seat in state.outcome.winners}
    return tuple((side in winners) / len(winners) for side in sorted(set(sides))), state.scores


@built
def test_it_gets_better_while_it_runs_and_ends_when_nobody_listens() -> None:
    state = begun("blokus", "duo")
    found = list(analyse(state, simulations=4_000))
    counts = [one.simulations for one in found]
    assert counts == sorted(counts)
    assert len(counts) > 2
    assert counts[-1] == 4_000
    assert found[-1].doubt < found[0].doubt
    endless = analyse(state)
    assert next(endless).simulations <= next(endless).simulations
    endless.close()  # type: ignore[attr-defined]
    (short,) = analyse(state, seconds=0.0)
    assert short.lines
    assert last(state, 2_000).lines == last(state, 2_000).lines
    assert last(state, 2_000).lines != last(state, 2_000, seed=2).lines


@built
def test_a_settled_choice_is_still_simulated() -> None:
    """Whoever looks on wants the numbers, also of the only move."""
    state = next(
        state
        for state in walked(begun("tantrix", "two"), random.Random(5), 100)
        if state.turn != CHANCE and not state.outcome and len(state.moves()) == 1
    )
    mind = Mind(state, 1)
    mind.deepen(500)
    assert [opinion.visits for opinion in mind.opinions()] == [500]


@built
def test_where_chance_decides_it_is_the_mean_over_all_draws() -> None:
    state = next(
        state
        for state in walked(begun("tantrix", "two"), random.Random(3), 60)
        if state.turn == CHANCE and sum(map(abs, state.scores)) > 4
    )
    found = last(state, 6_000)
    mean = 0.0
    for move, odds in state.odds().items():
        mind = Mind(state.play(move), 1)
        mind.deepen(200)
        mean += odds * mind.whole().chance[0]
    assert found.chance[0] == pytest.approx(mean, abs=0.08)


def test_games_without_a_kernel_are_analysed_by_the_plain_search() -> None:
    state = TOY.start("three")
    found = last(state, 300)
    assert found.lines[0].moves == ("b",), "and a draw is next"
    assert sum(found.chance) == pytest.approx(1)
    said = judge(state, "a", simulations=300)
    assert said
    assert said.best.moves[0] == "b"
    assert said.loss > 0
    assert said.points > 0


@built
def test_a_net_may_judge_and_its_search_ends_where_it_settles() -> None:
    np = pytest.importorskip("numpy")
    state = begun("blokus", "duo")
    sizes = kernel.shape(state)

    def net(planes: Any, scalars: Any) -> Any:  # noqa: ARG001
        policy = np.zeros((len(planes), sizes.actions), np.float32)
        policy[:, 7] = 20.0
        return policy, np.full((len(planes), sizes.sides, 3), 0.5, np.float32)

    found = last(state, 3_000, net=net)
    assert found.chance == pytest.approx((0.5, 0.5))
    assert 0 < found.simulations <= 3_000


def test_a_game_that_is_over_is_known() -> None:
    *_, state = walked(begun("blokus", "teams"), random.Random(2), 200)
    assert state.outcome
    (found,) = analyse(state)
    assert found.exact
    assert found.lines == ()
    assert found.chance == ((1.0, 0.0) if 0 in state.outcome.winners else (0.0, 1.0))
    assert found.scores == state.scores
    assert found.margin == state.scores[0] - state.scores[1]


# Decisions


def line(chance: float, margin: float, simulations: int, exact: bool = False) -> Line:
    worth = analysis.Worth((chance, 1 - chance), (margin, 0.0), (5.0, 5.0), simulations, exact)
    doubts = worth.doubt(0), worth.margin_doubt()
    return Line(("a",), worth.chance, worth.scores, margin, simulations, exact, *doubts)


@pytest.mark.parametrize(
    ("lost", "mark"),
    [(0.0, ""), (0.069, ""), (0.07, "?!"), (0.099, "?!"), (0.1, "?"), (0.2, "??"), (1.0, "??")],
)
def test_marks_say_how_much_chance_was_lost(lost: float, mark: str) -> None:
    said = verdict(1, 0, 0, line(0.0, 0, 0, True), line(lost, 2, 0, True))
    assert (said.mark, said.loss, said.points) == (mark, lost, 2)


def test_a_loss_within_the_noise_is_none() -> None:
    few = verdict(1, 0, 0, line(0.4, 0, 50), line(0.5, 1, 50))
    assert (few.mark, few.loss, few.points) == ("", 0, 0)
    assert few.doubt > 0.05
    many = verdict(1, 0, 0, line(0.35, 0, 50_000), line(0.5, 2, 50_000))
    assert (many.mark, many.points) == ("?", 2)
    better = verdict(1, 0, 0, line(0.6, 3, 5_000), line(0.5, 1, 5_000))
    assert (better.mark, better.loss, better.points) == ("", 0, 0), "nothing is gained either"


def test_few_simulations_that_all_end_alike_are_no_certainty() -> None:
    assert line(1.0, 0, 3).doubt > 0.3
    assert line(1.0, 0, 1).margin_doubt > 10
    assert line(1.0, 0, 10_000).doubt < 0.001
    assert line(0.5, 0, 10**9).doubt > 0.01, "one tree is not a thousand games"


# Games

EFFORT = {"blokus": 1_500, "forma": 800, "tantrix": 500, "imago": 4_000}
GOOD = [("blokus", "duo"), ("forma", "two"), ("tantrix", "two"), ("imago", "imago")]


@pytest.fixture
def luck(rng: random.Random, soak: bool) -> random.Random:
    """For what is true of nine in ten, and not of all: the same chances in every run, so that
    none fails by bad luck; others in every soak, which asks many."""
    return rng if soak else random.Random(3)


def good_game(
    name: str, variant: str, rng: random.Random, effort: int
) -> list[tuple[State[Any], Any]]:
    """A game of the engine with itself: positions and what was played there."""
    mind = Mind(begun(name, variant), rng.getrandbits(60))
    played: list[tuple[State[Any], Any]] = []
    while not mind.state.outcome:
        if mind.state.turn == CHANCE:
            move = draw(mind.state, rng)
        else:
            mind.deepen(effort)
            move = mind.opinions()[0].move
        played.append((mind.state, move))
        mind.play(move)
    return played


def planted(
    game: list[tuple[State[Any], Any]], rng: random.Random
) -> tuple[int, State[Any], Any] | None:
    """Where a game may go wrong, and by what: a move that the engine, thinking hard about the
    position after it, takes for much worse than what was played."""
    name = game_name(game[0][0])
    chosen = [
        at for at, (state, _) in enumerate(game) if state.turn != CHANCE and 2 * at > len(game)
    ]
    for at in rng.sample(chosen, min(12, len(chosen))):
        state, best = game[at]
        side = games.load(name).sides(state)[state.turn]
        moves = state.moves()
        for move in rng.sample(list(moves), min(3, len(moves))):
            stand = [standing(state.play(m), 4 * EFFORT[name], side) for m in (best, move)]
            if stand[0] - stand[1] > 0.25:
                return at, state, move
    return None


def standing(state: State[Any], simulations: int, side: int) -> float:
    mind = Mind(state, 7)
    mind.deepen(simulations)
    return mind.standing().chance[side]


@built
@pytest.mark.parametrize(("name", "variant"), GOOD)
def test_a_planted_blunder_is_found(
    name: str, variant: str, luck: random.Random, soak: bool
) -> None:
    found = tried = 0
    while tried < (30 if soak else 1):
        place = planted(good_game(name, variant, luck, EFFORT[name] if soak else 60), luck)
        if not place:
            continue
        tried += 1
        _, state, move = place
        said = judge(state, move, simulations=EFFORT[name])
        assert said
        found += said.mark in ("?", "??")
    assert found >= 0.85 * tried


@built
def test_the_net_finds_a_planted_blunder_too(luck: random.Random, soak: bool) -> None:
    pytest.importorskip("onnxruntime")
    found = tried = 0
    while tried < (30 if soak else 2):
        place = planted(good_game("blokus", "duo", luck, EFFORT["blokus"] if soak else 60), luck)
        if not place:
            continue
        _, state, move = place
        net = nets.of(state)
        assert net
        deep = Mind(state.play(move), 3, net), Mind(state, 3, net)
        for mind in deep:
            mind.deepen(600)
        side = games.load("blokus").sides(state)[state.turn]
        after, before = (mind.standing().chance[side] for mind in deep)
        if before - after < 0.4:
            continue  # rollouts took it for one
        tried += 1
        said = judge(state, move, simulations=200, net=net)
        assert said
        found += said.mark in ("?", "??")
    assert found >= 0.85 * tried


def test_with_a_net_few_simulations_say_more_and_many_add_less() -> None:
    def doubt(simulations: int, netted: bool) -> float:
        return Worth((0.5, 0.5), (0.0, 0.0), (10.0, 10.0), simulations, netted=netted).doubt(0)

    assert doubt(100, True) < doubt(100, False)
    assert doubt(5_000, True) > doubt(5_000, False)
    assert doubt(10**9, True) == doubt(10**8, True) > 0.01


@built
@pytest.mark.parametrize(("name", "variant"), GOOD)
def test_a_good_game_shows_few_marks_and_the_planted_blunder_stands_out(
    name: str, variant: str, luck: random.Random, soak: bool
) -> None:
    if name != "blokus" and not soak:
        pytest.skip("a long game")
    for _ in range(5 if soak else 1):
        game = good_game(name, variant, luck, EFFORT[name])
        place = planted(game, luck)
        start = game[0][0]
        moves = [str(move) for _, move in game]
        options = {"layout": "random"} if name == "forma" else {}
        calm = report(Record(name, variant, options, moves=tuple(moves)), simulations=EFFORT[name])
        marked = [said for said in calm.verdicts if said.mark]
        assert len(marked) <= 0.15 * len(calm.verdicts) + 1
        assert len(calm.points) == len(moves) + 1
        assert calm.complete
        final = game[-1][0].play(game[-1][1])
        assert calm.points[-1].scores == final.scores
        if not place:
            continue
        at, _, move = place
        wrong = Record(name, variant, options, moves=(*moves[:at], str(move)))
        said = report(wrong, simulations=EFFORT[name]).verdicts[-1]
        assert (said.ply, said.seat) == (at + 1, game[at][0].turn)
        assert said.mark in ("?", "??")
        assert start.turn in (CHANCE, 0, 1)


@built
def test_reports_grow_from_a_rough_graph_to_a_complete_one() -> None:
    record = Record("blokus", "duo", moves=("F.0@d9", "F.4@i4", "1.0@c11"))
    found = list(reports(record, simulations=600))
    assert [one.judged for one in found] == [0, 0, 0, 1, 2, 3]
    assert [one.complete for one in found] == [False] * 5 + [True]
    assert [len(one.points) for one in found] == [2, 3, 4, 4, 4, 4]
    assert [len(one.verdicts) for one in found] == [0, 0, 0, 1, 2, 3]
    assert found[2].points[3].simulations < found[-1].points[3].simulations
    whole = found[-1]
    assert whole.verdicts[2].mark == "??", "one square, where five would fit"
    assert [tally.decisions for tally in whole.tallies] == [2, 1]
    assert whole.tallies[0].marks["??"] >= 1
    assert whole.tallies[0].loss >= whole.verdicts[2].loss / 2
    assert 3 in whole.turning
    assert whole.colours == ("blue", "yellow")
    json.dumps(asdict(whole))
    again = report(record, simulations=600)
    assert [v.loss for v in again.verdicts] == [v.loss for v in whole.verdicts]


@built
def test_of_a_tree_the_main_line_is_judged() -> None:
    text = "game: blokus\nvariant: duo\n\nF.0@d9\n(\n1.0@e10\n)\n"
    (said,) = report(tree.parse(text), simulations=50).verdicts
    assert said.played.moves[0] == "F.0@d9"


@built
def test_attempts_by_eye_are_decisions_and_obstacles_are_none(rng: random.Random) -> None:
    forma = games.load("forma")
    state, moves = forma.start("two", layout="random", assist="off"), []
    while state.turn == CHANCE:
        moves.append(draw(state, rng))
        state = state.play(moves[-1])
    fitting = next(m for m in rng.sample(list(state.moves()), 200) if forma.slips(state, m))
    slip = forma.slips(state, fitting)[0]
    options = {"layout": "random", "assist": "off"}
    record = Record("forma", "two", options, moves=tuple(map(str, (*moves, slip))))
    (said,) = report(record, simulations=200).verdicts
    assert said.played.moves[0] == str(slip)
    placed = forma.start("two")
    first = placed.moves()[0]
    found = report(Record("forma", "two", moves=(str(first),)), simulations=50)
    assert found.verdicts == ()
    assert found.points[1].chance == (0.5, 0.5)


def test_a_report_is_as_deep_where_others_use_the_processor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Seconds of a report are those of its processor: what is kept must not be shallow because
    it was made at a bad time. But it comes to an end."""
    had: list[float] = []

    def starved(_: Mind[Any], simulations: int, seconds: float) -> None:  # noqa: ARG001
        had.append(seconds)
        time.sleep(seconds)  # others have the processor

    monkeypatch.setattr(Mind, "deepen", starved)
    reporting.Walk(begun("blokus", "duo"), None, 0.02, 1, None)
    assert sum(had) == pytest.approx(reporting.PATIENCE * 0.02, rel=0.5)

    def settled(_: Mind[Any], simulations: int, seconds: float) -> None:  # noqa: ARG001
        had.append(seconds)

    had.clear()
    monkeypatch.setattr(Mind, "deepen", settled)
    reporting.Walk(begun("blokus", "duo"), None, 0.02, 1, None)
    assert had == [0.02], "what is proved is not thought about again"


def test_puzzles_have_no_report() -> None:
    puzzle = games.load("puzzle")
    with pytest.raises(BadNotation, match="is for one person"):
        report(Record("puzzle", next(iter(puzzle.variants))))


def test_a_game_without_a_move_has_one_point() -> None:
    found = report(Record("blokus", "duo"), simulations=20)
    assert (len(found.points), found.complete, found.verdicts) == (1, True, ())
    assert reporting.turning(found.points, ()) == ()
