"""Blokus: place polyominoes corner to corner; whoever has fewest squares left wins."""

from tegel.game import Drawing, Game, Kernel, Start
from tegel.games.blokus import account, kernel, material, notation, picture, rules, symmetry
from tegel.games.blokus.sgf import SGF

GAME: Game[rules.Move, rules.State] = Game(
    name="blokus",
    state=rules.State,
    variants=rules.VARIANTS,
    options=rules.OPTIONS,
    begin=rules.begin,
    parse=notation.parse,
    restore=notation.restore,
    drawing=Drawing(picture.planes, picture.marks, picture.SPRITES, changes=picture.changes),
    offer=picture.offer,
    colour=lambda state: state.rules.colours[state.colour],
    sides=lambda state: [seat % state.rules.sides for seat in range(state.rules.seats)],
    footprint=symmetry.footprint,
    overlap=symmetry.overlap,
    events=account.events,
    account=account.account,
    brief=True,
    gained=account.gained,
    facts=account.facts,
    formats=(SGF,),
    longest=4 * 21,
    material=material.material,
    kernel=Kernel(kernel.code, kernel.decode, kernel.pack, effort=300_000),
    card=(
        Start("duo", "duo"),
        Start("two", "two"),
        Start("three", "three"),
        Start("four", "classic"),
        Start("teams", "teams"),
    ),
    families={"two": ("duo", "two"), "more": ("three", "classic"), "teams": ("teams",)},
)
