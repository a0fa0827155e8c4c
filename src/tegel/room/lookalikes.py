# ruff: noqa: RUF001, RUF002 -- letters that look like others are what this is about
"""Which names look alike: `folded` gives the same text for all of them.

Unicode's table of confusable characters (UTS #39), as far as handles have them, is the file
`lookalikes.txt`, which `tests/confusables.py` makes. `OWN` adds what a reader at a table may be
misled by besides. What is folded is stored: whoever changes either also writes a migration."""

import re
import unicodedata
from functools import cache
from importlib import resources

SCRIPTS = {
    "LATIN": (
        "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u0137\u0139-\u013e\u0141-\u0148\u014a-\u017e"
        "ƏəƠơƯưƁɓƊɗƘƙƳƴƆɔƐɛƉɖƑƒƔɣƲʋ"  # Azerbaijani, Vietnamese, Hausa, Ewe
        "\u01cd-\u01dc\u01de-\u01e3\u01e6-\u01f0\u01f4\u01f5\u01f8-\u021b\u021e\u021f\u0226-\u0233"
        "\u1e00-\u1e99\u1e9e\u1ea0-\u1ef9"
    ),
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
EARLIER = "\u00aa-\u01bf\u01c4-\u024f\u1e00-\u1eff"
"""The Latin letters beyond A to Z that a handle could have before this table."""
_IN_HANDLES = re.compile(f"[0-9{EARLIER}{''.join(SCRIPTS.values())}]")
_ACCENTS = re.compile("[\u0300-\u036f]")
OWN = {
    # Cyrillic
    "а": "a", "в": "b", "с": "c", "ԁ": "d", "е": "e", "һ": "h", "н": "h", "і": "l", "ј": "j",
    "к": "k", "ӏ": "l", "м": "m", "п": "n", "о": "o", "р": "p", "ԛ": "q", "г": "r", "ѕ": "s",
    "т": "t", "ц": "u", "ѵ": "v", "ԝ": "w", "х": "x", "у": "y", "ү": "y", "ѡ": "w", "ь": "b",
    "з": "3", "ӡ": "3", "ф": "φ", "л": "λ", "д": "δ", "ӕ": "ae", "б": "b", "ю": "lo", "ҙ": "3",
    "ң": "h", "ӈ": "h", "ӊ": "h", "ҭ": "t", "ҳ": "x", "ӎ": "m", "ԍ": "g",
    # Greek
    "α": "a", "β": "b", "ε": "e", "η": "n", "ι": "l", "κ": "k", "ν": "v", "ο": "o", "ρ": "p",
    "σ": "o", "τ": "t", "υ": "u", "χ": "x", "γ": "y", "ω": "w", "μ": "u", "π": "n", "ζ": "z",
    # Armenian, Hebrew, Arabic
    "օ": "o", "ս": "u", "հ": "h", "ո": "n", "ց": "g", "զ": "q", "լ": "l", "ա": "w", "տ": "s",
    "փ": "φ", "ו": "l", "ן": "l", "ס": "o", "ا": "l", "ه": "o", "ہ": "o", "ە": "o", "ؽ": "ى",
    # Japanese
    "べ": "ベ", "ぺ": "ペ",
    # Latin, and digits
    "ı": "l", "i": "l", "1": "l", "ł": "l", "0": "o", "ø": "o", "đ": "d", "ð": "d", "ħ": "h",
    "ŧ": "t", "þ": "p", "ŋ": "n", "æ": "ae", "œ": "oe", "ƙ": "k", "ɓ": "b", "ƈ": "c", "ƒ": "f",
    "ǝ": "e", "ə": "e", "ƨ": "s", "ƽ": "s", "ƿ": "p", "ʒ": "3", "ƶ": "z", "ƴ": "y", "ĸ": "k",
    "ƅ": "b", "ȷ": "j", "ɛ": "e", "ȝ": "3", "ʌ": "λ",
}  # fmt: skip
"""Small letters that are drawn like others, as far as a reader at a table may be misled."""

PAIRS = (("rn", "m"), ("vv", "w"), ("cl", "d"))


def bare(text: str) -> str:
    """A text without the marks above, below and across its letters."""
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFKD", text)))


def is_in_handles(char: str) -> bool:
    """Whether a handle has such a character, or may have had it before there was this table."""
    return bool(_IN_HANDLES.fullmatch(char))


def folded(handle: str) -> str:
    """What is the same in all handles that look alike: case, accents, hyphens and letters that are
    drawn alike (a zero and an O, a Cyrillic and a Latin a) make no difference.

    >>> folded("Ann-0") == folded("ÀNNO") == folded("аnn-o")
    True
    """
    text = bare(unicodedata.normalize("NFKC", handle)).replace("-", "")
    alike = "".join(_folded(char) for char in text)
    for pair, one in PAIRS:
        alike = alike.replace(pair, one)
    return alike


def apart(handle: str) -> str:
    """What stands for a handle that was kept before one that looks alike was forbidden: no other
    handle is folded to it.

    >>> apart("Clan")
    '~clan'
    """
    return "~" + unicodedata.normalize("NFKC", handle).casefold()


@cache
def _folded(char: str) -> str:
    """What a character is folded to. A capital that looks like a Latin one is folded as it looks:
    so of a Greek name in capitals and one in small letters both may be there."""
    table, small = _table(), bare(char.casefold())
    if char in OWN:
        next = OWN[char]
    elif char in table and (table[char].isascii() or small == char):
        next = table[char]
    else:
        next = small
    return char if next == char else "".join(map(_folded, next))


@cache
def _table() -> dict[str, str]:
    """What Unicode's confusables are folded to."""
    text = resources.files("tegel.room").joinpath("lookalikes.txt").read_text("utf-8")
    lines = [line.split() for line in text.splitlines() if not line.startswith("#")]
    return {char: first for first, chars in lines for char in chars}
