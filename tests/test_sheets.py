"""Print and play: the sheets of every game, read back and measured."""

from collections import Counter
from functools import cache
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from pdfs import Drawn, Leaf, Pdf
from tegel import games
from tegel.game import BadNotation, Game
from tegel.games.imago.sprites import FILLS
from tegel.games.imago.stones import COLOURS, COUNTS
from tegel.games.tantrix.picture import PAINTS as BANDS
from tegel.games.tantrix.tiles import EDGES, NAMES, rotated
from tegel.lattice import POLYOMINOES, Cell, forms
from tegel.picture import PAINTS
from tegel.sheets import Wish, kinds, sheets
from tegel.sheets.said import say
from tegel.solver.daily import daily, dated
from tegel.words import words
from toy import GAME as TOY

pytestmark = pytest.mark.slow
LANGUAGES = ("de", "en", "fr", "it", "nl")
MARGIN = 10.0
NAMED = {min(forms(shape).values()): name for name, shape in POLYOMINOES.items()}
DAY = "daily-1-2026-11-15"  # a Sunday: eight tiles


@cache
def printed(game: str, variant: str = "", **wish: Any) -> Pdf:
    loaded = games.load(game)
    return Pdf(sheets(loaded, loaded.start(variant), Wish(**wish)))


def cells(line: Drawn, cell: float) -> frozenset[Cell]:
    """The squares that a line to cut along goes round, by the rule of even crossings."""
    left, top, right, bottom = line.box
    found = set()
    for column in range(round((right - left) / cell)):
        for row in range(round((bottom - top) / cell)):
            x, y = left + (column + 0.5) * cell, top + (row + 0.5) * cell
            loop = [*line.points, line.points[0]]
            above = [
                a for a, b in pairwise(loop)
                if (a[0] > x) != (b[0] > x) and a[1] < y
            ]  # fmt: skip
            if len(above) % 2:
                found.add((column, -row))
    return frozenset(found)


def tile(line: Drawn, cell: float) -> str:
    """The polyomino that is cut out along a line; fails if its sides are not whole cells."""
    for (x, y), (u, v) in pairwise(line.points):
        length = abs(x - u) + abs(y - v)
        assert abs(length / cell - round(length / cell)) * cell < 0.05, length
    return NAMED[min(forms(cells(line, cell)).values())]


def paint(image: NDArray[np.uint8], x: float, y: float, scale: float = 2.0) -> str:
    """Which of the four colours a page has at a point."""
    seen = image[round(y * scale), round(x * scale)].astype(int)
    return min(
        ("blue", "yellow", "red", "green"), key=lambda name: distance(seen, PAINTS[name].fill[0])
    )


def distance(seen: NDArray[np.int_], colour: str) -> int:
    parts = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)])
    return int(np.abs(seen - parts).sum())


def tiles(pdf: Pdf, cell: float) -> Counter[tuple[str, str]]:
    """The polyominoes to cut out by colour and name; what is smaller than a cell is no tile."""
    found: Counter[tuple[str, str]] = Counter()
    for page in pdf.pages:
        lines = [line for line in page.lines if line.box[2] - line.box[0] > cell - 0.1]
        image = page.image() if lines else np.zeros((1, 1, 3), np.uint8)
        for line in lines:
            if all(x == u or y == v for (x, y), (u, v) in pairwise(line.points)):
                column, row = min(cells(line, cell))
                at = line.box[0] + (column + 0.5) * cell, line.box[1] + (0.5 - row) * cell
                found[paint(image, *at), tile(line, cell)] += 1
    return found


# Every piece, at its size


def test_blokus_has_84_tiles_each_once_at_true_scale() -> None:
    found = tiles(printed("blokus"), 15.0)
    assert found == Counter((colour, name) for colour in PAINTS_OF_FOUR for name in POLYOMINOES)
    assert sum(found.values()) == 84


PAINTS_OF_FOUR = ("blue", "yellow", "red", "green")


@pytest.mark.parametrize(("cell", "paper"), [(11.0, "a4"), (17.5, "letter")])
def test_duo_has_the_tiles_of_two_colours_at_any_scale(cell: float, paper: str) -> None:
    found = tiles(printed("blokus", "duo", cell=cell, paper=paper), cell)
    assert found == Counter((colour, name) for colour in ("blue", "yellow") for name in POLYOMINOES)


@pytest.mark.parametrize(
    ("variant", "colours", "sets"), [("two", ("blue", "yellow"), 2), ("four", PAINTS_OF_FOUR, 1)]
)
def test_forma_has_sets_with_two_single_squares_markers_obstacles_and_a_tower(
    variant: str, colours: tuple[str, ...], sets: int
) -> None:
    pdf = printed("forma", variant)
    single = {"1": 2}
    assert tiles(pdf, 15.0) == {
        (colour, name): sets * single.get(name, 1) for colour in colours for name in POLYOMINOES
    }
    sizes = Counter(
        round(line.box[2] - line.box[0], 1) for page in pdf.pages for line in page.lines
    )
    assert sizes[12.0] == 35 * sets * len(colours)  # markers: 0.8 of a square
    assert sizes[13.5] == 25  # obstacles: 0.9
    assert sizes[round((4 * 0.72 + 0.26) * 15, 1)] == 1  # the tower, unfolded


def test_tantrix_has_56_tiles_each_once() -> None:
    pdf, found = printed("tantrix"), Counter[str]()
    for page in pdf.pages:
        image = page.image(4.0)
        found.update(edges(image, line) for line in page.lines)
    assert found == Counter(canonical(edges) for edges in EDGES)
    bag = next(page for page in pdf.pages[1:] if words("tantrix")["material"]["bag"] in page.words)
    numbers = [int(word) for word in bag.words.split() if word.isdecimal()]
    assert set(range(1, 57)) <= set(numbers)


def edges(image: NDArray[np.uint8], line: Drawn) -> str:
    """The colours at the six sides of a hexagon, in its first rotation."""
    assert line.box[2] - line.box[0] == pytest.approx(34.0, abs=0.05)
    corners = line.points[:6]
    x, y = (sum(point[axis] for point in corners) / 6 for axis in (0, 1))
    letters = ""
    for a, b in pairwise([*corners, corners[0]]):
        u, v = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
        seen = image[round(4 * (y + 0.93 * (v - y))), round(4 * (x + 0.93 * (u - x)))].astype(int)
        letters += min(NAMES, key=lambda letter: distance(seen, BANDS[NAMES[letter]].fill[0]))
    return canonical(letters)


def canonical(edges: str) -> str:
    return min(rotated(edges, turn) for turn in range(6))


def test_imago_has_32_stones_in_eleven_colours() -> None:
    page = next(page for page in printed("imago").pages if page.lines)
    image, found = page.image(4.0), Counter[str]()
    for line in page.lines:
        left, top, right, bottom = line.box
        if right - left < 0.7 * 22.5:
            continue  # a seal
        assert right - left == pytest.approx(0.8 * 22.5, abs=0.05)
        x, y = (left + right) / 2, (top + bottom) / 2
        seen = image[round(4 * (y + 0.05 * 22.5)), round(4 * (x + 0.27 * 22.5))].astype(int)
        found[min(FILLS, key=lambda letter: distance(seen, FILLS[letter]))] += 1
    assert found == dict(zip(COLOURS, COUNTS, strict=True))
    assert len(page.lines) == 32 + 2


def test_discovery_has_the_first_tiles() -> None:
    pdf = printed("discovery", "10")
    assert sum(len(page.lines) for page in pdf.pages) == 10


@pytest.mark.parametrize(
    ("variant", "names"),
    [
        ("tetra-8x10", [name for name, shape in POLYOMINOES.items() if len(shape) == 4]),
        ("penta-15x16-apart", [name for name, shape in POLYOMINOES.items() if len(shape) == 5]),
        ("all84", list(POLYOMINOES)),
    ],
)
def test_tasks_have_their_tiles_and_their_board(variant: str, names: list[str]) -> None:
    pdf = printed("puzzle", variant, sides=1)
    assert tiles(pdf, 15.0) == {(colour, name): 1 for colour in PAINTS_OF_FOUR for name in names}
    assert "Puzzles · Board" in pdf.words


def test_the_puzzle_of_a_day_is_one_sheet_and_its_solution_the_next() -> None:
    pdf, day = printed("puzzle", DAY), dated(DAY)
    assert day
    puzzle = daily(day)
    first, second = pdf.pages
    assert "2026-11-15" in first.words
    cell = max(line.box[2] - line.box[0] for line in first.lines) / max(
        max(x for x, _ in min(forms(kind.shape).values(), key=lambda s: -max(s)[0])) + 1
        for kind in puzzle.tiles
    )
    assert cell >= 9
    assert Counter(tile(line, cell) for line in first.lines) == Counter(
        kind.name for kind in puzzle.tiles
    )
    assert not second.lines
    assert say("en", "solution") in second.words


# Boards


def seam_distances(page: Leaf, axis: int) -> set[float]:
    """The distances between the lines of a board."""
    lines = max(page.paths, key=lambda path: len(path.points) if not path.filled else 0)
    places = sorted({round(point[axis], 2) for point in lines.points})
    return {round(b - a, 1) for a, b in pairwise(places)}


def test_the_cells_of_a_board_have_their_size_on_every_sheet() -> None:
    pdf = printed("blokus")
    parts = [page for page in pdf.pages if "Board: row" in page.words]
    assert len(parts) == 4
    for page in parts:
        assert seam_distances(page, 0) == seam_distances(page, 1) == {15.0}


def test_parts_of_a_board_overlap_and_go_on_where_they_are_joined() -> None:
    """What is left of the dashed line and beyond it on one sheet is what the next begins with."""
    left, right = [page for page in printed("blokus").pages if "Board: row 1" in page.words]
    dashed = next(p for p in left.paths if p.dashed and p.points[0][0] == p.points[-1][0])
    solid = next(
        p for p in right.paths
        if p.stroke == pytest.approx(0.4, abs=0.01) and not p.filled and not p.dashed
        and len(p.points) == 2 and p.points[0][0] == p.points[1][0]
    )  # fmt: skip
    scale, lap = 8.0, 7.0
    strips = []
    for page, line in ((left, dashed), (right, solid)):
        x, image = line.points[0][0], page.image(scale)
        strips.append(
            image[300 : round(160 * scale), round((x + 0.6) * scale) :][:, : round(lap * scale)]
        )
    different = np.abs(strips[0].astype(int) - strips[1].astype(int)).max(axis=2) > 60
    assert strips[0].min() < 230  # there is something to see
    assert different.mean() < 0.02  # but for the letter of the join


def test_imago_and_small_boards_are_one_sheet() -> None:
    assert sum(1 for page in printed("imago").pages if "Imago · Board" in page.words) == 1


# Backs


@pytest.mark.parametrize(
    ("game", "paper"), [("blokus", "a4"), ("tantrix", "letter"), ("imago", "a4")]
)
def test_backs_lie_behind_their_fronts_when_the_sheet_is_turned_on_its_long_edge(
    game: str, paper: str
) -> None:
    pages = printed(game, paper=paper).pages
    seen = 0
    for number, page in enumerate(pages):
        fronts = Counter(rounded(line.box) for line in page.lines)
        if not fronts:
            continue
        assert number % 2 == 0, "a front is on the first side of a sheet"
        back, width = pages[number + 1], page.width
        behind = Counter(
            rounded((width - path.box[2], path.box[1], width - path.box[0], path.box[3]))
            for path in back.paths
            if path.filled and path.stroke > 5  # the grounds, which go beyond the lines
        )
        assert not behind - fronts
        assert sum((fronts - behind).values()) in (0, 2)  # Imago's seals have no backs
        assert not back.lines
        seen += sum(behind.values())
    assert seen == {"blokus": 84, "tantrix": 56, "imago": 32}[game]


def rounded(box: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(round(number, 1) for number in box)


def test_a_tile_turned_over_shows_its_own_colour_all_over_and_nothing_beside_it() -> None:
    pages = printed("forma", "two").pages
    for number, page in enumerate(pages):
        lines = [line for line in page.lines if line.box[2] - line.box[0] > 14.9]
        if not lines or number % 2:
            continue
        image, back = page.image(), pages[number + 1].image()[:, ::-1]
        for line in lines:
            if any(x != u and y != v for (x, y), (u, v) in pairwise(line.points)):
                continue  # the tower
            own, (left, top, right, bottom) = cells(line, 15.0), line.box
            for column in range(round((right - left) / 15)):
                for row in range(round((bottom - top) / 15)):
                    x, y = left + (column + 0.5) * 15, top + (row + 0.5) * 15
                    if (column, -row) in own:
                        assert paint(image, x, y) == paint(back, x, y)
                    else:
                        assert back[round(2 * y), round(2 * x)].min() > 250


# Pages


CHOICES: list[dict[str, Any]] = [
    {"game": name} for name in games.every() if not games.load(name).solo
] + [
    {"game": "blokus", "variant": "duo", "paper": "letter", "mono": True, "cell": 21.0},
    {"game": "forma", "variant": "four", "paper": "letter", "mono": True, "language": "de"},
    {"game": "tantrix", "paper": "letter", "mono": True, "language": "it"},
    {"game": "imago", "paper": "letter", "mono": True, "cell": 30.0, "language": "fr"},
    {"game": "puzzle", "variant": DAY, "paper": "letter", "mono": True, "language": "nl"},
    {"game": "discovery", "variant": "30", "sides": 1},
]


@pytest.mark.parametrize("wish", CHOICES, ids=lambda wish: "-".join(map(str, wish.values())))
def test_nothing_is_printed_outside_the_margin_and_greys_are_grey(wish: dict[str, Any]) -> None:
    pdf = printed(**wish)
    assert len(pdf.data) < 600_000
    for page in pdf.pages:
        image = page.image(1.5)
        edge = int(1.5 * MARGIN) - 1
        for band in (image[:edge], image[-edge:], image[:, :edge], image[:, -edge:]):
            assert band.min() > 250
        if wish.get("mono"):
            spread = image.max(axis=2).astype(int) - image.min(axis=2)
            assert spread.max() <= 2
    width, height = pdf.pages[0].width, pdf.pages[0].height
    expected = (215.9, 279.4) if wish.get("paper") == "letter" else (210, 297)
    assert (width, height) == pytest.approx(expected, abs=0.05)


def test_without_colours_patterns_tell_the_four_apart() -> None:
    """The inside of a square of each colour: what stands out in it differs."""
    seen = []
    for page in printed("blokus", mono=True).pages:
        if page.lines:
            left, top, _, _ = page.lines[0].box
            column, row = min(cells(page.lines[0], 15.0))
            x, y = round(8 * (left + 15 * column)), round(8 * (top - 15 * row))
            inside = page.image(8.0)[y + 24 : y + 96, x + 24 : x + 96, 0].astype(int)
            usual = np.median(inside)
            seen.append((inside > usual + 60).astype(int) - (inside < usual - 60))
    assert len(seen) == 4
    for a, b in combinations(seen, 2):
        assert (a != b).mean() > 0.1


def test_the_bar_on_the_first_page_is_100_millimetres_long() -> None:
    for pdf in (printed("blokus"), printed("puzzle", DAY), printed("imago")):
        lengths = [
            path.box[2] - path.box[0]
            for path in pdf.pages[0].paths
            if len(path.points) == 2 and path.points[0][1] == path.points[1][1]
        ]
        assert any(length == pytest.approx(100, abs=0.02) for length in lengths)


@pytest.mark.parametrize("language", LANGUAGES)
def test_sheets_speak_five_languages_to_their_last_page(language: str) -> None:
    pdf = printed("forma", "two", language=language, sides=1)
    first, said = pdf.pages[0].words, words("forma", language)
    assert pressed(said["game"]["about"]) in pressed(first)
    assert pressed(say(language, "cut.text")) in pressed(first)
    assert f"{words('forma', language)['material']['board']} " in first
    assert pressed(said["material"]["fold"]) in pressed(first)
    assert f"{len(pdf.pages)}" in first
    last = pressed(" ".join(page.words for page in pdf.pages[-3:]))
    lines = [line for line in games.page("forma", language).splitlines() if line.startswith("## ")]
    for line in lines:
        assert pressed(line.removeprefix("## ")) in last
    ending = games.page("forma", language).split()[-4:]
    assert pressed("".join(ending)) in last


def test_numbers_have_a_comma_where_people_write_one() -> None:
    assert "22,5 mm" in printed("imago", language="nl", sides=1).pages[0].words
    assert "22.5 mm" in printed("imago").pages[0].words


def pressed(text: str) -> str:
    """Without blanks, hyphens and marks, which a line's end may change."""
    return "".join(c for c in text if c.isalnum())


def test_the_words_of_sheets_are_the_same_in_five_languages() -> None:
    english = words("sheets")["sheets"]
    for language in LANGUAGES:
        own = words("sheets", language)["sheets"]
        assert own.keys() == english.keys()
        for key, text in english.items():
            fields = {part.split("}")[0] for part in text.split("{")[1:]}
            assert {part.split("}")[0] for part in own[key].split("{")[1:]} == fields, key
            assert language == "en" or own[key] != text, (language, key)


def test_fonts_are_embedded_and_the_same_wish_gives_the_same_file() -> None:
    data = printed("tantrix").data
    assert b"Helvetica" not in data
    assert data.count(b"/FontFile2") == data.count(b"/Type /FontDescriptor") >= 2
    game = games.load("tantrix")
    assert sheets(game, game.start(), Wish()) == data


def test_on_one_side_there_are_no_backs_and_no_empty_pages() -> None:
    one, two = printed("blokus", sides=1), printed("blokus")
    assert say("en", "empty") in two.words
    assert say("en", "empty") not in one.words
    assert sum(len(page.lines) for page in one.pages) == 84
    assert len(two.pages) - len(one.pages) == 1 + 4 + 4  # behind the first, the board, the tiles


# What can be printed


def test_variants_with_the_same_material_are_one_kind() -> None:
    assert kinds(games.load("blokus")) == [("classic", "teams", "two", "three"), ("duo",)]
    assert kinds(games.load("forma")) == [("two",), ("four",)]
    assert kinds(games.load("tantrix")) == [("two", "three", "four", "doubles")]
    assert kinds(games.load("imago")) == [("imago", "shapes")]
    assert len(kinds(games.load("discovery"))) == 28
    assert kinds(TOY) == []


@pytest.mark.parametrize("name", games.every())
def test_every_material_has_words_and_sprites(name: str) -> None:
    game = games.load(name)
    for kind in kinds(game):
        state = game.start(kind[0])
        assert game.material
        material = game.material(state)
        lots, drawing = material.lots, game.drawing
        sprites = {*drawing.sprites, *drawing.sprites_of(state), *material.sprites}
        keys = {board.title for board in material.boards} | {lot.title for lot in lots}
        keys |= {tally.title for tally in material.tallies}
        assert keys | {lot.how for lot in lots} - {""} <= set(words(name)["material"])
        for piece in (piece for lot in lots for piece in lot.pieces):
            sides = [side for side in (piece.front, piece.back) if side]
            assert {side.sprite for side in sides} <= sprites


@pytest.mark.parametrize(
    ("game", "variant", "wish", "said"),
    [
        (TOY, "", {}, "'toy': has nothing to print"),
        ("blokus", "", {"cell": 45.0}, "a piece is larger than the sheet"),
        ("blokus", "", {"cell": 2.0}, "a cell has 5 to 100 millimetres"),
        ("blokus", "", {"cell": float("nan")}, "a cell has 5 to 100 millimetres"),
        ("imago", "", {"cell": 99.0}, "a piece is larger|over 6 sheets a side"),
        ("blokus", "", {"paper": "a3"}, "no such paper; there are a4, letter"),
        ("blokus", "", {"language": "eo"}, "has no words in that language"),
        ("puzzle", DAY, {"cell": 40.0}, "larger than the sheet"),
    ],
)
def test_what_cant_be_printed_is_told_in_a_sentence(
    game: str | Game[Any, Any], variant: str, wish: dict[str, Any], said: str
) -> None:
    loaded = games.load(game) if isinstance(game, str) else game
    with pytest.raises(BadNotation, match=said) as error:
        sheets(loaded, loaded.start(variant), Wish(**wish))
    assert "\n" not in str(error.value)
