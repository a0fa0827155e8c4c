"""The native parts and threads: what threads of Python may do beside each other, and what threads
of our own report. `make sanitize` runs this with ThreadSanitizer."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import pytest

from seen import Table, guide, start, uniform
from tegel.search import kernel, nets

np = pytest.importorskip("numpy")
pytestmark = pytest.mark.skipif(not nets.GAMES, reason="the native engine was not built")

DUO: Table = ("blokus", "duo", {})
GAMES, THREADS = 64, 3


@contextmanager
def repeated(work: Callable[[], object]) -> Iterator[None]:
    """Another thread does some work again and again meanwhile."""
    over, failures = threading.Event(), []

    def run() -> None:
        try:
            while not over.is_set():
                work()
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
    assert not failures


def refused(work: Callable[[], object], says: str) -> None:
    """Sooner or later the work meets the other thread, and is refused."""

    def again_and_again() -> None:
        for _ in range(10**6):
            work()

    with pytest.raises(RuntimeError, match=says):
        again_and_again()


class School:
    """A school with its arrays, and a net that knows nothing."""

    def __init__(self, games: int = GAMES, threads: int = THREADS) -> None:
        from tegel.search import _nets

        self.native = _nets.school("blokus", list(kernel.packed(start(DUO))), games, 1, threads)
        self.native.practise({"simulations": 8, "considered": 4})
        shape, room = self.native.shape, games * 2 * self.native.shape.moves
        self.logits = np.zeros(room, np.float32)
        self.values = np.full((games, shape.sides, 3), 0.5, np.float32)
        self.planes = np.zeros((games, shape.channels, shape.height, shape.width), np.uint8)
        self.scalars = np.zeros((games, shape.scalars), np.float32)
        self.actions = np.zeros(room, np.int64)

    def step(self) -> int:
        return self.native.step(self.logits, self.values, self.planes, self.scalars, self.actions)

    def seen(self) -> list[bytes]:
        """What waits for the net."""
        moves = self.step()
        return [array.tobytes() for array in (self.planes, self.scalars, self.actions[:moves])]


def test_a_school_at_work_gives_lessons_and_refuses_all_else() -> None:
    from tegel.net import lessons

    school = School()
    with repeated(school.step):
        refused(lambda: school.native.practise({}), "at work")
        refused(school.step, "at work")
        taken, count = lessons.room(school.native.shape, 100), 0
        while count < 100:
            count += lessons.take(school.native, taken)
        assert school.native.played[1] >= count
    school.step()


def test_a_guide_that_thinks_can_only_be_stopped() -> None:
    state = start(DUO)
    native, net = guide(state), uniform(state)

    def think() -> None:
        leaves = native.leaves(512)
        native.answer(*nets.judged(net, native.shape, *leaves))

    native.begin(10**8, 600.0, False)
    with repeated(think):
        for name in ("turn", "over", "voice", "packed"):
            refused(partial(getattr, native, name), "thinking")
        for ask in (native.opinions, native.look, native.symmetries):
            refused(ask, "thinking")
    assert native.opinions()
    native.stop()
    assert native.leaves(512) is None


def test_games_that_are_stepped_can_not_be_read() -> None:
    from tegel.env.batch import Batch

    batch = Batch("blokus", "duo", 400, threads=THREADS)
    batch.reset(1)
    with repeated(lambda: batch.reset(1)):
        for ask in (batch.legal, batch.sample, lambda: batch.packed(0), lambda: batch.drawn(0)):
            refused(ask, "another thread")
    batch.step(batch.sample())


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), -float("inf")])
def test_a_net_that_gives_no_number_is_refused_and_nothing_has_happened(wrong: float) -> None:
    """The threads of a school find it, in the last of its games; Python hears of it."""
    school, other = School(), School()
    assert school.seen() == other.seen()
    last = int((school.actions // school.native.shape.actions == GAMES - 1).nonzero()[0][0])
    for array, at in ((school.logits, last), (school.values, (GAMES - 1, 1, 2))):
        kept = array[at]
        array[at] = wrong
        with pytest.raises(ValueError, match="the net gave no number"):
            school.step()
        array[at] = kept
    for _ in range(20):
        assert school.seen() == other.seen()


MANY = """
import resource
resource.setrlimit(resource.RLIMIT_AS, (2 * 10**9, 2 * 10**9))  # each thread has a stack of 8 MB
from tegel import games
from tegel.search import _nets, kernel
packed = list(kernel.packed(games.load("blokus").start("duo")))
for _ in range(3):
    try:
        _nets.school("blokus", packed, 1, 1, 1024)
    except RuntimeError as error:
        print(type(error).__name__)
_nets.school("blokus", packed, 1, 1, 4)
print("goes on")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits memory as Linux does")
@pytest.mark.skipif("LD_PRELOAD" in os.environ, reason="a sanitizer takes all addresses")
def test_where_there_is_no_room_for_threads_python_hears_of_it() -> None:
    done = subprocess.run([sys.executable, "-c", MANY], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n") == [*["RuntimeError"] * 3, "goes on", ""]


def test_these_tests_can_fail() -> None:
    with pytest.raises(pytest.fail.Exception):
        refused(lambda: None, "never")
    with pytest.raises(AssertionError), repeated(lambda: [][0]):
        pass
