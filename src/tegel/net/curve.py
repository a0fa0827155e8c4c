"""Curves of a training: a row every few seconds in a CSV file, and a picture of it."""

import csv
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

WIDTH, HEIGHT, EDGE = 640, 320, 48
DRAWN = {"policy": "#c33", "win": "#36c", "owned": "#393"}  # column: colour


def add(path: Path, row: Mapping[str, float]) -> None:
    """Write a row at the end of a file; a new file gets a heading."""
    new = not path.exists()
    with path.open("a", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(row))
        if new:
            writer.writeheader()
        writer.writerow({name: f"{value:.6g}" for name, value in row.items()})


def rows(path: Path) -> list[dict[str, float]]:
    """The rows of a file, but for what a full disk or a sudden end left of one."""
    if not path.exists():
        return []
    found = []
    with path.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            with suppress(TypeError, ValueError):
                found.append({name: float(value) for name, value in row.items()})
    return found


def svg(rows: Sequence[Mapping[str, float]]) -> str:
    """The losses over the minutes, as a picture."""
    most = max((row["minutes"] for row in rows), default=1.0) or 1.0
    top = max((row[name] for row in rows for name in DRAWN), default=1.0) or 1.0

    def place(minutes: float, value: float) -> str:
        x = EDGE + (WIDTH - 2 * EDGE) * minutes / most
        y = HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * value / top
        return f"{x:.1f},{y:.1f}"

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"'
        ' font-family="sans-serif" font-size="12">',
        f'<path d="M{place(0, top)} L{place(0, 0)} L{place(most, 0)}" fill="none" stroke="#888"/>',
        f'<text x="{WIDTH - EDGE}" y="{HEIGHT - 16}" text-anchor="end">{most:.1f} minutes</text>',
        f'<text x="4" y="{EDGE}">{top:.2f}</text>',
    ]
    for number, (name, colour) in enumerate(DRAWN.items()):
        points = " ".join(place(row["minutes"], row[name]) for row in rows)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}"/>')
        parts.append(f'<text x="{EDGE + 90 * number}" y="20" fill="{colour}">{name}</text>')
    return "\n".join([*parts, "</svg>\n"])
