"""Sending to push services: what is sent is encrypted for the device and signed by this place.

Endpoints are addresses that strangers choose: nothing is sent into our own network, and no answer
is read."""

import hashlib
import socket
import time
from collections.abc import Sequence
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import msgspec
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.resolver import ThreadedResolver
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02
from py_vapid.utils import b64urlencode
from pywebpush import WebPusher, WebPushException

from tegel.room.refused import Refused
from tegel.server.people.device import Device

TIMEOUT = aiohttp.ClientTimeout(total=5)
DAY = 86_400  # seconds that a push service keeps it
FAILED = (aiohttp.ClientError, OSError, TimeoutError, WebPushException, ValueError)


class Service:
    def __init__(self, contact: str, key: str, allowed: Sequence[str]) -> None:
        self.contact, self.allowed = contact, allowed
        self.vapid = Vapid02.from_raw(key.encode())
        self.session: aiohttp.ClientSession | None = None

    @property
    def public_key(self) -> str:
        point = self.vapid.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return str(b64urlencode(point))

    def check(self, device: Device) -> None:
        """Raises Refused for a device to which nothing can be sent."""
        check_endpoint(device.endpoint, self.allowed)
        try:
            encrypted(b"?", device)
        except FAILED:
            raise Refused("invalid", "The keys of this device can't be used.") from None

    async def post(self, device: Device, said: dict[str, Any], topic: str) -> int:
        """Send something, which replaces what was sent of the same topic; the status of the
        answer, 0 if there is none."""
        try:
            check_endpoint(device.endpoint, self.allowed)
            return await self._post(device, msgspec.json.encode(said), topic)
        except (*FAILED, Refused):
            return 0

    async def _post(self, device: Device, text: bytes, topic: str) -> int:
        parts = urlsplit(device.endpoint)
        claims = {
            "aud": f"{parts.scheme}://{parts.netloc}",
            "sub": self.contact,
            "exp": int(time.time()) + DAY // 2,
        }
        headers = {
            **self.vapid.sign(claims),
            "Content-Encoding": "aes128gcm",
            "TTL": str(DAY),
            "Topic": hashlib.sha256(topic.encode()).hexdigest()[:32],
            "Urgency": "normal",
        }
        if self.session is None:
            connector = aiohttp.TCPConnector(resolver=Outside(self.allowed))
            self.session = aiohttp.ClientSession(
                connector=connector, timeout=TIMEOUT, cookie_jar=aiohttp.DummyCookieJar()
            )
        async with self.session.post(
            device.endpoint, data=encrypted(text, device), headers=headers, allow_redirects=False
        ) as answer:
            return answer.status

    async def close(self) -> None:
        if self.session:
            await self.session.close()


def encrypted(text: bytes, device: Device) -> bytes:
    keys = {"p256dh": device.key, "auth": device.auth}
    return bytes(WebPusher({"endpoint": device.endpoint, "keys": keys}).encode(text)["body"])


# Where we send


def check_endpoint(endpoint: str, allowed: Sequence[str]) -> None:
    """Raises Refused unless an address may be one of a push service: on the internet, not in our
    own network, unless the host allows it."""
    try:
        parts = urlsplit(endpoint)
        port = parts.port
    except ValueError:
        raise Refused("invalid", "The address of this device can't be read.") from None
    if f"{parts.scheme}://{parts.netloc}" in allowed:
        return
    host = parts.hostname or ""
    strange = not endpoint.isascii() or "@" in parts.netloc  # other digits would be read as ours
    if parts.scheme != "https" or port not in (None, 443) or "." not in host or strange:
        raise Refused("invalid", "The address of this device is not one of a push service.")
    try:
        outside = is_outside(host)
    except ValueError:
        return  # a name: see `Outside`
    if not outside:
        raise Refused("invalid", "The address of this device lies in a private network.")


def is_outside(address: str) -> bool:
    """Whether an address is that of one machine on the internet; raises ValueError."""
    found = ip_address(address)
    return found.is_global and not found.is_multicast


class Outside(AbstractResolver):
    """Finds addresses on the internet only: whatever a name says, we do not ask our own network."""

    def __init__(self, allowed: Sequence[str]) -> None:
        self.allowed = {urlsplit(one).hostname for one in allowed}
        self.inner = ThreadedResolver()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        found = await self.inner.resolve(host, port, family)
        if host in self.allowed:
            return found
        outside = [one for one in found if is_outside(one["host"])]
        if not outside:
            raise OSError(f"{host} lies in a private network")
        return outside

    async def close(self) -> None:
        await self.inner.close()
