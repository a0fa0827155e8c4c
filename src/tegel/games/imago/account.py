"""Imago in words: what a move brought about, and the stones that each seat has."""

from collections.abc import Mapping

from tegel.game import CHANCE, Event, Item
from tegel.games.imago.rules import SIDES, Move, State
from tegel.games.imago.stones import COLOURS, GRID, TOP, down
from tegel.lattice import name, names


def events(before: State, move: Move, after: State) -> list[Event]:
    """What a move brought about, for everybody to hear."""
    if before.turn == CHANCE:
        return [Event("begins", (), {"player": SIDES[move.drawn]})] if move.act == "lot" else []
    args = {"player": SIDES[before.player], "opponent": SIDES[1 - before.player]}
    found: list[Event] = []
    take = before.asked or move
    match move.act:
        case "take" | "allow":
            colour = COLOURS[before.table.colour_at[take.cell]]
            stone = {"cell": name(take.cell), "colour": colour, **args}
            found.append(Event("asked" if after.asked else "took", (take.cell,), stone))
        case "claim":
            image = before.table.image(before.turn, move.cell)
            assert image
            found.append(Event("claimed", image.cells, {"at": names(image.cells), **args}))
            found.append(Event("refused", (take.cell,), {"cell": name(take.cell), **args}))
        case "capture":
            image = before.table.image(before.player, move.cell)
            assert image
            found.append(Event("captured", image.cells, {"at": names(image.cells), **args}))
            was, now = (state.table.stocks[1 - before.player].out for state in (before, after))
            found += [Event("out", (), args)] if now and not was else []
        case "pass":
            found.append(Event("passed", (), args))
    return [*found, Event("over")] if after.outcome else found


def account(state: State) -> list[Item]:
    """The stones of each seat: set aside, and in the stock."""
    found = []
    for seat, side in enumerate(SIDES):
        aside, stock = sum(state.table.aside[seat]), len(state.table.stocks[seat].stones)
        found += [Item(seat, "aside", aside, (), {"player": side})] if aside else []
        found.append(Item(seat, "stock", stock, (), {"player": side}))
    return found


def facts(state: State) -> Mapping[str, object]:
    """Images, claims, isolated groups and forbidden stones, by the names of hollows."""
    table = state.table
    return {
        "images": {
            side: [[name(cell) for cell in i.cells] for i in table.images(seat) if i.hollows]
            for seat, side in enumerate(SIDES)
        },
        "claims": {
            side: stock.claim and down(stock.claim, TOP)
            for side, stock in zip(SIDES, table.stocks, strict=True)
        },
        "out": [side for side, stock in zip(SIDES, table.stocks, strict=True) if stock.out],
        "groups": [[name(cell) for cell in GRID.cells(group)] for group in table.groups],
        "forbidden": {name(cell): rule for cell, rule in state.forbidden().items()},
    }
