"""Sending to push services: what is sent is encrypted for the device and signed by this place.

Where to, `push_address` says. No redirect is followed, and no answer is read."""

import hashlib
import socket
import time
from collections.abc import Collection, Mapping
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import msgspec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02
from py_vapid.utils import b64urlencode
from pywebpush import WebPusher, WebPushException

from tegel.place.push.device import Device
from tegel.place.push.push_address import check_endpoint, is_outside, origin
from tegel.room.refused import Refused

TIMEOUT = aiohttp.ClientTimeout(total=5)
DAY = 86_400  # seconds that a push service keeps it
FAILED = (aiohttp.ClientError, OSError, TimeoutError, WebPushException, ValueError)


class WebPush:
    def __init__(self, contact: str, key: str, allowed: Collection[str]) -> None:
        self.contact, self.allowed = contact, allowed
        self.vapid = Vapid02.from_raw(key.encode())
        self.sessions: dict[bool, aiohttp.ClientSession] = {}  # for what the host allows, or not

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

    async def post(self, device: Device, said: Mapping[str, object], topic: str) -> int:
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
        session = self._session(origin(device.endpoint) in self.allowed)
        async with session.post(
            device.endpoint, data=encrypted(text, device), headers=headers, allow_redirects=False
        ) as answer:
            return answer.status

    def _session(self, allowed: bool) -> aiohttp.ClientSession:
        if allowed not in self.sessions:
            # What the host allows may lie in a private network.
            factory = None if allowed else outside_socket
            self.sessions[allowed] = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(socket_factory=factory),
                timeout=TIMEOUT,
                cookie_jar=aiohttp.DummyCookieJar(),
            )
        return self.sessions[allowed]

    async def close(self) -> None:
        for session in self.sessions.values():
            await session.close()


def encrypted(text: bytes, device: Device) -> bytes:
    keys = {"p256dh": device.key, "auth": device.auth}
    return bytes(WebPusher({"endpoint": device.endpoint, "keys": keys}).encode(text)["body"])


def outside_socket(info: tuple[Any, ...]) -> socket.socket:
    """A socket for a connection to an address, unless that is in a private network."""
    family, kind, protocol, _, address = info
    if not is_outside(str(address[0])):
        raise OSError(f"{address[0]} is in a private network")
    return socket.socket(family, kind, protocol)
