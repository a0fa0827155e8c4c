"""The first minute, as the games tell it: what their cards start, and what their guides play."""

import re
from importlib import resources

import pytest

from browser import LANGUAGES
from tegel import games, record
from tegel.games.forma import GAME as FORMA
from tegel.words import words

NEWCOMERS = {
    "blokus": ("duo", {}),
    "forma": ("two", {"layout": "random", "assist": "on"}),
    "imago": ("imago", {}),
    "tantrix": ("two", {}),
}
"""What the card of a game starts first."""


@pytest.mark.parametrize("name", games.names())
def test_a_card_starts_tables_that_there_are_and_says_so_in_five_languages(name: str) -> None:
    game = games.load(name)
    assert (game.card[0].variant, dict(game.card[0].options)) == NEWCOMERS[name]
    for start in game.card:
        assert game.start(start.variant, **start.options)
        assert start.level in (1, 2), "an opponent one can beat comes first"
    keys = {start.key for start in game.card}
    assert len(keys) == len(game.card)
    for language in LANGUAGES:
        said = words(name, language)
        assert set(said["starts"]) == set(said["abouts"]) == keys
        assert sum(map(len, said["starts"].values())) <= 26, "they stand in one row"


def test_a_card_leaves_the_other_defaults_alone() -> None:
    """Records, the command line and the ladder begin with the first variant, as ever."""
    first = {name: next(iter(games.load(name).variants)) for name in games.names()}
    assert first == {"blokus": "classic", "forma": "two", "imago": "imago", "tantrix": "two"}
    assert games.load("forma").quick == {"layout": "random"}
    assert FORMA.start().rules.assist == "off"


@pytest.mark.parametrize("name", games.names())
def test_a_guide_plays_what_the_card_starts(name: str) -> None:
    text = (resources.files(f"tegel.games.{name}") / "guide.txt").read_text("utf-8")
    guide, start = record.parse(text), games.load(name).card[0]
    assert guide.variant == start.variant
    chosen = {**start.options, "layout": ""}
    assert {**guide.options, "layout": ""} == chosen, "but for where things stand"


@pytest.mark.parametrize("name", games.names())
def test_every_start_has_a_picture_of_its_own_variant(name: str) -> None:
    folder = resources.files(f"tegel.games.{name}") / "pictures"
    seen = set()
    for start in games.load(name).card:
        text = (folder / f"front-{start.key}.txt").read_text("utf-8")
        found = games.read(text)
        assert found.variant == start.variant
        assert found.options.get("assist") == start.options.get("assist")
        seen.add(found.moves)
    assert len(seen) == len(games.load(name).card)


def test_a_claimed_image_is_nowhere_said_to_be_safe() -> None:
    """I6: the opponent may capture it; and a stock is no mirror image."""
    wrong = ("yours alone", "alleen van jou", "à vous.", "dir allein", "solo tua", "soltanto tu")
    for language in LANGUAGES:
        folder = resources.files("tegel.games.imago")
        page = games.page("imago", language)
        guide = (folder / f"guide.{language}.json").read_text("utf-8")
        assert not [text for text in wrong if text in page + guide], language
        about = words("imago", language)["game"]["about"].lower()
        assert not re.search("mirror|spiegel|miroir|specchi", about), about
