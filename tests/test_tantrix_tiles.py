"""The 56 tiles of Tantrix."""

from collections import Counter
from itertools import product
from pathlib import Path

import pytest

from tegel.games.tantrix.tiles import (
    EDGES,
    FORMS,
    LETTERS,
    bends,
    definition,
    fitting,
    form,
    rotated,
)
from tegel.lattice import HEXAGON

DATA = Path(__file__).parent / "data"


def test_56_tiles_are_all_that_their_definition_allows() -> None:
    assert len(EDGES) == 56
    assert {min(rotated(tile, turn) for turn in range(6)) for tile in EDGES} == definition()


def test_tiles_have_the_numbers_of_the_list() -> None:
    listed = (DATA / "tantrix_tiles.txt").read_text("utf-8").split()
    assert listed == [word for n, edges in enumerate(EDGES, 1) for word in (str(n), edges)]


def test_14_tiles_of_each_triple_in_four_kinds() -> None:
    kinds = Counter((frozenset(tile), tuple(sorted(bends(tile).items()))) for tile in EDGES)
    assert len({triple for triple, _ in kinds}) == 4
    for triple in {triple for triple, _ in kinds}:
        assert {kind: count for (t, kind), count in kinds.items() if t == triple} == {
            (("short", 3),): 2,
            (("short", 2), ("straight", 1)): 3,
            (("long", 2), ("straight", 1)): 3,
            (("long", 2), ("short", 1)): 6,
        }


def test_every_tile_has_six_different_rotations() -> None:
    assert len(set(FORMS)) == 6 * 56


def test_a_turn_is_60_degrees_clockwise() -> None:
    """The edge that faced east faces south-east after one turn."""
    assert FORMS[form(3, 0)] == "BBYYRR"
    assert FORMS[form(3, 1)] == "RBBYYR"
    assert HEXAGON.steps[:2] == ((1, 0), (0, 1))
    for tile, turn, side in product(range(1, 57), range(6), range(6)):
        assert FORMS[form(tile, turn)][side] == EDGES[tile - 1][(side - turn) % 6]


@pytest.mark.parametrize(
    ("pattern", "count"), [("ABC", 5), ("AAB", 6), ("ABB", 6), ("ABA", 6), ("AAA", 0)]
)
def test_tiles_that_fit_a_forced_space_by_its_colours(pattern: str, count: int) -> None:
    for letters in product(LETTERS, repeat=len(set(pattern))):
        if len(set(letters)) == len(letters):
            faces = "".join(letters["ABC".index(x)] for x in pattern) + "..."
            assert fitting(faces).bit_count() == count
