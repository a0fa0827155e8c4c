"""The gate: what every request passes before it comes to the app. Sizes, rates, origins;
and the headers that every answer carries."""

import logging
from contextlib import suppress
from ipaddress import ip_address
from urllib.parse import unquote_plus, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect

from tegel.place.limits.networks import network
from tegel.place.limits.rates import Rates
from tegel.place.ports import Clock
from tegel.place.wire import messages
from tegel.place.wire.text import UNKEPT, kept
from tegel.server.settings import Settings
from tegel.server.web.transport import shun
from tegel.server.world import OWN_NAMES

logger = logging.getLogger("tegel.http")
SAFE = ("GET", "HEAD", "OPTIONS")
RECORDS = "/api/records"  # where records are brought to
WATCHED = ("/healthz", "/readyz", "/metrics")  # counted apart: whoever watches is not in the way
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",  # names of rooms are secrets
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
HTTPS_FOR_A_YEAR = "max-age=31536000"  # browsers then ask over HTTPS only

FOREIGN = "This server does not know itself by that name; its host can name it: --origin."


class TooLarge(Exception):
    """A body longer than allowed."""


class Gate:
    def __init__(self, app: ASGIApp, settings: Settings, rates: Rates, clock: Clock) -> None:
        self.app, self.settings, self.rates, self.clock = app, settings, rates, clock
        self.left_out = 0  # lines of the log, since the last
        sites = [urlsplit(origin) for origin in settings.origins]
        self.netlocs = {site.netloc for site in sites}
        self.secure = {site.netloc for site in sites if site.scheme == "https"}
        self.secure -= {site.netloc for site in sites if site.scheme == "http"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self.http(scope, receive, send)
        elif scope["type"] == "websocket":
            await self.socket(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def http(self, scope: Scope, receive: Receive, send: Send) -> None:
        start, headers = self.clock.monotonic(), Headers(scope=scope)
        status = 500
        scope.setdefault("state", {})["https"] = self.is_https(scope, headers)
        length, most = 0, self.most(scope)

        async def tell(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                self.dress(scope, message)
            await send(message)

        async def answered(message: Message) -> None:
            if length <= most:  # or whatever the app makes of half a body is no matter
                await tell(message)

        async def limited() -> Message:
            nonlocal length
            message = await receive()
            length += len(message.get("body", b""))
            if length > most:
                raise TooLarge
            return message

        refusal = self.refusal(scope, headers)
        try:
            if refusal:
                await _refuse(tell, *refusal)
            else:
                with suppress(TooLarge):
                    await self.app(scope, limited, answered)
                if length > most:
                    await _refuse(tell, *_too_long(most))
        finally:
            self.note(scope, status, self.clock.monotonic() - start)

    def note(self, scope: Scope, status: int, seconds: float) -> None:
        """Write a request into the log if it changed something, failed or was refused: reads that
        went well would fill the disk. Of one network so many lines; how many are left out, the
        next line says."""
        if status < 400 and scope["method"] in SAFE:
            return
        if not self.rates.lines.take(payer(scope)):
            self.left_out += 1
            return
        route = scope.get("route")  # not the path: names of rooms are secrets
        entry = {
            "method": scope["method"],
            "route": getattr(route, "path", "?"),
            "status": status,
            "ms": round(1000 * seconds, 1),
            "address": address(scope),
        }
        if self.left_out:
            entry["left_out"], self.left_out = self.left_out, 0
        logger.info("request", extra=entry)

    def refusal(self, scope: Scope, headers: Headers) -> tuple[int, str, str] | None:
        """Why a request is not let in: status, code and sentence."""
        if not self.ours(headers):
            return 421, "foreign", FOREIGN
        if not _kept(scope):
            return 422, "invalid", UNKEPT
        safe = scope["method"] in SAFE
        buckets = self.rates.reads if safe else self.rates.writes
        if scope["path"] in WATCHED:
            buckets = self.rates.watched
        if not buckets.take(payer(scope)):
            if not self.rates.refusals.take(payer(scope)):
                shun(self.rates.refusals.exhausted(payer(scope)))
            return 429, "rate", "Too many requests: please wait a little."
        if not safe and not self.welcome(headers):
            return 403, "origin", "Requests from other sites are not answered."
        try:
            length = int(headers.get("content-length", "0"))
        except ValueError:
            return 400, "size", "The content length is not a number."
        most = self.most(scope)
        return _too_long(most) if length > most else None

    def most(self, scope: Scope) -> int:
        """The bytes that the body of a request may have: what is read as JSON is read on the event
        loop, where all wait for it; a record is not."""
        limits = self.settings.limits
        return limits.record if scope["path"] == RECORDS else limits.body

    def ours(self, headers: Headers) -> bool:
        """Whether a request names this server as we know it. Another name that leads here may
        be a trick: a page of that name could then read what is here (DNS rebinding). A number
        is nobody's name."""
        try:
            host = urlsplit(f"//{headers.get('host', '')}")
            name = host.hostname or ""
        except ValueError:
            return False
        if host.netloc in self.netlocs or name == "localhost" or name.endswith(".localhost"):
            return True
        try:
            ip_address(name)
        except ValueError:
            return not self.netlocs and name in OWN_NAMES
        return True

    def is_https(self, scope: Scope, headers: Headers) -> bool:
        """Whether somebody asks over HTTPS: by what a proxy that was named says, or by the names of
        our sites."""
        return scope["scheme"] == "https" or headers.get("host", "") in self.secure

    def welcome(self, headers: Headers) -> bool:
        """Whether a request comes from our own pages, or from no page at all."""
        origin = headers.get("origin")
        if origin is None:
            return True
        if self.settings.origins:
            return origin in self.settings.origins
        try:
            return urlsplit(origin).netloc == headers.get("host")
        except ValueError:
            return False

    def dress(self, scope: Scope, message: Message) -> None:
        headers = MutableHeaders(scope=message)
        for key, value in HEADERS.items():
            headers.setdefault(key, value)
        if scope["path"].startswith("/api"):
            headers.setdefault("cache-control", "no-store")
        if scope["state"]["https"]:
            headers.setdefault("strict-transport-security", HTTPS_FOR_A_YEAR)
        for cookie in scope["state"].get("cookies", ()):
            headers.append("set-cookie", cookie)

    async def socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers, who, rates = Headers(scope=scope), payer(scope), self.rates

        async def tell(message: Message) -> None:
            try:
                await send(message)
            except OSError as error:  # not one of storage: they left before they were answered
                raise WebSocketDisconnect(1006) from error

        if (
            not self.ours(headers)
            or not _kept(scope)
            or not self.welcome(headers)
            or rates.sockets.over(who, more=1)
            or not rates.reads.take(who)
        ):
            await receive()
            await send({"type": "websocket.close", "code": 1008})  # before accepting: 403
            return
        rates.sockets.add(who)
        try:
            with suppress(WebSocketDisconnect):  # they may leave while they are spoken to
                await self.app(scope, receive, tell)
        finally:
            rates.sockets.remove(who)


def address(scope: Scope) -> str:
    """Where a request comes from; behind a proxy that was named, what the proxy says."""
    client = scope.get("client")
    return client[0] if client else "?"


def _too_long(most: int) -> tuple[int, str, str]:
    return 413, "size", f"The body is too long: it may have {most} bytes."


def _kept(scope: Scope) -> bool:
    """Whether an address holds only text that can be kept."""
    return kept(scope["path"]) and kept(unquote_plus(scope["query_string"].decode("latin-1")))


def payer(scope: Scope) -> str:
    """Whose limits and budget a request is charged to."""
    return network(address(scope))


async def _refuse(send: Send, status: int, code: str, text: str) -> None:
    body = messages.encode(messages.Error(code, text))
    headers = [(b"content-type", b"application/json")]
    if status == 429:
        headers.append((b"retry-after", b"10"))
    if status in (413, 429):
        headers.append((b"connection", b"close"))  # the rest, or what waits behind it, is not read
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
