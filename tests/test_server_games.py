"""What happens around the moves: takeback, leaving, clocks, bots, records."""

import json
import random
import re
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import httpx
import pytest

from servers import Person, changed, offered, table, until
from tegel import games
from tegel.picture import NEUTRALS
from tegel.record import Record

TABLES = [(name, variant) for name in games.names() for variant in games.load(name).variants]


@pytest.mark.parametrize(("name", "variant"), TABLES)
def test_every_game_is_played_to_its_end_by_its_offers(
    ann: Person, name: str, variant: str, rng: random.Random
) -> None:
    """A browser that knows no game: it plays what is offered, and follows what changes. Where
    tiles may be tried anywhere, it asks the law for one that fits."""
    made = ann.room(game=name, variant=variant)
    for seat in range(1, len(made["seats"])):
        ann.do(made["id"], "sit", seat=seat)
    socket = ann.socket(made["id"])
    marks, planes = [], []
    moves: list[str] = []
    while True:
        message = socket.next()
        if message["t"] == "room":
            marks, planes = message["marks"], message["planes"]
            moves = [played["move"] for played in message["moves"]]
        elif message["t"] == "moved":
            marks = changed(marks, message["marks"])
            planes = changed(planes, message["planes"])
            moves.append(message["move"])
            if "result" in message:
                break
        elif message["t"] == "offer":
            pick = rng.randrange(10**6)
            if message.get("any"):
                state = games.final(Record(name, variant, {}, {}, tuple(moves)))
                text = str(state.moves()[pick % len(state.moves())])
                socket.send(t="move", ply=message["ply"], move=text)
            else:
                socket.move(message, pick, name)
        assert message["t"] != "error", message
    last = games.final(Record(name, variant, {}, {}, tuple(moves)))
    assert last.outcome
    assert message["result"]["winners"] == list(last.outcome.winners)
    assert message["scores"] == list(last.scores)
    fresh = ann.ok("GET", f"/api/rooms/{made['id']}")
    assert (fresh["marks"], fresh["planes"]) == (marks, planes)
    assert [played["move"] for played in fresh["moves"]] == moves
    found = ann.ok("GET", f"/api/rooms/{made['id']}/positions/{len(moves)}")
    assert found["scores"] == message["scores"]
    assert found["account"]


# Takeback, resigning, rematch


def test_takeback_needs_the_consent_of_the_others(ann: Person, bob: Person) -> None:
    room, first, second = table(ann, bob)
    offer = first.wait("offer")
    first.send(t="ask")
    assert first.wait("error")["code"] == "nothing"
    first.move(offer)
    second.move(second.wait("offer"))
    first.wait("offer")
    first.send(t="ask")
    assert second.event("ask")["ask"] == {"seat": 0, "keep": 0}
    second.send(t="refuse")
    assert "ask" not in first.event("refuse")
    first.send(t="ask")
    second.event("ask")
    second.send(t="agree")
    fresh = second.wait("room")
    assert fresh["moves"] == []
    assert fresh["turn"] == 0
    first.wait("room")
    assert first.wait("offer")["seat"] == 0
    assert ann.ok("GET", f"/api/rooms/{room}")["moves"] == []


def test_takeback_against_bots_is_at_once(ann: Person) -> None:
    room = ann.room(seats=[{"kind": "person"}, {"kind": "bot", "level": 1}])["id"]
    socket = ann.socket(room)
    socket.move(socket.wait("offer"))
    assert socket.wait("offer")["seat"] == 0  # the bot has moved
    socket.send(t="ask")
    assert socket.wait("room")["moves"] == []


def test_resigning_ends_a_game_of_two(ann: Person, bob: Person) -> None:
    room, first, second = table(ann, bob)
    first.send(t="resign")
    assert second.wait("happened")["result"] == {
        "winners": [1], "reason": "resign", "ranks": [2, 1],
    }  # fmt: skip
    assert ann.refused("POST", f"/api/rooms/{room}/resign", {}) in ("over", "left")
    record = ann.ask("GET", f"/api/rooms/{room}/record").text
    assert "result: resign 2" in record


def test_resigning_among_many_leaves_the_seat_to_a_bot(ann: Person, bob: Person) -> None:
    seats = [{"kind": "person"}, {"kind": "open"}, *[{"kind": "bot", "level": 1}] * 2]
    room = ann.room(variant="classic", seats=seats)["id"]
    bob.do(room, "sit", seat=1)
    after = ann.do(room, "resign")
    assert not after["over"]
    assert after["seats"][0]["left"] == "resign"
    assert after["seats"][0]["level"] > 0
    until(lambda: bob.ok("GET", f"/api/rooms/{room}")["turn"] == 1, "the bot's move")
    ended = bob.do(room, "resign")  # nobody is left to play for
    assert ended["over"]
    assert {ended["result"]["ranks"][0], ended["result"]["ranks"][1]} == {3} or (
        sorted(ended["result"]["ranks"])[-2:] == sorted(ended["result"]["ranks"][:2])
    )
    assert set(ended["result"]["winners"]) <= {2, 3}


def test_a_rematch_changes_seats(ann: Person, bob: Person) -> None:
    room, first, second = table(ann, bob)
    assert ann.refused("POST", f"/api/rooms/{room}/rematch") == "on"
    first.send(t="resign")
    second.wait("happened")
    again = bob.do(room, "rematch")["rematch"]
    assert first.event("rematch")["rematch"] == again
    assert ann.do(room, "rematch")["rematch"] == again
    found = bob.ok("GET", f"/api/rooms/{again}")
    assert found["you"] == [0]
    assert [seat["kind"] for seat in found["seats"]] == ["person", "held"]
    assert found["seats"][1]["name"] == "Ann"
    eve = Person(ann.server)
    assert eve.refused("POST", f"/api/rooms/{again}/sit", {"seat": 1}) == "held"
    assert ann.do(again, "sit", seat=1)["begun"]


# Clocks and absence


def test_a_flag_falls(ann: Person, bob: Person) -> None:
    _, first, second = table(ann, bob, clock="bank 1 0")
    assert first.told[0]["clocks"] == {"left": [1000, 1000], "turn": -1, "up": False}
    first.move(first.wait("offer"))
    moved = second.wait("moved")
    assert moved["clocks"]["turn"] == 1
    fallen = first.wait("happened", seconds=4)
    assert fallen["event"] == "flag"
    assert fallen["result"] == {"winners": [0], "reason": "flag", "ranks": [1, 2]}
    second.send(t="move", ply=second.ply, move="I1.0@a1")
    assert second.wait("error")["code"] in ("stale", "over")


def test_bad_clocks_are_refused_in_a_sentence(ann: Person) -> None:
    for clock in ("bank", "bank 0 5", "bank 1e99 0", "days 0", "days 400", "sand", "bank nan 1"):
        wish = {"game": "blokus", "variant": "duo", "clock": clock}
        assert ann.refused("POST", "/api/rooms", wish) == "notation"


def test_an_absent_player_can_be_replaced_or_beaten(ann: Person, bob: Person) -> None:
    for what in ("replace", "claim"):
        room, first, second = table(ann, bob)
        path = f"/api/rooms/{room}/{what}"
        first.move(first.wait("offer"))
        second.wait("offer")
        assert ann.refused("POST", path, {"seat": 1}) == "present"
        second.close()
        assert until(
            lambda path=path: ann.refused("POST", path, {"seat": 1}) == "grace",  # type: ignore[misc]
            "the leaving seen",
        )
        done = until(
            lambda path=path: ann.ask("POST", path, {"seat": 1, "level": 1}).status_code == 200,  # type: ignore[misc]
            "the end of the grace time",
        )
        assert done
        found = ann.ok("GET", f"/api/rooms/{room}")
        if what == "claim":
            assert found["result"] == {"winners": [0], "reason": "absent", "ranks": [1, 2]}
        else:
            assert found["seats"][1]["level"] == 1
            assert first.wait("offer")["seat"] == 0
            assert bob.do(room, "sit", seat=1)["seats"][1].get("level", 0) == 0


# Bots


@pytest.mark.parametrize("level", [1, 3, 4])
def test_bots_of_ours_play(ann: Person, level: int) -> None:
    seats = [{"kind": "person"}, {"kind": "bot", "level": level}]
    socket = ann.socket(ann.room(seats=seats)["id"])
    for _ in range(2):
        socket.move(socket.wait("offer"))
    socket.wait("offer")
    assert [m["seat"] for m in socket.told if m["t"] == "moved"] == [0, 1, 0, 1]


@pytest.mark.alone
def test_many_bots_at_once_think_less_and_nobody_waits_long(ann: Person) -> None:
    """Ten games against the strongest, who alone would take eight seconds, in one process."""
    seats = [{"kind": "person"}, {"kind": "bot", "level": 9}]
    sockets = [ann.socket(ann.room(seats=seats)["id"]) for _ in range(10)]
    offers = [socket.wait("offer") for socket in sockets]
    start = time.monotonic()
    for socket, offer in zip(sockets, offers, strict=True):
        socket.move(offer)
    for socket in sockets:
        socket.wait("offer")
    assert time.monotonic() - start < 12  # ten, and two for a busy machine


def test_an_open_seat_can_be_given_to_a_bot(ann: Person, bob: Person) -> None:
    room = ann.room()["id"]
    path = f"/api/rooms/{room}/replace"
    assert bob.refused("POST", path, {"seat": 1, "level": 1}) == "seat"
    assert ann.refused("POST", path, {"seat": 1, "level": 10}) == "invalid"
    assert ann.do(room, "replace", seat=1, level=1)["begun"]


def test_a_program_plays_by_its_token(ann: Person) -> None:
    made = ann.ok("POST", "/api/bots", {"name": "Turing"})
    assert ann.refused("GET", "/api/bot/events") == "token"
    bot = httpx.Client(
        base_url=ann.server.url, headers={"Authorization": f"Bearer {made['token']}"}, timeout=20
    )
    assert bot.get("/api/me").json().items() >= {
        "id": made["id"], "name": "Turing", "bot": True,
    }.items()  # fmt: skip
    room = ann.room(seats=[{"kind": "person"}, {"kind": "bot", "program": made["id"]}])
    assert room["begun"]
    assert room["seats"][1]["kind"] == "bot"
    assert room["seats"][1]["name"] == "Turing"
    socket = ann.socket(room["id"])
    with bot.stream("GET", "/api/bot/events") as events:
        lines = (json.loads(line) for line in events.iter_lines() if line)
        first = next(lines)
        assert first["type"] == "start"
        assert (first["room"], first["seats"]) == (room["id"], [1])
        socket.move(socket.wait("offer"))
        turn = next(lines)
        assert turn["type"] == "turn"
        offer = bot.get(f"/api/rooms/{room['id']}/offer").json()
        assert offer["ply"] == turn["ply"]
        wish = {"ply": turn["ply"], "move": offered(offer)}
        assert bot.post(f"/api/rooms/{room['id']}/move", json=wish).status_code == 200
        socket.wait("offer")
        with bot.stream("GET", f"/api/bot/rooms/{room['id']}/events") as told:
            assert next(json.loads(line) for line in told.iter_lines() if line)["t"] == "room"
        socket.send(t="resign")
        assert next(lines)["type"] == "end"
    bot.close()


def test_the_program_in_the_documentation_plays(ann: Person, tmp_path: Path) -> None:
    page = (Path(__file__).parent.parent / "docs" / "api.md").read_text()
    code = page[page.index("    import json, random") :]
    (tmp_path / "bot.py").write_text(textwrap.dedent(code))
    made = ann.ok("POST", "/api/bots", {"name": "Example"})
    program = subprocess.Popen(
        [sys.executable, str(tmp_path / "bot.py"), ann.server.url, made["token"]]
    )
    try:
        seats = [{"kind": "bot", "program": made["id"]}, {"kind": "person"}]
        socket = ann.socket(ann.room(seats=seats)["id"])
        for _ in range(3):
            socket.move(socket.wait("offer"))
        socket.wait("offer")
        assert program.poll() is None
    finally:
        program.kill()
        program.wait()


# Records and games


def test_positions_of_a_room_and_of_an_uploaded_record(ann: Person, bob: Person) -> None:
    room, first, second = table(ann, bob)
    first.move(first.wait("offer"))
    second.move(second.wait("offer"))
    first.wait("offer")
    before = ann.ok("GET", f"/api/rooms/{room}/positions/0")
    assert before["scores"] == [-89, -89]
    after = ann.ok("GET", f"/api/rooms/{room}/positions/2")
    assert after["marks"] == ann.ok("GET", f"/api/rooms/{room}")["marks"]
    assert after["events"][0]["key"] == "placed"
    assert sum(item["points"] for item in after["account"]) == sum(after["scores"])
    assert ann.refused("GET", f"/api/rooms/{room}/positions/3") == "missing"
    text = ann.ask("GET", f"/api/rooms/{room}/record").text
    kept = ann.http.post("/api/records", content=text).json()
    assert kept["plies"] == 2
    assert ann.ok("GET", f"/api/records/{kept['id']}/positions/2") == after
    assert ann.ask("GET", f"/api/records/{kept['id']}").text == text
    sgf = ann.ask("GET", f"/api/rooms/{room}/record?format=blksgf").text
    assert ann.http.post("/api/records", content=sgf).json()["scores"] == kept["scores"]


@pytest.mark.parametrize(
    ("text", "said"),
    [("", "not a record"), ("game: chess\n\n", "no such game"), ("\xff", "expected a header"),
     ("game: blokus\nvariant: duo\n\nF.0@d9\nF.0@d9\n", "ply 2"), ("a\0", "be kept")],
)  # fmt: skip
def test_bad_records_are_refused_in_a_sentence(ann: Person, text: str, said: str) -> None:
    answer = ann.http.post("/api/records", content=text)
    assert answer.status_code == 422
    assert said in answer.json()["text"]


def test_games_come_with_words_and_sprites(ann: Person) -> None:
    found = {game["name"]: game for game in ann.ok("GET", "/api/games?language=nl")}
    assert {"duo", "classic"} <= {variant["id"] for variant in found["blokus"]["variants"]}
    for name, game in found.items():
        one = ann.ok("GET", f"/api/games/{name}")
        assert one["language"] == "en"
        sprites = ann.ok("GET", f"/api/games/{name}/sprites")
        for variant in game["variants"]:
            room = ann.room(game=name, variant=variant["id"])
            assert len(room["seats"]) == variant["seats"]
            assert {mark["sprite"] for mark in room["marks"]} <= {"", *sprites["sprites"]}
            paints = {m["colour"] for m in [*room["marks"], *room["planes"]] if m.get("colour")}
            assert paints <= set(sprites["paints"])
    assert ann.refused("GET", "/api/games/chess") == "missing"
    wish = {"game": "blokus", "variant": "five"}
    assert ann.refused("POST", "/api/rooms", wish) == "notation"


def test_pictures_of_the_rules_follow_language_and_theme(ann: Person) -> None:
    page = ann.http.get("/api/games/tantrix/rules.html?language=nl&theme=dark").text
    (table,) = re.findall(r'src="([^"]*/table\.svg[^"]*)"', page)
    dark = ann.http.get(table.replace("&amp;", "&")).text
    light = ann.http.get("/api/games/tantrix/pictures/table.svg").text
    assert "Speler 1: rood" in dark
    assert "Player 1: red" in light
    assert NEUTRALS["paper"][1] in dark
    assert NEUTRALS["paper"][0] in light
    assert ann.refused("GET", "/api/games/tantrix/pictures/nothing.svg") == "missing"
    assert ann.refused("GET", "/api/games/tantrix/pictures/Table.svg") == "missing"
