"""What a net sees: the kernel's planes, scalars and actions are those drawn anew by the law, and
symmetries change nothing."""

import itertools
import random
from typing import Any

import pytest

from seen import TABLES, Table, any_move, guide, named, planes_of, start
from tegel import games
from tegel.game import CHANCE, game_of
from tegel.games.blokus import GAME as BLOKUS_GAME
from tegel.games.blokus import planes as blokus
from tegel.games.forma import GAME as FORMA
from tegel.games.forma import planes as forma
from tegel.games.forma.tiles import Move as Forma
from tegel.games.imago import GAME as IMAGO
from tegel.games.imago import planes as imago
from tegel.games.imago.rules import Move as Imago
from tegel.games.imago.stones import HOLLOWS
from tegel.games.tantrix import GAME as TANTRIX
from tegel.games.tantrix import planes as tantrix
from tegel.games.tantrix.moves import Place
from tegel.lattice import Cell
from tegel.search import nets

np = pytest.importorskip("numpy")
pytestmark = [
    pytest.mark.skipif(not nets.GAMES, reason="the native engine was not built"),
    pytest.mark.sliced(2),
]


@pytest.mark.parametrize("table", TABLES, ids=named)
def test_kernel_and_law_draw_the_same(table: Table, rng: random.Random, soak: bool) -> None:
    drawn, kernel = planes_of(table), games.load(table[0]).kernel
    assert kernel
    for _ in range(20 if soak else 1):
        state = start(table)
        follower = guide(state)
        assert follower.shape.actions % (follower.shape.height * follower.shape.width) == 0
        while not state.outcome:
            if state.turn != CHANCE:
                compare(drawn, state, follower)
            move = any_move(state, rng)
            follower.play(kernel.code(move))
            state = state.play(move)
        assert follower.over


def compare(drawn: Any, state: Any, follower: Any) -> None:
    kernel = game_of(state).kernel
    assert kernel
    (planes, scalars, actions, counts), codes = follower.look()
    assert counts == [len(codes)] == [len(state.moves())]
    layers = drawn.layers(state)
    if planes[0].tolist() != layers:
        names, law = drawn.channels(state), np.array(layers)
        wrong = [names[at] for at in range(len(names)) if (planes[0][at] != law[at]).any()]
        raise AssertionError(f"other planes: {wrong}\n{state}")
    assert len(drawn.channels(state)) == len(layers) == follower.shape.channels
    assert scalars[0].tolist() == pytest.approx(drawn.scalars(state), abs=1e-6)
    assert len(drawn.labels(state)) == len(set(drawn.labels(state))) == follower.shape.scalars
    assert len(set(codes)) == len(set(actions.tolist())) == len(codes)
    assert actions.min() >= 0
    assert actions.max() < drawn.actions(state) == follower.shape.actions
    told = dict(zip(codes, actions.tolist(), strict=True))
    for move in some(state.moves()):
        assert told[kernel.code(move)] == drawn.action(state, move)
        assert drawn.move_of(state, told[kernel.code(move)]) == move


def some(moves: Any) -> Any:
    """All moves or, of very many, about a thousand, other ones each time."""
    step = len(moves) // 1000 + 1
    return itertools.islice(moves, len(moves) % step, None, step)


def test_where_chance_decides_nobody_looks() -> None:
    with pytest.raises(ValueError, match="chance decides"):
        guide(IMAGO.start()).look()


# Blokus

BLOKUS = [table for table in TABLES if table[0] == "blokus"]


@pytest.mark.parametrize("table", BLOKUS, ids=named)
def test_the_mover_starts_where_the_first_colour_does(table: Table) -> None:
    rng, state = random.Random(1), start(table)
    home = state.rules.starts[0]
    for _ in range(2 * len(state.rules.colours)):
        assert blokus.seen(state, state.rules.starts[state.colour]) == home
        state = state.play(rng.choice(state.moves()))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variant", "options", "count"),
    [("duo", {}, 1), ("two", {}, 7), ("two", {"corners": "fixed"}, 0), ("three", {}, 7)],
)
def test_symmetries_lead_to_positions_that_a_game_can_reach(
    variant: str, options: dict[str, str], count: int, rng: random.Random, soak: bool
) -> None:
    """A game and the same game on a turned board: what is seen is turned, and so are the
    actions. (Who sees the board turned himself sees another of the symmetries.) But for the soak,
    by two of them."""
    begin = BLOKUS_GAME.start(variant, **options)
    size, symmetries = begin.rules.size, guide(begin).symmetries()
    assert len(symmetries) == count
    for places, _ in symmetries if soak else rng.sample(symmetries, min(2, count)):
        turned = {(old % size, old // size): (new % size, new // size)
                  for new, old in enumerate(places)}  # fmt: skip
        state, other = begin, begin
        while not state.outcome:
            move = rng.choice(state.moves())
            cells = {turned[cell] for cell in move.cells}
            answer = next(move for move in other.moves() if set(move.cells) == cells)
            assert any(alike(blokus, (state, move), (other, answer), one) for one in symmetries)
            state, other = state.play(move), other.play(answer)


def alike(drawn: Any, one: Any, other: Any, symmetry: Any) -> bool:
    """Whether two states and their moves, one each, look the same by a symmetry."""
    (state, move), (turned, answer), (squares, actions) = one, other, symmetry
    first, second = (np.array(drawn.layers(each)) for each in (state, turned))
    return bool(
        (first.reshape(len(first), -1)[:, squares] == second.reshape(len(second), -1)).all()
        and actions[drawn.action(state, move)] == drawn.action(turned, answer)
        and drawn.scalars(state) == drawn.scalars(turned)
    )


def test_squares_at_the_end_are_seen_by_whoever_looks() -> None:
    rng, state = random.Random(3), BLOKUS_GAME.start("classic")
    views = []
    for _ in range(4):
        views.append(state)
        state = state.play(rng.choice(state.moves()))
    end = guide(state)
    for view in views:
        owned = end.owned(view.colour)
        for step in range(4):
            squares = state.squares[(view.colour + step) % 4]
            cells = [blokus.seen(view, cell) for cell in state.rules.grid.cells(squares)]
            assert {y * 20 + x for x, y in cells} == {
                place for place, owner in enumerate(owned) if owner == step + 1
            }


# Imago


def flipped(cell: Cell) -> Cell:
    return cell[1], cell[0]


@pytest.mark.parametrize("variant", ["imago", "shapes"])
def test_an_imago_board_may_be_flipped_over_its_diagonal(variant: str, rng: random.Random) -> None:
    state = IMAGO.start(variant)
    (symmetry,) = guide(state).symmetries()
    colours: dict[Cell, int] = {}
    for hollow in HOLLOWS:
        draw = any_move(state, rng)
        colours[flipped(hollow)] = draw.drawn
        state = state.play(draw)
    state, other = state.play(Imago("lot", drawn=1)), IMAGO.start(variant)
    for hollow in HOLLOWS:
        other = other.play(Imago("draw", drawn=colours[hollow]))
    other = other.play(Imago("lot", drawn=1))
    while not state.outcome:
        move = rng.choice(state.moves())
        answer = move._replace(cell=flipped(move.cell), place=flipped(move.place))
        assert alike(imago, (state, move), (other, answer), symmetry)
        state, other = state.play(move), other.play(answer)
    assert other.outcome


def test_the_hollows_of_imago_belong_to_who_emptied_them(rng: random.Random) -> None:
    state = IMAGO.start()
    follower, taken = guide(state), dict[Cell, int]()
    kernel = IMAGO.kernel
    assert kernel
    while not state.outcome:
        move = any_move(state, rng)
        after = state.play(move)
        for cell in state.table.colour_at.keys() - after.table.colour_at.keys():
            taken[cell] = state.player
        follower.play(kernel.code(move))
        state = after
    for voice in range(2):
        owned = follower.owned(voice)
        for hollow, seat in taken.items():
            assert owned[imago.square(hollow)] == 1 + (seat != voice)
        assert sum(map(bool, owned)) == len(taken)


# Tantrix


def test_a_field_wider_than_the_planes_is_numbered_too() -> None:
    """Whoever moves goes as far east as he can: open cells come to share squares."""
    kernel, rng = TANTRIX.kernel, random.Random(8)
    assert kernel
    state, shared = TANTRIX.start("two"), 0
    follower = guide(state)
    while not state.outcome:
        if state.turn == CHANCE:
            move = any_move(state, rng)
        else:
            compare(tantrix, state, follower)
            cells = {(q % tantrix.EDGE, r % tantrix.EDGE) for q, r in state.field.faces}
            shared += len(cells) < len(state.field.faces)
            places = [move for move in state.moves() if isinstance(move, Place)]
            move = max(places, key=lambda move: move.cell[0])
        follower.play(kernel.code(move))
        state = state.play(move)
    assert shared


def test_tiles_on_the_lines_that_count_belong_to_their_sides(rng: random.Random) -> None:
    state = TANTRIX.start("three")
    follower, kernel = guide(state), TANTRIX.kernel
    assert kernel
    while not state.outcome:
        move = any_move(state, rng)
        follower.play(kernel.code(move))
        state = state.play(move)
    for voice in range(3):
        owned = np.array(follower.owned(voice)).reshape(tantrix.EDGE, tantrix.EDGE)
        for step in (2, 1, 0):
            line = state.best((voice + step) % 3)
            for q, r in line.cells if line else ():
                assert 0 < owned[(r + 10) % tantrix.EDGE, (q + 10) % tantrix.EDGE] <= step + 1


# Forma


def test_a_board_of_forma_may_be_turned_and_flipped(rng: random.Random, soak: bool) -> None:
    """The set-up, too; a game and the same game on a turned board."""
    begin = FORMA.start("four").play(Forma("+red"))
    symmetries = guide(begin).symmetries()
    assert len(symmetries) == 7
    for squares, actions in symmetries if soak else [rng.choice(symmetries)]:
        state = other = begin
        while not state.outcome:
            move = any_move(state, rng)
            answer = forma.move_of(other, actions[forma.action(state, move)])
            assert alike(forma, (state, move), (other, answer), (squares, actions))
            state, other = state.play(move), other.play(answer)
        assert state.scores == other.scores
