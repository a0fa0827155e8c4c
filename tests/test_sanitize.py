"""The native parts by their own tests, in C++ (tests/native), compiled with asserts on and with
AddressSanitizer and UBSan, or with ThreadSanitizer: a slice of what `make sanitize` does. Programs
are kept in build/native until something that they are made of changes."""

import hashlib
import os
import random
import re
import shutil
import subprocess
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from servers import missing
from tegel import games
from tegel.game import CHANCE
from tegel.search import kernel
from tegel.search.chance import draw

pytestmark = pytest.mark.slow
LONG = pytest.mark.sliced(6)  # every native part is built anew, with its checks

ROOT = Path(__file__).parent.parent
NATIVE = ROOT / "tests" / "native"
HEADERS = sorted([*(ROOT / "src").rglob("*.hpp"), *NATIVE.glob("*.hpp")])
CXX = os.environ.get("CXX", "c++")
LANGUAGE = ["-std=c++20", "-Wall", "-Wextra", "-Werror", f"-I{ROOT / 'src'}", f"-I{NATIVE}"]
# Without optimisation: it takes the compiler a third of the time.
FLAGS = ["-O0", "-g1", "-fno-sanitize-recover=all", *LANGUAGE]
MEMORY, RACES = "address,undefined", "thread"


@cache
def compiler(sanitizers: str) -> str:
    """What tells compilers apart; there must be one, with sanitizers."""
    if not shutil.which(CXX):
        missing("A C++ compiler")
    probe = [CXX, *FLAGS, f"-fsanitize={sanitizers}", "-x", "c++", "-", "-o", os.devnull]
    if subprocess.run(probe, input="int main() {}", text=True, capture_output=True).returncode:
        missing("A C++ compiler with sanitizers")
    return subprocess.run([CXX, "--version"], text=True, capture_output=True).stdout


def program(source: Path, sanitizers: str = MEMORY) -> Path:
    """A program, compiled; those of tests/native are."""
    flags = [*FLAGS, f"-fsanitize={sanitizers}"]
    name = f"{source.stem}-{sanitizers.partition(',')[0]}"
    made_of = hashlib.sha256(repr([compiler(sanitizers), flags]).encode())
    for path in [source, *HEADERS]:
        made_of.update(path.read_bytes())
    folder = ROOT / "build" / "native"
    found = folder / f"{name}-{made_of.hexdigest()[:16]}"
    if not found.exists():
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob(f"{name}-*"):
            old.unlink(missing_ok=True)
        fresh = folder / f"new-{name}-{os.getpid()}"
        done = subprocess.run([CXX, *flags, source, "-o", fresh], text=True, capture_output=True)
        assert not done.returncode, done.stderr
        fresh.replace(found)
    return found


def run(name: str, given: str = "", sanitizers: str = MEMORY) -> str:
    done = ran(program(NATIVE / f"{name}.cpp", sanitizers), given)
    assert not done.returncode, done.stderr
    return done.stdout


def ran(program: Path, given: str = "") -> subprocess.CompletedProcess[str]:
    """What a program said. Older ThreadSanitizers want addresses that are not random."""
    sane = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}
    fixed = ["setarch", "-R"] if fixes_addresses() else []
    words = [*fixed, str(program)]
    return subprocess.run(words, input=given, text=True, capture_output=True, env=sane)


@cache
def fixes_addresses() -> bool:
    if not shutil.which("setarch"):
        return False
    return not subprocess.run(["setarch", "-R", "true"], capture_output=True).returncode


@pytest.mark.parametrize("sanitizers", [MEMORY, RACES])
def test_threads_that_share_work_do_it_once_and_without_races(sanitizers: str) -> None:
    run("crew", sanitizers=sanitizers)


# Each of four threads has sixteen numbers at once, and waits until all have begun.
RACE = """
#include <atomic>
#include "tegel/search/crew.hpp"
int main() {
    tegel::Crew crew(4);
    std::atomic<int> begun{0};
    int done = 0;
    crew.share(64, [&](int i) {
        if (i % 16 == 0) begun.fetch_add(1, std::memory_order_relaxed);
        while (begun.load(std::memory_order_relaxed) < 4) std::this_thread::yield();
        ++done;
    });
    return done < 0;
}
"""


def test_a_race_is_found(tmp_path: Path) -> None:
    source = tmp_path / "race.cpp"
    source.write_text(RACE)
    done = ran(program(source, RACES))
    assert done.returncode
    assert "data race" in done.stderr


@LONG
@pytest.mark.parametrize("name", ["bridges", "covers", "trees"])
def test_native_parts_do_what_their_own_tests_say(name: str) -> None:
    run(name)


@LONG
@pytest.mark.skipif(not kernel.GAMES, reason="the native engine was not built")
def test_every_kernel_is_sane_from_the_start_and_in_the_middle(
    rng: random.Random, soak: bool
) -> None:
    """In every game; but for the soak, in a variant of each by lot."""
    lines = []
    for name in sorted(kernel.GAMES):
        variants = list(games.load(name).variants)
        for variant in variants if soak else rng.sample(variants, 1):
            state, plies = games.load(name).start(variant), 0
            while plies <= 30 and not state.outcome:
                if kernel.available(state):
                    if plies in (0, 30):
                        lines.append(" ".join(map(str, [name, *kernel.packed(state)])))
                    plies += 1
                chance = state.turn == CHANCE
                state = state.play(draw(state, rng) if chance else rng.choice(state.moves()))
    assert run("games", "\n".join(lines)).startswith(f"{len(lines)} positions")


def test_no_header_includes_itself_in_the_end() -> None:
    graph = {
        str(path.relative_to(ROOT / "src")): re.findall(r'^#include "(tegel/.*)"', text, re.M)
        for path in HEADERS
        if path.is_relative_to(ROOT / "src")
        for text in [path.read_text("utf-8")]
    }
    assert sum(map(len, graph.values())) > 30
    assert set().union(*graph.values()) <= set(graph)
    TopologicalSorter(graph).prepare()  # raises where there is a ring


def test_every_header_stands_by_itself(soak: bool) -> None:
    compiler(MEMORY)
    for header in HEADERS if soak else HEADERS[:: len(HEADERS) // 2]:
        command = [CXX, "-fsyntax-only", *LANGUAGE, "-x", "c++", "-"]
        text = f'#include "{header}"\n'
        done = subprocess.run(command, input=text, text=True, capture_output=True)
        assert not done.returncode, done.stderr
