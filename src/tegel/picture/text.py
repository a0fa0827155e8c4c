"""Pictures for terminals."""

from collections.abc import Sequence

from tegel.lattice import HEXAGON, Cell, bounds
from tegel.picture import Mark, Picture, Plane
from tegel.picture.styled import BOLD, DIM, PLAIN, Span, Style, StyledText, joined, styled


def text(picture: Picture) -> StyledText:
    """A picture for a terminal: planes of squares that have wells as boards, whatever else
    as lists of their marks. Where nothing shows colours, letters remain."""
    lines: list[StyledText] = []
    for plane in picture.planes:
        marks = [mark for mark in picture.marks if mark.plane == plane.name]
        if plane.wells and plane.lattice is not HEXAGON:
            lines += _board(picture, plane, marks)
        elif plane.title or plane.note or any(_name(picture, mark) for mark in marks):
            lines.append(_list(picture, plane, marks))
        lines += [styled(f"    {words} {figure}", DIM) for words, figure in plane.lines]
    return joined("\n", lines)


def _board(picture: Picture, plane: Plane, marks: Sequence[Mark]) -> list[StyledText]:
    columns = sorted({c for c, _ in plane.wells})
    shown: dict[Cell, tuple[str, str, Style]] = {}  # the cell, what joins it to the next
    for mark in marks:
        if not mark.sprite:
            continue
        x, y = int(mark.cell[0]), int(mark.cell[1])
        covered = {(x + c, y + r) for c, r in picture.sprites[mark.sprite].cells}
        letter, style = _terminal(picture, mark)
        for c, r in covered:
            shown[c, r] = (letter, letter if (c + 1, r) in covered else " ", style)
    lines = []
    for r in sorted({row for _, row in plane.wells}, reverse=True):
        spans = [Span(f"{r + 1:>3} " if plane.coordinates else " ")]
        for c in columns:
            blank = "." if (c, r) in plane.wells else " "
            letter, joint, style = shown.get((c, r), (blank, " ", DIM))
            spans += Span(letter, style), Span(joint, style if joint != " " else PLAIN)
        lines.append(StyledText(tuple(spans)))
    if plane.coordinates:
        lines.append(styled("    " + " ".join(chr(97 + c) for c in columns), DIM))
    return lines


def _terminal(picture: Picture, mark: Mark) -> tuple[str, Style]:
    if not mark.colour:
        return _name(picture, mark)[:1] or "+", DIM
    paint = picture.paint(mark.colour)
    if mark.role in ("dim", "ghost") or not _name(picture, mark):
        return "+", Style(color=paint.fill[1])
    style = Style("#000000", paint.fill[1], bold=mark.role == "last")
    return (paint.letter.lower() if mark.role == "last" else paint.letter), style


def blocks(cells: Sequence[Cell]) -> str:
    """A shape of squares as text, rows from the top."""
    _, _, right, top = bounds(cells)
    rows, columns = range(top, -1, -1), range(right + 1)
    return "\n".join("".join("##" if (c, r) in cells else "  " for c in columns) for r in rows)


def _list(picture: Picture, plane: Plane, marks: Sequence[Mark]) -> StyledText:
    color = picture.paint(plane.colour).fill[1] if plane.colour else ""
    heading = f"{plane.title} {plane.note}".strip()
    names = [_name(picture, mark) for mark in marks if mark.role != "dim"]
    return (
        styled("> " if plane.active else "  ", BOLD)
        + styled(heading, Style(color, bold=plane.active))
        + styled("  " + " ".join(filter(None, names)), Style(bold=True, dim=True))
    )


def _name(picture: Picture, mark: Mark) -> str:
    return picture.sprites[mark.sprite].name if mark.sprite else ""
