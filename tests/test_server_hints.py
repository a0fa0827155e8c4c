"""Hints over HTTP: the best moves of a position, and what each is worth."""

import random
from collections.abc import Sequence
from typing import Any

import pytest

from servers import Person, table
from tegel import games
from tegel.game import CHANCE, State
from tegel.search.match import pairings, played

TABLES = [(name, variant) for name in games.names() for variant in games.load(name).variants]


def advised(hint: dict[str, Any], state: State[Any], sides: Sequence[int]) -> None:
    """A hint has legal moves, and a chance to win and a score for every seat; partners win
    together."""
    legal = {str(move) for move in state.moves()}
    assert hint["move"] == hint["moves"][0]["move"]
    assert hint["search"] == "engine"
    solved = hint["moves"][0]["exact"]
    assert solved or hint["simulations"] > 0
    for opinion in hint["moves"]:
        assert opinion["move"] in legal
        assert len(opinion["wins"]) == len(opinion["scores"]) == len(state.scores)
        assert 0 <= opinion["part"] <= 1
        assert opinion["exact"] == solved
        if opinion["part"] or solved:
            by_side = dict(zip(sides, opinion["wins"], strict=True))
            assert sum(by_side.values()) == pytest.approx(1, abs=0.01)
    parts = [opinion["part"] for opinion in hint["moves"]]
    assert parts == sorted(parts, reverse=True)
    assert 1 <= len(parts) <= 5


def test_a_hint_tells_the_best_moves_and_what_they_are_worth(ann: Person, bob: Person) -> None:
    room, *_ = table(ann, bob, hints=True)
    state = games.load("blokus").start("duo")
    advised(ann.ok("POST", f"/api/rooms/{room}/hint"), state, (0, 1))
    assert bob.refused("POST", f"/api/rooms/{room}/hint") == "turn"
    assert bob.refused("POST", f"/api/rooms/{room}/positions/0/hint") == "on"


def test_a_table_by_eye_has_no_hints(ann: Person) -> None:
    made = ann.room(game="forma", variant="two", options={"layout": "k11:c4"})
    ann.do(made["id"], "sit", seat=1)
    assert ann.refused("POST", f"/api/rooms/{made['id']}/hint") == "eye"


@pytest.mark.parametrize(("name", "variant"), TABLES)
def test_any_position_of_a_record_can_be_asked_about(
    ann: Person, name: str, variant: str, rng: random.Random
) -> None:
    (pairing,) = pairings(name, variant, games.load(name).quick, ("random", "random"), 1,
                          seed=rng.randrange(10**6))  # fmt: skip
    record = played(pairing).record
    id = ann.http.post("/api/records", content=str(record)).json()["id"]
    states = [games.start(record), *(ply.after for ply in games.replay(record))]
    decided = [ply for ply, state in enumerate(states) if state.moves() and state.turn != CHANCE]
    sides = games.load(name).sides(states[0])
    for ply in rng.sample(decided, 2):
        advised(ann.ok("POST", f"/api/records/{id}/positions/{ply}/hint"), states[ply], sides)
    past = len(record.moves)
    assert ann.refused("POST", f"/api/records/{id}/positions/{past}/hint") == "nothing"
    assert ann.refused("POST", f"/api/records/{id}/positions/{past + 1}/hint") == "missing"
    drawn = [ply for ply, state in enumerate(states) if state.turn == CHANCE]
    if drawn:
        assert ann.refused("POST", f"/api/records/{id}/positions/{drawn[0]}/hint") == "nothing"
