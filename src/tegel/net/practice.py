"""Self-play on a device: groups of games whose positions a network judges in one batch."""

import time
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from tegel.net.model import Network, Size, said
from tegel.search.nets import SAID


def device_of(name: str) -> torch.device:
    """The device of a name; `auto` is a GPU if there is one."""
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    if name not in ("cuda", "cpu"):
        raise ValueError(f"a device is auto, cuda or cpu, not {name}")
    if name == "cuda" and not torch.cuda.is_available():
        raise ValueError("there is no GPU that PyTorch can use here")
    return torch.device(name)


def player(shape: Any, size: Size, device: torch.device) -> Network:
    """A network that plays on a device and learns nothing; its weights are to come."""
    net = Network(shape, size, folded=True).to(device).eval()
    if device.type == "cuda":
        net = net.to(torch.bfloat16).to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    return net


class Group:
    """Games that wait for the same batches. While a device judges one group's positions, the
    processors play on in another's."""

    def __init__(self, school: Any, net: Network, device: torch.device) -> None:
        self.school, self.net, self.device = school, net, device
        self.cuda = device.type == "cuda"
        shape, count = school.shape, school.count
        self.planes = self._host(count, shape.channels, shape.height, shape.width, kind=torch.uint8)
        self.scalars = self._host(count, shape.scalars)
        self.actions = self._host(count * shape.moves, kind=torch.int64)
        self.logits = self._host(count * shape.moves)
        self.values = self._host(count, shape.sides, SAID)
        self.arrays = [
            one.numpy()
            for one in (self.logits, self.values, self.planes, self.scalars, self.actions)
        ]
        self.judged = 0
        self.played = self.waited = 0.0  # seconds
        if self.cuda:
            self.there = [one.to(device) for one in (self.planes, self.scalars, self.actions)]
            self.stream, self.ready = torch.cuda.Stream(), torch.cuda.Event()
            self._capture()

    def _host(self, *sizes: int, kind: torch.dtype = torch.float32) -> Tensor:
        return torch.zeros(*sizes, dtype=kind, pin_memory=self.cuda)

    @torch.no_grad()
    def _judge(self, planes: Tensor, scalars: Tensor) -> tuple[Tensor, Tensor]:
        policy, raw, _ = self.net(planes, scalars)
        return policy.contiguous().view(-1), said(raw)

    def _capture(self) -> None:
        planes, scalars, _ = self.there
        with torch.cuda.stream(self.stream):
            for _ in range(3):
                self._judge(planes, scalars)
            self.stream.synchronize()
            self.graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(
                self.graph, stream=self.stream, capture_error_mode="thread_local"
            ):
                self.out = self._judge(planes, scalars)

    def step(self) -> None:
        """Play on with what the network said, and ask it for what waits then."""
        began = time.perf_counter()
        self.wait()
        ready = time.perf_counter()
        moves: int = self.school.step(*self.arrays)
        self.waited += ready - began
        self.played += time.perf_counter() - ready
        self._ask(moves)
        self.judged += self.school.count

    def wait(self) -> None:
        if self.cuda and self.judged:
            self.ready.synchronize()

    @torch.no_grad()
    def _ask(self, moves: int) -> None:
        if not self.cuda:
            policy, values = self._judge(self.planes, self.scalars)
            self.logits[:moves] = policy[self.actions[:moves]]
            self.values.copy_(values)
            return
        planes, scalars, actions = self.there
        with torch.cuda.stream(self.stream):
            planes.copy_(self.planes, non_blocking=True)
            scalars.copy_(self.scalars, non_blocking=True)
            actions[:moves].copy_(self.actions[:moves], non_blocking=True)
            self.graph.replay()
            policy, values = self.out
            self.logits[:moves].copy_(policy[actions[:moves]].float(), non_blocking=True)
            self.values.copy_(values, non_blocking=True)
            self.ready.record(self.stream)


class Replay:
    """The latest lessons, on a device."""

    def __init__(self, room: int, device: torch.device) -> None:
        self.room, self.device = room, device
        self.size = self.at = self.total = 0
        self.parts: dict[str, Tensor] = {}

    def add(self, lessons: dict[str, Tensor], count: int) -> None:
        if not self.parts:
            self.parts = {
                name: torch.zeros(self.room, *one.shape[1:], dtype=one.dtype, device=self.device)
                for name, one in lessons.items()
            }
        done = 0
        while done < count:
            some = min(count - done, self.room - self.at)
            for name, one in lessons.items():
                self.parts[name][self.at : self.at + some].copy_(one[done : done + some])
            self.at = (self.at + some) % self.room
            self.size = min(self.room, self.size + some)
            self.total += some
            done += some

    def drawn(self, count: int) -> dict[str, Tensor]:
        """Some lessons, by lot."""
        lot = torch.randint(self.size, (count,), device=self.device)
        return {name: one[lot] for name, one in self.parts.items()}


def turned(
    lessons: dict[str, Tensor], symmetries: Sequence[tuple[Tensor, Tensor]]
) -> dict[str, Tensor]:
    """Lessons as a symmetry shows them, by lot, or as they are."""
    number = int(torch.randint(len(symmetries) + 1, ()))
    if number == len(symmetries):
        return lessons
    squares, actions = symmetries[number]
    planes, owned, moves = lessons["planes"], lessons["owned"], lessons["actions"]
    return {
        **lessons,
        "planes": planes.flatten(2)[:, :, squares].view_as(planes),
        "owned": owned.flatten(1)[:, squares].view_as(owned),
        "actions": torch.where(moves < 0, moves, actions[moves.clamp(min=0)]),
    }
