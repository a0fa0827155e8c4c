"""What a host must not lose: the secret, the metrics, pages that only pretend to be ours."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from servers import Tegel, free_port, tegel


@pytest.mark.parametrize("left", ["", "abc", "x" * 31])
def test_a_secret_that_is_too_short_is_refused(tmp_path: Path, left: str) -> None:
    """A full disk at the first start left an empty secret, and the next start signed with it."""
    (tmp_path / "secret").write_text(left)
    words = [sys.executable, "-m", "tegel", "serve", "--data", str(tmp_path)]
    words += ["--port", str(free_port()), "--log", "text"]
    refused = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert refused.returncode == 2
    assert "too short" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert (tmp_path / "secret").read_text() == left, "it is the host's to delete"


def test_a_secret_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    """The disk is full: there is no secret then, rather than an empty one."""
    code = (
        "import pathlib, resource, signal, sys\n"
        "from tegel.server.secret import secret\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))\n"  # no byte can be written
        "try:\n    secret(pathlib.Path(sys.argv[1]))\nexcept OSError:\n    print('full')\n"
    )
    words = [sys.executable, "-c", code, str(tmp_path)]
    assert subprocess.run(words, capture_output=True, text=True).stdout == "full\n"
    assert not list(tmp_path.iterdir())


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tegel]:
    with tegel(tmp_path_factory.mktemp("named"), "--origin", "https://games.example") as found:
        yield found
        found.check()


def status(server: Tegel, host: str) -> int:
    return httpx.get(f"{server.url}/api/games", headers={"host": host}).status_code


def test_a_name_that_is_not_ours_is_not_answered(server: Tegel, named: Tegel) -> None:
    """DNS rebinding: a stranger's name that leads here."""
    port = server.port
    for host in (f"127.0.0.1:{port}", f"localhost:{port}", f"[::1]:{port}"):
        assert status(server, host) == 200
    for host in ("evil.example", f"evil.example:{port}", "127.0.0.1.evil.example", "", "["):
        assert status(server, host) in (400, 421), host
    assert status(named, "games.example") == 200
    refused = httpx.get(f"{named.url}/api/games", headers={"host": "evil.example"})
    assert refused.status_code == 421
    assert refused.json()["text"].endswith(".")


def test_a_broken_origin_is_refused_in_a_sentence(server: Tegel) -> None:
    headers = {"origin": "http://["}
    answer = httpx.put(f"{server.url}/api/me", json={"name": "x"}, headers=headers)
    assert answer.status_code == 403
    assert answer.json()["code"] == "origin"


def test_metrics_need_the_address_and_the_token(server: Tegel) -> None:
    token = (server.folder / "metrics-token").read_text().strip()
    url = f"{server.url}/metrics"
    assert "tegel_rows" in httpx.get(url, headers={"authorization": f"Bearer {token}"}).text
    assert httpx.get(url).status_code == 404
    for wrong in ("x", "", token[:-1]):
        answer = httpx.get(url, headers={"authorization": f"Bearer {wrong}".strip()})
        assert answer.status_code == 404
