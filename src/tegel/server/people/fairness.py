"""No help in running games, for hints, analysis and records alike.

A position that stands in a game which somebody plays with others is not advised on for them:
for that player, and for whoever asks from the same **network**, where a second browser would be.
One that is played by eye is for nobody, until it is over. What networks players came from is
kept as a seal, for a day."""

import json
from collections import OrderedDict

import sqlalchemy as sa

from tegel.room.clock import DAY
from tegel.room.fairness import is_opening, opponents, position_keys
from tegel.room.refused import Refused
from tegel.server.people.identity import Seals
from tegel.server.rooms.house import House
from tegel.server.storage import tables

HOUR = DAY // 24
KNOWN = 20_000  # players and networks that are remembered as written
MOST = 200  # games of a network between people that are looked at,
LISTED = 5_000  # of so many
OPENING = 4  # moves that any game has in what `is_opening` says
RUNNING = "This position stands in a game that you are playing: no help until it is over."
MANY = "More games are on here than can be looked at: no help until some are over."
BY_EYE = "This position stands in a game that is played by eye: no help until it is over."


class Fairness:
    def __init__(self, house: House, seals: Seals) -> None:
        self.house, self.store, self.seals = house, house.store, seals
        self.written: OrderedDict[tuple[str, str], int] = OrderedDict()

    def met(self, player: str, network: str) -> None:
        """A player acts at a table, from a network."""
        now, key = self.house.heartbeat.now(), (player, network)
        if now - self.written.get(key, 0) < HOUR:
            return
        self.written[key] = now
        self.written.move_to_end(key)
        if len(self.written) > KNOWN:
            self.written.popitem(last=False)
        change = self.store.upsert(
            tables.networks, network=self._sealed(network), player=player, at=now
        )
        self.house.background.start(self.store.change(change))

    async def forget(self) -> None:
        """Forget where players acted from, but of late."""
        c, recent = tables.networks.c, self.house.heartbeat.now() - DAY
        await self.store.change(sa.delete(tables.networks).where(c.at < recent))

    def _sealed(self, network: str) -> str:
        return self.seals.sealed("network", network).rpartition(".")[2]

    async def forbid_by_eye(self, keys: list[str], besides: str = "") -> None:
        """Raise Refused if one of these positions stands in a running game by eye."""
        c = tables.rooms.c
        query = sa.select(c.id).where(c.position.in_(keys), c.over.is_(False), c.id != besides)
        if keys and await self.store.rows(query.limit(1)):
            raise Refused("eye", BY_EYE)

    async def forbid(
        self, player: str, network: str, game: str, keys: list[str], besides: str = ""
    ) -> None:
        """Raise Refused if one of these positions must not be advised on for somebody; `besides`
        is the room in which they ask."""
        await self.forbid_by_eye(keys, besides)
        n, s, r = tables.networks.c, tables.seats.c, tables.rooms.c
        recent = self.house.heartbeat.now() - DAY
        near = sa.select(n.player).where(n.network == self._sealed(network), n.at > recent)
        theirs = sa.select(s.room).where(sa.or_(s.player == player, s.player.in_(near)))
        begun = sa.or_(r.moves > OPENING, r.moves < 0)
        query = sa.select(r.id, r.places).where(
            r.id.in_(theirs), r.over.is_(False), r.game == game, r.id != besides, begun
        )
        found = await self.store.rows(query.limit(LISTED))
        shared = [row.id for row in found if _is_shared(row.places)]
        if len(found) == LISTED or len(shared) > MOST:  # or one could hide a game among others
            raise Refused("running", MANY)
        played = []
        for id in shared:
            try:
                room = (await self.house.find(id, network)).room
            except Refused:
                continue  # it can't be opened, so nobody plays it
            if len(opponents(room, "")) > 1 and not is_opening(room):
                played.append(room.state)
        if not played:
            return
        running = await self.house.pools.facts.run(position_keys, played, payer=network)
        if not set(running).isdisjoint(keys):
            raise Refused("running", RUNNING)


def _is_shared(places: str) -> bool:
    """Whether more than one can sit at a table, as it was set out, who is no bot of ours."""
    told: list[dict[str, str]] = json.loads(places)
    players = {place["player"] for place in told if place.get("player")}
    return len(players) + sum(place["kind"] == "open" for place in told) > 1
