"""`tegel serve --check`: would it serve, as it is configured? A line a part, and what to do."""

import asyncio
import os
import socket
from collections.abc import Callable, Iterator
from typing import NamedTuple
from urllib.parse import urlsplit

import redis
from redis.exceptions import RedisError

from tegel.search import kernel
from tegel.server.run import Options, chosen, folder
from tegel.server.storage.database_file import damage, path, readable_by_others
from tegel.server.storage.first_use import damaged, is_trouble, reason
from tegel.server.storage.migrations import head, shape, shapes

PATIENCE = 5.0  # seconds that a part has to answer
LONGEST = 600.0  # seconds in which a file is examined for damage


class Finding(NamedTuple):
    part: str
    good: bool
    text: str


def findings(options: Options) -> Iterator[Finding]:
    """What there is to say of each part, one after the other."""
    for part, look in PARTS.items():
        try:
            good, text = look(options)
        except (ValueError, RedisError) as error:
            good, text = False, " ".join(str(error).split())[:300] or type(error).__name__
        except Exception as error:
            if not is_trouble(error):
                raise
            good, text = False, reason(error)[:300]
        yield Finding(part, good, text)


Looked = tuple[bool, str]


def _settings(options: Options) -> Looked:
    chosen(options)
    return True, f"{options.workers} worker{'s' if options.workers > 1 else ''}"


def _data(options: Options) -> Looked:
    data = folder(options)
    free = os.statvfs(data)
    rest = free.f_bavail * free.f_frsize // 2**20
    if not os.access(data, os.W_OK):
        return False, f"{data} can't be written"
    others = ", open to other users of this machine" if readable_by_others(data) else ""
    return rest >= 100, f"{data}, {rest:,} MB free{others}"


def _database(options: Options) -> Looked:
    url = chosen(options).database
    if (file := path(url)) and (wrong := damage(file, LONGEST, whole=True)):
        return False, damaged(wrong)
    found = asyncio.run(asyncio.wait_for(shape(url), PATIENCE))
    kind = "a file" if file else "PostgreSQL"
    if not found:
        return True, f"{kind}, empty: the tables are made at the start"
    if found not in shapes():
        return False, f"{kind} of a newer version ({found}; this one knows {head()})"
    newer = "" if found == head() else f", brought up to date at the start ({found} to {head()})"
    return True, f"{kind}{newer}"


def _bus(options: Options) -> Looked:
    if not options.bus:
        return True, "none: one worker needs none"
    with redis.Redis.from_url(options.bus, socket_timeout=PATIENCE) as client:
        client.ping()
    return True, "answers"


def _origins(options: Options) -> Looked:
    for origin in options.origins:
        parts = urlsplit(origin)
        if parts.scheme not in ("http", "https") or not parts.netloc or parts.path not in ("", "/"):
            return False, f"{origin} is no site: expected https://games.example"
    outside = options.host not in ("127.0.0.1", "::1", "localhost")
    if not options.origins and (outside or options.proxies):
        return True, "none: people must ask by number or by this machine's name; see --origin"
    return True, ", ".join(options.origins) or "this machine"


def _port(options: Options) -> Looked:
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    with socket.socket(family) as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        tried.bind((options.host, options.port))
    return True, f"{options.host}:{options.port} is free"


def _page(_: Options) -> Looked:
    from tegel.server.web import page

    built = page.FILES is not page.PLACEHOLDER
    return built, "built" if built else "not built: make run builds it"


def _engine(_: Options) -> Looked:
    if kernel.GAMES:
        return True, f"built, for {', '.join(sorted(kernel.GAMES))}"
    return True, "not built: bots search in plain Python, which is much weaker"


PARTS: dict[str, Callable[[Options], Looked]] = {
    "settings": _settings,
    "data folder": _data,
    "database": _database,
    "bus": _bus,
    "origins": _origins,
    "port": _port,
    "page": _page,
    "engine": _engine,
}
