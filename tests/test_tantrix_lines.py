"""Lines and loops of Tantrix, and what they score."""

import random

import pytest

from hexagons import (
    position,
    random_game,
    shown,
)
from tegel.cells import bits
from tegel.games.tantrix.field import around
from tegel.games.tantrix.lines import best, lines
from tegel.games.tantrix.tiles import (
    EDGES,
    FORMS,
    LETTERS,
    form,
)


def test_score_counts_the_tiles_of_the_longest_line() -> None:
    field, _ = shown("""
        1.0
    """)
    assert position(field, "2", "3").scores == (1, 1)
    assert position(field, "2", "3", "4", "5", variant="four").scores == (1, 1, 1, 0)


def test_score_counts_a_loop_twice() -> None:
    field, _ = shown("""
        3.4   2.4
           1.0
    """)
    (loop,) = [line for line in lines(field, "Y") if line.loop]
    assert set(loop.cells) == set(field.laid)
    assert position(field, "4", "5").scores[1] == 6


@pytest.mark.parametrize(
    ("picture", "letter", "line", "loop", "points"),
    [
        (
            """
        37.1
           6.0   29.1  56.0  38.2
              26.0  43.3  14.4
                 55.3
            """, "B", 6, 3, 6,
        ),
        (
            """
        3.4   21.4
           53.1  34.3  7.5         45.2
                          47.2  46.5  14.5
                             23.2
            """, "Y", 7, 3, 7,
        ),
    ],
)  # fmt: skip
def test_score_is_the_better_of_line_and_loop(
    picture: str, letter: str, line: int, loop: int, points: int
) -> None:
    field, _ = shown(picture)
    found = list(lines(field, letter))
    assert max(len(x.cells) for x in found if not x.loop) == line
    assert max(len(x.cells) for x in found if x.loop) == loop
    best_line = best(field, letter)
    assert best_line
    assert best_line.points == points


def test_a_big_loop_may_enclose_empty_cells() -> None:
    field, _ = shown("""
                    40.4  32.2
           20.1  34.4        27.5
        7.2               53.4
           5.2         14.1
              13.0  9.3   52.4
                 46.4  36.5
    """)
    assert [len(line.cells) for line in lines(field, "B") if line.loop] == [6]


def test_lines_of_two_colours_cross_on_a_tile_and_stay_apart() -> None:
    """Red and blue cross on tile 4 (BRYBYR), and every tile counts once for each."""
    field, _ = shown("""
        4.0
    """)
    assert EDGES[3] == "BRYBYR"
    for tile, cell in ((1, (1, 0)), (2, (0, 1)), (3, (-1, 0)), (5, (0, -1))):
        places = field.places(sum(1 << form(tile, t) for t in range(6)), [cell], bound=False)
        field = field.with_tile(cell, next(bits(places[cell])))
    for letter in "BR":
        (line,) = [line for line in lines(field, letter) if (0, 0) in line.cells]
        assert not line.loop
        assert len(set(line.cells)) == len(line.cells)
        assert all(letter in FORMS[field.laid[cell]] for cell in line.cells)
    assert {c for c, n in field.laid.items() if "R" in FORMS[n]} == {
        cell for line in lines(field, "R") for cell in line.cells
    }


def test_lines_cover_every_link_once(rng: random.Random) -> None:
    """Against a slow search for connected links."""
    *_, state = random_game("two", rng)
    laid = state.field.laid
    for letter in LETTERS:
        has = {cell for cell, number in laid.items() if letter in FORMS[number]}
        joined = {
            cell: {
                n
                for side, n in enumerate(around(cell))
                if n in has and FORMS[laid[cell]][side] == letter
            }
            for cell in has
        }
        parts = []
        while has:
            part, waiting = set(), [has.pop()]
            while waiting:
                cell = waiting.pop()
                part.add(cell)
                waiting += joined[cell] - part
            has -= part
            parts.append(part)
        found = list(lines(state.field, letter))
        assert sorted(map(sorted, parts)) == sorted(sorted(line.cells) for line in found)
        for line in found:
            assert line.loop == all(len(joined[cell]) == 2 for cell in line.cells)
            assert all(end not in laid for end in line.ends)
