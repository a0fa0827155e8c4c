"""A position in a mirror is the same position: turned, flipped, with other colours, and yet nobody
is advised on it while it stands in their game. What differs in anything that counts is another."""

import random
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from tegel import games
from tegel.game import CHANCE, State
from tegel.games import forma, imago, tantrix
from tegel.games.blokus.notation import covering
from tegel.games.imago.stones import COLOURS, HOLLOWS, TOP
from tegel.games.tantrix.moves import Place
from tegel.games.tantrix.tiles import EDGES, FORMS, tile_of
from tegel.lattice import HEXAGON, POLYOMINOES, Cell, bounds, forms, turned
from tegel.room.fairness import position_key


def played(rng: random.Random, state: Any, plies: int) -> list[Any]:
    """A game at random: every position of it, as far as it goes."""
    found = [state]
    while len(found) <= plies and (moves := found[-1].moves()):
        found.append(found[-1].play(rng.choice(moves)))
    return found


def same(one: State[Any], other: State[Any]) -> None:
    """They are the same by the rules, too: nothing is called alike that is not."""
    assert position_key(one) == position_key(other), (str(one), str(other))
    assert len(one.moves()) == len(other.moves())
    assert sorted(one.scores) == sorted(other.scores)


def all_different(states: Iterable[State[Any]]) -> None:
    keys = [position_key(state) for state in states]
    assert len(set(keys)) == len(keys)


def in_mirror(cell: Cell, size: int) -> Cell:
    """Flipped about the falling diagonal of a square."""
    return size - 1 - cell[1], size - 1 - cell[0]


@pytest.mark.parametrize("variant", ["two", "classic", "duo"])
def test_blokus_in_a_mirror(rng: random.Random, variant: str) -> None:
    states = played(rng, games.load("blokus").start(variant), 40)
    other = states[0]
    for before, after in pairwise(states):
        size = after.rules.size
        other = other.play(covering([in_mirror(cell, size) for cell in after.last.cells]))
        same(after, other)
        assert before != after
    all_different(states)


def test_blokus_with_other_colours(rng: random.Random) -> None:
    """It is the same for red to move as for blue, if all that belongs to them is."""
    state = played(rng, games.load("blokus").start("classic"), 30)[-1]
    by_one = replace(
        state,
        squares=state.squares[-1:] + state.squares[:-1],
        hands=state.hands[-1:] + state.hands[:-1],
        colour=(state.colour + 1) % 4,
        single=state.single << 1 & 15 | state.single >> 3,
    )
    same(state, by_one)
    assert position_key(state) != position_key(replace(state, colour=(state.colour + 1) % 4))


def test_forma_in_a_mirror(rng: random.Random) -> None:
    """The other colour begins there, and the board was set up otherwise."""
    start = games.load("forma").start("two", layout="random", assist="on")
    states = played(rng, start, 60)
    others = {"+blue": "+yellow", "+yellow": "+blue"}
    other = start
    for after in states[1:]:
        move = after.last
        if move.cell is None:
            other = other.play(forma.GAME.parse(others.get(str(move), str(move))))
        elif move.what in POLYOMINOES:
            cells = [in_mirror(cell, 20) for cell in move.cells]
            shapes = forms(POLYOMINOES[move.what])
            turn = next(t for t, shape in shapes.items() if shape == turned(cells, 0))
            other = other.play(move._replace(cell=bounds(cells)[:2], turn=turn))
        else:
            other = other.play(move._replace(cell=in_mirror(move.cell, 20)))
        if move.what not in ("+blue", "+yellow"):
            same(after, other)
    all_different(state for state in states if state.turn != CHANCE)


def test_imago_in_a_mirror(rng: random.Random) -> None:
    """With the players and two colours exchanged."""
    states = played(rng, games.load("imago").start(), 120)
    names = str.maketrans("CDEF", "DCFE")
    laid = states[len(HOLLOWS)].table.colour_at
    other = states[0]

    def flip(cell: Cell) -> Cell:
        return in_mirror(cell, TOP + 1)

    for hollow in HOLLOWS:
        other = other.play(imago.GAME.parse(f"+{COLOURS[laid[flip(hollow)]].translate(names)}"))
    same(states[len(HOLLOWS)], other)
    lot = imago.GAME.parse(f"+{1 - states[len(HOLLOWS) + 1].player}")
    other = other.play(lot)
    same(states[len(HOLLOWS) + 1], other)
    for before, after in pairwise(states[len(HOLLOWS) + 1 :]):
        move = next(move for move in before.moves() if before.play(move) == after)
        place = (-move.place[1], -move.place[0])
        cell = flip(move.cell) if move.act in ("take", "capture", "claim") else move.cell
        other = other.play(move._replace(cell=cell, place=place if move.act == "take" else (0, 0)))
        same(after, other)
    all_different(states[len(HOLLOWS) + 1 :])


def hexagon(cell: Cell, flips: int, turns: int) -> Cell:
    for a, b, c, d in [HEXAGON.mirror] * flips + [HEXAGON.quarter] * turns:
        cell = a * cell[0] + b * cell[1], c * cell[0] + d * cell[1]
    return cell


@pytest.mark.parametrize(("flips", "turns"), [(0, 1), (0, 4), (1, 0), (1, 2)])
def test_tantrix_in_a_mirror(rng: random.Random, flips: int, turns: int) -> None:
    """Elsewhere on the table, and with the colours exchanged that nobody plays."""
    names = str.maketrans("BG", "GB")

    def other_form(edges: str) -> int:
        for _ in range(flips):
            edges = edges[3::-1] + edges[:3:-1]  # clockwise from west, the other way round
        edges = edges[-turns % 6 :] + edges[: -turns % 6]
        return FORMS.index(edges.translate(names))

    def other_tiles(text: str) -> str:
        edges = [EDGES[int(number) - 1] for number in text.split() if number != "-"]
        return " ".join(str(tile_of(other_form(each))[0]) for each in edges) or "-"

    states = played(rng, games.load("tantrix").start(), 70)
    for state in states[13:]:
        lines = str(state).splitlines()
        found = [lines[0]]
        for line in lines[1:]:
            key, colon, rest = line.partition(": ")
            if colon and (key == "bag" or key.startswith("hand")):
                found.append(f"{key}: {other_tiles(rest)}")
            elif colon:
                found += [line] if key != "last" else []
            else:
                place = tantrix.GAME.parse(line)
                assert isinstance(place, Place)
                q, r = hexagon(place.cell, flips, turns)
                lies = Place(*tile_of(other_form(FORMS[place.form])), (q + 3, r - 5))
                found.append(str(lies))
        same(state, tantrix.GAME.read("\n".join(found)))
    all_different(state for state in states[13:] if state.turn != CHANCE)


def test_every_game_of_several_says_what_is_alike() -> None:
    for name in games.every():
        game = games.load(name)
        assert (len(list(game.alike(game.start()))) > 1) is not bool(game.solo)
