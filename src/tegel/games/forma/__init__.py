"""Forma: lay tiles by eye, close in squares, obstacles and the tower, and build bridges."""

from tegel.game import CHANCE, Drawing, Game, Kernel, Start
from tegel.games.forma import account, kernel, material, notation, picture, rules, symmetry
from tegel.games.forma.tiles import Move

GAME: Game[Move, rules.State] = Game(
    name="forma",
    state=rules.State,
    variants=rules.VARIANTS,
    options=rules.OPTIONS,
    begin=rules.begin,
    parse=notation.parse,
    restore=notation.restore,
    drawing=Drawing(picture.planes, picture.marks, picture.SPRITES, paints=picture.PAINTS_OF_FORMA),
    offer=picture.offer,
    colour=lambda state: "" if state.turn == CHANCE else state.rules.colours[state.turn],
    attempts=rules.State.admits,
    slips=rules.State.slips,
    by_eye=lambda state: state.rules.assist == "off",
    footprint=symmetry.footprint,
    overlap=symmetry.overlap,
    events=account.events,
    account=account.account,
    gained=account.gained,
    facts=account.facts,
    material=material.material,
    kernel=Kernel(kernel.code, kernel.decode, kernel.pack, kernel.covers, kernel.setup, 100_000),
    card=(
        Start("assisted", "two", {"layout": "random", "assist": "on"}, level=1),
        Start("eye", "two", {"layout": "random", "assist": "off"}, level=1),
        Start("four", "four", {"layout": "random", "assist": "on"}, level=1),
    ),
    families={"two": ("two",), "more": ("four",)},
)
