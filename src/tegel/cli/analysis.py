"""Verbs that think about games: what was lost in one, and where to find the move."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

from tegel import games, record, terminal
from tegel.cli.files import File, Json, Options, append, cut, record_of, write
from tegel.game import BadNotation, Move, State
from tegel.games import load
from tegel.search import graph, kernel, nets
from tegel.search import moments as finding
from tegel.search.analysis import Analysis
from tegel.search.analysis import analyse as analysed
from tegel.search.report import MARKS, Report, reports

Seconds = Annotated[
    float | None, typer.Option(min=0.001, max=3600, help="For each decision, or the position.")
]
Simulations = Annotated[
    int | None, typer.Option(min=1, max=10**7, help="For each decision, or the position.")
]


def analyse(
    file: File,
    seconds: Seconds = None,
    simulations: Simulations = None,
    ply: Annotated[
        int | None, typer.Option(help="Only the position after so many plies: its best lines.")
    ] = None,
    as_json: Json = False,
    svg: Annotated[
        str, typer.Option(metavar="GRAPH", help="Draw the course of the game into this file.")
    ] = "",
    dark: Annotated[bool, typer.Option(help="Draw it for dark pages.")] = False,
    language: Annotated[str, typer.Option(help="Draw it in en, nl, fr, de or it.")] = "en",
    seed: Annotated[int, typer.Option(help="Think with other chances.")] = 1,
) -> None:
    """Say of every decision of a game what it lost against the best.

    A loss is told in chance to win and in points, and only beyond the
    noise: ?! is a slip of 7 % or more, ? a mistake of 10 %, ?? a blunder
    of 20 %. docs/analysis.md tells how it is measured."""
    if seconds is not None and simulations is not None:
        raise BadNotation("--seconds", "either seconds or simulations limit the thinking, not both")
    if language not in graph.WORDS:
        known = ", ".join(graph.WORDS)
        raise BadNotation(language, f"no words in that language, but in {known}")
    read = record_of(file)
    if ply is not None:
        if svg:
            raise BadNotation("--svg", "draws a whole game: leave out --ply")
        state = games.final(cut(read, ply))
        shown = best(state, seconds, simulations, seed)
        print(json.dumps(asdict(shown))) if as_json else Console().print(lines(state, shown))
        return
    *_, found = _watched(read, seconds, simulations, seed)
    if svg:
        write(svg, graph.svg(found, theme="dark" if dark else "light", language=language))
    if as_json:
        print(json.dumps(asdict(found)))
    else:
        _tell(found)


def _watched(
    read: record.Record, seconds: float | None, simulations: int | None, seed: int
) -> Iterator[Report]:
    """Reports as they grow, with a bar on a terminal."""
    console = Console(stderr=True)
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as shown:
        task = shown.add_task("plies", total=len(read.moves))
        net = nets.of(games.start(read))
        for found in reports(read, seconds=seconds, simulations=simulations, seed=seed, net=net):
            shown.update(task, completed=found.judged)
            yield found


def best(
    state: State[Move], seconds: float | None, simulations: int | None, seed: int = 1
) -> Analysis:
    """The last of what is thought of a position; two seconds if nobody says how long."""
    if seconds is None and simulations is None:
        seconds = 2.0
    console = Console(stderr=True)
    with Progress(
        TextColumn("{task.description}"), console=console, transient=True,
        disable=not console.is_terminal,
    ) as shown:  # fmt: skip
        task = shown.add_task("thinking")
        net = nets.of(state)
        for found in analysed(state, seconds=seconds, simulations=simulations, seed=seed, net=net):
            shown.update(task, description=f"{found.simulations:,} simulations")
    return found


def lines(state: State[Move], found: Analysis) -> Table | str:
    """The best lines of a position as a table."""
    if not found.lines:
        return f"Nobody decides here. {_chances(found.chance)}"
    who = terminal.player(state.turn).capitalize()
    table = Table(
        "chance", "margin", "simulations", "line",
        title=f"{who} to move: chance to win, expected margin", title_justify="left",
    )  # fmt: skip
    for line in found.lines:
        doubt = "" if line.exact else f" ±{200 * line.doubt:.0f}"
        table.add_row(
            f"{100 * line.chance[found.side]:.0f}{doubt} %",
            f"{line.margin:+.1f}",
            "exact" if line.exact else f"{line.simulations:,}",
            escape(" ".join(line.moves)),
        )
    return table


def _chances(chance: tuple[float, ...]) -> str:
    said = (f"side {side + 1}: {100 * each:.0f} %" for side, each in enumerate(chance))
    return f"Chances to win: {', '.join(said)}."


def _tell(found: Report) -> None:
    console = Console()
    table = Table("ply", "player", "played", "chance", "best", "chance", "lost", "points", "")
    for verdict in found.verdicts:
        same = verdict.played.moves[0] == verdict.best.moves[0]
        table.add_row(
            str(verdict.ply),
            str(verdict.seat + 1),
            escape(verdict.played.moves[0]),
            _percent(verdict.played.chance[verdict.side]),
            "" if same else escape(verdict.best.moves[0]),
            "" if same else _percent(verdict.best.chance[verdict.side]),
            f"{int(100 * verdict.loss)} %"
            if verdict.loss
            else "",  # as the marks are: from so much
            f"{verdict.points:.1f}" if verdict.points else "",
            verdict.mark,
        )
    console.print(table)
    sums = Table("player", "decisions", "mean loss", "points", *(mark for _, mark in MARKS))
    for tally in found.tallies:
        sums.add_row(
            str(tally.seat + 1),
            str(tally.decisions),
            f"{100 * tally.loss:.1f} %",
            f"{tally.points:.1f}",
            *(str(tally.marks[mark]) for _, mark in MARKS),
        )
    console.print(sums)
    if found.turning:
        console.print(f"The game turned at ply {', '.join(map(str, found.turning))}.")


def _percent(chance: float) -> str:
    return f"{100 * chance:.0f} %"


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
