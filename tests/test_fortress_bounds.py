"""What a stranger may bring is bounded: puzzles, options, records. One request never stops
everybody, and nothing large is answered."""

import json
import random
import sqlite3
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from hostile import LONGEST, longest, own, there_and_back, upload
from servers import Person, tegel
from tegel import games, solver
from tegel.record import BadNotation, Record
from tegel.room import replays
from tegel.room.replays import reached

LARGE = 1_000_000  # bytes that no answer has


# Few squares in a large box, for the rows are ragged:
RAGGED = own("#" * 9_999 + ".", *["#"] * 2_000, "...", "...")
HIGH = own(*["#"] * 3_000, "...", "...", "...")
PLAINS = own("#" * 899 + ".", *["#"] * 896, "...", "...", "...", tiles="1*100")
WIDE_TILE = own("...", "...", "...", tiles="a|shape_a:_X" + "." * 3_000 + "X")
MANY_TILES = own("...", "...", "...", tiles="I3*121")
LONG_TEXT = own("...", "...", "...") + "|" * 20_000
MANY_DRAWN = own(
    "...", "...", "...",
    tiles=",".join(f"{c}_a_b_c" for c in ("", "blue", "yellow", "red", "green"))
    + "".join(f"|shape_{key}:_{'X' * 17}" for key in "abc"),
)  # fmt: skip


def sentence(answer: httpx.Response, status: int = 422) -> str:
    assert answer.status_code == status, (answer.status_code, answer.text[:500])
    text: str = answer.json()["text"]
    return text


# Puzzles of one's own


@pytest.mark.parametrize(
    "text", [RAGGED, HIGH, WIDE_TILE, MANY_TILES, MANY_DRAWN, LONG_TEXT, PLAINS]
)
def test_a_puzzle_too_large_for_a_table_comes_in_by_no_way(ann: Person, text: str) -> None:
    wish = {"game": "puzzle", "variant": "own", "options": {"text": text}}
    assert sentence(ann.ask("POST", "/api/rooms", wish))
    assert sentence(upload(ann, f"game: puzzle\nvariant: own\noptions: text={text}\n\n"))
    start = time.process_time()
    with pytest.raises(BadNotation):
        games.load("puzzle").read(f"puzzle own text={text}\n")
    with pytest.raises(BadNotation):
        games.final(Record("puzzle", "own", {"text": text}))
    assert time.process_time() - start < 1, "refused before anything is computed"


def test_the_library_bounds_a_puzzle_by_its_box_not_only_by_its_squares() -> None:
    ragged = "puzzle: x\ntiles: I3*3\n\n" + "." + "#" * 90_000 + "."
    with pytest.raises(BadNotation, match="wide"):
        solver.parse(ragged)
    with pytest.raises(BadNotation, match="wide"):
        solver.Puzzle("x", ((0, 0), (9_000, 9_000)), solver.TASKS["tetra-8x10"].tiles)


COLOURED = ("", "blue_", "yellow_", "red_", "green_")
ROWS = ["." * 40] * 9 + ["." * 39] + ["#"] * 29 + ["."]  # all the squares there may be


def of_every_colour(tiles: Sequence[str]) -> str:
    return ",".join(colour + "_".join(tiles) for colour in COLOURED)


def most_forms() -> str:
    """A puzzle with the most tiles that a table holds, many in eight forms, on the largest box."""
    keys = [f"a{n}" for n in range(12)]
    shapes = [f"shape_{key}:_XXX/X" for key in keys]
    known = ["L4", "F", "L5", "N", "P", "Y", "V3", "T4", "T5", "U", "V5", "W"]
    tiles = of_every_colour(keys + known)
    return "|".join([f"puzzle:_x|tiles:_{tiles}", *shapes, "", *ROWS])


def most_outline() -> str:
    """A puzzle with tiles as hard to draw as a table holds: all of single squares apart."""
    keys = [f"a{n}" for n in range(12)]
    rows = ["/".join("." * ((7 * y + n) % 19) + "X" for y in range(20)) for n in range(12)]
    shapes = [f"shape_{key}:_{row}" for key, row in zip(keys, rows, strict=True)]
    return "|".join([f"puzzle:_x|tiles:_{'_'.join(keys)}", *shapes, "", *ROWS])


@pytest.mark.parametrize("text", [most_forms(), most_outline()], ids=["forms", "outline"])
def test_the_largest_puzzle_makes_no_large_answer(ann: Person, text: str) -> None:
    """It is the largest: a square or a row more, a tile drawn more, and it comes in no more."""
    drawn = text.replace("|shape_", ",b|shape_b:_XXXXX|shape_", 1)
    for more in (f"{text}|.", text.replace("#", ".", 1), drawn):
        wish = {"game": "puzzle", "variant": "own", "options": {"text": more}}
        assert sentence(ann.ask("POST", "/api/rooms", wish))
    room = ann.room(game="puzzle", variant="own", clock="up", options={"text": text})
    paths = ("", "/offer", "/sprites", "/board.svg", "/positions/0", "/positions/0.svg")
    sizes = {path: len(ann.http.get(f"/api/rooms/{room['id']}{path}").content) for path in paths}
    assert max(sizes.values()) > LARGE // 5, "a puzzle that is large indeed"
    assert max(sizes.values()) < LARGE, sizes


# Options


@pytest.mark.parametrize("white", [" ", "\n", "\t", "\u00a0", "\u2003", "\u2028", "\x1f", "\x85"])
def test_what_is_not_one_word_is_no_option(ann: Person, white: str) -> None:
    text = own("...", "...", "...").replace("_", white, 1)
    wish = {"game": "puzzle", "variant": "own", "options": {"text": text}, "listed": True}
    answer = ann.ask("POST", "/api/rooms", wish)
    if answer.status_code == 201:  # a text as it is written, which is kept as one word
        assert answer.json()["options"]["text"].split() == [answer.json()["options"]["text"]]
    else:
        assert sentence(answer)
    ann.ok("GET", "/api/rooms")
    with pytest.raises(BadNotation):
        Record("puzzle", "own", {"text": text})
    with pytest.raises(BadNotation):
        games.load("puzzle").start("own", text=text)


def test_options_come_out_as_they_went_in(tmp_path: Path) -> None:
    text = own("...", "...", "...").replace("x|", 'é"{=}\\|', 1)
    with tegel(tmp_path) as server:
        ann = Person(server)
        room = ann.room(game="puzzle", variant="own", listed=True, options={"text": text})["id"]
        old = ann.room(game="blokus", variant="classic", listed=True, options={"corners": "fixed"})
        server.stop()
        with sqlite3.connect(tmp_path / "tegel.db") as base:
            (stored,) = base.execute("SELECT options FROM rooms WHERE id = ?", [room]).fetchone()
            # As the version before wrote it:
            base.execute("UPDATE rooms SET options = 'corners=fixed' WHERE id = ?", [old["id"]])
        base.close()
        assert json.loads(stored) == {"text": text}
        server.start()
        listed = {entry["id"]: entry["options"] for entry in ann.ok("GET", "/api/rooms")}
        assert listed == {room: {"text": text}, old["id"]: {"corners": "fixed"}}
        assert ann.ok("GET", f"/api/rooms/{room}")["options"] == {"text": text}
        assert ann.ok("GET", f"/api/rooms/{old['id']}")["options"] == {"corners": "fixed"}
        record = ann.http.get(f"/api/rooms/{room}/record").text
        assert upload(ann, record).json()["options"] == {"text": text}
        server.check()


# Records


@pytest.mark.parametrize(
    "record",
    [
        there_and_back("tetra-8x10", 15_000),
        Record("blokus", "duo", moves=("F.0@d9",) * 100),
        Record("forma", "two", {"layout": "placed"}, moves=("obstacle@c4", "remove@c4") * 9_000),
        Record("imago", moves=("+red",) * 30_000),
    ],
    ids=lambda record: record.game,
)
def test_a_record_longer_than_its_game_can_be_is_not_replayed(ann: Person, record: Record) -> None:
    text = sentence(upload(ann, record))
    assert f"{LONGEST[record.game]:,} moves" in text
    assert "ply" not in text, "nothing was played"


def test_positions_of_the_longest_record_are_not_replayed_each_time(ann: Person) -> None:
    record = longest("penta-15x16")
    start = time.perf_counter()
    games.final(record)
    replay = time.perf_counter() - start
    kept = upload(ann, record).json()
    path = f"/api/records/{kept['id']}/positions"
    assert ann.ok("GET", f"{path}/{kept['plies']}")["ply"] == LONGEST["puzzle"]

    def asked(paths: list[str]) -> tuple[float, list[Any]]:
        start = time.perf_counter()
        with ThreadPoolExecutor(8) as many:
            answers = list(many.map(lambda one: ann.ok("GET", one), paths))
        return time.perf_counter() - start, answers

    took, answers = asked([f"{path}/{kept['plies'] - n % 8}" for n in range(40)])
    assert {answer["ply"] for answer in answers} == {*range(1993, 2001)}
    bare, _ = asked([f"{path}/0"] * 40)  # what asking takes at all, here and now
    assert took < 10 * replay + 2 * bare + 1, "and not 40 times"


def test_a_position_is_the_same_by_whatever_way_it_was_come_to(ann: Person) -> None:
    record = longest()
    kept = upload(ann, record).json()["id"]
    for ply in (0, 1, 49, 50, 51, 1999, 120, 2000, 99):
        found = ann.ok("GET", f"/api/records/{kept}/positions/{ply}")
        state = games.final(Record("puzzle", record.variant, moves=record.moves[:ply]))
        assert found["scores"] == list(state.scores), ply
        assert found["move"] == (record.moves[ply - 1] if ply else "")
        assert len(found["marks"]) == len(games.load("puzzle").drawing.marks(state))
    missing = ann.ask("GET", f"/api/records/{kept}/positions/2001")
    assert missing.status_code == 404


def test_states_on_the_way_are_kept_within_bounds(rng: random.Random) -> None:
    record = longest()
    for _ in range(30):
        ply = rng.randrange(len(record.moves))
        other = replace(record, moves=record.moves[rng.randrange(0, 19, 2) :][:ply])
        with suppress(games.BadRecord):
            reached(other, ply)
        assert reached(record, ply) == games.final(replace(record, moves=record.moves[:ply]))
        assert len(replays._KEPT) <= replays.MOST
