"""Who a browser is: a seal in a cookie says so, as long as its generation has not ended."""

from typing import Literal

from tegel.place.accounts.identity import Seals, Session, new_player, session
from tegel.place.accounts.standing import Standing
from tegel.place.ports import Chance

Purpose = Literal["player", "before"]  # who a browser is; who it was before somebody signed in


class Sessions:
    def __init__(self, seals: Seals, standing: Standing, chance: Chance) -> None:
        self.seals, self.standing, self.chance = seals, standing, chance

    def new(self) -> Session:
        """The session of a browser that was nobody."""
        return Session(new_player(self.chance))

    async def current(self, player: str) -> Session:
        """The session of a browser in which a player signs in now."""
        return Session(player, (await self.standing.of(player)).generation)

    def sealed(self, session: Session, purpose: Purpose = "player") -> str:
        return self.seals.sealed(purpose, str(session))

    def is_ours(self, seal: str, purpose: Purpose = "player") -> bool:
        """Whether we have signed a seal, for this purpose."""
        return self.seals.opened(purpose, seal) is not None

    async def read(self, seal: str, purpose: Purpose = "player") -> Session:
        """What a seal says, if we signed it and it has not ended; or that it is nobody's."""
        found = session(self.seals.opened(purpose, seal) or "")
        return found if await self.standing.holds(found) else Session("")

    async def end_all(self, player: str) -> Session:
        """End all sessions of a player, everywhere; the next one."""
        return Session(player, await self.standing.end_cookies(player))
