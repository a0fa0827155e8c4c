"""Over HTTPS: cookies that no other site can set, in place of those of earlier versions, which are
still read; and browsers that come back over HTTPS only."""

import re
import secrets

import httpx
import pytest
from websockets.sync.client import connect

from servers import Person, Tegel

SERVE = ("--origin", "https://games.example", "--origin", "http://plain.example",
         "--proxy", "127.0.0.1")  # fmt: skip
BY_NAME = {"host": "games.example"}  # as a site that the host named as one of HTTPS
BY_PROXY = {"host": "localhost", "x-forwarded-proto": "https"}
PLAIN = {"host": "plain.example"}


def ask(server: Tegel, headers: dict[str, str], **cookies: str) -> httpx.Response:
    given = "; ".join(f"{name.replace('_', '-')}={seal}" for name, seal in cookies.items())
    given = given.replace("Host-tegel", "__Host-tegel")
    found = httpx.get(f"{server.url}/api/me", headers={**headers, "cookie": given})
    assert found.status_code == 200
    return found


def set_by(answer: httpx.Response) -> dict[str, tuple[str, set[str]]]:
    """The cookies that an answer sets, with their attributes."""
    found = {}
    for line in answer.headers.get_list("set-cookie"):
        pair, *attributes = line.split("; ")
        name, _, seal = pair.partition("=")
        found[name] = (seal, set(attributes))
    return found


@pytest.mark.parametrize("headers", [BY_NAME, BY_PROXY])
def test_over_https_a_cookie_is_of_this_host_only(server: Tegel, headers: dict[str, str]) -> None:
    first = ask(server, headers)
    ((name, (seal, attributes)),) = set_by(first).items()
    assert name == "__Host-tegel"
    assert {"Secure", "HttpOnly", "Path=/", "SameSite=Lax", "Max-Age=31536000"} == attributes
    again = ask(server, headers, Host_tegel=seal)
    assert again.json()["id"] == first.json()["id"]
    assert not set_by(again)
    for answer in (first, again, httpx.get(f"{server.url}/api/games", headers=headers)):
        assert re.fullmatch("max-age=[0-9]{8}", answer.headers["strict-transport-security"])


def test_over_http_nothing_changes(server: Tegel) -> None:
    answer = ask(server, PLAIN)
    assert set(set_by(answer)) == {"tegel"}
    assert "Secure" not in set_by(answer)["tegel"][1]
    assert "strict-transport-security" not in answer.headers


@pytest.mark.parametrize("headers", [BY_NAME, BY_PROXY])
def test_the_cookies_of_an_earlier_version_are_read_and_replaced(
    server: Tegel, headers: dict[str, str]
) -> None:
    ann, guest = Person(server), Person(server)
    code = ann.ok("POST", "/api/me/account", {"handle": f"Ann{secrets.token_hex(6)}"})["code"]
    guest.ok("POST", "/api/sign-in/code", {"code": code})
    seal, before = (guest.http.cookies[name] for name in ("tegel", "tegel-before"))
    again = ask(server, headers, tegel=seal, tegel_before=before)
    assert again.json()["id"] == ann.id, "nobody is signed out"
    given = set_by(again)
    assert {name: value for name, (value, _) in given.items()} == {
        "__Host-tegel": seal, "tegel": "", "__Host-tegel-before": before, "tegel-before": "",
    }  # fmt: skip
    assert "Max-Age=0" in given["tegel"][1]
    assert "Max-Age=31536000" in given["__Host-tegel"][1]


def test_a_cookie_that_another_site_may_have_set_does_not_count(server: Tegel) -> None:
    own, planted = ask(server, BY_NAME), ask(server, PLAIN)
    seal = set_by(own)["__Host-tegel"][0]
    both = ask(server, BY_NAME, tegel=set_by(planted)["tegel"][0], Host_tegel=seal)
    assert both.json()["id"] == own.json()["id"]


def test_a_cookie_that_is_not_ours_is_not_sent_back(server: Tegel) -> None:
    """A planted one could hold the end of a header line, quoted."""
    planted = '"x\\012Location: https://evil.example"'
    answer = ask(server, BY_NAME, tegel=planted, tegel_before=planted)
    assert "evil" not in str(answer.headers)
    assert set_by(answer)["tegel"][0] == "", "it ends"


def test_sockets_read_the_same_cookies(server: Tegel) -> None:
    ann = Person(server, "Ann")
    room = ann.room()["id"]
    for name in ("tegel", "__Host-tegel"):
        cookie = f"{name}={ann.http.cookies['tegel']}"
        url = f"ws://127.0.0.1:{server.port}/api/rooms/{room}/socket"
        with connect(url, additional_headers={"Cookie": cookie}, proxy=None, legacy=True) as socket:
            socket.send('{"t": "join", "since": -1}')
            while '"t":"room"' not in (told := str(socket.recv(20))):
                pass
            assert '"you":[0]' in told


def test_signing_in_and_out_over_https_is_as_over_http(server: Tegel) -> None:
    ann = Person(server)
    code = ann.ok("POST", "/api/me/account", {"handle": "Hannelore"})["code"]
    guest = set_by(ask(server, BY_NAME))["__Host-tegel"][0]
    headers = {**BY_NAME, "cookie": f"__Host-tegel={guest}"}
    wish = {"code": code, "along": False}
    answer = httpx.post(f"{server.url}/api/sign-in/code", json=wish, headers=headers)
    given = {name: value for name, (value, _) in set_by(answer).items()}
    assert set(given) == {"__Host-tegel", "__Host-tegel-before"}
    headers["cookie"] = "; ".join(f"{name}={value}" for name, value in given.items())
    assert httpx.get(f"{server.url}/api/me", headers=headers).json()["id"] == ann.id
    answer = httpx.post(f"{server.url}/api/me/sign-out", json={}, headers=headers)
    assert set_by(answer)["__Host-tegel"][0] == guest
    assert set_by(answer)["__Host-tegel-before"][0] == ""
