"""Sheets: games printed at true scale, to cut out and play with on a real table.

What there is to print a game says itself (`Game.material`); nothing here knows one by name.

- `path`: paths as lines and curves; `ink`: pictures on a page; `paper`: sizes, margins, pages;
- `boards` over several sheets; `pieces` with their backs; `lists` to tick off; `whole`: small
  puzzles on one sheet, and solutions;
- `text`: running text in columns; `first`: the first page; `book`: the rules; `said`: our words;
- `printed`: all of it, put together.

All but this file and `said` need ReportLab, which comes with the extra `print`."""

from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, TypeVar

from tegel.game import BadNotation, Game, Material, State
from tegel.words import languages, words

M = TypeVar("M")
S = TypeVar("S", bound=State[Any])

AVAILABLE = find_spec("reportlab") is not None
MISSING = "printing needs ReportLab: pip install 'tegel[print]'"
SMALLEST, LARGEST = 5.0, 100.0  # millimetres of a cell


@dataclass(frozen=True)
class Wish:
    """How somebody wants a game printed."""

    paper: str = "a4"
    language: str = "en"
    cell: float = 0.0  # millimetres; 0: as the game has it
    mono: bool = False  # black and white, with patterns
    sides: int = 2  # 1: no backs


def sheets(game: Game[M, S], state: S, wish: Wish) -> bytes:
    """A game as it stands at its beginning, as a PDF; raises BadNotation for what can't be."""
    material = game.material(state) if game.material else None
    if material is None:
        raise BadNotation(game.name, "has nothing to print")
    if wish.language not in languages(game.name):
        known = ", ".join(languages(game.name)) or "none"
        raise BadNotation(
            wish.language, f"{game.name} has no words in that language, but in {known}"
        )
    if wish.cell and not SMALLEST <= wish.cell <= LARGEST:
        raise BadNotation(f"{wish.cell:g}", f"a cell has {SMALLEST:g} to {LARGEST:g} millimetres")
    if not AVAILABLE:
        raise BadNotation("print", MISSING)
    from tegel.sheets.printed import printed

    return printed(game, state, material, wish)


def kinds(game: Game[M, S]) -> list[tuple[str, ...]]:
    """The variants of a game, together those that are played with the same material; none if
    there is nothing to print. Every puzzle is a kind of its own."""
    found: list[tuple[Material | None, list[str]]] = []
    if game.material is None:
        return []
    for variant in game.variants:
        material = None if game.solo else game.material(game.start(variant))
        same = next((names for other, names in found if material and other == material), None)
        if same is None:
            found.append((material, [variant]))
        else:
            same.append(variant)
    return [tuple(names) for _, names in found]


def called(game: Game[M, S], state: S, language: str) -> str:
    """What is printed: the variants that the same material serves, or a puzzle by its name."""
    variants, rules = words(game.name, language)["variants"], state.rules
    if game.solo is None:
        alike = next(kind for kind in kinds(game) if rules.variant in kind)
        return " \N{MIDDLE DOT} ".join(variants[key] for key in alike)
    chosen = {key: getattr(rules, key) for key in game.options_of(rules.variant)}
    title = game.solo.title(rules.variant, chosen)
    name = title.own or variants[title.name].format(count=rules.variant)
    return f"{name} \N{MIDDLE DOT} {title.day}" if title.day else name
