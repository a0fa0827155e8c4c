"""blksgf: what other Blokus programs write, and what we write for them."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tegel import games, tree
from tegel.game import BadNotation, State
from tegel.games import BadRecord
from tegel.games.blokus import GAME
from tegel.games.blokus.sgf import read, read_tree, write
from tegel.record import MARKS, Record
from tegel.tree import Step, Tree

GAME_OF_TWO = """(;GM[Blokus Two-Player]
  ;1[a20,b20,b19];2[t20, s20];3[t1]C[a comment with \\] and \\\\]
  ;4[a1,a2](;1[c18]C[main])(;1[c18,c17]))"""


def test_the_main_line_is_read_with_fixed_corners() -> None:
    record = read(GAME_OF_TWO)
    assert (record.variant, record.options) == ("two", {"corners": "fixed"})
    assert record.moves == ("V3.2@a19", "2.1@s20", "1.0@t1", "2.0@a1", "1.0@c18")
    assert record.notes == {2: "a comment with ] and \\", 4: "main"}
    assert games.final(record).scores == (89 * -2 + 5, 89 * -2 + 4)


def test_information_about_the_game_is_kept_and_the_unknown_ignored() -> None:
    text = "(;GM[Blokus Duo]FF[4]PB[Ann\\]a]PW[Bob]DT[2026-11-15]XY[1][2]ZZ[];B[e10]QQ[x];W[j5])"
    record = read(text)
    assert dict(record.headers) == {"first": "Ann]a", "second": "Bob", "date": "2026-11-15"}
    assert read(write(record)) == record


def test_old_files_name_colours_and_write_passes() -> None:
    record = read("(;GM[Blokus];BLUE[a20];YELLOW[t20];RED[t1];GREEN[a1])")
    assert len(record.moves) == 4
    with pytest.raises(BadNotation, match="node 2: 'BLUE': a pass, though this colour can place"):
        read("(;GM[Blokus];BLUE[])")


@pytest.mark.parametrize("variant", ["classic", "two", "three", "duo"])
def test_written_games_are_read_again(variant: str, rng: random.Random) -> None:
    options = {} if variant == "duo" else {"corners": "fixed"}
    state, moves = GAME.start(variant, **options), []
    while not state.outcome:
        moves.append(rng.choice(state.moves()))
        state = state.play(moves[-1])
    record = Record("blokus", variant, options, {"event": "a[b]\\c"}, tuple(map(str, moves)))
    assert games.read(write(record)) == record
    assert str(games.final(games.read(write(record)))) == str(state)


def test_free_corners_and_other_shared_colours_have_no_place_in_the_format() -> None:
    with pytest.raises(BadNotation, match="not legal with fixed corners"):
        write(Record("blokus", "classic", moves=("1.0@a1",)))
    with pytest.raises(BadNotation, match="blksgf has no such variant"):
        write(Record("blokus", "three", {"shared": "red"}))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("(;GM[Blokus Trigon])", "does not name a game we play"),
        ("(;GM[])", "does not name a game we play"),
        ("(;1[a20])", "does not name a game we play"),
        ("(", "no node"),
        ("(;GM", r"expected '\['"),
        ("(;GM[Blokus", "is not closed"),
        ("(;GM[Blokus];1[a20\\", "is not closed"),
        ("(;GM[Blokus];1[a20];3[t1])", "node 3: '3': out of turn: it is the turn of 2"),
        ("(;GM[Blokus];1[a20,c20])", "node 2: 'a20,c20': these squares are not a tile"),
        ("(;GM[Blokus];1[a20,zz])", "is not a square"),
        ("(;GM[Blokus]A1[a20])", "node 1: 'a20': A1 sets up a position"),
        ("(!)", "unexpected at character 2"),
    ],
)
def test_what_can_not_be_read_is_named(text: str, reason: str) -> None:
    with pytest.raises(BadNotation, match=reason):
        games.read(text)


def test_an_illegal_move_is_for_the_replay_to_tell() -> None:
    record = read("(;GM[Blokus];1[b20];2[t20])")
    with pytest.raises(BadRecord, match=r"^ply 1, 1.0@b20: .*a20\. \[start\]$"):
        games.final(record)


@settings(max_examples=300, deadline=None)
@given(
    st.integers(0, len(GAME_OF_TWO)), st.integers(0, 9), st.text("()[];\\\n1B,a20Ω ", max_size=6)
)
def test_mutated_files_are_read_or_refused(at: int, cut: int, new: str) -> None:
    text = GAME_OF_TWO[:at] + new + GAME_OF_TWO[at + cut :]
    try:
        games.final(games.read(text))
    except (BadNotation, BadRecord) as error:
        assert "\n" not in str(error)


def test_variations_comments_and_judgements_are_kept() -> None:
    found = read_tree(
        "(;GM[Blokus Duo]C[who\nbegins];B[e10]C[one];W[j5]TE[2]"
        "(;B[f9,f8](;W[i6,i7])(;W[k4,k3]BM[2]))"
        "(;B[f9,g9]DO[]C[or so];W[i4,h4]IT[])(;B[f11,f12]BM[1]))"
    )
    assert (
        str(found)
        == """\
game: blokus
variant: duo
note: who begins

1.0@e10  # one
1.0@j5 !!
2.0@f8
(
2.1@f9 ?!  # or so
2.1@h4 !?
)
(
2.0@f11 ?
)
2.0@i6
(
2.0@k3 ??
)
"""
    )
    assert read_tree(write(found)) == found
    assert found.moves() == read(write(found)).moves


def test_parentheses_around_what_is_no_variation_say_nothing() -> None:
    plain = read_tree("(;GM[Blokus Duo];B[e10];W[j5];B[f9])")
    for text in (
        "(;GM[Blokus Duo](;B[e10](;W[j5](;B[f9]))))",
        "(;GM[Blokus Duo];B[e10];;(()(;W[j5];B[f9])))",
        "(;GM[Blokus Duo](;)(;B[e10];W[j5];B[f9]))",
    ):
        assert read_tree(text) == plain


def grown(rng: random.Random, state: State[Any], deep: int, first: bool = True) -> tree.Line:
    """A line of legal moves with variations, notes and marks; of a variation, the first move has
    none of its own."""
    steps: list[Step] = []
    for _ in range(rng.randrange(1, 6)):
        if state.outcome:
            break
        ways = rng.randrange(3) if deep and (steps or first) else 0
        others = [grown(rng, state, deep - 1, False) for _ in range(ways)]
        move = rng.choice(state.moves())
        note = rng.choice(["", "why?", "a [b] \\ c: #1"])
        steps.append(Step(str(move), rng.choice(("", *MARKS)), note, tuple(others)))
        state = state.play(move)
    return tuple(steps)


@pytest.mark.parametrize("variant", ["classic", "two", "three", "duo"])
def test_written_trees_are_read_again(variant: str, rng: random.Random, soak: bool) -> None:
    options = {} if variant == "duo" else {"corners": "fixed"}
    for _ in range(100 if soak else 5):
        line = grown(rng, GAME.start(variant, **options), 3)
        one = Tree("blokus", variant, options, {"date": "2026-11-15"}, "a note", line)
        assert read_tree(write(one)) == games.read_tree(write(one)) == one
        assert games.read(write(one)) == one.record()
        assert games.read_tree(str(one)) == one


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("(;GM[Blokus];1[a20](;2[t20])(;3[t1]))", "node 4: '3': out of turn"),
        ("(;GM[Blokus];1[a20](;2[t20])(;A1[t1]))", "node 4: 't1': A1 sets up"),
        ("(;GM[Blokus];1[a20](;2[t20]);3[t1])", "node 4: .*: a node stands behind a variation"),
        ("(;GM[Blokus]" + "(;1[a20]" * 300, "more than 200 parentheses deep"),
        ("(;GM[Blokus];1[b20]" + "(;1[a20])(;1[a20]" * 60, "more than 40 variations deep"),
        ("(;GM[Blokus]" + "(;1[a20])" * 41_000, "more than 40,000 moves"),
        ("(;GM[Blokus](;1[a20", "is not closed"),
        (")(;GM[Blokus])", "no node"),
    ],
)
def test_variations_that_can_not_be_read_are_named(text: str, reason: str) -> None:
    with pytest.raises(BadNotation, match=reason) as caught:
        read_tree(text)
    assert len(str(caught.value)) < 200


def test_a_choice_in_the_place_of_a_variations_first_move_is_a_variation_like_it() -> None:
    """The format knows it no other way, and means the same."""
    nested = "game: blokus\nvariant: duo\n\n1.0@e10\n(\n2.0@e9\n(\n2.0@e10\n)\n)\n"
    written = "".join(write(tree.parse(nested)).split())
    assert written == "(;GM[BlokusDuo](;B[e10])(;B[e9,e10])(;B[e10,e11]))"


def test_a_record_is_read_whatever_stands_in_its_variations() -> None:
    assert read("(;GM[Blokus];1[a20](;2[t20])(;3[zz])").moves == ("1.0@a20", "1.0@t20")


@settings(max_examples=300, deadline=None)
@given(
    st.integers(0, len(GAME_OF_TWO)), st.integers(0, 9), st.text("()[];\\\n1B,a20Ω ", max_size=6)
)
def test_mutated_trees_are_read_or_refused(at: int, cut: int, new: str) -> None:
    text = GAME_OF_TWO[:at] + new + GAME_OF_TWO[at + cut :]
    try:
        found = games.read_tree(text)
    except BadNotation as error:
        assert "\n" not in str(error)
    else:
        assert tree.parse(str(found)) == found
