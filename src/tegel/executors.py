"""Where work is done that takes long: in processes of this machine, or by the workers of a Dask
cluster. Both are a `concurrent.futures.Executor`, and whatever runs on one runs on any other.

    with executor(jobs=4) as pool: ...
    with executor(cluster="tcp://scheduler:8786") as pool: ...
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    CancelledError,
    Executor,
    Future,
    ThreadPoolExecutor,
    as_completed,
)
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import Any, TypeVar

T = TypeVar("T")
R = TypeVar("R")
PATIENCE = 5.0  # seconds until a cluster must have answered


@contextmanager
def executor(jobs: int = 1, cluster: str = "") -> Iterator[Executor]:
    """So many processes, or the cluster at an address. Who leaves waits for nothing that is still
    under way."""
    with _cluster(cluster) if cluster else _processes(jobs) as pool:
        yield pool


@contextmanager
def _processes(jobs: int) -> Iterator[Executor]:
    from concurrent.futures import ProcessPoolExecutor  # a page has neither, nor needs them
    from multiprocessing import get_context

    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        try:
            yield pool
        finally:
            for process in list((pool._processes or {}).values()):  # there is no public way
                process.terminate()


@contextmanager
def _cluster(address: str) -> Iterator[Executor]:
    if not find_spec("distributed"):
        raise ValueError("a cluster needs Dask: pip install 'tegel[cluster]'")
    distributed: Any = import_module("distributed")
    _met(address)
    client = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
    try:
        if not client.scheduler_info()["workers"]:
            raise ValueError(f"the cluster at {address} has no workers")
        yield client.get_executor(pure=False)
    except (ImportError, distributed.KilledWorker) as error:
        reason = " ".join(str(error).split())
        raise ValueError(f"the workers at {address} can't do this: {reason}") from None
    except CancelledError:
        raise ValueError(f"the cluster at {address} was lost") from None
    finally:
        client.close(timeout=PATIENCE)


def _met(address: str) -> None:
    """Come back if a scheduler answers at an address. A client that finds none there, or something
    else, can't be closed: so it is made only then. In a thread: notebooks have a loop already."""
    comm: Any = import_module("distributed.comm")

    async def meet() -> None:
        comm.get_address_host_port(address)
        await (await comm.connect(address, timeout=PATIENCE)).close()

    try:
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, meet()).result()
    except (OSError, ValueError) as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise ValueError(f"the cluster at {address} does not answer: {reason}") from None
    except Exception:  # of whatever kind: it depends on what the answer looks like
        raise ValueError(f"what answers at {address} is no Dask scheduler") from None


def at_once(pool: Executor) -> int:
    """How many things it does at a time."""
    found: Any = pool  # there is no public way
    if hasattr(found, "_client"):
        return max(1, int(sum(found._client.nthreads().values())))
    return int(getattr(found, "_max_workers", 1))


def done(pool: Executor, work: Callable[[T], R], todo: Iterable[T]) -> Iterator[R]:
    """What work makes of each thing to do, as it ends, in any order. When nobody wants the rest,
    what has not begun is not done."""
    futures: list[Future[R]] = [pool.submit(work, one) for one in todo]
    try:
        for future in as_completed(futures):
            yield future.result()
    finally:
        for future in futures:
            future.cancel()
