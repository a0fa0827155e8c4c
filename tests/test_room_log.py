"""The log of a room as text: what is written is read back, in the words of every edition."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tegel.game import BadNotation
from tegel.room import log

words = st.text(st.characters(categories=["L", "N", "P"]), min_size=1, max_size=20)
names = st.lists(words, min_size=1, max_size=3).map(" ".join)
numbers = st.integers(0, 10**6)
events = st.one_of(
    st.builds(log.Sit, numbers, words),
    st.builds(log.Sit, numbers, words, names),
    st.builds(log.From, numbers, words),
    st.builds(log.From, numbers, words, st.just("named")),
    st.builds(log.Bot, numbers, numbers),
    *(
        st.builds(kind, numbers)
        for kind in (
            log.Resign, log.Flag, log.Absent, log.NoShow, log.Agree, log.Refuse, log.Takeback,
            log.Look, log.Away, log.Hint,
        )
    ),
    st.builds(log.Ask, numbers, numbers),
    st.builds(log.Rematch, words),
    st.builds(log.Reveal, numbers, numbers, st.lists(words, max_size=5).map(tuple)),
)  # fmt: skip


@given(events)
def test_parse_and_str_are_inverse(event: log.Event) -> None:
    assert log.parse(str(event)) == event
    assert log.Row(3, 0, str(event)).event == event


def test_every_kind_is_tried() -> None:
    assert len({type(event) for event in WRITTEN.values()}) == len(log._KINDS)


WRITTEN = {
    "!sit 1 p3fk Ann de Vries": log.Sit(1, "p3fk", "Ann de Vries"),  # as the first edition did
    "!sit 0 p3fk": log.Sit(0, "p3fk"),
    "!from 0 a-9": log.From(0, "a-9"),
    "!from 1 a-9 named": log.From(1, "a-9", "named"),
    "!bot 2 4": log.Bot(2, 4),
    "!resign 1": log.Resign(1),
    "!flag 0": log.Flag(0),
    "!noshow 1": log.NoShow(1),
    "!absent 0": log.Absent(0),
    "!ask 0 10": log.Ask(0, 10),
    "!agree 1": log.Agree(1),
    "!refuse 1": log.Refuse(1),
    "!takeback 10": log.Takeback(10),
    "!rematch abcdefgh": log.Rematch("abcdefgh"),
    "!look 0": log.Look(0),
    "!away 0": log.Away(0),
    "!hint 0": log.Hint(0),
    "!reveal 0 3 F.0@a1 lift@a1": log.Reveal(0, 3, ("F.0@a1", "lift@a1")),
}


@pytest.mark.parametrize("text", WRITTEN)
def test_rows_stay_readable(text: str) -> None:
    """These texts stand in databases: they mean this for ever."""
    assert log.parse(text) == WRITTEN[text]
    assert str(WRITTEN[text]) == text


@pytest.mark.parametrize(
    "text", ["", "!", "F.0@a1", "!dance 1", "!sit", "!sit x p", "!flag -1", "!flag ²", "!ask 0"]
)
def test_what_is_no_event_is_refused(text: str) -> None:
    with pytest.raises(BadNotation):
        log.parse(text)


@given(events)
def test_a_redacted_row_says_the_same_without_the_name(event: log.Event) -> None:
    told = log.parse(log.redacted(str(event)))
    if isinstance(event, log.Sit):
        assert told == log.Sit(event.seat, event.player)
    else:
        assert told == event
