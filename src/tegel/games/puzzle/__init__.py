"""Puzzles of polyominoes for one person: lay tiles so that every rule holds.

>>> state = GAME.start("tetra-8x10")
>>> state.play(GAME.parse("blue-I4.0@a1")).scores
(4,)
"""

from tegel.game import Drawing, Game, Solo
from tegel.games.puzzle import account, advice, material, notation, picture, rules, terminal
from tegel.games.puzzle.moves import Move

GAME: Game[Move, rules.State] = Game(
    name="puzzle",
    state=rules.State,
    variants=rules.Variants(),
    options=rules.OPTIONS,
    begin=rules.begin,
    parse=notation.parse,
    restore=notation.restore,
    drawing=Drawing(
        picture.planes,
        picture.marks,
        picture.SPRITES,
        sprites_of=picture.sprites_of,
        text=terminal.text,
    ),
    offer=picture.offer,
    colour=lambda state: state.colour,
    events=account.events,
    account=account.account,
    material=material.material,
    solo=Solo(advice.hint, advice.solution, advice.task, advice.title),
)
