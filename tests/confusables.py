"""The table of letters that look alike, made from Unicode's confusables (UTS #39) as the package
`confusable-homoglyphs` brings them. The server does not need the package: it reads our table.

    python tests/confusables.py > src/tegel/room/lookalikes.txt

Handles are compared by what this table makes of them, and that is stored. So a new table needs a
migration that folds stored handles again, as 0014 does."""

import sys
import unicodedata
from collections import defaultdict
from collections.abc import Iterator

from confusable_homoglyphs.confusables import confusables_data

from tegel.room.lookalikes import bare, is_in_handles

LEFT_TO_RIGHT = "\u200e"  # a mark that the data puts around what is written from the right
HEAD = """\
# Characters of handles that look alike, made by tests/confusables.py from Unicode's confusables.
# On each line: what they are folded to, then all that are.
"""


def alike() -> Iterator[set[str]]:
    """Sets of texts that look alike. What NFKC changes is left out: no handle has it."""
    of: dict[str, set[str]] = {}
    for one, others in confusables_data.items():
        for other in others:
            pair = {text.replace(LEFT_TO_RIGHT, "") for text in (one, other["c"])}
            if all(_is_plain(text) for text in pair):
                together = set().union(*(of.get(text, {text}) for text in pair))
                of.update(dict.fromkeys(together, together))
    return (found for one, found in of.items() if one == min(found))


def _is_plain(text: str) -> bool:
    return unicodedata.is_normalized("NFKC", unicodedata.normalize("NFC", text))


def lines() -> Iterator[tuple[str, str]]:
    """What characters are folded to, and the characters. Marks above and across letters are left
    out, as `folded` does."""
    folded: dict[str, set[str]] = defaultdict(set)
    for group in alike():
        texts = {bare(text) for text in group}
        texts = {text for text in texts if text and all(map(is_in_handles, text))}
        chars = {c for c in group if len(c) == 1 and is_in_handles(c) and len(bare(c)) == 1}
        if len(texts) > 1 or texts - chars:
            first = min(texts, key=_rank)
            folded[first] |= {bare(char) for char in chars if bare(char) == char} - {first}
    return ((first, "".join(sorted(chars))) for first, chars in sorted(folded.items()) if chars)


def _rank(text: str) -> tuple[bool, bool, int, str]:
    """Latin letters come first, and small ones before capitals and digits; of others, what is
    written with several characters: each single one can be folded to those."""
    if text.isascii():
        return False, not text.islower(), len(text), text
    return True, False, -len(text), text


def table() -> str:
    return HEAD + "".join(f"{first} {chars}\n" for first, chars in lines())


if __name__ == "__main__":
    sys.stdout.write(table())
