"""How values show themselves in notebooks: records, puzzles, matches and
analyses by formatters that `import
tegel` brings along where IPython runs (states draw themselves); and `Replay`, a widget to click
through a game, `pip install 'tegel[notebook]'`.

    from tegel.notebook import Replay

    Replay(record)
"""

from html import escape
from typing import TYPE_CHECKING, Any

from tegel import games
from tegel.game import words
from tegel.games.puzzle import picture
from tegel.record import Record
from tegel.search import graph
from tegel.search.analysis import Analysis
from tegel.search.match import Tally, elo
from tegel.search.report import Report
from tegel.solver import Puzzle

if TYPE_CHECKING:
    from tegel.notebook.replay import Replay

__all__ = [
    "Replay", "analysis_html", "puzzle_svg", "record_html", "register", "report_svg", "tally_html",
]  # fmt: skip
WIDTH = 640  # pixels


def __getattr__(name: str) -> object:
    if name == "Replay":
        from tegel.notebook.replay import Replay

        return Replay
    raise AttributeError(f"module 'tegel.notebook' has no attribute {name!r}")


def record_html(record: Record) -> str:
    """A record as its last position, with what is known of the game above it. A record that can't
    be replayed says why, and shows how far it comes."""
    game, state, wrong = games.load(record.game), games.start(record), ""
    try:
        for ply in games.replay(record):
            state = ply.after
    except games.BadRecord as error:
        wrong = f"<p><b>{escape(str(error))}</b></p>"
    said = words(game.name)
    variant = record.variant or next(iter(game.variants))
    title = f"{said['game']['name']}: {said['variants'].get(variant, variant)}"
    facts = [f"{len(record.moves)} moves", *(f"{k}: {v}" for k, v in record.headers.items())]
    scores = ", ".join(map(str, state.scores))
    ended = said["reasons"][state.outcome.reason] if state.outcome else ""
    return (
        f"<div style='max-width:{WIDTH}px'><p><b>{escape(title)}</b> "
        f"({escape(', '.join(facts))})</p>{wrong}{game.picture(state).svg()}"
        f"<p>{escape(f'{scores}. {ended}')}</p></div>"
    )


def puzzle_svg(puzzle: Puzzle) -> str:
    """A puzzle as its empty board and the tiles that are to be laid."""
    return picture.shown(puzzle, hands=True).svg()


def tally_html(tally: Tally) -> str:
    """The results of a match as a table."""
    low, high = tally.interval
    rows = {
        "games": f"{tally.games}",
        "share of the wins": f"{tally.rate:.0%} ({low:.0%} to {high:.0%})",
        "Elo": f"{elo(tally.rate):+.0f} ({elo(low):+.0f} to {elo(high):+.0f})",
        "margin": f"{tally.margin:+.1f}",
    }
    lines = "".join(f"<tr><th>{key}</th><td>{value}</td></tr>" for key, value in rows.items())
    return f"<table>{lines}</table>"


def analysis_html(found: Analysis) -> str:
    """What is thought of a position, as a table of its lines."""
    rows = "".join(
        f"<tr><td>{number}</td><td>{escape(' '.join(line.moves))}</td>"
        f"<td>{', '.join(f'{chance:.0%}' for chance in line.chance)}</td>"
        f"<td>{', '.join(f'{score:.1f}' for score in line.scores)}</td>"
        f"<td>{'proved' if line.exact else f'{line.simulations:,}'}</td></tr>"
        for number, line in enumerate(found.lines, 1)
    )
    heads = "".join(f"<th>{head}</th>" for head in ("", "line", "chances", "scores", "simulations"))
    return f"<table><tr>{heads}</tr>{rows}</table>"


def report_svg(report: Report) -> str:
    """The report on a game as its graph."""
    return graph.svg(report)


def register(shell: Any) -> None:
    """Tell a shell of IPython how to show what can't draw itself."""
    formatters = shell.display_formatter.formatters
    formatters["text/html"].for_type(Record, record_html)
    formatters["text/html"].for_type(Tally, tally_html)
    formatters["text/html"].for_type(Analysis, analysis_html)
    formatters["image/svg+xml"].for_type(Report, report_svg)
    formatters["image/svg+xml"].for_type(Puzzle, puzzle_svg)
