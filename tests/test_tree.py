"""Trees of moves: text and value are the same thing, and no change loses what it does not name."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tegel import record, tree
from tegel.record import MARKS, BadNotation
from tegel.tree import Step, Tree

WORDS = st.text("abcXYZ0123.@,-+=", min_size=1, max_size=6)
NOTES = st.text(st.characters(blacklist_categories=("C", "Z")), max_size=8)
TEXTS = st.lists(NOTES.filter(bool), max_size=3).map(" ".join)


def lines(deep: int) -> st.SearchStrategy[Any]:
    others = st.lists(lines(deep - 1), max_size=2).map(tuple) if deep else st.just(())
    step = st.builds(Step, WORDS, st.sampled_from(("", *MARKS)), TEXTS, others)
    return st.lists(step, min_size=1, max_size=4).map(tuple)


TREES = st.builds(
    Tree,
    st.just("blokus"),
    st.sampled_from(("", "duo")),
    st.dictionaries(st.sampled_from(("corners", "a")), st.just("fixed"), max_size=2),
    st.dictionaries(st.sampled_from(("date", "event")), st.text("abc ", min_size=1).map(str.strip)),
    TEXTS,
    lines(3) | st.just(()),
)


def paths(line: tree.Line, before: tree.Path = ()) -> list[tree.Path]:
    """Every path of a tree."""
    found = []
    for at, step in enumerate(line):
        found.append((*before, at))
        for choice, other in enumerate(step.others):
            found += paths(other, (*before, at, choice))
    return found


@settings(deadline=None)
@given(TREES)
def test_text_and_tree_are_inverse(one: Tree) -> None:
    assert tree.parse(str(one)) == one
    assert str(tree.parse(str(one))) == str(one)


@settings(deadline=None)
@given(TREES)
def test_a_record_reads_the_main_line_of_a_tree(one: Tree) -> None:
    plain = record.parse(str(one))
    assert plain.moves == one.moves() == tuple(step.move for step in one.line)
    assert plain.notes == one.record().notes
    assert tree.of(plain).moves() == plain.moves


@settings(deadline=None)
@given(TREES.filter(lambda one: bool(one.line)), st.data())
def test_changes_touch_what_they_name_and_nothing_else(one: Tree, data: st.DataObject) -> None:
    every = paths(one.line)
    path = data.draw(st.sampled_from(every))
    step = one.step(path)
    noted = one.changed(path, mark="??", note="so it is")
    assert (noted.step(path).mark, noted.step(path).note) == ("??", "so it is")
    assert noted.changed(path, mark=step.mark, note=step.note) == one
    after, to = one.played(path, "new@a1")
    assert after.moves(to) == (*one.moves(path), "new@a1")
    assert after.played(path, "new@a1") == (after, to), "it stands there already"
    assert after.without(to) == one
    up, there = one.promoted(path)
    assert up.moves(there) == one.moves(path)
    assert sorted(up.moves(p) for p in paths(up.line)) == sorted(one.moves(p) for p in every)
    gone = one.without(path)
    kept = sorted(gone.moves(p) for p in paths(gone.line))
    moves = one.moves(path)
    # The same moves may stand twice: what is gone begins with them.
    assert all(m[: len(moves)] == moves for m in {one.moves(p) for p in every} - set(kept))
    assert len(kept) < len(every)


@settings(deadline=None)
@given(TREES)
def test_the_main_line_is_reached_by_promotion(one: Tree) -> None:
    for path in paths(one.line):
        moves, up, there = one.moves(path), one, path
        while len(there) > 1:
            up, there = up.promoted(there)
        assert up.moves()[: len(moves)] == moves


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("(\na\n)", "line 3: '(': a variation stands behind a move"),
        ("a\n(\n)", "line 5: ')': no variation to close"),
        ("a\n)", "no variation to close"),
        ("a\n(\nb", "not closed"),
        ("a" + "\n(\na" * 50 + "\n)" * 50, "more than 40 variations deep"),
        (f"a # {'x' * 3000}", "a note has at most 2,000 characters"),
    ],
)
def test_bad_trees_are_named_in_a_sentence(body: str, why: str) -> None:
    with pytest.raises(BadNotation) as caught:
        tree.parse(f"game: blokus\n\n{body}\n")
    assert why in str(caught.value)


def test_a_step_is_one_move() -> None:
    for move in ("", "(", ")", "a ?", "a # b", " a", "a\nb"):
        with pytest.raises(BadNotation):
            Step(move)
    with pytest.raises(BadNotation):
        Step("a", mark="?!?")


def test_paths_that_lead_nowhere() -> None:
    one = tree.parse("game: blokus\n\na\n(\nb\n)\nc\n")
    assert one.moves((0, 0, 0)) == ("b",)
    for path in ((2,), (0, 1, 0), (0, 0, 1), (0, 0), (-1,)):
        with pytest.raises(LookupError):
            one.step(path)


@settings(deadline=None)
@given(st.text(st.sampled_from("ab()#?! \n:"), max_size=60))
def test_any_text_is_a_tree_or_named(text: str) -> None:
    for given_text in (text, f"game: blokus\n\n{text}"):
        try:
            found = tree.parse(given_text)
        except BadNotation:
            continue
        assert tree.parse(str(found)) == found
