"""What push asks of storage, and what it changes there.

The **outbox** is written by rooms, with the move that makes it somebody's turn."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from tegel.place.push.device import Device


@dataclass(frozen=True)
class Notice:
    """That it is somebody's turn, to be told to one of their devices."""

    room: str
    ply: int
    player: str
    device: Device
    tries: int  # how often a push service was asked in vain
    game: str
    waiting: str  # whose turn it is in the room now


class PushStore(Protocol):
    async def keep(self, player: str, device: Device, now: int, most: int) -> None:
        """Keep a device as a player's; of more than `most`, those not heard of for longest go."""

    async def forget(self, endpoint: str, player: str = "") -> None:
        """Forget a device, and what it has yet to be told; of a player: only if it is theirs."""

    async def take(self, until: int, again: int, most: int) -> Sequence[Notice]:
        """Some notices that were due by a time, first those that were not tried before. Each is
        taken by one worker, and due again at another time, should that worker not drop it."""

    async def drop(self, notice: Notice) -> None:
        """Take a notice out; unless it is their turn anew."""

    async def put_off(self, notice: Notice, due: int) -> None:
        """Note that a notice was tried in vain, and when to try again; unless it is their turn
        anew."""

    async def waiting(self, player: str) -> int:
        """How many games wait for a player."""
