"""Draws the pictures of docs/engine.md: what the net of Duo looks at, how a game stood, and how the
nets learned. What they are drawn from lies in docs/engine. Run it after a new net:

    python docs/engine_pictures.py
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tegel import games
from tegel import record as records
from tegel.game import State
from tegel.net import curve
from tegel.search import graph, nets
from tegel.search.kernel import Thinker
from tegel.search.report import report

HERE = Path(__file__).parent
PLY = 8  # of the game, at which the net is asked
SIMULATIONS = 1_000  # for each decision of the game
TAKES = {"duo": "#1f4e9e", "two": "#c0392b", "classic": "#7d4aa0", "imago": "#2e7d4f"}  # colours
WIDTH, HEIGHT, EDGE = 640, 300, 48


def priors() -> str:
    """A position with the net's odds as heat: the redder a square, the likelier it is covered."""
    record = records.parse((HERE / "engine" / "game.txt").read_text("utf-8"))
    state: State[Any] = list(games.replay(record))[PLY].before
    game, net = games.load(record.game), net_of(record)
    heat: dict[tuple[int, int], float] = {}
    for opinion in Thinker(state, 1, net).consider(1):
        for cell in opinion.move.cells:
            heat[cell] = heat.get(cell, 0.0) + opinion.prior
    most = max(heat.values())
    squares = "\n".join(
        f'<rect x="{x - 0.46:.2f}" y="{-y - 0.46:.2f}" width=".92" height=".92" rx=".12"'
        f' fill="#d62" opacity="{0.85 * part / most:.2f}"/>'
        for (x, y), part in sorted(heat.items())
        if part > most / 50
    )
    return game.picture(state, "en").only("board").svg().replace("</svg>", squares + "\n</svg>")


def chance() -> str:
    """The chances over a game, by the net."""
    record = records.parse((HERE / "engine" / "game.txt").read_text("utf-8"))
    return graph.svg(report(record, simulations=SIMULATIONS, net=net_of(record)))


def net_of(record: records.Record) -> nets.Onnx | None:
    start: Any = games.start(record)
    return nets.shipped(games.load(record.game), start.rules)


def learning() -> str:
    """How often the likeliest move of each net was the one that its search made of it."""
    rows = {name: list(_rows(curve.rows(HERE / "engine" / f"{name}.csv"))) for name in TAKES}
    most = max(minutes for points in rows.values() for minutes, _ in points)

    def place(minutes: float, share: float) -> str:
        x = EDGE + (WIDTH - 2 * EDGE) * minutes / most
        return f"{x:.1f},{HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * share:.1f}"

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"'
        ' font-family="system-ui, sans-serif" font-size="13">',
        "<title>How the nets learned</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fdfcf8"/>',
    ]
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts.append(
            f'<path d="M{place(0, share)} L{place(most, share)}" stroke="#ccc" fill="none"/>'
        )
        x, y = place(0, share).split(",")
        parts.append(
            f'<text x="{float(x) - 8}" y="{float(y) + 4}" text-anchor="end">{share:.0%}</text>'
        )
    for number, (name, points) in enumerate(rows.items()):
        line = " ".join(place(*point) for point in points)
        parts.append(
            f'<polyline points="{line}" fill="none" stroke="{TAKES[name]}" stroke-width="2"/>'
        )
        at = f'x="{WIDTH - 2 * EDGE}" y="{HEIGHT - EDGE - 8 - 18 * (len(rows) - 1 - number)}"'
        parts.append(f'<text {at} fill="{TAKES[name]}" text-anchor="end">{name}</text>')
    parts.append(
        f'<text x="{WIDTH - EDGE}" y="{HEIGHT - 16}" text-anchor="end">{most:.0f} minutes</text>'
    )
    return "\n".join([*parts, "</svg>", ""])


def _rows(rows: list[dict[str, float]]) -> Iterator[tuple[float, float]]:
    """Minutes and share; while games are gathered nothing is learned, and nothing said."""
    row: Mapping[str, float]
    for row in rows:
        if row["same"]:
            yield row["minutes"], row["same"]


if __name__ == "__main__":
    for name, drawn in (("priors", priors), ("chance", chance), ("learning", learning)):
        (HERE / "pictures" / f"{name}.svg").write_text(drawn(), "utf-8")
        print(f"docs/pictures/{name}.svg")
