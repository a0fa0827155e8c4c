"""What there is to do, what to do next, and how it could end."""

from collections import Counter
from collections.abc import Mapping

from tegel.game import Event, Stop, Task, Title, Way
from tegel.games.puzzle.moves import Move, laid
from tegel.games.puzzle.rules import OWN, State, begin
from tegel.record import unfolded
from tegel.solver.check import missing, sides
from tegel.solver.daily import dated
from tegel.solver.puzzle import Placement, Position
from tegel.solver.solver import Progress, Watch, solve
from tegel.solver.tasks import GROUPS

SECONDS = 10.0  # that a hint may take


def task(state: State) -> Task:
    """Fill the board, or find a place for every tile."""
    puzzle = state.puzzle
    whole = len(puzzle.board) if puzzle.constraints.fill else puzzle.area
    group = next((key for key, group in GROUPS.items() if puzzle in group), "")
    return Task(puzzle.rule, sum(tile.count for tile in puzzle.tiles), whole, group=group)


def title(variant: str, options: Mapping[str, str]) -> Title:
    if day := dated(variant):
        return Title("daily", day=day.isoformat())
    first, _, _ = unfolded(options.get("text", "")).partition("\n")
    return Title(variant, own=first.removeprefix("puzzle:").strip() if variant == OWN else "")


def hint(state: State, seconds: float = SECONDS, stop: Stop | None = None) -> Event:
    """One of three honest answers: a tile that goes on to a solution, a proof that there is
    none, or that nothing was found in time."""
    answer = solve(state.puzzle, state.lying, seconds=seconds, watch=_watch(stop))
    if answer.position is None:
        key = "impossible" if answer.proved else "unknown"
        return Event(key, (), {"seconds": f"{seconds:g}"})
    new = _rest(state, answer.position)
    next_ones = [placement for placement in new if _laid(state, placement) in state.legal]
    best = max(next_ones, key=lambda placement: (_snug(state, placement), placement))
    return Event("hint", best.cells, {"move": str(_laid(state, best))})


def solution(state: State, seconds: float, stop: Stop | None = None) -> Way | None:
    """A way to a solution from here or, where none is found in half the time, from the
    beginning; None if none was found, without moves if there is none."""
    for begun in (state, begin(state.rules)):
        answer = solve(state.puzzle, begun.lying, seconds=seconds / 2, watch=_watch(stop))
        if answer.position is not None:
            moves = _order(begun, answer.position)
            return Way(moves, fresh=begun is not state)
    return Way(()) if answer.proved else None


def _watch(stop: Stop | None) -> Watch | None:
    if stop is None:
        return None

    def watch(_: Progress) -> bool:
        return stop()

    return watch


def _laid(state: State, placement: Placement) -> Move:
    return laid(placement, state.puzzle.kinds[placement.id].shape)


def _rest(state: State, position: Position) -> list[Placement]:
    return list((Counter(position) - Counter(state.lying)).elements())


def _order(state: State, position: Position) -> tuple[str, ...]:
    """What is missing of a solution, in an order in which it can be laid."""
    waiting, moves = _rest(state, position), list[str]()
    while waiting:
        placement = next(p for p in waiting if state.fits(state.puzzle.kinds[p.id], p.cells))
        waiting.remove(placement)
        moves.append(str(_laid(state, placement)))
        state = state.play(_laid(state, placement))
    return tuple(moves)


def _snug(state: State, placement: Placement) -> int:
    """How many sides of a tile lie against others or the edge: such a hint is easy to see."""
    empty = set(missing(state.puzzle, state.lying)[0])
    return sum(beside not in empty for cell in placement.cells for beside in sides(cell))
