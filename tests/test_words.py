"""Every game speaks five languages: whatever code can say has words in all of them, and no
picture shows a word of another language."""

import ast
import random
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tegel import games
from tegel.game import CHANCE, Game, State
from tegel.words import languages, package, sentence, words
from test_contract import TABLES, played
from test_imports import imports

LANGUAGES = ("de", "en", "fr", "it", "nl")
NAMES = games.every()
NOTATION = re.compile(r"[A-Z]?\d*")  # names of tiles: F, V5, 14
COGNATES = {"obstacle", "Obstacles", "orange", "plum", "Discovery {count}", "Duo", "Teams"}
"""What is the same in English and in another language, besides the names of the games."""
KEYS = {"illegal": ("refusals", 0), "Fault": ("refusals", 0), "IllegalMove": ("refusals", 1),
        "Broken": ("refusals", 0), "Event": ("events", 0), "Item": ("items", 1),
        "Outcome": ("reasons", 1)}  # fmt: skip
"""What is called with a key of the words: its group, and which argument is the key."""


def positions(
    name: str, variant: str, options: dict[str, str], rng: random.Random
) -> tuple[Game[Any, Any], list[State[Any]]]:
    """Some positions of a game, its first, and its last if it is a game and no puzzle."""
    game = games.load(name)
    state: State[Any] = game.start(variant, **options)
    if game.solo:
        states = [state]
        while len(states) < 6 and not states[-1].outcome:
            states.append(states[-1].play(rng.choice(states[-1].moves())))
        return game, states
    plies, last = played(game, state, rng)
    states = [state for state, _ in plies]
    return game, [states[0], *rng.sample(states, min(6, len(states))), last]


@pytest.mark.parametrize("name", NAMES)
def test_every_game_has_the_same_words_in_five_languages(name: str) -> None:
    assert languages(name) == LANGUAGES
    english = words(name)
    for language in LANGUAGES:
        other = words(name, language)
        assert {k: set(v) for k, v in other.items()} == {k: set(v) for k, v in english.items()}
        for group, entries in other.items():
            for key, text in entries.items():
                where = (language, group, key)
                assert fields(text) == fields(english[group][key]), where
                same = text == english[group][key] and re.search(r"[^\W\d]{3}", bare(text))
                known = text in (english["game"]["name"], *COGNATES)
                assert language == "en" or not same or known, where


def fields(text: str) -> set[str]:
    return set(re.findall(r"{(\w+)}", text))


def bare(text: str) -> str:
    return re.sub(r"{\w+}", " ", text)


@pytest.mark.parametrize("name", NAMES)
def test_every_key_in_the_code_has_words(name: str) -> None:
    said = words(name)
    # What stands below the games speaks in the keys of the game that uses it.
    below = {one for one in used(name) if not f"{one}.".startswith("tegel.games.")} - {"tegel"}
    speaking = [package(name), *below]
    found = [pair for one in speaking for tree in trees(one) for pair in keys(tree)]
    assert len(found) > 10
    missing = [(group, key) for group, key in found if key not in said[group]]
    assert not missing


@pytest.mark.parametrize("name", NAMES)
def test_no_words_are_left_over(name: str) -> None:
    literals = {
        node.value
        for one in {*used(name), package(name), "tegel"}
        for tree in trees(one)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    for group, entries in words(name).items():
        if group not in ("game", "variants", "options", "values", "setup"):
            assert set(entries) <= literals, (group, set(entries) - literals)


def used(name: str) -> set[str]:
    """The packages of ours whose modules the files of a game import."""
    folder = Path(str(import_module(package(name)).__file__)).parent
    modules = {module for file in folder.glob("*.py") for module in imports(file)}
    ours = {module for module in modules if module.startswith("tegel.")}
    packages = {module for module in ours if hasattr(import_module(module), "__path__")}
    return packages | {module.rpartition(".")[0] for module in ours}


def trees(package: str) -> Iterator[ast.Module]:
    folder = Path(str(import_module(package).__file__)).parent
    return (ast.parse(file.read_text("utf-8")) for file in folder.glob("*.py"))


def keys(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The keys that calls name outright, also as one of two: `Event("a" if x else "b")`."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name | ast.Attribute):
            continue
        called = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
        group, place = KEYS.get(called.lstrip("_"), ("", 0))
        if group and len(node.args) > place:
            key = node.args[place]
            for said in (key.body, key.orelse) if isinstance(key, ast.IfExp) else (key,):
                if isinstance(said, ast.Constant):
                    yield group, str(said.value)


def test_the_search_for_keys_can_fail() -> None:
    tree = ast.parse('Event("a" if x else "b")\nraise _illegal("c", cells)\nItem(0, "d", 1)')
    found = [("events", "a"), ("events", "b"), ("items", "d"), ("refusals", "c")]
    assert sorted(keys(tree)) == found


@pytest.mark.parametrize(("name", "variant", "options"), TABLES)
def test_whatever_is_seen_has_words(
    name: str, variant: str, options: dict[str, str], rng: random.Random
) -> None:
    """Titles of planes, labels and names of marks, choices, items, in all languages."""
    game, states = positions(name, variant, options, rng)
    for state in states:
        planes, marks = game.drawing.planes(state), game.drawing.marks(state)
        account, sprites = game.account(state), game.picture(state).sprites
        choices = () if state.turn == CHANCE or state.outcome else game.offer(state).choices
        for language in LANGUAGES:
            said = words(name, language)
            assert {plane.title for plane in planes} - {""} <= set(said["planes"])
            assert {mark.label for mark in marks} - {""} <= set(said["marks"])
            named = {sprites[mark.sprite].name for mark in marks if mark.sprite}
            assert {n for n in named if not NOTATION.fullmatch(n)} <= set(said["marks"])
            assert {choice.move.split("@")[0] for choice in choices} <= set(said.get("choices", ()))
            assert all(sentence(name, "items", i.key, i.args, language) for i in account)


@pytest.mark.parametrize(("name", "variant", "options"), TABLES)
def test_pictures_speak_one_language(
    name: str, variant: str, options: dict[str, str], rng: random.Random
) -> None:
    game, states = positions(name, variant, options, rng)
    for state in states[:: len(states) - 1]:
        for language in LANGUAGES:
            picture = game.picture(state, language)
            root = ElementTree.fromstring(picture.svg())
            drawn = " ".join(root.itertext()).replace(picture.name, " ")
            assert "{" not in drawn
            assert not vocabulary(drawn) & foreign(name, language)
            tiles = vocabulary(*(mark.tile for mark in picture.marks))  # there people type them
            text = str(game.text(state, language))
            assert not (vocabulary(text) & foreign(name, language)) - tiles


def foreign(name: str, language: str) -> set[str]:
    """Words that pictures of a game may show in other languages but not in this one."""
    spoken = {
        code: vocabulary(
            *(
                text
                for group in ("colours", "planes", "marks", "notes", "items")
                for text in words(name, code).get(group, {}).values()
            )
        )
        for code in LANGUAGES
    }
    return set().union(*spoken.values()) - spoken[language]


def vocabulary(*texts: str) -> set[str]:
    return {word for text in texts for word in re.findall(r"[^\W\d]{3,}", bare(text).lower())}


def test_colours_in_a_list_are_said_too() -> None:
    args = {"colours": "red, blue"}
    assert sentence("tantrix", "refusals", "choosing", args, "fr").endswith(": rouge, bleu.")


@pytest.mark.parametrize("name", NAMES)
def test_every_game_has_its_pages_in_five_languages(name: str) -> None:
    folder = Path(str(import_module(package(name)).__file__)).parent
    for language in LANGUAGES:
        pictures = re.findall(r"\((pictures/[\w-]+\.svg)\)", games.page(name, language))
        assert pictures == re.findall(r"\((pictures/[\w-]+\.svg)\)", games.page(name))
        assert (folder / f"guide.{language}.json").is_file() == (folder / "guide.txt").is_file()


def test_tiles_called_by_a_colour_are_said_too_but_not_in_moves() -> None:
    args = {"tile": "blue-F"}
    assert sentence("puzzle", "events", "placed", args, "fr").startswith("F bleu ")
    assert "blue-F.3@k10" in sentence("puzzle", "events", "hint", {"move": "blue-F.3@k10"}, "fr")
