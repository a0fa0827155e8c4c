"""Pictures: outlines, colours that everybody can tell apart, what is drawn where."""

import io
import random
import re
from itertools import combinations
from xml.etree import ElementTree

import pytest
from rich.console import Console

from tegel import picture
from tegel.games.blokus import GAME
from tegel.lattice import HEXAGON, SQUARE, Lattice, outline, polyforms
from tegel.picture import NEUTRALS, PAINTS, THEMES, svg
from tegel.picture.styled import DIM, Style, joined, styled
from vision import contrast, distance

COLOURS = ("blue", "yellow", "red", "green")
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("vision", ["normal", "protanopia", "deuteranopia"])
def test_colours_stay_apart(theme: str, vision: str) -> None:
    i = THEMES.index(theme)
    for a, b in combinations(COLOURS, 2):
        assert distance(PAINTS[a].fill[i], PAINTS[b].fill[i], vision) > 25, (a, b)


@pytest.mark.parametrize("theme", THEMES)
def test_edges_of_tiles_stand_out_from_the_board(theme: str) -> None:
    i = THEMES.index(theme)
    for name, paint in PAINTS.items():
        assert contrast(paint.edge[i], NEUTRALS["well"][i]) >= 3, name


@pytest.mark.parametrize("theme", THEMES)
def test_text_is_readable(theme: str) -> None:
    i = THEMES.index(theme)
    for text in ("ink", "muted", "accent"):
        for ground in ("paper", "card"):
            assert contrast(NEUTRALS[text][i], NEUTRALS[ground][i]) >= 4.5, (text, ground)


def test_every_colour_has_a_pattern_and_a_letter_of_its_own() -> None:
    assert len({PAINTS[colour].pattern for colour in COLOURS}) == 4
    assert len({paint.letter for paint in PAINTS.values()}) == len(PAINTS)


def area(path: str) -> float:
    """The area that a path of straight lines encloses, holes counted off."""
    total = 0.0
    for loop in path.split("Z")[:-1]:
        points: list[tuple[float, float]] = []
        for command, body in re.findall(r"([MHVL])([^MHVL]*)", loop):
            numbers = [float(n) for n in re.findall(r"-?\d*\.?\d+", body)]
            x, y = points[-1] if points else (0.0, 0.0)
            points.append(
                (numbers[0], y) if command == "H" else (x, numbers[0]) if command == "V"
                else (numbers[0], numbers[1])
            )  # fmt: skip
        total += sum(
            a[0] * b[1] - b[0] * a[1] for a, b in zip(points, [*points[1:], points[0]], strict=True)
        )
    return total / 2


@pytest.mark.parametrize("lattice", [SQUARE, HEXAGON], ids=lambda lattice: lattice.name)
def test_outline_encloses_the_cells(lattice: Lattice) -> None:
    unit = area(outline([(0, 0)], lattice))
    assert unit == pytest.approx(1 if lattice is SQUARE else 0.866, abs=0.01)
    for size in (2, 3, 4, 5):
        for shape in polyforms(size, lattice):
            assert area(outline(shape, lattice)) == pytest.approx(size * unit, abs=0.02)
            assert 0 < area(outline(shape, lattice, inset=0.05)) < size * unit


def test_outline_of_a_ring_has_a_hole() -> None:
    ring = [(x, y) for x in range(3) for y in range(3) if (x, y) != (1, 1)]
    assert outline(ring).count("Z") == 2
    assert area(outline(ring)) == pytest.approx(8)


def test_outline_keeps_cells_that_meet_at_a_corner_apart() -> None:
    assert outline([(0, 0), (1, 1)]).count("Z") == 2


def test_rounded_outline_has_an_arc_at_every_corner() -> None:
    assert outline([(0, 0), (1, 0), (1, 1)], radius=0.1).count("A") == 6


def played(variant: str, plies: int) -> object:
    rng, state = random.Random(7), GAME.start(variant)
    for _ in range(plies):
        state = state.play(rng.choice(state.moves()))
    return state


def test_every_tile_is_one_body_on_the_board_and_in_the_hands() -> None:
    state = played("classic", 30)
    marks = GAME.drawing.marks(state)  # type: ignore[arg-type]
    on_board = [
        mark for mark in marks if mark.plane == "board" and mark.sprite not in ("open", "start")
    ]
    assert len(on_board) == 30
    assert [mark.role for mark in on_board].count("last") == 1
    in_hands = [mark for mark in marks if mark.plane.startswith("hand.") and mark.role != "dim"]
    assert len(in_hands) == 4 * 21 - 30


def test_a_hand_is_out_when_its_colour_can_place_nothing() -> None:
    rng = random.Random(7)
    seen = set()
    for variant in ("classic", "duo", "three"):
        state = GAME.start(variant)
        while not state.outcome:
            out = [plane.out for plane in GAME.drawing.planes(state) if plane.tray]
            assert out == [not state.legal_for(i) for i in range(len(state.rules.colours))]
            seen.update(out)
            state = state.play(rng.choice(state.moves()))
    assert seen == {True, False}


def test_coordinates_name_columns_and_rows() -> None:
    root = ElementTree.fromstring(GAME.picture(GAME.start("duo")).svg())
    texts = [node.text for node in root.iter(f"{SVG}text")]
    assert {*"abcdefghijklmn", *map(str, range(1, 15))} <= set(texts)


def test_patterns_are_drawn_when_asked_for() -> None:
    state = played("classic", 8)
    assert "pattern" not in GAME.picture(state).svg()  # type: ignore[arg-type]
    assert GAME.picture(state).svg(patterns=True).count("url(#") > 8  # type: ignore[arg-type]


def test_text_shows_tiles_as_letters_and_the_last_move_small() -> None:
    state = GAME.start("duo").play(GAME.parse("e10,e11")).play(GAME.parse("j5,k5"))
    lines = str(GAME.text(state)).splitlines()
    assert lines[0].startswith(" 14 .")
    assert " B " in lines[14 - 10]
    assert " yyy " in lines[14 - 5]
    assert lines[14].split() == list("abcdefghijklmn")


def test_a_console_of_rich_prints_text_in_its_styles() -> None:
    drawn = styled("B", Style("#000000", "#5b8ff0", bold=True)) + styled(" . ", DIM)
    console = Console(file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(joined("|", [drawn, drawn.rstrip().padded(5)]), end="")
    assert isinstance(console.file, io.StringIO)
    bold, dim = "\x1b[1;38;2;0;0;0;48;2;91;143;240mB\x1b[0m", "\x1b[2m"
    assert console.file.getvalue() == f"{bold}{dim} . \x1b[0m|{bold}{dim} .\x1b[0m  "


def test_notebooks_draw_states_and_pictures() -> None:
    state = GAME.start("duo")
    assert state._repr_svg_() == GAME.picture(state)._repr_svg_() == GAME.picture(state).svg()


def test_unknown_themes_and_paints_are_named() -> None:
    drawn = GAME.picture(GAME.start())
    with pytest.raises(ValueError, match="'pink' is not a theme"):
        drawn.svg(theme="pink")
    with pytest.raises(ValueError, match="'pink' is not a paint of blokus"):
        drawn.paint("pink")


def test_rows_set_shapes_like_words() -> None:
    placed, height = picture.rows([("a", [(0, 0), (1, 0)]), ("b", [(0, 0), (0, 1)])], 10, gap=1)
    assert placed == [("a", (0, -1)), ("b", (3, -1))]
    assert height == 2


def test_a_film_shows_one_picture_after_the_other_and_ends_with_the_last() -> None:
    state = GAME.start("duo")
    states = [state]
    for text in ("F.0@d9", "F.0@i3", "1.0@c11"):
        states.append(states[-1].play(GAME.parse(text)))
    pictures = [GAME.picture(one).only("board") for one in states]
    root = ElementTree.fromstring(svg.film(pictures))
    moving = [one for one in root.iter(f"{SVG}g") if one.find(f"{SVG}animate") is not None]
    shown = []
    for one in moving:
        animate = one.find(f"{SVG}animate")
        assert animate is not None
        values, times = (animate.get(key, "").split(";") for key in ("values", "keyTimes"))
        assert len(values) == len(times)
        assert times == sorted(times, key=float)
        assert times[0] == "0"
        assert one.get("visibility") == values[-1], "where nothing moves, the last is seen"
        shown.append(one.get("visibility"))
    assert shown.count("visible") >= 3, "what was laid is there at the end"
    assert shown.count("hidden") >= 2, "and that it was laid last is seen only then"
