"""Verbs that play: in the terminal, two bots against each other, for other programs."""

import io
import random
import sys
from datetime import UTC, datetime
from math import inf
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.live import Live

from tegel import games, record, solver, terminal
from tegel.cli.files import Cluster, Options, record_of, write
from tegel.engines import engine as engines
from tegel.engines import gtp as protocol
from tegel.engines.outside import find
from tegel.executors import executor
from tegel.game import BadNotation
from tegel.record import Record
from tegel.search import match as matches
from tegel.search.players import OUTSIDE, named

PLAYER = (
    "random, greedy, a level from 1 to 9, x1000: the engine with 1000 simulations, or n100 or "
    "n100:FILE: with a net and 100."
)


def play(
    game: Annotated[str, typer.Argument(help="The game; asked for if missing.")] = "",
    variant: Annotated[str, typer.Argument(help="The variant; the game's first if missing.")] = "",
    people: Annotated[
        int, typer.Option(help="How many seats people take; 0 watches bots, or a solution.")
    ] = 1,
    bot: Annotated[
        str, typer.Option(help="Who takes the others: a level from 1 to 9, greedy or random.")
    ] = "2",
    option: Options = None,
    seed: Annotated[int | None, typer.Option(help="Play the same chances again.")] = None,
    load: Annotated[str, typer.Option(help="Go on with a record.", metavar="FILE")] = "",
) -> None:
    """Play in the terminal, against bots or with people at the same keyboard."""
    named(bot)
    console = Console()
    if load:
        begun = record_of(load)
    else:
        if not game:
            game, variant = terminal.chosen(console)
        if game == "puzzle":
            variant = solver.named(variant, datetime.now(UTC).date())
        begun = Record(game, variant, record.options(" ".join(option or [])))
    seats = len(games.start(begun).scores)
    if not 0 <= people <= seats:
        raise BadNotation(str(people), f"people can take 0 to {seats} seats")
    seed = random.SystemRandom().randrange(10**6) if seed is None else seed
    terminal.Session(console, begun, people, bot, seed).run()


def match(
    first: Annotated[str, typer.Argument(metavar="A", help=PLAYER)],
    second: Annotated[str, typer.Argument(metavar="[B]", help="Its opponent, likewise.")] = "",
    game: Annotated[str, typer.Option(help="The game.")] = "blokus",
    variant: Annotated[str, typer.Option(help="The variant; the game's first if missing.")] = "",
    number: Annotated[int, typer.Option("--games", min=1, help="How many games.")] = 20,
    seconds: Annotated[
        float,
        typer.Option("--time", min=0, help="Seconds a move for level 9, instead of simulations."),
    ] = 0,
    against: Annotated[
        str, typer.Option(metavar="COMMAND", help="The opponent is this program: an engine.")
    ] = "",
    option: Options = None,
    seed: Annotated[int | None, typer.Option(help="Play the same chances again.")] = None,
    jobs: Annotated[int, typer.Option(min=1, help="How many games at a time.")] = 1,
    cluster: Cluster = "",
    save: Annotated[
        str, typer.Option(metavar="FOLDER", help="Write a record of every game there.")
    ] = "",
) -> None:
    """Play two bots against each other: paired games with seats exchanged."""
    if bool(second) == bool(against):
        raise BadNotation(second, "name a second player, or a program with --against")
    options = record.options(" ".join(option or []))
    played = games.load(game)
    if against and "corners" in played.options_of(played.rules(variant).variant):
        options.setdefault("corners", "fixed")
    players = (first, f"{OUTSIDE}{against}" if against else second)
    for name in players:
        find(name)
    seed = random.SystemRandom().randrange(10**6) if seed is None else seed
    todo = matches.pairings(
        game, variant, options, players, number, seed=seed, seconds=seconds or inf
    )
    folder = _folder(save)
    tally = matches.Tally()
    with executor(jobs, cluster) as pool:
        live = Live(terminal.standing(players, tally, number))
        try:
            with live:
                for result in matches.run(todo, pool, find):
                    tally.add(result)
                    live.update(terminal.standing(players, tally, number))
                    if folder:
                        write(str(folder / f"{result.number + 1:04}.txt"), str(result.record))
        finally:
            if not live.console.is_terminal:
                print()  # there the last line has no end


def _folder(save: str) -> Path | None:
    if not save:
        return None
    try:
        Path(save).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadNotation(save, f"can't be made: {error.strerror}") from None
    return Path(save)


def gtp(
    variant: Annotated[str, typer.Option(help="classic, teams, two, three or duo.")] = "two",
    level: Annotated[int, typer.Option(min=1, max=9, help="How well to play.")] = 9,
    seconds: Annotated[
        float,
        typer.Option("--time", min=0, help="Seconds a move, instead of the level's simulations."),
    ] = 0,
    seed: Annotated[int | None, typer.Option(help="Play the same chances again.")] = None,
    ponder: Annotated[
        bool, typer.Option(help="Think in the opponent's time too, from level 6.")
    ] = False,
) -> None:
    """Be a Blokus engine for other programs: GTP on standard input and output."""
    engine = protocol.Engine(variant, level, seconds or inf, seed, ponder)
    # What is no text is no command either, and no reason to leave.
    source = io.TextIOWrapper(sys.stdin.buffer, "utf-8", errors="replace", line_buffering=True)
    try:
        protocol.serve(engine, source, sys.stdout)
    finally:
        engine.end()


def engine(
    player: Annotated[str, typer.Argument(help=PLAYER)] = "9",
    seed: Annotated[int, typer.Option(min=0, help="Play the same chances again; 0: others.")] = 0,
) -> None:
    """Be an engine of every game for other programs: see docs/protocol.md."""
    engines.serve(sys.stdin.buffer, sys.stdout, player, seed)
