"""How often a player's moves agree with the engine's first choice: `tegel people fairness`.

The **share** of agreement in the player's latest rated games stands beside that of **peers**: other
people in games of the same family, whose rating after it was nearest to the player's. Moves
without a choice and the first moves of a seat, which many players know, are left out. It is a hint
for a person who looks closer, never a proof: strong players agree often, and samples vary."""

import random
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import inf, sqrt
from typing import Any, NamedTuple

import sqlalchemy as sa

from tegel.game import Move, State
from tegel.place.history.ratings import SURE, figure, provisional
from tegel.place.history.skill import Skill
from tegel.place.rooms import room_row
from tegel.room.judge import is_bot
from tegel.room.log import Row
from tegel.room.room import Room, begin, fold
from tegel.room.setup import Setup
from tegel.room.stopwatch import Outages, apart
from tegel.search import nets
from tegel.search.analysis import Mind
from tegel.search.report import usual
from tegel.server.hosting.host import Somebody, who
from tegel.server.storage import tables
from tegel.server.storage.dialect import is_sqlite

OPENING = 2  # moves of a seat that are left out
NEAR = 4.0  # of mu, 120 points: who is not further away is a peer;
LEAST = 3  # times as many games as are wanted are drawn from, though some be further away
LOOKED_AT = 5_000  # games of a family, the latest
NORMAL = 1.96  # standard deviations of an interval that holds 95 %


@dataclass(frozen=True)
class Part:
    """A game that somebody played, as it is stored."""

    setup: Setup
    rows: tuple[Row, ...]
    outages: Outages
    ids: frozenset[str]  # of the player, now and as a guest


@dataclass(frozen=True)
class Group:
    """A player's games of one family, and some of their peers'."""

    game: str
    family: str
    skill: Skill
    own: tuple[Part, ...]
    peers: tuple[Part, ...]
    players: int  # among the peers
    between: tuple[float, float]  # which mu the peers have


class Measured(NamedTuple):
    """What was counted in some games."""

    decisions: int
    agreed: int
    seconds: tuple[float, ...]  # of each decision

    @property
    def share(self) -> float:
        return self.agreed / self.decisions if self.decisions else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The bounds of the share, at 95 % (Wilson).

        >>> [round(bound, 3) for bound in Measured(100, 40, ()).interval]
        [0.309, 0.498]
        """
        n, p, z = self.decisions, self.share, NORMAL
        if not n:
            return 0.0, 1.0
        middle, half = p + z * z / (2 * n), z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return (middle - half) / (1 + z * z / n), (middle + half) / (1 + z * z / n)


def difference(one: Measured, other: Measured) -> tuple[float, float, float]:
    """By how much two shares differ, and the bounds of that at 95 % (Newcombe).

    >>> [round(bound, 2) for bound in difference(Measured(100, 60, ()), Measured(100, 30, ()))]
    [0.3, 0.16, 0.42]
    """
    apart_, (low, high), (lower, higher) = one.share - other.share, one.interval, other.interval
    down = sqrt((one.share - low) ** 2 + (higher - other.share) ** 2)
    up = sqrt((high - one.share) ** 2 + (other.share - lower) ** 2)
    return apart_, apart_ - down, apart_ + up


# What is read


def sample(
    connection: sa.Connection, text: str, games: int, seed: int
) -> tuple[Somebody, list[Group]]:
    """A player by handle or id, with their latest rated games, so many in all, by family, and as
    many of peers, drawn by the seed. Nothing is written; raises BadNotation."""
    _read_only(connection)
    found, g, r = who(connection, text), tables.guests.c, tables.ratings.c
    before = connection.scalars(sa.select(g.id).where(g.player == found.id))
    ids, outages = frozenset([found.id, *before]), _outages(connection)
    here = tables.rooms.c.id == r.room  # what was forgotten can't be looked at
    mine = sa.select(r.game, r.family, r.room, r.mu, r.sigma).join(tables.rooms, here)
    mine = mine.where(r.player.in_(ids)).order_by(r.at.desc(), r.room.desc()).limit(games)
    families: dict[tuple[str, str], list[Any]] = {}
    for row in connection.execute(mine):
        families.setdefault((row.game, row.family), []).append(row)
    groups = []
    for (game, family), rows in families.items():
        skill = Skill(rows[0].mu, rows[0].sigma)
        near = _near(_others(connection, game, family, skill, ids), skill.mu, len(rows))
        drawn = _drawn(near, len(rows), random.Random(seed))
        own = tuple(_part(connection, row.room, ids, outages) for row in rows)
        peers = tuple(_part(connection, p.room, frozenset([p.player]), outages) for p in drawn)
        mus = [peer.mu for peer in drawn] or [skill.mu]
        players = len({peer.player for peer in drawn})
        groups.append(Group(game, family, skill, own, peers, players, (min(mus), max(mus))))
    return found, groups


def _read_only(connection: sa.Connection) -> None:
    only = "PRAGMA query_only = 1" if is_sqlite(connection) else "SET TRANSACTION READ ONLY"
    connection.exec_driver_sql(only)


def _outages(connection: sa.Connection) -> Outages:
    c = tables.outages.c
    return apart((row.start, row.end) for row in connection.execute(sa.select(c.start, c.end)))


class Peer(NamedTuple):
    player: str
    room: str
    mu: float


def _others(
    connection: sa.Connection, game: str, family: str, skill: Skill, ids: Collection[str]
) -> list[Peer]:
    """The latest rated games of other people; of those whose rating is provisional only if the
    player's is."""
    r = tables.ratings.c
    query = (
        sa.select(r.player, r.room, r.mu)
        .join(tables.rooms, tables.rooms.c.id == r.room)
        .where(r.game == game, r.family == family, r.player.not_in(ids))
        .where(r.sigma <= (inf if provisional(skill) else SURE))
        .order_by(r.at.desc(), r.room.desc(), r.player)
        .limit(LOOKED_AT)
    )
    return [Peer(*row) for row in connection.execute(query) if not is_bot(row.player)]


def _near(peers: list[Peer], mu: float, count: int) -> list[Peer]:
    """Those with about the same rating, the nearest first; if those are few, some more."""
    inorder = sorted(peers, key=lambda peer: abs(peer.mu - mu))
    within = sum(abs(peer.mu - mu) <= NEAR for peer in inorder)
    return inorder[: max(within, LEAST * count)]


def _drawn(peers: list[Peer], count: int, rng: random.Random) -> list[Peer]:
    """So many of some peers, of as many players as there are before a second game of one."""
    met: Counter[str] = Counter()
    turns: list[tuple[int, Peer]] = []
    for peer in rng.sample(peers, len(peers)):
        turns.append((met[peer.player], peer))
        met[peer.player] += 1
    return [peer for _, peer in sorted(turns, key=lambda turn: turn[0])[:count]]


def _part(connection: sa.Connection, room: str, ids: frozenset[str], outages: Outages) -> Part:
    r, c = tables.rooms.c, tables.log.c
    setup = room_row.setup(connection.execute(sa.select(tables.rooms).where(r.id == room)).one())
    query = sa.select(c.seq, c.at, c.text).where(c.room == room).order_by(c.seq)
    return Part(setup, tuple(Row(*row) for row in connection.execute(query)), outages, ids)


# What is counted


class Decision(NamedTuple):
    state: State[Move]
    move: Move
    seconds: float


def decisions(part: Part) -> Iterator[Decision]:
    """The moves of a player that were a choice, but for the first of each seat and for what the
    engine does not know (the obstacles that people put on the board of Forma)."""
    room, moved = begin(part.setup, part.outages, {}), Counter[int]()
    for row in part.rows:
        before, room = room, fold(room, row)
        seat = before.state.turn
        if len(room.line) <= len(before.line) or before.turn != seat:
            continue  # no move, or one of chance
        kernel = before.game.kernel
        if kernel and not kernel.covers(before.state):
            continue
        moved[seat] += 1
        theirs = before.chairs[seat].played_by in part.ids
        if theirs and moved[seat] > OPENING and len(before.state.moves()) > 1:
            yield Decision(before.state, room.line[-1].move, _spent(before, row.at))


def _spent(room: Room, at: int) -> float:
    """The seconds of a turn, less those in which no server ran."""
    silent = (max(0, min(end, at) - max(start, room.turn_at)) for start, end in room.outages)
    return max(0, at - room.turn_at - sum(silent)) / 1000


def measured(
    parts: Iterable[Part],
    simulations: int = 0,
    seconds: float = inf,
    seed: int = 1,
    told: Callable[[int], None] = lambda _: None,
) -> Measured:
    """Ask the engine about every decision, with so many simulations (0: as many as a report on a
    game has) and seconds at most; `told`: how many decisions were looked at so far."""
    times: list[float] = []
    agreed = 0
    for decision in (one for part in parts for one in decisions(part)):
        first = choice(decision.state, simulations, seconds, seed)
        if first is None:
            continue
        agreed += first == decision.move
        times.append(decision.seconds)
        told(len(times))
    return Measured(len(times), agreed, tuple(times))


def choice(
    state: State[Move], simulations: int = 0, seconds: float = inf, seed: int = 1
) -> Move | None:
    """The engine's first choice in a position; none where it has no opinion."""
    net = nets.of(state)
    mind = Mind(state, seed, net)
    mind.deepen(simulations or usual(state, net), seconds)
    opinions = mind.opinions() if mind.thinker else []
    return opinions[0].move if opinions else None


# What is said


def lines(somebody: Somebody, group: Group, own: Measured, peers: Measured) -> Sequence[str]:
    """What to tell a host about a player's games of one family."""
    low, high = (figure(Skill(mu)) for mu in group.between)
    said = [
        f"{somebody}, {group.game} ({group.family}), rated {figure(group.skill)}",
        f"  agrees with the engine's first choice: {_shown(own, len(group.own))}",
    ]
    if not peers.decisions:
        return [*said, "  nobody else has a rating there: nothing to compare with"]
    apart_, least, most = difference(own, peers)
    said += [
        f"  {group.players} others rated {low} to {high}: {_shown(peers, len(group.peers))}",
        f"  difference: {100 * apart_:+.0f} points, probably {100 * least:+.0f} to "
        f"{100 * most:+.0f}",
        f"  time for a move: {_times(own)}; the others {_times(peers)}",
    ]
    return said


def _shown(found: Measured, games: int) -> str:
    low, high = found.interval
    return (
        f"{100 * found.share:.0f} %, probably {100 * low:.0f} to {100 * high:.0f} % "
        f"({found.agreed} of {found.decisions} decisions in {games} game{'s' * (games != 1)})"
    )


def _times(found: Measured) -> str:
    """The median, and between which times half of all lie."""
    if not found.seconds:
        return "not known"
    inorder = sorted(found.seconds)
    quarter, half, most = (inorder[round((len(inorder) - 1) * part)] for part in (0.25, 0.5, 0.75))
    return f"{_time(half)} (half of them {_time(quarter)} to {_time(most)})"


def _time(seconds: float) -> str:
    """
    >>> [_time(seconds) for seconds in (4.24, 42.0, 300.0, 90_000.0)]
    ['4.2 s', '42 s', '5 min', '25 h']
    """
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 180:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.0f} h"
