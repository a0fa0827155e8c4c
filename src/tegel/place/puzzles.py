"""Puzzles for one that people have begun or solved."""

from statistics import median

from tegel import games
from tegel.place.rooms.house import House
from tegel.place.rooms.room_row import options
from tegel.place.rooms.store import Listing
from tegel.place.wire import responses

MOST_SITTINGS = 500
MOST_SOLVED = 20_000  # people of whom is told how everybody did on a day


class Puzzles:
    def __init__(self, house: House) -> None:
        self.house = house

    async def sittings(self, player: str) -> list[responses.Sitting]:
        """The puzzles of a player, the latest first; one that can't be read is reported and left
        out."""
        shown = []
        for one in await self.house.store.puzzles_of(player, MOST_SITTINGS):
            try:
                shown.append(_sitting(one))
            except ValueError as error:
                self.house.report(one.id, error)
        return shown

    async def results(self, variant: str) -> responses.DayResults:
        """How everybody did on a puzzle."""
        solved = await self.house.store.solved(variant, MOST_SOLVED)
        spent = median([one.spent for one in solved]) if solved else 0
        return responses.DayResults(len(solved), sum(not one.hints for one in solved), int(spent))


def _sitting(one: Listing) -> responses.Sitting:
    chosen = options(one.options)
    solo = games.load(one.game).solo
    assert solo, "the query asks for such"
    title = solo.title(one.variant, chosen)
    return responses.Sitting(
        id=one.id, game=one.game, variant=one.variant, options=chosen, over=one.over,
        closed=one.closed, score=one.score, spent=one.spent, hints=one.hints, touched=one.touched,
        name=title.name, own=title.own, day=title.day,
    )  # fmt: skip
