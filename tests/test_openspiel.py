"""The games as OpenSpiel expects them, held to the tests that it publishes, and played by its own
search. Here one variant of each game; all of them in the soak."""

import random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import mcts

from conftest import SOAK
from tegel import games
from tegel.env import openspiel
from tegel.env.sight import rewards
from test_env import TABLES

pytestmark = [pytest.mark.slow, pytest.mark.sliced(2)]


@pytest.mark.parametrize(("game", "variant"), TABLES)
def test_openspiel_takes_every_game(game: str, variant: str) -> None:
    pyspiel.random_sim_test(
        pyspiel.load_game(openspiel.name(game, variant)), num_sims=1, serialize=SOAK,
        verbose=False,
    )  # fmt: skip


@pytest.mark.parametrize(("game", "variant"), TABLES)
def test_openspiel_s_own_search_plays_every_game_to_the_end(
    game: str, variant: str, rng: random.Random
) -> None:
    spiel = pyspiel.load_game(openspiel.name(game, variant))
    lot = np.random.RandomState(1)
    bot = mcts.MCTSBot(
        spiel, 1.4, 2, mcts.RandomRolloutEvaluator(1, lot), solve=False, random_state=lot
    )

    def drawn(state: Any) -> int:
        outcomes, odds = zip(*state.chance_outcomes(), strict=True)
        return int(rng.choices(outcomes, odds)[0])

    first = spiel.new_initial_state()
    while not first.is_terminal():
        chance = first.is_chance_node()
        first.apply_action(drawn(first) if chance else rng.choice(first.legal_actions()))

    state, asked = spiel.new_initial_state(), 0
    for action in first.history()[:-8]:
        state.apply_action(action)
    while not state.is_terminal():
        chance = state.is_chance_node()
        state.apply_action(drawn(state) if chance else bot.step(state))
        asked += not chance
    assert asked
    assert state.returns() == rewards(state.position)


def test_options_are_parameters_in_openspiel() -> None:
    game = pyspiel.load_game("tegel_blokus_two(corners=fixed)")
    assert game.new_initial_state().position == games.load("blokus").start("two", corners="fixed")


def test_what_is_not_legal_is_refused_and_changes_nothing() -> None:
    state = pyspiel.load_game("tegel_blokus_duo").new_initial_state()
    before = state.position
    for action in (0, 10**9):
        with pytest.raises(pyspiel.SpielError, match=f"action {action} is not legal here"):
            state.apply_action(action)
        assert state.action_to_string(0, action) == f"action {action}, not legal here"
    assert state.position is before
    with pytest.raises(pyspiel.SpielError, match="Unknown game 'tegel_chess'"):
        pyspiel.load_game("tegel_chess")
    with pytest.raises(pyspiel.SpielError, match="the option corners is one of"):
        pyspiel.load_game("tegel_blokus_two(corners=round)")


def test_chance_and_a_finished_game_refuse_what_is_not_there() -> None:
    drawing = pyspiel.load_game("tegel_tantrix_two").new_initial_state()
    for action in (-2, 56):
        with pytest.raises(pyspiel.SpielError, match=f"action {action} is not legal here"):
            drawing.apply_action(action)
    over = pyspiel.load_game("tegel_blokus_duo").new_initial_state()
    while not over.is_terminal():
        over.apply_action(over.legal_actions()[0])
    with pytest.raises(pyspiel.SpielError, match="action 3 is not legal here: the game is over"):
        over.apply_action(3)
    assert over.action_to_string(0, 3) == "action 3, not legal here"
