"""The studies that are open on this worker, and the one door to them.

A study is opened by reading its rows. Whatever its owner changes is judged, stored, and then shown
to all who watch, one change at a time; the key (study, seq) lets one of two workers win, and the
other reads what was written and judges anew."""

import asyncio
from dataclasses import dataclass, field
from typing import Protocol

from tegel import games, study
from tegel.game import BadNotation, IllegalMove
from tegel.game.chance import new_seed
from tegel.place.bus import Bus, News
from tegel.place.heartbeat import Heartbeat
from tegel.place.ports import Chance, KeyTaken, Work
from tegel.place.safety.fairness import Asker, Fairness
from tegel.place.studies.store import StudyStore
from tegel.place.tasks import study_trees
from tegel.place.wire import studies, trees
from tegel.place.wire.messages import Error
from tegel.place.wire.studies import StudyNode
from tegel.record import Record
from tegel.room.judge import illegal
from tegel.room.keys import beginning
from tegel.room.refused import Refused
from tegel.room.setup import name
from tegel.study import Change, Play, Study, Undo
from tegel.tree import Path

CHANNEL = "study."  # and the name of a study: where workers tell each other of its rows
MOST = 300  # studies of one player
QUIET = 60.0  # seconds after which a study that nobody watches is closed
TRIES = 5
MISSING = "There is no such study."


class Watcher(Protocol):
    player: str

    def send(self, *messages: bytes) -> None: ...


@dataclass(eq=False)
class LiveStudy:
    """A study that is open here."""

    id: str
    owner: str
    source: str
    study: Study
    payer: str  # the network that opened it here: whoever looks at it waits in its turn
    movers: dict[bytes, trees.Mover]  # who makes each move, of all that ever stood in it
    watchers: set[Watcher] = field(default_factory=set)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    texts: dict[bool, tuple[Study, bytes]] = field(default_factory=dict)  # see `text`
    used: float = 0.0  # when somebody last looked, by the clock that nobody can set

    def record(self, path: str) -> Record:
        """The moves up to a step; raises Refused if there is none."""
        try:
            return trees.record_at(self.study.tree, study.path(path))
        except (LookupError, BadNotation):
            raise Refused("missing", "There is no such move in this study.") from None

    def text(self, player: str) -> bytes:
        """The study as a player is told of it, made once for all: it may be long."""
        yours = bool(player) and player == self.owner
        study, text = self.texts.get(yours, (None, b""))
        if study is not self.study:
            text = studies.encode(self.told(player))
            self.texts[yours] = (self.study, text)
        return text

    def told(self, player: str) -> studies.Study:
        """The study as a player sees it."""
        tree = self.study.tree
        formats = tuple(other.name for other in games.load(tree.game).formats)
        return studies.Study(
            id=self.id,
            rows=self.study.rows,
            game=tree.game,
            variant=tree.variant,
            options=dict(tree.options),
            headers=trees.headers(tree),
            note=tree.note,
            line=trees.shown(tree.line, self.movers),
            source=self.source,
            yours=bool(player) and player == self.owner,
            undo=bool(self.study.before),
            formats=() if beginning(tree) else formats,
        )


class Studies:
    def __init__(
        self, store: StudyStore, bus: Bus, pools: Work, heartbeat: Heartbeat, fairness: Fairness,
        chance: Chance, worker: str,
    ) -> None:  # fmt: skip
        self.store, self.bus, self.pools, self.heartbeat = store, bus, pools, heartbeat
        self.fairness, self.chance, self.worker = fairness, chance, worker
        self.clock = heartbeat.clock
        self.open: dict[str, LiveStudy] = {}
        self.opening: dict[str, asyncio.Future[LiveStudy]] = {}

    # Doors

    async def create(self, player: str, text: str, source: str, payer: str) -> LiveStudy:
        """A new study from the text of a tree, a record or a position; raises Refused,
        BadNotation or BadRecord."""
        await self.fairness.permit_tree(text, payer)
        written, movers = await self.pools.facts.run(
            study_trees.brought, text, new_seed(self.chance), payer=payer
        )
        begun = study.begun(written)
        listed = studies.ListedStudy(
            name(self.chance), begun.tree.game, begun.tree.variant, source, self.heartbeat.now()
        )
        if not await self.store.create(listed, player, written, MOST):
            raise Refused("full", f"You have {MOST} studies: delete some first.")
        await self.bus.listen(CHANNEL + listed.id)
        live = self._live(listed.id, player, source, begun, payer, movers)
        self.open[listed.id] = live
        return live

    async def of(self, player: str, source: str) -> str:
        """The latest study of a player from a source; empty if there is none."""
        return await self.store.latest(player, source)

    async def listed(self, player: str) -> list[studies.ListedStudy]:
        """The studies of a player, the latest first."""
        return await self.store.listed(player, MOST) if player else []

    async def find(self, id: str, payer: str) -> LiveStudy:
        """The study of a name; raises Refused if there is none."""
        if id not in self.open:
            if id not in self.opening:
                self.opening[id] = asyncio.ensure_future(self._open(id, payer))
            await asyncio.shield(self.opening[id])
        live = self.open[id]
        live.used = self.clock.monotonic()
        return live

    async def _open(self, id: str, payer: str) -> LiveStudy:
        try:
            if not (found := await self.store.origin(id)):
                raise Refused("missing", MISSING)
            await self.bus.listen(CHANNEL + id)  # before reading, so that nothing falls in between
            rows = await self.store.rows(id)
            now = await self.pools.aside(study.folded, rows)  # it may be long
            movers = await self.pools.facts.run(study_trees.movers, str(now.tree), payer=payer)
            live = self.open[id] = self._live(id, *found, now, payer, movers)
            return live
        finally:
            self.opening.pop(id, None)

    def _live(
        self, id: str, owner: str, source: str, now: Study, payer: str,
        movers: dict[bytes, trees.Mover],
    ) -> LiveStudy:  # fmt: skip
        return LiveStudy(id, owner, source, now, payer, movers, used=self.clock.monotonic())

    async def follow(self, live: LiveStudy, watcher: Watcher, rows: int) -> None:
        """Let someone watch, and tell what they miss."""
        async with live.lock:
            if not self.bus.healthy:
                await self._catch_up(live)
            live.watchers.add(watcher)
            if rows != live.study.rows:
                watcher.send(live.text(watcher.player))

    async def owns(self, live: LiveStudy, player: str) -> bool:
        """Whether a study is a player's: what a guest has comes along when they sign in."""
        if player and player != live.owner:
            found = await self.store.origin(live.id)
            live.owner = found.player if found else ""
        return bool(player) and player == live.owner

    def leave(self, live: LiveStudy, watcher: Watcher) -> None:
        live.watchers.discard(watcher)
        live.used = self.clock.monotonic()

    async def node(self, live: LiveStudy, path: str, player: str, payer: str) -> StudyNode:
        """The position after a step, and what may be done there; raises Refused."""
        record = live.record(path)
        await self.fairness.permit_fitting(Asker((player,), payer), record)
        return await self.pools.facts.run(trees.node, record, path, payer=payer)

    # Changing

    async def change(self, live: LiveStudy, player: str, rows: int, text: str, payer: str) -> None:
        """Change a study as its owner wishes; raises Refused."""
        if not await self.owns(live, player):
            raise Refused("owner", "Only who made this study may change it: take a copy.")
        try:
            change = study.parse(text)
        except BadNotation as wrong:
            raise Refused("notation", str(wrong)) from None
        async with live.lock:
            for _ in range(TRIES):
                if rows != live.study.rows:
                    await self._catch_up(live)
                if rows != live.study.rows:
                    raise Refused("stale", "The study has changed meanwhile.")
                if isinstance(change, Play):
                    change = await self._played(live, change, payer)
                try:
                    after = study.changed(live.study, change)
                except BadNotation as wrong:
                    raise Refused("notation", str(wrong)) from None
                if isinstance(change, Undo):  # what comes back may not have been seen here
                    await self._look_at(live, after)
                if after.tree == live.study.tree:
                    self._show(live)  # nothing is new, but somebody waits for an answer
                    return
                if await self._append(live, change, after):
                    return
            raise Refused("busy", "Too much happens here at once: please try again.")

    async def _played(self, live: LiveStudy, change: Play, payer: str) -> Play:
        """A move with what chance draws after it, if it is legal; raises Refused."""
        (move, *more), path = change.moves, change.path
        if more:
            raise Refused("notation", "One move at a time.")
        record = live.record(study.written(path))
        if (step := _standing(live.study, path, move)) is not None:
            return step
        await self.fairness.permit_fitting(Asker((live.owner,), payer), record)
        try:
            moves, who = await self.pools.facts.run(
                study_trees.played, record, move, new_seed(self.chance), payer=payer
            )
        except IllegalMove as wrong:
            raise illegal(wrong) from None
        except BadNotation as wrong:
            raise Refused("notation", str(wrong)) from None
        digest = b""
        for one in record.moves:
            digest = trees.after(digest, one)
        for one, mover in zip(moves, who, strict=True):
            digest = trees.after(digest, one)
            live.movers[digest] = mover
        return Play(path, moves)

    async def _append(self, live: LiveStudy, change: Change, after: Study) -> bool:
        """Store a row, then show it. False if another came first: it is read."""
        now, seq, text = self.heartbeat.now(), live.study.rows, str(change)
        try:
            if not await self.store.append(live.id, seq, now, text):
                raise Refused("missing", MISSING)
        except KeyTaken:
            await self._catch_up(live)
            return False
        live.study = after
        self._show(live)
        self.bus.tell(CHANNEL + live.id, News(self.worker, "rows", [(seq, now, text)]))
        return True

    async def _catch_up(self, live: LiveStudy) -> None:
        """Read rows that others stored."""
        rows = await self.store.rows(live.id, live.study.rows)
        if rows:
            now = study.grown(live.study, rows)
            await self._look_at(live, now)
            live.study = now
            self._show(live)

    async def _look_at(self, live: LiveStudy, now: Study) -> None:
        """Find out who makes each move of a study."""
        text = str(now.tree)
        live.movers.update(await self.pools.facts.run(study_trees.movers, text, payer=live.payer))

    def _show(self, live: LiveStudy) -> None:
        for watcher in tuple(live.watchers):
            watcher.send(live.text(watcher.player))

    async def delete(self, live: LiveStudy, player: str) -> None:
        """Forget a study; raises Refused if it is somebody else's."""
        if not await self.owns(live, player):
            raise Refused("owner", "Only who made this study may delete it.")
        await self.store.delete(live.id)
        self.closed(live.id)
        self.bus.tell(CHANNEL + live.id, News(self.worker, "gone"))

    def closed(self, id: str) -> None:
        """A study is no more."""
        if live := self.open.pop(id, None):
            gone = studies.encode(Error("missing", MISSING))
            for watcher in tuple(live.watchers):
                watcher.send(gone)

    def closed_of(self, player: str) -> None:
        """A player is no more, nor are their studies."""
        for id in [id for id, live in self.open.items() if live.owner == player]:
            self.closed(id)

    # What others tell

    async def heard(self, channel: str, news: News) -> None:
        live = self.open.get(channel.removeprefix(CHANNEL))
        if live is None:
            return
        if news.kind == "gone":
            self.closed(live.id)
        elif news.kind == "rows":
            async with live.lock:
                await self._catch_up(live)

    async def catch_up(self) -> None:
        """Read what was missed in every open study; one that is gone is closed."""
        if self.bus.alone or not self.open:
            return
        lengths = await self.store.lengths(list(self.open))
        for id, live in list(self.open.items()):
            if id not in lengths:
                self.closed(id)
            elif lengths[id] > live.study.rows:
                async with live.lock:
                    await self._catch_up(live)

    async def sweep(self) -> None:
        """Close studies that nobody watches."""
        limit = self.clock.monotonic() - QUIET
        for id, live in list(self.open.items()):
            if not live.watchers and not live.lock.locked() and live.used < limit:
                del self.open[id]
                await self.bus.leave(CHANNEL + id)


def _standing(now: Study, path: Path, move: str) -> Play | None:
    """The move if it stands after a step already: nothing is to be judged."""
    tree, there = now.tree.played(path, move) if move else (None, path)
    return Play(path, (move,)) if tree is now.tree and there else None
