"""A program of somebody else's, as strictly typed as mypy can be: no expression in it may be of
type Any. mypy checks it with everything else; `test_typing.py` runs it."""

import random
from typing import assert_type

import tegel
from tegel.games.blokus import GAME, rules
from tegel.search.analysis import Analysis
from tegel.search.match import Tally
from tegel.search.report import Report


def careful(state: tegel.State[tegel.Move]) -> tegel.Move:
    """A bot: of some moves the one that leaves the others the fewest."""

    def replies(move: tegel.Move) -> int:
        return len(state.play(move).moves())

    return min(state.moves()[:10], key=replies)


def by_name() -> tuple[int, ...]:
    """A game that is known by its name only: its moves are opaque."""
    game = tegel.load("blokus")
    state = game.start("duo")
    assert_type(state, tegel.State[tegel.Move])
    first = game.parse("F.0@d9")
    assert_type(first, tegel.Move)
    state = state.play(first)
    assert_type(str(state.moves()[0]), str)
    state = state.play(tegel.bot("greedy", seed=1)(state))
    state = state.play(careful(state))
    assert state.rules.variant == "duo"
    assert not state.outcome
    assert game.picture(state).svg()
    assert str(game.text(state))
    assert game.read(str(state)) == state
    assert tegel.game_of(state) is game
    return state.scores


def by_import() -> int:
    """A game that is imported: its moves and states are its own."""
    state = GAME.start("duo")
    assert_type(state, rules.State)
    move = tegel.bot("greedy", seed=1)(state)
    assert_type(move, rules.Move)
    assert state.rules.size == 14
    assert_type(tegel.game_of(state).parse("F.0@d9"), rules.Move)
    return len(move.cells)


def with_draws(seed: int) -> tegel.State[tegel.Move]:
    """A state after a draw, made by its odds."""
    state = tegel.load("imago").start()
    if state.turn == tegel.CHANCE:
        odds = state.odds()
        (drawn,) = random.Random(seed).choices(list(odds), list(odds.values()))
        assert_type(drawn, tegel.Move)
        state = state.play(drawn)
    return state


def from_records() -> str:
    """What can be asked about games that were played."""
    record = tegel.read("game: blokus\nvariant: duo\n\nF.0@d9\n1.0@j5\n")
    for ply in tegel.replay(record):
        assert_type(ply.after, tegel.State[tegel.Move])
        assert ply.before.play(ply.move) == ply.after
    assert tegel.position(str(tegel.final(record))).turn == 0
    report = tegel.analyse(record, simulations=20)
    assert_type(report, Report)
    found = tegel.analyse(tegel.final(record), simulations=20)
    assert_type(found, Analysis)
    assert found.lines[0].chance
    return report.verdicts[0].best.moves[0]


def refused() -> str:
    """What an error says, and the state in which it happened."""
    try:
        tegel.final(tegel.Record("blokus", "duo", moves=("a1",)))
    except tegel.BadRecord as error:
        assert error.state
        assert_type(error.state.turn, int)
        return str(error.reason)
    return ""


def matched() -> float:
    """A function as a player, and a puzzle solved."""
    tally = tegel.match(careful, "random", variant="duo", games=2, seed=1)
    assert_type(tally, Tally)
    solved = tegel.solve("pentominoes-6x10")
    assert solved
    assert solved.outcome
    return tally.rate


def misused() -> None:
    """What mypy refuses, and what is not run: an ignore that is not needed is an error, too."""
    state = tegel.load("blokus").start("two", corners="fixed")
    state.play("F.0@d9")  # type: ignore[arg-type]
    state.play(GAME.parse("F.0@d9"))  # type: ignore[arg-type]
    GAME.picture(tegel.load("tantrix").start())  # type: ignore[arg-type]
    GAME.start("duo").play(tegel.load("blokus").parse("F.0@d9"))  # type: ignore[arg-type]
    tegel.match(len, "random")  # type: ignore[arg-type]
    tegel.chess()  # type: ignore[attr-defined]
