"""Tantrix Discovery at a table: one loop through tiles 1 to n."""

from tegel.game import Game, Title
from tegel.games.tantrix.picture import PAINTS, SPRITES
from tegel.puzzle.discovery import advice, hand, picture

GAME = Game(
    name="discovery",
    variants=hand.VARIANTS,
    begin=hand.begin,
    parse=hand.parse,
    restore=hand.restore,
    planes=picture.planes,
    sprites={key: sprite for key, sprite in SPRITES.items() if key != "forced"},
    marks=picture.marks,
    offer=picture.offer,
    placing="{tile}.{turn}@{column},{row}",
    paints=PAINTS,
    colour=lambda state: state.rules.colour,
    events=picture.events,
    account=picture.account,
    hint=advice.hint,
    solution=advice.solution,
    task=hand.task,
    title=lambda *_: Title("tiles"),
    drawing=picture.drawing,
)
