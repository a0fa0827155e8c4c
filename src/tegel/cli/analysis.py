"""Verbs that think about games: what was lost in one, and where to find the move."""

from typing import Annotated

import typer
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TextColumn

from tegel import record
from tegel.cli.files import Options, append
from tegel.game import BadNotation
from tegel.games import load
from tegel.search import kernel
from tegel.search import moments as finding


def moments(
    game: Annotated[str, typer.Argument(help="The game.")],
    variant: Annotated[str, typer.Argument(help="The variant; the game's first if missing.")] = "",
    option: Options = None,
    number: Annotated[int, typer.Option("--games", min=1, help="Games to play.")] = 20,
    simulations: Annotated[
        int, typer.Option(min=100, help="Of the first search; the second has more.")
    ] = 10_000,
    seed: Annotated[int, typer.Option(help="Of the first game; the others count on.")] = 1,
    save: Annotated[
        str, typer.Option(metavar="FILE", help="Add them to this file, with the settings.")
    ] = "",
) -> None:
    """Find moments: positions of the engine's games in which one move is clearly best."""
    if load(game).solo:
        raise BadNotation(game, "is for one person: nobody plays against anybody")
    if not kernel.GAMES:
        raise BadNotation("moments", "they need the native engine, which was not built")
    options = record.options(" ".join(option or []))
    variant = load(game).rules(variant, options).variant
    settings = "".join(f" --option {key}={value}" for key, value in options.items())
    head = f"# tegel moments {game} {variant}{settings} --games {number}"
    _out(save, f"{head} --simulations {simulations} --seed {seed}")
    columns = TextColumn("{task.description}"), MofNCompleteColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task("games", total=number)
        for each in range(seed, seed + number):
            for moment in finding.found(game, variant, options, simulations, each):
                _out(save, str(moment))
            shown.advance(task)


def _out(save: str, line: str) -> None:
    if save:
        append(save, line + "\n")
    else:
        print(line, flush=True)
