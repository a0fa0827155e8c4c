"""An acknowledged move survives a power loss. A real server plays while powerloss.c writes down
what reaches the disk; then power is lost at many instants of that, with any part of what was
not synced gone, and every acknowledgement from before the instant must be in what is left."""

import asyncio
import random
import shutil
import sqlite3
import threading
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import pytest

from disks import MADE, OPEN, SYNC, SYNC_FOLDER, WRITE, Disk, Entry, entries, lost_power, written
from preload import built
from servers import Person, Tegel, tegel, until
from tegel.server.storage.migrations import migrate

ROOMS = 6
CARELESS = """
import sys
from tegel.cli import main
from tegel.server.storage import database

def pragmas(connection, _, before=database._pragmas):
    before(connection, _)
    cursor = connection.cursor()
    cursor.execute("PRAGMA synchronous={}")
    cursor.close()

database._pragmas = pragmas
sys.argv[0] = "tegel"
main()
"""


class Told(NamedTuple):
    room: str
    ply: int
    move: str
    instant: int  # of the trace, when it was told


@dataclass
class Game:
    """What was played on a server, and what it did to its disk."""

    person: Person
    trace: Path
    told: list[Told] = field(default_factory=list)
    rooms: list[str] = field(default_factory=list)
    fault: list[BaseException] = field(default_factory=list)

    def instant(self) -> int:
        return self.trace.stat().st_size

    def play(self, room: str, moves: int, rng: random.Random) -> None:
        try:
            socket = self.person.socket(room)
            for _ in range(moves):
                socket.move(socket.wait("offer", seconds=60), rng.randrange(10**6))
                moved = socket.wait("moved", seconds=60)
                self.told.append(Told(room, moved["ply"], moved["move"], self.instant()))
                if "result" in moved:
                    return
        except BaseException as error:
            self.fault.append(error)

    def all_play(self, moves: int, rng: random.Random) -> None:
        """Play in several rooms at once, the same person at both sides of each."""
        seats = [{"kind": "person"}, {"kind": "person"}]
        rooms = [self.person.room(seats=seats)["id"] for _ in range(ROOMS)]
        self.rooms += rooms
        chances = [random.Random(rng.random()) for _ in rooms]
        threads = [
            threading.Thread(target=self.play, args=(room, moves, chance))
            for room, chance in zip(rooms, chances, strict=True)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not self.fault, self.fault


def traced(folder: Path, *program: str) -> Tegel:
    """A server whose disk is watched."""
    disk, trace = (folder / "disk").resolve(), folder / "trace"
    env = {"TEGEL_DISK": str(disk), "TEGEL_TRACE": str(trace), "TEGEL_SECRET": ""}
    server = Tegel(disk, env={**built("powerloss.c", folder), **env})
    server.log = folder / "serve.log"  # it writes it, but not to the disk that is watched
    if program:
        server.program = program
    return server


def played(server: Tegel, moves: int, rng: random.Random, times: int = 1) -> Game:
    """Games on a server that is asked to stop between them, and killed at the end."""
    server.start()
    try:
        game = Game(Person(server), server.folder.parent / "trace")
        game.all_play(moves, rng)
        for _ in range(times - 1):
            server.stop()
            server.start()
            game.all_play(moves, rng)
    finally:
        server.kill()
    return game


def stored(folder: Path) -> dict[tuple[str, int], str]:
    """The log of a data folder, by room and ply; SQLite mends it first."""
    with closing(sqlite3.connect(folder / "tegel.db")) as base:
        if base.execute("pragma integrity_check").fetchall() != [("ok",)]:
            raise sqlite3.DatabaseError("damaged")
        if not base.execute("select 1 from sqlite_master where name = 'log'").fetchall():
            return {}
        rows = base.execute("select room, seq, text from log").fetchall()
    return {(room, seq + 1): text for room, seq, text in rows}


def lost(told: list[Told], instant: int, folder: Path) -> list[Told]:
    """Of what was told before an instant, what a folder does not have; all of it, if SQLite
    can't mend the file."""
    found: dict[tuple[str, int], str] = {}
    with suppress(sqlite3.DatabaseError):
        found = stored(folder) if (folder / "tegel.db").exists() else {}
    before = [ack for ack in told if ack.instant <= instant]
    return [ack for ack in before if found.get((ack.room, ack.ply)) != ack.move]


def losses(game: Game, tries: int, folder: Path, rng: random.Random) -> list[list[Told]]:
    """What many power losses lose, each just when something had been told or anywhere."""
    trace = game.trace.read_bytes()
    anywhere = [entry.end for entry in entries(trace)]
    told = [ack.instant for ack in game.told]
    instants = [rng.choice(rng.choice([told, anywhere])) for _ in range(tries)]
    found = []
    for instant, files in lost_power(trace, instants, rng):
        image = written(files, folder / "image")
        found.append(lost(game.told, instant, image))
        shutil.rmtree(image)
    return found


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory, soak: bool) -> Game:
    rng = random.Random(1)
    server = traced(tmp_path_factory.mktemp("power"))
    return played(server, 40 if soak else 15, rng, times=10 if soak else 2)


def test_an_acknowledged_move_survives_a_power_loss(
    game: Game, tmp_path: Path, rng: random.Random, soak: bool
) -> None:
    tries = 5000 if soak else 150
    assert not any(losses(game, tries, tmp_path, rng))
    print(f"{len(game.told)} moves told, power lost at {tries} instants, none lost")


@pytest.mark.parametrize("mode", ["OFF", "NORMAL"])
def test_a_server_that_does_not_sync_loses_moves(
    mode: str, tmp_path: Path, rng: random.Random
) -> None:
    """So the test above can fail."""
    careless = traced(tmp_path, "-c", CARELESS.format(mode))
    game = played(careless, 5, rng)
    assert any(losses(game, 40, tmp_path, rng))


def test_a_server_goes_on_after_a_power_loss(
    game: Game, tmp_path: Path, rng: random.Random, soak: bool
) -> None:
    """Everybody is who they were and plays on where they were."""
    trace = game.trace.read_bytes()
    acks = {ack.instant: ack for ack in rng.sample(game.told, 20 if soak else 1)}
    for instant, files in lost_power(trace, acks, rng):
        ack, folder = acks[instant], tmp_path / str(instant)
        with tegel(written(files, folder), env={"TEGEL_SECRET": ""}) as server:
            person = Person(server, cookies=dict(game.person.http.cookies))
            room = person.ok("GET", f"/api/rooms/{ack.room}")
            assert ack.move in [move["move"] for move in room["moves"]]
            assert room["you"] == [0, 1]
            if not room["over"]:
                socket = person.socket(ack.room)
                move = socket.move(socket.wait("offer"))
                assert socket.wait("moved")["move"] == move
            server.check()


def test_a_power_loss_at_the_first_start_leaves_a_folder_to_start_in(
    game: Game, tmp_path: Path, rng: random.Random, soak: bool
) -> None:
    """Tables are made whole or not at all."""
    trace = game.trace.read_bytes()
    early = [entry.end for entry in entries(trace) if entry.end < game.told[0].instant]
    instants = rng.choices(early, k=200 if soak else 20)
    for number, (_, files) in enumerate(lost_power(trace, instants, rng)):
        image = written(files, tmp_path / str(number))
        asyncio.run(migrate(f"sqlite+aiosqlite:///{image / 'tegel.db'}"))
        assert stored(image) is not None


# The disk itself


def entry(what: int, data: bytes = b"", offset: int = 0, file: int = 1) -> Entry:
    return Entry(what, file, offset, data, 0)


def test_what_is_not_synced_is_gone() -> None:
    disk, rng = Disk(), random.Random(1)
    disk.do(entry(MADE, b"a"))
    disk.do(entry(WRITE, b"one"))
    disk.do(entry(SYNC))
    disk.do(entry(WRITE, b"two", 3))
    assert disk.left(rng, 0) == {}  # that it exists is not safe yet
    disk.do(entry(SYNC_FOLDER, file=0))
    assert disk.left(rng, 0) == {"a": b"one"}
    assert disk.left(rng, 1) == {"a": b"onetwo"}
    disk.do(entry(OPEN, b"a"))
    disk.do(entry(SYNC))
    assert disk.left(rng, 0) == {"a": b"onetwo"}


def test_what_is_not_synced_may_be_there_in_part() -> None:
    disk = Disk()
    disk.do(entry(MADE, b"a"))
    disk.do(entry(SYNC_FOLDER, file=0))
    disk.do(entry(WRITE, b"x" * 2048))
    found = {disk.left(random.Random(seed), 0.5)["a"] for seed in range(50)}
    assert b"x" * 2048 in found
    assert bytes(512) + b"x" * 512 + bytes(512) + b"x" * 512 in found
    assert b"" in found


def test_the_trace_tells_what_was_done(game: Game) -> None:
    """All of it: put together, it is the folder as the server left it."""
    trace = game.trace.read_bytes()
    [(_, files)] = lost_power(trace, [len(trace)], random.Random(1), [1.0])
    folder = game.person.server.folder
    until(lambda: set(files) == {path.name for path in folder.iterdir()}, "the same files", 1)
    for name in files:
        if not name.endswith("-shm"):
            assert files[name] == (folder / name).read_bytes(), name
