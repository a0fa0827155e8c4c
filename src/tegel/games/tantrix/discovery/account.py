"""Discovery in words: what a move brought about, and what the score is made of."""

from tegel.game import Event, Item
from tegel.games.tantrix.discovery.rules import Lift, Move, State
from tegel.games.tantrix.tiles import tile_of


def events(before: State, move: Move, after: State) -> list[Event]:
    if isinstance(move, Lift):
        tile = str(tile_of(before.field.laid[move.cell])[0])
        return [Event("lifted", (move.cell,), {"tile": tile})]
    found = [Event("placed", (move.cell,), {"tile": str(move.tile)})]
    if after.outcome:
        return [*found, Event("solved")]
    colour = after.rules.colour
    flaws = {flaw.key: flaw.cells for flaw in after.flaws}  # where all tiles lie and edges match
    told = [Event(key, flaws[key], {"colour": colour}) for key in ("loop", "hole") if key in flaws]
    return [*found, *told]


def account(state: State) -> list[Item]:
    return [Item(0, "laid", state.scores[0])]
