# ruff: noqa: RUF001 -- letters that look like others are what this is about
"""Handles: who may be called what, so that nobody is taken for another."""

import random
from pathlib import Path

import pytest

import confusables
import tegel
from tegel.place.accounts.handles import LONGEST, RESERVED, handle
from tegel.room.lookalikes import bare, folded
from tegel.room.refused import Refused
from tegel.room.setup import KEPT, cleaned, guest_name


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
     ("A\N{LATIN CAPITAL LETTER IOTA}ice", "letters"),
     ("Bo\N{LATIN SMALL LETTER TONE SIX}", "letters"),
     ("\N{LATIN SMALL LETTER DOTLESS J}im", "letters"),
     ("\N{LATIN SMALL LETTER L WITH BAR}ea", "letters"),
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
     ("Straße", "STRASSE"), ("Lukasz", "Łukasz"), ("Ole", "Øle"), ("ハロー", "八口一"),
     ("Alice", "AƖice"), ("Bob", "Boƅ"), ("GABE", "ԌАВЕ"), ("jim", "ȷim"), ("lea", "ƚea"),
     ("dan", "clan"), ("Dara", "Clara"), ("Ann7", "Ann-7"), ("gabe", "ԍаве"), ("आशा", "अाशा")],
)  # fmt: skip
def test_what_looks_alike_is_folded_to_one(one: str, other: str) -> None:
    assert folded(one) == folded(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ann", "Anna"), ("Hot", "Not"), ("Ann", "Аня"), ("さくら", "ざくら"),
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


LOOKS = [*map(chr, range(0x20, 0x30000))]
GREEK = {*"ΗΜΝΥ"}  # their small letters look like other Latin ones than they do


def permitted(char: str) -> bool:
    try:
        handle("x" + char if char.isdigit() else char * 2)
    except Refused as refused:
        return refused.code in ("reserved", "digits")
    return True


def test_case_makes_no_difference() -> None:
    for char in filter(permitted, LOOKS):
        if len(tall := char.upper()) == 1 and bare(tall) not in GREEK:
            assert folded(char) == folded(tall), char


def test_what_unicode_calls_confusable_is_folded_to_one() -> None:
    """The table is what its script makes of Unicode's data; and that does what it should."""
    file = Path(tegel.__file__).parent / "room/lookalikes.txt"
    assert file.read_text("utf-8") == confusables.table(), "see tests/confusables.py"
    but = {"б", "ß", "Г", "Ғ"}  # the first three are like their other case; the last is like Г
    may = {char for char in LOOKS if permitted(char)}
    for group in confusables.alike():
        texts = {bare(text) for text in group} - but
        assert len({folded(text) for text in texts if text and may.issuperset(text)}) < 2, texts


# Guests


@pytest.mark.parametrize(
    "name",
    ["@Alice", " @ @Alice", "\N{FULLWIDTH COMMERCIAL AT}Alice", "\N{SMALL COMMERCIAL AT}Alice",
     "\N{VARIATION SELECTOR-16}@Alice", "\N{COMBINING GRAPHEME JOINER}@Alice",
     "\N{MONGOLIAN FREE VARIATION SELECTOR ONE}@Alice", "\N{HANGUL FILLER}@Alice",
     "\N{BRAILLE PATTERN BLANK}@Alice", "\N{ZERO WIDTH SPACE}@Alice", "\N{TAG COMMERCIAL AT}@Alice",
     "\N{HALFWIDTH HANGUL FILLER}\N{FULLWIDTH COMMERCIAL AT}Alice", "\N{WORD JOINER}@Alice",
     "\N{COMBINING ACUTE ACCENT}@Alice", "@\N{COMBINING ACUTE ACCENT}Alice",
     "\N{RIGHT-TO-LEFT OVERRIDE}@Alice", "\N{OBJECT REPLACEMENT CHARACTER}@Alice",
     "\N{COPYRIGHT SIGN}@Alice", "\N{NEGATIVE CIRCLED LATIN CAPITAL LETTER A}Alice"],
)  # fmt: skip
def test_no_guest_is_shown_as_who_keeps_a_name(name: str) -> None:
    assert guest_name(name) == "Alice"


def test_a_letter_in_a_circle_is_a_letter() -> None:
    assert guest_name("a\N{COMBINING ENCLOSING CIRCLE}Alice") == "aAlice"
    assert guest_name("\N{CIRCLED LATIN SMALL LETTER A}Alice") == "aAlice"


@pytest.mark.parametrize(
    "name", ["Ann de Vries", "Zoë", "王小明", "علی رضا", "\N{FOX FACE} Fox", "(Ann)", "Ann @ home"]
)
def test_a_guest_is_called_as_they_wish(name: str) -> None:
    assert guest_name(name) == name


def test_whatever_a_guest_wishes_stays_as_it_is_once_it_is_clean(rng: random.Random) -> None:
    for _ in range(2000):
        wish = "".join(map(chr, rng.choices([*range(0x20, 0xD800), *range(0xE000, 0x20000)], k=6)))
        name = guest_name(wish)
        assert guest_name(name) == name
        assert not name.startswith(KEPT)


def test_a_handle_is_shown_as_it_is() -> None:
    for wish in ("Ann-7", "Zoë", "रवि", "สมชาย", "김민준"):
        assert cleaned(KEPT + handle(wish)) == KEPT + wish
