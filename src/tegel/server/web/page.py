"""The browser client as files: where they lie, which addresses are its pages, and which
build it is."""

import os
import re
from importlib import resources
from pathlib import Path

from fastapi import FastAPI, Request
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles

PAGES = ("r", "new", "rules", "guide", "replay", "puzzles", "about")
BUILT, PLACEHOLDER = (resources.files("tegel.server") / folder for folder in ("page", "static"))
FILES = BUILT if BUILT.is_dir() else PLACEHOLDER  # the client, or a word that it is not there
if other := os.environ.get("TEGEL_PAGE"):
    FILES = Path(other)  # another build, as while one works on the page
INDEX = FILES / "index.html"


def version(index: str) -> str:
    """The name of a page's script, which has the script's hash in it: a page that runs
    another script is not this one."""
    found = re.search(r'src="/assets/([\w.-]+)"', index)
    return found[1] if found else ""


VERSION = version(INDEX.read_text("utf-8"))


def serve(app: FastAPI) -> None:
    """Give out the client on all its addresses; it finds out itself what to show."""

    async def page(_: Request) -> Response:
        return FileResponse(str(INDEX), headers={"cache-control": "no-cache"})

    for path in ("/", *(f"/{name}{rest}" for name in PAGES for rest in ("", "/{rest:path}"))):
        app.add_route(path, page, include_in_schema=False)
    app.mount("/", GZipMiddleware(StaticFiles(directory=str(FILES))), name="static")
