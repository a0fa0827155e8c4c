"""Whole clusters in one process, each from one seed: nothing acknowledged is lost, everybody sees
the same, and nothing is left behind, whatever goes wrong. What is tested stands in `universe`."""

import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

from universe.__main__ import told
from universe.planted import PLANTED, planted
from universe.run import run

pytestmark = [pytest.mark.slow, pytest.mark.sliced(1)]  # every run of all tests has them
SEEDS, TOGETHER = 300, 25
KEPT: tuple[int, ...] = ()
"""Seeds beyond the first that failed once."""
LATEST = 2_000  # by which seed a planted fault is found


@pytest.mark.parametrize("first", range(0, SEEDS, TOGETHER))
def test_every_promise_is_kept(first: int) -> None:
    for seed in range(first, first + TOGETHER):
        found = run(seed)
        assert not found.problems, told(found)


@pytest.mark.parametrize("seed", KEPT)
def test_what_failed_once_fails_no_more(seed: int) -> None:
    found = run(seed)
    assert not found.problems, told(found)


def test_fresh_seeds(rng: random.Random, soak: bool) -> None:
    """Others in every soak."""
    for _ in range(500 if soak else 1):
        found = run(rng.randrange(10**6, 10**9))
        assert not found.problems, told(found)


@pytest.mark.parametrize("seed", [3, 8])
def test_a_seed_gives_the_same_history_in_every_process(seed: int) -> None:
    """However Python hashes texts there."""
    digests = {
        re.findall("digest (.*)", replayed(seed, hashing))[0] for hashing in ("0", "1", "random")
    }
    assert len(digests) == 1


def replayed(seed: int, hashing: str) -> str:
    command = [sys.executable, "-m", "universe", str(seed)]
    return subprocess.run(
        command, cwd=Path(__file__).parent, env={**os.environ, "PYTHONHASHSEED": hashing},
        check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip


def test_other_seeds_give_other_histories() -> None:
    assert run(3).digest != run(4).digest


@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_is_found(fault: str, soak: bool) -> None:
    """In the quick run, by some of the faults that a few seeds find."""
    latest = LATEST if soak else 3
    if not soak and fault not in QUICK:
        pytest.skip("it takes more seeds: in the soak")
    with planted(fault):
        assert any(run(seed).problems for seed in range(latest))


QUICK = {
    "acknowledged_before_the_commit", "acknowledged_and_never_saved", "a_double_rating",
    "a_seat_for_two", "a_look_into_the_past", "a_task_that_is_left_behind",
}  # fmt: skip
