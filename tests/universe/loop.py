"""An event loop with virtual time: to sleep costs nothing, and a seed decides who goes first.

Whatever runs for a worker carries its name in the context. When a worker crashes, nothing of it
runs any more: its tasks stay where they are, as those of a killed process do."""

import asyncio
import warnings
from asyncio import Handle, Task, TimerHandle
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from contextvars import Context, ContextVar, copy_context
from random import Random
from typing import Any, NoReturn

HOST: ContextVar[str] = ContextVar("HOST", default="")
"""The incarnation of a worker for which something runs; empty: the world outside."""
outside = copy_context()
"""Of what is on its way: it belongs to no worker."""
SHUFFLED = 0.2  # of the rounds in which the order of what is ready is drawn


class Deadlock(Exception):
    """Nothing is ready, and nothing will ever be."""


class VirtualLoop(asyncio.BaseEventLoop):
    def __init__(self, rng: Random) -> None:
        super().__init__()
        self.rng, self.now = rng, 0.0
        self.dead: set[str] = set()
        self.tasks: dict[str, list[Task[Any]]] = {}
        self.troubles: list[str] = []
        self._selector = self
        self._scheduled: list[TimerHandle]
        self._clock_resolution = 1e-7
        self.set_task_factory(self._task)  # type: ignore[arg-type]
        self.set_exception_handler(self._trouble)

    # What asyncio asks of a loop

    def time(self) -> float:
        return self.now

    def select(self, timeout: float | None) -> Sequence[Any]:
        """Let time pass until something is due."""
        if timeout is None:
            waiting = sorted(task.get_name() for task in asyncio.all_tasks(self))
            raise Deadlock(f"everything waits for something: {waiting}")
        self.now += timeout
        if len(self._ready) > 1 and self.rng.random() < SHUFFLED:
            ready = list(self._ready)
            self.rng.shuffle(ready)
            self._ready: deque[Handle] = deque(ready)
        return ()

    def _process_events(self, event_list: Sequence[Any]) -> None: ...

    def _write_to_self(self) -> None: ...

    def run_in_executor(self, _: Any, func: Callable[..., Any], *__: Any) -> NoReturn:  # type: ignore[override]
        raise AssertionError(f"{func} would run in a thread")

    def call_soon(  # type: ignore[override]
        self, callback: Callable[..., Any], *args: Any, context: Context | None = None
    ) -> Handle:
        context = context if context is not None else copy_context()
        if self.dead and context.get(HOST, "") in self.dead:
            return Handle(callback, args, self, context)  # never runs
        return super().call_soon(callback, *args, context=context)

    def call_at(  # type: ignore[override]
        self, when: float, callback: Callable[..., Any], *args: Any, context: Context | None = None
    ) -> TimerHandle:
        context = context if context is not None else copy_context()
        if self.dead and context.get(HOST, "") in self.dead:
            return TimerHandle(when, callback, args, self, context)
        return super().call_at(when, callback, *args, context=context)

    # Hosts

    def _task(
        self, loop: asyncio.AbstractEventLoop, coro: Coroutine[Any, Any, Any], **more: Any
    ) -> Task[Any]:
        context: Context | None = more.get("context")
        host = context.get(HOST, "") if context else HOST.get()
        task: Task[Any] = Task(coro, loop=loop, **more)
        if host:
            mine = self.tasks.setdefault(host, [])
            mine.append(task)
            if len(mine) > 1000:
                mine[:] = [each for each in mine if not each.done()]
        return task

    def left(self, host: str) -> list[Task[Any]]:
        """The tasks of a host that are not done."""
        return [task for task in self.tasks.get(host, ()) if not task.done()]

    def kill(self, host: str) -> None:
        """Nothing of a host runs any more."""
        self.dead.add(host)
        for handle in (*self._ready, *self._scheduled):
            if handle._context.get(HOST) == host:  # type: ignore[attr-defined]
                handle.cancel()

    def _trouble(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        self.troubles.append(f"{context['message']}: {error!r}")

    def finish(self) -> None:
        """Throw away what the dead have left, and close."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            dead = [task for host in self.tasks for task in self.left(host)]
            for task in {*dead, *asyncio.all_tasks(self)}:
                task._log_destroy_pending = False  # type: ignore[attr-defined]
                with suppress(BaseException):
                    task.get_coro().close()
        self._ready.clear()
        self._scheduled.clear()
        self.close()


async def on(host: str, work: Coroutine[Any, Any, Any], seconds: float = 60) -> Any:
    """What some work for a host returns; raises TimeoutError if it takes too long, as it does when
    the host dies meanwhile."""
    context = copy_context()
    context.run(HOST.set, host)
    task = asyncio.get_running_loop().create_task(work, context=context)
    done, _ = await asyncio.wait({task}, timeout=seconds)
    if not done:
        raise TimeoutError(f"{host} takes over {seconds:g} s")
    return task.result()
