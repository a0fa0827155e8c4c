"""The plain tree search, and the levels of bots made of it."""

import pickle
import random
import subprocess
import sys
from typing import Any, Self

import pytest

from tegel import games
from tegel.game import CHANCE, State
from tegel.games.blokus import GAME as BLOKUS
from tegel.games.forma import GAME as FORMA
from tegel.search import kernel, mcts
from tegel.search import level as level_of
from tegel.search.bot import bot, uniform
from tegel.search.chance import draw
from toy import GAME as TOY
from toy import State as ToyState

TABLES = [(name, variant) for name in games.names() for variant in games.load(name).variants]


def test_the_better_word_is_found() -> None:
    """In the toy game `b` is worth more than `a`, whatever is drawn."""
    for seed in range(10):
        assert mcts.search(TOY.start("three"), random.Random(seed), 60) == "b"


def test_the_same_seed_finds_the_same_move() -> None:
    state = BLOKUS.start("duo")
    moves = {mcts.search(state, random.Random(7), 20) for _ in range(3)}
    assert len(moves) == 1
    assert len({mcts.search(state, random.Random(seed), 20) for seed in range(6)}) > 1


def test_one_move_needs_no_thought() -> None:
    class Forced(ToyState):
        def moves(self) -> tuple[str, ...]:
            return ("a",)

        def play(self, move: str) -> Self:
            raise AssertionError(f"it thought about {move}")

    state: State[Any] = Forced(TOY.start("two").rules)
    assert mcts.search(state, random.Random(1), 1000) == "a"


def test_time_ends_the_search() -> None:
    ticks = iter(range(1000))
    mcts.search(TOY.start(), random.Random(1), 10**9, 20, clock=lambda: next(ticks))
    assert next(ticks) < 30
    mcts.search(TOY.start(), random.Random(1), 10**9, 0)  # at least one simulation


@pytest.mark.parametrize(("name", "variant"), TABLES)
def test_every_level_plays_every_game(name: str, variant: str, rng: random.Random) -> None:
    """From somewhere in a random game, each level gives a legal move in time."""
    game = games.load(name)
    state: State[Any] = game.start(variant)
    for _ in range(rng.randrange(8, 40)):
        if not state.moves():
            break
        move = draw(state, rng) if state.turn == CHANCE else rng.choice(state.moves())
        state = state.play(move)
    while state.turn == CHANCE and state.moves():
        state = state.play(draw(state, rng))
    if not state.moves():
        return
    state = pickle.loads(pickle.dumps(state))  # as it comes to a process of the pool
    for level in range(1, 10):
        move = bot(level, 0.1)(state, rng)
        assert move in state.moves() or game.attempts(state, move)


def test_weak_levels_see_few_moves_and_strong_ones_all(rng: random.Random) -> None:
    moves = range(200)
    seen = {level: [len(level_of.seen(moves, one.sight, rng)) for _ in range(200)]
            for level, one in level_of.SKILLS.items()}  # fmt: skip
    assert max(seen[1]) < 30 < min(seen[5])
    assert seen[1] != [seen[1][0]] * 200, "attention comes and goes"
    assert all(count == 200 for level in (6, 7, 8, 9) for count in seen[level])


def test_the_weakest_never_take_less_than_they_see(rng: random.Random) -> None:
    """Of the moves that a beginner sees, one that scores most at once."""
    state = BLOKUS.start("duo")
    for _ in range(20):
        some = level_of.seen(state.moves(), (0.3, 0.6), rng)
        best = level_of.greediest(state, some, rng)
        assert len(best.cells) == max(len(move.cells) for move in some)


@pytest.mark.skipif(not kernel.GAMES, reason="without the engine beginners play by haste")
def test_where_scores_are_silent_a_beginner_still_beats_chance() -> None:
    """Imago: what scores most at once says nothing there."""
    rng = random.Random(1)
    won = 0.0
    for number in range(40):
        state: State[Any] = games.load("imago").start()
        while state.moves():
            turn = bot(2) if state.turn == number % 2 else uniform
            state = state.play(draw(state, rng) if state.turn == CHANCE else turn(state, rng))
        assert state.outcome
        winners = state.outcome.winners
        won += (number % 2 in winners) / len(winners)
    assert won > 24


def test_a_hand_slips_by_one_square_and_only_by_eye(rng: random.Random) -> None:
    """Forma by eye: what a slip gives is an attempt that misfits."""
    forma = FORMA
    clumsy = level_of.Skill(0, slips=1.0)
    slipped = 0
    for assist in ("off", "on"):
        state = forma.start("two", layout="k11:c4,e9,j3,p15", assist=assist)
        state = state.play(state.moves()[0])
        for move in rng.sample(list(state.moves()), 300):
            tried = level_of.attempted(state, move, clumsy, rng)
            if tried == move:
                continue
            slipped += 1
            assert assist == "off"
            assert forma.attempts(state, tried)
            assert tried not in state.moves()
            assert (tried.what, tried.turn) == (move.what, move.turn)
    assert slipped


def test_bots_set_a_board_up_without_ado(rng: random.Random) -> None:
    """Forma: the tower and a dozen obstacles, and nothing is taken away again."""
    forma = FORMA
    assert forma.kernel
    state = forma.start("two")
    state = state.play(draw(state, rng))
    plies = 0
    while not forma.kernel.covers(state):
        state, plies = state.play(bot(rng.randrange(1, 10))(state, rng)), plies + 1
    assert plies == 1 + 12 + 1
    assert state.layout.complete(12)


def test_a_bot_puts_the_tower_up_that_was_taken_away(rng: random.Random) -> None:
    state = FORMA.start("four")
    state = state.play(draw(state, rng))
    for _ in range(13):
        state = state.play(next(m for m in state.moves() if m.what == "obstacle"))
    assert bot(1)(state, rng).what == "tower"


def test_levels_are_one_to_nine() -> None:
    for level in (0, 10, -1):
        with pytest.raises(ValueError, match="1 to 9"):
            bot(level)


def points(levels: tuple[int, int], seed: int) -> float:
    rng, state = random.Random(seed), BLOKUS.start("duo")
    seats = levels if seed % 2 else levels[::-1]
    while not state.outcome:
        state = state.play(bot(seats[state.turn])(state, rng))
    first = seats.index(levels[0])
    return float(first in state.outcome.winners) / len(state.outcome.winners)


def test_search_beats_chance_and_greed(soak: bool) -> None:
    """Seeded, so it can't fail by bad luck; more games in `make soak`."""
    assert sum(points((4, 1), seed) for seed in range(6)) >= 5
    if soak:
        assert sum(points((6, 3), seed) for seed in range(30)) >= 18


ADVISED = """
import sys
sys.modules["tegel.search._kernel"] = None  # as if it had not been compiled
from tegel import games
from tegel.search.advice import advice
state = games.load("blokus").start("duo")
for level in range(1, 10):
    found = advice(state, 1, level, seconds=0.1)
    assert found.search == "plain" and found.opinions[0].move in state.moves()
"""


def test_every_level_gives_advice_where_no_engine_was_built() -> None:
    subprocess.run([sys.executable, "-c", ADVISED], check=True)
