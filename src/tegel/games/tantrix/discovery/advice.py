"""Hints and solutions for Discovery by hand."""

import time

from tegel.game import Event, Stop, Task, Way
from tegel.games.tantrix.discovery.loops import Stopped, completions, solutions
from tegel.games.tantrix.discovery.rules import State, begin
from tegel.games.tantrix.field import CENTRE, Field, around
from tegel.games.tantrix.moves import Place
from tegel.games.tantrix.tiles import tile_of
from tegel.lattice import Cell


def task(state: State) -> Task:
    count = state.rules.count
    return Task("tiles", count, count, state.rules.colour, "discovery")


def hint(state: State, seconds: float, stop: Stop | None = None) -> Event:
    """One of three honest answers: a tile that goes on to a solution, a proof that there is
    none, or that nothing was found in time."""
    args = {"seconds": f"{seconds:g}"}
    try:
        found = _solved(state, seconds, stop)
    except Stopped:
        return Event("unknown", (), args)
    if found is None:
        return Event("impossible", (), args)
    place = _order(state, found)[0]
    return Event("hint", (place.cell,), {"move": str(place)})


def solution(state: State, seconds: float, stop: Stop | None = None) -> Way | None:
    """A way to a solution from here or, where none is found in half the time, from the
    beginning; None if none was found."""
    for begun in (state, begin(state.rules)):
        try:
            found = _solved(begun, seconds / 2, stop)
        except Stopped:
            continue
        if found:
            return Way(tuple(map(str, _order(begun, found))), fresh=begun is not state)
    return None


def _solved(state: State, seconds: float, stop: Stop | None) -> Field | None:
    """A solution that keeps what lies, None if there is none; raises Stopped."""
    end = time.monotonic() + seconds

    def enough() -> bool:
        return time.monotonic() > end or bool(stop and stop())

    if not state.field.laid:
        return next(solutions(state.rules.count), None)
    return next(completions(state.field, state.rules.count, stop=enough), None)


def _order(state: State, found: Field) -> list[Place]:
    """What is missing of a solution, each beside what lies by then, the snuggest first."""
    laid = set(state.field.laid)
    waiting = {cell: Place(*tile_of(n), cell) for cell, n in found.laid.items() if cell not in laid}
    order = []

    def snug(cell: Cell) -> tuple[int, Cell]:
        return sum(beyond in laid for beyond in around(cell)), cell

    while waiting:
        cell = max(waiting, key=snug) if laid else CENTRE
        laid.add(cell)
        order.append(waiting.pop(cell))
    return order
