"""What a guest played, in a browser where somebody signs in, comes along if they wish: seats in
running games by the same door as seat links, finished games in their list, studies, moments that
were tried. What can't come along stays with the guest, who the browser is again after signing
out."""

from collections.abc import Awaitable, Callable
from contextlib import suppress

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from tegel.place.rooms.house import House
from tegel.place.rooms.live_room import LiveRoom
from tegel.room.refused import Refused
from tegel.server.storage import tables
from tegel.server.storage.moments import bring_tries

MOST = 100  # running games that come along, the latest first


async def bring_along(
    house: House, guest: str, player: str, name: str, find: Callable[[str], Awaitable[LiveRoom]]
) -> int:
    """Let a player have what a guest played; how many running games that are. What `find` refuses
    to open stays behind."""
    c, s = tables.rooms.c, tables.seats.c
    theirs = sa.select(s.room).where(s.player == guest)
    query = sa.select(c.id).where(c.id.in_(theirs), c.over.is_(False))
    came = []
    for row in await house.database.rows(query.order_by(c.touched.desc()).limit(MOST)):
        with suppress(Refused):  # damaged, left, or too much to read
            live = await find(row.id)
            for seat in live.room.seats_of(guest):
                since = live.room.chairs[seat].since
                await house.take_over(live, seat, since, player, name)
                came.append(row.id)
    await house.database.write(lambda connection: _list(connection, guest, player, came))
    return len(set(came))


def _list(connection: sa.Connection, guest: str, player: str, came: list[str]) -> None:
    """Finished games, and those that came along, are in the player's list."""
    s, c = tables.seats.c, tables.rooms.c
    running = sa.select(c.id).where(c.over.is_(False), c.id.not_in(came))
    theirs = sa.and_(s.player == guest, s.room.not_in(running))
    dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
    listed = sa.select(sa.literal(player), s.room).where(theirs)
    connection.execute(
        dialect.insert(tables.seats)
        .from_select(["player", "room"], listed)
        .on_conflict_do_nothing()
    )
    connection.execute(sa.delete(tables.seats).where(theirs))
    p, both = tables.played.c, tables.played.alias("both").c
    twice = sa.select(both.room).where(both.player == player)
    over = sa.update(tables.played).where(p.player == guest, p.room.not_in(twice))
    connection.execute(over.values(player=player))
    own = sa.update(tables.studies).where(tables.studies.c.player == guest)
    connection.execute(own.values(player=player))
    bring_tries(connection, guest, player)
    was = dialect.insert(tables.guests).values(id=guest, player=player)
    connection.execute(was.on_conflict_do_update(index_elements=["id"], set_={"player": player}))
