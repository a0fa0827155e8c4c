"""Discovery for terminals: the field, then the tiles in hand, some in a line."""

from tegel.cells import bits
from tegel.games.tantrix.discovery.rules import State
from tegel.games.tantrix.terminal import row, table
from tegel.picture.styled import StyledText, joined


def text(state: State, _: str = "en") -> StyledText:
    tiles, some = list(bits(state.left)), 8
    lines = [row(tiles[first : first + some]) for first in range(0, len(tiles), some)]
    parts = (
        [table(state.field, state.last.cell if state.last else None)] if state.field.laid else []
    )
    return joined("\n\n", [*parts, *lines], wraps=False)
