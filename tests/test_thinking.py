"""Thinking in studies: lines that grow, kept for everybody; reports that outlive a server."""

import asyncio
import hashlib
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from clocks import HandClock
from servers import Message, Person, Tegel, tegel, until
from studying import DUO, Student, study
from tegel import games
from tegel.place.studies.turns import after_bots
from tegel.place.tasks import study_trees, thinking
from tegel.place.wire import trees
from tegel.place.wire.studies import JudgedLine, ThoughtLine
from tegel.record import Record
from tegel.search import nets

SERVE = ("--analyses", "1", "--analysis-seconds", "90", "--report-seconds", "1")
MOVES = "game: blokus\nvariant: duo\n\nF.0@d9\nF.0@i3\n1.0@c11\n1.0@k2\n"


def follow(person: Person, text: str = DUO) -> tuple[Student, str]:
    """A new study, whoever follows it, and the path to its last move."""
    made = study(person, text=text)
    own = Student(person, made["id"])
    line = own.wait("study")["line"]
    return own, str(len(line) - 1)


@pytest.fixture
def cid(server: Tegel) -> Iterator[Person]:
    person = Person(server)
    yield person
    person.close()


def test_lines_grow_until_nobody_listens(ann: Person, cid: Person) -> None:
    own, path = follow(ann)
    own.send(t="think", path=path)
    first, second = own.wait("thought"), own.wait("thought")
    assert (first["path"], first.get("done", False)) == (path, False)
    state = games.position(DUO)
    for found in (first["found"], second["found"]):
        assert found["seat"] == state.turn
        assert sum(found["chance"]) == pytest.approx(1, abs=0.01)
        assert 1 <= len(found["lines"]) <= 3
        for line in found["lines"]:
            legal = {str(move) for move in state.moves()}
            assert line["steps"][0]["move"] in legal
            assert line["steps"][0]["colour"] == "blue"
            assert line["steps"][0]["marks"][0]["role"] == "ghost"
            assert len(line["steps"]) <= 8
    assert second["found"]["simulations"] > first["found"]["simulations"]
    # There is one process, and it would go on for long: whoever is next has it at once.
    own.connection.socket.close()
    other, there = follow(cid, MOVES)
    other.send(t="think", path=there)
    assert other.wait("thought", seconds=20)["path"] == there
    other.send(t="think", path="0")
    while (found := other.wait("thought", seconds=20))["path"] != "0":
        pass
    other.send(t="rest")
    other.send(t="ping")
    while other.wait("thought", "pong")["t"] != "pong":
        pass
    other.send(t="ping")
    assert other.wait("thought", "pong")["t"] == "pong", "nothing is thought any more"


def test_what_was_thought_is_kept_for_everybody(ann: Person, cid: Person, server: Tegel) -> None:
    own, path = follow(ann, MOVES)
    own.send(t="think", path=path)
    own.wait("thought")
    before = own.wait("thought")["found"]["simulations"]
    own.send(t="rest")
    kept = "SELECT max(simulations) FROM analyses"

    def deepest() -> int:
        with sqlite3.connect(server.folder / "tegel.db") as stored:
            return int(stored.execute(kept).fetchone()[0] or 0)

    until(lambda: deepest() >= before, "that it is kept")
    other, there = follow(cid, MOVES)
    other.send(t="think", path=there)
    assert other.wait("thought")["found"]["simulations"] >= before
    other.send(t="rest")


def test_where_a_game_is_over_nothing_is_thought(ann: Person) -> None:
    own, _ = follow(ann)
    own.send(t="think", path="7")
    assert own.wait("rested")["code"] == "missing"


def complete(person: Person, id: str) -> Message:
    """The report on the game of a study, when it is whole."""
    found: list[Message] = []

    def whole() -> bool:
        found.append(person.ok("POST", f"/api/studies/{id}/report"))
        return bool(found[-1]["complete"])

    until(whole, "a report", 60)
    return found[-1]


def test_a_report_judges_every_move_once_for_all(ann: Person, cid: Person, server: Tegel) -> None:
    one, two = (study(who, text=MOVES) for who in (ann, cid))
    own = Student(cid, two["id"])
    own.wait("study")
    own.send(t="judge", begin=False)
    own.send(t="judge")
    report = complete(ann, one["id"])
    assert [verdict["ply"] for verdict in report["verdicts"]] == [1, 2, 3, 4]
    assert [point["ply"] for point in report["points"]] == [0, 1, 2, 3, 4]
    assert [tally["decisions"] for tally in report["tallies"]] == [2, 2]
    assert report["verdicts"][2]["loss"] > 0, "the smallest tile in the third move is bad"
    while not (heard := own.wait("judged"))["complete"]:
        assert heard["part"] < 1
    assert heard["verdicts"] == report["verdicts"]
    with sqlite3.connect(server.folder / "tegel.db") as stored:
        assert stored.execute("SELECT done, tries FROM game_reports").fetchall() == [(1, 1)]

    # A move tried instead: the best is right, what was played is not, what is illegal is refused.
    bad = max(report["verdicts"], key=lambda verdict: verdict["loss"])
    tries = f"/api/studies/{one['id']}/tries"
    best = ann.ok("POST", tries, {"ply": bad["ply"], "move": bad["best"]["moves"][0]})
    assert (best["right"], best["better"]) == (True, True)
    played = bad["played"]["moves"][0]
    again = ann.ok("POST", tries, {"ply": bad["ply"], "move": played})
    assert not again["right"]
    assert again["tried"]["steps"][0]["move"] == played
    assert ann.refused("POST", tries, {"ply": 3, "move": "I5.0@a1"}) == "illegal"
    assert ann.refused("POST", tries, {"ply": 9, "move": "I5.0@a1"}) == "early"


def test_a_report_survives_the_death_of_its_server(tmp_path: Path) -> None:
    options = ("--analyses", "1", "--report-seconds", "4")
    with tegel(tmp_path, *options) as server:
        ann = Person(server)
        id = study(ann, text=MOVES)["id"]
        until(lambda: ann.ok("POST", f"/api/studies/{id}/report")["points"], "a first look")
        server.kill()
        server.start()
        own = Student(ann, id)
        own.wait("study")
        own.send(t="judge", begin=False)
        while not own.wait("judged", seconds=60)["complete"]:
            pass


class PassingClock(HandClock):
    """A clock by which nobody really waits."""

    async def sleep(self, seconds: float) -> None:
        self.passes(1000 * seconds)


@pytest.mark.parametrize(("busy", "waited"), [(0, 0.0), (3, 0.15), (1000, 2.0)])
def test_analyses_wait_for_bots_but_not_for_ever(busy: int, waited: float) -> None:
    class Bots:
        @property
        def busy(self) -> int:
            nonlocal busy
            busy -= 1
            return max(0, busy + 1)

    work: Any = SimpleNamespace(bots=Bots())
    clock = PassingClock()
    start = clock.monotonic()
    asyncio.run(after_bots(work, clock))
    assert clock.monotonic() - start == pytest.approx(waited, abs=0.06)


def test_what_chance_draws_in_a_study_follows_from_a_seed() -> None:
    text = str(Record("imago", "imago"))
    first, _ = study_trees.brought(text, 1)
    assert len(first) > len(text), "chance has drawn"
    assert study_trees.brought(text, 1)[0] == first
    assert study_trees.brought(text, 2)[0] != first


@pytest.mark.parametrize(
    ("chance", "doubt", "right", "better"),
    [(0.55, 0.04, True, True), (0.49, 0.15, False, False), (0.49, 0.02, False, True),
     (0.55, 0.001, False, True), (0.7, 0.1, True, True), (0.3, 0.2, False, False)],
)  # fmt: skip
def test_a_try_is_right_within_the_noise_unless_it_would_be_a_mistake(
    monkeypatch: pytest.MonkeyPatch, chance: float, doubt: float, right: bool, better: bool
) -> None:
    """Noise that is larger than a mistake excuses none."""
    record = Record("blokus", "duo", moves=("F.0@d9", "F.0@i3"))
    moves = [str(move) for move in games.final(record).moves()[:3]]
    best, played = (
        JudgedLine((move,), (value, 1 - value), (0.0, 0.0), 0.0, 10**9, False, 0.001)
        for move, value in zip(moves, (0.6, 0.35), strict=False)
    )

    def thought(_: Record, move: str, *rest: object) -> ThoughtLine:  # noqa: ARG001
        return ThoughtLine([], (chance, 1 - chance), (0.0, 0.0), 0.0, 50, False, doubt)

    monkeypatch.setattr(thinking, "_opinion", thought)
    said = thinking.tried(record, moves[2], best, played, 1)
    assert (said.right, said.better) == (right, better)
    assert thinking.tried(record, best.moves[0], best, played, 1).right


def test_a_line_says_what_it_takes_from_the_board() -> None:
    """Where a stone comes from, not only where it goes; tiles come from no cell."""
    state, record = games.load("imago").start("imago"), Record("imago", "imago")
    while state.turn < 0:
        record = replace(record, moves=(*record.moves, str(state.moves()[0])))
        state = games.final(record)
    move = next(str(move) for move in state.moves() if "@" in str(move))
    (step,) = trees.line(record, (move,))
    taken = [mark for mark in step.marks if mark.role == "taken"]
    assert [mark.plane for mark in taken] == ["board"]
    assert state_cell(state, move) == taken[0].cell
    duo = trees.line(Record("blokus", "duo"), ("F.0@d9",))
    assert [mark.role for mark in duo[0].marks] == ["ghost"]


def state_cell(state: Any, move: str) -> Any:
    marks = games.load("imago").drawing.marks(state)
    return next(mark.cell for mark in marks if mark.tile == move.split("@")[0])


def test_what_another_engine_thought_is_not_used() -> None:
    """What is kept is kept under the engine's name: that of its net, where it has one."""
    pytest.importorskip("onnxruntime")
    duo, forma = Record("blokus", "duo"), Record("forma", "two")
    path = nets.FOLDER / "blokus" / "nets" / "duo.onnx"
    assert hashlib.sha256(path.read_bytes()).hexdigest()[:12] in thinking.engine(games.start(duo))
    assert "rollouts" in thinking.engine(games.start(forma))
    fixed = Record("blokus", "two", {"corners": "fixed"})
    assert "rollouts" in thinking.engine(games.start(fixed)), "the net was not made for it"
    keys = {thinking.position(record)[0] for record in (duo, fixed, Record("blokus", "two"))}
    assert len(keys) == 3
