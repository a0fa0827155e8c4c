"""The browser client as files: where they lie, which addresses are its pages, and which
build it is. They are packed when they are built and read when we start: nothing is packed, and
no disk is read, while we serve."""

import os
import re
from collections.abc import Iterator
from hashlib import sha256
from importlib import resources
from mimetypes import guess_type
from pathlib import Path
from typing import NamedTuple

from fastapi import FastAPI, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

PAGES = (
    "r", "j", "find", "new", "rules", "guide", "replay", "puzzles", "about", "me", "players",
    "best", "analysis", "a", "moments",
)  # fmt: skip
BUILT, PLACEHOLDER = (resources.files("tegel.server") / folder for folder in ("page", "static"))
FILES = BUILT if BUILT.is_dir() else PLACEHOLDER  # the client, or a word that it is not there
if other := os.environ.get("TEGEL_PAGE"):
    FILES = Path(other)  # another build, as while one works on the page
INDEX = FILES / "index.html"
PACKED = {"br": ".br", "gzip": ".gz"}  # best first
HASHED = "assets/"  # the names of files in here change with what is in them
FOR_EVER = "public, max-age=31536000, immutable"


class File(NamedTuple):
    """A file as it is sent: `bodies` by content encoding."""

    kind: str
    cached: str
    bodies: dict[str, bytes]


def version(index: str) -> str:
    """The name of a page's script, which has the script's hash in it: a page that runs
    another script is not this one."""
    found = re.search(r'src="/assets/([\w.-]+)"', index)
    return found[1] if found else ""


VERSION = version(INDEX.read_text("utf-8"))


def serve(app: FastAPI) -> None:
    """Give out the client on all its addresses; it finds out itself what to show."""
    found = dict(files(Path(str(FILES))))

    async def page(request: Request) -> Response:
        return sent(found["index.html"], request)

    async def file(request: Request) -> Response:
        if wanted := found.get(request.path_params["path"]):
            return sent(wanted, request)
        if "text/html" not in request.headers.get("accept", ""):
            raise HTTPException(404)
        return sent(found["index.html"], request, 404)  # a person: the page says so

    for path in ("/", *(f"/{name}{rest}" for name in PAGES for rest in ("", "/{rest:path}"))):
        app.add_route(path, page, include_in_schema=False)
    app.add_route("/@{name}", page, include_in_schema=False)  # of somebody who keeps a name
    app.add_route("/{path:path}", file, include_in_schema=False)


def files(folder: Path) -> Iterator[tuple[str, File]]:
    """The files of a folder by their paths in it."""
    for path in folder.rglob("*"):
        if path.is_file() and path.suffix not in PACKED.values():
            name = path.relative_to(folder).as_posix()
            bodies = {
                encoding: packed.read_bytes()
                for encoding, suffix in PACKED.items()
                if (packed := path.with_name(path.name + suffix)).is_file()
            }
            bodies[""] = path.read_bytes()
            kind = guess_type(name)[0] or "application/octet-stream"
            yield name, File(kind, FOR_EVER if name.startswith(HASHED) else "no-cache", bodies)


def sent(file: File, request: Request, status: int = 200) -> Response:
    """A file as an answer: packed as the client likes it, or only told that it is the same."""
    wanted = accepted(request.headers.get("accept-encoding", ""))
    encoding = next((key for key in file.bodies if key in wanted), "")
    body = file.bodies[encoding]
    headers = {
        "cache-control": file.cached,
        "etag": f'"{sha256(body).hexdigest()[:20]}"',
        "vary": "Accept-Encoding",
    }
    if status == 200 and headers["etag"] in request.headers.get("if-none-match", ""):
        return Response(None, 304, headers)
    if encoding:
        headers["content-encoding"] = encoding
    return Response(body, status, headers, file.kind)


def accepted(header: str) -> set[str]:
    """The encodings that a client takes.

    >>> sorted(accepted("gzip, br;q=0.8, deflate;q=0"))
    ['br', 'gzip']
    """
    found = (part.partition(";") for part in header.replace(" ", "").lower().split(","))
    return {name for name, _, weight in found if not re.fullmatch(r"q=0(\.0*)?", weight)}
