"""What the services about people ask of storage, and what they change there."""

from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple, Protocol


class Account(NamedTuple):
    id: str
    handle: str
    at: int


class Naming(NamedTuple):
    """A handle that a player shall keep from now on. `key`: by which it may be reserved."""

    player: str
    handle: str
    key: str
    at: int


class Reservation(NamedTuple):
    """A name that nobody may keep, until a time or until the host lifts that, but for `player`."""

    key: str
    until: int | None
    player: str = ""


class Known(NamedTuple):
    """What there is to know of a player before they act: of which generation their cookies must be,
    whether they are banned, and when that last changed."""

    generation: int = 0
    banned: bool = False
    at: int = 0


class Passkey(NamedTuple):
    id: str
    player: str
    key: str
    counter: int
    verified: bool
    at: int
    used: int


class AccountStore(Protocol):
    async def account(self, player: str) -> Account | None:
        """The account of a player who keeps a name."""

    async def keep(self, naming: Naming, recovery: str) -> None:
        """Let a guest keep a name, and come back by a code with this hash. Raises KeyTaken if
        somebody has a name that looks alike, and Refused if the name is reserved for somebody
        else or the player keeps one already."""

    async def rename(self, naming: Naming, before: Reservation | None) -> None:
        """Let a player keep another name, and reserve the one before; raises as `keep` does."""

    async def change_recovery(self, player: str, recovery: str) -> None: ...

    async def recovered(self, recovery: str) -> str:
        """The player whose code has a hash; empty: nobody."""

    async def forget_reservations(self, now: int) -> None:
        """Forget names that are free again."""

    # What players are called; programs

    async def name(self, player: str) -> str:
        """What a player is called; empty: nothing."""

    async def name_guest(self, player: str, name: str, now: int) -> None: ...

    async def program(self, token: str) -> str:
        """The program whose token has a hash; empty: none."""

    async def add_program(self, id: str, name: str, token: str, now: int) -> None: ...


class StandingStore(Protocol):
    async def latest(self) -> int:
        """When the latest change of any player's standing was; 0: there was none."""

    async def changed_since(self, at: int) -> dict[str, Known]:
        """By player, what is known of those of whom something changed after a time."""

    async def known(self, player: str) -> Known | None: ...

    async def end_cookies(self, player: str, now: int) -> int:
        """End all cookies of a player, and forget their devices; the generation of the next."""


class PasskeyStore(Protocol):
    async def of(self, player: str) -> list[Passkey]:
        """The passkeys of a player, the oldest first."""

    async def passkey(self, id: str) -> Passkey | None: ...

    async def add(self, passkey: Passkey, most: int) -> bool:
        """Keep a passkey; False if its player has `most` already. Raises KeyTaken."""

    async def note_use(self, id: str, counter: int, now: int, *, verified: bool) -> None: ...

    async def remove(self, player: str, id: str) -> None: ...


class SpentStore(Protocol):
    async def spend(self, id: str, until: int) -> bool:
        """Note that a token was used, which is too old after `until`; False if it was before."""

    async def forget_spent(self, now: int) -> None:
        """Forget the tokens that are too old to be used again."""


class LeavingStore(Protocol):
    async def guests(self, player: str) -> list[str]:
        """Who a player was in browsers before they signed in there."""

    async def about(self, players: Collection[str]) -> Mapping[str, list[dict[str, object]]]:
        """All that is stored about some players besides rooms and studies, by subject."""

    async def rooms(self, players: Collection[str]) -> list[str]:
        """The rooms in which some players ever sat."""

    async def room(self, id: str) -> dict[str, object]:
        """A room with its log, as it is stored."""

    async def studies(self, players: Collection[str]) -> list[str]: ...

    async def study(self, id: str) -> dict[str, object]:
        """A study with its log, as it is stored."""

    async def is_stored(self, player: str) -> bool:
        """Whether anything is stored about a player."""

    async def delete(self, player: str, key: Callable[[str], str], now: int, until: int) -> None:
        """Forget who a player is, and that they were guests: games stay, without the name. Their
        cookies end for good. Their handle, and what was reserved for them, is reserved for nobody
        until a time, that of a banned player until the host lifts it. `key`: by which a handle is
        reserved."""


class MovingStore(Protocol):
    async def hand_over(self, guest: str, player: str, came: Collection[str]) -> None:
        """Give a player what a guest played: finished games, the running ones that came along,
        studies, moments that were tried; and note who the guest is."""


class PeopleStore(NamedTuple):
    """Storage of all that the services about people ask for."""

    accounts: AccountStore
    standing: StandingStore
    passkeys: PasskeyStore
    spent: SpentStore
    leaving: LeavingStore
    moving: MovingStore
