"""Games played by the kernels and by plain PyTorch, side by side: for test_gpu.py, in a process of
its own, as Triton's interpreter is chosen before Triton is imported.

    python tests/heavy/kernels.py [VARIANT ...]

Without CUDA the kernels run in the interpreter, which takes seconds for what a GPU does at once:
there they begin where plain PyTorch led."""

import sys
from typing import Any

import torch

from tegel.env.gpu import Batch
from tegel.env.gpu.simulator import Simulator
from tegel.games.blokus.gpu.boards import Boards

STATE = ("squares", "hands", "colour", "single", "over", "lots")
TOLD = ("rewards", "done", "mover")
SHOWN = ("planes", "scalars", "mask", *TOLD)
CUDA = torch.cuda.is_available()
# By variant, so many moves in one go, one lot after the other: into the middle, and past an end.
ROLLS = {
    "duo": (13, 9, 21),
    "two": (45, 10),
    "three": (45, 10),
    "teams": (45, 10),
    "classic": (45, 10, 30),
}
OTHERS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("duo", {"autoreset": False}),
    ("two", {"corners": "fixed"}),
    ("three", {"shared": "yellow"}),
)


def alike(one: torch.Tensor, other: torch.Tensor, name: str) -> None:
    assert torch.allclose(one.float(), other.float(), atol=2e-6), name


def same(one: Batch, other: Batch, shown: tuple[str, ...] = SHOWN) -> None:
    for name in STATE:
        assert torch.equal(getattr(one.simulator, name), getattr(other.simulator, name)), name
    for name in shown:
        alike(getattr(one, name), getattr(other, name), name)


def pair(variant: str, count: int, **settings: Any) -> tuple[Batch, Batch]:
    """The same games, played by plain PyTorch and by the kernels."""
    device = "cuda" if CUDA else "cpu"
    plain = Batch(variant, count, device=device, kernels=False, **settings)
    fast = Batch(variant, count, device=device, kernels=True, **settings)
    for batch in (plain, fast):
        batch.reset(5)
    return plain, fast


def stepped(plain: Batch, fast: Batch, shown: tuple[str, ...]) -> None:
    """One step in both; what may not be done is known to both."""
    actions = plain.sample()
    assert torch.equal(actions, fast.sample())
    wrong = actions.clone()
    wrong[::3] += 2
    wrong[1] = 2**40
    assert torch.equal(plain.simulator.may(wrong), fast.simulator.may(wrong))
    actions[2] = -1
    for batch in (plain, fast):
        batch.step(actions)
    same(plain, fast, shown)


def compared(variant: str, **settings: Any) -> None:
    plain, fast = pair(variant, 300, **settings)
    same(plain, fast)
    steps = ends = 0
    for moves in ROLLS[variant]:
        for batch in (plain, fast):
            batch.roll(moves)
        same(plain, fast)
        ends += int(plain.done.sum())
        for _ in range(5):
            stepped(plain, fast, SHOWN)
            steps += 1
            ends += int(plain.done.sum())
    print(f"{variant} {settings}: {steps} steps, {ends} ends", flush=True)


def views(boards: Simulator) -> dict[str, torch.Tensor]:
    """What is shown of games."""
    assert isinstance(boards, Boards)
    t = boards.tables
    planes = boards.zeros(boards.count, t.channels, t.size, t.size, dtype=torch.uint8)
    scalars = boards.zeros(boards.count, t.scalars, dtype=torch.float32)
    boards.show_scalars(scalars, boards.show_planes(planes))
    return {"planes": planes, "scalars": scalars, "mask": boards.legal()}


def interpreted(variant: str) -> None:
    """Two moves by one roll, once in the middle and once where games end; a step; what is seen."""
    plain, fast = pair(variant, 16, planes=False, mask=False)
    ends = 0
    for moves in ROLLS[variant][:2]:
        plain.roll(moves)
        for name in STATE:
            getattr(fast.simulator, name).copy_(getattr(plain.simulator, name))
        for batch in (plain, fast):
            batch.roll(2)
        same(plain, fast, TOLD)
        ends += int(plain.done.sum())
    stepped(plain, fast, TOLD)
    here, there = views(plain.simulator), views(fast.simulator)
    for name, view in here.items():
        alike(view, there[name], name)
    assert ends, "no game ended"
    print(f"{variant}: {ends} ends", flush=True)


if __name__ == "__main__":
    torch.set_num_threads(1)
    asked = sys.argv[1:] or list(ROLLS)
    for variant in asked:
        if not CUDA:
            interpreted(variant)
            continue
        compared(variant)
        for other, settings in OTHERS:
            if other == variant:
                compared(variant, **settings)
