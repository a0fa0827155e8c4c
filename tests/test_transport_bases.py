"""What the transport takes from uvicorn and websockets, which promise only a part of it: where a
newer version has it no more, this says what, before anybody's connection does."""

import ast
import dis
import inspect
import tomllib
from importlib.metadata import version
from pathlib import Path
from types import FunctionType

import pytest
from packaging.requirements import Requirement
from uvicorn import Config
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode
from websockets.server import ServerProtocol

from tegel.server.web import transport
from tegel.server.web.transport import Connection, Http, Socket

ROOT = Path(__file__).parent.parent
# What asyncio promises to call.
SHARED_METHODS = {"connection_lost": "exc", "pause_writing": "", "resume_writing": ""}
METHODS: dict[type, dict[str, str]] = {
    HttpToolsProtocol: {
        **SHARED_METHODS,
        "connection_made": "transport",
        "data_received": "data",
        # what httptools promises to call
        "on_headers_complete": "",
        "on_body": "body",
        "on_message_complete": "",
        # what nobody promises
        "send_400_response": "msg",
        "on_response_complete": "",
        "handle_websocket_upgrade": "",
    },
    WebSocketsSansIOProtocol: {
        **SHARED_METHODS,
        "handle_connect": "event",
        "handle_ping": "",
        "handle_pong": "event",
        "handle_cont": "event",
        "handle_parser_exception": "",
        "send_receive_event_to_app": "",
        "on_task_complete": "task",
    },
    ServerProtocol: {"send_close": "code, reason", "data_to_send": ""},
}
"""By class, the methods that we override or call, with their parameters."""
SHARED = {"app_state", "client", "loop", "transport"}
ATTRIBUTES: dict[type, set[str]] = {
    HttpToolsProtocol: {
        *SHARED,
        *("config", "cycle", "flow", "headers", "parser", "pipeline", "url"),
    },
    WebSocketsSansIOProtocol: {
        *SHARED,
        *("close_sent", "conn", "curr_msg_data_type", "disconnected", "frames"),
        *("read_paused", "scope", "writable"),
    },
    RequestResponseCycle: {"disconnected", "message_event", "response_complete"},
    FlowControl: {"read_paused"},
    Config: {"proxy_headers"},
    ServerProtocol: {"__dict__"},  # which is emptied
    CloseCode: {"INVALID_DATA"},
}
"""By class, the attributes that we read or set."""


def functions(owner: type) -> list[FunctionType]:
    """What a class and the classes below it define."""
    return [
        value
        for each in owner.__mro__
        for value in vars(each).values()
        if isinstance(value, FunctionType)
    ]


def attributes(owner: type) -> set[str]:
    """What a class has, and what its methods set."""
    found = set(dir(owner))
    for function in functions(owner):
        found |= {
            str(step.argval)
            for step in dis.get_instructions(function)
            if step.opname == "STORE_ATTR"
        }
    return found


def misfits(owner: type, methods: dict[str, str], wanted: set[str]) -> list[str]:
    """What a class lacks of some methods and attributes, each in a sentence."""
    package = owner.__module__.split(".")[0]
    has, lacking = attributes(owner), []
    for name, parameters in methods.items():
        found = getattr(owner, name, None)
        given = list(inspect.signature(found).parameters)[1:] if callable(found) else None
        if given != (parameters.split(", ") if parameters else []):
            lacking.append(f"{name}({parameters})")
    lacking += sorted(wanted - has)
    return [
        f"{package} {version(package)} has no {owner.__name__}.{one}, which "
        "server/web/transport.py needs: adapt that before pyproject.toml lets this version in"
        for one in lacking
    ]


@pytest.mark.parametrize(
    "owner", dict.fromkeys([*METHODS, *ATTRIBUTES]), ids=lambda owner: owner.__name__
)
def test_uvicorn_and_websockets_have_what_we_take_from_them(owner: type) -> None:
    found = misfits(owner, METHODS.get(owner, {}), ATTRIBUTES.get(owner, set()))
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("ours", "base"), [(Http, HttpToolsProtocol), (Socket, WebSocketsSansIOProtocol)]
)
def test_all_that_we_take_is_listed(ours: type, base: type) -> None:
    tree = ast.parse(inspect.getsource(transport))
    used = {
        node.attr
        for part in tree.body
        if isinstance(part, ast.ClassDef) and part.name in (ours.__name__, Connection.__name__)
        for node in ast.walk(part)
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) in ("self", "super()")
    }
    used |= {name for part in (ours, Connection) for name in vars(part)}
    listed = METHODS[base].keys() | ATTRIBUTES[base]
    theirs = {name for name in used & attributes(base) if not name.startswith("__")}
    assert theirs == listed


def test_the_versions_are_bounded() -> None:
    told = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    asked = map(Requirement, told["project"]["optional-dependencies"]["serve"])
    bounds = {one.name: one.specifier for one in asked}
    for name in ("uvicorn", "websockets"):
        assert bounds[name].contains(version(name))
        assert not bounds[name].contains("99")


def test_what_is_missing_is_named() -> None:
    class Newer(ServerProtocol):
        def send_close(self, reason: str) -> None:  # type: ignore[override]
            pass

    Newer.__module__ = "websockets.server"
    wanted = {"send_close": "code, reason", "data_to_send": "", "handle": "event"}
    found = misfits(Newer, wanted, {"handshake_exc", "temper"})
    assert [sentence.split(", which")[0] for sentence in found] == [
        f"websockets {version('websockets')} has no Newer.{one}"
        for one in ("send_close(code, reason)", "handle(event)", "temper")
    ]
