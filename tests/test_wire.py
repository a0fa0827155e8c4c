"""What games give as it goes over the wire: nothing lost, nothing twice, and a page that knows
no game is told all it needs."""

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from websockets.frames import Frame, Opcode

from tegel import game, games, lattice, picture
from tegel.game import CHANCE, Game
from tegel.place.wire import copies, messages, responses
from tegel.record import folded
from tegel.server.web.transport import head

GAMES = [games.load(name) for name in games.every()]
NOT_SENT = {
    picture.Plane: {"account", "lines"},  # of printed pictures
    picture.Sprite: {"letters"},  # of terminals
}


def states(tested: Game[Any, Any], seed: int = 1, most: int = 40) -> Iterator[Any]:
    """Some states of a game of each variant, played at random."""
    rng = random.Random(seed)
    for variant in list(tested.variants)[: 2 if tested.solo else 6]:
        state = tested.start(variant)
        for ply in range(most):
            if state.outcome:
                break
            if ply % 4 == 0:
                yield state
            moves = list(state.odds() if state.turn == CHANCE else state.moves())
            state = state.play(rng.choice(moves))


@pytest.mark.parametrize(
    ("kind", "struct"),
    [
        (picture.Mark, messages.Mark), (picture.Plane, messages.Plane),
        (picture.Layer, responses.Layer), (picture.Sprite, responses.Sprite),
        (picture.Paint, responses.Paint), (game.Slot, messages.Slot),
        (game.Choice, messages.Choice), (game.Event, messages.Event), (game.Item, responses.Item),
    ],
)  # fmt: skip
def test_the_wire_has_every_field_by_its_own_name(kind: Any, struct: Any) -> None:
    sent, known = set(struct.__struct_fields__), set(defaults(kind))
    assert known - sent == NOT_SENT.get(kind, set())
    assert sent <= known


def defaults(kind: Any) -> dict[str, Any]:
    """The fields of a dataclass or a named tuple, each with its default, if it has one."""
    if issubclass(kind, tuple):
        return {name: kind._field_defaults.get(name, MISSING) for name in kind._fields}
    return {
        one.name: one.default_factory() if one.default_factory is not MISSING else one.default
        for one in fields(kind)
    }


def spelled(value: Any) -> dict[str, Any]:
    """A value as JSON should have it: each field by its name, unless it equals its default."""
    found = {}
    for name, default in defaults(type(value)).items():
        here = getattr(value, name)
        if name not in NOT_SENT.get(type(value), ()) and (here != default or name == "box"):
            found[name] = here
    if isinstance(value, picture.Plane):
        found["lattice"] = value.lattice.name
    return found


@pytest.mark.parametrize("tested", GAMES, ids=lambda tested: str(tested.name))
def test_a_position_goes_over_the_wire_as_it_is(tested: Game[Any, Any]) -> None:
    for state in states(tested):
        offer = tested.offer(state)
        for plane in tested.drawing.planes(state):
            assert read_back(copies.plane(plane)) == messages.Plane(**spelled(plane))
        for mark in tested.drawing.marks(state):
            assert read_back(copies.mark(mark)) == messages.Mark(**spelled(mark))
        for choice in offer.choices:
            assert read_back(copies.choice(choice)) == messages.Choice(**spelled(choice))
        for slot in offer.slots:
            bits = {**slot._asdict(), "cells": f"{slot.cells:x}"}
            assert read_back(*copies.slots([slot])) == messages.Slot(**bits)


@pytest.mark.parametrize(
    ("tested", "variant"),
    [(each, variant) for each in GAMES if each.drawing.changes for variant in each.variants],
    ids=str,
)
def test_what_a_game_says_has_changed_leads_from_one_drawing_to_the_next(
    tested: Game[Any, Any], variant: str
) -> None:
    """And at every ply up to the end: little of it is new."""
    rng, state = random.Random(variant), tested.start(variant)
    assert tested.drawing.changes
    while not state.outcome:
        after = state.play(rng.choice(state.moves()))
        old, found = tested.drawing.marks(state), list[picture.Mark]()
        entries = tested.drawing.changes(state, after)
        for entry in entries:
            found += [entry] if isinstance(entry, picture.Mark) else old[entry[0] : sum(entry)]
        assert found == tested.drawing.marks(after)
        corners = [mark for mark in found if mark.sprite in ("open", "start")]
        assert len(entries) <= len(corners) + 9
        state = after


def read_back(struct: msgspec.Struct) -> msgspec.Struct:
    return msgspec.json.decode(msgspec.json.encode(struct), type=type(struct))


@pytest.mark.parametrize("tested", GAMES, ids=lambda tested: str(tested.name))
def test_a_page_that_knows_no_game_is_told_what_it_needs(tested: Game[Any, Any]) -> None:
    """One plane is the board; every choice has a name; and what picks up a tile is written as
    the offer says."""
    words = game.words(tested.name)
    for state in states(tested):
        (board,) = [plane for plane in tested.drawing.planes(state) if plane.main]
        if state.turn == CHANCE:
            continue  # nobody is offered anything
        offer = tested.offer(state)
        lifts = [choice for choice in offer.choices if choice.tile]
        assert bool(offer.lifting) == bool(lifts)
        for choice in offer.choices:
            assert (choice.key or choice.move) in words["choices"]
        for choice in lifts:
            assert set(choice.cells) <= set(board.wells)
            (column, row), *_ = choice.cells
            spots = {"square": lattice.name((column, row)), "column": column, "row": row}
            assert offer.lifting.format(**spots) == choice.move


@pytest.mark.slow
def test_the_types_of_the_page_are_those_of_the_wire() -> None:
    """`make` writes them again where the server's messages have changed."""
    web = Path(__file__).parent.parent / "web"
    described = [sys.executable, "-m", "tegel.server.web.schema"]
    schema = subprocess.run(described, capture_output=True, check=True).stdout
    path = f"{os.environ['PATH']}:{Path(sys.executable).parent}"
    generated = subprocess.run(
        ["npm", "run", "types", "--silent"],
        cwd=web, env={**os.environ, "PATH": path}, input=schema, capture_output=True, check=True,
    ).stdout  # fmt: skip
    assert generated.decode() == (web / "src" / "base" / "wire.ts").read_text("utf-8")


def test_the_description_has_the_messages_of_the_socket_both_ways() -> None:
    from tegel.server.settings import Settings
    from tegel.server.web.app import app

    made = app(Settings("sqlite+aiosqlite:///unused", "x" * 32)).openapi()["components"]["schemas"]
    for way, kinds in (("Incoming", messages.Incoming), ("Outgoing", messages.Outgoing)):
        mapping = made[way]["discriminator"]["mapping"]
        assert mapping == {
            kind.__struct_config__.tag: f"#/components/schemas/{kind.__name__}"
            for kind in get_args(kinds)
        }
        for tag, reference in mapping.items():
            assert made[reference.rpartition("/")[2]]["properties"]["t"] == {"enum": [tag]}


@pytest.mark.parametrize(
    "tested", [tested for tested in GAMES if tested.solo], ids=lambda tested: str(tested.name)
)
def test_a_task_is_told_in_words_that_there_are(tested: Game[Any, Any]) -> None:
    words = game.words(tested.name)
    assert tested.solo
    for variant in tested.variants:
        task, title = tested.solo.task(tested.start(variant)), tested.solo.title(variant, {})
        assert title.name in words["variants"]
        assert task.rule in words["goals"]
        assert task.group in words["groups"]


def test_one_s_own_puzzle_is_called_as_its_text_says() -> None:
    tested = games.load("puzzle")
    text = folded("puzzle: small\nrule: cover\ntiles: I3\n\n...\n")
    assert tested.solo
    assert tested.solo.title("own", {"text": text}) == game.Title("own", own="small")
    assert tested.solo.title("daily-1-2026-05-03", {}) == game.Title("daily", day="2026-05-03")
    state = tested.start("own", text=text)
    assert tested.solo.task(state) == game.Task("cover", tiles=1, whole=3)


@pytest.mark.parametrize("size", [0, 125, 126, 65_535, 65_536])
def test_a_text_is_framed_as_sockets_want_it(size: int) -> None:
    text = b"x" * size
    assert head(text) + text == Frame(Opcode.TEXT, text).serialize(mask=False)
