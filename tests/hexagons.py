"""Tantrix positions as small pictures in text, for tests.

    53.2  46.0
 27.5  A
    42.2

Rows of tiles with their turns, each row half a cell aside of the next; a cell is six
characters wide. A letter names an empty cell."""

import random
from collections.abc import Iterator

import pytest

from tegel.cells import bits
from tegel.game import CHANCE, IllegalMove
from tegel.games.tantrix import GAME
from tegel.games.tantrix.field import Field, laid_out
from tegel.games.tantrix.moves import Draw, Place
from tegel.games.tantrix.rules import FREE, VARIANTS, State
from tegel.games.tantrix.tiles import fitting, form, tile_of
from tegel.lattice import Cell

HALF = 3  # characters

FORCED = """
              53.2  46.0
           27.5  A
        42.2  x
"""


def shown(picture: str) -> tuple[Field, dict[str, list[Cell]]]:
    """The field of a picture, and the cells that it names; the first word is at (0, 0)."""
    rows = [line for line in picture.splitlines() if line.strip()]
    left = len(rows[0]) - len(rows[0].lstrip())
    tiles: list[tuple[Cell, int]] = []
    names: dict[str, list[Cell]] = {}
    for r, row in enumerate(rows):
        at = 0
        for word in row.split():
            at = row.index(word, at)
            steps, rest = divmod(at - left, HALF)
            assert rest == 0, f"{word!r} is out of line"
            assert (steps - r) % 2 == 0, f"{word!r} is half a cell aside"
            cell = ((steps - r) // 2, r)
            if word.isalpha():
                names.setdefault(word, []).append(cell)
            else:
                tile, _, turn = word.partition(".")
                tiles.append((cell, form(int(tile), int(turn))))
            at += len(word)
    return laid_out(tiles), names


def position(
    field: Field, *hands: str, bag: str = "", seat: int = 0, step: int = FREE, variant: str = "two"
) -> State:
    """A position with these tiles in hands and bag, when there is something to decide."""
    rules = VARIANTS[variant]
    sets = [sum(1 << int(tile) for tile in hand.split()) for hand in (*hands, bag)]
    colours = ("red", "yellow", "blue", "green")[: rules.sides]
    return State(rules, field, tuple(sets[:-1]), sets[-1], colours, seat, step).settled()


def place(form: str, cell: Cell) -> Place:
    tile, _, turn = form.partition(".")
    return Place(int(tile), int(turn), cell)


def refused(state: State, move: str | Place | Draw) -> IllegalMove:
    with pytest.raises(IllegalMove) as caught:
        state.play(GAME.parse(move) if isinstance(move, str) else move)
    return caught.value


def played(state: State, *moves: str) -> State:
    for move in moves:
        state = state.play(GAME.parse(move))
    return state


def dealt(variant: str = "two", **options: str) -> State:
    """A game of which the tiles come from the bag in the order of their numbers."""
    state = GAME.start(variant, **options)
    while state.turn == CHANCE:
        state = state.play(state.moves()[0])
    return state


def random_game(variant: str, rng: random.Random) -> Iterator[State]:
    """The states of a random game in which a seat is to place a tile."""
    state = GAME.start(variant)
    while not state.outcome:
        if state.turn != CHANCE:
            yield state
        state = state.play(rng.choice(state.moves()))
    yield state


def placements(state: State) -> list[Place]:
    return [move for move in state.moves() if isinstance(move, Place)]


def list_of(tiles: int) -> list[int]:
    return [tile for tile in range(1, 57) if tiles >> tile & 1]


def tiles_for(field: Field, cell: Cell) -> set[int]:
    return {tile_of(number)[0] for number in bits(fitting(field.faces[cell]))}
