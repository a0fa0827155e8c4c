"""The published ladder is the measured one."""

import importlib
import random
from pathlib import Path
from types import ModuleType

import pytest

BENCH = Path(__file__).parent.parent / "bench"


@pytest.fixture
def ladder(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(BENCH)
    return importlib.import_module("ladder")


def test_the_documentation_shows_the_results_in_the_file(ladder: ModuleType) -> None:
    """After new results: python bench/ladder.py --write"""
    text = ladder.PAGE.read_text("utf-8")
    assert ladder.written(text) == text
    assert ladder.page() in text


def test_results_are_added_and_kept(
    ladder: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rng: random.Random
) -> None:
    monkeypatch.setattr(ladder, "FILE", tmp_path / "ladder.txt")
    chosen = ladder.rungs("imago/shapes", "1")
    assert chosen == [("imago", "shapes", "1", "random"), ("imago", "shapes", "1", "greedy")]
    ladder.play(chosen, 2, 1)
    before = ladder.kept()
    assert [score.games for score in before.values()] == [2, 2]
    scores = {rung: ladder.Score(n, 0.5, ladder.Counter({0.5: 1, 1.0: n // 2 - 1}))
              for rung in chosen for n in [rng.randrange(2, 9) * 2]}  # fmt: skip
    ladder.keep(scores)
    assert ladder.kept() == scores
    assert not list(ladder.todo(chosen, scores, 4))
    (pair, *_) = ladder.todo(chosen, {}, 2)
    assert [game.number for game in pair] == [0, 1]


def test_a_rung_won_half_the_time_is_even(ladder: ModuleType) -> None:
    even = ladder.Score(8, 0.0, ladder.Counter({0.0: 1, 0.5: 2, 1.0: 1}))
    low, high = even.interval
    assert even.rate == 0.5
    assert low < 0.5 < high
