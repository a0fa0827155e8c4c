"""Tantrix: lay hexagons with coloured links; the longest line or loop of your colour wins."""

from tegel.game import Game, Kernel
from tegel.games.tantrix import analysis, events, kernel, notation, picture, rules, terminal
from tegel.games.tantrix.tiles import COLOURS, COUNT

GAME = Game(
    name="tantrix",
    variants=rules.VARIANTS,
    options=rules.OPTIONS,
    begin=rules.begin,
    parse=notation.parse,
    restore=notation.restore,
    planes=picture.planes,
    sprites=picture.SPRITES,
    marks=picture.marks,
    offer=picture.offer,
    placing="{tile}.{turn}@{column},{row}",
    paints=picture.PAINTS,
    colour=lambda state: state.colours[state.seat % state.rules.sides],
    sides=lambda state: [seat % state.rules.sides for seat in range(state.rules.seats)],
    events=events.events,
    account=events.account,
    facts=analysis.facts,
    longest=2 * COUNT + len(COLOURS),  # every tile is drawn and laid, and colours are chosen
    drawing=terminal.drawing,
    kernel=Kernel(kernel.code, kernel.decode, kernel.pack, effort=50_000),
)
