"""What holds for every game and variant found, whatever the game."""

import pickle
import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import pytest

from tegel import games, record
from tegel.cells import bits
from tegel.game import (
    CHANCE,
    BadNotation,
    Game,
    IllegalMove,
    Offer,
    State,
    game_of,
    sentence,
    words,
)
from tegel.games import BadRecord, replay
from tegel.record import Record
from tegel.search.chance import draw


def marks(name: str, variant: str, options: dict[str, str]) -> list[pytest.MarkDecorator]:
    """One table of each variant, and one puzzle of each kind, are tried after every change; of
    the others a run of all tests takes some."""
    game = games.load(name)
    quick = not options and (not game.solo or variant == next(iter(game.variants)))
    return [] if quick else [pytest.mark.slow, pytest.mark.sliced(6 if game.solo else 2)]


TABLES = [
    pytest.param(
        name,
        variant,
        options,
        id=f"{name}-{variant}-{options or 'default'}",
        marks=marks(name, variant, options),
    )
    for name in games.every()
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
SENTENCE = re.compile(r"^[A-Z].*\.$")
LIMIT = 5000  # plies: no game of ours is near it

Plies = list[tuple[State[Any], Any]]


def chosen(game: Game[Any, Any], state: State[Any], pool: list[Any], rng: random.Random) -> Any:
    """A random move; a draw by its odds; now and then an attempt, where a game has them."""
    if state.turn == CHANCE:
        return draw(state, rng)
    if rng.random() < 0.1:
        tries = [
            move for move in rng.sample(pool, min(20, len(pool))) if game.attempts(state, move)
        ]
        if tries:
            return rng.choice(tries)
    return rng.choice(state.moves())


def played(game: Game[Any, Any], start: State[Any], rng: random.Random) -> tuple[Plies, State[Any]]:
    """A random game: every state with the move made in it, and the last state."""
    plies: Plies = []
    pool: list[Any] = []
    state = start
    while not state.outcome:
        assert len(plies) < LIMIT, "the game does not end"
        moves = state.moves()
        pool += rng.sample(moves, min(5, len(moves)))
        move = chosen(game, state, pool, rng)
        plies.append((state, move))
        state = state.play(move)
    return plies, state


def solved(game: Game[Any, Any], start: State[Any], rng: random.Random) -> tuple[Plies, State[Any]]:
    """A table for one as somebody might play it: a solution, with a few detours and back."""
    assert game.solo
    way = game.solo.solution(start, 240, None)
    assert way
    detours = set(rng.sample(range(len(way.moves)), min(6, len(way.moves))))
    plies: Plies = []
    state = start
    for number, text in enumerate(way.moves):
        if number in detours:
            away = rng.choice(state.moves()[-50:] if rng.random() < 0.5 else state.moves())
            there = state.play(away)
            if there.outcome:
                return [*plies, (state, away)], there
            known = [move for _, move in plies if move in there.moves()]
            back = next(m for m in (*known, *reversed(there.moves())) if there.play(m) == state)
            plies += [(state, away), (there, back)]
            state = there.play(back)
        move = game.parse(text)
        plies.append((state, move))
        state = state.play(move)
    return plies, state


@pytest.mark.parametrize("name", games.names())
def test_every_variant_is_of_one_family_which_has_a_name(name: str) -> None:
    game = games.load(name)
    known = [variant for variants in game.families.values() for variant in variants]
    assert sorted(known) == sorted(game.variants)
    assert set(words(name)["families"]) == set(game.families)
    for key, variants in game.families.items():
        assert {game.family(variant) for variant in variants} == {key}


@pytest.mark.parametrize(("name", "variant", "options"), TABLES)
def test_contract(
    name: str, variant: str, options: dict[str, str], rng: random.Random, soak: bool
) -> None:
    game = games.load(name)
    for _ in range(20 if soak and not game.solo else 1 if game.solo else 2):
        start = game.start(variant, **options)
        frozen = pickle.dumps(start)
        plies, last = (solved if game.solo else played)(game, start, rng)
        assert pickle.dumps(start) == frozen, "an old state has changed"
        states = [state for state, _ in plies] + [last]
        assert last.outcome
        assert len(plies) <= game.longest
        check_end(game, last)
        for state in rng.sample(states, min(2 if game.solo else 8, len(states))):
            check_state(game, state)
            check_picture(game, state)
            check_offer(game, state)
        check_refusals(game, states, rng)
        check_events(game, plies, last)
        check_record(game, variant, options, [move for _, move in plies], states)


def check_end(game: Game[Any, Any], state: State[Any]) -> None:
    assert state.outcome
    assert not state.moves()
    assert len(state.moves()) == 0
    assert state.outcome.reason in words(game.name)["reasons"]
    assert set(state.outcome.winners) <= set(range(len(state.scores)))


def check_state(game: Game[Any, Any], state: State[Any]) -> None:
    assert game_of(state) is game is pickle.loads(pickle.dumps(game))
    moves = state.moves()
    assert bool(moves) == bool(len(moves)) == (state.outcome is None)
    listed = list(moves)
    assert len(listed) == len(moves) == len(set(listed))
    assert all(moves[i] == listed[i] for i in range(-min(3, len(moves)), min(3, len(moves))))
    assert all(move in moves for move in listed[:50])
    assert all(game.parse(str(move)) == move for move in listed)
    again = pickle.loads(pickle.dumps(state))
    assert again == state
    assert hash(again) == hash(state)
    assert game.read(str(state)) == state
    assert str(game.read(str(state))) == str(state)
    seats = len(state.scores)
    assert all(isinstance(score, int) for score in state.scores)
    assert state.turn == CHANCE or 0 <= state.turn < seats
    sides = game.sides(state)
    assert len(sides) == seats
    assert len({*zip(sides, state.scores, strict=True)}) == len({*sides}), "a side has one score"
    odds: Mapping[Any, float] = state.odds()
    if state.turn == CHANCE and not state.outcome:
        assert set(odds) == set(listed)
        assert sum(odds.values()) == pytest.approx(1)
        assert min(odds.values()) > 0
    else:
        assert not odds
    gained = game.gained(state)
    assert len({*zip(sides, gained, strict=True)}) == len({*sides})
    assert min(gained) >= 0, "nobody is told of less than nothing"
    account = game.account(state)
    for item in account:
        assert 0 <= item.seat < seats
        assert sentence(game.name, "items", item.key, item.args)
    if account:
        sums = [sum(item.points for item in account if item.seat == seat) for seat in range(seats)]
        assert tuple(sums) == state.scores


def check_picture(game: Game[Any, Any], state: State[Any]) -> None:
    picture = game.picture(state)
    planes = {plane.name for plane in picture.planes}
    assert len(planes) == len(picture.planes)
    for mark in picture.marks:
        assert mark.plane in planes
        assert mark.sprite in picture.sprites or (not mark.sprite and mark.path)
    for theme in ("light", "dark"):
        for patterns in (False, True):
            text = picture.svg(theme=theme, patterns=patterns)
            root = ElementTree.fromstring(text)
            ids = [node.get("id") for node in root.iter() if node.get("id")]
            assert len(set(ids)) == len(ids)
            used = {node.get("href", "#")[1:] for node in root.iter() if "href" in node.attrib}
            used |= set(re.findall(r"url\(#([^)]+)\)", text))
            assert used <= set(ids)
            assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
    assert str(game.text(state)).strip()


def check_offer(game: Game[Any, Any], state: State[Any]) -> None:
    """The offer says the same as moves(), in other words."""
    if state.turn == CHANCE or state.outcome:
        return
    offer, moves, picture = game.offer(state), state.moves(), game.picture(state)
    planes = {plane.name for plane in picture.planes}
    assert all(slot.plane in planes for slot in offer.slots)
    shown = {mark.tile for mark in picture.marks}
    assert {slot.tile for slot in offer.slots} <= shown, "a tile that nobody can take up"
    assert all(game.parse(choice.move) in moves for choice in offer.choices)
    if not offer.any:
        placed = {game.parse(text) for text in placements(game, offer)}
        assert len(placed) + len(offer.choices) == len(moves)
        assert placed <= set(moves)


def placements(game: Game[Any, Any], offer: Offer) -> Iterator[str]:
    """What the page would send for each place of each slot."""
    for slot in offer.slots:
        left, low, width, height = slot.box
        assert slot.cells >> width * height == 0
        for offset in bits(slot.cells):
            row, column = divmod(offset, width)
            yield game.placed(slot.tile, slot.turn, (left + column, low + row))


def check_refusals(game: Game[Any, Any], states: list[State[Any]], rng: random.Random) -> None:
    """Whatever is neither legal nor an attempt is refused in a sentence, by a known rule."""
    pool = [
        move for state in rng.sample(states, min(10, len(states))) for move in state.moves()[:200]
    ]
    refusals, refused = words(game.name)["refusals"], 0
    for state in [*rng.sample(states, min(10, len(states))), states[-1]]:
        moves = state.moves()
        for move in rng.sample(pool, min(30, len(pool))):
            if move in moves:
                continue
            if game.attempts(state, move):
                state.play(move)
                continue
            with pytest.raises(IllegalMove) as caught:
                state.play(move)
            error: IllegalMove = caught.value
            assert error.rule in refusals
            assert SENTENCE.match(str(error)), str(error)
            assert all(len(cell) == 2 for cell in error.cells)
            assert error.state == state
            again = pickle.loads(pickle.dumps(error))
            assert (str(again), again.cells) == (str(error), error.cells)
            assert again.state == state
            refused += 1
    assert refused


def check_events(game: Game[Any, Any], plies: Plies, last: State[Any]) -> None:
    after = [state for state, _ in plies[1:]] + [last]
    for (before, move), state in zip(plies, after, strict=True):
        for event in game.events(before, move, state):
            assert sentence(game.name, "events", event.key, event.args)


def check_record(
    game: Game[Any, Any],
    variant: str,
    options: dict[str, str],
    moves: list[Any],
    states: list[State[Any]],
) -> None:
    written = Record(game.name, variant, options, {"event": "test"}, tuple(map(str, moves)))
    assert record.parse(str(written)) == written
    assert pickle.loads(pickle.dumps(written)) == written
    assert games.read(str(written)) == written
    assert [games.start(written), *(ply.after for ply in replay(written))] == states
    broken = replace(written, moves=(*written.moves[:3], "!?", *written.moves[3:]))
    with pytest.raises(BadRecord, match=r"^ply 4, '!\?': ") as caught:
        list(replay(broken))
    assert caught.value.state == states[3]


@pytest.mark.parametrize("name", games.every())
def test_texts_that_are_no_move_are_refused(name: str) -> None:
    for text in ("", " ", "@", "x@y", "🙂", "a" * 10_000, "F.9@a1", "+", "1.0@", ",", "-", "\x00"):
        with pytest.raises(BadNotation):
            games.load(name).parse(text)


@pytest.mark.parametrize("name", games.every())
def test_texts_that_are_no_position_are_refused(name: str) -> None:
    game = games.load(name)
    state = str(game.start())
    for text in ("", "chess", name, f"{name} nonsense", f"{name} {next(iter(game.variants))} a=b",
                 state[: len(state) // 2], state.replace(".", "?"), "🙂" * 1000):  # fmt: skip
        if text != state:
            with pytest.raises(BadNotation):
                game.read(text)


@pytest.mark.parametrize("name", games.every())
def test_words_are_complete(name: str) -> None:
    """Every variant, option and value has a word; `test_words.py` has more. Variants that are
    numbers are said by one word for all."""
    game, english = games.load(name), words(name)
    if all(variant.isdecimal() for variant in game.variants):
        assert ["{count}" in said for said in english["variants"].values()] == [True]
    else:
        # Some are found and not listed: the puzzle of a day, and one's own.
        unlisted = {"daily", *(v for option in game.options.values() for v in option.variants)}
        assert set(english["variants"]) - (unlisted if game.solo else set()) == set(game.variants)
    assert set(english["options"]) == set(game.options)
    values = {f"{key}.{value}" for key, option in game.options.items() for value in option.values}
    assert set(english["values"]) == values


def test_unknown_names_are_refused() -> None:
    with pytest.raises(BadNotation, match="no such game; there are blokus"):
        games.load("chess")
    with pytest.raises(BadNotation, match="no such variant"):
        games.load("blokus").start("five")
    with pytest.raises(BadNotation, match="has no such option; it has corners"):
        games.load("blokus").start("two", shared="red")
    with pytest.raises(BadNotation, match="corners is one of free, fixed"):
        games.load("blokus").start("two", corners="round")
