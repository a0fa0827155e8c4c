"""What a net gains by what it sees and by its side task: it learns from the same lessons, of games
of the engine with rollouts, with and without; what is told is about games that it did not see.

    python bench/inputs.py [--variant duo] [--minutes 4] [--epochs 6] [--size 4x32] [--threads 1]
        [--seed 1] [--without moves reach,moves owners]

Names are those of planes, without their numbers; `owners` is the side task: whose each square will
be. Needs PyTorch (`pip install 'tegel[train]'`).

- `policy`: what its odds of moves lack to the engine's, in nats; `win`: its surprise at who won;
- `same`: how often its likeliest move was the engine's; `right`: how often its winner won."""

import argparse
import time
from importlib import import_module
from typing import Any

import numpy as np
import torch

from tegel import games
from tegel.net import rollouts
from tegel.net.loss import losses
from tegel.net.model import Network, Size
from tegel.net.practice import turned
from tegel.search import _nets

BATCH, RATE, WARM = 256, 1.5e-3, 100
TEACHER = 400  # simulations a move
UNSEEN = 0.1  # of the games
TOLD = ("policy", "win", "value", "squares", "right", "same")
Lessons = dict[str, torch.Tensor]


def gathered(
    game: str, packed: list[int], minutes: float, threads: int, seed: int
) -> tuple[Lessons, Lessons]:
    """Lessons to learn from, and those of games that it is asked about."""
    played = list(rollouts.games(game, packed, minutes, threads, seed, TEACHER))
    cut = max(1, int(UNSEEN * len(played)))

    def joined(some: list[Any]) -> Lessons:
        return {
            name: torch.from_numpy(np.concatenate([one[name] for one in some])) for name in some[0]
        }

    print(f"{len(played)} games", flush=True)
    return joined(played[cut:]), joined(played[:cut])


def judged(net: Network, lessons: Lessons, owners: bool) -> tuple[torch.Tensor, torch.Tensor]:
    policy, raw, trunk = net(lessons["planes"], lessons["scalars"])
    return losses(policy, raw, net.owners(trunk if owners else trunk.detach()), lessons)


def learned(
    lessons: Lessons, net: Network, epochs: float, owners: bool, symmetries: list[Any]
) -> None:
    count = len(lessons["ends"])
    steps = int(epochs * count / BATCH)
    optimiser = torch.optim.AdamW(net.parameters(), weight_decay=2e-4)
    net.train()
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = RATE * min(1.0, step / WARM + 0.01, 2 * (1 - step / steps))
        lot = torch.randint(count, (BATCH,))
        batch = turned({name: one[lot] for name, one in lessons.items()}, symmetries)
        loss, _ = judged(net, batch, owners)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimiser.step()


def asked(net: Network, lessons: Lessons) -> torch.Tensor:
    net.eval()
    count, told = len(lessons["ends"]), torch.zeros(len(TOLD))
    with torch.no_grad():
        for at in range(0, count, BATCH):
            some = {name: one[at : at + BATCH] for name, one in lessons.items()}
            told += judged(net, some, True)[1] * len(some["ends"]) / count
    return told


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--game", default="blokus")
    parser.add_argument("--variant", default="duo")
    parser.add_argument("--minutes", type=float, default=4)
    parser.add_argument("--epochs", type=float, default=6)
    parser.add_argument("--size", default="4x32")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--without", nargs="*", default=["moves", "reach,moves", "owners"])
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    game = games.load(args.game)
    start = game.start(args.variant)
    assert game.kernel
    packed = list(game.kernel.pack(start))
    guide = _nets.guide(args.game, packed, 0, {})
    symmetries = [tuple(map(torch.tensor, one)) for one in guide.symmetries()]
    names = import_module(f"tegel.games.{args.game}.planes").channels(start)
    learn, ask = gathered(args.game, packed, args.minutes, args.threads, args.seed)
    print(
        f"{len(learn['ends'])} lessons to learn from, {len(ask['ends'])} to ask about", flush=True
    )
    for without in ("", *args.without):
        words = without.split(",")
        seen = torch.tensor([name.rstrip(" 0123456789") not in words for name in names])
        torch.manual_seed(args.seed)
        net = Network(guide.shape, Size(*map(int, args.size.split("x"))))
        ours, theirs = (
            {**one, "planes": one["planes"] * seen[:, None, None]} for one in (learn, ask)
        )
        began = time.monotonic()
        learned(ours, net, args.epochs, "owners" not in words, symmetries)
        told = " ".join(
            f"{name} {value:.3f}" for name, value in zip(TOLD, asked(net, theirs), strict=True)
        )
        print(
            f"without {without or 'nothing'}: {told} ({time.monotonic() - began:.0f} s)", flush=True
        )


if __name__ == "__main__":
    main()
