"""Many games at once: at every ply what the law has, whatever is stepped, and nothing half-done."""

import random
import sys
from importlib import import_module
from typing import Any

import pytest

from seen import TABLES, Table, named, planes_of, start
from tegel.game import CHANCE, game_of
from tegel.search import nets

np = pytest.importorskip("numpy")
pytestmark = [
    pytest.mark.skipif(not nets.GAMES, reason="the native engine was not built"),
    pytest.mark.sliced(2),
]

GAMES = 3


def made(table: Table, count: int = GAMES, **settings: Any) -> Any:
    from tegel.env.batch import Batch

    game, variant, options = table
    return Batch(game, variant, count, **{**settings, **options})


def shares(state: Any) -> list[float]:
    """What each seat gets at the end, by the law."""
    outcome, sides = state.outcome, game_of(state).sides(state)
    winners = {sides[seat] for seat in outcome.winners}
    count = len(set(sides))
    return [(count * (side in winners) / len(winners) - 1) / (count - 1) for side in sides]


class Follower:
    """One game of a batch, played again by the law."""

    def __init__(self, table: Table, batch: Any, number: int) -> None:
        self.table, self.batch, self.number = table, batch, number
        self.drawn, self.state = planes_of(table), start(table)
        self.draws()

    def draws(self) -> bool:
        """What chance drew since the last step; whether a game ended."""
        ended = False
        for move in [*self.batch.drawn(self.number), None]:
            if self.state.outcome:
                assert self.batch.rewards[self.number].tolist() == pytest.approx(shares(self.state))
                self.state, ended = start(self.table), True
            if move:
                assert self.state.turn == CHANCE
                self.state = self.state.play(move)
        return ended

    def play(self, action: int) -> bool:
        self.state = self.state.play(self.drawn.move_of(self.state, action))
        return self.draws()

    def compare(self, rng: random.Random) -> None:
        state, batch, number = self.state, self.batch, self.number
        kernel = game_of(state).kernel
        assert kernel
        assert batch.packed(number) == list(kernel.pack(state))
        assert batch.mover[number] == state.turn
        moves = state.moves()
        assert batch.mask[number].sum() == len(moves)
        for move in moves if len(moves) < 50 else rng.sample(list(moves), 50):
            assert batch.mask[number, self.drawn.action(state, move)]
        assert batch.planes[number].tolist() == self.drawn.layers(state)
        assert batch.scalars[number].tolist() == pytest.approx(self.drawn.scalars(state), abs=1e-6)


def chosen(batch: Any, states: list[Any], rng: random.Random) -> Any:
    """Legal actions by lot; a set-up comes to an end."""
    actions = batch.sample()
    for number, state in enumerate(states):
        if str(state.moves()[-1]) == "done" and rng.random() < 0.1:
            actions[number] = batch.mask[number].nonzero()[0][-1]
    return actions


@pytest.mark.parametrize("table", TABLES, ids=named)
def test_batch_and_law_agree_at_every_ply(table: Table, rng: random.Random, soak: bool) -> None:
    batch = made(table)
    batch.reset(rng.getrandbits(60))
    followers = [Follower(table, batch, number) for number in range(GAMES)]
    games = 0
    while games < (20 * GAMES if soak else 2):
        for follower in followers if soak else [rng.choice(followers)]:
            follower.compare(rng)
        actions = chosen(batch, [follower.state for follower in followers], rng)
        batch.step(actions)
        ended = [
            follower.play(int(action)) for follower, action in zip(followers, actions, strict=True)
        ]
        assert batch.done.tolist() == ended
        assert (batch.rewards[~batch.done] == 0).all()
        games += sum(ended)


@pytest.mark.parametrize("table", [TABLES[0], ("tantrix", "two", {})], ids=named)
def test_the_same_seeds_and_actions_give_the_same_games_on_any_number_of_threads(
    table: Table,
) -> None:
    one, many = made(table, 40), made(table, 40, threads=3)
    for batch in (one, many):
        batch.reset(5)
    for _ in range(60):
        actions = one.sample()
        assert (actions == many.sample()).all()
        for batch in (one, many):
            batch.step(actions)
        for name in ("planes", "scalars", "mask", "rewards", "done", "mover"):
            assert (getattr(one, name) == getattr(many, name)).all()
    many.reset(6)
    assert (one.mask != many.mask).any()


def test_legal_actions_as_a_list_are_those_of_the_mask() -> None:
    batch = made(("imago", "imago", {}), 7)
    batch.reset(1)
    for _ in range(30):
        batch.step(batch.sample())
        offsets, actions = batch.legal()
        for number in range(7):
            mine = actions[offsets[number] : offsets[number + 1]]
            assert sorted(mine) == batch.mask[number].nonzero()[0].tolist()


def test_without_autoreset_a_game_that_is_over_stays_so() -> None:
    batch = made(("blokus", "duo", {}), 2, autoreset=False)
    batch.reset(3)
    while not batch.done.any():
        batch.step(batch.sample())
    over = int(batch.done.argmax())
    assert batch.mover[over] == -1
    assert not batch.mask[over].any()
    assert sorted(batch.rewards[over].tolist()) in ([-1, 1], [0, 0])
    actions = batch.sample()
    assert actions[over] == -1
    batch.step(actions)
    assert not batch.done[over]
    actions = batch.sample()
    actions[over] = 17
    with pytest.raises(ValueError, match=f"game {over} is over"):
        batch.step(actions)
    batch.reset([1, 2], np.arange(2) == over)
    assert batch.mover[over] == 0


def test_what_is_wrong_changes_nothing() -> None:
    batch = made(("blokus", "duo", {}), 4)
    with pytest.raises(ValueError, match="reset"):
        batch.step(np.zeros(4, np.int64))
    batch.reset(1)
    batch.step(batch.sample())
    names = ("planes", "scalars", "mask", "rewards", "done", "mover")
    before = {name: getattr(batch, name).copy() for name in names}
    packed = [batch.packed(number) for number in range(4)]
    good = batch.sample()
    illegal = good.copy()
    illegal[2] = int((~batch.mask[2]).argmax())
    far = good.copy()
    far[3] = 2**40
    for wrong, says in [
        (illegal, "game 2 has no legal action"),
        (far, "game 3 has no legal action"),
        (good[:3], "shape"),
        (good[:, None], "shape"),
        (good.astype(np.float32), "float32"),
        (good.tolist(), "list"),
        (None, "NoneType"),
    ]:
        with pytest.raises(ValueError, match=says):
            batch.step(wrong)
    for seeds in ([1, 2], "abcd", 1.5, None, [None] * 4, [1.5] * 4, ["1"] * 4, [float("inf")] * 4):
        with pytest.raises(ValueError, match="seeds"):
            batch.reset(seeds)
    with pytest.raises(ValueError, match="which"):
        batch.reset(1, np.ones(4))
    for name in names:
        assert (getattr(batch, name) == before[name]).all()
    assert [batch.packed(number) for number in range(4)] == packed
    batch.step(good.astype(np.int32))


def test_bad_batches_are_refused_in_a_sentence() -> None:
    refused: list[tuple[dict[str, Any], str]] = [
        ({"count": 0}, "a batch has 1 to 1000000 games, not 0"),
        ({"count": 2.5}, "games, not 2.5"),
        ({"count": "2"}, "games, not '2'"),
        ({"threads": 0}, "threads"),
        ({"threads": 1.5}, "a batch has 1 to 1024 threads, not 1.5"),
        ({"corners": 3}, "'corners=3': an option is a word"),
    ]
    for settings, says in refused:
        with pytest.raises(ValueError, match=says):
            made(("blokus", "duo", {}), **{"count": 2, **settings})
    with pytest.raises(ValueError, match="no such game"):
        made(("chess", "", {}))
    with pytest.raises(ValueError, match="no planes"):
        made(("discovery", "", {}))
    for number in (9, -1, 1.5, "1"):
        with pytest.raises(ValueError, match=f"games are numbered 0 to 2, not {number!r}"):
            made(("blokus", "duo", {})).drawn(number)
        with pytest.raises(ValueError, match=f"games are numbered 0 to 2, not {number!r}"):
            made(("blokus", "duo", {})).packed(number)


def test_numbers_of_numpy_are_numbers() -> None:
    one, other = made(("tantrix", "two", {}), np.int64(3)), made(("tantrix", "two", {}), 3)
    for seeds in ([np.int64(5), 5], [np.array([7, 7, 9]), [7, 7, 9]], [np.uint64(2**63), 2**63]):
        for batch, seed in zip((one, other), seeds, strict=True):
            batch.reset(seed)
        assert (one.scalars == other.scalars).all()
    assert one.packed(np.int32(1)) == other.packed(1)


def test_without_pytorch_games_on_a_gpu_say_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "tegel.env.gpu", raising=False)
    with pytest.raises(ModuleNotFoundError, match=r"need torch: pip install 'tegel\[train\]'"):
        import_module("tegel.env.gpu")


def test_before_they_begin_games_have_no_actions() -> None:
    batch = made(("blokus", "duo", {}))
    for ask in (batch.sample, batch.legal, lambda: batch.step(np.zeros(GAMES, np.int64))):
        with pytest.raises(ValueError, match="the games have not begun: reset them first"):
            ask()
    batch.reset()
    batch.step(batch.sample())
