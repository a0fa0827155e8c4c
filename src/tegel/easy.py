"""What a first program needs besides the rules, in few words: `tegel` offers it by name.

>>> import tegel
>>> state = tegel.load("tantrix").start()
>>> bot = tegel.bot("greedy", seed=1)
>>> while not state.outcome:
...     state = state.play(bot(state))  # where chance decides, it draws
>>> len(state.scores)
2
"""

import random
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import Protocol, TypeVar, cast, overload

from tegel import games as all_games
from tegel import record
from tegel.engines.outside import find
from tegel.executors import executor
from tegel.game import CHANCE, BadNotation, Move, State, Way, game_of
from tegel.search import nets
from tegel.search.analysis import Analysis
from tegel.search.analysis import analyse as analyses
from tegel.search.bot import Bot
from tegel.search.chance import draw
from tegel.search.match import Result, Tally, pairings, played, run
from tegel.search.players import Player, Simple, named
from tegel.search.report import Report, report
from tegel.tree import Tree

M = TypeVar("M")
Choice = Callable[[State[Move]], Move]
"""A function from a state to one of its moves: it plays every game that is found by its name."""


class Chooser(Protocol):
    """A function from any state, of whichever game, to one of its moves."""

    def __call__(self, state: State[M], /) -> M: ...


def read(source: str | Path) -> record.Record:
    """A game: from a text, or from a file by its path or name. Texts have more than one line, or
    begin as blksgf does, with a parenthesis.

    >>> read("game: blokus\\nvariant: duo\\n\\nF.0@d9\\n").moves
    ('F.0@d9',)
    """
    if isinstance(source, str) and ("\n" in source or source.startswith("(")):
        return all_games.read(source)
    try:
        with Path(source).open("rb") as stream:
            text = stream.read(4 * record.LIMIT + 1).decode("utf-8")
    except OSError as error:
        raise BadNotation(str(source), f"can't be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadNotation(str(source), "is no text in UTF-8") from None
    return all_games.read(text)


def bot(name: str | int = 6, *, seconds: float = inf, seed: int | None = None) -> Chooser:
    """A bot: a level from 1 to 9, `greedy` or `random`. It takes no longer than some seconds for
    a move, and with the same seed plays the same again. Where it is chance's turn, it draws.

    >>> state = all_games.load("blokus").start("duo")
    >>> bot(4, seed=2)(state) == bot(4, seed=2)(state)
    True
    """
    chosen, rng = named(str(name), seconds), random.Random(seed)

    def choose(state: State[M]) -> M:
        return draw(state, rng) if state.turn == CHANCE else chosen(state, rng)

    return choose


@overload
def analyse(
    what: State[M],
    *,
    simulations: int | None = None,
    seconds: float | None = None,
    lines: int = 3,
    seed: int = 1,
) -> Analysis: ...
@overload
def analyse(
    what: record.Record | Tree,
    *,
    simulations: int | None = None,
    seconds: float | None = None,
    lines: int = 3,
    seed: int = 1,
) -> Report: ...
def analyse(
    what: State[M] | record.Record | Tree, *, simulations: int | None = None,
    seconds: float | None = None, lines: int = 3, seed: int = 1,
) -> Analysis | Report:  # fmt: skip
    """What the engine thinks: of a position its best lines, of a game a report on every decision.
    It has so many simulations or seconds, of a game for each decision; without either, a second
    for a position, and for a game what reports usually have.

    >>> state = all_games.load("blokus").start("duo")
    >>> found = analyse(state, simulations=200)
    >>> len(found.lines), found.seat
    (3, 0)
    """
    if isinstance(what, record.Record | Tree):
        start = all_games.start(what.record() if isinstance(what, Tree) else what)
        return report(what, simulations=simulations, seconds=seconds, seed=seed, net=nets.of(start))
    seconds = 1.0 if simulations is None and seconds is None else seconds
    *_, last = analyses(
        what, lines=lines, simulations=simulations, seconds=seconds, seed=seed, net=nets.of(what)
    )
    return last


def match(
    first: str | int | Choice,
    second: str | int | Choice,
    game: str = "blokus",
    variant: str = "",
    games: int = 20,
    *,
    seed: int = 0,
    seconds: float = inf,
    jobs: int = 1,
    cluster: str = "",
    pool: Executor | None = None,
    **options: str,
) -> Tally:
    """Two players against each other, in pairs of games with seats exchanged. A player is named
    as on the command line (a level, `greedy`, `x1000`, `n100`, an engine as `!COMMAND`) or is a
    function from a state to a move. Games are played here one after the other; with `jobs` in
    processes, with `cluster` on the Dask cluster at that address, or on the executor `pool`.

    >>> tally = match(lambda state: state.moves()[0], "greedy", variant="duo", games=2)
    >>> tally.games, 0 <= tally.rate <= 1
    (2, True)
    """
    players = Players()
    names = players.enter(first), players.enter(second)
    todo = pairings(game, variant, options, names, games, seed=seed, seconds=seconds)
    tally = Tally()
    with _opened(jobs, cluster, pool) as place:
        results: Iterator[Result] = (
            run(todo, place, players) if place else (played(one, players) for one in todo)
        )
        for result in results:
            tally.add(result)
    return tally


@contextmanager
def _opened(jobs: int, cluster: str, pool: Executor | None) -> Iterator[Executor | None]:
    if pool or (jobs == 1 and not cluster):
        yield pool
    else:
        with executor(jobs, cluster) as made:
            yield made


def _bot(choose: Choice) -> Bot:
    """A function of somebody's as a bot; a match asks it about games found by their names."""

    def chosen(state: State[M], _: random.Random) -> M:
        return cast(M, choose(cast(State[Move], state)))

    return chosen


@dataclass
class Players:
    """Players by their names: those that have one, and functions, which get one."""

    own: dict[str, Choice] = field(default_factory=dict)

    def enter(self, player: str | int | Choice) -> str:
        """The name under which a player plays; one that can't be found is refused."""
        if not callable(player):
            find(str(player))
            return str(player)
        name = getattr(player, "__name__", type(player).__name__)
        while name in self.own and self.own[name] is not player:
            name += "'"
        self.own[name] = player
        return name

    def __call__(self, name: str, seconds: float) -> Player:
        if name in self.own:
            return Simple(_bot(self.own[name]))
        return find(name, seconds)


@overload
def solve(puzzle: str, *, seconds: float = 60.0) -> State[Move] | None: ...


@overload
def solve(puzzle: State[M], *, seconds: float = 60.0) -> State[M] | None: ...


def solve(puzzle: str | State[M], *, seconds: float = 60.0) -> State[Move] | State[M] | None:
    """A puzzle with its solution: by the name of one of ours, or a table for one, from where it
    stands or, where that leads nowhere, from its beginning. None if none was found in time.

    >>> solved = solve("pentominoes-6x10")
    >>> solved.outcome.reason
    'solved'
    """
    if isinstance(puzzle, str):
        return _solved(all_games.load("puzzle").start(puzzle), seconds)
    return _solved(puzzle, seconds)


def _solved(state: State[M], seconds: float) -> State[M] | None:
    game = game_of(state)
    if not game.solo:
        raise BadNotation(game.name, "is not for one person: there is nothing to solve")
    way = Way(()) if state.outcome else game.solo.solution(state, seconds, None)
    if not way or not (way.moves or state.outcome):
        return None
    if way.fresh:
        state = game.begin(state.rules)
    for move in way.moves:
        state = state.play(game.parse(move))
    return state
