"""The games as PettingZoo expects them, held to the suite that it publishes. Here one variant of
each game; all of them in the soak."""

import random
import subprocess
import sys
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest
from gymnasium.error import Error, InvalidAction
from pettingzoo.test import api_test, seed_test

from conftest import SOAK
from tegel import games
from tegel.env import aec
from tegel.env.sight import law as law_of
from tegel.env.sight import rewards, sight, sizes
from tegel.game import CHANCE, State
from tegel.search.chance import draw

pytestmark = [pytest.mark.slow, pytest.mark.sliced(2)]
SHOWN = [name for name in games.names() if find_spec(f"tegel.games.{name}.planes")]
EVERY = [(name, variant) for name in SHOWN for variant in games.load(name).variants]
FIRST = [(name, next(iter(games.load(name).variants))) for name in SHOWN]
TABLES = EVERY if SOAK else [*FIRST, ("blokus", "duo")]

# PettingZoo expects masks in a dictionary, and warns of one all the same in games not its own.
dictionaries = pytest.mark.filterwarnings(
    "ignore:Observation space for each agent probably", "ignore:Observation is not a NumPy array",
    "ignore:Observation numpy array is all zeros",
)  # fmt: skip


@pytest.mark.parametrize(("game", "variant"), TABLES)
@dictionaries
def test_pettingzoo_takes_every_game(game: str, variant: str) -> None:
    api_test(aec.env(game, variant), num_cycles=30)


@pytest.mark.parametrize(("game", "variant"), TABLES)
def test_the_same_seed_gives_the_same_game_in_pettingzoo(game: str, variant: str) -> None:
    seed_test(lambda: aec.env(game, variant), num_cycles=8)


@pytest.mark.parametrize(("game", "variant"), TABLES)
def test_a_game_in_pettingzoo_ends_as_the_law_has_it(
    game: str, variant: str, rng: random.Random
) -> None:
    env = aec.env(game, variant)
    env.reset(seed=rng.randrange(999))
    for agent in env.agent_iter():
        observation, _, terminated, _, info = env.last()
        if terminated:
            break
        legal = np.flatnonzero(observation["action_mask"])
        assert len(legal) == len(env.unwrapped.state_of_game.moves())
        assert info["score"] == env.unwrapped.state_of_game.scores[int(agent[-1])]
        env.step(int(rng.choice(legal)))
    state: State[Any] = env.unwrapped.state_of_game
    assert state.outcome
    assert list(env.rewards.values()) == rewards(state)
    assert sum(rewards(state)) == pytest.approx(0)
    with pytest.raises(ValueError, match="the only valid action is None"):
        env.step(3)


@pytest.mark.parametrize(("game", "variant"), TABLES)
def test_what_is_seen_is_what_the_planes_say_and_every_action_is_its_move(
    game: str, variant: str, rng: random.Random
) -> None:
    state: Any = games.load(game).start(variant)
    law, known = law_of(game), sizes(state)
    for _ in range(6):
        while state.turn == CHANCE:
            state = state.play(draw(state, rng))
        if state.outcome:
            break
        seen = sight(state)
        assert seen.planes.shape == known.planes
        assert (seen.planes == np.array(law.layers(state))).all()
        assert seen.scalars == pytest.approx(law.scalars(state), abs=1e-6)
        assert set(seen.moves.values()) == set(state.moves())
        assert max(seen.moves) < known.actions == law.actions(state)
        for action in rng.sample(list(seen.moves), min(50, len(seen.moves))):
            assert law.action(state, seen.moves[action]) == action
        state = state.play(rng.choice(state.moves()))


def test_positions_are_drawn_as_text_as_svg_and_in_pixels() -> None:
    drawn = {}
    for mode in ("ansi", "svg", "rgb_array"):
        env = aec.env("blokus", "duo", render_mode=mode)
        env.reset(seed=1)
        drawn[mode] = env.render()
    assert drawn["ansi"].count("\n") > 10
    assert drawn["svg"].startswith("<svg")
    assert drawn["rgb_array"].shape[1:] == (aec.WIDTH, 3)
    assert len(np.unique(drawn["rgb_array"].reshape(-1, 3), axis=0)) > 10
    with pytest.raises(ValueError, match="no such render_mode: 'human'; there are ansi"):
        aec.env("blokus", render_mode="human")
    with pytest.raises(ValueError, match="say how to draw"):
        aec.raw_env("blokus", "duo").render()


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        (0, "action 0 is not legal here: see action_mask"),
        (10**9, "action 1000000000 is not legal here"),
        (-1, "action -1 is not legal"),
        (1.5, "an action is a whole number, not 1.5"),
        (None, "an action is a whole number, not None"),
        (np.zeros(3), "an action is a whole number, not array"),
    ],
)
def test_an_action_that_is_not_legal_is_refused_and_changes_nothing(
    action: Any, sentence: str
) -> None:
    env = aec.env("blokus", "duo")
    env.reset(seed=1)
    before = env.unwrapped.state_of_game
    with pytest.raises(InvalidAction, match=sentence):
        env.step(action)
    assert env.unwrapped.state_of_game is before


def test_what_there_is_not_is_refused() -> None:
    with pytest.raises(ValueError, match="no such game"):
        aec.env("chess")
    with pytest.raises(ValueError, match="blokus has no such variant"):
        aec.env("blokus", "huge")
    with pytest.raises(ValueError, match="the option corners is one of"):
        aec.env("blokus", "two", corners="round")
    env = aec.env("blokus", "duo")
    with pytest.raises(AssertionError, match="reset"):
        env.step(0)


def test_a_seed_is_a_whole_number_of_whatever_kind() -> None:
    env, other = aec.env("tantrix", "two"), aec.env("tantrix", "two")
    env.reset(seed=np.int64(5))
    other.reset(seed=5)
    assert env.unwrapped.state_of_game == other.unwrapped.state_of_game
    for seed in (1.5, "x"):
        with pytest.raises(Error, match=f"a seed is a whole number, not {seed!r}"):
            env.reset(seed=seed)


def test_who_changes_an_observation_changes_nothing_else() -> None:
    env = aec.env("blokus", "duo")
    env.reset(seed=1)
    first = env.observe("player_0")
    kept = {key: value.copy() for key, value in first.items()}
    for value in first.values():
        value[:] = 9
    assert all((value == kept[key]).all() for key, value in env.observe("player_0").items())


def test_an_environment_has_a_name_of_its_own() -> None:
    assert str(aec.env("blokus", "duo")) == "tegel_blokus_duo_v0"
    assert str(aec.env("imago")) == "tegel_imago_imago_v0"
    with pytest.raises(KeyError, match="somebody"):
        aec.env("imago").observation_space("somebody")


def test_rewards_share_the_win() -> None:
    def ended(variant: str, *winners: int) -> list[float]:
        state = games.load("blokus").start(variant)
        vars(state)["outcome"] = games.load("blokus").start(variant).outcome or _Outcome(winners)
        return rewards(state)

    assert ended("duo", 1) == [-1.0, 1.0]
    assert ended("duo", 0, 1) == [0.0, 0.0]
    assert ended("classic", 2) == pytest.approx([-1 / 3, -1 / 3, 1.0, -1 / 3])
    assert ended("teams", 0, 2) == [1.0, -1.0, 1.0, -1.0]
    assert rewards(games.load("blokus").start("duo")) == [0.0, 0.0]


class _Outcome:
    def __init__(self, winners: tuple[int, ...]) -> None:
        self.winners = winners


@pytest.mark.parametrize(
    ("module", "missing", "extra"),
    [
        ("aec", "pettingzoo", "env"),
        ("aec", "numpy", "env"),
        ("openspiel", "pyspiel", "openspiel"),
        ("openspiel", "numpy", "openspiel"),
        ("batch", "numpy", "net"),
        ("sight", "numpy", "net"),
    ],
)
def test_without_the_extra_it_is_said_what_to_install(
    module: str, missing: str, extra: str
) -> None:
    program = f"import sys; sys.modules[{missing!r}] = None; import tegel.env.{module}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("ModuleNotFoundError: ")
    assert f"pip install 'tegel[{extra}]'" in last
