"""Handles: names that one player has and nobody else, nor anything that looks alike.

A handle has 2 to 20 letters of one **script**, digits, and hyphens in between. Two that look
alike are **folded** to the same text, which is unique (see `room.lookalikes`). What is shown is
the handle as it was written, after an `@` that no guest's name begins with.

Handles kept before the present table of lookalikes stay with their owners. Of those that it folds
to the same text, all but the oldest are stored **apart**, by how they are written."""

import re
import unicodedata

from tegel.room.lookalikes import SCRIPTS, folded
from tegel.room.refused import Refused
from tegel.room.setup import KEPT

SHORTEST, LONGEST = 2, 20  # characters

_OF = {script: re.compile(f"[{letters}]+") for script, letters in SCRIPTS.items()}

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


_RESERVED = frozenset(map(folded, RESERVED))
