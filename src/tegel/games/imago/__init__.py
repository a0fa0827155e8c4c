"""Imago: take stones so that your stock stays an image of stones on the board; capture the
image once it stands alone."""

from tegel.game import CHANCE, Game, Kernel
from tegel.games.imago import kernel, look, notation, picture, rules, text

GAME = Game(
    name="imago",
    variants=rules.VARIANTS,
    begin=rules.begin,
    parse=notation.parse,
    restore=notation.restore,
    planes=picture.planes,
    sprites=look.SPRITES,
    paints=look.PAINTS,
    marks=picture.marks,
    offer=picture.offer,
    placing="{tile}@{down},{column}",
    colour=lambda state: "" if state.turn == CHANCE else rules.SIDES[state.turn],
    events=picture.events,
    account=picture.account,
    facts=picture.facts,
    drawing=text.drawing,
    kernel=Kernel(kernel.code, kernel.decode, kernel.pack, effort=90_000, silent=True),
)
