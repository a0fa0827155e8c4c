"""Self-play without a framework: a plain function is the net, and lessons say what happened."""

import random
from pathlib import Path
from typing import Any

import pytest

from seen import TABLES, Table, named, start
from tegel.search import kernel, nets

np = pytest.importorskip("numpy")
pytestmark = [
    pytest.mark.skipif(not nets.GAMES, reason="the native engine was not built"),
    pytest.mark.sliced(2),
]

GAMES = 8


def school(variant: str, seed: int = 1, threads: int = 1) -> Any:
    return school_of(("blokus", variant, {}), seed, threads)


def school_of(table: Table, seed: int = 1, threads: int = 1) -> Any:
    from tegel.search import _nets

    packed = list(kernel.packed(start(table)))
    made = _nets.school(table[0], packed, GAMES, seed, threads)
    simulations = 2 if table[0] == "forma" else 6  # it has tens of thousands of moves
    made.practise({"simulations": simulations, "considered": 4, "plies": 2})
    return made


def lessons_of(school: Any, wanted: int) -> dict[str, Any]:
    """So many lessons of games whose net knows nothing, or a few less."""
    from tegel.net import lessons

    shape = school.shape
    room = 2 * shape.moves
    logits, values = (
        np.zeros(GAMES * room, np.float32),
        np.zeros((GAMES, shape.sides, 3), np.float32),
    )
    values[..., :2] = 1 / shape.sides
    planes = np.zeros((GAMES, shape.channels, shape.height, shape.width), np.uint8)
    scalars = np.zeros((GAMES, shape.scalars), np.float32)
    actions = np.zeros(GAMES * room, np.int64)
    while school.played[1] < wanted:
        moves = school.step(logits, values, planes, scalars, actions)
        assert 0 < moves <= len(actions)
        rows = actions[:moves] // shape.actions
        assert (np.diff(rows) >= 0).all()
        assert set(rows) == set(range(GAMES))
    taken = lessons.room(shape, school.played[1])
    assert lessons.take(school, taken) == school.played[1]
    assert lessons.take(school, taken) == 0
    return taken


def with_rollouts(table: Table) -> dict[str, Any]:
    """The lessons of a game of the engine with rollouts."""
    from tegel.net import rollouts

    return rollouts.game(table[0], list(kernel.packed(start(table))), random.Random(2), 20)


@pytest.mark.parametrize("table", TABLES, ids=named)
@pytest.mark.parametrize("rollouts", [False, True])
def test_lessons_hold_what_was_seen_and_what_became_of_it(table: Table, rollouts: bool) -> None:
    made = school_of(table)
    found, shape = with_rollouts(table) if rollouts else lessons_of(made, 30), made.shape
    legal = found["actions"] >= 0
    assert (found["actions"] < shape.actions).all()
    assert (legal.sum(1) >= 2).all()  # where there is no choice there is no lesson
    assert found["odds"].sum(1) == pytest.approx(1, abs=1e-4)
    assert (found["odds"][~legal] == 0).all()
    wins, values, scores = np.moveaxis(found["ends"], 2, 0)
    assert wins.sum(1) == pytest.approx(1)
    assert ((values >= 0) & (values <= 1)).all()
    assert (scores.argmax(1) == wins.argmax(1)).all()  # of equals the first, in both
    assert (found["owned"] < shape.owners).all()
    if table[0] != "blokus":
        return
    colours = shape.owners - 1
    covered = found["planes"][:, :colours].astype(bool)
    for colour in range(colours):  # what lies, lies at the end too
        assert (found["owned"][covered[:, colour]] == colour + 1).all()


def test_the_same_seed_gives_the_same_lessons_on_any_number_of_threads() -> None:
    def told(seed: int, threads: int) -> list[bytes]:
        found = lessons_of(school("duo", seed, threads), 60)
        return sorted(
            b"".join(found[name][row].tobytes() for name in ("planes", "actions", "odds", "ends"))
            for row in range(len(found["ends"]))
        )

    assert told(5, 1) == told(5, 3)
    assert told(5, 1) != told(6, 1)


def test_lessons_can_be_kept_and_had_again(tmp_path: Path) -> None:
    from tegel.net import lessons

    made = school("duo")
    found, file = lessons_of(made, 30), tmp_path / "lessons.npz"
    assert lessons.pack(found, file) == len(found["ends"])
    again = lessons.unpack(file, made.shape)
    for name in ("planes", "owned", "actions", "ends"):
        assert (again[name] == found[name]).all()
    assert again["odds"] == pytest.approx(found["odds"], abs=1e-3)
    with pytest.raises(ValueError, match="another game or variant"):
        lessons.unpack(file, school("two").shape)
    whole = file.read_bytes()
    broken = [b"", random.Random(1).randbytes(999), whole[: len(whole) // 2]]
    for half in (whole[:2000] + bytes(500) + whole[2500:], *broken):
        file.write_bytes(half)
        with pytest.raises(ValueError, match="no lessons"):
            lessons.unpack(file, made.shape)


def test_a_file_of_lessons_has_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tegel.net import lessons

    monkeypatch.setattr(lessons, "TRIED", 20)
    monkeypatch.setattr(lessons, "FILE", 40_000)
    found = lessons_of(school("duo"), 200)
    kept = lessons.pack(found, tmp_path / "lessons.npz")
    assert 20 < kept < len(found["ends"])
    assert (tmp_path / "lessons.npz").stat().st_size <= 40_000


def test_a_curve_is_read_though_its_last_row_is_half(tmp_path: Path) -> None:
    from tegel.net import curve

    file = tmp_path / "curve.csv"
    for minutes in (1.0, 2.0):
        curve.add(file, {"minutes": minutes, "policy": 0.5, "win": 0.5, "owned": 0.5})
    file.write_text(file.read_text("utf-8") + "3,0.", "utf-8")
    assert [row["minutes"] for row in curve.rows(file)] == [1, 2]
    assert curve.svg(curve.rows(file)).startswith("<svg")
