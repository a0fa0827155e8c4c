"""Moments: positions in which one must find the move, as text, as they lie beside the games, and
as they are found."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tegel import games
from tegel.game import CHANCE, BadNotation, State
from tegel.search import kernel, moments, nets
from tegel.search.analysis import Mind
from tegel.search.moments import Moment

WORDS = st.text("abcXYZ0123.@,-+", min_size=1, max_size=6)
LINES = st.lists(WORDS, max_size=4).map(tuple)
WITH = [name for name in games.names() if moments.of(name)]


@given(
    st.dictionaries(st.sampled_from(("layout", "corners")), WORDS, max_size=2),
    st.integers(1, 5),
    st.integers(0, 100),
    st.lists(WORDS, min_size=1, max_size=3).map(tuple),
    LINES,
    LINES,
)
def test_text_and_moment_are_inverse(
    options: dict[str, str],
    grade: int,
    gap: int,
    right: tuple[str, ...],
    follows: tuple[str, ...],
    moves: tuple[str, ...],
) -> None:
    one = Moment("duo", options, grade, gap / 100, right, (right[0], *follows), moves)
    assert moments.parse(str(one)) == one
    assert moments.read(f"# made\n\n{one}\n{one}\n") == (one, one)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("duo | 1 | 0.2 | a | a", "six parts"),
        ("duo | 6 | 0.2 | a | a | b", "a grade is 1 to 5"),
        ("duo | 1 | x | a | a | b", "is a number"),
        ("duo | 1 | 0.2 | a | b | b", "begins with the best"),
        ("duo | 1 | 0.2 |  |  | b", "begins with the best"),
        (" | 1 | 0.2 | a | a | b", "six parts"),
    ],
)
def test_what_is_no_moment_is_named_with_its_line(text: str, why: str) -> None:
    with pytest.raises(BadNotation, match=f"line 2: .*{why}"):
        moments.read(f"# made\n{text}\n")


def position(game: str, moment: Moment) -> State[Any]:
    return games.final(moment.record(game))


def test_every_game_has_moments() -> None:
    assert list(games.names()) == WITH


@pytest.mark.slow
@pytest.mark.parametrize("game", WITH)
def test_moments_can_be_played(game: str, rng: random.Random, soak: bool) -> None:
    """Right moves are among the legal ones, lines can be played, and no moment is there twice."""
    every = moments.of(game)
    assert len({moment.moves for moment in every}) == len(every)
    for moment in every if soak else rng.sample(every, min(6, len(every))):
        state = position(game, moment)
        assert state.turn != CHANCE
        legal = set(map(str, state.moves()))
        assert set(moment.right) <= legal
        assert len(moment.right) < len(legal)
        assert moment.gap >= moments.GAP
        for text in moment.line:
            state = state.play(games.load(game).parse(text))


@pytest.mark.slow
@pytest.mark.skipif(not kernel.GAMES, reason="the native engine was not built")
@pytest.mark.parametrize("game", WITH)
def test_the_right_moves_of_moments_are_right(game: str, rng: random.Random, soak: bool) -> None:
    """The engine, thinking longer and with other chances, would play one of them; of a few, some
    may be doubtful."""
    if not soak:
        pytest.skip("a long look")
    every = moments.of(game)
    sample = rng.sample(every, min(25, len(every)))
    agreed = 0
    for moment in sample:
        state = position(game, moment)
        net = nets.of(state)
        mind = Mind(state, rng.getrandbits(60), net)
        mind.deepen(3_000 if net else 20_000)
        agreed += str(mind.opinions()[0].move) in moment.right
    assert agreed >= 0.85 * len(sample)


@pytest.mark.slow
@pytest.mark.skipif(not kernel.GAMES, reason="the native engine was not built")
def test_moments_are_found_again_with_the_same_settings() -> None:
    """In games of Imago, which are quick; what is found is verified by two searches."""
    seed, first = 0, list[Moment]()
    while not first:
        seed += 1
        first = list(moments.found("imago", "imago", {}, 300, seed))
    assert first == list(moments.found("imago", "imago", {}, 300, seed))
    for moment in first:
        assert moment.gap >= moments.GAP
        assert 1 <= len(moment.right) <= 2 * moments.RIGHT
        assert position("imago", moment)
