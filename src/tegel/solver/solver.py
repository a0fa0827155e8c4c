"""Solves puzzles: one solution, all of them, or how many.

    answer = solve(puzzle, seed=7)
    for position in solutions(puzzle): ...

Squares are filled by exact cover: tiles first, colours after (a search that does both at
once is far behind), begun again from another seed when it takes long. Rules of Blokus are
met by local search. Work is done in slices, so that it can be watched and stopped: between
slices `watch` is called with a `Progress`, and stops the search by returning true.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count as numbers

from tegel.game import BadNotation
from tegel.lattice import Cell, Shape, bounds
from tegel.solver.check import fault, solved
from tegel.solver.cover import Status
from tegel.solver.filling import Colouring, Filling
from tegel.solver.linking import hopeless, packing, position_of
from tegel.solver.puzzle import Placement, Position, Puzzle

SLICE = 20_000  # nodes: some tens of milliseconds
TRIES = 100  # of the local search: likewise
PATIENCE = 3_000  # nodes before the search begins again, at first
GROWTH = 1.3  # of the patience each time, so that a search that can end does end
COLOURING = 20_000  # nodes to colour one tiling
DIVES = 500  # to guess how long counting would take
LONGEST = 3e9  # nodes that counting may take: about an hour
COMPARED = 200_000  # solutions to tell apart up to symmetry


@dataclass(frozen=True)
class Progress:
    """What a search has done so far."""

    seconds: float
    steps: int  # nodes visited, or tries made
    rounds: int = 1  # how often the search began
    squares: int | None = None  # still without a tile, where that is known


Watch = Callable[[Progress], bool | None]


@dataclass(frozen=True)
class Answer:
    """A solution; or none, proved if `proved`; what was done for it."""

    position: Position | None
    proved: bool
    progress: Progress


class Stopped(Exception):
    """Whoever watched has seen enough."""


class Watcher:
    """Notes the work done, and before more is done asks whether to go on: raises Stopped when
    `watch` says so or time is up. What is found is never thrown away for being late."""

    def __init__(self, watch: Watch | None, seconds: float | None) -> None:
        self.watch, self.limit, self.begun = watch, seconds, time.monotonic()
        self.progress = Progress(0.0, 0)

    def note(self, steps: int, rounds: int = 1, squares: int | None = None) -> None:
        self.progress = Progress(time.monotonic() - self.begun, steps, rounds, squares)

    def ask(self) -> None:
        late = self.limit is not None and time.monotonic() - self.begun > self.limit
        if late or (self.watch and self.watch(self.progress)):
            raise Stopped


def solve(
    puzzle: Puzzle,
    given: Iterable[Placement] = (),
    *,
    seed: int = 1,
    seconds: float | None = None,
    watch: Watch | None = None,
) -> Answer:
    """A solution that keeps what is given, other for other seeds; checked before it is told.
    A position that breaks the rules raises a Fault."""
    given = tuple(given)
    if wrong := fault(puzzle, given):
        raise wrong
    watcher = Watcher(watch, seconds)
    search = _linked if puzzle.constraints.linked else _filled
    try:
        position = search(puzzle, given, seed, watcher)
    except Stopped:
        return Answer(None, False, watcher.progress)
    if position is not None:
        assert solved(puzzle, position), "the solver and the checker disagree"
    return Answer(position, position is None, watcher.progress)


def _filled(puzzle: Puzzle, given: Position, seed: int, watcher: Watcher) -> Position | None:
    """A solution, or None if there is none: tile, then colour. A tiling that can't be coloured
    is left for a very other one, since its neighbours may fail for the same reason; but the
    search grows ever more patient, and in the end tries everything."""
    filling = Filling(puzzle, given)
    cover, patience = filling.cover, float(PATIENCE)
    for round in numbers(1):
        cover.restart(_mixed(seed, round))
        end, failures, refuted = cover.nodes + int(patience), 0, True
        while cover.nodes < end and failures < patience / PATIENCE:
            watcher.ask()
            status = cover.run(min(SLICE, end - cover.nodes))
            watcher.note(cover.nodes, round)
            if status is Status.FOUND:
                colouring = Colouring(filling, filling.tiling)
                colouring.cover.restart(_mixed(seed, round))
                status = colouring.cover.run(COLOURING)
                if status is Status.FOUND:
                    return colouring.position
                refuted = refuted and status is Status.DONE
                failures += 1
            elif status is Status.DONE:
                if refuted:
                    return None
                break
        patience *= GROWTH
    raise AssertionError("there are as many rounds as numbers")


def _mixed(seed: int, round: int) -> int:
    return (seed << 20 | round) % 2**64


def _linked(puzzle: Puzzle, given: Position, seed: int, watcher: Watcher) -> Position | None:
    """A solution, or None if there is plainly none."""
    if hopeless(puzzle, given):
        return None
    search, status = packing(puzzle, given, seed % 2**64), Status.PAUSED
    while status is not Status.FOUND:
        watcher.ask()
        status = search.run(TRIES)
        watcher.note(search.tries, 1, search.missing)
    return position_of(puzzle, search)


# All of them


def solutions(
    puzzle: Puzzle, given: Iterable[Placement] = (), *, watch: Watch | None = None
) -> Iterator[Position]:
    """Every solution that keeps what is given, once. Where colours are irrelevant to the
    rule, positions that differ in colours only are the same."""
    given = tuple(given)
    if wrong := fault(puzzle, given):
        raise wrong
    filling = Filling(puzzle, given)
    for _ in _tilings(filling, watch):
        colouring = Colouring(filling, filling.tiling)
        while colouring.cover.run(SLICE) is Status.FOUND:
            yield colouring.position
            if not puzzle.constraints.apart:
                break


@dataclass(frozen=True)
class Count:
    """How many solutions there are."""

    total: int
    distinct: int | None  # up to turns and flips of the board; None: too many to compare


def count(puzzle: Puzzle, *, watch: Watch | None = None) -> Count:
    """How many solutions there are; refused where counting would not end."""
    steps = effort(puzzle)
    if steps > LONGEST:
        exponent = len(f"{steps:.0f}") - 1
        raise BadNotation(puzzle.name, f"counting would take about 10^{exponent} steps, too many")
    images = symmetries(puzzle)
    seen: set[tuple[tuple[str, Shape], ...]] = set()
    total = 0
    for arrangement in _arrangements(puzzle, watch):
        total += 1
        if total <= COMPARED:
            seen.add(min(_image(arrangement, image) for image in images))
    return Count(total, len(seen) if total <= COMPARED else None)


def effort(puzzle: Puzzle) -> float:
    """About how many nodes a search for all solutions visits, guessed from random dives."""
    _countable(puzzle)
    cover = Filling(puzzle).cover
    return sum(cover.dive(seed) for seed in range(1, DIVES + 1)) / DIVES


def symmetries(puzzle: Puzzle) -> list[Mapping[Cell, Cell]]:
    """The turns and flips that take the board to itself: where each square goes."""
    images: list[Mapping[Cell, Cell]] = []
    left, low, _, _ = bounds(puzzle.board)
    for turn in range(8):
        moved = [_turned(cell, turn) for cell in puzzle.board]
        x, y, _, _ = bounds(moved)
        moved = [(c - x + left, r - y + low) for c, r in moved]
        if set(moved) == set(puzzle.board):
            images.append(dict(zip(puzzle.board, moved, strict=True)))
    return images


def _turned(cell: Cell, turn: int) -> Cell:
    x, y = (-cell[0], cell[1]) if turn >= 4 else cell
    for _ in range(turn % 4):
        x, y = y, -x
    return x, y


Arrangement = Iterable[tuple[str, Shape]]  # shapes, with colours where they matter, on squares


def _image(arrangement: Arrangement, image: Mapping[Cell, Cell]) -> tuple[tuple[str, Shape], ...]:
    moved = [(key, tuple(sorted([image[cell] for cell in cells]))) for key, cells in arrangement]
    return tuple(sorted(moved))


def _arrangements(puzzle: Puzzle, watch: Watch | None) -> Iterator[Arrangement]:
    if puzzle.constraints.apart:
        for position in solutions(puzzle, watch=watch):
            yield [(placement.id, placement.cells) for placement in position]
    else:
        filling = Filling(puzzle)
        for _ in _tilings(filling, watch):
            yield [(str(group), cells) for group, cells in filling.tiling]


def _tilings(filling: Filling, watch: Watch | None) -> Iterator[None]:
    """Stands still at every tiling."""
    _countable(filling.puzzle)
    watcher = Watcher(watch, None)
    while (status := filling.cover.run(SLICE)) is not Status.DONE:
        watcher.note(filling.cover.nodes)
        watcher.ask()
        if status is Status.FOUND:
            yield


def _countable(puzzle: Puzzle) -> None:
    if puzzle.constraints.linked:
        raise BadNotation(puzzle.name, "solutions by the rules of Blokus can't all be listed")
