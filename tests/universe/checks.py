"""What must hold when a run is over: everything that was promised to anybody is kept, and nothing
is left behind."""

from collections.abc import Iterator

import sqlalchemy as sa

import history
from history import Ending, Row
from tegel.room.clock import SECOND
from tegel.room.log import Row as LogRow
from tegel.room.room import begin, deadline, fold
from tegel.server.storage import tables

from .cluster import Cluster
from .people import World


def problems(world: World) -> list[str]:
    """What is wrong after a run, in sentences."""
    cluster = world.cluster
    read_logs(world)
    return [
        *cluster.wrong,
        *cluster.loop.troubles,
        *history.faults(world.history),
    ]


def read_logs(world: World) -> None:
    """Complete the history by what is stored: the logs, and what is due in them."""
    cluster, told = world.cluster, world.history
    log, now = tables.log.c, int(wall(cluster))
    rows: dict[str, list[LogRow]] = {}
    for one in cluster.disk.rows(
        sa.select(log.room, log.seq, log.at, log.text).order_by(log.room, log.seq)
    ):
        rows.setdefault(one.room, []).append(LogRow(one.seq, one.at, one.text))
    for id, found in rows.items():
        setup = cluster.setup(id)
        room, seated = begin(setup), []
        for row in found:
            before, room = room, fold(room, row)
            moved = row.event is None
            seated.append(Row(row.seq, row.text, before.state.turn if moved else history.NOBODY))
        told.logs[id] = seated
        people = [seat for seat, chair in enumerate(room.chairs) if chair.player]
        told.people[id] = frozenset(people)
        due = deadline(room)
        told.endings.append(
            Ending(
                id, now / SECOND, due / SECOND if due is not None else None,
                room.at / SECOND if room.waits_for_bot else None,
            )
        )  # fmt: skip
    told.patience = 30.0


def wall(cluster: Cluster) -> float:
    return max(host.worker.heartbeat.now() for host in cluster.serving() if host.worker)


def left_behind(cluster: Cluster, ids: list[str]) -> Iterator[str]:
    """What workers that stopped in an orderly way did not end."""
    for id in ids:
        for task in cluster.loop.left(id):
            yield f"{id} left {task.get_coro()} running"
