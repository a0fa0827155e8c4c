"""Studies: a log of changes makes a tree, and every change can be written, read and undone."""

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tegel import games, study, tree
from tegel.record import BadNotation, Record, folded, parse
from tegel.study import Delete, Mark, Note, Play, Promote, Study, Undo

GAME = "game: blokus\nvariant: duo\n\nF.0@e9\nL5.2@j5\nN.3@c11\n"
PATHS = st.lists(st.integers(0, 3), max_size=5).map(
    lambda numbers: tuple(numbers[: len(numbers) - 1 + len(numbers) % 2])
)
MOVES = st.text("abX.@0", min_size=1, max_size=4)
NOTES = st.text(st.characters(blacklist_categories=("C", "Z")), max_size=8)
CHANGES = st.one_of(
    st.builds(Play, PATHS, st.lists(MOVES, min_size=1, max_size=3).map(tuple)),
    st.builds(Promote, PATHS),
    st.builds(Delete, PATHS),
    st.builds(Note, PATHS, NOTES),
    st.builds(Mark, PATHS, st.sampled_from(("", "?", "!!"))),
    st.just(Undo()),
)


@given(CHANGES)
def test_text_and_change_are_inverse(change: study.Change) -> None:
    assert study.parse(str(change)) == change


@settings(deadline=None)
@given(st.lists(CHANGES, max_size=20))
def test_rows_that_were_taken_make_the_same_study_again(changes: list[study.Change]) -> None:
    """What a change is refused for leaves nothing behind; and undoing goes back all the way."""
    now, rows = study.begun(GAME), [GAME]
    for change in changes:
        try:
            after = study.changed(now, change)
        except BadNotation:
            continue
        rows.append(str(change))
        assert tree.parse(str(after.tree)) == after.tree
        now = after
    again = study.folded(rows)
    assert (again.tree, again.rows) == (now.tree, now.rows) == (now.tree, len(rows))
    while again.before:
        again = study.changed(again, Undo())
    assert again.tree == tree.parse(GAME) or not now.before


def test_a_move_begins_a_variation_and_undo_takes_it_away() -> None:
    one = study.changed(study.begun(GAME), Play((0,), ("X.0@i4", "Z5.1@f6")))
    assert str(one.tree).splitlines()[3:] == [
        "F.0@e9", "L5.2@j5", "(", "X.0@i4", "Z5.1@f6", ")", "N.3@c11",
    ]  # fmt: skip
    assert study.changed(one, Undo()).tree == tree.parse(GAME)
    promoted = study.changed(one, Promote((1, 0, 0)))
    assert promoted.tree.moves() == ("F.0@e9", "X.0@i4", "Z5.1@f6")


def test_a_move_that_stands_there_is_no_change_to_undo() -> None:
    one = study.changed(study.begun(GAME), Play((0,), ("L5.2@j5",)))
    assert (one.rows, one.before) == (2, ())


@pytest.mark.parametrize(
    "text",
    ["", "undo 3", "play 3", "play 3.0\nx", "play x\ny", "delete 1 2", "delete 1\nx",
     "promote 999999", "note", "fly 3", "mark 1.1"],
)  # fmt: skip
def test_what_is_no_change_is_refused(text: str) -> None:
    with pytest.raises(BadNotation):
        study.parse(text)


@pytest.mark.parametrize(
    "change",
    [Play((9,), ("x",)), Promote((0, 0, 0)), Delete(()), Delete((3,)), Note((4,), "x"),
     Note((0,), "x" * 2001), Mark((0,), "?????"), Undo(), Play((), ("(",))],
)  # fmt: skip
def test_a_change_of_what_is_not_there_is_refused(change: study.Change) -> None:
    with pytest.raises(BadNotation):
        study.changed(study.begun(GAME), change)


def test_a_study_has_bounds() -> None:
    with pytest.raises(BadNotation, match="characters"):
        study.begun(GAME + "#" * study.LONGEST)
    with pytest.raises(BadNotation, match="moves"):
        study.begun(GAME + "x\n" * study.MOST_STEPS)
    full = Study(tree.parse(GAME), rows=study.MOST_ROWS)
    with pytest.raises(BadNotation, match="changes"):
        study.changed(full, Note((), "more"))
    one = study.changed(study.begun(GAME), Play((), ("a", "b")))
    path: tree.Path = (0, 0, 0)
    while len(path) < 2 * tree.DEEPEST + 1:  # every variation within the one before
        one = study.changed(one, Play(path, ("a", "b") if len(path) % 4 else ("c", "d")))
        path = (*path[:-1], path[-1] + 1, 0, 0)
    with pytest.raises(BadNotation, match="deep"):
        study.changed(one, Play(path, ("a", "b", "c")))


def made(one: Study, changes: list[study.Change]) -> tuple[Study, str]:
    """The study after as many changes as it takes, and why it takes no more."""
    for change in changes:
        try:
            one = study.changed(one, change)
        except BadNotation as full:
            return one, full.reason
    return one, ""


def test_what_may_be_written_can_be_read_again() -> None:
    """However a study grows: by variations that change places, and by notes."""
    line = "".join(f"a{n}\n(\nb{n}\n)\n" for n in range(30))
    inner = "".join(f"c{n}\n(\nd{n}\n" for n in range(30)) + ")\n" * 30
    paths = [(0, *(0, 1) * n, 0, 0) for n in range(30)]
    # What follows a move that is promoted lies deeper by one.
    one, full = made(study.begun(f"game: blokus\n\n{line}{inner}"), [*map(Promote, paths)])
    assert "variations deep" in full
    assert tree.parse(str(one.tree)) == one.tree
    begun = study.begun("game: blokus\n\n" + "x\n" * 60)
    one, full = made(begun, [Note((number,), "x" * 1_900) for number in range(60)])
    assert "characters" in full
    assert 90_000 < len(str(one.tree)) <= study.LONGEST


def test_a_long_study_is_opened_soon() -> None:
    """Whoever asks for it has every row read."""
    rows = [GAME, *(f"play -\nm{n}" for n in range(3, study.MOST_STEPS))]
    start = time.process_time()
    assert len(study.folded(rows).tree.line[0].others) == study.MOST_STEPS - 3
    assert time.process_time() - start < 1.2


@pytest.mark.parametrize("name", games.names())
def test_a_record_begins_in_any_position(name: str, rng: random.Random) -> None:
    """What `str` writes of a position fits into a header and comes out of it again."""
    game = games.load(name)
    for variant in game.variants:
        state = game.start(variant)
        for _ in range(rng.randrange(60)):
            if not state.outcome:
                state = state.play(rng.choice(list(state.moves())))
        begun = Record(name, variant, headers={"start-position": folded(str(state))})
        assert games.start(parse(str(begun))) == state
