"""People: they sit down, move, take back, leave, come back by another worker, click twice and send
again what was not answered. They write down what they sent, were told and saw."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf
from random import Random
from typing import Any, TypeVar

from history import Ack, History, Sight, Wish
from tegel import games
from tegel.place.lobby import NewRoom, Seat
from tegel.place.push.device import Device
from tegel.place.rooms.live_room import LiveRoom
from tegel.place.wire import messages
from tegel.place.wire.pairing import Seek
from tegel.room import actions
from tegel.room.refused import Refused
from tegel.room.room import Room
from tegel.server.worker import Worker

from .cluster import Away, Cluster, Host
from .window import Heard, Socket, at_table, connect, looking, read

T = TypeVar("T")
SILENCE = 5.0  # seconds after which somebody who waits comes back another way


@dataclass
class World:
    """What all people of a run share."""

    cluster: Cluster
    history: History = field(default_factory=History)
    rooms: dict[str, None] = field(default_factory=dict)
    acknowledged: int = 0
    closing: bool = False  # nobody begins anything new
    refused: Counter[str] = field(default_factory=Counter)
    searches: Counter[str] = field(default_factory=Counter)  # that each began
    paired: list[tuple[str, str, str]] = field(default_factory=list)  # player, ticket, room


class Person:
    def __init__(self, world: World, name: str, seed: int) -> None:
        self.world, self.cluster, self.name = world, world.cluster, name
        self.rng = Random(seed)
        self.player = f"player-{name}"
        self.network = f"10.{seed % 200}.{seed // 200 % 200}.{name[-1:] and ord(name[-1])}"
        self.pending: Wish | None = None
        self.http = self.rng.random() < 0.35  # else by sockets
        self.haste = self.rng.choice((0.02, 0.1, 0.5))  # seconds for a move, on average
        self.takes_back = self.rng.choice((0.0, 0.05, 0.15))
        self.twice = self.rng.choice((0.0, 0.2))  # how often everything is sent twice
        self.leaves = self.rng.choice((0.0, 0.02))
        self.strolls = False  # leaves for longer, and is told by push
        self.quits = self.rng.choice((0.0, 0.0, 0.02))  # leaves for good, where a clock runs
        self.resigns = self.rng.choice((0.0, 0.0, 0.01))

    # Asking a worker

    def host(self) -> Host:
        hosts = self.cluster.serving() or self.cluster.hosts
        return self.rng.choice(hosts)

    async def ask(self, work: Callable[[Worker], Awaitable[T]], host: Host | None = None) -> T:
        return await self.cluster.ask(host or self.host(), work)

    async def insist(self, work: Callable[[Worker], Awaitable[T]]) -> T:
        """An answer, from whichever worker has one; raises Refused."""
        while True:
            try:
                return await self.ask(work)
            except Away:
                await asyncio.sleep(self.rng.uniform(0.2, 1))

    def wish(self, room: str, seat: int, ply: int, text: str) -> Wish:
        wish = Wish(room, seat, ply, text)
        self.world.history.wishes.append(wish)
        return wish

    def told(self, wish: Wish, ply: int) -> None:
        self.world.history.acks.append(Ack(wish.room, ply, wish.text))
        self.world.acknowledged += 1
        self.cluster.note(f"{self.name}: {wish.text} stands in {wish.room} at {ply}")

    def saw(self, reader: str, worker: str, room: str, asked: float, ply: int,
            row: str | None = None, line: tuple[str, ...] | None = None) -> None:  # fmt: skip
        at = self.cluster.loop.now
        self.world.history.sights.append(Sight(reader, worker, room, asked, at, ply, row, line))

    # Looking for somebody

    async def look_for_somebody(self, clock: str) -> str:
        """The room in which somebody was found to play with; empty: nobody looks any more."""
        while not self.world.closing:
            self.world.searches[self.player] += 1
            ticket = f"{self.name}-{self.world.searches[self.player]}"
            wish = Seek("blokus", ticket, "duo", clock=clock)
            try:
                socket = connect(
                    self.cluster, self.host(), self.player, self.network,
                    lambda worker, end, wish=wish: looking(worker, end, wish),
                )  # fmt: skip
            except Away:
                await asyncio.sleep(self.rng.uniform(0.2, 1))
                continue
            try:
                patience = self.rng.choice((1.5, 10.0))
                while True:
                    heard = read(await socket.next(patience + self.rng.random()))
                    if heard.t == "paired":
                        self.world.paired.append((self.player, ticket, heard.room))
                        return heard.room
            except Away:
                await asyncio.sleep(self.rng.uniform(0, 1))
            finally:
                socket.close()
        return ""

    async def come(self, room: str) -> bool:
        """Sit down where a seat is kept; whether the game begins."""
        setup = self.cluster.setup(room)
        (seat,) = (i for i, place in enumerate(setup.places) if place.player == self.player)
        await self.sit(room, seat)
        for _ in range(60):
            try:
                seen = await self.look(self.host(), room)
                if seen.begun or seen.over:
                    return seen.begun
            except (Away, Refused):
                pass
            await asyncio.sleep(1)
        return False

    async def again(self, room: str) -> str:
        """The room of a rematch, which both may ask for at once."""
        seen = await self.insist(self._acting(room, actions.Rematch()))
        return seen.rematch

    # Away

    async def agree_to_be_told(self) -> None:
        device = Device(f"https://push.example/{self.name}", "key", "auth")
        await self.insist(lambda worker: worker.push.agree(self.player, device))

    # At a table

    async def open(self, wish: NewRoom) -> str:
        """A new table; it may be made twice, if the answer was lost."""

        async def make(worker: Worker) -> str:
            worker.budget.charge(self.network, self.player, "room")
            return (await worker.lobby.create(wish, self.player, self.network)).room.setup.id

        room = await self.insist(make)
        self.world.rooms[room] = None
        self.cluster.note(f"{self.name} opens {room}")
        return room

    async def sit(self, room: str, seat: int) -> None:
        """Sit down; whoever did already is told nothing else."""

        async def act(worker: Worker) -> Room:
            live = await worker.lobby.find(room, self.network, self.player)
            return await worker.lobby.act(live, self.player, actions.Sit(seat), self.network)

        with suppress(Refused):
            await self.insist(act)

    async def play(self, room: str) -> None:
        """Play until the game is over."""
        if self.http:
            await self.play_over_http(room)
        else:
            await self.play_by_socket(room)

    async def play_over_http(self, room: str) -> None:
        while True:
            await asyncio.sleep(self.rng.uniform(0.05, 0.2) + self.rng.expovariate(1 / self.haste))
            host = self.host()
            try:
                seen = await self.look(host, room)
                if seen.over:
                    return
                seat = seen.turn
                if seat is None or seen.chairs[seat].played_by != self.player:
                    if seen.ask and self.player not in seen.ask.agreed:
                        await self.answer(host, room, seen)
                    continue
                wish = self.chosen(room, seen.ply, seat, seen.state.moves())
                for _ in range(1 + (self.rng.random() < self.twice)):
                    await self.move(host, wish)
            except Away:
                continue
            except Refused as refused:
                self.refusal(refused.code)

    async def look(self, host: Host, room: str) -> Room:
        asked, id = self.cluster.loop.now, host.id

        async def found(worker: Worker) -> Room:
            live = await worker.lobby.find(room, self.network, self.player)
            worker.house.presence.seen(live, self.player)
            return live.room

        seen = await self.ask(found, host)
        line = tuple(played.text for played in seen.line)
        self.saw(f"{self.name} at {id}", id, room, asked, seen.ply, line=line)
        return seen

    async def answer(self, host: Host, room: str, seen: Room) -> None:
        assert seen.ask
        if seen.chairs[seen.ask.seat].player == self.player:
            return
        action = actions.Agree() if self.rng.random() < 0.7 else actions.Refuse()
        await self.ask(self._acting(room, action), host)

    def _acting(self, room: str, action: actions.Action) -> Callable[[Worker], Awaitable[Room]]:
        async def act(worker: Worker) -> Room:
            live: LiveRoom = await worker.lobby.find(room, self.network, self.player)
            await worker.lobby.act(live, self.player, action, self.network)
            return live.room

        return act

    def chosen(self, room: str, ply: int, seat: int, moves: Sequence[Any]) -> Wish:
        """What to play now: what was sent before for the same ply, often, or something else."""
        before = self.pending
        again = before and (before.room, before.ply, before.seat) == (room, ply, seat)
        if not again or self.rng.random() < 0.3:
            self.pending = self.wish(room, seat, ply, str(self.rng.choice(moves)))
        assert self.pending
        return self.pending

    async def move(self, host: Host, wish: Wish) -> None:
        asked, id = self.cluster.loop.now, host.id
        seen = await self.ask(self._acting(wish.room, actions.Move(wish.ply, wish.text)), host)
        line = tuple(played.text for played in seen.line)
        self.saw(f"{self.name} at {id}", id, wish.room, asked, seen.ply, line=line)
        mine = [one for one in seen.line if one.text == wish.text and one.ply >= wish.ply]
        if mine and mine[-1].seat == wish.seat:
            self.told(wish, mine[-1].ply + 1)

    def refusal(self, code: str) -> None:
        self.world.refused[code] += 1

    # By sockets

    async def play_by_socket(self, room: str) -> None:
        since, visit = -1, None
        while True:
            host = self.host()
            try:
                socket = connect(
                    self.cluster, host, self.player, self.network,
                    lambda worker, end: at_table(worker, end, room),
                )  # fmt: skip
            except Away:
                await asyncio.sleep(self.rng.uniform(0.2, 1))
                continue
            visit = Visit(self, socket, host.id, room, since, visit)
            try:
                if await visit.stay():
                    return
                if self.strolls and self.rng.random() < 0.1:
                    await asyncio.sleep(self.rng.uniform(5, 15))
            except Away:
                pass
            finally:
                socket.close()
            since = visit.ply
            if self.rng.random() < 0.2:
                since = -1
            await asyncio.sleep(self.rng.uniform(0, 1))


class Visit:
    """Somebody at a table for as long as one connection holds. They know the line of moves, so
    what they may play is what the law says."""

    def __init__(
        self, person: Person, socket: Socket, worker: str, room: str, since: int,
        before: "Visit | None",
    ) -> None:  # fmt: skip
        self.person, self.socket, self.worker, self.room = person, socket, worker, room
        self.ply, self.since = since, since
        self.seats: tuple[int, ...] = before.seats if before else ()
        self.runs: bool = before.runs if before else False  # a clock, since the first move
        self.page: int = before.page + (since < 0) if before else 0
        self.game: Any = before.game if before else None
        self.state: Any = before.state if before and since >= 0 else None
        self.thinking: asyncio.TimerHandle | None = None

    async def stay(self) -> bool:
        """Whether the game is over."""
        self.socket.say(messages.Join(since=self.since))
        person = self.person
        hasty = person.cluster.setup(self.room).clock.bank
        try:
            while True:
                text = await self.socket.next(SILENCE + person.rng.random())
                if self.take(read(text)):
                    return True
                if person.rng.random() < person.leaves:
                    raise Away("left")
                if hasty and self.runs and person.rng.random() < person.quits:
                    return True
        finally:
            if self.thinking:
                self.thinking.cancel()

    def take(self, heard: Heard) -> bool:
        person = self.person
        if heard.t in ("moved", "happened") and heard.ply != self.ply + 1:
            person.cluster.wrong.append(
                f"{self.room}: {person.name} was told of {heard.ply} after {self.ply}"
            )
        match heard.t:
            case "room":
                self.seats = heard.you or self.seats
                line = tuple(move.move for move in heard.moves)
                self.runs = any(move.seat >= 0 for move in heard.moves)
                self.see(heard.ply, line=line)
                self.state = None
                self.state = None if heard.over else self.reached(line)
                return heard.over
            case "moved":
                self.see(heard.ply, row=heard.move)
                self.runs |= heard.seat >= 0
                self.mine(heard)
                if heard.result is not None:
                    return True
                if self.state is not None:
                    self.state = self.state.play(self.game.parse(heard.move))
            case "happened":
                self.see(heard.ply, row=f"!{heard.event}")
                if heard.event == "ask" and heard.seat not in self.seats:
                    self.socket.say(
                        actions.Agree() if person.rng.random() < 0.7 else actions.Refuse()
                    )
                return heard.over
            case "you":
                self.seats = heard.seats  # type: ignore[assignment]
            case "offer" if self.state is not None:
                self.think(heard)
            case "error":
                person.refusal(heard.code)
                if heard.code in ("storage", "busy") and person.pending:
                    self.later(person.pending, 0.5)
        return False

    def reached(self, line: Sequence[str]) -> Any:
        setup = self.person.cluster.setup(self.room)
        self.game = games.load(setup.game)
        state = self.game.start(setup.variant, **setup.options)
        for text in line:
            state = state.play(self.game.parse(text))
        return state

    def see(self, ply: int, row: str | None = None, line: tuple[str, ...] | None = None) -> None:
        self.ply = ply
        reader = f"{self.person.name} by socket, page {self.page}"
        self.person.saw(reader, self.worker, self.room, inf, ply, row, line)

    def think(self, offer: Heard) -> None:
        """Think of a move."""
        person = self.person
        wish = person.chosen(self.room, offer.ply, offer.seat, self.state.moves())
        self.later(wish, person.rng.expovariate(1 / person.haste))

    def later(self, wish: Wish, seconds: float) -> None:
        if self.thinking:
            self.thinking.cancel()
        self.thinking = self.person.cluster.loop.call_later(seconds, self.send, wish)

    def send(self, wish: Wish) -> None:
        person = self.person
        if person.rng.random() < person.resigns and self.ply > 8:
            self.socket.say(actions.Resign())
            return
        for _ in range(1 + (person.rng.random() < person.twice)):
            self.socket.say(actions.Move(wish.ply, wish.text))

    def mine(self, heard: Heard) -> None:
        """A move was made; if it is the one that was sent, that is its acknowledgement."""
        person, wish = self.person, self.person.pending
        if not wish or wish.room != self.room or heard.seat != wish.seat:
            return
        if heard.move == wish.text and heard.ply > wish.ply:
            person.told(wish, heard.ply)
            person.pending = None
            if person.rng.random() < person.takes_back:
                person.wish(self.room, wish.seat, heard.ply, "ask")
                self.socket.say(actions.Ask())


GAMES: tuple[tuple[str, str], ...] = (
    *[("blokus", "duo")] * 6, *[("imago", "shapes")] * 3, ("imago", "imago"), ("tantrix", "two"),
)  # fmt: skip
CLOCKS = ("none", "none", "bank 60 2", "bank 8 0.5", "days 2")


def table(rng: Random, *, bot: bool) -> NewRoom:
    """What somebody sets up."""
    game, variant = rng.choice(GAMES)
    seats = (Seat("person"), Seat("bot", 2) if bot else Seat("open"))
    clock = rng.choice(CLOCKS)
    rated = not bot and clock != "none" and rng.random() < 0.6
    return NewRoom(game, variant, {}, seats, shuffled=rng.random() < 0.5, clock=clock, rated=rated)
