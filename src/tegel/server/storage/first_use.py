"""Before it serves: a database made ready, tried, and, if it is a file, ours alone."""

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from tegel.game import BadNotation
from tegel.room.setup import name
from tegel.server.storage import tables
from tegel.server.storage.database_file import damage, path
from tegel.server.storage.migrations import engine_of, migrate
from tegel.server.world import CHANCE

LOOK = 5.0  # seconds in which a file is examined for damage before it is served


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
    with usable(url):
        if (file := path(url)) and (found := damage(file, LOOK)):
            raise BadNotation(safe(url), f"the database can't be used: {damaged(found)}")
        await migrate(url)
        await _tried(url)


@contextmanager
def usable(url: str) -> Iterator[None]:
    """Whatever a database says is wrong with it is raised as BadNotation, in one line."""
    try:
        yield
    except Exception as error:
        if not is_trouble(error):
            raise
        raise BadNotation(safe(url), f"the database can't be used: {reason(error)}") from None


def is_trouble(error: Exception) -> bool:
    """Return whether an error comes from a database, not from us. The driver of PostgreSQL, which
    takes long to import, raises errors of its own while it connects, and that of SQLite can't
    decode what it says about a damaged schema."""
    own = type(error).__module__.partition(".")[0] == "asyncpg"
    kinds = SQLAlchemyError | sqlite3.Error | OSError | UnicodeDecodeError
    return own or isinstance(error, kinds)


def damaged(found: str) -> str:
    return f"it is damaged ({found}); move it away, and bring back a backup with tegel restore"


async def _tried(url: str) -> None:
    engine, workers, nobody = engine_of(url), tables.workers, name(CHANCE)
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
    if isinstance(said, TimeoutError):
        return "it does not answer"
    return " ".join(str(said).split()) or type(said).__name__


def safe(url: str) -> str:
    return make_url(url).render_as_string(hide_password=True)
