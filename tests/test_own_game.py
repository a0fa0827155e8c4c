"""A game of somebody's own, made outside the package (see `toy`), is played by everything that
plays: every bot, the search, matches over processes, records, rooms."""

import pickle
import random

import pytest

from tegel import games
from tegel.executors import executor
from tegel.game import CHANCE, IllegalMove, game_of, sentence
from tegel.games import final
from tegel.record import Record
from tegel.search import kernel, mcts
from tegel.search.advice import advice
from tegel.search.chance import draw
from tegel.search.match import pairings, played, run
from tegel.search.players import named, player
from toy import GAME, Rules, State

NAMES = ("random", "greedy", *map(str, range(1, 10)))


def test_a_state_knows_its_game_and_so_does_its_copy_from_another_process() -> None:
    state = GAME.start("three")
    assert game_of(state) is GAME
    assert game_of(pickle.loads(pickle.dumps(state))) is GAME
    assert pickle.loads(pickle.dumps(GAME)) is GAME
    assert games.load("toy") is GAME


def test_a_state_of_no_game_is_told_in_a_sentence() -> None:
    with pytest.raises(ValueError, match=r"^no game has states like Rules$"):
        game_of(Rules("two", 2, 2))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", NAMES)
def test_every_bot_plays_it_to_its_end(name: str) -> None:
    state: State = GAME.start("teams")
    rng = random.Random(1)
    choose = named(name, 0.05)
    while not state.outcome:
        move = draw(state, rng) if state.turn == CHANCE else choose(state, rng)
        assert move in state.moves() or GAME.attempts(state, move)
        state = state.play(move)


def test_the_plain_search_and_its_advice_see_what_is_better() -> None:
    state = GAME.start("two")
    assert mcts.search(state, random.Random(1), 200) == "b"
    assert advice(state, seed=1, level=3).opinions[0].move == "b"


@pytest.mark.parametrize("level", range(1, 10))
def test_every_level_gives_advice_without_the_engine(level: int) -> None:
    found = advice(GAME.start("two"), seed=1, level=level, seconds=0.05)
    assert found.search == "plain"
    assert found.opinions


def test_the_engine_refuses_what_it_has_no_kernel_for() -> None:
    with pytest.raises(ValueError, match=r"^the engine can't play on from here: toy$"):
        kernel.Thinker(GAME.start(), seed=1)


@pytest.mark.parametrize("names", [("greedy", "random"), ("9", "x20"), ("1", "4")])
def test_players_of_a_match_play_it(names: tuple[str, str]) -> None:
    for pairing in pairings(GAME, "two", {}, names, 2, seed=1, seconds=0.05):
        result = played(pairing)
        assert result.record.game == "toy"
        assert final(result.record).outcome


def test_a_match_of_it_runs_over_processes() -> None:
    todo = pairings(GAME, "three", {}, ("greedy", "random"), 4, seed=1)
    with executor(2) as pool:
        found = {result.number: result for result in run(todo, pool)}
    assert found == {pairing.number: played(pairing) for pairing in todo}


def test_a_game_without_words_says_its_keys() -> None:
    over = IllegalMove("toy", "over")
    assert str(over) == "Over."
    assert sentence("toy", "events", "drawn", {}) == "Drawn."
    assert GAME.picture(GAME.start()).svg().startswith("<svg")


def test_its_records_are_replayed_and_its_positions_drawn() -> None:
    state = final(Record("toy", "two", {}, {}, ("a", "+3", "b", "+4")))
    assert state.scores == (1, 2)
    own: object = state
    assert isinstance(own, State)
    assert game_of(own).name == GAME.name
    assert own._repr_svg_().startswith("<svg")


def test_a_player_is_found_by_one_door() -> None:
    assert type(player("x20")) is type(player("9"))
    assert player("!engine", outside=lambda command, _: player("random" * (command == "engine")))
    for name in ("", "x", "x0", "0", "ten", "!engine", "-1", "²"):
        with pytest.raises(ValueError, match="a player is random, greedy, a level from 1 to 9"):
            player(name)
