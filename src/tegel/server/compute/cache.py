"""What was computed and may be asked for again, the latest, within a bound of bytes."""

from collections import OrderedDict
from typing import Any


class Cache:
    """Texts by key, those not asked for longest forgotten when they are more than `most` bytes
    together. One that is longer alone is not kept."""

    def __init__(self, most: int) -> None:
        self.most, self.size = most, 0
        self.texts: OrderedDict[Any, bytes] = OrderedDict()

    def found(self, key: Any) -> bytes | None:
        if key in self.texts:
            self.texts.move_to_end(key)
        return self.texts.get(key)

    def keep(self, key: Any, text: bytes) -> None:
        self.size -= len(self.texts.pop(key, b""))
        if len(text) > self.most:
            return
        self.texts[key] = text
        self.size += len(text)
        while self.size > self.most:
            self.size -= len(self.texts.popitem(last=False)[1])
