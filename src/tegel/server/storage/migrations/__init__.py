"""The tables through time, by Alembic: `versions` in order, each from one shape to the next."""

from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.ext.asyncio import create_async_engine

LOCK = 7_464_345  # any number, but the same for all who migrate


async def migrate(url: str, revision: str = "head") -> None:
    """Bring a database to the newest shape, or up to an earlier one, wholly or not at all. Of
    several that try at once, one does it."""
    engine = create_async_engine(url)
    try:
        async with engine.begin() as connection:
            if url.startswith("sqlite"):
                # The driver begins nothing for tables, and a power loss would leave some of them.
                await connection.exec_driver_sql("BEGIN IMMEDIATE")
            else:
                await connection.execute(sa.text(f"SELECT pg_advisory_xact_lock({LOCK})"))
            await connection.run_sync(_upgrade, revision)
    finally:
        await engine.dispose()


async def revision(url: str) -> str:
    """The shape that a database has; empty if it has none of ours."""
    engine = create_async_engine(url)
    try:
        async with engine.connect() as connection:
            return await connection.run_sync(
                lambda there: MigrationContext.configure(there).get_current_revision() or ""
            )
    finally:
        await engine.dispose()


def head() -> str:
    """The newest shape."""
    return ScriptDirectory.from_config(_config()).get_current_head() or ""


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    return config


def _upgrade(connection: sa.Connection, revision: str) -> None:
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, revision)
