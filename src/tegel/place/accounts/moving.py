"""What a guest played, in a browser where somebody signs in, comes along if they wish: seats in
running games by the same door as seat links, finished games in their list, studies, moments that
were tried. What can't come along stays with the guest, who the browser is again after signing
out."""

from collections.abc import Awaitable, Callable
from contextlib import suppress

from tegel.place.accounts.store import MovingStore
from tegel.place.rooms.house import House
from tegel.place.rooms.live_room import LiveRoom
from tegel.room.refused import Refused

MOST = 100  # running games that come along, the latest first


class Moving:
    def __init__(self, store: MovingStore, house: House) -> None:
        self.store, self.house = store, house

    async def bring_along(
        self, guest: str, player: str, name: str, find: Callable[[str], Awaitable[LiveRoom]]
    ) -> int:
        """Let a player have what a guest played; how many running games that are. What `find`
        refuses to open stays behind."""
        came = []
        for room in await self.house.store.running(guest, MOST):
            with suppress(Refused):  # damaged, left, or too much to read
                live = await find(room)
                for seat in live.room.seats_of(guest):
                    since = live.room.chairs[seat].since
                    await self.house.take_over(live, seat, since, player, name)
                    came.append(room)
        await self.store.hand_over(guest, player, came)
        return len(set(came))
