"""What a host does about people, from the command line and while servers run: those hear of it
within seconds (see `standing`)."""

import time
from collections.abc import Callable
from typing import NamedTuple, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from tegel.game import BadNotation
from tegel.place.accounts.handles import handle
from tegel.place.accounts.reservations import Reservations
from tegel.place.accounts.store import Naming, Reservation
from tegel.room.lookalikes import folded
from tegel.room.refused import Refused
from tegel.room.setup import KEPT, guest_name
from tegel.server.storage import tables
from tegel.server.storage.accounts import call, of_handle
from tegel.server.storage.migrations import engine_of, head, shape
from tegel.server.storage.reservations import check_reserved, lift, reserve
from tegel.server.storage.standing import note

T = TypeVar("T")


class Somebody(NamedTuple):
    id: str
    name: str

    def __str__(self) -> str:
        return f"{self.name or 'a guest without a name'} ({self.id})"


async def done(url: str, work: Callable[[sa.Connection], T]) -> T:
    """What some work on a database of this version gives."""
    found = await shape(url)
    if found != head():
        raise BadNotation(found or "nothing", "is not the shape of this version: serve once first")
    engine = engine_of(url)
    try:
        async with engine.begin() as connection:
            return await connection.run_sync(work)
    finally:
        await engine.dispose()


def who(connection: sa.Connection, text: str) -> Somebody:
    """The player of a handle or an id; raises BadNotation."""
    p, n, s = tables.players.c, tables.names.c, tables.seats.c
    kept = of_handle(text.removeprefix(KEPT))
    known = sa.select(p.id, p.name).where(p.id == text)
    called = sa.select(n.player, n.name).where(n.player == text).limit(1)
    seated = sa.select(s.player, sa.literal("")).where(s.player == text).limit(1)
    queries = (kept,) if text.startswith(KEPT) else (known, kept, called, seated)
    for query in queries:
        if row := connection.execute(query).first():
            return Somebody(*row)
    raise BadNotation(text, "is neither the name that somebody keeps, nor the id of a player")


def now(connection: sa.Connection) -> int:
    """The time, and not before that of the servers."""
    beats = connection.scalar(sa.select(sa.func.max(tables.workers.c.beat)))
    return max(int(time.time() * 1000), beats or 0)


def rename(
    connection: sa.Connection, reservations: Reservations, text: str, wish: str
) -> tuple[Somebody, Somebody]:
    """Let somebody be called otherwise; who it was and is. The name that they kept is reserved, for
    them too, until it is lifted."""
    before, at = who(connection, text), now(connection)
    if not before.name.startswith(KEPT):
        after = Somebody(before.id, guest_name(wish))
        _call_guest(connection, after, at)
        return before, after
    try:
        naming = Naming(before.id, handle(wish), reservations.key(handle(wish)), at)
        after = Somebody(before.id, KEPT + naming.handle)
        call(connection, before.id, naming.handle, at)
        check_reserved(connection, naming)
        if folded(after.name) != folded(before.name):
            key = reservations.key(before.name.removeprefix(KEPT))
            reserve(connection, Reservation(key, None))
    except Refused as refused:
        raise BadNotation(wish, refused.text) from None
    except IntegrityError:
        raise BadNotation(wish, "somebody is called so, or so that it looks alike") from None
    return before, after


def _call_guest(connection: sa.Connection, guest: Somebody, at: int) -> None:
    n, p = tables.names.c, tables.players.c
    change = sa.update(tables.names).where(n.player == guest.id).values(name=guest.name)
    connection.execute(change)
    change = sa.update(tables.players).where(p.id == guest.id).values(name=guest.name)
    if not connection.execute(change).rowcount:
        row = {"id": guest.id, "name": guest.name, "at": at}
        connection.execute(sa.insert(tables.players).values(**row))
    note(connection, guest.id, at)


def ban(connection: sa.Connection, text: str, *, banned: bool = True) -> Somebody:
    """Let somebody look, and no more, by which what was reported of them is settled; or let them
    act again."""
    found = who(connection, text)
    note(connection, found.id, now(connection), banned=banned)
    if banned:
        settle(connection, text)
    return found


def unban(connection: sa.Connection, reservations: Reservations, text: str) -> Somebody | None:
    """Let somebody act again, and let a name be kept again that was taken away; None if nobody is
    called so any more."""
    lifted = text.startswith(KEPT) and lift(connection, reservations.key(text.removeprefix(KEPT)))
    try:
        return ban(connection, text, banned=False)
    except BadNotation:
        if lifted:
            return None
        raise


def settle(connection: sa.Connection, text: str) -> tuple[Somebody, int]:
    """Note that what was reported of somebody was seen to; how much that was."""
    found, c = who(connection, text), tables.reports.c
    theirs = sa.and_(c.reported == found.id, c.settled.is_(False))
    change = sa.update(tables.reports).where(theirs).values(settled=True)
    return found, connection.execute(change).rowcount
