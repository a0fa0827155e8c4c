"""The API as OpenAPI describes it, with the messages of the sockets, both ways: `Incoming` is
what players send, `Outgoing` what they are sent; `Seeking` and `Found` where they look for others,
`Studying` and `Studied` where they look into a study.

`python -m tegel.server.web.schema` prints it; the page's types are made from that."""

import json
from typing import Any

import msgspec
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from tegel.place.wire import messages, moments, pairing, personal, responses, studies
from tegel.server.web.routes import REF, plain


def described(app: FastAPI) -> dict[str, Any]:
    """OpenAPI, with the structs of the wire among the schemas."""
    found = get_openapi(
        title=app.title, version=app.version, description=app.description, routes=app.routes
    )
    structs = [
        kind
        for module in (responses, personal, studies, moments)
        for kind in vars(module).values()
        if isinstance(kind, msgspec.StructMeta)
    ]
    unions = {
        "Incoming": messages.Incoming,
        "Outgoing": messages.Outgoing,
        "Seeking": pairing.Seeking,
        "Found": pairing.Found,
        "Studying": studies.Studying,
        "Studied": studies.Studied,
    }
    described, kinds = msgspec.json.schema_components(
        [*unions.values(), *structs], ref_template=REF
    )
    schemas = found.setdefault("components", {}).setdefault("schemas", {})
    schemas.update(plain({**kinds, **dict(zip(unions, described, strict=False))}))
    return found


if __name__ == "__main__":
    from tegel.server.settings import Settings
    from tegel.server.web.app import app

    made = app(Settings("sqlite+aiosqlite:///unused", "x" * 32))
    print(json.dumps(made.openapi(), indent=1))
