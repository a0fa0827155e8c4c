"""Blokus in words: what a move brought about, and where every point came from."""

from collections.abc import Mapping

from tegel.cells import bits
from tegel.game import Event, Item
from tegel.games.blokus.rules import TILES, Move, State


def events(before: State, move: Move, after: State) -> list[Event]:
    """A tile placed; colours that are out because of it; the end."""
    colours = before.rules.colours
    args = {"colour": colours[before.colour], "tile": move.tile}
    found = [Event("placed", move.cells, args)]
    if not after.hands[before.colour]:
        found.append(Event("finished", move.cells, {"colour": colours[before.colour]}))
    if after.outcome:
        return [*found, Event("over")]
    count = len(colours)
    skipped = range(
        before.colour + 1, before.colour + (after.colour - before.colour - 1) % count + 1
    )
    return found + [Event("passed", (), {"colour": colours[i % count]}) for i in skipped]


def account(state: State) -> list[Item]:
    """Every point of every seat: squares left in hand, bonuses, by colour."""
    rules, found = state.rules, []
    for seat in range(rules.seats):
        for i, colour in enumerate(rules.colours):
            if colour == rules.shared or rules.players[i][0] % rules.sides != seat % rules.sides:
                continue
            key = "left" if state.hands[i] else "single" if state.single >> i & 1 else "all"
            tiles = " ".join(TILES[number] for number in bits(state.hands[i]))
            args = {"colour": colour, "tiles": tiles}
            found.append(Item(seat, key, state.score(i), (), args))
    return found


def gained(state: State) -> tuple[int, ...]:
    """By seat, the squares that its side has placed."""
    rules = state.rules
    by_side = [0] * rules.sides
    for colour, seats in enumerate(rules.players):
        if rules.colours[colour] != rules.shared:
            by_side[seats[0] % rules.sides] += state.squares[colour].bit_count()
    return tuple(by_side[seat % rules.sides] for seat in range(rules.seats))


def facts(state: State) -> Mapping[str, object]:
    return {"colours": {colour: state.score(i) for i, colour in enumerate(state.rules.colours)}}
