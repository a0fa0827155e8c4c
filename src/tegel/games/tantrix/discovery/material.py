"""Discovery on a real table: the first n tiles of Tantrix, with their backs."""

from tegel.game import Lot, Material
from tegel.games.tantrix.discovery.rules import State
from tegel.games.tantrix.material import CELL, backs, tiles


def material(state: State) -> Material:
    numbers = range(1, state.rules.count + 1)
    return Material(CELL, lots=(Lot("tiles", tiles(numbers)),), sprites=backs(numbers))
