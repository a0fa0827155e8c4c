"""What the two databases say differently."""

from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite


def is_sqlite(connection: sa.Connection) -> bool:
    """Whether a database is a file, which has one writer."""
    return connection.dialect.name == "sqlite"


def insert(connection: sa.Connection, table: sa.Table) -> Any:
    """An insert that knows `on_conflict_do_nothing` and `on_conflict_do_update`."""
    return insert_into(table, for_sqlite=is_sqlite(connection))


def insert_into(table: sa.Table, *, for_sqlite: bool) -> Any:
    """The same, made before there is a connection."""
    return (sqlite if for_sqlite else postgresql).insert(table)


def upsert(connection: sa.Connection, table: sa.Table, **values: object) -> Any:
    """Insert a row, or change the one with its key."""
    return upserted(insert(connection, table), table, values)


def upserted(insert: Any, table: sa.Table, values: dict[str, object]) -> Any:
    """An insert of a row that changes the one with its key, if there is one."""
    keys = [column.name for column in table.primary_key]
    change = {key: value for key, value in values.items() if key not in keys}
    insert = insert.values(**values)
    if not change:
        return insert.on_conflict_do_nothing(index_elements=keys)
    return insert.on_conflict_do_update(index_elements=keys, set_=change)


def position(connection: sa.Connection, text: Any, part: str) -> Any:
    """Where a part of a text begins, counted from 1; 0: nowhere."""
    find = sa.func.instr if is_sqlite(connection) else sa.func.strpos
    return find(text, part)
