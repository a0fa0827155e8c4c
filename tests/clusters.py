"""A real Dask scheduler for the tests, with two workers."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from typing import Any

from servers import free_port

Cluster = tuple[str, list["subprocess.Popen[bytes]"]]


@contextmanager
def dask() -> Iterator[Cluster]:
    """The address of a scheduler, and its two workers, which have one thread each."""
    address = f"tcp://127.0.0.1:{free_port()}"
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    program = [sys.executable, "-m", "dask"]
    with ExitStack() as stack:

        def started(*words: str) -> "subprocess.Popen[bytes]":
            process = subprocess.Popen([*program, *words], **quiet)
            stack.callback(process.wait)
            stack.callback(process.kill)
            return process

        port = address.rpartition(":")[2]
        started("scheduler", "--host", "127.0.0.1", "--port", port, "--no-dashboard")
        worker = ["worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard"]
        yield address, [started(*worker), started(*worker)]


def waited(address: str, workers: int) -> None:
    """Until so many workers are there."""
    distributed: Any = import_module("distributed")
    with distributed.Client(address, timeout=60, set_as_default=False) as client:
        client.wait_for_workers(workers, timeout=60)
