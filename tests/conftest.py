"""What the tests share: a fresh seed, printed, so that every run tries something new and
any failure can be had again with TEGEL_SEED; and how much to do."""

import os
import random
import secrets

import pytest

SEED = int(os.environ.get("TEGEL_SEED") or secrets.randbelow(10**9))
SOAK = bool(os.environ.get("TEGEL_SOAK"))


def pytest_report_header() -> str:
    return f"TEGEL_SEED={SEED}" + (" (soak)" if SOAK else "")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    terminalreporter.write_line(f"TEGEL_SEED={SEED}")


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    """Chance for one test: other in every run, the same for the same TEGEL_SEED."""
    return random.Random(f"{SEED} {request.node.nodeid}")


@pytest.fixture(scope="session")
def soak() -> bool:
    return SOAK
