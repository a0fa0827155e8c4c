"""Discovery for terminals: the field, then the tiles in hand, some in a line."""

from rich.text import Text

from tegel.cells import bits
from tegel.games.tantrix.discovery.rules import State
from tegel.games.tantrix.terminal import row, table


def text(state: State, _: str = "en") -> Text:
    tiles, some = list(bits(state.left)), 8
    lines = [row(tiles[first : first + some]) for first in range(0, len(tiles), some)]
    parts = (
        [table(state.field, state.last.cell if state.last else None)] if state.field.laid else []
    )
    return Text("\n\n", no_wrap=True, overflow="ignore").join([*parts, *lines])
