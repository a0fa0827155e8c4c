"""What people see of Imago: colours that everybody can tell apart, marks, words."""

import subprocess
import sys
from itertools import combinations
from pathlib import Path
from typing import cast

import pytest

from tegel import games
from tegel.game import sentence
from tegel.games.imago import GAME
from tegel.games.imago.rules import State
from tegel.games.imago.sprites import GLYPHS, PAINTS
from tegel.games.imago.stones import COLOURS
from tegel.lattice import name
from tegel.picture import THEMES, Mark
from vision import contrast, distance

FOLDER = Path(games.__file__).parent / "imago"
BELOW = "\n......\n......\n......\n-....-\n"


def position(text: str) -> State:
    state: State = GAME.read(f"imago imago\n{text}{BELOW}")
    return state


def marks(state: State, plane: str, *sprites: str) -> list[Mark]:
    return [m for m in GAME.drawing.marks(state) if m.plane == plane and m.sprite in sprites]


def stones(state: State, plane: str) -> list[str]:
    """The stones on a plane, as letters at places."""
    return sorted(f"{m.sprite}{m.cell[0]},{m.cell[1]}" for m in marks(state, plane, *COLOURS))


# Colours


@pytest.mark.parametrize("vision", ["normal", "protanopia", "deuteranopia"])
def test_eleven_colours_stay_apart(vision: str) -> None:
    for a, b in combinations(COLOURS, 2):
        least = min(
            distance(PAINTS[a].fill[i], PAINTS[b].fill[i], vision) for i in range(len(THEMES))
        )
        assert least > (50 if vision == "normal" else 28), (a, b)


@pytest.mark.parametrize("theme", range(len(THEMES)))
def test_every_colour_has_a_glyph_of_its_own_that_stands_out(theme: int) -> None:
    assert len({path for _, path, _ in GLYPHS.values()}) == len(COLOURS)
    for letter, (ink, _, _) in GLYPHS.items():
        assert contrast(PAINTS[ink].fill[theme], PAINTS[letter].fill[theme]) > 4.5, letter


@pytest.mark.parametrize("theme", range(len(THEMES)))
def test_stones_and_outlines_stand_out_from_the_board(theme: int) -> None:
    for letter in COLOURS:
        paint = PAINTS[letter]
        assert contrast(paint.edge[theme], PAINTS["hollow"].fill[theme]) > 3, letter
    for side in ("left", "right"):
        assert contrast(PAINTS[side].fill[theme], PAINTS["wood"].fill[theme]) > 4.5, side
    for vision in ("normal", "protanopia", "deuteranopia"):
        assert distance(PAINTS["left"].fill[theme], PAINTS["right"].fill[theme], vision) > 25


# What is drawn


def test_board_and_stocks_show_every_stone_in_its_place() -> None:
    state = position("player: 0\nstock.0: dE\nstock.1: f\n-AB.C-\n......")
    assert stones(state, "board") == ["A1,5", "B2,5", "C4,5"]
    assert stones(state, "stock.0") == ["D0,0", "E1,0"]
    assert stones(state, "stock.1") == ["F0,0"]
    assert len(marks(state, "board", "hollow")) == 32
    assert {m.tile for m in marks(state, "board", *COLOURS)} == {"b6", "c6", "e6"}


def test_stocks_are_drawn_in_the_middle_of_their_trays_at_the_scale_of_the_board() -> None:
    state = position("player: 0\nstock.0: dE/.F\n-AB..-\n..C...")
    planes = {plane.name: plane for plane in GAME.drawing.planes(state)}
    left, top, right, bottom = planes["stock.0"].box
    assert ((left + right) / 2, (top + bottom) / 2) == (0.5, 0.5)
    assert planes["stock.0"].scale == planes["board"].scale == 1


def outlines(state: State) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {"left": [], "right": []}
    for mark in GAME.drawing.marks(state):
        if mark.path:
            found[mark.colour].append(mark.role)
    return found


def test_images_are_outlined_when_they_are_few() -> None:
    state = position("player: 0\nstock.0: dE\nstock.1: fG\n-AB..-\n......")
    assert outlines(state) == {"left": ["line"], "right": ["dashes"]}
    state = position("player: 0\nstock.0: d\nstock.1: fG\n-ABAB-\nAB....")
    assert outlines(state) == {"left": [], "right": []}  # four images: nothing yet


def test_images_that_may_be_claimed_or_captured_are_always_outlined() -> None:
    asked = position("player: 0\nstock.1: fG\n-ABAB-\nAB....").play(GAME.parse("b6@0,0"))
    assert outlines(asked)["right"] == ["dashes"]
    many = GAME.read(
        "imago imago\nplayer: 0\nstock.0: dE\n-AB.C-\n......\nABAB..\n......\n......\n-....-"
    )
    assert outlines(many)["left"] == ["line"]


def test_a_claim_bears_a_seal() -> None:
    state = position("player: 0\nstock.1: fG\nclaim.1: 0,1\n-AB.C-\n......")
    (seal,) = marks(state, "board", "seal")
    assert seal.colour == "right"
    assert name((round(seal.cell[0] - 0.42), round(seal.cell[1] - 0.42))) == "b6"


def test_forbidden_stones_are_marked_by_their_rule() -> None:
    state = position("player: 0\nstock.0: d\nstock.1: fG\n-AB.C-\n......")
    kept = marks(state, "board", "kept")
    assert [m.label for m in kept] == ["last"] * 2
    state = position("player: 0\nstock.0: d\n-AB.C-\n......")
    barred = marks(state, "board", "barred")
    assert [m.label for m in barred] == ["image"] * 2
    assert len(marks(state, "stock.0", "place")) == 2


def test_a_take_that_may_be_claimed_is_shown_in_both_places() -> None:
    state = position("player: 0\nstock.1: fG\n-ABCD-\n......").play(GAME.parse("c6@0,0"))
    assert [m.role for m in marks(state, "board", "B")] == ["last"]
    assert [m.role for m in marks(state, "stock.0", "B")] == ["ghost"]


def test_the_last_stone_taken_glows_in_the_stock() -> None:
    state = position("player: 0\n-ABCD-\n......").play(GAME.parse("c6@0,0"))
    assert [m.role for m in marks(state, "stock.0", "B")] == ["last"]
    assert [name((int(m.cell[0]), int(m.cell[1]))) for m in marks(state, "board", "gone")] == ["c6"]


def test_stones_set_aside_lie_in_piles() -> None:
    state = position("player: 0\naside.0: AAAC\n-AB.C-\n......")
    piles = marks(state, "aside.0", *COLOURS)
    assert [m.sprite for m in piles] == ["A", "A", "A", "C"]
    assert len({m.cell[0] for m in piles}) == 2


def test_text_shows_board_stocks_and_images() -> None:
    state = position("player: 0\nstock.0: d\nstock.1: fG\nclaim.1: 0,1\n-AB.C-\n......")
    lines = str(GAME.text(state)).splitlines()
    assert "< Left: 1, images: 3" in lines[0]
    assert "> Right: 2, images: 1, claims 0,1" in lines[0]
    assert lines[1].startswith("  6     A> B> .  C ")
    assert " 0  +  D  + " in lines[1]
    assert lines[7].split() == list("abcdef")
    asked = position("player: 0\nstock.1: fG\n-ABCD-\n......").play(GAME.parse("c6@0,0"))
    assert str(GAME.text(asked)).splitlines()[1].startswith("  6     A> b> C> D ")


# What is said


def told(before: State, *moves: str) -> list[str]:
    found = []
    for move in map(GAME.parse, moves):
        after = before.play(move)
        events = GAME.events(before, move, after)
        found += [sentence("imago", "events", event.key, event.args) for event in events]
        before = after
    return found


def test_events_tell_what_happened() -> None:
    state = position("player: 0\nstock.0: d\nstock.1: fG\n-ABCH-\nE.....")
    assert told(state, "b6@0,1", "claim@0,1", "a5@0,1") == [
        "Left wants the ivory stone in b6; right may claim an image that holds it.",
        "Right claims the image b6 c6.",
        "The stone in b6 stays, and left must do something else.",
        "Left takes the yellow stone in a5.",
    ]
    assert told(state, "b6@0,1", "allow")[1:] == ["Left takes the ivory stone in b6."]


def test_events_tell_captures_and_who_is_out() -> None:
    state = position("player: 0\nstock.0: dE\nstock.1: fG\nclaim.1: 0,1\n-AB.C-\n......")
    assert told(state, "capture@0,1", "pass", "pass") == [
        "Left captures b6 c6.",
        "Right has lost the claimed image and is out.",
        "Right passes.",
        "Left passes.",
        "Both players have passed.",
    ]


def test_facts_tell_images_groups_and_forbidden_stones() -> None:
    state = position("player: 0\nstock.0: d\nstock.1: fG\nclaim.1: 0,1\n-AB.C-\n......")
    assert GAME.facts(state) == {
        "images": {"left": [["b6"], ["c6"], ["e6"]], "right": [["b6", "c6"]]},
        "claims": {"left": None, "right": "0,1"},
        "out": [],
        "groups": [["b6", "c6"], ["e6"]],
        "forbidden": {"b6": "claimed", "c6": "claimed"},
    }


def test_choices_point_at_the_images_they_concern() -> None:
    state = position("player: 0\nstock.0: dE\n-AB.C-\n......")
    (choice,) = GAME.offer(state).choices
    assert (choice.move, " ".join(map(name, choice.cells))) == ("capture@0,1", "b6 c6")


# The rule page and the command line


def test_the_game_on_the_rule_page_goes_as_told() -> None:
    record = games.read((FOLDER / "pictures" / "end.txt").read_text("utf-8"))
    last = games.final(record)
    assert last.scores == (13, 15)
    assert last.outcome
    assert last.outcome.winners == (1,)
    moves = [str(ply.move) for ply in games.replay(record)][33:]
    assert moves[:8] == ["b5@0,0", "c6@0,0", "d5@0,-1", "e4@0,1", "claim@2,5", "e5@0,1",
                         "capture@0,3", "b1@0,0"]  # fmt: skip
    for source in sorted((FOLDER / "pictures").glob("*.txt")):
        part = games.read(source.read_text("utf-8"))
        if not source.stem.startswith(("shared", "away", "front", "reading")):
            assert record.moves[: len(part.moves)] == part.moves, source.stem
    away = games.read((FOLDER / "pictures" / "away.txt").read_text("utf-8"))
    assert GAME.facts(cast(State, games.final(away)))["out"] == ["right"]


@pytest.mark.parametrize("language", ["en", "nl"])
def test_every_ruling_is_on_the_rule_page(language: str) -> None:
    page = games.page("imago", language)
    assert [n for n in range(1, 11) if f"**I{n}.**" not in page] == []


@pytest.mark.slow
def test_a_game_can_be_played_in_the_terminal() -> None:
    lines = "moves\nhint\na6@0,0\npass\nb6@0,0\nundo\nc6@0,0\nrules\nquit\n"
    done = subprocess.run(
        [sys.executable, "-m", "tegel", "play", "imago", "--seed", "3"],
        input=lines.encode(), capture_output=True, timeout=60,
    )  # fmt: skip
    said = done.stdout.decode()
    assert (done.returncode, done.stderr) == (0, b"")
    assert "There is no hollow at a6." in said
    assert "Left can still move, so may not pass." in said
    assert "Left takes the" in said
    assert "A game, move by move" in said
