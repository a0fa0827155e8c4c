"""Nothing that Python hands to the native parts makes them crash: what makes no sense is refused
in a sentence. (`make sanitize` runs this with sanitizers on.)"""

import random
import threading
from math import inf, nan
from typing import Any

import pytest

from tegel import games
from tegel.game import CHANCE, State
from tegel.search import kernel
from tegel.search.chance import draw
from tegel.solver import cover

pytestmark = pytest.mark.skipif(not kernel.GAMES, reason="the native engine was not built")

NUMBERS = [-(2**63), -1, 0, 1, 2, 3, 21, 63, 64, 511, 512, 2**24, 2**31, 2**32, 2**63 - 1]


def positions(name: str, rng: random.Random) -> list[State[Any]]:
    """A few of every variant, from the first that the engine covers on."""
    found = []
    for variant in games.load(name).variants:
        state, plies = games.load(name).start(variant), 0
        while plies < 60 and not state.outcome:
            if kernel.available(state):
                found += [state] if plies % 12 == 0 else []
                plies += 1
            chance = state.turn == CHANCE
            state = state.play(draw(state, rng) if chance else rng.choice(state.moves()))
    return found


@pytest.mark.parametrize("name", sorted(kernel.GAMES))
def test_only_legal_codes_are_played(name: str, rng: random.Random) -> None:
    for state in positions(name, rng):
        engine = kernel.Thinker(state, seed=1).engine
        legal = {code for code, _ in engine.moves()}
        before = engine.packed
        for code in [*NUMBERS, *(rng.getrandbits(rng.randrange(1, 34)) for _ in range(100))]:
            if code in legal:
                continue
            with pytest.raises(ValueError, match="no move with the code"):
                engine.play(code)
            with pytest.raises(ValueError, match="no move with the code"):
                engine.features([code])
            engine.overlook([code])
        for nonsense in (2**64, 1.5, "1", None):
            with pytest.raises(TypeError):
                engine.play(nonsense)
        assert engine.packed == before


@pytest.mark.parametrize("name", sorted(kernel.GAMES))
def test_only_packed_positions_are_taken(name: str, rng: random.Random, soak: bool) -> None:
    refused = 0
    for state in positions(name, rng):
        packed = list(kernel.packed(state))
        for wrong in ([], packed[:-1], [*packed, 0]):
            with pytest.raises(ValueError, match=r"position"):
                kernel.native(name, wrong, 1, {})
        for _ in range(500 if soak else 50):
            other = packed.copy()
            for _ in range(rng.randint(1, 3)):
                place = rng.randrange(len(other))
                other[place] = rng.choice([rng.choice(NUMBERS), other[place] + rng.randint(-3, 3)])
            try:
                engine = kernel.native(name, other, 1, {})
            except (ValueError, TypeError):
                refused += 1
                continue
            engine.think(5, inf)
            for opinion in engine.opinions()[:1]:
                engine.play(opinion[0])
            assert engine.over or engine.moves()
    assert refused


def test_settings_and_limits_are_checked() -> None:
    state = games.load("blokus").start("duo")
    for settings in ({"width": 0}, {"width": -1.0}, {"temperature": 0}, {"temperature": nan},
                     {"nodes": inf}, {"unheard-of": 1}):  # fmt: skip
        with pytest.raises(ValueError, match=next(iter(settings))):
            kernel.Thinker(state, 1, **settings)
    engine = kernel.Thinker(state, 1).engine
    for seconds in (nan, -1.0):
        with pytest.raises(ValueError, match="seconds"):
            engine.think(10, seconds)
        with pytest.raises(ValueError, match="seconds"):
            engine.rollouts(seconds, 1)
    with pytest.raises(ValueError, match="no kernel"):
        kernel.native("chess", [], 1, {})


def test_an_engine_that_thinks_can_only_be_stopped() -> None:
    state = games.load("blokus").start("duo")
    engine = kernel.Thinker(state, 1).engine
    code = engine.moves()[0][0]
    thinking = threading.Thread(target=engine.think, args=(kernel.MOST, 60.0))
    thinking.start()
    try:
        for _ in range(10**6):
            try:
                engine.turn  # noqa: B018
            except RuntimeError:
                break
        for ask in (engine.opinions, engine.moves, lambda: engine.play(code)):
            with pytest.raises(RuntimeError, match="thinking"):
                ask()
    finally:
        while thinking.is_alive():
            engine.stop()
            thinking.join(0.05)
    engine.play(code)


def test_only_problems_are_solved(rng: random.Random) -> None:
    if not cover.COMPILED:
        pytest.skip("the solver was not built")
    solved = 0
    for _ in range(2_000):
        numbers = [rng.choice([-1, 0, 1, 1, 2, 3]) for _ in range(rng.randrange(5))]
        options = [[(rng.randint(-1, 4), rng.randint(-1, 2)) for _ in range(rng.randrange(4))]
                   for _ in range(rng.randrange(6))]  # fmt: skip
        try:
            search = cover.Cover(numbers, [n + rng.randint(0, 1) for n in numbers], options)
            search.restart(rng.getrandbits(8))
            search.weigh([rng.choice([0.0, 1.0, nan, inf]) for _ in range(rng.choice([0, 0, 1]))])
        except ValueError:
            continue
        search.run(50)
        search.count(50)
        search.dive(rng.getrandbits(8))
        solved += 1
    assert solved


def test_only_packings_are_packed(rng: random.Random) -> None:
    if not cover.COMPILED:
        pytest.skip("the solver was not built")
    packed = 0
    for _ in range(2_000):
        tiles = [[[(rng.randint(-rng.randrange(2), 2), rng.randint(0, 2))
                   for _ in range(rng.randint(1, 2))] for _ in range(rng.randrange(3))]
                 for _ in range(rng.randrange(3))]  # fmt: skip
        some = [rng.randint(-1, 9) for _ in range(rng.randrange(3))]
        hands = [[rng.randint(-1, 2) for _ in range(rng.randrange(3))] for _ in some]
        try:
            search = cover.Packing(
                rng.randint(-1, 4), rng.choice([0, 1, 3, 4, 2**31 - 1]), [], tiles, hands, some,
                rng.random() < 0.5, 1,
            )  # fmt: skip
            search.run(5)
            packed += 1
            search.fix(rng.randint(-1, 2), rng.randint(-1, 2), [rng.randint(-1, 9)])
        except ValueError:
            continue
        search.run(5)
    assert packed
