"""Games played by the kernels and by plain PyTorch, side by side: for test_gpu.py, in a process of
its own, as Triton's interpreter is chosen before Triton is imported."""

from typing import Any

import torch

from tegel.env.gpu import Batch

STATE = ("squares", "hands", "colour", "single", "over", "lots")
SHOWN = ("planes", "scalars", "mask", "rewards", "done", "mover")
CUDA = torch.cuda.is_available()


def same(one: Batch, other: Batch) -> None:
    for name in STATE:
        assert torch.equal(getattr(one.boards, name), getattr(other.boards, name)), name
    for name in SHOWN:
        here, there = getattr(one, name).float(), getattr(other, name).float()
        assert torch.allclose(here, there, atol=2e-6), name


def compared(variant: str, count: int, rolls: tuple[int, ...], **settings: Any) -> None:
    device = "cuda" if CUDA else "cpu"
    plain = Batch(variant, count, device=device, kernels=False, **settings)
    fast = Batch(variant, count, device=device, kernels=True, **settings)
    for batch in (plain, fast):
        batch.reset(5)
    same(plain, fast)
    steps = ends = 0
    for moves in rolls:
        if not CUDA:  # the interpreter is slow: it begins where plain PyTorch led
            plain.roll(moves)
            for name in STATE:
                getattr(fast.boards, name).copy_(getattr(plain.boards, name))
            moves = 1
        for batch in (plain, fast):
            batch.roll(moves)
        same(plain, fast)
        ends += int(plain.done.sum())
        for _ in range(5 if CUDA else 2):
            actions = plain.sample()
            assert torch.equal(actions, fast.sample())
            wrong = actions.clone()
            wrong[::3] += 2
            wrong[1] = 2**40
            assert torch.equal(plain.boards.may(wrong), fast.boards.may(wrong))
            actions[2] = -1
            for batch in (plain, fast):
                batch.step(actions)
            same(plain, fast)
            steps += 1
            ends += int(plain.done.sum())
    print(f"{variant}: {steps} steps, {ends} ends", flush=True)


if __name__ == "__main__":
    torch.set_num_threads(1)
    compared("duo", 300 if CUDA else 16, (24,))
    if CUDA:
        compared("duo", 300, (13, 9, 21), autoreset=False)
        compared("classic", 300, (45, 21, 30))
        compared("two", 300, (45, 21), corners="fixed")
        compared("three", 300, (45, 21), shared="yellow")
