"""`tegel people fairness`: how often a player's moves are the engine's, beside those of peers."""

import asyncio
import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from servers import postgres
from tegel import games
from tegel.game import CHANCE, BadNotation, State
from tegel.place.history.skill import Skill
from tegel.place.rooms.room_row import append
from tegel.room.clock import clock
from tegel.room.ending import final
from tegel.room.log import Bot, Resign, Row, Sit
from tegel.room.room import opened
from tegel.room.setup import Place, Setup
from tegel.search.chance import draw
from tegel.server.hosting.agreement import (
    OPENING,
    Group,
    Measured,
    Part,
    choice,
    decisions,
    lines,
    measured,
    sample,
)  # fmt: skip
from tegel.server.hosting.host import Somebody, done
from tegel.server.run import database
from tegel.server.storage import tables
from tegel.server.storage.database import Database
from tegel.server.storage.migrations import migrate

Player = Callable[[State[Any], random.Random], Any]
VARIANTS = {"blokus": "duo", "forma": "", "tantrix": "", "imago": ""}
OPTIONS = {"forma": {"layout": "random"}}
THOUGHT = 60  # simulations, of the engine and of who cheats with it


def honest(state: State[Any], rng: random.Random) -> Any:
    return rng.choice(state.moves())


def cheater(state: State[Any], _: random.Random) -> Any:
    """Asks an engine of the same strength, with other luck."""
    found = choice(state, THOUGHT, seed=77)
    return state.moves()[0] if found is None else found


def played(
    id: str,
    seats: Sequence[tuple[str, Player]],
    rng: random.Random,
    game: str = "blokus",
    most: int = 1000,
) -> tuple[Setup, list[Row]]:
    """A rated game as a log, with a second for each row."""
    variant = VARIANTS[game] or next(iter(games.load(game).variants))
    places = tuple(Place("person", 0, player) for player, _ in seats)
    options, time = OPTIONS.get(game, {}), clock("bank 3000 5")
    setup = Setup(id, game, variant, places, options, time, rated=True)
    texts = [str(Sit(seat, player)) for seat, (player, _) in enumerate(seats)]
    state = opened(setup, [], ()).state
    number = 0
    while not state.outcome and number < most:
        if state.turn == CHANCE:
            move = draw(state, rng)
        else:
            move, number = seats[state.turn][1](state, rng), number + 1
        texts.append(str(move))
        state = state.play(move)
    if not state.outcome:
        texts.append(str(Resign(0)))
    return setup, [Row(seq, 1000 * (seq + 1), text) for seq, text in enumerate(texts)]


async def kept(url: str, all_: list[tuple[Setup, list[Row]]]) -> None:
    await migrate(url)
    store = Database(url)
    await store.open()
    for setup, rows in all_:
        room = opened(setup, rows, ())
        ending, _ = final(setup, rows, (), {})
        assert ending
        assert ending.rated
        sat = [place.player for place in setup.places]
        assert await store.append(append(rows, room, "w", sat, new=True, ending=ending))
    row = {"id": "cheat", "name": "@Cheat", "handle": "Cheat", "folded": "cheat", "at": 1}
    await store.change(sa.insert(tables.players).values(**row))
    await store.close()


def looked(url: str, who: str, count: int = 6, seed: int = 1) -> tuple[Somebody, list[Group]]:
    return asyncio.run(done(url, lambda connection: sample(connection, who, count, seed)))


@pytest.fixture(scope="module")
def some() -> list[tuple[Setup, list[Row]]]:
    """Games of who cheats against others, and of those among themselves."""
    rng = random.Random(5)
    names = [f"p{number}" for number in range(6)]
    return [
        played(f"c{n}", [("cheat", cheater), (names[n], honest)], rng) for n in range(3)
    ] + [
        played(f"h{n}", [(names[n], honest), (names[(n + 1) % 6], honest)], rng) for n in range(6)
    ]  # fmt: skip


@pytest.mark.slow
@pytest.mark.sliced(1)
def test_who_plays_the_engines_moves_stands_out(
    tmp_path: Path, some: list[tuple[Setup, list[Row]]]
) -> None:
    url = database("", tmp_path)
    asyncio.run(kept(url, some))
    somebody, (group,) = looked(url, "@Cheat")
    assert str(somebody) == "@Cheat (cheat)"
    assert (group.game, group.family, len(group.own), len(group.peers)) == ("blokus", "two", 3, 3)
    assert group.players == 3, "of as many players as there are"
    own, peers = (measured(parts, THOUGHT) for parts in (group.own, group.peers))
    assert own.decisions > 15
    assert peers.decisions > 15
    assert own.interval[0] > peers.interval[1], (own, peers)
    told = "\n".join(lines(somebody, group, own, peers))
    assert f"({own.agreed} of {own.decisions} decisions in 3 games)" in told
    assert "3 others rated" in told
    assert "time for a move: " in told
    # By the seed: the same again, and others with another.
    assert looked(url, "cheat") == (somebody, [group])
    assert measured(group.own, THOUGHT) == own
    assert any(looked(url, "cheat", seed=seed)[1] != [group] for seed in range(2, 12))
    # Seen from the other side, who is honest does not.
    _, (other,) = looked(url, "p4")
    assert measured(other.own, THOUGHT).share < own.interval[0]
    with pytest.raises(BadNotation, match="neither the name"):
        looked(url, "@Nobody")


@pytest.mark.slow
def test_the_command_tells_it_and_changes_nothing(
    tmp_path: Path, some: list[tuple[Setup, list[Row]]]
) -> None:
    asyncio.run(kept(database("", tmp_path), some))
    before = (tmp_path / "tegel.db").read_bytes()
    words = ["people", "fairness", "@Cheat", "--data", str(tmp_path), "--games", "1"]
    words += ["--simulations", "20"]
    ended = subprocess.run([sys.executable, "-m", "tegel", *words], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    first, second, *_, last = ended.stdout.splitlines()
    assert first.startswith("@Cheat (cheat), blokus (two), rated 1")
    assert "in 1 game)" in second
    assert last.startswith("A hint to look closer, not a proof")
    assert (tmp_path / "tegel.db").read_bytes() == before


def test_first_moves_and_those_without_a_choice_are_left_out() -> None:
    setup, rows = played("r", [("a", honest), ("b", honest)], random.Random(3))
    part = Part(setup, tuple(rows), (), frozenset("a"))
    found = list(decisions(part))
    line = [one for one in opened(setup, rows, ()).line if one.seat == 0]
    assert 0 < len(found) <= len(line) - OPENING
    assert all(len(one.state.moves()) > 1 for one in found)
    assert {one.state.turn for one in found} == {0}
    assert {one.seconds for one in found} == {1.0}
    later = [row._replace(at=row.at + 60_000) if row.seq > 8 else row for row in rows]
    held = Part(setup, tuple(later), ((9_500, 69_000),), frozenset("a"))
    assert max(one.seconds for one in decisions(held)) < 3, "nobody served meanwhile"


def test_what_a_bot_plays_on_for_somebody_is_not_theirs() -> None:
    setup, rows = played("r", [("a", honest), ("b", honest)], random.Random(3))
    cut = [*rows[:12], Row(12, 12_500, str(Bot(0, 4)))]
    more = [Row(row.seq + 1, row.at, row.text) for row in rows[12:]]
    whole = list(decisions(Part(setup, tuple(rows), (), frozenset("a"))))
    until = list(decisions(Part(setup, (*cut, *more), (), frozenset("a"))))
    assert 0 < len(until) < len(whole)


@pytest.mark.parametrize("game", sorted(VARIANTS))
def test_it_knows_every_game(game: str) -> None:
    """A few moves of each suffice: those of the engine agree with it."""
    setup, rows = played("r", [("a", cheater), ("b", honest)], random.Random(2), game, most=14)
    found = measured([Part(setup, tuple(rows), (), frozenset("a"))], THOUGHT, seed=77)
    assert found.decisions >= 2
    assert found.agreed == found.decisions, "with the same luck"


def test_without_peers_or_games_it_says_so(tmp_path: Path) -> None:
    group = Group("blokus", "two", Skill(), (), (), 0, (25.0, 25.0))
    told = lines(Somebody("x", ""), group, Measured(4, 2, (1.0,) * 4), Measured(0, 0, ()))
    assert "nothing to compare with" in told[-1]
    url = database("", tmp_path)
    asyncio.run(kept(url, []))
    assert looked(url, "@Cheat") == (Somebody("cheat", "@Cheat"), [])


@pytest.mark.slow
def test_it_reads_PostgreSQL(tmp_path: Path, some: list[tuple[Setup, list[Row]]]) -> None:
    with postgres(tmp_path) as address:
        url = database(address, tmp_path)
        asyncio.run(kept(url, some))
        file = database("", tmp_path)
        asyncio.run(kept(file, some))
        assert looked(url, "@Cheat") == looked(file, "@Cheat")
