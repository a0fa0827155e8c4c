"""What the processes of the pool do. They import no more than it takes."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from importlib import resources
from typing import Any, NamedTuple

from tegel import games
from tegel.game import Event, Move, State, Way
from tegel.game.chance import Chance, seeded
from tegel.place.wire import responses
from tegel.record import Record
from tegel.room import judge
from tegel.room.judge import Circumstances
from tegel.room.log import Row
from tegel.room.replays import reached
from tegel.room.room import Origin, Room, begin
from tegel.room.setup import Setup
from tegel.room.stopwatch import Outages
from tegel.search.advice import advice
from tegel.search.chance import draw
from tegel.search.memory import Memory
from tegel.sheets import Wish
from tegel.sheets import sheets as printed
from tegel.solver import Puzzle
from tegel.solver.daily import daily, stars
from tegel.words import package

MEMORY = Memory()  # of the bots of this process
STOPS: list[Any] = []  # what all searches share: by number, whether to give one up


def next_tile(game: str, state: State[Move], seconds: float, number: int) -> Event:
    solo = games.load(game).solo
    assert solo
    return solo.hint(state, seconds, lambda: bool(STOPS[0][number]))


def solution(game: str, state: State[Move], seconds: float, number: int) -> Way | None:
    solo = games.load(game).solo
    assert solo
    return solo.solution(state, seconds, lambda: bool(STOPS[0][number]))


def day(day: date) -> tuple[Puzzle, int]:
    """The puzzle of a day, and how hard it is."""
    found = daily(day)
    return found, stars(found)


def puzzle_picture(game: str, variant: str, theme: str) -> str:
    """A puzzle before it is begun: its board and its tiles; of a task, a beginning."""
    shown = games.load(game)
    file = resources.files(package(game)) / "pictures" / f"{variant}.txt"
    if variant in shown.variants and file.is_file():
        state = games.position(file.read_text("utf-8"))
        return shown.picture(state).only("board").svg(theme=theme, small=True)
    picture = shown.picture(shown.start(variant))
    empty = not any(mark.plane == "board" for mark in picture.marks)
    planes = [replace(plane, title="", note="") for plane in picture.planes]
    if empty and len(planes[0].wells) == 1:
        planes = planes[1:]  # a field that is not there yet
    return replace(picture, planes=tuple(planes)).svg(theme=theme, small=True)


def sheets(game: str, variant: str, wish: Wish) -> bytes:
    """A game to print."""
    played = games.load(game)
    return printed(played, played.start(variant), wish)


def thought(state: State[Move], level: int, seed: int, seconds: float) -> str:
    return str(MEMORY.choose(state, level, seconds, seeded(seed)))


def hint(state: State[Move], seed: int, seconds: float) -> responses.Hint:
    found = advice(state, seed, seconds=seconds)
    best = [
        responses.Opinion(
            str(one.move),
            round(one.visits / max(1, found.simulations), 3),
            tuple(round(chance, 3) for chance in one.wins),
            tuple(round(score, 1) for score in one.scores),
            one.exact,
        )
        for one in found.opinions
    ]
    return responses.Hint(best[0].move, best, found.search, found.simulations)


class Seating(NamedTuple):
    """Who sits down at once in a new room, what players there are called, and from where who
    sits down comes, if that matters."""

    player: str
    seats: Sequence[int]
    names: Mapping[str, str]
    origin: Origin | None = None


def first_rows(
    setup: Setup,
    moves: Sequence[str],
    seating: Seating,
    now: int,
    outages: Outages,
    chance: Chance | int,
) -> tuple[list[Row], Room]:
    """The first rows of a room, which goes on after some moves; and the room after them. `chance`
    is a source or, for another process, a seed."""
    room = begin(setup, outages, seating.names)
    dice = seeded(chance) if isinstance(chance, int) else chance
    around = Circumstances(now, lambda state: draw(state, dice), origin=seating.origin)
    steps = judge.opening(room, moves, seating.seats, seating.player, around)
    return [step.row for step in steps], steps[-1].after if steps else room


def position_hint(record: Record, seed: int, seconds: float) -> responses.Hint:
    """A hint at the end of a record."""
    return hint(reached(record, len(record.moves)), seed, seconds)
