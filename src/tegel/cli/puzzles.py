"""Puzzles on the command line: solve one, or count its solutions."""

import json
import random
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from tegel import solver
from tegel.cli.files import Cluster, Json, text_of, write
from tegel.executors import done, executor
from tegel.game import BadNotation, words
from tegel.games.puzzle import account, notation, picture, rules, terminal


def solve(
    name: Annotated[str, typer.Argument(help="A puzzle, daily, or a file; all if missing.")] = "",
    seed: Annotated[int | None, typer.Option(help="Another seed, another solution.")] = None,
    count: Annotated[bool, typer.Option("--count", help="Count all solutions.")] = False,
    given: Annotated[
        str, typer.Option(metavar="FILE", help="Go on from a position, as --json writes it.")
    ] = "",
    seconds: Annotated[float | None, typer.Option(help="Give up after so long.")] = None,
    jobs: Annotated[
        int,
        typer.Option(min=1, max=1000, help="How many seeds at a time: the first to end wins."),
    ] = 1,
    cluster: Cluster = "",
    svg: Annotated[str, typer.Option(metavar="OUT", help="Draw it into this file.")] = "",
    save: Annotated[
        str, typer.Option(metavar="OUT", help="Write it as a record that can be replayed.")
    ] = "",
    as_json: Json = False,
) -> None:
    """Solve a puzzle, or count its solutions. To solve one by hand: tegel play puzzle NAME."""
    if not name:
        return _list_puzzles()
    if count and (given or seconds or seed is not None or jobs > 1 or cluster or svg or save):
        raise BadNotation("--count", "counts all solutions, and takes nothing else but --json")
    task = _puzzle(name)
    if not solver.COMPILED:
        print("tegel: there is no compiled solver here; plain Python is slower", file=sys.stderr)
    console = Console()
    with Console(stderr=True).status(task.name) as status:

        def watch(progress: solver.Progress) -> None:
            left = "" if progress.squares is None else f", {progress.squares} squares to go"
            status.update(f"{task.name}: {progress.seconds:.0f} s, {progress.steps:,} steps{left}")

        if count:
            found = solver.count(task, watch=watch)
        else:
            seed = random.SystemRandom().randrange(10**6) if seed is None else seed
            begun = _given(task, given) if given else ()
            try:
                if jobs > 1 or cluster:
                    seed, answer = _first(task, begun, range(seed, seed + jobs), seconds, cluster)
                else:
                    answer = solver.solve(task, begun, seed=seed, seconds=seconds, watch=watch)
            except solver.Fault as wrong:
                raise rules.refusal(wrong) from None
    if count:
        if as_json:
            print(json.dumps({"puzzle": task.name, **asdict(found)}))
        else:
            up_to = "" if found.distinct is None else f", {found.distinct:,} up to symmetry"
            console.print(f"{found.total:,} solutions{up_to}.")
        return None
    position = answer.position or ()
    took = f"{answer.progress.seconds:.2f} s, {answer.progress.steps:,} steps, seed {seed}"
    if svg:
        write(svg, picture.shown(task, position).svg())
    if save and position:
        write(save, str(notation.record(task, position)))
    if as_json:
        solved = True if position else False if answer.proved else None
        result = {"puzzle": task.name, "seed": seed, "solved": solved}
        print(json.dumps({**result, "placements": solver.written(position)}))
    elif position:
        console.print(terminal.board(task, position))
        console.print(f"{account.verdict(task, position)} ({took})")
    else:
        console.print(f"{'No solution, proved' if answer.proved else 'None found'}. ({took})")
    if not position:
        raise typer.Exit(1)
    return None


Found = tuple[int, solver.Answer]


def _first(
    task: solver.Puzzle,
    begun: tuple[solver.Placement, ...],
    seeds: range,
    seconds: float | None,
    cluster: str,
) -> Found:
    """Of searches from several seeds side by side, the first that finds a solution or proves that
    there is none; else any."""
    with executor(len(seeds), cluster) as pool:
        for found in done(pool, partial(_searched, task, begun, seconds), seeds):
            if found[1].position or found[1].proved:
                break
    return found


def _searched(
    task: solver.Puzzle, begun: tuple[solver.Placement, ...], seconds: float | None, seed: int
) -> Found:
    return seed, solver.solve(task, begun, seed=seed, seconds=seconds)


def _list_puzzles() -> None:
    table = Table("puzzle", "what")
    for key, said in words("puzzle")["variants"].items():
        if key != rules.OWN:
            table.add_row(key, said)
    Console().print(table)


def _puzzle(name: str) -> solver.Puzzle:
    name = solver.named(name, datetime.now(UTC).date())
    if name == "-" or Path(name).is_file():
        return solver.parse(text_of(name))
    return solver.load(name)


def _given(task: solver.Puzzle, file: str) -> tuple[solver.Placement, ...]:
    try:
        return solver.read(task, json.loads(text_of(file)))
    except json.JSONDecodeError as error:
        raise BadNotation(file, f"is not JSON: {error}") from None
