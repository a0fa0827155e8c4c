"""Forma in words: what a move brought about, and where every point came from."""

from collections.abc import Mapping

from tegel.game import CHANCE, Event, Item, Seat
from tegel.games.forma.rules import BRIDGE, CLOSED, DECLINE, TOWER, State
from tegel.games.forma.tiles import Move, listed, value


def account(state: State) -> list[Item]:
    """Every point of every seat; bridges at the end only."""
    return [item for seat in range(state.rules.seats) for item in items(state, seat)]


def items(state: State, seat: Seat) -> list[Item]:
    cells, obstacles = state.rules.grid.cells, state.layout.obstacles
    squares, marked = state.markers[seat] & ~obstacles, state.markers[seat] & obstacles
    covered, hand, aside = state.tiles[seat], state.hands[seat], state.aside[seat]
    found = [Item(seat, "tiles", covered.bit_count(), cells(covered))]
    for key, closed in (("squares", squares), ("obstacles", marked)):
        if count := closed.bit_count():
            found.append(Item(seat, key, CLOSED * count, cells(closed), {"count": count}))
    if state.closer == seat:
        found.append(Item(seat, "tower", TOWER, cells(state.layout.tower)))
    if state.over:
        bridges = state.bridges[seat]
        found += [Item(seat, "southward", BRIDGE, path) for path in bridges.southward]
        found += [Item(seat, "eastward", BRIDGE, path) for path in bridges.eastward]
    for key, tiles in (("aside", aside), ("hand", hand)):
        if lost := value(tiles):
            args = {"tiles": " ".join(listed(tiles)), "count": sum(tiles)}
            found.append(Item(seat, key, -lost, (), args))
    return found


def gained(state: State) -> tuple[int, ...]:
    """By seat, its points without what is taken off for tiles in hand and laid aside."""
    lost = (
        value(hand) + value(aside) for hand, aside in zip(state.hands, state.aside, strict=True)
    )
    return tuple(score + tiles for score, tiles in zip(state.scores, lost, strict=True))


def facts(state: State) -> Mapping[str, object]:
    """The account of each colour, and how many bridges it has now, which count at the end."""
    return {
        "account": {colour: _sums(state, seat) for seat, colour in enumerate(state.rules.colours)}
    }


def _sums(state: State, seat: Seat) -> dict[str, int]:
    found, bridges = items(state, seat), len(state.bridges[seat])
    sums = {
        key: sum(item.points for item in found if item.key == key)
        for key in ("tiles", "squares", "obstacles", "tower", "aside", "hand")
    }
    won = BRIDGE * bridges if state.over else 0
    return {**sums, "bridges": won, "bridges_now": bridges, "score": state.scores[seat]}


def events(before: State, move: Move, after: State) -> list[Event]:
    """What a move did, and what followed from it."""
    if before.seat == CHANCE:
        return [Event("begins", (), {"colour": move.what[1:]})]
    if not before.ready:
        return _set_up(before, move, after)
    colour = before.rules.colours[before.seat]
    args = {"colour": colour, "tile": move.what}
    if move == DECLINE:
        found = [Event("declined", (), {"colour": colour})]
    elif before.fits(move):
        found = [Event("placed", move.cells, args), *_closed(before, move)]
    else:
        found = [Event("misfit", move.cells, args)]
        if not before.misfit and not after.misfit:
            found.append(Event("stuck", (), {"colour": colour}))
    return found + _passed(before, after)


def _set_up(before: State, move: Move, after: State) -> list[Event]:
    colour = {"colour": before.rules.colours[before.seat]}
    what = move.what.removeprefix("+")
    if what.isdecimal():
        return [Event("count", (), {"count": what})]
    found = [] if what == "done" else [Event(what, move.cells, colour)]
    return [*found, Event("ready", (), colour)] if after.ready else found


def _closed(before: State, move: Move) -> list[Event]:
    """What a tile that fits closes in."""
    closed, colour = before.closings(move), before.rules.colours[before.seat]
    found = []
    for key, squares in (
        ("squares", closed.squares),
        ("obstacles", closed.obstacles),
        ("unmarked", closed.unmarked),
        ("closed", closed.tower),
    ):
        if squares:
            args = {"colour": colour, "count": squares.bit_count()}
            found.append(Event(key, before.rules.grid.cells(squares), args))
    return found


def _passed(before: State, after: State) -> list[Event]:
    """Who was passed over, and what the end brought."""
    colours = before.rules.colours
    if after.over:
        bridges = [
            Event("bridges", (), {"colour": colours[seat], "count": len(found)})
            for seat, found in enumerate(after.bridges)
            if found
        ]
        return [*bridges, Event("over")]
    if after.misfit:
        return []
    count = len(colours)
    skipped = (after.seat - before.seat - 1) % count
    following = [(before.seat + step) % count for step in range(1, skipped + 1)]
    return [Event("passed", (), {"colour": colours[seat]}) for seat in following]
