"""What can't be served is refused at the start: one sentence, exit code 2, no traceback."""

import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from servers import Person, Tegel, free_port, tegel


def refused(data: Path, before: Callable[[], None] | None = None) -> str:
    """The sentence with which `tegel serve` ends at once."""
    words = [sys.executable, "-m", "tegel", "serve", "--data", str(data)]
    words += ["--port", str(free_port()), "--log", "text"]
    ended = subprocess.run(words, capture_output=True, text=True, timeout=120, preexec_fn=before)
    assert ended.returncode == 2, ended.stderr
    assert "Traceback" not in ended.stderr
    last = ended.stderr.splitlines()[-1]
    assert last.startswith("tegel: "), ended.stderr
    return last


@pytest.fixture
def used(tmp_path: Path) -> Path:
    """A data folder in which somebody played, and that nobody serves now."""
    with tegel(tmp_path / "data") as server:
        Person(server).room()
    return tmp_path / "data"


def test_two_servers_on_one_folder_the_second_refuses(tmp_path: Path) -> None:
    with tegel(tmp_path) as first:
        ann = Person(first)
        room = ann.room()["id"]
        assert "another server uses this database" in refused(tmp_path)
        assert ann.ok("GET", f"/api/rooms/{room}")["id"] == room
        first.kill()
        again = Tegel(tmp_path).start()  # however the first ended, it holds nothing any more
        again.stop()


def test_a_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("x")
    assert "can't be used as data folder" in refused(tmp_path / "data")


def test_a_folder_that_takes_no_file_is_refused() -> None:
    """Not even from root: there are folders like that in /sys."""
    folder = Path("/sys/kernel")
    if not folder.is_dir():
        pytest.skip("there is no /sys here")
    assert "can't be used as data folder" in refused(folder)


def full() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))  # no byte can be written


def test_a_full_disk_is_refused(used: Path) -> None:
    assert "the database can't be used" in refused(used, full)


@pytest.mark.sliced(2)
def test_a_damaged_file_is_refused(used: Path) -> None:
    file = used / "tegel.db"
    whole = file.read_bytes()
    file.write_bytes(b"this is no database" * 1000)
    assert "file is not a database" in refused(used)
    file.write_bytes(whole[:8192] + b"\xff" * (len(whole) - 8192))
    assert "it is damaged" in refused(used)
    file.write_bytes(whole[: len(whole) // 2])
    assert "the database can't be used" in refused(used)
