"""The services that keep play fair and people apart, put together."""

from tegel.place.accounts.identity import Seals
from tegel.place.limits.limits import Budget
from tegel.place.rooms.house import House
from tegel.place.safety.blocks import Blocks
from tegel.place.safety.fairness import Fairness
from tegel.place.safety.store import SafetyStore


class SafetyServices:
    def __init__(self, store: SafetyStore, house: House, seals: Seals, budget: Budget) -> None:
        self.store, self.blocks = store, Blocks(store, seals)
        self.fairness = Fairness(store, house, seals, budget)
        house.rest.guard = self.fairness.rest
