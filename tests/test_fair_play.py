"""Nobody wins with our help: what a review did to a running game with our own engine, door by door,
each with a game between two people at different addresses."""

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from servers import Message, Person, Socket, Tegel, offered, until
from studying import Student, study
from tegel import games
from tegel.search import grades
from test_fortress_help import OTHER, asked, played, uploaded
from test_fortress_load import Stranger

RATED = {"rated": True, "clock": "bank 600 5"}
BOT = [{"kind": "person"}, {"kind": "bot", "level": 1}]
SERVE = ("--report-seconds", "3")  # otherwise one on six moves takes a minute
EYE = {"game": "forma", "variant": "two", "options": {"layout": "random", "assist": "off"}}
RESTS = "The engine rests while you play a rated game of Blokus (Duo)."


@pytest.fixture
def cid(server: Tegel) -> Person:
    return Stranger(server, "127.0.0.31")


@pytest.fixture
def dan(server: Tegel) -> Person:
    return Stranger(server, "127.0.0.32")


def record_of(person: Person, room: str) -> str:
    return person.http.get(f"/api/rooms/{room}/record").text


def cut(text: str, moves: int) -> str:
    """A record without its last moves."""
    return "\n".join(text.rstrip("\n").split("\n")[:-moves]) + "\n"


def thought(person: Person, text: str, path: str) -> str:
    """What comes of letting a study think: `thought`, or the code of the refusal."""
    student = Student(person, study(person, text=text)["id"])
    student.wait("study")
    student.send(t="think", path=path)
    found = student.wait("thought", "rested")
    return str(found.get("code") or found["t"])


# A rated game with a clock of minutes


@pytest.fixture
def rated(cid: Person, dan: Person) -> Iterator[str]:
    room = played(cid, dan, 6, **RATED)
    yield room
    if not cid.ok("GET", f"/api/rooms/{room}")["over"]:
        cid.do(room, "resign")


def test_in_a_rated_game_the_engine_rests_whatever_is_asked(cid: Person, rated: str) -> None:
    """In that variant: no hint, no line, no report, no try, no moment, no bot from a position."""
    brought = uploaded(cid, OTHER)
    assert asked(cid, brought, 6) == "rests"
    assert asked(cid, brought, 0) == "rests", "not even on an empty board"
    refusal = cid.ask("POST", f"/api/records/{brought}/positions/6/hint").json()
    assert refusal["text"] == RESTS
    assert refusal["args"]["variant"] == "duo"
    assert thought(cid, OTHER, "5") == "rests"
    id = study(cid, text=OTHER)["id"]
    assert cid.refused("POST", f"/api/studies/{id}/report") == "rests"
    for source, ply in ((f"rooms/{rated}", 5), (f"records/{brought}", 4)):
        wish = {"source": source, "ply": ply, "level": 9}
        assert cid.refused("POST", "/api/rooms/continued", wish) == "rests"
    name = next(key for key, one in grades.named("blokus").items() if one.variant == "duo")
    assert cid.refused("POST", f"/api/moments/blokus/{name}/answer", {}) == "rests"
    cid.do(rated, "resign")
    assert asked(cid, brought, 6) == "given"


def test_another_game_and_other_people_are_helped_as_ever(
    cid: Person, rated: str, server: Tegel
) -> None:
    imago = cid.room(game="imago", variant="imago", seats=BOT)["id"]
    until(lambda: cid.ok("GET", f"/api/rooms/{imago}")["turn"] == 0, "your turn")
    assert cid.ok("POST", f"/api/rooms/{imago}/hint")["move"]
    classic = uploaded(cid, "game: blokus\nvariant: classic\n\na20,b20,b19\n")
    assert asked(cid, classic, 1) == "rests", "where a board of Duo can be built behind a wall"
    friend = Stranger(server, "127.0.0.31")
    assert asked(friend, uploaded(friend, OTHER), 6) == "given", "of the network, but another game"
    brought = uploaded(friend, record_of(cid, rated))
    assert asked(friend, brought, 6) == "running", "of the network, and the same game"
    stranger = Stranger(server, "127.0.0.77")
    assert asked(stranger, brought, 6) == "given"
    puzzle = cid.room(game="puzzle", variant="tetra-8x10", clock="up")["id"]
    assert cid.ok("POST", f"/api/rooms/{puzzle}/hint", {})["event"]["key"] == "hint"


def test_who_resigned_is_helped_again_though_the_others_play_on(server: Tegel) -> None:
    people = [Stranger(server, f"127.0.0.{40 + n}") for n in range(4)]
    room = people[0].room(variant="classic", **RATED)["id"]
    for seat, person in enumerate(people[1:], 1):
        person.do(room, "sit", seat=seat)
    brought = uploaded(people[0], "game: blokus\nvariant: classic\n\na20,b20,b19\n")
    assert asked(people[0], brought, 1) == "rests"
    people[0].do(room, "resign")
    assert not people[1].ok("GET", f"/api/rooms/{room}")["over"]
    assert asked(people[0], brought, 1) == "given"
    for person in people[1:3]:
        person.do(room, "resign")


def moved(room: Message) -> int:
    return len(room["moves"])


def test_a_game_against_a_bot_pauses_and_goes_on_by_itself(cid: Person, dan: Person) -> None:
    """The table says why, and the clock of nobody runs meanwhile."""
    room = cid.room(seats=BOT, clock="bank 300 0")["id"]
    at: Socket = cid.socket(room)
    first = at.wait("offer")
    at.move(first, 5)
    second = at.wait("offer")  # the bot has answered
    running = played(cid, dan, 2, **RATED)
    at.move(second, 9)
    told = at.wait("resting")
    assert (told["code"], told["text"]) == ("rests", RESTS)
    seen = cid.ok("GET", f"/api/rooms/{room}")
    assert moved(seen) == 3
    assert seen["clocks"]["turn"] == -1, "nobody's time runs"
    again = cid.socket(room)
    assert again.wait("resting")["code"] == "rests", "who comes later is told too"
    cid.do(running, "resign")
    assert at.wait("resting").get("code", "") == ""
    assert at.wait("moved")["ply"] > 3


def test_a_report_is_read_no_more_when_a_rated_game_begins(cid: Person, dan: Person) -> None:
    student = Student(cid, study(cid, text=record_of(cid, finished(cid, dan)))["id"])
    student.wait("study")
    student.send(t="judge", begin=True)
    assert student.wait("judged", "error")["t"] == "judged"
    room = cid.room(**RATED)["id"]
    dan.do(room, "sit", seat=1)
    while (told := student.wait("judged", "error"))["t"] == "judged":
        assert not told["complete"], "it goes on for some seconds"
    assert told["code"] == "rests"
    dan.do(room, "resign")


def finished(ann: Person, bob: Person) -> str:
    """A game of two that is over, whose report takes a while."""
    room = played(ann, bob, 24)
    bob.do(room, "resign")
    return room


def test_thinking_ends_when_a_rated_game_begins(cid: Person, dan: Person) -> None:
    student = Student(cid, study(cid, text=OTHER)["id"])
    student.wait("study")
    student.send(t="think", path="5")
    assert student.wait("thought", "rested")["t"] == "thought"
    room = cid.room(**RATED)["id"]
    dan.do(room, "sit", seat=1)
    assert student.wait("rested")["code"] == "rests"
    dan.do(room, "resign")


# Games without a clock of minutes


def test_a_bot_rests_where_somebody_replays_a_running_game(
    cid: Person, dan: Person, server: Tegel
) -> None:
    """In a room of a second browser, at the same address."""
    state, moves = games.load("blokus").start("duo"), list[str]()
    while len(moves) < 11:
        legal = state.moves()
        moves.append(str(legal[len(legal) // 3]))
        state = state.play(legal[len(legal) // 3])
    second = Stranger(server, "127.0.0.31")
    text = "\n".join(["game: blokus", "variant: duo", "", *moves[:10], ""])
    wish = {"source": f"records/{uploaded(second, text)}", "ply": 10, "level": 9}
    room = second.ok("POST", "/api/rooms/continued", wish)["id"]  # nobody plays it yet
    at = second.socket(room)
    there = at.wait("offer")
    running = cid.room()["id"]
    dan.do(running, "sit", seat=1)
    for ply, move in enumerate(moves):
        (cid, dan)[ply % 2].do(running, "move", ply=ply + 2, move=move)
    at.send(t="move", ply=there["ply"], move=moves[10])
    assert at.wait("resting")["code"] == "running"
    assert moved(second.ok("GET", f"/api/rooms/{room}")) == 11
    dan.do(running, "resign")
    at.wait("resting")
    assert at.wait("moved")["seat"] == 1


def test_a_study_that_leaves_the_game_a_move_before_is_not_helped(cid: Person, dan: Person) -> None:
    """Its report, lines and tries would all be about the game."""
    running = played(cid, dan, 8)
    text = cut(record_of(cid, running), 1)
    state = games.final(games.read(text))
    text += f"{state.moves()[3]}\n"
    id = study(cid, text=text)["id"]
    assert cid.refused("POST", f"/api/studies/{id}/report") == "running"
    assert thought(cid, text, "6") == "running"
    dan.do(running, "resign")


def test_a_report_that_leaves_the_game_at_the_last_move_judges_no_tries(
    cid: Person, dan: Person, server: Tegel
) -> None:
    """To try the opponent's real move there would tell the best answer to it."""
    moves = OTHER.rstrip("\n").split("\n")[3:]
    id = study(cid, text=OTHER)["id"]
    until(lambda: cid.ok("POST", f"/api/studies/{id}/report")["complete"], "a report", 90)
    room = cid.room()["id"]
    dan.do(room, "sit", seat=1)
    for ply, move in enumerate([*moves[:3], "I5.1@d3"]):
        (cid, dan)[ply % 2].do(room, "move", ply=ply + 2, move=move)
    wish = {"ply": 4, "move": "I5.1@d3"}
    assert cid.refused("POST", f"/api/studies/{id}/tries", wish) == "running"
    dan.do(room, "resign")
    assert "right" in cid.ok("POST", f"/api/studies/{id}/tries", wish)
    # Others on the network may know the opening before it, but not what becomes of the move.
    friend = Stranger(server, "127.0.0.31")
    own = study(friend, text=OTHER)["id"]
    state: Any = games.final(replace(games.read(OTHER), moves=tuple(moves[:4])))
    move = str(max(state.moves(), key=lambda move: len(move.cells)))
    wish = {"ply": 5, "move": move}
    assert "right" in friend.ok("POST", f"/api/studies/{own}/tries", wish)
    room = cid.room()["id"]
    dan.do(room, "sit", seat=1)
    for ply, each in enumerate([*moves[:4], move]):
        (cid, dan)[ply % 2].do(room, "move", ply=ply + 2, move=each)
    assert asked(friend, uploaded(friend, OTHER), 4) == "given"
    assert friend.refused("POST", f"/api/studies/{own}/tries", wish) == "running"
    dan.do(room, "resign")


def test_a_position_less_an_old_piece_is_not_helped(cid: Person, dan: Person) -> None:
    running = played(cid, dan, 10)
    state: Any = games.final(games.read(record_of(cid, running)))
    grid = state.rules.grid
    gone = next(iter(grid.components(state.squares[0])))
    rows = [list(row) for row in str(state).splitlines() if ":" not in row][1:]
    for x, y in grid.cells(gone):
        rows[len(rows) - 1 - y][x] = "."
    head = [row for row in str(state).splitlines() if ":" in row and not row.startswith("last")]
    text = "\n".join(["blokus duo", *head, *("".join(row) for row in rows)])
    read: Any = games.position(text)
    assert read.squares[0] == state.squares[0] & ~gone
    assert thought(cid, text, "-") == "running"
    dan.do(running, "resign")
    assert thought(cid, text, "-") == "thought"


def test_in_games_of_days_a_network_is_remembered_as_long_as_they_run(
    cid: Person, dan: Person, server: Tegel
) -> None:
    running = played(cid, dan, 6, clock="days 3")
    brought = uploaded(cid, record_of(cid, running))
    day = 25 * 3_600_000
    with sqlite3.connect(server.folder / "tegel.db", timeout=20) as stored:
        stored.execute("UPDATE networks SET at = at - ?", (day,))
    second = Stranger(server, "127.0.0.31")
    assert asked(second, brought, 6) == "running"
    dan.do(running, "resign")
    assert asked(second, brought, 6) == "given"


# By eye


def by_eye(ann: Person, bob: Person, moves: int, **wish: object) -> str:
    """A game by eye after some tiles. At its table nobody is told what fits, so ask the law."""
    room: str = ann.room(**{**EYE, **wish})["id"]
    bob.do(room, "sit", seat=1)
    for _ in range(moves):
        seen = ann.ok("GET", f"/api/rooms/{room}")
        state = games.final(games.read(record_of(ann, room)))
        mover = (ann, bob)[seen["turn"]]
        mover.do(room, "move", ply=seen["ply"], move=str(fitting(state)))
    return room


def fitting(state: object) -> object:
    """A move that fits, of a state in which anything may be tried."""
    assisted = games.position(str(state).replace("assist=off", "assist=on"))
    return assisted.moves()[len(assisted.moves()) // 2]


def test_a_study_two_moves_back_does_not_say_what_fits_by_eye(
    cid: Person, dan: Person, server: Tegel
) -> None:
    room = by_eye(cid, dan, 4)
    text = cut(record_of(cid, room), 2).replace("assist=off", "assist=on")
    for person in (cid, Stranger(server, "127.0.0.90")):
        assert person.refused("POST", "/api/studies", {"text": text}) == "eye"
        assert person.http.post("/api/records", content=text.encode()).json()["code"] == "eye"
    dan.do(room, "resign")
    id = study(cid, text=text)["id"]
    assert cid.ok("GET", f"/api/studies/{id}/nodes/-")


def test_a_table_that_shows_what_fits_rests_near_a_game_by_eye(
    cid: Person, dan: Person, server: Tegel
) -> None:
    """Somebody sets up the same board, where what fits is shown, and plays the game over again."""
    room = by_eye(cid, dan, 0)
    state: Any = games.final(games.read(record_of(cid, room)))
    cells = [state.rules.grid.cells(mask) for mask in (state.layout.tower, state.layout.obstacles)]
    squares = ["abcdefghijklmnopqrst"[x] + str(y + 1) for each in cells for x, y in each]
    layout = f"{squares[0]}:{','.join(squares[1:])}"
    friend = Stranger(server, "127.0.0.91")
    wish = {"game": "forma", "variant": "two", "options": {"layout": layout, "assist": "on"}}
    other = friend.room(**wish, seats=[{"kind": "person"}] * 2)["id"]
    assert friend.refused("GET", f"/api/rooms/{other}/offer") == "eye"
    at = friend.socket(other)
    assert at.wait("resting")["code"] == "eye"
    assisted = games.position(str(state).replace("assist=off", "assist=on"))
    seen = friend.ok("GET", f"/api/rooms/{other}")
    wish = {"ply": seen["ply"], "move": str(assisted.moves()[0])}
    assert friend.refused("POST", f"/api/rooms/{other}/move", wish) == "eye"
    dan.do(room, "resign")
    assert at.wait("resting").get("code", "") == ""
    assert at.wait("offer")["slots"]


def squares(tower: tuple[int, int], obstacles: list[tuple[int, int]]) -> str:
    """A layout as an option says it."""
    names = ["abcdefghijklmnopqrst"[x] + str(y + 1) for x, y in (tower, *obstacles)]
    return f"{names[0]}:{','.join(names[1:])}"


@pytest.mark.parametrize("shift", [(0, 0), (-3, 0), (0, 3)])
def test_a_board_that_is_shifted_and_changed_is_known_again(
    cid: Person, dan: Person, shift: tuple[int, int]
) -> None:
    """With a quarter of its obstacles elsewhere, too: what fits depends on what lies near by."""
    layout = [(2, 3), (4, 8), (5, 2), (7, 15), (12, 3), (13, 12), (16, 7), (15, 14), (9, 5)]
    layout += [(6, 11), (3, 16), (10, 15), (14, 10)]
    room = by_eye(cid, dan, 0, options={"layout": squares((10, 10), layout), "assist": "off"})
    dx, dy = shift
    others = [(x + dx, y + dy) for x, y in layout[3:]] + [(1, 19), (18, 1), (19, 12)]
    options = {"layout": squares((10 + dx, 10 + dy), others), "assist": "on"}
    wish = {"game": "forma", "variant": "two", "options": options}
    assert cid.refused("POST", "/api/studies", wish) == "eye"
    dan.do(room, "resign")
    assert cid.ok("POST", "/api/studies", wish)


def test_a_table_by_eye_of_ones_own_is_no_place_to_try_what_fits(cid: Person, dan: Person) -> None:
    layout = squares((10, 10), [(2 * n, (7 * n) % 20) for n in range(9)])
    options = {"layout": layout, "assist": "off"}
    room = by_eye(cid, dan, 0, options=options)
    seats = [{"kind": "person"}] * 2
    own = cid.room(game="forma", variant="two", options=options, seats=seats)["id"]
    move = {"ply": cid.ok("GET", f"/api/rooms/{own}")["ply"], "move": "1.0@a20"}
    assert cid.refused("POST", f"/api/rooms/{own}/move", move) in ("eye", "running")
    dan.do(room, "resign")


def test_who_plays_by_eye_with_a_clock_sees_nowhere_what_fits(cid: Person, dan: Person) -> None:
    room = by_eye(cid, dan, 0, clock="bank 600 5")
    own = study(cid, game="forma", variant="two", options={"layout": "random", "assist": "on"})
    assert cid.refused("GET", f"/api/studies/{own['id']}/nodes/{len(own['line']) - 1}") == "rests"
    dan.do(room, "resign")
    assert cid.ok("GET", f"/api/studies/{own['id']}/nodes/{len(own['line']) - 1}")["offer"]


def test_a_bot_at_a_table_by_eye_plays_on(cid: Person, dan: Person) -> None:
    """Two people and two bots: their own game is no reason to rest."""
    seats = [{"kind": "person"}, {"kind": "open"}, *[{"kind": "bot", "level": 1}] * 2]
    room = cid.room(**{**EYE, "variant": "four"}, seats=seats)["id"]
    dan.do(room, "sit", seat=1)

    def all_moved() -> bool:
        seen = cid.ok("GET", f"/api/rooms/{room}")
        if 0 <= seen["turn"] < 2:
            move = str(fitting(games.final(games.read(record_of(cid, room)))))
            (cid, dan)[seen["turn"]].do(room, "move", ply=seen["ply"], move=move)
        return {move["seat"] for move in seen["moves"]} >= {0, 1, 2, 3}

    until(all_moved, "a move of everybody", 60)
    cid.do(room, "resign")
    dan.do(room, "resign")


def assisted(ann: Person, bob: Person, layout: str, **wish: object) -> str:
    """A game of two people at a table that shows what fits."""
    options = {"layout": layout, "assist": "on"}
    room: str = ann.room(game="forma", variant="two", options=options, **wish)["id"]
    bob.do(room, "sit", seat=1)
    return room


def moves_on(room: str, *people: Person) -> None:
    """Whoever is to move does, with what they are offered."""
    seen = people[0].ok("GET", f"/api/rooms/{room}")
    mover = people[seen["turn"]]
    offer = mover.ok("GET", f"/api/rooms/{room}/offer")
    after = mover.do(room, "move", ply=offer["ply"], move=offered(offer, 5, "forma"))
    assert moved(after) > moved(seen)


def test_nobody_stops_an_opponents_table_by_playing_by_eye_elsewhere(
    cid: Person, dan: Person, server: Tegel
) -> None:
    """What fits is shown on, or dan would lose on time."""
    room = assisted(cid, dan, "random", **RATED)
    other = by_eye(cid, Stranger(server, "127.0.0.61"), 0, clock="bank 600 5")
    moves_on(room, cid, dan)
    cid.do(other, "resign")
    dan.do(room, "resign")


def test_nobody_stops_a_strangers_table_by_copying_it(server: Tegel) -> None:
    """Neither one of two people nor one of somebody alone."""
    layout = "k11:c4,e9,f2,h16,m3,n13,q7,r18,t5"
    ann, bob = Stranger(server, "127.0.0.51"), Stranger(server, "127.0.0.52")
    room = assisted(ann, bob, layout, clock="bank 600 5")
    options = {"layout": layout, "assist": "on"}
    cleo = Stranger(server, "127.0.0.55")  # a bot rests for a game of who plays against it
    alone = cleo.room(game="forma", variant="two", options=options, seats=BOT)["id"]
    bad, worse = Stranger(server, "127.0.0.53"), Stranger(server, "127.0.0.54")
    copy = by_eye(bad, worse, 0, options={"layout": layout, "assist": "off"})

    def waits() -> bool:
        return bool(cleo.ok("GET", f"/api/rooms/{alone}")["turn"] == 0)

    moves_on(room, ann, bob)
    until(waits, "your turn")
    assert cleo.ok("GET", f"/api/rooms/{alone}/offer")["slots"]
    moves_on(alone, cleo)
    until(waits, "the bot's move")
    worse.do(copy, "resign")
    bob.do(room, "resign")


def test_a_moment_shows_nothing_that_fits_to_who_plays_by_eye(cid: Person, dan: Person) -> None:
    room = by_eye(cid, dan, 0, clock="bank 600 5")
    assert cid.refused("GET", "/api/moments/forma/next") == "rests"
    dan.do(room, "resign")
    assert cid.ok("GET", "/api/moments/forma/next")["node"]["offer"]
