"""Before it serves: a database made ready, tried, and, if it is a file, ours alone."""

import fcntl
import os
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.ext.asyncio import create_async_engine

from tegel.game import BadNotation
from tegel.room.setup import name
from tegel.server.storage import tables
from tegel.server.storage.migrations import migrate


def locked(url: str) -> int:
    """Hold a database that is a file for as long as this process lives: two servers on one would
    each show half of what happens. The system lets go when the process ends, however it ends."""
    file = Path(f"{make_url(url).database}.lock")
    try:
        handle = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise BadNotation(str(file), f"can't be written: {error.strerror}") from None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        raise BadNotation(
            str(file), "another server uses this database; several need PostgreSQL"
        ) from None
    return handle


async def made_ready(url: str) -> None:
    """Bring the tables up to date, read from each and write a little; raises BadNotation if the
    database can't be used: it is away, damaged, read-only, or its disk is full."""
    try:
        await migrate(url)
        await _tried(url)
    except (SQLAlchemyError, OSError) as error:
        raise BadNotation(safe(url), f"the database can't be used: {reason(error)}") from None


async def _tried(url: str) -> None:
    engine, workers, nobody = create_async_engine(url), tables.workers, name()
    try:
        async with engine.connect() as connection:
            for table in tables.metadata.sorted_tables:
                await connection.execute(sa.select(table).limit(1))
            await connection.execute(sa.insert(workers).values(id=nobody, beat=0))
            await connection.commit()
            await connection.execute(sa.delete(workers).where(workers.c.id == nobody))
            await connection.commit()
    finally:
        await engine.dispose()


def reason(error: Exception) -> str:
    """What a database says is wrong, in a line."""
    said = error.orig if isinstance(error, DBAPIError) and error.orig else error
    return " ".join(str(said).split()) or type(said).__name__


def safe(url: str) -> str:
    return make_url(url).render_as_string(hide_password=True)
