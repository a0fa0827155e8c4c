"""Thinking about positions for whoever listens, and what is kept of it.

What was thought of a position is kept, the deepest, and told at once to who asks next, here or on
another worker. A **run** goes on while somebody listens, for so many seconds at most: fewer when
others wait for their turn, and not while a bot waits for its. Several who ask about one position
share a run; a connection has one at a time."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Protocol

from cachetools import LRUCache

from tegel.game.chance import new_seed
from tegel.games import BadRecord
from tegel.place.heartbeat import Heartbeat
from tegel.place.ports import AWAY, LONG, Chance, Work
from tegel.place.safety.fairness import Asker, Fairness
from tegel.place.studies.store import AnalysisStore
from tegel.place.studies.turns import after_bots
from tegel.place.tasks import thinking
from tegel.place.wire.studies import Analysed, Tried, Verdict
from tegel.record import Record
from tegel.room.refused import Refused

logger = logging.getLogger("tegel.analyses")
KNOWN = 2_000  # positions that are cached
SHARE = 5.0  # seconds of thinking that everybody has, though others wait
ENOUGH = 2_000_000  # simulations: more change nothing
Pay = Callable[[], None]  # charges for a second of thinking; raises Refused
Permit = Callable[[], Awaitable[None]]  # raises Refused if somebody must not be helped any more


class Listener(Protocol):
    """Somebody who wants to know what is thought of a position."""

    def heard(self, found: Analysed, done: bool) -> None: ...

    def ended(self, refused: Refused) -> None: ...


@dataclass(eq=False)
class Run:
    """The thinking about one position."""

    key: str
    record: Record
    payer: str
    listeners: dict[Listener, tuple[Pay, Permit]] = field(default_factory=dict)
    task: asyncio.Task[None] | None = None
    begun: bool = False  # else it waits for its turn

    async def go_on(self) -> None:
        """Let the first listener pay for another second, and those go who play now."""
        for listener, (_, permit) in tuple(self.listeners.items()):
            try:
                await permit()
            except Refused as refused:
                self.listeners.pop(listener, None)
                listener.ended(refused)
        for pay, _ in tuple(self.listeners.values())[:1]:
            pay()


class Analyses:
    def __init__(
        self,
        store: AnalysisStore,
        pools: Work,
        heartbeat: Heartbeat,
        fairness: Fairness,
        chance: Chance,
        seconds: float,
    ) -> None:
        self.store, self.pools, self.heartbeat = store, pools, heartbeat
        self.fairness, self.chance, self.seconds = fairness, chance, seconds
        self.clock = heartbeat.clock
        self.known = LRUCache[str, Analysed](KNOWN)
        self.runs: dict[str, Run] = {}

    async def listen(
        self, listener: Listener, record: Record, player: str, payer: str, pay: Pay
    ) -> str:
        """Tell somebody what is known of the position at the end of a record, and think on; the
        key by which to `leave`. Raises Refused if they must not be told."""
        permit = partial(self.fairness.permit, Asker((player,), payer), record)
        await permit()
        key, undecided = await self.pools.facts.run(thinking.position, record, payer=payer)
        if not undecided:
            raise Refused("over", "The game is over there.")
        known = await self._known(key)
        if known:
            enough = known.exact or known.simulations >= ENOUGH
            listener.heard(known, enough)
            if enough:
                return ""
        pay()
        run = self.runs.get(key)
        if run is None:
            run = self.runs[key] = Run(key, record, payer)
            run.task = asyncio.create_task(self._run(run))
        run.listeners[listener] = (pay, permit)
        return key

    def leave(self, key: str, listener: Listener) -> None:
        """Somebody listens no more."""
        run = self.runs.get(key)
        if run:
            run.listeners.pop(listener, None)
            if not run.listeners and run.task and not run.begun:
                run.task.cancel()  # else it ends after its slice: a process that is left dies

    async def _known(self, key: str) -> Analysed | None:
        found = self.known.get(key)
        if found is None:
            found = await self.store.analysis(key)
            if found is not None:
                self.known[key] = found
        return found

    async def tried(
        self, record: Record, move: str, instead: Verdict, player: str, payer: str
    ) -> Tried:
        """What is thought of a move after a record, beside the verdict on the one that was played
        there; raises Refused, BadNotation or IllegalMove."""
        asker = Asker((player,), payer)
        await self.fairness.permit(asker, record)
        with suppress(BadRecord):  # it is refused below
            await self.fairness.permit(asker, replace(record, moves=(*record.moves, move)))
        return await self.pools.lines.run(
            thinking.tried, record, move, instead.best, instead.played, new_seed(self.chance),
            payer=payer,
        )  # fmt: skip

    # Thinking

    async def _run(self, run: Run) -> None:
        before, best = self.known.get(run.key), None
        try:
            async with self.pools.lines.held(run.payer) as slot:
                run.begun, start = True, self.clock.monotonic()
                paid = start + 1
                found: Analysed | None = await slot.run(
                    LONG, thinking.begin_lines, run.record, new_seed(self.chance), self.seconds
                )
                while found:
                    best = found
                    self._tell(run, found, before)
                    await after_bots(self.pools, self.clock)
                    while self.clock.monotonic() > paid:
                        await run.go_on()
                        paid += 1
                    had = self.clock.monotonic() - start
                    if not run.listeners or (had > SHARE and self.pools.lines.crowded):
                        break
                    found = await slot.run(LONG, thinking.go_on)
                await slot.run(LONG, thinking.end)
            for listener in tuple(run.listeners):
                listener.heard(_deeper(best, before), True)
        except asyncio.CancelledError:
            pass  # nobody listens
        except Refused as refused:
            for listener in tuple(run.listeners):
                listener.ended(refused)
        except Exception:
            logger.exception("an analysis failed")
            for listener in tuple(run.listeners):
                listener.ended(Refused("failed", "Something went wrong here."))
        finally:
            if self.runs.get(run.key) is run:
                del self.runs[run.key]
            if best:
                await self._keep(run.key, best, before)

    def _tell(self, run: Run, found: Analysed, before: Analysed | None) -> None:
        shown = _deeper(found, before)
        self.known[run.key] = shown
        for listener in tuple(run.listeners):
            listener.heard(shown, False)

    async def _keep(self, key: str, best: Analysed, before: Analysed | None) -> None:
        if before and _deeper(best, before) is before:
            return
        self.known[key] = best
        try:
            await self.store.keep(key, best, self.heartbeat.now())
        except AWAY as away:
            logger.error("storage is away: %s", away)

    def close(self) -> None:
        for run in list(self.runs.values()):
            if run.task:
                run.task.cancel()


def _deeper(found: Analysed | None, before: Analysed | None) -> Analysed:
    """What is known better."""
    if found is None or (
        before and not found.exact and (before.exact or before.simulations > found.simulations)
    ):
        assert before
        return before
    return found
