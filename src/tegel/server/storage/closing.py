"""What a worker leaves to the others when it stops."""

import sqlalchemy as sa

from tegel.server.storage import tables
from tegel.server.storage.database import Database
from tegel.server.storage.heartbeat import SqlHeartbeat
from tegel.server.storage.rooms import SqlRooms
from tegel.server.storage.thoughts import release_reports


async def let_go(database: Database, worker: str, now: int) -> None:
    """End the searches of people whose connections end now, leave bots and reports to other
    workers, and note until when this one was here."""
    wishes = tables.wishes.c
    mine = (wishes.worker == worker, wishes.room == "")
    await database.change(sa.delete(tables.wishes).where(*mine))
    await SqlRooms(database).release(worker)
    await SqlHeartbeat(database).last_beat(worker, now)
    await release_reports(database, worker)
