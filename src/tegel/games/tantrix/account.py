"""Tantrix in words: what a move brought about, and what each score is made of."""

from collections.abc import Mapping

from tegel.game import Event, Item, Seat
from tegel.games.tantrix.analysis import all_lines, forced_spaces, longest
from tegel.games.tantrix.lines import line_through
from tegel.games.tantrix.moves import Choose, Draw, Move, Place
from tegel.games.tantrix.picture import course
from tegel.games.tantrix.rules import FREE, State
from tegel.games.tantrix.tiles import LINKS, NAMES


def events(before: State, move: Move, after: State) -> list[Event]:
    """A draw, a colour or a tile; what it closed or began; who passes; the end."""
    number = before.seat + 1
    found: list[Event] = []
    match move:
        case Draw(tile):
            found.append(Event("drawn", (), {"number": number, "tile": tile}))
            if not before.field.laid and _held(after) == before.rules.seats:
                found.append(Event("begins", (), {"number": after.seat + 1}))
            if not after.bag:
                found.append(Event("endgame"))
        case Choose(colour):
            found.append(Event("chosen", (), {"number": number, "colour": colour}))
        case Place():
            key = "filled" if move.cell in before.field.forced else "placed"
            found.append(Event(key, (move.cell,), {"number": number, "tile": move.tile}))
            found += _loops(after, move)
    found += [Event("passed", (), {"number": seat + 1}) for seat in _passing(before, move)]
    if after.outcome:
        found.append(Event("over"))
    return found


def _held(state: State) -> int:
    return sum(hand.bit_count() for hand in state.hands)


def _loops(state: State, move: Place) -> list[Event]:
    """The loops that a tile has closed."""
    lines = [line_through(state.field, move.cell, letter) for letter in LINKS[move.form]]
    return [
        Event("loop", line.cells, {"colour": NAMES[line.letter], "length": len(line.cells)})
        for line in lines
        if line.loop
    ]


def _passing(before: State, move: Move) -> list[Seat]:
    """The seats that could not place and passed after a move, in turn."""
    found, state = [], before.after(move)
    while following := state.following():
        if state.step == FREE and state.hands[state.seat]:
            found.append(state.seat)
        state = following
    return found


def account(state: State) -> list[Item]:
    """For each seat the line or loop that counts."""
    found = []
    for seat in range(state.rules.seats):
        line = state.best(seat % state.rules.sides)
        if line is None:
            found.append(Item(seat, "nothing", 0))
            continue
        args = {"colour": NAMES[line.letter], "length": len(line.cells)}
        key, path = "loop" if line.loop else "line", course(line, state.field)
        found.append(Item(seat, key, line.points, line.cells, args, path))
    return found


def facts(state: State) -> Mapping[str, object]:
    """Forced spaces and lines, for programs."""
    return {
        "step": state.step,
        "bag": state.bag.bit_count(),
        "bound": state.bound,
        "forced": [
            {
                "cell": space.cell,
                "faces": space.faces,
                "hands": space.hands,
                "bag": space.bag,
                "gone": space.gone,
                "barred": space.barred,
            }
            for space in forced_spaces(state)
        ],
        "lines": [
            {"colour": NAMES[line.letter], "cells": line.cells, "ends": line.ends}
            for line in all_lines(state.field)
            if len(line.cells) > 1
        ],
        "longest": {
            colour: {"line": line, "loop": loop}
            for colour, (line, loop) in longest(state.field).items()
        },
    }
