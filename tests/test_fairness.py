"""Fair play without a server: who is asked for what, who pays for comparisons, and how many of them
come at once."""

import asyncio
from collections.abc import Callable, Collection
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, TypeVar, cast

import pytest

from clocks import HandClock
from tegel import games
from tegel.place.accounts.identity import Seals
from tegel.place.bus import Bus
from tegel.place.limits.limits import Budget, Limits
from tegel.place.ports import Broken
from tegel.place.rooms.house import House
from tegel.place.rooms.live_room import LiveRoom
from tegel.place.rooms.rest import FRESH
from tegel.place.safety.fairness import DEAREST, MANY, MOST, Asker, Fairness
from tegel.place.safety.store import RunningRow
from tegel.place.tasks import nearness
from tegel.record import Record
from tegel.room.clock import clock
from tegel.room.fairness import Asked
from tegel.room.log import Row, Sit
from tegel.room.refused import Refused
from tegel.room.room import Room, opened
from tegel.room.setup import Place, Setup

T = TypeVar("T")
NETWORK, HOME = "203.0.113.7", "198.51.100.4"
MOVES = ("Z5.5@e8", "F.6@i3", "N.0@h6", "O.0@g2", "F.3@e11", "T4.0@e4")
RECORD = Record("blokus", "duo", moves=MOVES)
FAR = "14 60 0 A=" + "f" * 15  # nobody's position
SECONDS = 0.25  # that each task takes


class Store:
    """The running games that are known: beside somebody, and with a clock of minutes."""

    def __init__(self, near: int = 0, far: int = 0, timed: Collection[str] = ()) -> None:
        state: Any = games.final(RECORD)
        blokus = games.load("blokus")
        assert blokus.footprint
        here = str(blokus.footprint(state))
        self.rows = [RunningRow(f"far{n}", FAR, "[]") for n in range(far)]
        self.rows += [RunningRow(f"near{n}", here, "[]") for n in range(near)]
        self.own = list[RunningRow]()
        self.timed = timed

    async def timed_games(self, players: Collection[str], *_: Any) -> list[tuple[str, str]]:
        return [("timed", player) for player in players if player in self.timed]

    async def games_beside(self, *_: Any, **__: Any) -> list[RunningRow]:
        return self.rows

    async def games_of(self, *_: Any, **__: Any) -> list[RunningRow]:
        return self.own

    async def games_by_eye(self, *_: Any) -> list[RunningRow]:
        return []


class Facts:
    """A queue that remembers its tasks, and for whom they were."""

    def __init__(self, *, breaks: bool = False) -> None:
        self.breaks, self.payers, self.compared = breaks, list[str](), list[int]()

    async def timed(self, task: Callable[..., T], *args: Any, payer: str) -> tuple[T, float]:
        self.payers.append(payer)
        if self.breaks:
            raise Broken
        if task is nearness.near:
            asked, running = args
            self.compared.append(len(asked.positions) * len(running))
        return task(*args), SECONDS


def fairness(store: Store, facts: Facts, room: Room | None = None) -> Fairness:
    async def find(_: str) -> Any:
        return SimpleNamespace(room=room)

    house = SimpleNamespace(pools=SimpleNamespace(facts=facts), find=find)
    around: Any = (store, house, Seals("x" * 32), Budget(Limits(), lambda: 0.0))
    return Fairness(*around)


def paid(service: Fairness, player: str = "", network: str = "") -> float:
    """What a player or a network has paid so far."""
    budget = service.budget
    bucket = budget.players.of(player) if player else budget.networks.of(network)
    return bucket.burst - bucket.level


def refusal(doing: Any) -> str:
    """The code of the refusal with which something ends, or nothing."""
    try:
        asyncio.run(doing)
    except Refused as refused:
        return refused.code
    return ""


def seated(*players: str, level: int = 0, wish: str = "bank 600 5", **setup: Any) -> Room:
    """A room in which some people sit, and a bot of a level."""
    places = [Place("person", 0, player) for player in players]
    places += [Place("bot", level)] if level else []
    made = Setup("room1", "blokus", "duo", tuple(places), {}, clock(wish), **setup)
    rows = [Row(n, 0, str(Sit(n, player))) for n, player in enumerate(players)]
    return opened(made, rows, ())


# Who pays


def test_who_asks_pays_for_the_time_of_a_comparison() -> None:
    facts = Facts()
    service = fairness(Store(near=1), facts)
    assert refusal(service.permit(Asker(("ann",), NETWORK), RECORD)) == "running"
    assert facts.payers == [NETWORK] * 2, "what is asked, and the comparison"
    assert paid(service, network=NETWORK) == paid(service, "ann") == 2 * SECONDS


def test_where_nothing_runs_nobody_pays() -> None:
    facts = Facts()
    service = fairness(Store(), facts)
    assert refusal(service.permit(Asker(("ann",), NETWORK), RECORD)) == ""
    assert facts.payers == []
    assert paid(service, network=NETWORK) == paid(service, "ann") == 0


def test_a_comparison_that_breaks_off_costs_most() -> None:
    service = fairness(Store(near=1), Facts(breaks=True))
    assert refusal(service.permit(Asker(("ann",), NETWORK), RECORD)) == "busy"
    assert paid(service, network=NETWORK) == DEAREST


def test_who_brought_a_bot_pays_where_it_may_have_to_rest() -> None:
    """And nobody if that is not known any more."""
    room = seated("ann", level=1)
    for payer, pays in ((NETWORK, 2 * SECONDS), (room.setup.id, 0)):
        facts = Facts()
        service = fairness(Store(far=1), facts, room)
        assert asyncio.run(service.rest(room, payer)) is None
        assert len(facts.payers) == 2
        assert paid(service, network=NETWORK) == pays
        assert paid(service, network=room.setup.id) == paid(service, network="") == 0
        assert paid(service, "ann") == (pays if payer == NETWORK else 0)


# How much at once


def test_many_games_are_compared_some_at_a_time_and_none_is_left_out() -> None:
    facts = Facts()
    service = fairness(Store(far=1200, near=1), facts)
    assert refusal(service.permit_line(Asker(("ann",), NETWORK), RECORD)) == "running"
    assert sum(facts.compared) == 1201 * (len(MOVES) + 1), "every position with every game"
    assert max(facts.compared) <= nearness.TOGETHER
    assert len(facts.compared) > 8
    assert paid(service, network=NETWORK) == SECONDS * len(facts.payers)


@pytest.mark.parametrize("line", [False, True])
def test_parts_are_small_and_complete(rng: Any, line: bool) -> None:
    for _ in range(50):
        texts = [str(n) for n in range(rng.randint(1, 3000))]
        running: list[Any] = list(range(rng.randint(1, 2000)))
        asked = Asked("blokus", texts, line)
        parts = list(nearness.parts(asked, running))
        pairs = sum(len(part.positions) * len(some) for part, some in parts)
        assert pairs == len(texts) * len(running)
        for part, some in parts:
            each = min(nearness.ALIKE, len(part.positions)) if line else len(part.positions)
            assert each * len(some) <= nearness.TOGETHER
            assert part.positions == texts or not line, "a line stays whole"


def test_among_too_many_games_nobody_can_say() -> None:
    facts = Facts()
    service = fairness(Store(far=MOST + 1), facts)
    with pytest.raises(Refused, match=MANY):
        asyncio.run(service.permit(Asker(("ann",), NETWORK), RECORD))
    assert facts.payers == [], "and nothing is compared"


# Who rests


def test_for_programs_the_engine_never_rests() -> None:
    """They never asked to be seated."""
    room = seated("ann", "bot-1", rated=True)
    store = Store(timed=["ann", "bot-1"])
    service = fairness(store, Facts(), room)
    assert refusal(service.permit_game("ann", "blokus")) == "rests"
    assert refusal(service.permit_game("bot-1", "blokus")) == ""
    assert refusal(service.permit(Asker(("bot-1",), NETWORK), RECORD)) == ""


def test_before_the_first_move_only_first_moves_are_refused_and_bots_play() -> None:
    """Or nobody with a game that has not begun could begin another against a bot. Who left it is
    no player any more."""
    store, empty = Store(), Record("blokus", "duo")
    store.own = store.rows = [RunningRow("other", "14 0 1", "[]")]
    mine, room = seated("ann", "bob"), seated("ann", level=1)
    service, asker = fairness(store, Facts(), mine), Asker(("ann",), NETWORK)
    assert refusal(service.permit(asker, empty)) == "running"
    assert refusal(service.permit(asker, replace(RECORD, moves=MOVES[:1]))) == "running"
    assert refusal(service.permit(asker, RECORD)) == ""
    assert asyncio.run(service.rest(room, NETWORK)) is None
    gone = replace(mine, chairs=tuple(replace(chair, left="resign") for chair in mine.chairs))
    assert refusal(fairness(store, Facts(), gone).permit(asker, empty)) == ""
    store.own = []
    assert refusal(service.permit(asker, empty)) == "", "others on the network"


def test_a_table_is_looked_at_once_a_second_at_most() -> None:
    """However often somebody asks for what fits there."""
    hand, looks = HandClock(), list[str]()
    beat: Any = SimpleNamespace(clock=hand, now=lambda: 0)
    nothing: Any = SimpleNamespace(gauge=lambda *_: None)
    house = House(
        nothing, Bus(), nothing, beat, "worker", 0, cast(Any, None), cast(Any, None), nothing
    )
    options = {"layout": "k11:c4,e9,f2,h16,m3,n13,q7,r18,t5", "assist": "on"}
    places = (Place("person", 0, "ann"), Place("person", 0, "bob"))
    setup = Setup("room1", "forma", "two", places, options, clock("none"))
    rows = [Row(n, 0, str(Sit(n, player))) for n, player in enumerate(("ann", "bob"))]
    room = opened(setup, rows, ())
    if room.state.turn < 0:  # who begins is drawn
        rows.append(Row(2, 0, str(room.state.moves()[0])))
        room = opened(setup, rows, ())
    assert room.waits_for
    live = LiveRoom(room, 0.0)

    async def guard(_: Room, payer: str) -> Refused | None:
        looks.append(payer)
        return Refused("eye", "No help.")

    async def looked(times: int, step: float) -> int:
        looks.clear()
        for _ in range(times):
            await house.look_after(live)
            hand.passes(1000 * step)
        return len(looks)

    house.rest.guard = guard
    hand.passes(5000)
    assert asyncio.run(looked(9, FRESH / 10)) == 1
    assert live.resting
    hand.passes(1000 * FRESH)
    assert asyncio.run(looked(5, FRESH)) == 5
