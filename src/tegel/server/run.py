"""`tegel serve`: settings from options, tables brought up to date, workers started."""

import asyncio
import json
import logging
import logging.config
import os
import shutil
import sys
import time
import webbrowser
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Thread
from typing import Any

import uvicorn
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError
from uvicorn.supervisors import Multiprocess

from tegel.game import BadNotation
from tegel.place.limits.limits import Limits
from tegel.place.limits.networks import named
from tegel.place.push.push_address import allowed_origin
from tegel.server.secret import secret
from tegel.server.settings import Settings, default_data
from tegel.server.start import Server
from tegel.server.storage.database_file import path, readable_by_others
from tegel.server.storage.first_use import locked, made_ready

logger = logging.getLogger("tegel.run")
DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg",
           "postgres": "postgresql+asyncpg"}  # fmt: skip
UNSTARTED = 3  # the exit status of a server that was stopped before it began
GRACEFUL = 8  # seconds that connections have to end
LARGEST = 16_384  # bytes of a message that a socket takes at all


@dataclass(frozen=True)
class Options:
    """What a host chooses."""

    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = 1
    database: str = ""
    bus: str = ""
    data: str = ""
    origins: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()
    scrapers: tuple[str, ...] = ()
    keep_days: int = 0
    grace: float = 120.0
    bots: int = 0
    analyses: int = 0
    analysis: float = 30.0
    report: float = 18.0
    hint: float = 10.0
    push: str = ""
    push_after: float = 30.0
    push_allowed: tuple[str, ...] = ()
    timeout: float = 10.0
    limits: float = 1.0
    shared: tuple[str, ...] = ()
    log: str = ""
    browser: bool = True  # opened where somebody sits before a screen


def chosen(options: Options) -> Settings:
    """The settings that a host chose; raises BadNotation for what can't be."""
    data = folder(options)
    url = database(options.database, data)
    try:
        sign, measure = secret(data), secret(data, "metrics-token")
        key = secret(data, "push-key") if options.push else ""
    except OSError as error:
        raise BadNotation(str(data), f"can't be used as data folder: {error.strerror}") from None
    if options.workers > 1 and not options.bus:
        raise BadNotation(
            str(options.workers), "several workers need a bus: --bus redis://localhost"
        )
    if options.workers > 1 and url.startswith("sqlite"):
        raise BadNotation(options.database or "sqlite", "several workers need PostgreSQL")
    return Settings(
        database=url,
        secret=sign,
        metrics_token=measure,
        bus=options.bus,
        origins=tuple(origin.rstrip("/") for origin in options.origins),
        scrapers=("127.0.0.1", "::1", *options.scrapers),
        keep_days=options.keep_days,
        grace=options.grace,
        bots=options.bots or max(1, ((os.cpu_count() or 2) - 1) // options.workers),
        analyses=options.analyses or max(1, (os.cpu_count() or 2) // (2 * options.workers)),
        analysis=options.analysis,
        report=options.report,
        hint=options.hint,
        timeout=options.timeout,
        push_contact=contact(options.push),
        push_key=key,
        push_after=options.push_after,
        push_allowed=tuple(map(allowed_origin, options.push_allowed)),
        limits=replace(Limits().times(options.limits), shared=tuple(map(named, options.shared))),
    )


def contact(given: str) -> str:
    """Whom push services may write to.

    >>> contact("host@games.example")
    'mailto:host@games.example'
    """
    if not given or given.startswith(("mailto:", "https://")):
        return given
    if "@" not in given:
        raise BadNotation(given, "a contact is a mail address, or a page: https://games.example")
    return f"mailto:{given}"


def run(options: Options) -> None:
    """Serve until told to stop."""
    settings, data = chosen(options), folder(options)
    url = settings.database
    logs = log_config(options.log or ("text" if sys.stderr.isatty() else "json"))
    logging.config.dictConfig(logs)
    if url.startswith("sqlite"):
        locked(url)
    asyncio.run(made_ready(url))
    warn_of_readers(data, url)
    os.environ["TEGEL_SETTINGS"] = str(settings)
    if options.workers > 1:
        _count_together(data)
    if not sys.stdout.isatty():
        logger.info("serving on http://%s:%d", options.host, options.port)
    _serve(options, logs)


def warn_of_readers(data: Path, url: str) -> None:
    """Log what other users of this machine can read, if that is anything."""
    kept = [data / name for name in ("secret", "metrics-token", "push-key")]
    found = readable_by_others(data, *kept)
    if file := path(url):
        found += [one for one in readable_by_others(file.parent, file) if one not in found]
    if found:
        names = ", ".join(map(str, found))
        logger.warning(
            "other users of this machine can read %s: chmod go-rwx would end that", names
        )


def _serve(options: Options, logs: dict[str, Any]) -> None:
    config = uvicorn.Config(
        "tegel.server.web.app:worker",
        factory=True,
        host=options.host,
        port=options.port,
        workers=options.workers,
        access_log=False,
        log_config=logs,
        proxy_headers=bool(options.proxies),
        forwarded_allow_ips=list(options.proxies) or None,
        server_header=False,
        http="tegel.server.web.transport:Http",
        ws="tegel.server.web.transport:Socket",
        ws_max_size=LARGEST,
        ws_per_message_deflate=False,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        timeout_graceful_shutdown=GRACEFUL,
        backlog=4096,
    )
    with suppress(KeyboardInterrupt):
        if options.workers == 1:
            server = Server(config, lambda: welcome(options))
            server.run()
            sys.exit(0 if server.started else UNSTARTED)
        supervisor = Multiprocess(config, [config.bind_socket()])
        welcome(options)
        supervisor.run()


def welcome(options: Options) -> None:
    """Tell whoever sits before this terminal where to play, and open it."""
    if not sys.stdout.isatty():
        return
    here = options.host in ("127.0.0.1", "0.0.0.0", "::", "::1")
    url = f"http://{'localhost' if here else options.host}:{options.port}"
    print(f"Open {url} in a browser to play.\nPress Ctrl+C here to stop.", flush=True)
    if options.browser and has_desktop():
        Thread(target=webbrowser.open, args=(url,), daemon=True).start()


def has_desktop() -> bool:
    """Whether a browser could show itself: not from afar, nor on a bare terminal."""
    if os.environ.get("SSH_CONNECTION"):
        return False
    screens = ("DISPLAY", "WAYLAND_DISPLAY")
    return sys.platform in ("darwin", "win32") or any(map(os.environ.get, screens))


def folder(options: Options) -> Path:
    data = Path(options.data) if options.data else default_data()
    try:
        data.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise BadNotation(str(data), f"can't be used as data folder: {error.strerror}") from None
    return data


def database(given: str, data: Path) -> str:
    """The address of a database with the driver we use; a file in the data folder if none
    is given.

    >>> database("postgresql://localhost/tegel", Path())
    'postgresql+asyncpg://localhost/tegel'
    """
    if not given:
        return f"sqlite+aiosqlite:///{(data / 'tegel.db').absolute()}"
    try:
        url = make_url(given)
    except ArgumentError:
        raise BadNotation(given, "a database is like postgresql://user@host/name") from None
    kind = url.drivername.split("+")[0]
    if kind not in DRIVERS:
        raise BadNotation(kind, "a database is SQLite or PostgreSQL")
    if kind == "sqlite" and url.database in (None, "", ":memory:"):
        raise BadNotation(given, "a SQLite database is a file: sqlite:///path/to/file.db")
    return url.set(drivername=DRIVERS[kind]).render_as_string(hide_password=False)


def _count_together(data: Path) -> None:
    """Let the metrics of all workers be added up."""
    folder = data / "metrics"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder)


# Logs

PLAIN = {*vars(logging.makeLogRecord({})), "message", "asctime", "color_message"}


class Json(logging.Formatter):
    """A line of JSON an entry."""

    def format(self, record: logging.LogRecord) -> str:
        entry: dict[str, Any] = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
            + f".{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **{key: value for key, value in vars(record).items() if key not in PLAIN},
        }
        if record.exc_info:
            entry["exception"] = self.formatException(record.exc_info)
        return json.dumps(entry, default=str)


def log_config(kind: str) -> dict[str, Any]:
    """Where logs go and how they look: json, or text for eyes."""
    if kind not in ("json", "text"):
        raise BadNotation(kind, "a log is json or text")
    text = {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}
    quiet = {"level": "WARNING"}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": Json}, "text": text},
        "handlers": {
            "stderr": {"class": "logging.StreamHandler", "formatter": kind},
        },
        "root": {"level": "INFO", "handlers": ["stderr"]},
        "loggers": {
            "alembic": quiet,
            "uvicorn.error": quiet,  # it would tell the names of rooms
            "tegel.http": {"level": "WARNING" if kind == "text" else "INFO"},
        },
    }
