"""Tests wait for what they want to see, and not for some time: with `waiting`, and nothing else."""

import ast
from pathlib import Path

HERE = Path(__file__).parent
NAMES = {"sleep", "wait_for_timeout"}
NOT_YET = {
    "browser.py": 1, "chaos.py": 3, "clocks.py": 1, "crowd.py": 5, "heavy/test_notebooks.py": 1,
    "pushes.py": 1, "test_analysis.py": 1, "test_bus.py": 4, "test_chaos.py": 4,
    "test_cluster.py": 1, "test_faults_bots.py": 1, "test_faults_health.py": 1,
    "test_fortress_fair.py": 3, "test_fortress_leaving.py": 2, "test_fortress_load.py": 3,
    "test_fortress_rooms.py": 1, "test_gtp.py": 2, "test_page_analysis_sizes.py": 1,
    "test_page_first.py": 1, "test_page_meet.py": 2, "test_page_motion.py": 1,
    "test_page_sight.py": 1, "test_page_table.py": 2, "test_page_trouble.py": 1,
    "test_pairing.py": 1, "test_pools.py": 9, "test_push.py": 3, "test_puzzle_cover.py": 1,
    "test_puzzle_page.py": 3, "test_puzzle_server.py": 3,
    "test_server_workers.py": 3,
}  # fmt: skip
"""Files in which some stand for now, and how many: they only become fewer."""


def sleeps(text: str) -> int:
    """How often a program sleeps for some time, or lets a page do so."""
    return sum(
        (isinstance(node, ast.Attribute) and node.attr in NAMES)
        or (isinstance(node, ast.Name) and node.id in NAMES)
        for node in ast.walk(ast.parse(text))
    )


def test_nobody_sleeps_but_the_helper_that_waits() -> None:
    found = {
        str(file.relative_to(HERE)): count
        for file in sorted(HERE.rglob("*.py"))
        if file.name != "waiting.py"
        and "universe" not in file.parts  # there all time is virtual
        and (count := sleeps(file.read_text()))
    }
    assert found == NOT_YET, "use `until`; where one has gone, let the number here be less"


def test_a_sleep_is_found_however_it_is_written() -> None:
    for line in ("time.sleep(1)", "await asyncio.sleep(0)", "page.wait_for_timeout(9)",
                 "from time import sleep\nsleep(1)", "run(pool, time.sleep, [1])"):  # fmt: skip
        assert sleeps(line) == 1
    assert sleeps("asleep = sleeper.sleeping") == 0
