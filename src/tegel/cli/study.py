"""Verbs that look at games: their positions, their moves, their scores."""

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tegel import games, record, terminal
from tegel.cli.analysis import best, lines
from tegel.cli.files import File, Json, Options, cut, record_of, text_of, write
from tegel.game import CHANCE, AnyGame, BadNotation, Move, State
from tegel.record import Record
from tegel.tree import Tree
from tegel.words import languages


def show(
    file: File,
    ply: Annotated[
        int | None, typer.Option(help="After how many plies; the end if missing.")
    ] = None,
    svg: Annotated[str, typer.Option(metavar="OUT", help="Draw it into this file.")] = "",
    dark: Annotated[bool, typer.Option(help="Draw it for dark pages.")] = False,
    patterns: Annotated[bool, typer.Option(help="Draw patterns over the colours.")] = False,
    language: Annotated[str, typer.Option(help="Draw it in en, nl, fr, de or it.")] = "en",
    save: Annotated[
        str, typer.Option(metavar="OUT", help="Write the game as a record, or as .blksgf.")
    ] = "",
    analysis: Annotated[
        bool, typer.Option("--analysis", help="Say what is best there, after two seconds.")
    ] = False,
) -> None:
    """Show a position of a game, in the terminal or as a picture."""
    if analysis and (svg or save):
        raise BadNotation("--analysis", "is for the terminal: not with --svg or --save")
    text = text_of(file)
    read = games.read(text)
    if ply is not None:
        read = cut(read, ply)
    game, state = games.load(read.game), games.final(read)
    if language not in languages(game.name):
        known = ", ".join(languages(game.name))
        raise BadNotation(language, f"{game.name} has no words in that language, but in {known}")
    if svg:
        theme = "dark" if dark else "light"
        write(svg, game.picture(state, language).svg(theme=theme, patterns=patterns))
    if save:
        write(save, _saved(game, games.read_tree(text) if ply is None else read, save))
    if not svg and not save:
        console = Console()
        terminal.print_position(console, game.text(state))
        console.print(terminal.status(game, state))
        if analysis and not state.outcome:
            console.print(lines(state, best(state, None, None)))


def check(file: File, as_json: Json = False) -> None:
    """Replay a game by the rules and tell its scores."""
    read = record_of(file)
    game, state = games.load(read.game), games.final(read)
    outcome = state.outcome
    if as_json:
        result = {
            "game": read.game,
            "variant": read.variant or next(iter(game.variants)),
            "plies": len(read.moves),
            "scores": list(state.scores),
            "winners": list(outcome.winners) if outcome else [],
            "reason": outcome.reason if outcome else None,
            **game.facts(state),
        }
        print(json.dumps(result))
        return
    console = Console()
    console.print(f"{len(read.moves)} plies, all legal.")
    console.print(terminal.status(game, state))
    console.print(terminal.ledger(game, state))


def moves(file: File, as_json: Json = False) -> None:
    """List the plies of a game with the number of legal moves at each."""
    read = record_of(file)
    game = games.load(read.game)
    found = [
        {
            "ply": ply.number,
            "seat": ply.before.turn,
            "colour": game.colour(ply.before),
            "legal": len(ply.before.moves()),
            "move": str(ply.move),
        }
        for ply in games.replay(read)
    ]
    if as_json:
        print(json.dumps(found))
        return
    table = Table("ply", "seat", "colour", "legal", "move")
    for row in found:
        seat = "chance" if row["seat"] == CHANCE else str(row["seat"])
        table.add_row(
            str(row["ply"]), seat, *(escape(str(row[k])) for k in ("colour", "legal", "move"))
        )
    Console().print(table)


def _saved(game: AnyGame, read: Record | Tree, out: str) -> str:
    for other in game.formats:
        if out.endswith(other.suffix):
            return other.write(read)
    return str(read)


def perft(
    game: Annotated[str, typer.Argument(help="The game.")],
    variant: Annotated[str, typer.Argument(help="The variant.")],
    depth: Annotated[int, typer.Argument(min=0, help="How many plies deep.")],
    option: Options = None,
) -> None:
    """Count the lines of play of a depth: how rules are compared between programs."""
    start = games.load(game).start(variant, **record.options(" ".join(option or [])))
    print(_lines(start, depth))


def _lines(state: State[Move], depth: int) -> int:
    if depth == 0:
        return 1
    if depth == 1:
        return len(state.moves())
    return sum(_lines(state.play(move), depth - 1) for move in state.moves())
