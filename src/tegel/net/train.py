"""Training: self-play and learning side by side, in slices that go on where the last one ended.

A slice writes into its folder: `net.pt` (weights, their running mean, the optimiser), lessons
(`lessons-*.npz`, a sample), the curves (`curve.csv`, `curve.svg`), and what is made of the mean of
the weights: the net (`net.onnx`) with its card (`card.json`). Rows are added to the curve; each
other file is written beside the old one and then put in its place, so that nothing is lost that was
saved before.

Networks of several sizes may learn from the same games, to see which plays best in the time it
takes: the first plays them, the others (`net-4x32.pt`, `net-4x32.onnx`, ...) look on.

With an executor its workers play as well (see `afar`), with the weights of twenty seconds ago."""

import io
import json
import os
import platform
import secrets
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from tegel import games
from tegel.executors import at_once
from tegel.net import curve, lessons, rollouts, transfer
from tegel.net.afar import SECONDS, Afar, Asked, Sent
from tegel.net.files import written
from tegel.net.model import Network, Size, export, fold
from tegel.net.practice import Group, Replay, device_of, player, turned
from tegel.net.pupil import Pupil
from tegel.search import _nets

FILES = 3  # of lessons
SMALL = Size()
EDITION = 1  # of what `net.pt` holds
# What a card says elsewhere, or not.
APART = ("folder", "game", "variant", "size", "beside", "minutes", "device", "known", "save")


@dataclass(frozen=True)
class Plan:
    """How to train; what is tried was measured for Blokus Duo."""

    game: str
    variant: str
    folder: Path
    minutes: float = 8.5  # of this slice
    total: float = 0.0  # of all slices together, to the end of which the rate falls; 0: this one
    size: Size = SMALL
    beside: tuple[Size, ...] = ()  # that learn from the same games
    device: str = "auto"
    games: int = 4096  # at once, in each of two groups
    threads: int = 0  # 0: as many as there are processors
    simulations: tuple[int, int] = (32, 64)  # a move: at first, and later
    considered: tuple[int, int] = (12, 16)
    later: float = 0.35  # after this part of the total
    known: Path | None = None  # the net that it begins with
    start: float = 0.0  # minutes of games of the engine with rollouts, before all else,
    teacher: int = 800  # with so many simulations a move,
    study: float = 16.0  # how often each of their lessons is learned from
    opening: float = 0.5  # of the games begin with moves by lot
    plies: int = 3  # at most
    scale: float = 0.5  # how much values count beside the net's own odds
    batch: int = 2048
    rate: float = 1.2e-3
    memory: float = 0.999  # of the running mean of the weights
    replay: int = 2_000_000  # lessons
    least: int = 200_000  # lessons before learning begins, so that few are not learned by heart
    reuse: float = 8.0  # how often a lesson is learned from, as a mean
    every: float = 20.0  # seconds between rows of the curve
    save: float = 120.0  # seconds between saves
    seed: int = 1


def store(held: dict[str, Any], into: Path) -> None:
    """Write tensors into a file. (PyTorch itself does not tell what was wrong with a disk.)"""
    file = io.BytesIO()
    torch.save(held, file)
    with written(into) as path:
        path.write_bytes(file.getbuffer())


class Training:
    def __init__(
        self, plan: Plan, tell: Callable[[str], None], pool: Executor | None = None
    ) -> None:
        self.plan, self.tell, self.device = plan, tell, device_of(plan.device)
        self.pool, self.training = pool, secrets.token_hex(8)
        game = games.load(plan.game)
        start = game.start(plan.variant)
        if plan.game not in _nets.GAMES or not game.kernel:
            raise ValueError(f"nets can't see this game yet: {plan.game}")
        self.packed = list(game.kernel.pack(start))
        guide = _nets.guide(plan.game, self.packed, 0, {})
        self.shape = guide.shape
        self.symmetries = [
            (torch.tensor(squares, device=self.device), torch.tensor(actions, device=self.device))
            for squares, actions in guide.symmetries()
        ]
        torch.manual_seed(plan.seed)
        if plan.threads and self.device.type == "cpu":
            torch.set_num_threads(plan.threads)
        if self.device.type == "cuda":
            torch.backends.cudnn.benchmark = True
            torch.set_float32_matmul_precision("high")
        self.pupil = Pupil(self.shape, plan.size, self.device)
        self.pupils = [self.pupil]
        self.pupils += [Pupil(self.shape, size, self.device) for size in plan.beside]
        room = plan.replay if self.device.type == "cuda" else min(plan.replay, 50_000)
        self.replay = Replay(room, self.device)
        self.steps = self.learned = self.lessons = self.games = 0
        self.sent = 0  # lessons, by the workers of the executor
        self.minutes = 0.0  # of earlier slices
        # How it began, which is what the first slice was told.
        known = plan.known.name if plan.known else ""
        self.begun: dict[str, Any] = {"start": plan.start, "teacher": plan.teacher, "known": known}
        self.lock = threading.Lock()
        plan.folder.mkdir(parents=True, exist_ok=True)
        if (plan.folder / "net.pt").exists():
            self.resume()
        elif plan.known:
            fresh = transfer.begin(self.pupil.net, plan.known, plan.game, plan.variant)
            self.pupil.mean.load_state_dict(self.pupil.net.state_dict())
            tell(f"begins with {plan.known.name}, and from nothing: {', '.join(fresh)}")

    # One slice

    def run(self) -> None:
        """Play and learn for the minutes of this slice, then save."""
        plan = self.plan
        self.began = time.monotonic()
        threads = plan.threads or os.cpu_count() or 1
        if plan.start and not self.steps:
            self._start(threads)
        folded = player(self.shape, plan.size, self.device)
        fold(self.pupil.mean, folded)
        seeds = [plan.seed * 1000 + int(self.minutes * 60) * 2 + one for one in range(2)]
        groups = [
            Group(
                _nets.school(plan.game, self.packed, plan.games, seed, threads), folded, self.device
            )
            for seed in seeds
        ]
        over = threading.Event()
        failed: list[BaseException] = []
        learner = threading.Thread(target=self._learning, args=(over, failed), daemon=True)
        learner.start()
        afar = Afar(self.pool, at_once(self.pool), self._asked) if self.pool else None
        try:
            self._playing(groups, folded, over, afar)
        except KeyboardInterrupt:
            self.tell("stopped; what was learned is saved")
        finally:
            over.set()
            learner.join()
            if afar:
                afar.leave()
        if failed:
            raise failed[0]
        self.save_net()
        self._save_lessons()
        self.minutes += self.spent

    def _playing(
        self, groups: list[Group], folded: Network, over: threading.Event, afar: Afar | None
    ) -> None:
        plan = self.plan
        taken = lessons.room(self.shape, 8192)
        row = saved = synced = time.monotonic()
        before = [0, 0, 0, 0.0]
        self._practise(groups)
        while self.spent < plan.minutes and not over.is_set():
            for group in groups:
                group.step()
            for group in groups:
                while count := lessons.take(group.school, taken):
                    self.keep(taken, count)
            for sent in afar.came() if afar else ():
                self._receive(sent)
            now = time.monotonic()
            if now - synced > 2 and self.steps:
                synced = now
                for group in groups:
                    group.wait()
                with self.lock:
                    self._settle()
                    fold(self.pupil.mean, folded)
                    self._settle()
            if now - row > plan.every:
                before = self._row(groups, before, now - row)
                row = now
                self._practise(groups)
            if now - saved > plan.save:
                saved = now
                self.save_net()
        if not over.is_set():
            self._row(groups, before, time.monotonic() - row)

    def _start(self, threads: int) -> None:
        """Learn from games of the engine with rollouts."""
        plan = self.plan
        for found in rollouts.games(
            plan.game, self.packed, plan.start, threads, plan.seed, plan.teacher
        ):
            self.keep(found, len(found["ends"]))
        self.tell(f"{self.replay.size} positions of games with rollouts")
        while self.learned < self.replay.total * plan.study and self.spent < plan.minutes:
            self.learn()
        policy, win, *_ = self.pupil.told()
        self.tell(f"{self.steps} steps, policy {policy:.4g} win {win:.4g}")
        self.learned = 0

    def _settle(self) -> None:
        """Wait until the device has done what it was told."""
        if self.device.type == "cuda":
            torch.cuda.synchronize()

    def _practise(self, groups: list[Group]) -> None:
        for group in groups:
            group.school.practise(self._settings())

    def _settings(self) -> dict[str, float]:
        """Of the games now."""
        plan, late = self.plan, self.part > self.plan.later
        return {
            "simulations": plan.simulations[late],
            "considered": plan.considered[late],
            "opening": plan.opening,
            "plies": plan.plies,
            "scale": plan.scale,
        }

    def _asked(self) -> Asked:
        """What a worker is to do next."""
        plan, weights = self.plan, io.BytesIO()
        with self.lock:
            self._settle()
            mean = self.pupil.copied(self.pupil.mean).cpu()
        folded = Network(self.shape, plan.size, folded=True)
        fold(mean, folded)
        torch.save(folded.state_dict(), weights)
        return Asked(
            self.training, plan.game, tuple(self.packed), plan.size, plan.games, plan.threads,
            min(SECONDS, 20 * plan.minutes), self._settings(), weights.getvalue(),
        )  # fmt: skip

    def _receive(self, sent: Sent) -> None:
        found = lessons.unpack(io.BytesIO(sent.lessons), self.shape)
        self.games += sent.ended
        self.sent += len(found["ends"])
        if len(found["ends"]):
            self.keep(found, len(found["ends"]))

    def keep(self, taken: lessons.Lessons, count: int) -> None:
        """Lessons for the replay."""
        tensors = {}
        for name, one in taken.items():
            tensor = torch.from_numpy(one[:count])
            tensors[name] = tensor.half() if name in lessons.KEPT else tensor
        self.replay.add(tensors, count)
        self.lessons += count

    @property
    def spent(self) -> float:
        """Minutes of this slice."""
        return (time.monotonic() - self.began) / 60

    @property
    def part(self) -> float:
        """How much of the total is done."""
        total = max(self.plan.total, self.minutes + self.plan.minutes)
        return min(1.0, (self.minutes + self.spent) / total)

    # Learning

    def _learning(self, over: threading.Event, failed: list[BaseException]) -> None:
        try:
            stream = torch.cuda.Stream() if self.device.type == "cuda" else None
            with torch.cuda.stream(stream):
                while not over.is_set():
                    enough = self.replay.size >= min(self.plan.least, self.replay.room // 3)
                    if not enough or self.learned > self.replay.total * self.plan.reuse:
                        time.sleep(0.005)
                        continue
                    self.learn()
                    if stream and self.steps % 4 == 0:
                        stream.synchronize()
        except BaseException as error:
            failed.append(error)
            over.set()

    def learn(self) -> None:
        """One step."""
        plan, part = self.plan, self.part
        rate = plan.rate * (1 if part < 0.5 else max(0.04, 2 * (1 - part)))
        batch = turned(self.replay.drawn(plan.batch), self.symmetries)
        for pupil in self.pupils:
            told = pupil.learn(batch, rate)
            with self.lock:
                pupil.settle(told, plan.memory)
        self.steps += 1
        self.learned += plan.batch

    # What is told and kept

    def _row(self, groups: list[Group], before: list[Any], seconds: float) -> list[Any]:
        played = [group.school.played for group in groups]
        now = [
            sum(one[0] for one in played),
            sum(one[1] for one in played),
            sum(group.judged for group in groups),
            sum(one[2] for one in played),
        ]
        ended, searched, judged, first = (a - b for a, b in zip(now, before, strict=True))
        self.games += ended
        with self.lock:
            self._settle()
            told = self.pupil.told()
            beside = [(pupil.size, pupil.told()) for pupil in self.pupils[1:]]
        row = {
            "minutes": self.minutes + self.spent,
            "games": float(self.games),
            "lessons": float(self.lessons),
            "steps": float(self.steps),
            "judged": judged / seconds,
            "plies": searched / max(1, ended),
            "first": first / max(1, ended),
            **dict(zip(("policy", "win", "value", "owned", "right", "same"), told, strict=True)),
        }
        curve.add(self.plan.folder / "curve.csv", row)
        busy = " ".join(
            f"{sum(getattr(group, name) for group in groups) / seconds:.2f}"
            for name in ("played", "waited")
        )
        for group in groups:
            group.played = group.waited = 0.0
        busy += f"; each lesson learned from {self.learned / max(1, self.replay.total):.1f} times"
        if self.pool:
            busy += f"; {self.sent} lessons from afar"
        shown = ("games", "steps", "judged", "first", "policy", "win", "owned", "right", "same")
        words = " ".join(f"{name} {row[name]:.4g}" for name in shown)
        self.tell(f"{row['minutes']:5.1f} min {words} ({busy})")
        for size, (policy, win, *_) in beside:
            self.tell(f"  {size}: policy {policy:.4g} win {win:.4g}")
        return now

    def save_net(self) -> None:
        """Write the weights, the net and its card."""
        folder = self.plan.folder
        minutes = self.minutes + self.spent
        with self.lock:
            self._settle()
            means = [pupil.copied(pupil.mean) for pupil in self.pupils]
            saved = {
                "edition": EDITION,
                "game": self.plan.game,
                "variant": self.plan.variant,
                "size": asdict(self.plan.size),
                **self.pupil.saved(),
                "begun": self.begun,
                "counts": [self.steps, self.learned, self.lessons, self.games],
                "minutes": minutes,
            }
            store(saved, folder / "net.pt")
            for pupil in self.pupils[1:]:
                store(pupil.saved(), folder / f"net-{pupil.size}.pt")
        for number, mean in enumerate(means):
            name = f"net-{mean.size}.onnx" if number else "net.onnx"
            with written(folder / name) as path:
                path.write_bytes(export(mean))
        with written(folder / "card.json") as path:
            path.write_text(json.dumps(self.card(minutes), indent=2) + "\n", "utf-8")
        with written(folder / "curve.svg") as path:
            path.write_text(curve.svg(curve.rows(folder / "curve.csv")), "utf-8")

    def _save_lessons(self) -> None:
        """Write a sample of the replay, by lot, in some files."""
        if not self.replay.size:
            return
        some = min(self.replay.size, 20_000)
        for number in range(FILES if some == 20_000 else 1):
            drawn = {name: one.cpu().numpy() for name, one in self.replay.drawn(some).items()}
            with written(self.plan.folder / f"lessons-{number}.npz") as path:
                lessons.pack(drawn, path)

    def card(self, minutes: float) -> dict[str, Any]:
        settings = {name: value for name, value in asdict(self.plan).items() if name not in APART}
        settings |= self.begun
        gpu = torch.cuda.get_device_name() if self.device.type == "cuda" else "none"
        return {
            "game": self.plan.game,
            "variant": self.plan.variant,
            "size": asdict(self.plan.size),
            "weights": sum(one.numel() for one in self.pupil.net.parameters()),
            "data": f"{self.games} games of self-play, {self.lessons} positions in all",
            "steps": self.steps,
            "minutes": round(minutes, 1),
            "gpu": gpu,
            "processors": f"{os.cpu_count()} x {platform.machine()}",
            "torch": torch.__version__,
            "settings": settings,
        }

    def _loaded(self, path: Path) -> dict[str, Any]:
        try:
            saved = torch.load(path, map_location=self.device, weights_only=True)
        except Exception as error:  # torch has many kinds of errors for a broken file
            raise ValueError(f"{path}: not a training: {type(error).__name__}") from None
        if not isinstance(saved, dict) or "net" not in saved:
            raise ValueError(f"{path}: not a training")
        return saved

    def resume(self) -> None:
        """Go on with what an earlier slice saved."""
        path = self.plan.folder / "net.pt"
        saved = self._loaded(path)
        known = saved.get("edition") == EDITION
        mine = (self.plan.game, self.plan.variant, asdict(self.plan.size))
        theirs = tuple(saved.get(name) for name in ("game", "variant", "size"))
        if not known or theirs != mine:
            raise ValueError(f"{path}: a training of {theirs[0]} {theirs[1]} with {theirs[2]}")
        begun = saved.get("begun", self.begun | {"known": ""})  # which old ones do not say
        if self.plan.known and begun["known"] != self.begun["known"]:
            raise ValueError(f"{path}: a training that began with {begun['known'] or 'nothing'}")
        self.begun = begun
        self.pupil.resume(saved)
        for pupil in self.pupils[1:]:
            if (path := self.plan.folder / f"net-{pupil.size}.pt").exists():
                pupil.resume(self._loaded(path))
        self.steps, self.learned, self.lessons, self.games = saved["counts"]
        self.minutes = saved["minutes"]
        for file in sorted(self.plan.folder.glob("lessons-*.npz")):
            found = {
                name: torch.from_numpy(one)
                for name, one in lessons.unpack(file, self.shape).items()
            }
            self.replay.add(found, len(found["ends"]))
        self.learned = 0  # of the lessons that are here
        self.tell(f"going on after {self.minutes:.1f} minutes with {self.replay.size} lessons")
