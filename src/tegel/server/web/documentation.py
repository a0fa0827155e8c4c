"""The documentation site, where it was built (`make docs`): on /docs/.

Its pages have scripts in them, which the common policy forbids: those that were built are allowed,
by their hashes, and no others."""

import os
import re
from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from importlib import resources
from pathlib import Path

from fastapi import FastAPI, Request
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from tegel.server.web.page import File, files, sent

FOLDER = Path(os.environ.get("TEGEL_DOCS") or str(resources.files("tegel.server") / "docs"))
BUILT = (FOLDER / "index.html").is_file()
INLINE = re.compile(r"<script>(.*?)</script>", re.S)


def serve(app: FastAPI, folder: Path = FOLDER) -> None:
    """Give out the site, if it is there."""
    if not (folder / "index.html").is_file():
        return
    found = dict(files(folder))
    headers = {"content-security-policy": policy(found.values())}

    async def file(request: Request) -> Response:
        path = request.path_params["path"]
        wanted = found.get(f"{path}index.html" if not path or path.endswith("/") else path)
        if not wanted:
            raise HTTPException(404)
        response = sent(wanted, request)
        response.headers.update(headers)
        return response

    async def home(_: Request) -> Response:
        return RedirectResponse("/docs/")

    app.add_route("/docs", home, include_in_schema=False)
    app.add_route("/docs/{path:path}", file, include_in_schema=False)


def policy(found: Iterable[File]) -> str:
    """What the pages of the site may do: run their own scripts, and show what lies here."""
    scripts = {
        script
        for file in found
        if file.kind == "text/html"
        for script in INLINE.findall(file.bodies[""].decode("utf-8"))
    }
    allowed = sorted(b64encode(sha256(one.encode()).digest()).decode() for one in scripts)
    hashes = "".join(f" 'sha256-{one}'" for one in allowed)
    return (
        f"default-src 'none'; script-src 'self'{hashes}; style-src 'self'; img-src 'self' data:; "
        "font-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'"
    )
