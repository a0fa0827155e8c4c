"""Players who keep a name: a handle, and a code to come back with. There are no passwords."""

from collections.abc import Awaitable

from tegel.place.accounts.handles import handle
from tegel.place.accounts.identity import new_code, plain_code, token_hash
from tegel.place.accounts.reservations import Reservations, until
from tegel.place.accounts.standing import Standing
from tegel.place.accounts.store import Account, AccountStore, Naming, Reservation
from tegel.place.heartbeat import Heartbeat
from tegel.place.ports import Chance, KeyTaken
from tegel.room.lookalikes import folded
from tegel.room.refused import Refused

NO_NAME = "This is for who keeps a name: keep yours first."


class Accounts:
    def __init__(
        self, store: AccountStore, heartbeat: Heartbeat, chance: Chance,
        reservations: Reservations, standing: Standing,
    ) -> None:  # fmt: skip
        self.store, self.heartbeat, self.chance = store, heartbeat, chance
        self.reservations, self.standing = reservations, standing

    async def of(self, player: str) -> Account:
        """Who keeps a name; raises Refused for others."""
        if found := await self.store.account(player):
            return found
        raise Refused("nameless", NO_NAME)

    async def keep(self, player: str, wish: str) -> tuple[str, str]:
        """The handle that a guest keeps from now on, and a code to come back with."""
        naming, code = self._naming(player, wish), new_code(self.chance)
        await self._written(self.store.keep(naming, token_hash(code)))
        await self.standing.look_at(player)
        return naming.handle, code

    async def rename(self, player: str, wish: str) -> str:
        """Call a player otherwise. The name before is reserved for them for a while."""
        before, naming = await self.of(player), self._naming(player, wish)
        left = None
        if folded(before.handle) != folded(naming.handle):
            left = Reservation(self.reservations.key(before.handle), until(naming.at), player)
        await self._written(self.store.rename(naming, left))
        await self.standing.look_at(player)
        return naming.handle

    def _naming(self, player: str, wish: str) -> Naming:
        called = handle(wish)
        return Naming(player, called, self.reservations.key(called), self.heartbeat.now())

    async def _written(self, change: Awaitable[None]) -> None:
        try:
            await change
        except KeyTaken:
            raise Refused(
                "known", "Somebody is called so, or so that it looks alike: please choose another."
            ) from None

    async def new_code(self, player: str) -> str:
        """A new code for who keeps a name; the one before is good for nothing then."""
        await self.of(player)
        code = new_code(self.chance)
        await self.store.change_recovery(player, token_hash(code))
        return code

    async def by_code(self, code: str) -> str:
        """The player whose code it is; raises Refused."""
        if found := await self.store.recovered(token_hash(plain_code(code))):
            return found
        raise Refused("code", "This code is not right, or a newer one has replaced it.")

    async def forget(self) -> None:
        """Forget the reserved names that are free again."""
        await self.store.forget_reservations(self.heartbeat.now())
