"""The services about who somebody is, put together."""

from tegel.place.accounts.accounts import Accounts
from tegel.place.accounts.device_links import DeviceLinks
from tegel.place.accounts.identity import Seals
from tegel.place.accounts.leaving import Leaving
from tegel.place.accounts.moving import Moving
from tegel.place.accounts.names import Names
from tegel.place.accounts.once import Once
from tegel.place.accounts.passkeys import Passkeys
from tegel.place.accounts.reservations import Reservations
from tegel.place.accounts.sessions import Sessions
from tegel.place.accounts.standing import Standing
from tegel.place.accounts.store import PeopleStore
from tegel.place.accounts.tokens import Tokens
from tegel.place.ports import Chance
from tegel.place.rooms.house import House


class People:
    def __init__(self, store: PeopleStore, house: House, seals: Seals, chance: Chance) -> None:
        heartbeat = house.heartbeat
        reservations = Reservations(seals)
        self.standing = standing = Standing(store.standing, heartbeat)
        self.sessions = Sessions(seals, standing, chance)
        self.names = Names(store.accounts, heartbeat, house)
        self.tokens = Tokens(store.accounts, heartbeat, chance)
        self.accounts = Accounts(store.accounts, heartbeat, chance, reservations, standing)
        self.once = Once(store.spent, heartbeat, seals, chance)
        self.links = DeviceLinks(self.once, standing)
        self.passkeys = Passkeys(store.passkeys, heartbeat, self.once)
        self.moving = Moving(store.moving, house)
        self.leaving = Leaving(store.leaving, heartbeat, reservations, standing)
        standing.listeners.append(self.names.changed)
