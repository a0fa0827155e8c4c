"""Many games of Blokus over PyTorch's tensors: at every ply what the law has, in plain PyTorch; and
the kernels, in Triton's interpreter where there is no GPU, do the same as that."""

import doctest
import os
import random
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from seen import TABLES, Table, named, planes_of, start
from tegel import games
from tegel.env.sight import rewards
from tegel.game import game_of
from toy import GAME as TOY

torch = pytest.importorskip("torch")
GAMES = 3
BLOKUS = [table for table in TABLES if table[0] == "blokus"]
SHOWN = ("planes", "scalars", "mask", "rewards", "done", "mover")


def made(table: Table = BLOKUS[0], count: int = GAMES, **settings: Any) -> Any:
    from tegel.env.gpu import Batch

    return Batch(table[1], count, **{**settings, **table[2]})


def compare(batch: Any, number: int, state: Any, drawn: Any) -> None:
    """A game of a batch and the same by the law."""
    kernel = game_of(state).kernel
    assert kernel
    assert batch.packed(number) == list(kernel.pack(state))
    assert batch.mover[number] == state.turn
    legal = sorted(drawn.action(state, move) for move in state.moves())
    assert batch.mask[number].nonzero()[:, 0].tolist() == legal
    assert batch.planes[number].tolist() == drawn.layers(state)
    assert batch.scalars[number].tolist() == pytest.approx(drawn.scalars(state), abs=1e-6)


@pytest.mark.parametrize("table", BLOKUS, ids=named)
def test_batch_and_law_agree_at_every_ply(table: Table, rng: random.Random, soak: bool) -> None:
    batch, drawn = made(table), planes_of(table)
    batch.reset(rng.getrandbits(64))
    states, ends = [start(table) for _ in range(GAMES)], 0
    while ends < (20 if soak else 2):
        for number in range(GAMES) if soak else [rng.randrange(GAMES)]:
            compare(batch, number, states[number], drawn)
        actions = batch.sample()
        batch.step(actions)
        for number, state in enumerate(states):
            after = state.play(drawn.move_of(state, int(actions[number])))
            brought = rewards(after)
            assert batch.rewards[number].tolist() == pytest.approx(brought)
            assert bool(batch.done[number]) == bool(after.outcome)
            ends += bool(after.outcome)
            states[number] = start(table) if after.outcome else after


def test_a_roll_is_as_many_samples_and_steps() -> None:
    one, many = made(count=5), made(count=5)
    for batch in (one, many):
        batch.reset(3)
    ended, brought = torch.zeros(5, dtype=torch.bool), torch.zeros(5, 2)
    for _ in range(40):
        many.step(many.sample())
        ended |= many.done
        brought += many.rewards
    one.roll(40)
    assert ended.any()
    assert torch.equal(one.done, ended)
    assert torch.equal(one.rewards, brought)
    for name in ("planes", "scalars", "mask", "mover"):
        assert torch.equal(getattr(one, name), getattr(many, name))
    assert torch.equal(one.sample(), many.sample())


def test_the_same_seeds_give_the_same_games_and_others_others() -> None:
    one, same, other = made(count=20), made(count=20), made(count=20)
    for batch, seed in ((one, 5), (same, list(range(5, 25))), (other, 25)):
        batch.reset(seed)
        batch.roll(10)
    assert torch.equal(one.planes, same.planes)
    assert not torch.equal(one.planes, other.planes)


def test_every_legal_action_is_drawn_with_the_same_chance() -> None:
    batch = made(count=414 * 20, planes=False, mask=False)
    batch.reset(1)
    found = batch.sample().bincount()
    assert (found > 0).sum() == 414
    assert found.max() < 20 + 6 * 20**0.5
    chi = ((found[found > 0] - 20.0) ** 2 / 20).sum()
    assert 413 - 6 * 826**0.5 < chi < 413 + 6 * 826**0.5


def test_legal_actions_as_a_list_are_those_of_the_mask() -> None:
    batch, blind = made(count=4), made(count=4, mask=False)
    for one in (batch, blind):
        one.reset(1)
        one.roll(9)
    offsets, actions = batch.legal()
    for number in range(4):
        mine = actions[offsets[number] : offsets[number + 1]]
        assert mine.tolist() == batch.mask[number].nonzero()[:, 0].tolist()
    assert torch.equal(actions, blind.legal()[1])


def test_without_autoreset_a_game_that_is_over_stays_so() -> None:
    batch = made(count=2, autoreset=False)
    batch.reset(3)
    while not batch.done.any():
        batch.step(batch.sample())
    over = int(batch.done.int().argmax())
    assert batch.mover[over] == -1
    assert not batch.mask[over].any()
    assert not batch.planes[over].any()
    assert not batch.scalars[over].any()
    assert sorted(batch.rewards[over].tolist()) in ([-1, 1], [0, 0])
    actions = batch.sample()
    assert actions[over] == -1
    batch.step(actions)
    assert not batch.done[over]
    actions[over] = 17
    with pytest.raises(ValueError, match=f"game {over} is over"):
        batch.step(actions)
    batch.reset([1, 2], torch.arange(2) == over)
    assert batch.mover[over] == 0
    batch.roll(100)
    assert batch.mover.tolist() == [-1, -1]


def test_what_is_wrong_changes_nothing() -> None:
    batch = made(count=4)
    for work in (batch.sample, batch.legal, lambda: batch.roll(1)):
        with pytest.raises(ValueError, match="reset"):
            work()
    with pytest.raises(ValueError, match="reset"):
        batch.step(torch.zeros(4, dtype=torch.int64))
    batch.reset(1)
    batch.step(batch.sample())
    good = batch.sample()
    before = {name: getattr(batch, name).clone() for name in SHOWN}
    packed = [batch.packed(number) for number in range(4)]
    illegal, far = good.clone(), good.clone()
    illegal[2] = int((~batch.mask[2]).int().argmax())
    far[3] = 2**40
    for wrong, says in [
        (illegal, "game 2 has no legal action"),
        (far, "game 3 has no legal action"),
        (good[:3], "shape"),
        (good[:, None], "shape"),
        (good.float(), "float32"),
        (good.tolist(), "list"),
        (None, "NoneType"),
    ]:
        with pytest.raises(ValueError, match=says):
            batch.step(wrong)
    for seeds in ([1, 2], "abcd", 1.5, None, [None] * 4, torch.zeros(4, 2)):
        with pytest.raises(ValueError, match="seeds"):
            batch.reset(seeds)
    with pytest.raises(ValueError, match="which"):
        batch.reset(1, torch.ones(4))
    for moves in (-1, 1.5, None):
        with pytest.raises(ValueError, match="moves"):
            batch.roll(moves)
    for name, value in before.items():
        assert torch.equal(getattr(batch, name), value)
    assert [batch.packed(number) for number in range(4)] == packed
    batch.step(good.to(torch.int32))


def test_bad_batches_are_refused_in_a_sentence() -> None:
    refused: list[tuple[dict[str, Any], str]] = [
        ({"count": 0}, "games"),
        ({"device": "nowhere"}, "no such device"),
        ({"device": "cuda:99"}, "no such device"),
        ({"corners": "fixed"}, "corners"),
        ({"kernels": True}, "CUDA"),
    ]
    for settings, says in refused:
        with pytest.raises(ValueError, match=says):
            made(**settings)
    with pytest.raises(ValueError, match="variant"):
        made(("blokus", "five", {}))
    with pytest.raises(ValueError, match="games are numbered 0 to"):
        made().packed(9)


class Words:
    """The toy game without its draws: each says `a` or `b`, that is 0 or 1, six times in all."""

    seats, planes, scalars, actions = 2, (1, 1, 6), 1, 2

    def __init__(self, count: int) -> None:
        self.said = torch.full((count, 6), -1)
        self.over = torch.zeros(count, dtype=torch.bool)
        self.lots = torch.zeros(count, dtype=torch.int64)

    def seed(self, seeds: Any, which: Any) -> None:
        self.lots = torch.where(which, seeds, self.lots)

    def begin(self, which: Any) -> None:
        self.said[which] = -1
        self.over &= ~which

    def length(self) -> Any:
        return (self.said >= 0).sum(1)

    def mover(self) -> Any:
        return torch.where(self.over, -1, self.length() % 2)

    def legal(self) -> Any:
        return ~self.over[:, None].expand(-1, 2)

    def may(self, actions: Any) -> Any:
        return (actions >= 0) & (actions < 2) & ~self.over

    def sample(self) -> Any:
        return torch.where(self.over, -1, self.lots + self.length() & 1)

    def play(self, actions: Any) -> None:
        made = (actions >= 0).nonzero()[:, 0]
        self.said[made, self.length()[made]] = actions[made]

    def settle(self, stepped: Any, autoreset: bool) -> Any:
        ended = stepped & (self.length() == 6)
        ahead = (self.said[:, 0::2].sum(1) - self.said[:, 1::2].sum(1)).sign().float()
        rewards = torch.stack([ahead, -ahead], 1) * ended[:, None]
        self.over |= ended
        if autoreset:
            self.begin(ended)
        return ended, rewards

    def roll(self, moves: int, autoreset: bool) -> Any:
        raise NotImplementedError

    def show(self, planes: Any, scalars: Any) -> None:
        planes[:, 0, 0] = (self.said == 1) & ~self.over[:, None]
        scalars[:, 0] = self.length() * ~self.over

    def show_mask(self, mask: Any) -> None:
        mask.copy_(self.legal())

    def packed(self, game: int) -> list[int]:
        return [int(word) for word in self.said[game]]


def test_another_game_joins_by_what_lies_beside_its_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    from tegel.env.gpu import Batch

    brought = ModuleType("brought.gpu")
    vars(brought)["simulator"] = lambda _state, count, _device, _kernels: Words(count)
    monkeypatch.setitem(sys.modules, "brought.gpu", brought)
    monkeypatch.setattr(TOY.state, "__module__", "brought.rules")
    batch = Batch("two", 3, game="toy", autoreset=False)
    batch.reset([0, 1, 2])
    assert tuple(batch.planes.shape) == (3, 1, 1, 6)
    assert batch.mask.all()
    for ply in range(6):
        assert batch.mover.tolist() == [ply % 2] * 3
        batch.step(torch.tensor([0, ply % 2, (ply + 1) % 2]))
    assert batch.done.all()
    assert batch.rewards.tolist() == [[0, 0], [-1, 1], [1, -1]]
    assert batch.mover.tolist() == [-1] * 3
    assert batch.packed(1) == [0, 1] * 3
    with pytest.raises(ValueError, match="game 0 is over"):
        batch.step(torch.zeros(3, dtype=torch.int64))


@pytest.mark.parametrize("game", [name for name in games.every() if name != "blokus"])
def test_games_that_bring_nothing_for_a_gpu_say_so(game: str) -> None:
    from tegel.env.gpu import Batch

    with pytest.raises(ValueError, match=f"{game} can't be played on a GPU yet"):
        Batch(game=game)


def test_its_example_is_true() -> None:
    import tegel.env.gpu

    found = doctest.testmod(tegel.env.gpu)
    assert found.attempted
    assert not found.failed


@pytest.mark.parametrize("variant", dict.fromkeys(table[1] for table in BLOKUS))
def test_the_kernels_do_the_same_as_plain_pytorch(variant: str) -> None:
    pytest.importorskip("triton")
    here = Path(__file__).parent
    interpreted = {} if torch.cuda.is_available() else {"TRITON_INTERPRET": "1"}
    done = subprocess.run(
        [sys.executable, here / "kernels.py", variant],
        env={**os.environ, **interpreted},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.startswith(variant)
