"""What was asked for of late, so that it is not asked for again."""

from collections import OrderedDict
from typing import Generic, TypeVar

T = TypeVar("T")


class Remembered(Generic[T]):
    """Values by key; when there are more than `most`, those not asked for longest are forgotten."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.values: OrderedDict[str, T] = OrderedDict()

    def __len__(self) -> int:
        return len(self.values)

    def found(self, key: str) -> T | None:
        """The value of a key; None if it is not remembered."""
        if key in self.values:
            self.values.move_to_end(key)
        return self.values.get(key)

    def keep(self, key: str, value: T) -> None:
        self.values[key] = value
        self.values.move_to_end(key)
        if len(self.values) > self.most:
            self.values.popitem(last=False)

    def change(self, key: str, value: T) -> None:
        """Change the value of a key if it is remembered."""
        if key in self.values:
            self.values[key] = value

    def forget(self, key: str) -> None:
        self.values.pop(key, None)
