"""Text from outside that we can keep. A character of number 0, and half of a pair of surrogates,
can be said in JSON and in an address, but PostgreSQL holds neither, and UTF-8 only the first.
Whatever comes in is looked at here, once, before anything reads it."""

import re

from tegel.room.refused import Refused

UNKEPT = "A text holds a character that can't be kept: number 0, or half of a surrogate pair."


_UNKEPT = re.compile("[\0\ud800-\udfff]")


def kept(text: str) -> bool:
    """Whether a text can be stored and sent as it is."""
    return not _UNKEPT.search(text)


def checked(value: object) -> None:
    """Refuse a value, as JSON gives it, if a text in it can't be kept."""
    waiting = [value]
    while waiting:
        match waiting.pop():
            case str(text):
                if not kept(text):
                    raise Refused("invalid", UNKEPT)
            case dict() as pairs:
                waiting += [*pairs.keys(), *pairs.values()]
            case list() as parts:
                waiting += parts
