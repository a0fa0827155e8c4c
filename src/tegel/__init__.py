"""Tegel: play, study and solve Blokus, Forma, Tantrix and Imago.

>>> import tegel
>>> game = tegel.load("blokus")
>>> state = game.start("duo")
>>> state = state.play(game.parse("F.0@d9"))
>>> state.scores
(-84, -89)
>>> bot = tegel.bot(3, seed=1)
>>> bot(state) in state.moves()
True

This is all that most programs need; the rest lies one level below, in the packages that the
reference names. What needs more than the rules is imported when it is first asked for.
"""

import sys
from importlib import import_module
from typing import TYPE_CHECKING

# Whatever part is imported, the games are found, and so are their words.
from tegel import games
from tegel.game import CHANCE, BadNotation, Game, IllegalMove, Move, Outcome, State, game_of
from tegel.games import BadRecord, final, load, position, replay
from tegel.record import Record

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from tegel.easy import analyse, bot, match, read, solve

__all__ = [
    "CHANCE", "BadNotation", "BadRecord", "Game", "IllegalMove", "Move", "Outcome", "Record",
    "State", "analyse", "bot", "final", "game_of", "games", "load", "match", "position", "read",
    "replay", "solve",
]  # fmt: skip
_LATER = {"analyse", "bot", "match", "read", "solve"}


if TYPE_CHECKING:
    __version__: str
else:

    def __getattr__(name: str) -> object:
        if name == "__version__":
            return import_module("importlib.metadata").version("tegel")
        if name in _LATER:
            return getattr(import_module("tegel.easy"), name)
        raise AttributeError(f"module 'tegel' has no attribute {name!r}")


def load_ipython_extension(shell: "InteractiveShell") -> None:
    """Show records, puzzles and matches in notebooks: done by itself where IPython runs."""
    import_module("tegel.notebook").register(shell)


def __dir__() -> list[str]:
    return sorted([*globals(), *_LATER, "__version__"])


if "IPython" in sys.modules and (_shell := sys.modules["IPython"].get_ipython()):
    load_ipython_extension(_shell)
