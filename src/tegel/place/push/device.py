"""A browser that agreed to be told when it is its player's turn, as it describes itself."""

import hashlib

import msgspec


class Device(msgspec.Struct, frozen=True):
    endpoint: str
    key: str
    auth: str
    language: str = "en"

    @property
    def id(self) -> str:
        return device_id(self.endpoint)


def device_id(endpoint: str) -> str:
    return hashlib.sha256(endpoint.encode()).hexdigest()
