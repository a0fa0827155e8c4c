"""Tantrix Discovery, for one person: one loop through tiles 1 to n."""

from tegel.game import Drawing, Game, Solo, Title
from tegel.games.tantrix.discovery import (
    account,
    advice,
    material,
    notation,
    picture,
    rules,
    terminal,
)
from tegel.games.tantrix.picture import PAINTS

GAME: Game[rules.Move, rules.State] = Game(
    name="discovery",
    state=rules.State,
    variants=rules.VARIANTS,
    begin=rules.begin,
    parse=notation.parse,
    restore=notation.restore,
    drawing=Drawing(
        picture.planes, picture.marks, picture.SPRITES, paints=PAINTS, text=terminal.text
    ),
    offer=picture.offer,
    placing="{tile}.{turn}@{column},{row}",
    colour=lambda state: state.rules.colour,
    events=account.events,
    account=account.account,
    material=material.material,
    solo=Solo(advice.hint, advice.solution, advice.task, lambda *_: Title("tiles")),
)
