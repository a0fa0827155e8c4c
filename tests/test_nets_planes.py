"""What a net sees: the kernel's planes, scalars and actions are those drawn anew by the law, and
symmetries change nothing."""

import random
from typing import Any

import pytest

from tegel import games
from tegel.games.blokus import planes as drawn
from tegel.games.blokus.rules import State
from tegel.search import nets

np = pytest.importorskip("numpy")
pytestmark = pytest.mark.skipif(not nets.GAMES, reason="the native engine was not built")

GAME = games.load("blokus")
TABLES = [
    ("duo", {}),
    ("two", {}),
    ("two", {"corners": "fixed"}),
    ("classic", {}),
    ("teams", {}),
    ("three", {}),
    ("three", {"shared": "blue"}),
]


def guide(state: State) -> Any:
    from tegel.search import _nets

    assert GAME.kernel

    return _nets.guide("blokus", list(GAME.kernel.pack(state)), 1, {})


@pytest.mark.parametrize(("variant", "options"), TABLES)
def test_kernel_and_law_draw_the_same(variant: str, options: dict[str, str]) -> None:
    rng, state = random.Random(variant), GAME.start(variant, **options)
    kernel = GAME.kernel
    assert kernel
    follower = guide(state)
    while not state.outcome:
        (planes, scalars, actions, counts), codes = follower.look()
        assert counts == [len(codes)] == [len(state.moves())]
        assert planes[0].tolist() == drawn.layers(state)
        assert scalars[0].tolist() == pytest.approx(drawn.scalars(state), abs=1e-6)
        by_law = {kernel.code(move): drawn.action(state, move) for move in state.moves()}
        assert dict(zip(codes, actions.tolist(), strict=True)) == by_law
        assert len(set(by_law.values())) == len(by_law)
        assert max(by_law.values()) < drawn.actions(state) == follower.shape.actions
        move = rng.choice(state.moves())
        follower.play(kernel.code(move))
        state = state.play(move)


@pytest.mark.parametrize(("variant", "options"), TABLES)
def test_the_mover_starts_where_the_first_colour_does(
    variant: str, options: dict[str, str]
) -> None:
    rng, state = random.Random(1), GAME.start(variant, **options)
    home = state.rules.starts[0]
    for _ in range(2 * len(state.rules.colours)):
        assert drawn.seen(state, state.rules.starts[state.colour]) == home
        state = state.play(rng.choice(state.moves()))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variant", "options", "count"),
    [("duo", {}, 1), ("two", {}, 7), ("two", {"corners": "fixed"}, 0), ("three", {}, 7)],
)
def test_symmetries_lead_to_positions_that_a_game_can_reach(
    variant: str, options: dict[str, str], count: int
) -> None:
    """A game and the same game on a turned board: what is seen is turned, and so are the
    actions. (Who sees the board turned himself sees another of the symmetries.)"""
    begin = GAME.start(variant, **options)
    size, symmetries = begin.rules.size, guide(begin).symmetries()
    assert len(symmetries) == count
    for number, (places, _) in enumerate(symmetries):
        turned = {(old % size, old // size): (new % size, new // size)
                  for new, old in enumerate(places)}  # fmt: skip
        rng, state, other = random.Random(number), begin, begin
        while not state.outcome:
            planes = np.array(drawn.layers(state)).reshape(-1, size**2)
            mirrored = np.array(drawn.layers(other)).reshape(-1, size**2)
            move = rng.choice(state.moves())
            cells = {turned[cell] for cell in move.cells}
            answer = next(move for move in other.moves() if set(move.cells) == cells)
            before, after = drawn.action(state, move), drawn.action(other, answer)
            assert any(
                (planes[:, squares] == mirrored).all() and actions[before] == after
                for squares, actions in symmetries
            )
            assert drawn.scalars(state) == drawn.scalars(other)
            state, other = state.play(move), other.play(answer)


def test_squares_at_the_end_are_seen_by_whoever_looks() -> None:
    rng, state = random.Random(3), GAME.start("classic")
    views = []
    for _ in range(4):
        views.append(state)
        state = state.play(rng.choice(state.moves()))
    end = guide(state)
    for view in views:
        owned = end.owned(view.colour)
        for step in range(4):
            squares = state.squares[(view.colour + step) % 4]
            cells = [drawn.seen(view, cell) for cell in state.rules.grid.cells(squares)]
            assert {y * 20 + x for x, y in cells} == {
                place for place, owner in enumerate(owned) if owner == step + 1
            }
