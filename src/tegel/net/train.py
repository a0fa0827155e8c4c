"""Training: self-play and learning side by side, in slices that go on where the last one ended.

A slice writes into its folder: `net.pt` (weights, their running mean, the optimiser), lessons
(`lessons-*.npz`, a sample), the curves (`curve.csv`, `curve.svg`), and what is made of the mean of
the weights: the net (`net.onnx`) with its card (`card.json`). Each file is written beside the old
one and then put in its place, so that nothing is lost that was saved before."""

import json
import os
import platform
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from tegel import games
from tegel.net import curve, lessons, rollouts
from tegel.net.files import written
from tegel.net.loss import losses
from tegel.net.model import Network, Size, export, fold
from tegel.net.practice import Group, Replay, turned
from tegel.search import _nets

FILES = 3  # of lessons
SMALL = Size()
EDITION = 1  # of what `net.pt` holds


@dataclass(frozen=True)
class Plan:
    """How to train; what is tried was measured for Blokus Duo."""

    game: str
    variant: str
    folder: Path
    minutes: float = 8.5  # of this slice
    total: float = 0.0  # of all slices together, to the end of which the rate falls; 0: this one
    size: Size = SMALL
    device: str = "auto"
    games: int = 4096  # at once, in each of two groups
    threads: int = 0  # 0: as many as there are processors
    simulations: tuple[int, int] = (32, 64)  # a move: at first, and later
    considered: tuple[int, int] = (12, 16)
    later: float = 0.35  # after this part of the total
    start: float = 0.0  # minutes of games of the engine with rollouts, before all else
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


def device_of(name: str) -> torch.device:
    """The device of a name; `auto` is a GPU if there is one."""
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    if name not in ("cuda", "cpu"):
        raise ValueError(f"a device is auto, cuda or cpu, not {name}")
    if name == "cuda" and not torch.cuda.is_available():
        raise ValueError("there is no GPU that PyTorch can use here")
    return torch.device(name)


class Training:
    def __init__(self, plan: Plan, tell: Callable[[str], None]) -> None:
        self.plan, self.tell, self.device = plan, tell, device_of(plan.device)
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
        self.net = Network(self.shape, plan.size).to(self.device)
        self.mean = self._copy(self.net)
        if self.device.type == "cuda":
            torch.backends.cudnn.benchmark = True
            torch.set_float32_matmul_precision("high")
            self.net = self.net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.optimiser = torch.optim.AdamW(
            self.net.parameters(), plan.rate, weight_decay=2e-4, fused=self.device.type == "cuda"
        )
        room = plan.replay if self.device.type == "cuda" else min(plan.replay, 50_000)
        self.replay = Replay(room, self.device)
        self.steps = self.learned = self.lessons = self.games = 0
        self.minutes = 0.0  # of earlier slices
        self.lock = threading.Lock()
        self.losses = torch.zeros(6, device=self.device)
        self.summed = 0
        plan.folder.mkdir(parents=True, exist_ok=True)
        if (plan.folder / "net.pt").exists():
            self.resume()

    def _copy(self, net: Network) -> Network:
        made = Network(self.shape, self.plan.size).to(self.device)
        made.load_state_dict(net.state_dict())
        return made

    # One slice

    def run(self) -> None:
        """Play and learn for the minutes of this slice, then save."""
        plan = self.plan
        self.began = time.monotonic()
        threads = plan.threads or os.cpu_count() or 1
        if plan.start and not self.steps:
            self._start(threads)
        folded = Network(self.shape, plan.size, folded=True).to(self.device).eval()
        fold(self.mean, folded)
        if self.device.type == "cuda":
            folded = folded.to(torch.bfloat16).to(memory_format=torch.channels_last)  # type: ignore[call-overload]
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
        try:
            self._playing(groups, folded, over)
        except KeyboardInterrupt:
            self.tell("stopped; what was learned is saved")
        finally:
            over.set()
            learner.join()
        if failed:
            raise failed[0]
        self.save()

    def _playing(self, groups: list[Group], folded: Network, over: threading.Event) -> None:
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
            now = time.monotonic()
            if now - synced > 2 and self.steps:
                synced = now
                for group in groups:
                    group.wait()
                with self.lock:
                    self._settle()
                    fold(self.mean, folded)
                    self._settle()
            if now - row > plan.every:
                before = self._row(groups, before, now - row)
                row = now
                self._practise(groups)
            if now - saved > plan.save:
                saved = now
                self.save()

    def _start(self, threads: int) -> None:
        """Learn from games of the engine with rollouts."""
        plan = self.plan
        for found in rollouts.games(plan.game, self.packed, plan.start, threads, plan.seed):
            self.keep(found, len(found["ends"]))
        self.tell(f"{self.replay.size} positions of games with rollouts")
        while self.learned < self.replay.total * plan.reuse and self.spent < plan.minutes:
            self.learn()

    def _settle(self) -> None:
        """Wait until the device has done what it was told."""
        if self.device.type == "cuda":
            torch.cuda.synchronize()

    def _practise(self, groups: list[Group]) -> None:
        plan, late = self.plan, self.part > self.plan.later
        for group in groups:
            group.school.practise(
                {
                    "simulations": plan.simulations[late],
                    "considered": plan.considered[late],
                    "opening": plan.opening,
                    "plies": plan.plies,
                    "scale": plan.scale,
                }
            )

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
        slow = min(1.0, self.steps / 200 + 0.01) * (1 if part < 0.5 else max(0.04, 2 * (1 - part)))
        for group in self.optimiser.param_groups:
            group["lr"] = plan.rate * slow
        batch = turned(self.replay.drawn(plan.batch), self.symmetries)
        self.net.train()
        cuda = self.device.type == "cuda"
        with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=cuda):
            policy, raw, trunk = self.net(batch["planes"], batch["scalars"])
            owners = self.net.owners(trunk)
        loss, told = losses(policy.float(), raw.float(), owners.float(), batch)
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 2.0)
        self.optimiser.step()
        with torch.no_grad(), self.lock:
            memory = min(plan.memory, 0.9 + self.steps * 1e-3)
            means, nows = (
                [one for one in net.state_dict().values() if one.dtype.is_floating_point]
                for net in (self.mean, self.net)
            )
            torch._foreach_lerp_(means, nows, 1 - memory)
            self.losses += told
            self.summed += 1
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
            told = (self.losses / max(1, self.summed)).tolist()
            self.losses.zero_()
            self.summed = 0
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
        shown = ("games", "steps", "judged", "first", "policy", "win", "owned", "right", "same")
        words = " ".join(f"{name} {row[name]:.4g}" for name in shown)
        self.tell(f"{row['minutes']:5.1f} min {words} ({busy})")
        return now

    def save(self) -> None:
        """Write everything that the next slice needs, the net and its card."""
        folder = self.plan.folder
        minutes = self.minutes + self.spent
        with self.lock:
            self._settle()
            mean = self._copy(self.mean).cpu()
            saved = {
                "edition": EDITION,
                "game": self.plan.game,
                "variant": self.plan.variant,
                "size": asdict(self.plan.size),
                "net": self.net.state_dict(),
                "mean": self.mean.state_dict(),
                "optimiser": self.optimiser.state_dict(),
                "counts": [self.steps, self.learned, self.lessons, self.games],
                "minutes": minutes,
            }
            with written(folder / "net.pt") as path:
                torch.save(saved, path)
        with written(folder / "net.onnx") as path:
            export(mean, path)
        with written(folder / "card.json") as path:
            path.write_text(json.dumps(self.card(minutes), indent=2) + "\n", "utf-8")
        with written(folder / "curve.svg") as path:
            path.write_text(curve.svg(curve.rows(folder / "curve.csv")), "utf-8")
        self._save_lessons()

    def _save_lessons(self) -> None:
        """A sample of the replay, by lot, in some files."""
        if not self.replay.size:
            return
        some = min(self.replay.size, 20_000)
        for number in range(FILES if some == 20_000 else 1):
            drawn = {name: one.cpu().numpy() for name, one in self.replay.drawn(some).items()}
            with written(self.plan.folder / f"lessons-{number}.npz") as path:
                lessons.pack(drawn, path)

    def card(self, minutes: float) -> dict[str, Any]:
        settings = {
            name: value
            for name, value in asdict(self.plan).items()
            if name not in ("folder", "game", "variant", "size", "minutes", "device", "save")
        }
        gpu = torch.cuda.get_device_name() if self.device.type == "cuda" else "none"
        return {
            "game": self.plan.game,
            "variant": self.plan.variant,
            "size": asdict(self.plan.size),
            "weights": sum(one.numel() for one in self.net.parameters()),
            "data": f"{self.games} games of self-play, {self.lessons} positions in all",
            "steps": self.steps,
            "minutes": round(minutes, 1),
            "gpu": gpu,
            "processors": f"{os.cpu_count()} x {platform.machine()}",
            "torch": torch.__version__,
            "settings": settings,
        }

    def resume(self) -> None:
        """Go on with what an earlier slice saved."""
        path = self.plan.folder / "net.pt"
        try:
            saved = torch.load(path, map_location=self.device, weights_only=True)
            known = saved["edition"] == EDITION
        except Exception as error:  # torch has many kinds of errors for a broken file
            raise ValueError(f"{path}: not a training: {type(error).__name__}") from None
        mine = (self.plan.game, self.plan.variant, asdict(self.plan.size))
        if not known or (saved["game"], saved["variant"], saved["size"]) != mine:
            raise ValueError(
                f"{path}: a training of {saved['game']} {saved['variant']} with {saved['size']}"
            )
        self.net.load_state_dict(saved["net"])
        self.mean.load_state_dict(saved["mean"])
        self.optimiser.load_state_dict(saved["optimiser"])
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
