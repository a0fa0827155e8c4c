"""Matches of two players: pairs of games, seats exchanged, and the arithmetic of results."""

import random
import subprocess
import sys
from math import inf
from pathlib import Path
from typing import Any

import pytest

from tegel import games
from tegel.engines.outside import find
from tegel.executors import executor
from tegel.game import BadNotation, State
from tegel.games import final
from tegel.record import Record
from tegel.search import match
from tegel.search.match import Pairing, Tally, doubt, elo, pairings, played
from tegel.search.players import player

pytestmark = pytest.mark.slow


def test_games_of_a_pair_have_the_same_opening_and_chairs_exchanged() -> None:
    one, other = (played(game) for game in pairings("blokus", "duo", {}, ("greedy", "random"), 2))
    assert one.record.moves[:4] == other.record.moves[:4]
    assert one.record.headers == {"player-1": "greedy", "player-2": "random"}
    assert other.record.headers == {"player-1": "random", "player-2": "greedy"}


@pytest.mark.parametrize("name", games.names())
def test_a_record_of_every_game_replays_to_the_result(name: str) -> None:
    (pairing,) = pairings(name, "", {}, ("random", "random"), 1, seed=random.randrange(999))
    result = played(pairing)
    state: State[Any] = final(result.record)
    assert state.outcome
    sides = games.load(name).sides(state)
    first = [sides[seat] % 2 == 0 for seat in range(len(state.scores))]
    winners = [first[seat] for seat in state.outcome.winners]
    assert result.share == (sum(winners) / len(winners) if winners else 0.5)


@pytest.mark.parametrize("name", games.names())
def test_the_engine_plays_every_game_to_the_end(name: str) -> None:
    (pairing,) = pairings(name, "", {}, ("x5", "random"), 1, seed=random.randrange(999))
    assert final(played(pairing).record).outcome


def test_partners_are_one_player() -> None:
    (pairing,) = pairings("blokus", "teams", {}, ("greedy", "random"), 1)
    assert list(played(pairing).record.headers.values()) == ["greedy", "random"] * 2


def test_same_seed_same_game_and_another_seed_another() -> None:
    first, second, other = (
        played(pairings("blokus", "duo", {}, ("2", "random"), 1, seed=seed)[0]).record.moves
        for seed in (4, 4, 5)
    )
    assert first == second != other


def test_unknown_players_are_refused() -> None:
    for name in ("", "0", "10", "x", "x0", "best", "-1", "²"):
        with pytest.raises(ValueError, match=r"a player is|a level is 1 to 9"):
            player(name)
    with pytest.raises(BadNotation, match="a player is random, greedy, a level"):
        player("best")


def test_results_come_from_several_processes_as_they_end() -> None:
    todo = pairings("blokus", "duo", {}, ("random", "random"), 4)
    with executor(2) as pool:
        assert sorted(result.number for result in match.run(todo, pool)) == [0, 1, 2, 3]


def test_an_outside_engine_is_named_by_its_command() -> None:
    command = f"!{sys.executable} -m tegel gtp --variant duo --level 1"
    for pairing in pairings("blokus", "duo", {}, ("random", command), 2, seed=1):
        assert final(played(pairing, find).record).outcome


def tegel(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tegel", *words], capture_output=True, text=True, timeout=120
    )


def test_the_command_plays_an_engine_and_keeps_the_records(tmp_path: Path) -> None:
    engine = f"{sys.executable} -m tegel gtp --variant duo --time 0.02 --ponder"
    done = tegel("match", "1", "--variant", "duo", "--games", "2", "--jobs", "2",
                 "--against", engine, "--save", str(tmp_path / "new"))  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert "2 of 2" in done.stdout
    files = sorted((tmp_path / "new").iterdir())
    assert [file.name for file in files] == ["0001.txt", "0002.txt"]
    for file in files:
        assert final(games.read(file.read_text())).outcome


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--against", "false"], "tegel: false: ended "),
        (["--against", "no-such-engine"], "tegel: no-such-engine: can't be started: No such file"),
        (["--against", "cat", "--game", "imago"], "tegel: cat: 'tegel' was answered 'tegel'"),
        (["--against", "cat", "2"], "tegel: '2': name a second player, or a program"),
        (["best"], "tegel: 'best': a player is random, greedy, a level"),
        (["2", "--game", "chess"], "tegel: 'chess': no such game"),
        (["2", "--game", "puzzle"], "tegel: 'puzzle': is for one person"),
        (["2", "--variant", "trigon"], "tegel: 'trigon': blokus has no such variant"),
        (["2", "--time", "-1"], "tegel: Invalid value for '--time'"),
    ],
)
def test_what_can_not_be_played_is_told_in_a_sentence(words: list[str], sentence: str) -> None:
    done = tegel("match", "1", "--games", "2", *words)
    assert done.returncode == 2
    assert done.stderr.startswith(sentence)
    assert done.stderr.count("\n") == 1


def test_an_engine_that_dies_is_told_in_a_sentence() -> None:
    (pairing,) = pairings("blokus", "duo", {}, ("random", "!false"), 1)
    with pytest.raises(ValueError, match=r"^false: "):
        played(pairing, find)


def result(number: int, share: float) -> match.Result:
    return match.Result(number, share, 10 * share - 5, Record("blokus"))


def test_a_tally_is_the_mean_of_its_results() -> None:
    tally = Tally()
    for number, share in enumerate((1.0, 0.0, 1.0, 0.5)):
        tally.add(result(number, share))
    assert (tally.games, tally.rate, tally.margin) == (4, 0.625, 1.25)
    low, high = tally.interval
    assert 0 <= low < 0.625 < high <= 1


def test_the_interval_holds_the_truth_about_nineteen_times_of_twenty(rng: random.Random) -> None:
    for truth in (0.5, 0.8, 0.95):
        held = 0
        for _ in range(1000):
            shares = [float(rng.random() < truth) for _ in range(60)]
            mean = sum(shares) / len(shares)
            held += abs(mean - truth) <= doubt(shares)
        assert 910 <= held <= 1000, (truth, held)


def test_elo_is_symmetric_and_has_no_bounds() -> None:
    assert elo(0.5) == 0
    assert elo(0.9) == -elo(0.1) == pytest.approx(381.7, abs=0.1)
    assert (elo(0.0), elo(1.0)) == (-inf, inf)


def test_a_pairing_is_a_value() -> None:
    assert pairings("blokus", "duo", {}, ("1", "2"), 3)[2] == Pairing(
        "blokus", "duo", {}, ("1", "2"), 2, 0, inf, 4
    )
