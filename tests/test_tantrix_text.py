"""Tantrix as text and as a picture."""

import io
import random
import re
from itertools import combinations

import pytest
from rich.console import Console

from hexagons import FORCED, dealt, position, random_game, shown
from tegel import games
from tegel.game import BadNotation
from tegel.games.tantrix import GAME
from tegel.games.tantrix.moves import Choose, Draw, Place
from tegel.games.tantrix.picture import PAINTS, SPRITES, band
from tegel.games.tantrix.tiles import COLOURS, FORMS, LINKS
from tegel.picture import NEUTRALS, THEMES
from tegel.terminal import print_position
from vision import contrast, distance

# Notation


def test_a_move_is_tile_turn_and_cell() -> None:
    assert GAME.parse("14.2@1,-2") == Place(14, 2, (1, -2))
    assert GAME.parse("+14") == Draw(14)
    assert GAME.parse("green") == Choose("green")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("57.0@0,0", "numbered 1 to 56"),
        ("0.0@0,0", "numbered 1 to 56"),
        ("+99", "numbered 1 to 56"),
        ("14.6@0,0", "a turn 0 to 5"),
        ("14.2@a1", "as in 14.2@1,-2"),
        ("purple", "as in 14.2@1,-2"),
        ("١٤.2@0,0", "as in 14.2@1,-2"),
        ("14.2@9999,0", "as in 14.2@1,-2"),
    ],
)
def test_what_is_no_move_is_told(text: str, reason: str) -> None:
    with pytest.raises(BadNotation, match=reason):
        GAME.parse(text)


POSITION = """\
tantrix two colours=chosen
seat: 0
step: 2
colours: green blue
bag: -
hand 0: 5
hand 1: 6 7
last: 3.4@0,0
1.0@0,1
2.4@1,0
3.4@0,0
"""


def test_a_position_is_read_and_written() -> None:
    state = GAME.read(POSITION)
    assert str(GAME.read(str(state))) == str(state)
    assert state.colours == ("green", "blue")
    assert state.last == Place(3, 4, (0, 0))
    position: object = games.position(POSITION)
    assert position == state


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("seat: 0", "seat: 2", "a seat is 0 to 1"),
        ("step: 2", "step: 4", "a step is 1 to 3"),
        ("colours: green blue", "colours: green green", "2 different colours"),
        ("colours: green blue", "colours: green", "2 different colours"),
        ("hand 0: 5", "hand 0: five", "the numbers of tiles"),
        ("hand 0: 5", "hand 0: 57", "numbered 1 to 56"),
        ("hand 0: 5", "hand 0: 1", "a tile is there twice"),
        ("hand 0: 5", "hand 0: 5 5", "a tile is there twice"),
        ("hand 0: 5", "hand 0: 5 8 9 10 11 12 13", "at most 6 tiles"),
        ("hand 0: 5\n", "", "needs a line 'hand 0: ...'"),
        ("2.4@1,0", "2.4@0,0", "two tiles lie on one cell"),
        ("2.4@1,0", "2.3@1,0", r"touching edges do not match: \(0,0\)"),
        ("2.4@1,0", "+2", "a tile on the table is"),
    ],
)
def test_what_is_no_position_is_told(old: str, new: str, reason: str) -> None:
    assert old in POSITION
    with pytest.raises(BadNotation, match=reason):
        GAME.read(POSITION.replace(old, new))


def test_a_position_may_lack_tiles_and_passes_on_to_who_can_place() -> None:
    state = GAME.read(POSITION.replace("hand 0: 5", "hand 0: -"))
    assert state.turn == 1
    assert state.hands[0] == 0


# Terminal


TERMINAL = """\
            0,-1    1,-1    2,-1

                B   Y   G   G
        -1,0   G 53  Y Y 46  B   2,0
                B   G   B   Y
            R   B
    -2,1   R 27  G  [0,1]    1,1
            G   B
        R   G
-3,2   G 42  B  -1,2
        B   R

    -3,3    -2,3

> Player 1: red  1
   G   G
  R 28  B
   R   B

  Player 2: yellow  2
   Y   Y
  B  2  B
   R   R

  In the bag: 0"""


def test_the_terminal_shows_edges_around_numbers_and_open_cells() -> None:
    field, _ = shown(FORCED)
    state = position(field, "28", "2")
    text = GAME.text(state)
    lines = [line.rstrip() for line in str(text).splitlines()]
    assert "\n".join(lines) == TERMINAL
    assert not text.wraps


def test_a_narrow_terminal_breaks_no_field() -> None:
    field, _ = shown(FORCED)
    console = Console(file=io.StringIO(), width=20)
    print_position(console, GAME.text(position(field, "28", "2")))
    assert isinstance(console.file, io.StringIO)
    lines = [line.rstrip() for line in console.file.getvalue().splitlines()]
    assert "\n".join(lines) == TERMINAL


def test_touching_edges_stand_above_each_other(rng: random.Random) -> None:
    """Of a random field every edge that touches another stands next to the same letter."""
    *_, state = random_game("two", rng)
    rows = str(GAME.text(state)).split("Player")[0].splitlines()
    letters = {
        (y, x): sign for y, row in enumerate(rows) for x, sign in enumerate(row) if sign in "RYBG"
    }
    between = [(y, x) for y, x in letters if (y + 1, x) in letters and (y - 1, x) not in letters]
    assert len(between) > 50
    assert all(letters[y, x] == letters[y + 1, x] for y, x in between)


def test_a_tile_can_be_looked_at_in_letters() -> None:
    assert SPRITES["14.0"].letters.splitlines() == [" Y   Y", "R 14  B", " R   B"]
    assert SPRITES["14.1"].letters.splitlines() == [" R   Y", "R 14  Y", " B   B"]


# Picture


def test_bands_run_from_edge_to_edge() -> None:
    assert band((0, 3)) == "M.5 0L-.5 0"
    assert band((0, 1)) == "M.5 0A.289 .289 0 0 0 .25 .433"
    assert band((0, 2)) == "M.5 0A.866 .866 0 0 0 -.25 .433"
    assert band((1, 5)) == "M.25 -.433A.866 .866 0 0 0 .25 .433"
    assert band((0, 5)) == "M.25 -.433A.289 .289 0 0 0 .5 0"


def test_short_bends_lie_over_straights_over_long_bends() -> None:
    for number in range(len(FORMS)):
        sprite = SPRITES[f"{number // 6 + 1}.{number % 6}"]
        bands = [layer.d for layer in sprite.layers if layer.stroke in COLOURS]
        assert sorted(bands) == sorted(band(link) for link in LINKS[number].values())
        kinds = [2 if "A.289" in d else 0 if "A.866" in d else 1 for d in bands]
        assert kinds == sorted(kinds)


@pytest.mark.parametrize("theme", THEMES)
def test_colours_stay_apart_on_the_tiles(theme: str) -> None:
    i = THEMES.index(theme)
    body = PAINTS["tile"].fill[i]
    for colour in COLOURS:
        assert contrast(PAINTS[colour].fill[i], body) >= 4.5, colour
    for vision in ("normal", "protanopia", "deuteranopia"):
        for a, b in combinations(COLOURS, 2):
            assert distance(PAINTS[a].fill[i], PAINTS[b].fill[i], vision) > 25, (a, b)
    edge = max(contrast(PAINTS[name].fill[i], NEUTRALS["well"][i]) for name in ("tile", "rim"))
    assert edge >= 3
    assert contrast(PAINTS["number"].fill[i], body) >= 4.5


def test_patterns_mark_the_bands() -> None:
    picture = GAME.picture(dealt())
    plain, marked = picture.svg(), picture.svg(patterns=True)
    assert "stroke-dasharray" not in plain
    dashes = set(re.findall(r'stroke-dasharray="([^"]+)"', marked))
    assert len(dashes) == 2  # yellow and blue; red has an unbroken line, green none


def test_only_sprites_in_use_are_written() -> None:
    svg = GAME.picture(dealt()).svg()
    assert len(re.findall(r'<g id="tantrix-light-\d+\.\d"', svg)) == 12
    assert len(svg) < 15_000


def test_the_field_is_cropped_with_its_open_cells_as_margin() -> None:
    field, _ = shown(FORCED)
    board = GAME.picture(position(field, "28", "2")).planes[0]
    assert set(board.wells) == {*field.laid, *field.faces}
    over = GAME.picture(position(field, "", "")).planes[0]
    assert set(over.wells) == set(field.laid)


def test_forced_spaces_are_marked_while_the_game_lasts() -> None:
    field, at = shown(FORCED)
    marks = GAME.picture(position(field, "28", "2")).marks
    assert [mark.cell for mark in marks if mark.sprite == "forced"] == at["A"]
    marks = GAME.picture(position(field, "", "")).marks
    assert not [mark for mark in marks if mark.sprite == "forced"]


def test_hands_lie_face_up_beside_the_field() -> None:
    picture = GAME.picture(dealt("four"))
    hands = [plane for plane in picture.planes if plane.tray]
    assert [plane.seats for plane in hands] == [(0,), (1,), (2,), (3,)]
    assert [plane.title for plane in hands] == [
        "Player 1: red", "Player 2: yellow", "Player 3: blue", "Player 4: green",
    ]  # fmt: skip
    for plane in hands:
        shown_tiles = [mark for mark in picture.marks if mark.plane == plane.name]
        assert len(shown_tiles) == 6
        assert all(mark.sprite == f"{mark.tile}.0" for mark in shown_tiles)
        assert plane.x > picture.planes[0].box[2]
