"""Imago: take stones so that your stock stays an image of stones on the board; capture the
image once it stands alone."""

from tegel.game import CHANCE, Drawing, Game, Kernel, Start
from tegel.games.imago import (
    account,
    kernel,
    material,
    notation,
    picture,
    rules,
    sprites,
    symmetry,
    terminal,
)

GAME: Game[rules.Move, rules.State] = Game(
    name="imago",
    state=rules.State,
    variants=rules.VARIANTS,
    begin=rules.begin,
    parse=notation.parse,
    restore=notation.restore,
    drawing=Drawing(
        picture.planes,
        picture.marks,
        sprites.SPRITES,
        paints=sprites.PAINTS,
        text=terminal.text,
    ),
    offer=picture.offer,
    placing="{tile}@{down},{column}",
    colour=lambda state: "" if state.turn == CHANCE else rules.SIDES[state.turn],
    footprint=symmetry.footprint,
    overlap=symmetry.overlap,
    lasting=False,
    events=account.events,
    account=account.account,
    brief=True,
    facts=account.facts,
    material=material.material,
    kernel=Kernel(kernel.code, kernel.decode, kernel.pack, effort=90_000, silent=True),
    card=(Start("colours", "imago"), Start("shapes", "shapes")),
    families={"colours": ("imago",), "shapes": ("shapes",)},
)
