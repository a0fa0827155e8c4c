"""Work past one machine: a real Dask scheduler with two workers, of which one is killed."""

import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

import tegel
from clusters import Cluster, dask, waited
from tegel import executors
from tegel.executors import done, executor
from waiting import until

pytestmark = pytest.mark.slow
MATCH = ["match", "x40", "x20", "--variant", "duo", "--seed", "7", "--games", "12"]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with dask() as found:
        yield found


def tegel_says(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tegel", *words], capture_output=True, text=True, timeout=120
    )


def texts(folder: Path) -> dict[str, str]:
    return {file.name: file.read_text() for file in folder.iterdir()}


def test_a_match_ends_complete_with_the_same_results_though_a_worker_is_killed(
    cluster: Cluster, tmp_path: Path
) -> None:
    address, workers = cluster
    waited(address, 2)
    away, here = tmp_path / "away", tmp_path / "here"
    match = subprocess.Popen(
        [sys.executable, "-m", "tegel", *MATCH, "--cluster", address, "--save", str(away)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    until(lambda: away.is_dir() and len(list(away.iterdir())) >= 2, "two games", 60, step=0.01)
    workers[0].send_signal(signal.SIGKILL)
    there = len(list(away.iterdir()))
    out, err = match.communicate(timeout=120)
    assert (match.returncode, err) == (0, "")
    assert "12 of 12" in out
    assert 2 <= there < 12, "it was killed in the middle"
    assert tegel_says(*MATCH, "--save", str(here)).returncode == 0
    assert texts(away) == texts(here)
    assert len(texts(here)) == 12

    solved = tegel_says("solve", "tetra-8x10", "--jobs", "2", "--cluster", address)
    assert "Solved: every rule holds." in solved.stdout, solved.stderr


def test_a_cluster_without_workers_is_told_at_once(
    cluster: Cluster,
) -> None:
    address, workers = cluster
    for worker in workers:
        worker.kill()
        worker.wait()
    end = time.monotonic() + 60
    while time.monotonic() < end:
        said = tegel_says(*MATCH, "--cluster", address)
        if "no workers" in said.stderr:
            break
    assert (said.returncode, said.stderr) == (
        2,
        f"tegel: the cluster at {address} has no workers\n",
    )


@pytest.mark.parametrize(
    "address", ["tcp://127.0.0.1:1", "nowhere", "http://127.0.0.1:1", "tcp://"]
)
def test_an_address_that_does_not_answer_is_one_sentence_soon(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executors, "PATIENCE", 0.5)
    with (
        pytest.raises(ValueError, match=f"^the cluster at {address} does not answer: "),
        executor(cluster=address),
    ):
        pass


def test_an_address_that_is_none_is_one_sentence_and_nothing_after_it() -> None:
    said = tegel_says(*MATCH, "--cluster", "nowhere")
    assert (said.returncode, said.stderr) == (
        2,
        "tegel: the cluster at nowhere does not answer: missing port number in address 'nowhere'\n",
    )


@pytest.mark.parametrize("answer", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\0" * 64, b""])
def test_what_is_no_scheduler_is_told_in_one_sentence(answer: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]

        def serve() -> None:
            with suppress(OSError):
                while True:
                    with server.accept()[0] as one:
                        one.sendall(answer)
                        one.recv(1)

        threading.Thread(target=serve, daemon=True).start()
        said = tegel_says(*MATCH, "--cluster", f"tcp://127.0.0.1:{port}")
    assert said.returncode == 2
    assert f"tcp://127.0.0.1:{port}" in said.stderr
    assert said.stderr.count("\n") == 1


def test_any_executor_will_do() -> None:
    with ThreadPoolExecutor(2) as pool:
        one = tegel.match("random", "greedy", variant="duo", games=4, seed=3, pool=pool)
    other = tegel.match("random", "greedy", variant="duo", games=4, seed=3)
    assert one.results == other.results
    assert tegel.match("random", "greedy", variant="duo", games=4, seed=3, jobs=2) == other


def test_who_leaves_waits_for_nothing() -> None:
    began = time.monotonic()
    with executor(2) as pool:
        assert next(done(pool, time.sleep, [0.0, 300.0, 300.0, 300.0])) is None
    assert time.monotonic() - began < 60


def test_without_the_extra_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "find_spec", lambda _: None)
    with (
        pytest.raises(ValueError, match=r"pip install 'tegel\[cluster\]'"),
        executor(cluster="tcp://127.0.0.1:1"),
    ):
        pass
