# ruff: noqa: RUF001 -- letters that look like others are what this is about
"""Handles: who may be called what, so that nobody is taken for another."""

import random

import pytest

from tegel.room.refused import Refused
from tegel.server.people.handles import LONGEST, RESERVED, folded, handle


@pytest.mark.parametrize(
    "wish",
    ["Ann", "ann-de-vries", "R2D2", "Zoë", "Müller", "Łukasz", "Сара", "Νίκη", "Ալիսա", "דוד",
     "محمد", "रवि", "สมชาย", "さくら", "タロウ", "王小明", "김민준", "x" * LONGEST],
)  # fmt: skip
def test_a_name_in_any_script_in_use_is_a_handle(wish: str) -> None:
    assert handle(wish) == wish


def test_a_handle_is_written_in_one_way() -> None:
    assert handle(" @Ann ") == "Ann"
    assert handle("Zoe\N{COMBINING DIAERESIS}") == "Zoë"
    assert handle("\N{FULLWIDTH LATIN CAPITAL LETTER A}nn") == "Ann"


@pytest.mark.parametrize(
    ("wish", "why"),
    [("", "length"), ("a", "length"), ("x" * 21, "length"),
     ("Ann\N{GRINNING FACE}", "letters"), ("\N{GRINNING FACE}" * 3, "letters"),
     ("An\N{ZERO WIDTH SPACE}n", "letters"), ("An\N{ZERO WIDTH JOINER}n", "letters"),
     ("An\N{SOFT HYPHEN}n", "letters"), ("An\N{RIGHT-TO-LEFT OVERRIDE}n", "letters"),
     ("Ann\N{VARIATION SELECTOR-16}", "letters"), ("An n", "letters"), ("An_n", "letters"),
     ("An.n", "letters"), ("A\nnn", "letters"), ("<b>", "letters"), ("A\N{NULL}n", "letters"),
     ("\N{LATIN LETTER SMALL CAPITAL A}nn", "letters"),
     ("Ann\N{LATIN LETTER RETROFLEX CLICK}", "letters"),
     ("x" + "\N{COMBINING TILDE}" * 9, "letters"), ("रिििव", "letters"), ("िरव", "letters"),
     ("12", "digits"), ("1-2", "digits"),
     ("Аnn", "scripts"), ("Annα", "scripts"), ("Ann王", "scripts"), ("김王", "scripts"),
     ("-Ann", "hyphens"), ("Ann-", "hyphens"), ("An--n", "hyphens"),
     ("tegel", "reserved"), ("TEGEL", "reserved"), ("Tegel-4", "reserved"),
     ("t-e-g-e-1", "reserved"),
     ("adm1n", "reserved"), ("H0st", "reserved"), ("ноѕт", "reserved")],
)  # fmt: skip
def test_what_is_no_handle_is_refused_in_a_sentence(wish: str, why: str) -> None:
    with pytest.raises(Refused) as refused:
        handle(wish)
    assert refused.value.code == why
    assert refused.value.text.endswith(".")


def test_nobody_is_called_like_the_house() -> None:
    for word in RESERVED:
        with pytest.raises(Refused):
            handle(word)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ann", "ANN"), ("Ann", "Änn"), ("Bob", "B0b"), ("Bill", "Biil"), ("Bill", "B1ll"),
     ("Capa", "Сара"), ("Hot", "ΗΟΤ"), ("Hop", "нор"), ("Marna", "Mama"), ("Vvim", "Wim"),
     ("Straße", "STRASSE"), ("Lukasz", "Łukasz"), ("Ole", "Øle"), ("ハロー", "八口一")],
)  # fmt: skip
def test_what_looks_alike_is_folded_to_one(one: str, other: str) -> None:
    assert folded(one) == folded(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ann", "Anna"), ("Clara", "Dara"), ("Hot", "Not"), ("Ann", "Аня"), ("さくら", "ざくら"),
     ("김민준", "김민정"), ("रवि", "रव"), ("Tom", "Tim")],
)  # fmt: skip
def test_what_looks_different_stays_so(one: str, other: str) -> None:
    assert folded(one) != folded(other)


def test_a_folded_handle_fits_its_column(rng: random.Random, soak: bool) -> None:
    """PostgreSQL holds 80 characters of it."""
    for char in map(chr, range(0x20 + rng.randrange(5), 0x30000, 1 if soak else 5)):
        try:
            wish = handle(char * LONGEST)
        except (Refused, ValueError):
            continue
        assert len(folded(wish)) <= 80, char
