"""All that is stored about somebody, to take along or to delete.

What was brought to the records is nobody's: it is not known who brought it."""

from collections.abc import AsyncIterator, Mapping, Sequence

import msgspec

from tegel.place.accounts.reservations import Reservations, until
from tegel.place.accounts.standing import Standing
from tegel.place.accounts.store import LeavingStore
from tegel.place.heartbeat import Heartbeat


class Leaving:
    def __init__(
        self, store: LeavingStore, heartbeat: Heartbeat, reservations: Reservations,
        standing: Standing,
    ) -> None:  # fmt: skip
        self.store, self.heartbeat = store, heartbeat
        self.reservations, self.standing = reservations, standing

    async def export(self, player: str) -> AsyncIterator[bytes]:
        """Everything about a player as one JSON object, in pieces: rooms and studies, which may be
        many, are read one by one, with their logs as they are stored; all else is known before the
        first piece."""
        selves = [player, *await self.store.guests(player)]
        told = await self.store.about(selves)
        rooms, studies = await self.store.rooms(selves), await self.store.studies(selves)
        return self._pieces(told, rooms, studies)

    async def _pieces(
        self, told: Mapping[str, object], rooms: Sequence[str], studies: Sequence[str]
    ) -> AsyncIterator[bytes]:
        yield _json(told)[:-1] + b', "rooms": ['
        for number, room in enumerate(rooms):
            yield (b",\n" if number else b"") + _json(await self.store.room(room))
        yield b'], "studies": ['
        for number, id in enumerate(studies):
            yield (b",\n" if number else b"") + _json(await self.store.study(id))
        yield b"]}\n"

    async def is_stored(self, player: str) -> bool:
        """Whether anything is stored about a player."""
        return await self.store.is_stored(player)

    async def delete(self, player: str) -> None:
        """Nothing that is stored says any more who a player is; their games stay, without the name.
        Their cookies have ended, everywhere and for good. The name is reserved, for nobody."""
        now = self.heartbeat.now()
        await self.store.delete(player, self.reservations.key, now, until(now))
        await self.standing.look_at(player)


def _json(value: object) -> bytes:
    return msgspec.json.encode(value)
