"""Tantrix: lay hexagons with coloured links; the longest line or loop of your colour wins."""

from tegel.game import Drawing, Game, Kernel, Start
from tegel.games.tantrix import (
    account,
    kernel,
    material,
    notation,
    picture,
    rules,
    symmetry,
    terminal,
)
from tegel.games.tantrix.moves import Move
from tegel.games.tantrix.tiles import COLOURS, COUNT

GAME: Game[Move, rules.State] = Game(
    name="tantrix",
    state=rules.State,
    variants=rules.VARIANTS,
    options=rules.OPTIONS,
    begin=rules.begin,
    parse=notation.parse,
    restore=notation.restore,
    drawing=Drawing(
        picture.planes,
        picture.marks,
        picture.SPRITES,
        paints=picture.PAINTS,
        text=terminal.text,
    ),
    offer=picture.offer,
    placing="{tile}.{turn}@{column},{row}",
    colour=lambda state: state.colours[state.seat % state.rules.sides],
    sides=lambda state: [seat % state.rules.sides for seat in range(state.rules.seats)],
    footprint=symmetry.footprint,
    overlap=symmetry.overlap,
    events=account.events,
    account=account.account,
    brief=True,
    facts=account.facts,
    longest=2 * COUNT + len(COLOURS),  # every tile is drawn and laid, and colours are chosen
    material=material.material,
    kernel=Kernel(kernel.code, kernel.decode, kernel.pack, effort=50_000),
    card=(
        Start("two", "two"),
        Start("three", "three"),
        Start("four", "four"),
        Start("doubles", "doubles"),
    ),
    families={"two": ("two",), "more": ("three", "four"), "teams": ("doubles",)},
)
