"""What sheets say besides what games say, in every language."""

from tegel.words import enter, words

NAME = "sheets"
enter(NAME, "tegel.sheets")


def say(language: str, key: str, **args: object) -> str:
    """A sentence in a language; raises KeyError for a key that is none."""
    return words(NAME, language)[NAME][key].format_map(args)
