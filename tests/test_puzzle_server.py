"""Puzzles over HTTP and the socket: the same rooms, with a clock that counts up."""

import threading
import time
from datetime import UTC, date, datetime, timedelta
from typing import Any
from xml.etree import ElementTree

import httpx
import pytest

from puzzling import TINY, long_search
from servers import Message, Person, tegel, until
from tegel import games, solver
from tegel.games.puzzle import GAME
from tegel.games.puzzle.moves import laid
from tegel.games.puzzle.rules import packed
from tegel.record import parse as record
from tegel.room.log import Away, Look, Sit
from tegel.room.stopwatch import Stopwatch
from tegel.solver.daily import daily, name

SERVE = ("--hint-seconds", "8")
DAY = "daily-1-2026-11-16"
NEVER = "puzzle: never\nrule: cover\ntiles: blue I3*2, red V3\n\n...\n...\n...\n"


def sit(person: Person, variant: str = DAY, game: str = "puzzle", **wish: Any) -> Message:
    return person.room(game=game, variant=variant, clock="up", **wish)


def answer(variant: str) -> list[str]:
    return [str(laid(placement)) for placement in solver.solve(solver.load(variant)).position or ()]


def play(person: Person, room: str, *moves: str) -> Message:
    shown: Message = person.ok("GET", f"/api/rooms/{room}")
    for move in moves:
        shown = person.do(room, "move", ply=shown["ply"], move=move)
    return shown


def test_a_puzzle_is_solved_at_a_room_like_any_game(ann: Person) -> None:
    room = sit(ann)["id"]
    moves = answer(DAY)
    assert play(ann, room, *moves[:-1])["over"] is False
    shown = play(ann, room, moves[-1])
    assert shown["result"] == {"winners": [0], "reason": "solved", "ranks": [1]}
    text = ann.http.get(f"/api/rooms/{room}/record").text
    assert games.final(record(text)).outcome
    (sitting,) = ann.ok("GET", "/api/my/puzzles")
    assert (sitting["variant"], sitting["over"], sitting["closed"]) == (DAY, True, "")
    assert sitting["score"] == 5 * len(moves)
    assert ann.refused("POST", f"/api/rooms/{room}/takeback", {"do": "ask"}) == "over"


def test_lifting_and_undo_ask_nobody(ann: Person) -> None:
    room = sit(ann)["id"]
    first, second = answer(DAY)[:2]
    offer = ann.ok("GET", f"/api/rooms/{room}/offer")
    assert not offer.get("choices")
    play(ann, room, first, second)
    choices = ann.ok("GET", f"/api/rooms/{room}/offer")["choices"]
    assert {choice["tile"] for choice in choices} == {first.split(".")[0], second.split(".")[0]}
    lift = next(choice["move"] for choice in choices if choice["tile"] == first.split(".")[0])
    assert play(ann, room, lift)["scores"] == [5]
    assert ann.do(room, "takeback", do="ask")["scores"] == [10], "the lifted tile lies again"
    assert ann.do(room, "takeback", do="ask")["scores"] == [5]
    play(ann, room, second)
    shown = ann.do(room, "takeback", do="ask", all=True)
    assert (shown["scores"], shown["moves"]) == ([0], [])
    assert ann.refused("POST", f"/api/rooms/{room}/takeback", {"do": "ask"}) == "nothing"


def test_a_hint_has_three_answers(ann: Person, tmp_path_factory: pytest.TempPathFactory) -> None:
    room = sit(ann)["id"]
    yes = ann.ok("POST", f"/api/rooms/{room}/hint", {})
    assert yes["event"]["key"] == "hint"
    assert yes["move"] in answer(DAY)
    assert ann.ok("GET", f"/api/rooms/{room}")["hints"] == 1
    right = set(answer(DAY))
    state = GAME.start(DAY)
    wrong = next(str(move) for move in state.moves() if str(move) not in right)
    play(ann, room, wrong)
    no = ann.ok("POST", f"/api/rooms/{room}/hint", {})
    assert (no["move"], no["event"]["key"]) == ("", "impossible")
    assert ann.ok("GET", f"/api/rooms/{room}")["hints"] == 1, "a proof is no help with the next"
    with tegel(tmp_path_factory.mktemp("hasty"), "--hint-seconds", "0") as hasty:
        eve = Person(hasty)
        room = sit(eve, "penta-15x16")["id"]
        unknown = eve.ok("POST", f"/api/rooms/{room}/hint", {})
        assert (unknown["move"], unknown["event"]["key"]) == ("", "unknown")
        assert unknown["event"]["args"]["seconds"] == "0"


@pytest.mark.alone
def test_a_long_search_stops_when_nobody_waits(ann: Person, bob: Person) -> None:
    """While it runs the server answers; when whoever asked goes away, the next is served."""
    room = sit(ann, "26", "discovery")["id"]
    play(ann, room, *long_search())
    begun = time.monotonic()
    with pytest.raises(httpx.ReadTimeout):
        ann.http.post(f"/api/rooms/{room}/hint", json={}, timeout=1.0)
    other = sit(bob)["id"]
    assert bob.ok("POST", f"/api/rooms/{other}/hint", {})["event"]["key"] == "hint"
    assert time.monotonic() - begun < 7, "the first search would have taken 8 s"


@pytest.mark.alone
def test_a_new_question_ends_the_old_one(ann: Person) -> None:
    room = sit(ann, "26", "discovery")["id"]
    play(ann, room, *long_search())
    answers = []

    def ask() -> None:
        answers.append(ann.http.post(f"/api/rooms/{room}/hint", json={}).json())

    first = threading.Thread(target=ask)
    first.start()
    time.sleep(1)
    second = threading.Thread(target=ask)
    second.start()
    first.join(5)
    assert answers, "the first is over long before its time"
    assert answers[0]["code"] == "stopped"
    second.join()
    assert answers[1]["event"]["key"] == "unknown"


def test_a_solution_is_shown_and_does_not_count_as_solved(ann: Person, bob: Person) -> None:
    room = sit(ann)["id"]
    first = answer(DAY)[0]
    play(ann, room, first)
    assert bob.refused("POST", f"/api/rooms/{room}/reveal") == "seat"
    shown = ann.do(room, "reveal")
    assert shown["result"] == {"winners": [], "reason": "reveal", "ranks": [1]}
    assert shown["over"] is True
    assert {played["move"] for played in shown["moves"]} == set(answer(DAY))
    assert ann.refused("POST", f"/api/rooms/{room}/reveal") == "over"
    (sitting,) = ann.ok("GET", "/api/my/puzzles")
    assert (sitting["over"], sitting["closed"]) == (True, "reveal")
    again = ann.do(room, "rematch")["rematch"]
    assert ann.ok("GET", f"/api/rooms/{again}")["scores"] == [0]


def test_a_solution_replaces_what_could_not_be_finished(ann: Person) -> None:
    room = sit(ann)["id"]
    state = GAME.start(DAY)
    wrong = next(str(move) for move in state.moves() if str(move) not in answer(DAY))
    play(ann, room, wrong)
    shown = ann.do(room, "reveal")
    assert wrong not in {played["move"] for played in shown["moves"]}
    assert {played["move"] for played in shown["moves"]} == set(answer(DAY))


def test_a_solution_of_all_84_tiles(ann: Person) -> None:
    room = sit(ann, "all84-descending")["id"]
    shown = ann.do(room, "reveal")
    assert len(shown["moves"]) == 84
    assert shown["scores"] == [356]


# One's own


def test_ones_own_puzzle_can_be_played_and_solved(ann: Person) -> None:
    word = packed(solver.parse(TINY))
    room = sit(ann, "own", options={"text": word})["id"]
    assert play(ann, room, "blue-I3.0@a1", "red-I3.0@b1", "yellow-I3.0@c1")["over"]
    room = sit(ann, "own", options={"text": word})["id"]
    assert ann.do(room, "reveal")["result"]["reason"] == "reveal"
    never = sit(ann, "own", options={"text": packed(solver.parse(NEVER))})["id"]
    refused = ann.ask("POST", f"/api/rooms/{never}/reveal", {})
    assert refused.json()["text"] == "There is no solution: that is proved."


def test_tiles_that_somebody_drew_have_drawings_at_their_table(ann: Person) -> None:
    text = "puzzle: drawn\ntiles: step\nshape step: X../XX./.XX\n\n.\n..\n#..\n"
    room = sit(ann, "own", options={"text": packed(solver.parse(text))})
    assert set(ann.ok("GET", f"/api/rooms/{room['id']}/sprites")["sprites"]) == {
        f"step.{turn}" for turn in range(4)
    }
    assert play(ann, room["id"], "step.0@a1")["over"]
    assert ann.ok("GET", f"/api/rooms/{sit(ann)['id']}/sprites")["sprites"] == {}


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ({"variant": "sudoku"}, "no such variant"),
        ({"variant": "daily-1-2026-13-01"}, "no such variant"),
        ({"variant": "own"}, "needs its text"),
        ({"variant": "own", "options": {"text": "puzzle:_x|tiles:_Q||.."}}, "no such tile"),
        ({"variant": DAY, "options": {"text": "x"}}, "has no such option"),
        ({"variant": DAY, "seats": [{"kind": "bot", "level": 2}]}, "solved by a person"),
        ({"game": "blokus", "variant": "duo"}, "one seat"),
        ({"game": "discovery", "variant": "31"}, "no such variant"),
    ],
)
def test_bad_wishes_are_answered_in_a_sentence(ann: Person, wish: Message, said: str) -> None:
    refused = ann.ask("POST", "/api/rooms", {"game": "puzzle", "clock": "up", **wish})
    assert 400 <= refused.status_code < 500
    assert said in refused.json()["text"]


# Time


def test_the_clock_counts_what_was_looked_at() -> None:
    watch = Stopwatch()
    for event, at in (
        (Sit(0, "ann"), 1_000),
        (Look(0), 10_000),
        (None, 15_000),  # a move
        (Away(0), 18_000),
        (Look(0), 100_000),
    ):
        watch = watch.after(event, at, over=False)
    assert watch.at(101_000) == 9_000
    assert watch.after(None, 102_000, over=True) == (10_000, 0)
    assert watch.after(Look(0), 500_000, over=False).spent == 8_000, "what nobody said"
    assert watch.at(160_000, ((110_000, 150_000),)) == 8_000 + 20_000, "while no server was alive"


def test_time_runs_while_the_table_is_in_sight(ann: Person, bob: Person) -> None:
    room = sit(ann)["id"]
    assert spent(ann, room)[1] is False, "nobody looks yet"
    socket = ann.socket(room)
    socket.wait("room")
    watcher = bob.socket(room)
    watcher.send(t="look", on=True)
    watcher.drain()
    assert spent(ann, room)[1] is False, "a friend's time is not yours"
    socket.send(t="look", on=True)
    assert socket.event("look")["clocks"]["turn"] == 0
    time.sleep(0.6)
    socket.send(t="look", on=False)
    socket.event("away")
    before, runs = spent(ann, room)
    assert (before >= 600, runs) == (True, False)
    time.sleep(0.5)
    assert spent(ann, room) == (before, False), "a pause is not counted"
    socket.send(t="look", on=True)
    socket.event("look")
    socket.close()
    until(lambda: not spent(bob, room)[1], "a pause when the page is left")
    play(ann, room, *answer(DAY))
    assert spent(ann, room)[1] is False
    (sitting,) = ann.ok("GET", "/api/my/puzzles")
    assert sitting["spent"] == spent(ann, room)[0]


def spent(person: Person, room: str) -> tuple[int, bool]:
    clocks = person.ok("GET", f"/api/rooms/{room}")["clocks"]
    assert clocks["up"] is True
    return clocks["left"][0], clocks["turn"] == 0


def test_looking_brings_no_new_offer(ann: Person) -> None:
    """A tile in hand stays there when a tab comes back or a hint is counted."""
    room = sit(ann)["id"]
    socket = ann.socket(room)
    socket.wait("offer")
    socket.send(t="look", on=True)
    assert "offer" not in {message["t"] for message in socket.drain()}


# Sharing


def test_a_friend_sees_a_position_and_goes_on_alone(ann: Person, bob: Person) -> None:
    room = sit(ann)["id"]
    first, *rest = answer(DAY)
    play(ann, room, first)
    assert bob.ok("GET", f"/api/rooms/{room}")["scores"] == [5]
    assert bob.refused("POST", f"/api/rooms/{room}/move", {"ply": 2, "move": rest[0]}) == "seat"
    wish = {"source": f"rooms/{room}", "ply": 1}
    own = bob.ok("POST", "/api/rooms/continued", wish)
    assert (own["scores"], own["clock"], own["you"]) == ([5], "up", [0])
    assert play(bob, own["id"], *rest)["over"]
    assert ann.ok("GET", f"/api/rooms/{room}")["scores"] == [5], "hers is as it was"


# Lists and pictures


DAILY = "daily-1-2026-02-03"  # which no other test plays


def test_a_day_tells_how_everybody_did_and_names_nobody(ann: Person, bob: Person) -> None:
    asked = "/api/puzzles/days/2026-02-03/results"
    assert ann.ok("GET", asked)["solved"] == 0, "which is not kept: the first counts at once"
    for _ in range(2):  # who solves it twice counts once
        play(ann, sit(ann, DAILY)["id"], *answer(DAILY))
    bob.do(sit(bob, DAILY)["id"], "reveal")
    found = ann.ok("GET", asked)
    assert (found["solved"], found["unaided"]) == (1, 1), "a solution that was shown is none"
    assert set(found) == {"solved", "unaided", "median"}
    assert ann.ok("GET", "/api/puzzles/days/2026-02-04/results")["solved"] == 0


def test_the_list_begins_with_today(ann: Person) -> None:
    found = ann.ok("GET", "/api/puzzles")
    today = datetime.now(UTC).date()
    assert found["today"]["variant"] in (name(today), name(today - timedelta(1)))
    assert 1 <= found["today"]["stars"] <= 5
    assert [day["day"] for day in found["days"]] == sorted(
        (day["day"] for day in found["days"]), reverse=True
    )
    assert [task["variant"] for task in found["tasks"]] == list(solver.TASKS)
    assert [task["tiles"] for task in found["discovery"]] == list(range(3, 31))
    assert found["seconds"] == {"hint": 8, "reveal": 24}, "as the server was told"
    old = ann.ok("GET", "/api/puzzles/days/2026-01-31")
    assert old["variant"] == "daily-1-2026-01-31"
    assert old["whole"] == len(daily(date(2026, 1, 31)).board)
    assert ann.refused("GET", "/api/puzzles/days/2999-01-01") == "missing"


@pytest.mark.parametrize("path", ["puzzle/tetra-8x10", f"puzzle/{DAY}", "discovery/7"])
def test_puzzles_have_pictures(ann: Person, path: str) -> None:
    for theme in ("light", "dark"):
        found = ann.http.get(f"/api/puzzles/{path}.svg?theme={theme}")
        assert found.headers["content-type"].startswith("image/svg+xml")
        assert ElementTree.fromstring(found.text).tag.endswith("svg")


def test_a_table_has_a_picture_of_its_board(ann: Person) -> None:
    room = sit(ann)["id"]
    before = ann.http.get(f"/api/rooms/{room}/board.svg").text
    play(ann, room, answer(DAY)[0])
    after = ann.http.get(f"/api/rooms/{room}/board.svg").text
    assert before != after


def test_wrong_pictures_are_refused(ann: Person) -> None:
    for path in ("blokus/duo", "puzzle/sudoku", "puzzle/..%2f..%2fx", "discovery/99"):
        found = ann.ask("GET", f"/api/puzzles/{path}.svg")
        assert 400 <= found.status_code < 500


def test_puzzles_tell_their_words_and_rules(ann: Person) -> None:
    for game in ("puzzle", "discovery"):
        info = ann.ok("GET", f"/api/games/{game}?language=nl")
        assert info["language"] == "nl"
        assert info["words"]["goals"]
        assert ann.ask("GET", f"/api/games/{game}/sprites").status_code == 200
    assert {game["name"] for game in ann.ok("GET", "/api/games")} == set(games.names())
