"""Pictures for terminals."""

from collections.abc import Sequence

from rich.style import Style
from rich.text import Text

from tegel.lattice import HEXAGON, Cell, bounds
from tegel.picture import Mark, Picture, Plane


def text(picture: Picture) -> Text:
    """A picture for a terminal: planes of squares that have wells as boards, whatever else
    as lists of their marks. Colours come from rich; without them letters remain."""
    lines: list[Text] = []
    for plane in picture.planes:
        marks = [mark for mark in picture.marks if mark.plane == plane.name]
        if plane.wells and plane.lattice is not HEXAGON:
            lines += _board(picture, plane, marks)
        elif plane.title or plane.note or any(_name(picture, mark) for mark in marks):
            lines.append(_list(picture, plane, marks))
        lines += [Text(f"    {words} {figure}", style="dim") for words, figure in plane.lines]
    return Text("\n").join(lines)


def _board(picture: Picture, plane: Plane, marks: Sequence[Mark]) -> list[Text]:
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
        line = Text(f"{r + 1:>3} " if plane.coordinates else " ")
        for c in columns:
            blank = "." if (c, r) in plane.wells else " "
            letter, joint, style = shown.get((c, r), (blank, " ", Style(dim=True)))
            line.append(letter, style)
            line.append(joint, style if joint != " " else None)
        lines.append(line)
    if plane.coordinates:
        lines.append(Text("    " + " ".join(chr(97 + c) for c in columns), style="dim"))
    return lines


def _terminal(picture: Picture, mark: Mark) -> tuple[str, Style]:
    if not mark.colour:
        return _name(picture, mark)[:1] or "+", Style(dim=True)
    paint = picture.paint(mark.colour)
    if mark.role in ("dim", "ghost") or not _name(picture, mark):
        return "+", Style(color=paint.fill[1])
    style = Style(color="#000000", bgcolor=paint.fill[1], bold=mark.role == "last")
    return (paint.letter.lower() if mark.role == "last" else paint.letter), style


def blocks(cells: Sequence[Cell]) -> str:
    """A shape of squares as text, rows from the top."""
    _, _, right, top = bounds(cells)
    rows, columns = range(top, -1, -1), range(right + 1)
    return "\n".join("".join("##" if (c, r) in cells else "  " for c in columns) for r in rows)


def _list(picture: Picture, plane: Plane, marks: Sequence[Mark]) -> Text:
    style = Style(color=picture.paint(plane.colour).fill[1]) if plane.colour else Style()
    line = Text(("> " if plane.active else "  "), style="bold")
    line.append(f"{plane.title} {plane.note}".strip(), style + Style(bold=plane.active))
    names = [_name(picture, mark) for mark in marks if mark.role != "dim"]
    line.append("  " + " ".join(filter(None, names)), "dim")
    return line


def _name(picture: Picture, mark: Mark) -> str:
    return picture.sprites[mark.sprite].name if mark.sprite else ""
