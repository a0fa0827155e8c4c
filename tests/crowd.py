"""People who play on servers in trouble: they try again, come back by the other worker, and
write down in a history what they sent, what they were told and what they saw."""

import random
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf
from typing import Any

import httpx
from websockets.exceptions import WebSocketException

from history import Ack, History, Sight, Wish
from servers import Message, Person, Socket, Tegel, offered

PATIENCE = 6.0  # seconds before somebody who gets no answer comes back another way
TROUBLE = (httpx.HTTPError, WebSocketException, OSError, EOFError, ValueError)


class Away(Exception):
    """The server could not answer just now."""


@dataclass
class Crowd:
    """All who play, what they share, and when to stop."""

    servers: Sequence[Tegel]
    history: History = field(default_factory=History)
    stop: threading.Event = field(default_factory=threading.Event)
    rooms: list[str] = field(default_factory=list)
    studies: list[str] = field(default_factory=list)  # whose rows are checked as those of rooms are
    errors: list[str] = field(default_factory=list)  # codes of refusals, and trouble
    wrong: list[str] = field(default_factory=list)  # what may never happen

    def saw(self, reader: str, server: Tegel, asked: float, message: Message, room: str) -> None:
        """Write down what a message tells of a room."""
        row, line = None, None
        if message["t"] == "moved":
            row = message["move"]
        elif message["t"] == "happened":
            row = f"!{message['event']}"
        elif message["t"] == "room":
            line = tuple(move["move"] for move in message["moves"])
        else:
            return
        self.history.sights.append(
            Sight(reader, server.folder.name, room, asked, time.monotonic(), message["ply"], row,
                  line)
        )  # fmt: skip


class Player:
    """Somebody at a table, with a cookie that every worker knows."""

    def __init__(
        self, crowd: Crowd, name: str, rng: random.Random, person: Person | None = None
    ) -> None:
        self.crowd, self.name, self.rng = crowd, name, rng
        self.person = person or Person(crowd.servers[0], name)
        self.person.http.timeout = httpx.Timeout(PATIENCE)
        self.acked = 0.0  # when something of theirs was last acknowledged
        self.playing = ""
        self.pending: Wish | None = None
        self.home: Tegel | None = None  # the worker that is asked first, by who races
        self.think = 0.4  # seconds at most

    def server(self) -> Tegel:
        if self.home and self.rng.random() < 0.7:
            return self.home
        return self.rng.choice(self.crowd.servers)

    def wish(self, room: str, seat: int, ply: int, text: str) -> Wish:
        wish = Wish(room, seat, ply, text)
        self.crowd.history.wishes.append(wish)
        return wish

    def told(self, wish: Wish, ply: int) -> None:
        self.crowd.history.acks.append(Ack(wish.room, ply, wish.text))
        self.acked = time.monotonic()

    # Over HTTP

    def ask(self, server: Tegel, method: str, path: str, body: Any = None) -> Message:
        """What a worker answers; raises Away if it can't, and Refused is an answer too."""
        try:
            headers = {"Cookie": self.person.cookie()}
            answer = self.person.http.request(
                method, f"{server.url}{path}", json=body, headers=headers
            )
            found: Message = answer.json()
        except TROUBLE as error:
            raise Away(repr(error)) from None
        if answer.status_code == 500:
            self.crowd.wrong.append(f"{path}: {answer.text}")
        if answer.status_code >= 500 or answer.status_code == 429:
            raise Away(f"{answer.status_code} {answer.text}")
        return found

    def look(self, room: str) -> Message:
        server, asked = self.server(), time.monotonic()
        found = self.ask(server, "GET", f"/api/rooms/{room}")
        self.crowd.saw(f"{self.name} at {server.folder.name}", server, asked, found, room)
        return found

    def insist(self, method: str, path: str, body: Any = None) -> Message:
        """An answer, from whichever worker has one; empty when it is time to stop."""
        while not self.crowd.stop.is_set():
            with suppress(Away):
                return self.ask(self.server(), method, path, body)
            time.sleep(0.3)
        return {}

    def play_over_http(self, room: str, seats: Sequence[int]) -> None:
        while not self.crowd.stop.is_set():
            time.sleep(self.rng.uniform(0.1, 0.5))
            try:
                found = self.look(room)
                if found.get("over"):
                    return
                if found.get("turn") not in seats:
                    continue
                server = self.server()
                offer = self.ask(server, "GET", f"/api/rooms/{room}/offer")
                if offer["t"] == "offer":
                    self.move_over_http(server, room, offer)
            except Away as away:
                self.crowd.errors.append(str(away)[:80])

    def move_over_http(self, server: Tegel, room: str, offer: Message) -> None:
        wish = self.chosen(room, offer)
        body = {"ply": wish.ply, "move": wish.text}
        for _ in range(self.rng.choice([1, 1, 2])):  # some send everything twice
            asked = time.monotonic()
            answer = self.ask(server, "POST", f"/api/rooms/{room}/move", body)
            if answer["t"] != "room":
                self.crowd.errors.append(answer["code"])
                continue
            self.crowd.saw(f"{self.name} at {server.folder.name}", server, asked, answer, room)
            mine = [m for m in answer["moves"] if m["move"] == wish.text and m["ply"] >= wish.ply]
            if mine:
                self.told(wish, mine[-1]["ply"] + 1)

    def chosen(self, room: str, offer: Message) -> Wish:
        """What to play now: what was sent before for the same ply, often, or something else."""
        before = self.pending
        again = before and (before.room, before.ply) == (room, offer["ply"])
        if not again or self.rng.random() < 0.3:
            text = offered(offer, self.rng.randrange(10**6))
            self.pending = self.wish(room, offer["seat"], offer["ply"], text)
        assert self.pending
        return self.pending

    # By sockets

    def play(self, room: str, moves: int = 1000, takebacks: float = 0.0) -> None:
        """Play until the game is over or it is time to stop; after so many moves only watch."""
        since = -1
        while not self.crowd.stop.is_set():
            server = self.server()
            try:
                socket = self.person.socket(room, server, since)
            except TROUBLE as error:
                self.crowd.errors.append(type(error).__name__)
                time.sleep(0.3)
                continue
            seat = SocketPlay(self, socket, server, room, takebacks, moves, since)
            try:
                if seat.play():
                    return
            except TROUBLE as error:
                self.crowd.errors.append(type(error).__name__)
            finally:
                moves, since = seat.moves, seat.known
                with suppress(*TROUBLE):
                    socket.connection.close_socket()


@dataclass
class SocketPlay:
    """Somebody at a table for as long as one socket holds."""

    player: Player
    socket: Socket
    server: Tegel
    room: str
    takebacks: float
    moves: int
    known: int  # the ply up to which the room was told; errors say a ply, too, and tell nothing
    seats: Sequence[int] = ()
    offer: Message | None = None  # what to think about
    until: float = 0.0  # for how long

    def play(self) -> bool:
        """Whether the game is over; not if nothing came for long or it is time to stop."""
        heard = time.monotonic()
        while not self.player.crowd.stop.is_set():
            if self.offer and time.monotonic() > self.until:
                self.send(self.player.chosen(self.room, self.offer))
                self.offer = None
            try:
                message = self.socket.next(0.1)
            except TimeoutError:
                if time.monotonic() - heard > PATIENCE:
                    return False  # perhaps the other worker knows more
                continue
            heard = time.monotonic()
            reader = f"{self.player.name} by socket"
            self.player.crowd.saw(reader, self.server, inf, message, self.room)
            if message["t"] in ("room", "moved", "happened"):
                self.known = message["ply"]
            if self.take(message):
                return True
        return False

    def take(self, message: Message) -> bool:
        """Do what a message asks for; whether the game is over."""
        player, rng = self.player, self.player.rng
        match message["t"]:
            case "offer" if self.moves > 0:
                self.offer, self.until = message, time.monotonic() + rng.uniform(0.0, player.think)
            case "moved":
                self.mine(message)
                return "result" in message
            case "happened":
                if message["event"] == "ask" and message["seat"] not in self.seats:
                    word = rng.choice(["agree", "refuse"])
                    self.socket.send(t=word)
                    self.offer = None if word == "agree" else self.offer
                return bool(message["over"])
            case "room":
                self.seats = message["you"] or self.seats
                return bool(message["over"])
            case "error":
                player.crowd.errors.append(message["code"])
                if message["code"] == "failed":
                    player.crowd.wrong.append(f"{self.room}: {message}")
                again, wish = message["code"] in ("storage", "failed", "busy"), player.pending
                if again and wish and wish.room == self.room:
                    time.sleep(0.3)
                    self.send(wish)
        return False

    def send(self, wish: Wish) -> None:
        for _ in range(self.player.rng.choice([1, 1, 1, 2])):
            self.socket.send(t="move", ply=wish.ply, move=wish.text)

    def mine(self, message: Message) -> None:
        """A move was made; if it is the one that was sent, that is its acknowledgement."""
        player, wish = self.player, self.player.pending
        if not wish or wish.room != self.room or message["seat"] != wish.seat:
            return
        if message["move"] == wish.text and message["ply"] > wish.ply:
            player.told(wish, message["ply"])
            player.pending = None
            self.moves -= 1
            if player.rng.random() < self.takebacks:
                player.wish(self.room, wish.seat, message["ply"], "ask")
                self.socket.send(t="ask")


# Studies


@dataclass
class Desk:
    """Studies one after the other, each of which somebody writes notes into in two windows, on
    whichever workers."""

    crowd: Crowd
    players: list[Player]
    kind: str = "study"
    most: int = 150  # changes of one

    def run(self) -> None:
        wish = {"game": "blokus", "variant": "duo"}
        while id := self.players[0].insist("POST", "/api/studies", wish).get("id"):
            self.crowd.history.people[id] = frozenset({0})
            self.crowd.studies.append(id)
            windows = [
                threading.Thread(target=self.write, args=(player, id, window))
                for window, player in enumerate(self.players)
            ]
            for thread in windows:
                thread.start()
            for thread in windows:
                thread.join()

    def write(self, player: Player, id: str, window: int) -> None:
        try:
            self.written(player, id, window)
        except Exception as error:
            self.crowd.wrong.append(repr(error))
            raise

    def written(self, player: Player, id: str, window: int) -> None:
        rows = number = 1
        while not self.crowd.stop.is_set() and rows < self.most:
            time.sleep(player.rng.uniform(0.0, player.think))
            server, number = player.server(), number + 1
            wish = player.wish(id, 0, rows, f"note - {number} of {window}")
            body = {"rows": rows, "text": wish.text}
            try:
                answer = player.ask(server, "POST", f"/api/studies/{id}/changes", body)
                if answer["t"] == "study":
                    player.told(wish, answer["rows"])
                else:
                    self.crowd.errors.append(answer["code"])
                    answer = self.look(player, id)
                rows = answer["rows"]
            except Away as away:
                self.crowd.errors.append(str(away)[:80])

    def look(self, player: Player, id: str) -> Message:
        server, asked = player.server(), time.monotonic()
        found = player.ask(server, "GET", f"/api/studies/{id}")
        reader = f"{player.name} at {server.folder.name}"
        self.crowd.history.sights.append(
            Sight(reader, server.folder.name, id, asked, time.monotonic(), found["rows"])
        )
        return found

    def acked(self) -> float:
        return max(player.acked for player in self.players)
