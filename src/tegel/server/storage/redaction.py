"""Forgetting what somebody is called. Games stay; rows of the log know players by id.

The first edition wrote names into rows (`!sit 1 PLAYER NAME`) and into the places of rooms.
Taking them out there is the one change that a row may ever see."""

import json

import sqlalchemy as sa

from tegel.room import log
from tegel.server.storage import tables
from tegel.server.storage.dialect import position


def forget_names(connection: sa.Connection, player: str) -> None:
    """Nothing that is stored says any more what a player is called."""
    connection.execute(sa.delete(tables.names).where(tables.names.c.player == player))
    connection.execute(sa.delete(tables.profiles).where(tables.profiles.c.player == player))
    change = sa.update(tables.players).where(tables.players.c.id == player).values(name="")
    connection.execute(change)
    _from_rows(connection, player)
    _from_places(connection, player)


def _seated(player: str) -> sa.Select[tuple[str]]:
    """The rooms in which a player ever sat down, as a query: nothing looks through all logs."""
    was = sa.select(tables.guests.c.player).where(tables.guests.c.id == player)
    s = tables.seats.c
    return sa.select(s.room).where(sa.or_(s.player == player, s.player.in_(was)))


def _from_rows(connection: sa.Connection, player: str) -> None:
    c = tables.log.c
    rows = sa.select(c.room, c.seq, c.text).where(
        c.room.in_(_seated(player)), c.text.startswith("!sit ")
    )
    named = position(connection, c.text, f" {player} ") > 0
    for row in connection.execute(rows.where(named)).all():
        event = log.parse(row.text)
        if not isinstance(event, log.Sit) or event.player != player:
            continue  # somebody is called like that
        place = (c.room == row.room) & (c.seq == row.seq)
        change = sa.update(tables.log).where(place).values(text=log.redacted(row.text))
        connection.execute(change)


def _from_places(connection: sa.Connection, player: str) -> None:
    """A seat may be kept in a rematch for who never sat down there."""
    c, log_ = tables.rooms.c, tables.log.c
    after = sa.select(log_.text).where(
        log_.room.in_(_seated(player)), log_.text.startswith("!rematch ")
    )
    rematches = [text.split(" ")[1] for text in connection.scalars(after)]
    rooms = sa.select(c.id, c.places).where(
        sa.or_(c.id.in_(_seated(player)), c.id.in_(rematches)),
        c.places.contains(player, autoescape=True),
    )
    for room in connection.execute(rooms).all():
        places = json.loads(room.places)
        for place in places:
            if place.get("player") == player:
                place["name"] = ""
        change = sa.update(tables.rooms).where(c.id == room.id).values(places=json.dumps(places))
        connection.execute(change)
