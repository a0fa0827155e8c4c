"""Text in styles, as terminals show it: a position is drawn with it where there is no SVG.

`str` gives the characters alone. A console of rich prints the colours too: it asks any value for
`__rich__`, and only then is rich imported."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from rich.text import Text


class Style(NamedTuple):
    """How characters look; colours are written as in `#1a1f29`, and empty: the terminal's own."""

    color: str = ""
    background: str = ""
    bold: bool = False
    dim: bool = False
    reverse: bool = False


PLAIN = Style()
DIM = Style(dim=True)
BOLD = Style(bold=True)


class Span(NamedTuple):
    """Characters in one style."""

    text: str
    style: Style = PLAIN


@dataclass(frozen=True)
class StyledText:
    """Spans one after the other, with line breaks among them.

    >>> line = styled("F", BOLD) + styled(" . ")
    >>> str(line), len(line), str(line.rstrip())
    ('F . ', 4, 'F .')
    """

    spans: tuple[Span, ...] = ()
    wraps: bool = True  # whether lines may be broken where a terminal is narrow

    def __str__(self) -> str:
        return "".join(span.text for span in self.spans)

    def __len__(self) -> int:
        return sum(len(span.text) for span in self.spans)

    def __add__(self, other: "StyledText") -> "StyledText":
        return replace(self, spans=self.spans + other.spans)

    def padded(self, width: int) -> "StyledText":
        """The text with spaces at its end, so that it is at least so many characters long."""
        return self + styled(" " * (width - len(self)))

    def rstrip(self) -> "StyledText":
        """The text without the white space at its end."""
        spans = list(self.spans)
        while spans:
            text, style = spans.pop()
            if kept := text.rstrip():
                return replace(self, spans=(*spans, Span(kept, style)))
        return replace(self, spans=())

    def __rich__(self) -> "Text":
        from rich.style import Style as RichStyle
        from rich.text import Text

        found = Text()
        for text, style in self.spans:
            look = RichStyle(
                color=style.color or None,
                bgcolor=style.background or None,
                bold=style.bold or None,
                dim=style.dim or None,
                reverse=style.reverse or None,
            )
            found.append(text, look)
        return found


def styled(text: str, style: Style = PLAIN) -> StyledText:
    """A text in one style; nothing if it is empty."""
    return StyledText((Span(text, style),) if text else ())


def joined(separator: str, parts: Iterable[StyledText], *, wraps: bool = True) -> StyledText:
    """Texts one after the other, with a plain separator between them.

    >>> str(joined(", ", [styled("a"), styled("b")]))
    'a, b'
    """
    spans: list[Span] = []
    for number, part in enumerate(parts):
        if number and separator:
            spans.append(Span(separator))
        spans += part.spans
    return StyledText(tuple(spans), wraps)
