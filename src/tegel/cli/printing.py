"""The verb that prints games for a real table."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from tegel import games, record, solver
from tegel.cli.files import Options
from tegel.game import BadNotation
from tegel.sheets import Wish, sheets


def print(
    game: Annotated[str, typer.Argument(help="The game.")],
    variant: Annotated[
        str, typer.Option(help="The variant, or the puzzle: daily; the first if missing.")
    ] = "",
    paper: Annotated[str, typer.Option(help="a4 or letter.")] = "a4",
    language: Annotated[str, typer.Option(help="en, nl, fr, de or it.")] = "en",
    out: Annotated[
        str, typer.Option(metavar="FILE", help="The PDF; named after the game if missing.")
    ] = "",
    cell: Annotated[
        float, typer.Option(metavar="MM", help="The width of a cell; the game's own if missing.")
    ] = 0.0,
    black_and_white: Annotated[
        bool, typer.Option("--black-and-white", help="Greys and patterns instead of colours.")
    ] = False,
    one_sided: Annotated[
        bool, typer.Option("--one-sided", help="No backs, no empty pages.")
    ] = False,
    option: Options = None,
) -> None:
    """Print a game at true scale, to cut out and play with: board, tiles, rules.

    The sheets are a PDF; its first page says how to print, cut and fold."""
    played = games.load(game)
    if game == "puzzle":
        variant = solver.named(variant, datetime.now(UTC).date())
    state = played.start(variant, **record.options(" ".join(option or [])))
    wish = Wish(paper, language, cell, black_and_white, 1 if one_sided else 2)
    data = sheets(played, state, wish)
    file = out or f"{game}-{state.rules.variant}.pdf"
    try:
        Path(file).write_bytes(data)
    except OSError as error:
        raise BadNotation(file, f"can't be written: {error.strerror}") from None
    typer.echo(f"{file}: {len(data):,} bytes")
