"""One seed, from its beginning to its end."""

import asyncio
import hashlib
import logging
import traceback
from collections import Counter
from collections.abc import Coroutine
from dataclasses import dataclass, replace
from random import Random
from typing import Any, TypeVar

from .checks import left_behind, problems
from .cluster import Cluster
from .faults import Faults, drawn
from .loop import Deadlock, VirtualLoop, on
from .people import Person, World, table

T = TypeVar("T")
PLAY = 8.0  # virtual seconds in which people begin games
QUIET = 30.0  # after which everything must be well


@dataclass(frozen=True)
class Size:
    """How much happens in a run."""

    workers: int = 2
    tables: int = 4
    seconds: float = PLAY


@dataclass
class Result:
    seed: int
    problems: list[str]
    log: list[str]
    acknowledged: int
    seconds: float
    faults: str
    refused: Counter[str]
    digest: str  # of all that happened, was seen and is stored


class Listener(logging.Handler):
    """Hears what workers log: a traceback is a fault, unless it says that storage is away."""

    def __init__(self, cluster: Cluster) -> None:
        super().__init__()
        self.cluster = cluster

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.exc_info[1]:
            error = record.exc_info[1]
            where = traceback.extract_tb(error.__traceback__)[-1]
            self.cluster.wrong.append(
                f"logged: {record.getMessage()}: {error!r} at {where.filename}:{where.lineno}"
            )


def run(seed: int, size: Size | None = None, faults: Faults | None = None) -> Result:
    """What comes of a seed."""
    rng = Random(seed)
    loop = VirtualLoop(rng)
    faults = faults or drawn(rng)
    planned = replace(faults)
    cluster = Cluster(loop, rng, faults)
    world = World(cluster)
    size = size or Size(workers=rng.choice((1, 2, 2, 3)), tables=rng.randint(2, 6))
    asyncio.set_event_loop(loop)
    listener = Listener(cluster)
    logger = logging.getLogger("tegel")
    logger.addHandler(listener)
    logger.propagate = False
    try:
        found = loop.run_until_complete(_life(world, size, planned))
    except Deadlock as deadlock:
        found = [str(deadlock)]
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        found = [*cluster.wrong, f"the run failed: {error!r} at {where.filename}:{where.lineno}"]
    finally:
        digest = _digest(world)
        logger.removeHandler(listener)
        logger.propagate = True
        asyncio.set_event_loop(None)
        loop.finish()
        cluster.disk.close()
    return Result(
        seed, found, cluster.log, world.acknowledged, loop.now, str(planned), world.refused, digest
    )


def _digest(world: World) -> str:
    """A short text that is equal for equal histories."""
    told = hashlib.sha256("\n".join(world.cluster.log).encode())
    told.update(repr((world.history.wishes, world.history.sights)).encode())
    for line in world.cluster.disk.file.iterdump():
        if line.startswith("INSERT"):  # the order of indices is SQLAlchemy's affair
            told.update(line.encode())
    return told.hexdigest()[:16]


async def _life(world: World, size: Size, planned: Faults) -> list[str]:
    cluster = world.cluster
    await cluster.begin(size.workers)
    groups: list[Any] = [_group(world, number) for number in range(size.tables)]
    tasks = [asyncio.create_task(group) for group in groups]
    trouble = asyncio.create_task(cluster.trouble(size.seconds))
    await asyncio.sleep(size.seconds)
    world.closing = True
    await trouble
    cluster.faults.heal()
    done, late = await asyncio.wait(tasks, timeout=600)
    await asyncio.sleep(QUIET)
    found = problems(world, planned)
    found += [f"a group failed: {task.exception()!r}" for task in done if task.exception()]
    if late:
        found.append(f"{len(late)} groups still play after ten minutes without trouble")
    ids = [host.id for host in cluster.serving()]
    for host in cluster.serving():
        found += await _stopped(cluster, host)
    cluster.note(f"over: {len(ids)} workers stopped")
    return found


async def _stopped(cluster: Cluster, host: Any) -> list[str]:
    id, worker = host.id, host.worker
    try:
        await on(id, worker.close())
    except TimeoutError:
        return [f"{id} does not stop"]
    await asyncio.sleep(5)
    found = list(left_behind(cluster, [id]))
    cluster._kill(id)
    host.worker = None
    return found


async def _group(world: World, number: int) -> None:
    """Two people, or one and a bot, who play one game after the other."""
    rng = Random(world.cluster.rng.getrandbits(40))
    ann = Person(world, f"ann{number}", rng.getrandbits(30))
    bob = Person(world, f"bob{number}", rng.getrandbits(30))
    kind = rng.choice(("friends", "friends", "friends", "bot", "strangers", "slow"))
    if kind == "slow":
        for person in (ann, bob):
            person.strolls, person.http, person.leaves = True, False, 0.05
            await person.agree_to_be_told()
    await asyncio.sleep(rng.uniform(0, 2))
    room = ""
    while not world.closing:
        if kind == "bot":
            await ann.play(await ann.open(table(rng, bot=True)))
        elif kind == "strangers":
            await _together(_meet(ann, rng), _meet(bob, rng))
        else:
            if room and rng.random() < 0.4:
                room = (await _together(ann.again(room), bob.again(room)))[0]
                await _together(ann.come(room), bob.come(room))
            else:
                wish = table(rng, bot=False)
                room = await ann.open(replace(wish, clock="days 2") if kind == "slow" else wish)
                setup = world.cluster.setup(room)
                mine = [place.player for place in setup.places].index(ann.player)
                await bob.sit(room, 1 - mine)
            await _together(ann.play(room), bob.play(room))


async def _meet(person: Person, rng: Random) -> None:
    """Play with whoever is found; now and then somebody does not come."""
    room = await person.look_for_somebody("bank 60 2")
    if room and rng.random() < 0.9 and await person.come(room):
        await person.play(room)


async def _together(*work: Coroutine[Any, Any, T]) -> list[T]:
    """What some pieces of work return, done at once; if one fails, all do."""
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one) for one in work]
    return [task.result() for task in tasks]
