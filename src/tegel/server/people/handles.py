# ruff: noqa: RUF001, RUF002 -- letters that look like others are what this is about
"""Handles: names that one player has and nobody else, nor anything that looks alike.

A handle has 2 to 20 letters of one **script**, digits, and hyphens in between. Two that look
alike are **folded** to the same text, which is unique: case, accents and letters that are drawn
alike (a zero and an O, a Cyrillic and a Latin a) make no difference. What is shown is the handle
as it was written, after an `@` that no guest's name begins with."""

import re
import unicodedata

from tegel.room.refused import Refused
from tegel.room.setup import KEPT

SHORTEST, LONGEST = 2, 20  # characters

_SCRIPTS = {
    "LATIN": "A-Za-z\u00aa-\u01bf\u01c4-\u024f\u1e00-\u1eff",
    "GREEK": "\u0386-\u03ce",
    "CYRILLIC": "\u0400-\u045f\u0490-\u0511",
    "ARMENIAN": "\u0531-\u0556\u0561-\u0587",
    "GEORGIAN": "\u10d0-\u10f0",
    "HEBREW": "\u05d0-\u05ea",
    "ARABIC": "\u0620-\u063f\u0641-\u064a\u0671-\u06d3",
    "DEVANAGARI": "\u0901-\u0963",
    "BENGALI": "\u0981-\u09e3",
    "GURMUKHI": "\u0a01-\u0a74",
    "GUJARATI": "\u0a81-\u0ae3",
    "TAMIL": "\u0b82-\u0bd7",
    "TELUGU": "\u0c01-\u0c63",
    "KANNADA": "\u0c81-\u0ce3",
    "MALAYALAM": "\u0d01-\u0d63",
    "SINHALA": "\u0d81-\u0df3",
    "THAI": "\u0e01-\u0e4e",
    "ETHIOPIC": "\u1200-\u1357",
    "JAPANESE": "\u3005\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fff",
    "CHINESE": "\u4e00-\u9fff",
    "KOREAN": "\uac00-\ud7a3",
}
"""The letters of each script that are in common use, and their vowel signs; no phonetic ones, no
small capitals, no letters that are signs."""
_OF = {script: re.compile(f"[{letters}]+") for script, letters in _SCRIPTS.items()}

_ALIKE = {
    # Cyrillic
    "а": "a", "в": "b", "с": "c", "ԁ": "d", "е": "e", "һ": "h", "н": "h", "і": "l", "ј": "j",
    "к": "k", "ӏ": "l", "м": "m", "п": "n", "о": "o", "р": "p", "ԛ": "q", "г": "r", "ѕ": "s",
    "т": "t", "ц": "u", "ѵ": "v", "ԝ": "w", "х": "x", "у": "y", "ү": "y", "ѡ": "w", "ь": "b",
    "з": "3", "ӡ": "3", "ф": "φ", "л": "λ", "д": "δ", "ӕ": "ae",
    # Greek
    "α": "a", "β": "b", "ε": "e", "η": "n", "ι": "l", "κ": "k", "ν": "v", "ο": "o", "ρ": "p",
    "σ": "o", "τ": "t", "υ": "u", "χ": "x", "γ": "y", "ω": "w", "μ": "u", "π": "n", "ζ": "z",
    # Armenian, Hebrew, Arabic
    "օ": "o", "ս": "u", "հ": "h", "ո": "n", "ց": "g", "զ": "q", "լ": "l", "ա": "w", "ք": "p",
    "ו": "l", "ן": "l", "ס": "o", "ا": "l", "ه": "o", "ہ": "o", "ە": "o",
    "ی": "ي", "ى": "ي", "ک": "ك",
    # Japanese and Chinese
    "ー": "一", "ニ": "二", "ハ": "八", "カ": "力", "ロ": "口", "エ": "工", "タ": "夕", "ト": "卜",
    "へ": "ヘ", "べ": "ベ", "ぺ": "ペ",
    # Latin, and digits
    "ı": "l", "i": "l", "1": "l", "ł": "l", "0": "o", "ø": "o", "đ": "d", "ð": "d", "ħ": "h",
    "ŧ": "t", "þ": "p", "ŋ": "n", "æ": "ae", "œ": "oe", "ƙ": "k", "ɓ": "b", "ƈ": "c", "ƒ": "f",
    "ǝ": "e", "ə": "e", "ƨ": "s", "ƽ": "s", "ƿ": "p", "ʒ": "3", "ƶ": "z", "ƴ": "y", "ĸ": "k",
}  # fmt: skip
"""Small letters that are drawn like others, as far as a reader at a table may be misled."""
_TALL = str.maketrans("ΗΜΝΡΥΧ", "hmnpyx")
"""Greek capitals that look like other Latin letters than the small ones do: they are folded as
they look, so that of a Greek name in capitals and one in small letters both may be there."""
_PAIRS = (("rn", "m"), ("vv", "w"))
_ACCENTS = re.compile("[\u0300-\u036f]")
NOTHING_ELSE = "A name has letters, digits and hyphens, and nothing else."

RESERVED = frozenset(
    {
        "admin", "administrator", "anonymous", "api", "bot", "developer", "guest", "help", "host",
        "me", "mod", "moderator", "nobody", "null", "official", "operator", "owner", "player",
        "root", "security", "server", "staff", "support", "system", "team", "tegel", "undefined",
        "webmaster", "you",
    }
)  # fmt: skip


def handle(wish: str) -> str:
    """The handle that somebody wishes for, as it will be written; raises Refused."""
    text = unicodedata.normalize("NFKC", wish.strip().removeprefix(KEPT))
    if not SHORTEST <= len(text) <= LONGEST:
        raise Refused("length", f"A name has {SHORTEST} to {LONGEST} characters.")
    letters = re.sub("[-0-9]", "", text)
    if any(not (char.isalpha() or _is_sign(char)) for char in letters):
        raise Refused("letters", NOTHING_ELSE)
    if not letters:
        raise Refused("digits", "A name has at least one letter.")
    if not all(any(script.fullmatch(char) for script in _OF.values()) for char in letters):
        raise Refused("letters", NOTHING_ELSE)
    if not any(script.fullmatch(letters) for script in _OF.values()):
        raise Refused("scripts", "A name is written with the letters of one script.")
    if _is_stacked(letters):
        raise Refused("letters", NOTHING_ELSE)
    if text.startswith("-") or text.endswith("-") or "--" in text:
        raise Refused("hyphens", "A hyphen stands alone, between two characters.")
    if {folded(letters), folded(text.replace("-", ""))} & _RESERVED:
        raise Refused("reserved", "This name could be taken for another: choose a different one.")
    return text


def _is_sign(char: str) -> bool:
    return unicodedata.category(char).startswith("M")


def _is_stacked(letters: str) -> bool:
    """Whether signs stand on nothing, or more of them on each other than anybody writes."""
    signs = "".join("s" if _is_sign(char) else " " for char in letters)
    return signs.startswith("s") or "sss" in signs


def folded(handle: str) -> str:
    """What is the same in all handles that look alike.

    >>> folded("Ann-0") == folded("ÀNN-O") == folded("аnn-o")
    True
    """
    text = unicodedata.normalize("NFKC", handle).translate(_TALL).casefold()
    bare = _ACCENTS.sub("", unicodedata.normalize("NFKD", text))
    plain = unicodedata.normalize("NFC", bare)
    alike = "".join(_ALIKE.get(char, char) for char in plain)
    for pair, one in _PAIRS:
        alike = alike.replace(pair, one)
    return alike


_RESERVED = frozenset(map(folded, RESERVED))
