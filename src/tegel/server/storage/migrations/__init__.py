"""The tables through time, by Alembic: `versions` in order, each from one shape to the next.

A new file gets the tables of the newest shape at once. Alembic takes long to import, so it is
only where tables have to change."""

from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from tegel.game import BadNotation
from tegel.server.storage.database_file import make_private, path
from tegel.server.storage.tables import metadata

HERE = Path(__file__).parent
LOCK = 7_464_345  # any number, but the same for all who migrate
PATIENCE = 10.0  # seconds that PostgreSQL has for a connection


def engine_of(url: str) -> AsyncEngine:
    """Connections to a database for other work than serving; they wait for PostgreSQL, but not for
    ever."""
    more = {} if path(url) else {"timeout": PATIENCE}
    return create_async_engine(url, connect_args=more)


async def migrate(url: str, revision: str = "head") -> None:
    """Bring a database to the newest shape, or up to an earlier one, wholly or not at all. Of
    several that try at once, one does it."""
    found = await shape(url)
    if found and found not in shapes():
        raise BadNotation(found, f"is a shape of a newer version; this one knows up to {head()}")
    if revision == "head" and found == head():
        return
    make_private(url)
    engine = engine_of(url)
    try:
        async with engine.begin() as connection:
            if url.startswith("sqlite"):
                # The driver begins nothing for tables, and a power loss would leave some of them.
                await connection.exec_driver_sql("BEGIN IMMEDIATE")
            else:
                await connection.execute(sa.text(f"SELECT pg_advisory_xact_lock({LOCK})"))
            await connection.run_sync(_bring, revision)
    finally:
        await engine.dispose()


async def shape(url: str) -> str:
    """The shape that a database has; empty if it has none of ours, or is a file that is not there
    yet."""
    if (file := path(url)) and not file.exists():
        return ""
    engine = engine_of(url)
    try:
        async with engine.connect() as connection:
            return await connection.run_sync(_shape)
    finally:
        await engine.dispose()


def _shape(connection: sa.Connection) -> str:
    if not sa.inspect(connection).has_table("alembic_version"):
        return ""
    return str(connection.scalar(sa.text("SELECT version_num FROM alembic_version")) or "")


def head() -> str:
    """The newest shape."""
    return max(shapes())


def shapes() -> set[str]:
    """All shapes that a database can have."""
    return {file.stem.partition("_")[0] for file in (HERE / "versions").glob("0*.py")}


def _bring(connection: sa.Connection, revision: str) -> None:
    file = connection.dialect.name == "sqlite"
    if file and revision == "head" and not sa.inspect(connection).get_table_names():
        metadata.create_all(connection, checkfirst=False)
        shape = "version_num VARCHAR(32) NOT NULL"
        key = "CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)"
        connection.execute(sa.text(f"CREATE TABLE alembic_version ({shape}, {key})"))
        connection.execute(sa.text(f"INSERT INTO alembic_version VALUES ('{head()}')"))
        return
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(HERE))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)
