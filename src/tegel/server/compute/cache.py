"""What was computed and may be asked for again, the latest, within a bound of bytes."""

from collections.abc import Hashable

from cachetools import LRUCache


class Cache:
    """Texts by key, those not asked for longest forgotten when they are more than `most` bytes
    together. One that is longer alone is not kept."""

    def __init__(self, most: int) -> None:
        self.texts = LRUCache[Hashable, bytes](most, getsizeof=len)

    def found(self, key: Hashable) -> bytes | None:
        return self.texts.get(key)

    def keep(self, key: Hashable, text: bytes) -> None:
        if len(text) <= self.texts.maxsize:
            self.texts[key] = text
