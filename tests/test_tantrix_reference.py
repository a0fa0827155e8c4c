"""Games of an independent reference implementation, move for move: who is to place, in
which step, how many legal placements there are, when the game ends, and the scores."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tegel.game import CHANCE
from tegel.games.tantrix.account import events
from tegel.games.tantrix.lines import lines
from tegel.games.tantrix.moves import Draw, Place
from tegel.games.tantrix.notation import restore
from tegel.games.tantrix.rules import FREE, VARIANTS, State, begin
from tegel.games.tantrix.tiles import forms

DATA = json.loads((Path(__file__).parent / "data" / "tantrix_games.json").read_text("utf-8"))
ENDS = {"all placed": "placed", "deadlock": "deadlock", "nobody can place": "blocked"}


def rules(game: dict[str, Any]) -> Any:
    return VARIANTS["doubles" if game["doubles"] else ["two", "three", "four"][game["players"] - 2]]


def draws(state: State, bag: list[int]) -> State:
    while state.turn == CHANCE:
        state = state.play(Draw(bag.pop(0)))
    return state


def sides(game: dict[str, Any], seats: tuple[int, ...]) -> list[int]:
    return sorted({seat % len(game["colours"]) for seat in seats})


def looks(state: State) -> Iterator[State]:
    """The states in which a player looks for forced fills after a move, till there is one or
    the free move is due."""
    following: State | None = state
    while following and following.step != FREE and following.hands[following.seat]:
        yield following
        following = following.following()


def forbidden(state: State) -> int:
    """How many fits of forced spaces, with the tiles in hand, rules b, c and d forbid."""
    hand, field = forms(state.hands[state.seat]), state.field
    fits = field.places(hand, field.forced, bound=False)
    fills = field.places(hand, field.forced, bound=True)
    return sum((fits[cell] & ~fills.get(cell, 0)).bit_count() for cell in fits)


@pytest.mark.parametrize("game", DATA["games"] + DATA["constructed"])
def test_reference_game(game: dict[str, Any]) -> None:
    bag = list(game["draw_order"])
    state = draws(begin(rules(game)), bag)
    assert state.turn == game["start_player"]
    assert [colour[0].upper() for colour in state.colours] == game["colours"]
    vetoes = lapses = 0
    rows = zip(*(game[key] for key in ("moves", "seats", "phases", "legal_moves")), strict=True)
    for number, ((tile, q, r, turn, kind), seat, step, count) in enumerate(rows):
        assert (state.seat, state.step, len(state.moves())) == (seat, step, count), number
        assert (state.step == 2) == (kind == "free")
        if game["moves_before_endgame"] is not None:
            assert state.bound == (number < game["moves_before_endgame"])
        assert state.outcome is None
        move = Place(tile, turn, (q, r))
        assert not [e for e in events(state, move, state.play(move)) if e.key == "passed"]
        after = state.after(move)
        after = after.after(Draw(bag[0])) if bag else after
        vetoes += sum(forbidden(look) for look in looks(after) if look.bound)
        lapses += state.bound and not after.bound and forbidden(after) > 0
        state = draws(state.play(move), bag)
    assert game["passes"] == []
    assert vetoes == game.get("vetoed_forced_fits", 0)
    assert lapses == game.get("lapse_makes_fills_due", 0)
    assert state.outcome
    assert state.outcome.reason == ENDS[game["end"]]
    assert list(state.scores[: len(game["colours"])]) == game["scores"]
    assert sides(game, state.outcome.winners) == game["winners"]
    for letter, best in zip(game["colours"], game.get("best", []), strict=False):
        found = list(lines(state.field, letter))
        assert max((len(line.cells) for line in found if not line.loop), default=0) == best[0]
        assert max((len(line.cells) for line in found if line.loop), default=0) == best[1]


@pytest.mark.parametrize("given", DATA["positions"])
def test_reference_position(given: dict[str, Any]) -> None:
    hands = [f"hand {seat}: {' '.join(map(str, hand))}" for seat, hand in enumerate(given["hands"])]
    tiles = [f"{tile}.{turn}@{q},{r}" for tile, q, r, turn in given["board"]]
    text = "\n".join([f"seat: {given['to_move']}", "step: 1", "bag: -", *hands, *tiles])
    state = restore(VARIANTS["two"], text)
    assert state.turn == given["to_move"]
    assert len(state.moves()) == given["legal_moves"]
    assert state.outcome
    assert state.outcome.reason == ENDS[given["end"]]
