"""What clients of a server sent and saw while it was in trouble, and what is wrong with it.

A **history** is made of wishes (what somebody sent), acknowledgements (what they were told was
done) and sights (what a reader was told of a room, and when), and of what is there at the end:
the log of every room, and what is still due in it. `faults` says in sentences what the server
did not keep of its promises; there are none if it kept them all. Pure."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

NOBODY = -1


class Wish(NamedTuple):
    """A move that a player sent for a ply, or an event by its word; sent again with the same
    ply, a move is the same wish."""

    room: str
    seat: int
    ply: int
    text: str


class Ack(NamedTuple):
    """A player was told that the row before a ply is theirs."""

    room: str
    ply: int
    text: str


class Sight(NamedTuple):
    """What a reader was told of a room."""

    reader: str
    worker: str
    room: str
    asked: float  # when; what comes unasked has no such time: infinite
    at: float  # when it came
    ply: int
    row: str | None = None  # the row before the ply: a move, or the word of an event
    line: tuple[str, ...] | None = None  # the moves that stand


class Row(NamedTuple):
    """A row of a log at the end."""

    seq: int
    text: str
    seat: int = NOBODY  # who decided, if it is a move


class Ending(NamedTuple):
    """What waits in a room at the end; times in seconds."""

    room: str
    now: float
    flag: float | None = None  # when the flag of the turn is due
    bot: float | None = None  # since when one of our bots is to move
    behind: float | None = None  # since when a worker knows less than the log


@dataclass
class History:
    wishes: list[Wish] = field(default_factory=list)
    acks: list[Ack] = field(default_factory=list)
    sights: list[Sight] = field(default_factory=list)
    logs: dict[str, list[Row]] = field(default_factory=dict)
    people: dict[str, frozenset[int]] = field(default_factory=dict)  # their seats
    endings: list[Ending] = field(default_factory=list)
    patience: float = 10.0  # seconds for what is due


def faults(history: History) -> list[str]:
    """What is wrong, in sentences."""
    logs = history.logs
    return [
        *_gaps(logs),
        *_lost(history.acks, logs),
        *_repeated(history),
        *_never_sent(history),
        *_unsaved(history.sights, logs),
        *_backwards(history.sights),
        *_late(history.sights),
        *_overdue(history.endings, history.patience),
    ]


def _gaps(logs: Mapping[str, Sequence[Row]]) -> Iterator[str]:
    """A log is linear: its places are numbered without a gap, and each has one row."""
    for room, rows in logs.items():
        numbers = [row.seq for row in rows]
        if numbers != list(range(len(rows))):
            yield f"{room}: the log has the places {numbers}"


def _lost(acks: Iterable[Ack], logs: Mapping[str, Sequence[Row]]) -> Iterator[str]:
    """What was acknowledged is in the log, at its place."""
    for ack in acks:
        rows = logs.get(ack.room, [])
        found = rows[ack.ply - 1].text if 0 < ack.ply <= len(rows) else "nothing"
        if found != ack.text:
            yield f"{ack.room}: {ack.text} was acknowledged for {ack.ply}, which has {found}"


def _repeated(history: History) -> Iterator[str]:
    """Every wish is done at most once."""
    wished = Counter((wish.room, wish.seat, wish.text) for wish in set(history.wishes))
    asked = Counter(wish.room for wish in history.wishes if wish.text == "ask")
    for room, rows in history.logs.items():
        done = Counter((room, row.seat, row.text) for row in _by_people(history, room))
        for key, count in done.items():
            if count > wished[key] > 0:
                yield f"{room}: {key[2]} was sent {wished[key]} times and done {count} times"
        back = sum(row.text.startswith("!takeback ") for row in rows)
        if back > asked[room]:
            yield f"{room}: {asked[room]} takebacks were asked for, {back} done"


def _never_sent(history: History) -> Iterator[str]:
    """Nobody's move is made for them."""
    wished = {(wish.room, wish.seat, wish.text) for wish in history.wishes}
    for room in history.logs:
        for row in _by_people(history, room):
            if (room, row.seat, row.text) not in wished:
                yield f"{room}: nobody sent {row.text} for seat {row.seat}"


def _by_people(history: History, room: str) -> list[Row]:
    people = history.people.get(room, frozenset())
    return [row for row in history.logs[room] if row.seat in people]


def line(rows: Iterable[Row]) -> tuple[str, ...]:
    """The moves that stand after some rows."""
    found: list[str] = []
    for row in rows:
        if not row.text.startswith("!"):
            found.append(row.text)
        elif row.text.startswith("!takeback "):
            del found[int(row.text.split()[1]) :]
    return tuple(found)


def _unsaved(sights: Iterable[Sight], logs: Mapping[str, Sequence[Row]]) -> Iterator[str]:
    """Whatever anybody saw is what the first so many rows make of the room: first saved, then
    shown, and everybody sees the same."""
    for sight in sights:
        rows = logs.get(sight.room, [])
        where = f"{sight.room}: {sight.reader} saw at ply {sight.ply} on {sight.worker}"
        if sight.ply > len(rows):
            yield f"{where} what is not in the log"
        elif sight.row is not None and sight.row != _told(rows[sight.ply - 1]):
            yield f"{where} {sight.row}, the log has {rows[sight.ply - 1].text}"
        elif sight.line is not None and sight.line != line(rows[: sight.ply]):
            yield f"{where} {sight.line}, the log has {line(rows[: sight.ply])}"


def _told(row: Row) -> str:
    """A row as readers are told of it: a move, or the word of an event."""
    return row.text.split()[0] if row.text.startswith("!") else row.text


def _backwards(sights: Iterable[Sight]) -> Iterator[str]:
    """A reader never sees a room younger than before."""
    last: dict[tuple[str, str], int] = {}
    for sight in sights:
        key = (sight.reader, sight.room)
        if sight.ply < last.get(key, 0):
            yield f"{sight.room}: {sight.reader} saw {last[key]} plies, then {sight.ply}"
        last[key] = sight.ply


def _late(sights: Sequence[Sight]) -> Iterator[str]:
    """What a worker told anybody it tells everybody who asks it afterwards."""
    told: defaultdict[tuple[str, str], list[Sight]] = defaultdict(list)
    for sight in sights:
        told[sight.worker, sight.room].append(sight)
    for known in told.values():
        answers = sorted(known, key=lambda sight: sight.at)
        most, come = 0, 0
        for question in sorted(known, key=lambda sight: sight.asked):
            while come < len(answers) and answers[come].at < question.asked:
                most = max(most, answers[come].ply)
                come += 1
            if question.asked < question.at and question.ply < most:
                yield (
                    f"{question.room}: {question.worker} had told {most} plies, "
                    f"then answered {question.reader} with {question.ply}"
                )


def _overdue(endings: Iterable[Ending], patience: float) -> Iterator[str]:
    """Flags fall, bots move and news arrive in time."""
    for ending in endings:
        if ending.flag is not None and ending.now - ending.flag > patience:
            yield f"{ending.room}: a flag is due for {ending.now - ending.flag:.1f} s"
        if ending.bot is not None and ending.now - ending.bot > patience:
            yield f"{ending.room}: a bot is to move for {ending.now - ending.bot:.1f} s"
        if ending.behind is not None and ending.now - ending.behind > patience:
            yield f"{ending.room}: a worker is behind for {ending.now - ending.behind:.1f} s"
