"""A database that is a file: made for its owner only, and examined for damage."""

import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from sqlalchemy.engine import make_url

OTHERS = 0o077  # the permissions of everybody but the owner
STEPS = 10_000  # of SQLite's machine, between two looks at the clock


def path(url: str) -> Path | None:
    """The file that a database is; none if it is no file."""
    return Path(make_url(url).database or "") if url.startswith("sqlite") else None


def make_private(url: str) -> None:
    """Make the file of a database, if it is one and is not there, readable by its owner only.
    SQLite gives its `-wal`, `-shm` and `-journal` the same permissions."""
    if (file := path(url)) and not file.exists():
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT, 0o600))


def readable_by_others(folder: Path, *files: Path) -> list[Path]:
    """Return the folder, if others may enter it, and which of its files they may then read."""
    if not folder.stat().st_mode & OTHERS:
        return []
    return [folder, *(file for file in files if file.exists() and file.stat().st_mode & OTHERS)]


def damage(file: Path, seconds: float, *, whole: bool = False) -> str:
    """Return what SQLite finds wrong with a database, in one line; empty if that is nothing, or
    nothing was found within so many seconds. `whole`: compare indexes with their tables too."""
    if not file.exists() or not file.stat().st_size:
        return ""
    end = time.monotonic() + seconds
    pragma = "integrity_check" if whole else "quick_check"
    try:
        with closing(sqlite3.connect(f"file:{quote(str(file))}?mode=ro", uri=True)) as connection:
            connection.text_factory = lambda text: text.decode("utf-8", "replace")
            connection.set_progress_handler(lambda: time.monotonic() > end, STEPS)
            found = str(connection.execute(f"PRAGMA {pragma}(1)").fetchone()[0])
    except UnicodeDecodeError:  # of a name in the schema, in what SQLite says
        found = "its schema can't be read"
    except sqlite3.Error as error:
        found = "ok" if getattr(error, "sqlite_errorname", "") == "SQLITE_INTERRUPT" else str(error)
    return "" if found == "ok" else " ".join(found.replace("*** in database main ***", "").split())
