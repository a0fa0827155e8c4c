"""What games say, in every language: each game's words lie beside its rules, by groups and keys.

Code speaks in keys; this is where they become sentences. `title` and `label` do it for
planes and marks, the page does the same with the same words. A game that brings no words
says its keys."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib import resources

from tegel.picture import Mark, Picture, Plane, Sprite

TILE = re.compile(r"\b([a-z]+)-(\w+)\b(?!\.)")  # blue-F, but not in a move: blue-F.3@k10


_PACKAGES: dict[str, str] = {}


def enter(game: str, package: str) -> None:
    """Say where a game's words and pages lie. Every game does so when it is found or made."""
    _PACKAGES.setdefault(game, package)


def package(game: str) -> str:
    """The package where a game's words and pages lie."""
    return _PACKAGES[game]


@cache
def languages(game: str) -> tuple[str, ...]:
    """The languages that a game has words in."""
    if game not in _PACKAGES:
        return ()
    files = [file.name for file in resources.files(package(game)).iterdir()]
    return tuple(sorted(file.split(".")[1] for file in files if file.startswith("words.")))


@cache
def words(game: str, language: str = "en") -> dict[str, dict[str, str]]:
    """A game's words in a language: variants, options, choices, colours, titles of planes,
    labels of marks, refusals, events, items and reasons, each by its key."""
    if not languages(game):
        return {}
    file = resources.files(package(game)) / f"words.{language}.json"
    found: dict[str, dict[str, str]] = json.loads(file.read_text("utf-8"))
    return found


def sentence(
    game: str, group: str, key: str, args: Mapping[str, object], language: str = "en"
) -> str:
    """What a game says about a refusal, an event or an item; arguments that are colours, or
    a list of them, and tiles that are called by a colour are said in that language too; `who`
    is the player whose `number` is among them, whom the page calls by name."""
    said = words(game, language)
    if not said:
        return f"{key.capitalize()}."
    spoken = {name: _spoken(str(v), said) for name, v in args.items()}
    if "number" in args and "seat" in said.get("planes", {}):
        spoken["who"] = said["planes"]["seat"].format(number=args["number"])
    text = said[group][key].format_map(spoken)
    return text[:1].upper() + text[1:]


def _spoken(value: str, said: Mapping[str, Mapping[str, str]]) -> str:
    def tile(found: re.Match[str]) -> str:
        colour, name = found.groups()
        if colour not in said["colours"]:
            return found[0]
        return said["marks"]["tile"].format(colour=said["colours"][colour], name=name)

    listed = ", ".join(said["colours"].get(part, part) for part in value.split(", "))
    return TILE.sub(tile, listed)


def title(plane: Plane, game: str, language: str = "en") -> str:
    """The title of a plane in words."""
    number = plane.seats[0] + 1 if plane.seats else ""
    args = {"colour": plane.colour, "number": number}
    return sentence(game, "planes", plane.title, args, language) if plane.title else ""


def label(mark: Mark, sprites: Mapping[str, Sprite], game: str, language: str = "en") -> str:
    """What a mark is, in words: by its label, else by the name of its sprite; nothing if it
    has neither."""
    said = words(game, language)
    name = mark.label or (sprites[mark.sprite].name if mark.sprite else "")
    if not said:
        return name
    colour = said["colours"].get(mark.colour.partition(".")[0], "")
    key = mark.label or (name if name in said["marks"] else "tile")
    return said["marks"][key].format(colour=colour, name=name).strip() if name else ""


def told(picture: Picture, game: str, language: str = "en") -> Picture:
    """A picture with its titles and labels in words."""
    return replace(
        picture,
        planes=tuple(replace(p, title=title(p, game, language)) for p in picture.planes),
        marks=tuple(
            m._replace(label=label(m, picture.sprites, game, language)) for m in picture.marks
        ),
    )
