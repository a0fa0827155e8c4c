"""What sheets say besides what games say, in every language."""

from tegel.words import enter, words

NAME = "sheets"
enter(NAME, "tegel.sheets")


def figure(language: str, value: float) -> str:
    """A number as people write it: with a comma, but for English.

    >>> figure("nl", 22.5), figure("en", 15.0)
    ('22,5', '15')
    """
    text = f"{value:g}"
    return text if language == "en" else text.replace(".", ",")


def say(language: str, key: str, **args: object) -> str:
    """A sentence in a language; raises KeyError for a key that is none."""
    return words(NAME, language)[NAME][key].format_map(args)
