"""The engine obeys the law: kernel and rules agree on moves, next state and scores at every
ply, in random games of every variant and in recorded ones."""

import json
import random
import threading
import time
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from conftest import SOAK
from tegel import games
from tegel.game import CHANCE, Kernel, State
from tegel.games.blokus import GAME as BLOKUS_GAME
from tegel.games.forma import GAME as FORMA
from tegel.games.forma.rules import State as Forma
from tegel.search import kernel
from tegel.search.bot import bot
from tegel.search.chance import draw

pytestmark = pytest.mark.skipif(not kernel.GAMES, reason="the native engine was not built")

TABLES = [
    pytest.param(name, variant, options, id=f"{name}-{variant}-{options or 'default'}")
    for name in games.names()
    if games.load(name).kernel
    for variant in games.load(name).variants
    for options in [
        {},
        *(
            {key: value}
            for key, option in games.load(name).options_of(variant).items()
            for value in option.values
        ),
    ]
]
VARIANTS = [(name, variant) for name, variant, options in (t.values for t in TABLES) if not options]
DATA = Path(__file__).parent / "data"


def check(state: State[Any], thinker: kernel.Thinker[Any], listing: bool = True) -> None:
    """Law and kernel say the same about a position; with its moves or without."""
    law: Kernel[Any, Any] = thinker.kernel
    engine = thinker.engine
    assert engine.packed == list(law.pack(state))
    assert engine.over == (state.outcome is not None)
    assert tuple(engine.scores) == state.scores
    if not state.outcome:
        assert engine.turn == state.turn
    if not listing:
        return
    listed = [code for code, _ in engine.moves()]
    moves = {law.code(move): move for move in state.moves()}
    assert len(set(listed)) == len(listed)
    assert set(listed) == set(moves)
    assert all(law.decode(code) == move for code, move in moves.items())
    if state.turn == CHANCE and not state.outcome:
        odds = {law.code(move): chance for move, chance in state.odds().items()}
        weights = dict(engine.moves(weighed=True))
        total = sum(weights.values())
        assert odds == pytest.approx({code: weight / total for code, weight in weights.items()})


def check_game(state: State[Any], moves: Any) -> None:
    """The same at every ply of a game; now and then the kernel starts anew from the state."""
    thinker = None
    for ply, move in enumerate(moves):
        if kernel.available(state):
            if thinker:
                # Long lists take Python long: there a slice looks at some of them only.
                listing = SOAK or len(state.moves()) < 1500 or ply % 7 == 3
                check(state, thinker, listing)
            if not thinker or ply % 7 == 3:
                thinker = kernel.Thinker(state, seed=0)
                check(state, thinker, listing=False)
            thinker.play(move)
        state = state.play(move)
    assert thinker
    check(state, thinker)


def random_game(state: State[Any], rng: random.Random) -> list[Any]:
    moves = []
    while not state.outcome:
        move = draw(state, rng) if state.turn == CHANCE else rng.choice(state.moves())
        moves.append(move)
        state = state.play(move)
    return moves


@pytest.mark.parametrize(("name", "variant", "options"), TABLES)
def test_kernel_and_law_agree_in_random_games(
    name: str, variant: str, options: dict[str, str], rng: random.Random, soak: bool
) -> None:
    end = time.monotonic() + 60  # Python takes seconds for a game with lists of 30,000 moves
    for _ in range(300 if soak else 2):
        start = games.load(name).start(variant, **options)
        check_game(start, random_game(start, rng))
        if time.monotonic() > end:
            break


BLOKUS = json.loads((DATA / "blokus_games.json").read_text("utf-8"))["games"]


@pytest.mark.parametrize("game", BLOKUS, ids=lambda game: game.get("name", game["variant"]))
def test_kernel_and_law_agree_in_recorded_blokus_games(game: dict[str, Any]) -> None:
    blokus = BLOKUS_GAME
    options = {} if game["variant"] == "duo" else {"corners": "fixed"}
    start = blokus.start(game["variant"], **options)
    check_game(start, [blokus.parse(",".join(cells) if isinstance(cells, list) else cells)
                       for cells, *_ in game["moves"]])  # fmt: skip


IMAGO = json.loads((DATA / "imago_games.json").read_text("utf-8"))["games"]


@pytest.mark.parametrize("number", range(len(IMAGO)))
def test_kernel_and_law_agree_in_recorded_imago_games(number: int) -> None:
    game, imago = IMAGO[number], games.load("imago")
    texts = [f"+{letter}" for letter in game["layout"]] + [f"+{game['first']}"]
    for word, *places in game["moves"]:
        if word == "take":
            (row, column), (down, right) = places
            texts.append(f"{'abcdef'[column]}{6 - row}@{down},{right}")
        else:
            texts.append("@".join([word, *(f"{row},{column}" for row, column in places)]))
    check_game(imago.start(game["variant"]), map(imago.parse, texts))


TANTRIX = json.loads((DATA / "tantrix_games.json").read_text("utf-8"))


@pytest.mark.parametrize("game", TANTRIX["games"] + TANTRIX["constructed"])
def test_kernel_and_law_agree_in_recorded_tantrix_games(game: dict[str, Any]) -> None:
    tantrix = games.load("tantrix")
    variant = "doubles" if game["doubles"] else ("two", "three", "four")[game["players"] - 2]
    state = start = tantrix.start(variant)
    bag, placed = list(game["draw_order"]), list(game["moves"])
    moves = []
    while not state.outcome:
        if state.turn == CHANCE:
            text = f"+{bag.pop(0)}"
        else:
            tile, q, r, turn, _ = placed.pop(0)
            text = f"{tile}.{turn}@{q},{r}"
        moves.append(tantrix.parse(text))
        state = state.play(moves[-1])
    check_game(start, moves)


def covered(state: State[Any], rng: random.Random) -> State[Any]:
    """The first state from which the engine can play on."""
    while not kernel.available(state):
        state = state.play(draw(state, rng) if state.turn == CHANCE else rng.choice(state.moves()))
    return state


@pytest.mark.parametrize(("name", "variant"), VARIANTS)
def test_the_engine_plays_only_legal_moves_to_the_end(
    name: str, variant: str, rng: random.Random
) -> None:
    state = covered(games.load(name).start(variant), rng)
    thinker = kernel.Thinker(state, seed=rng.getrandbits(60))
    while not state.outcome:
        move = draw(state, rng) if state.turn == CHANCE else thinker.consider(20)[0].move
        state = state.play(move)
        thinker.play(move)
    check(state, thinker)


@pytest.mark.parametrize(("name", "variant"), VARIANTS)
def test_seed_and_simulations_decide(name: str, variant: str) -> None:
    rng = random.Random(1)
    state = covered(games.load(name).start(variant), rng)
    for _ in range(45):
        state = state.play(draw(state, rng) if state.turn == CHANCE else state.moves()[0])
        if state.outcome:
            return
    while state.turn == CHANCE:
        state = state.play(draw(state, rng))
    first, second, other = (kernel.Thinker(state, seed).consider(200) for seed in (5, 5, 6))
    assert first == second
    assert len(first) == 1 or first[0].exact or first != other


@pytest.mark.parametrize(("name", "variant"), VARIANTS)
def test_both_builds_think_alike(name: str, variant: str) -> None:
    """A level plays the same moves on a processor with AVX2 and on one without."""
    if not (import_module("tegel.search._kernel").AVX2 and find_spec("tegel.search._kernel_avx2")):
        pytest.skip("no AVX2 here")
    packed = list(kernel.packed(covered(games.load(name).start(variant), random.Random(1))))
    thoughts = []
    for module in ("_kernel", "_kernel_avx2"):
        engine = import_module(f"tegel.search.{module}").engine(name, packed, 7, {})
        engine.think(200, 1e9)
        thoughts.append(engine.opinions())
    assert thoughts[0] == thoughts[1]


def test_kernel_and_law_count_the_same_bridges(rng: random.Random, soak: bool) -> None:
    """Random play builds few bridges, so here squares are strewn over the board, most of
    them beside others, in a game that is over."""
    forma = FORMA
    start = forma.start("two", layout="k11:")
    grid, counts = start.rules.grid, set()
    for _ in range(400 if soak else 40):
        share = rng.uniform(0.35, 0.75)
        cells = [divmod(place, 20) for place in range(400)]
        mine = grid.mask(cell for cell in cells if rng.random() < share) & ~start.layout.tower
        theirs = grid.full & ~mine & ~start.layout.tower
        state = replace(start, seat=0, tiles=(mine, theirs))
        assert state.outcome
        check(state, kernel.Thinker(state, seed=0))
        counts |= {len(bridges) for bridges in state.bridges}
    assert len(counts) > 3


@pytest.mark.slow
def test_kernel_and_law_count_the_same_bridges_on_boards_full_of_lines(
    rng: random.Random, soak: bool
) -> None:
    """Whole rows and columns, some squares besides, and some holes: so many bridges both ways
    that their labels need hundreds of bits."""
    start = FORMA.start("two", layout="k11:")
    grid, most = start.rules.grid, 0
    for _ in range(400 if soak else 25):
        columns, rows = ({n for n in range(20) if rng.random() < 0.6} for _ in range(2))
        strewn = rng.uniform(0, 0.3)
        cells = [(x, y) for x in range(20) for y in range(20)
                 if x in columns or y in rows or rng.random() < strewn]  # fmt: skip
        for hole in rng.sample(cells, rng.randrange(6)):
            cells.remove(hole)
        mine = grid.mask(cells) & ~start.layout.tower
        state = replace(start, seat=0, tiles=(mine, grid.full & ~mine & ~start.layout.tower))
        check(state, kernel.Thinker(state, seed=0))
        most = max(most, len(state.bridges[0]))
    assert most > 16


@pytest.mark.slow
def test_a_misfit_leaves_engine_and_law_in_the_same_position(
    rng: random.Random, soak: bool
) -> None:
    """Games by eye in which every third attempt misses, with an engine that keeps its tree;
    what they try is in `moves` or not, on the board or half off it."""
    forma, misfits = FORMA, 0
    for number in range(2000 if soak else 200):
        state = forma.start(("two", "four")[number % 2], layout="k11:c4,e9,p15")
        state = state.play(draw(state, rng))
        for _ in range(rng.randrange(60)):  # late positions are the quick ones
            if not state.outcome:
                state = state.play(rng.choice(state.moves()))
        thinker = kernel.Thinker(state, seed=number)
        for _ in range(30 if soak else 12):
            if state.outcome:
                break
            if rng.random() < 0.5:
                thinker.think(simulations=5)
            meant = rng.choice(state.moves())
            near = [*forma.slips(state, meant), *astray(state, meant, rng)]
            move = rng.choice(near) if near and rng.random() < 1 / 3 else meant
            misfits += move not in state.moves()
            state = state.play(move)
            thinker.play(move)
            check(state, thinker, listing=False)
        if not state.outcome:
            best = thinker.consider(5)[0].move
            assert best in state.moves()
    assert misfits > 200


def astray(state: Forma, meant: Any, rng: random.Random) -> list[Any]:
    """The same tile somewhere else, on the board or half off it, if it may be tried there."""
    if meant.cell is None:
        return []
    other = meant._replace(cell=(rng.randrange(-4, 22), rng.randrange(-4, 22)))
    return [other] if FORMA.attempts(state, other) else []


def test_opinions_tell_chances_and_scores_of_every_seat() -> None:
    state = BLOKUS_GAME.start("classic")
    best, *_ = kernel.Thinker(state, seed=1).consider(300)
    assert len(best.wins) == len(best.scores) == 4
    assert sum(best.wins) == pytest.approx(1)
    assert all(-89 <= score <= 20 for score in best.scores)
    teams = BLOKUS_GAME.start("teams")
    best, *_ = kernel.Thinker(teams, seed=1).consider(300)
    assert best.wins[0] == best.wins[2]
    assert best.wins[0] + best.wins[1] == pytest.approx(1)


def test_blokus_hurries_to_the_middle_of_the_large_board() -> None:
    state = BLOKUS_GAME.start("two")
    for _ in range(12):
        best = kernel.Thinker(state, seed=1).consider(100)[0].move
        state = state.play(best)
    middle = {(x, y) for x in range(5, 15) for y in range(5, 15)}
    for squares in state.squares:
        taken = state.rules.grid.cells(squares)
        assert len(taken) == 15
        assert middle.intersection(taken)


@pytest.mark.parametrize("name", sorted(kernel.GAMES))
def test_overlooked_moves_are_not_considered_unless_they_are_all(
    name: str, rng: random.Random
) -> None:
    state = covered(games.load(name).start(), rng)
    while state.turn == CHANCE or len(state.moves()) < 20:
        state = state.play(draw(state, rng) if state.turn == CHANCE else rng.choice(state.moves()))
    moves = list(state.moves())
    thinker = kernel.Thinker(state, seed=1)
    thinker.overlook(moves[10:])
    assert {opinion.move for opinion in thinker.consider(50)} == set(moves[:10])
    thinker = kernel.Thinker(state, seed=1)
    thinker.overlook(moves)
    assert len(thinker.consider(50)) == len(moves)


def test_thinking_ends_in_time_and_when_it_is_stopped() -> None:
    state = BLOKUS_GAME.start("classic")
    began = time.monotonic()
    kernel.Thinker(state, seed=1).consider(seconds=0.2)
    assert time.monotonic() - began < 5
    thinker = kernel.Thinker(state, seed=1)
    threading.Timer(0.2, thinker.stop).start()
    thinker.consider()
    assert time.monotonic() - began < 10


def test_without_the_engine_bots_search_in_python_and_that_is_said_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, rng: random.Random
) -> None:
    monkeypatch.setattr(kernel, "GAMES", frozenset())
    kernel._told.cache_clear()
    state = BLOKUS_GAME.start("duo")
    for _ in range(2):
        assert bot(3)(state, rng) in state.moves()
    assert [record.message for record in caplog.records] == [
        "The native engine was not built; bots search in plain Python, which is much weaker."
    ]
