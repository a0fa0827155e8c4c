"""What must hold when a run is over: everything that was promised to anybody is kept, and nothing
is left behind. The logs are read as text and by the law, not by the services that are tested."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

import sqlalchemy as sa

import history
from history import Ending, Row
from tegel.game import CHANCE
from tegel.room import ending, log
from tegel.room.clock import SECOND
from tegel.room.ending import Ending as Kept
from tegel.room.log import Row as LogRow
from tegel.room.room import Room, begin, deadline, flagged, fold
from tegel.room.stopwatch import Outages, apart
from tegel.server.hosting.recompute import _compare
from tegel.server.storage import tables

from .cluster import Cluster
from .faults import Faults
from .people import World

PATIENCE = 30.0  # seconds for what is due
SILENCE = 10.0  # seconds without a worker that must be known as an outage


def problems(world: World, faults: Faults) -> list[str]:
    """What is wrong after a run with such faults, in sentences."""
    cluster = world.cluster
    outages = _outages(cluster)
    logs = {id: _rooms(cluster, id, rows, outages) for id, rows in _logs(cluster).items()}
    _complete(world, logs)
    return [
        *cluster.wrong,
        *cluster.loop.troubles,
        *history.faults(world.history),
        *(f"{id}: {wrong}" for id, rooms in logs.items() for wrong in _of_room(rooms)),
        *(() if faults.clock_jumps else _unknown_outages(cluster, outages)),
        *_ratings(cluster, logs, outages),
        *_pairings(world, logs),
        *_pushes(cluster, faults),
        *_thoughts(cluster, logs, faults),
        *_idle(cluster, logs),
    ]


# Logs

Steps = list[tuple[LogRow, Room, Room]]
"""The rows of a room, each with the room before and after it."""


def _outages(cluster: Cluster) -> Outages:
    c = tables.outages.c
    return apart((row.start, row.end) for row in cluster.disk.rows(sa.select(c.start, c.end)))


def _logs(cluster: Cluster) -> dict[str, list[LogRow]]:
    c = tables.log.c
    query = sa.select(c.room, c.seq, c.at, c.text).order_by(c.room, c.seq)
    found: dict[str, list[LogRow]] = {}
    for one in cluster.disk.rows(query):
        found.setdefault(one.room, []).append(LogRow(one.seq, one.at, one.text))
    return found


def _rooms(cluster: Cluster, id: str, rows: Sequence[LogRow], outages: Outages) -> Steps:
    room, found = begin(cluster.setup(id), outages), []
    for row in rows:
        try:
            before, room = room, fold(room, row)
        except (ValueError, AssertionError) as error:
            cluster.wrong.append(f"{id}: row {row.seq} can't follow: {row.text}: {error!r}")
            break
        found.append((row, before, room))
    return found


def _complete(world: World, logs: dict[str, Steps]) -> None:
    """Complete the history by what is stored: the logs, and what is due in them."""
    told, now = world.history, _now(world.cluster)
    told.patience = PATIENCE
    for id, steps in logs.items():
        last = steps[-1][2] if steps else begin(world.cluster.setup(id))
        told.logs[id] = [
            Row(row.seq, row.text, history.NOBODY if row.event else before.state.turn)
            for row, before, _ in steps
        ]
        told.people[id] = frozenset(s for s, chair in enumerate(last.chairs) if chair.player)
        due = deadline(last)
        flag = due / SECOND if due is not None else None
        bot = last.at / SECOND if last.waits_for_bot else None
        told.endings.append(Ending(id, now / SECOND, flag, bot))


def _now(cluster: Cluster) -> int:
    return max(host.worker.heartbeat.now() for host in cluster.serving() if host.worker)


def _of_room(steps: Steps) -> Iterator[str]:
    """What is wrong with the log of one room."""
    asked, rematches, sat = -1, 0, dict[int, str]()
    for row, before, _ in steps:
        match row.event:
            case log.Ask():
                asked = before.position
            case log.Takeback() if asked >= 0 and before.position != asked:
                yield f"row {row.seq} takes a move back that was made after it was asked for"
            case log.Rematch():
                rematches += 1
            case log.Flag(seat) if flagged(before, row.at) != seat:
                yield f"row {row.seq}: the flag of seat {seat} fell too soon"
            case log.Sit(seat, player) if sat.setdefault(seat, player) != player:
                yield f"row {row.seq} gives seat {seat} to a second player"
            case None if before.over:
                yield f"row {row.seq} is a move after the end"
            case None if before.state.turn == CHANCE:
                drawn = before.remembered.get(before.draws())
                if drawn is not None and drawn != row.text:
                    fits = before.game.parse(drawn) in before.state.odds()
                    if fits:
                        yield f"row {row.seq} draws {row.text} where {drawn} was drawn before"
    if rematches > 1:
        yield f"{rematches} rematches"


# Outages and ratings


def _unknown_outages(cluster: Cluster, outages: Outages) -> Iterator[str]:
    """While no worker ran, no bank was charged: that time is known as an outage."""
    for start, end in cluster.dark:
        if end - start < SILENCE:
            continue
        # By clocks that are off by a second or so, and followed by those of an hour ago.
        known = any(last - first >= 1000 * (end - start - SILENCE) for first, last in outages)
        if not known:
            yield f"no worker ran from {start:.1f} to {end:.1f}, which is no outage: {outages}"


def _ratings(cluster: Cluster, logs: dict[str, Steps], outages: Outages) -> Iterator[str]:
    """Ratings are what `tegel ratings` computes from the logs."""
    known: dict[str, Kept] = {}
    for id, steps in logs.items():
        setup = cluster.setup(id)
        if setup.rated and steps and steps[-1][2].over:
            kept, _ = ending.final(setup, [row for row, _, _ in steps], outages, {})
            if kept:
                known[id] = kept
    with cluster.disk.engine.begin() as connection:
        found = _compare(connection, known, False)
    if found.differing:
        yield f"{found.differing} of {found.ratings} ratings differ from what the logs say"


# Pairing, push, bots


def _pairings(world: World, logs: dict[str, Steps]) -> Iterator[str]:
    rooms: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for player, ticket, room in world.paired:
        rooms[player, ticket].add(room)
    for (player, ticket), found in rooms.items():
        if len(found) > 1:
            yield f"{player} was told of {sorted(found)} for ticket {ticket}"
    made = Counter[str]()
    next_ = {event.room for steps in logs.values() for row, _, _ in steps
             if isinstance(event := row.event, log.Rematch)}  # fmt: skip
    for id in logs.keys() - next_:
        setup = world.cluster.setup(id)
        if all(place.kind == "person" and place.player for place in setup.places):
            made.update(place.player for place in setup.places)
    for player, count in sorted(made.items()):
        if count > world.searches[player]:
            yield f"{player} looked {world.searches[player]} times and was paired {count} times"
    alive = {host.id for host in world.cluster.serving()}
    for row in world.cluster.disk.rows(sa.select(tables.wishes)):
        if row.room or row.worker in alive:  # others are forgotten after a minute
            yield f"a wish of {row.player} is left in {row.room or 'no room'}"


def _pushes(cluster: Cluster, faults: Faults) -> Iterator[str]:
    """Everybody is told once; twice only if a worker died, or lost an answer, in between."""
    troubles = faults.crashes + faults.restarts + faults.blackouts
    troubles += bool(faults.commit_lost or faults.commit_refused or faults.store_hangs)
    troubles += bool(faults.read_fails)
    for (device, room, ply), count in sorted(cluster.posts.shown.items()):
        if count > 1 and not troubles:
            yield f"{device} was told {count} times of ply {ply} in {room}"
    o, now = tables.outbox.c, _now(cluster)
    for row in cluster.disk.rows(sa.select(o.room, o.due, o.tries)):
        if now - row.due > 1000 * PATIENCE / 2 and not row.tries:
            yield f"nobody was told of {row.room} for {(now - row.due) / 1000:.0f} s"


def _thoughts(cluster: Cluster, logs: dict[str, Steps], faults: Faults) -> Iterator[str]:
    """Where nothing goes wrong, a bot thinks once for each of its moves."""
    if faults.any:
        return
    moves = others = 0
    for steps in logs.values():
        for row, before, _ in steps:
            if row.event is None:
                seat = before.state.turn
                moves += seat != CHANCE and before.chairs[seat].level > 0
            else:
                others += isinstance(row.event, log.Takeback | log.Resign | log.Flag)
    thoughts = cluster.thoughts.total()
    if thoughts > moves + others:
        yield f"bots thought {thoughts} times for {moves} moves"


# What is left


def _idle(cluster: Cluster, logs: dict[str, Steps]) -> Iterator[str]:
    """After a while without people nothing is under way, and everybody knows what is stored."""
    for host in cluster.serving():
        assert host.worker
        house = host.worker.house
        for id, live in house.rooms.items():
            if live.lock.locked():
                yield f"{host.id} holds the lock of {id}"
            if live.watchers:
                yield f"{host.id} still has {len(live.watchers)} watchers of {id}"
            if live.room.ply < len(logs.get(id, ())):
                yield f"{host.id} knows {live.room.ply} of {len(logs[id])} rows of {id}"
        for task in house.background.tasks:
            yield f"{host.id} still does {task.get_coro()}"


def left_behind(cluster: Cluster, ids: list[str]) -> Iterator[str]:
    """What workers that stopped in an orderly way did not end."""
    for id in ids:
        for task in cluster.loop.left(id):
            yield f"{id} left {task.get_coro()} running"
