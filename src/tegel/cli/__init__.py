"""The command line: one verb a function.

FILE is everywhere a record, a file in a format that a game brings (blksgf), or `-` for
standard input. Bad input gets one sentence on stderr and exit code 2."""

import sys
from importlib.metadata import version
from typing import Annotated

import typer

from tegel.cli import people, printing
from tegel.cli.analysis import analyse, moments
from tegel.cli.playing import engine, gtp, match, play
from tegel.cli.puzzles import solve
from tegel.cli.serving import backup, ratings, restore, serve
from tegel.cli.study import check, moves, perft, show
from tegel.cli.training import quantise, train

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
VERBS = (
    play, show, analyse, check, moves, perft, match, engine, gtp, serve, backup, restore, ratings,
    solve, printing.print, moments, train, quantise,
)  # fmt: skip


def _version(asked: bool) -> None:
    if asked:
        print(f"tegel {version('tegel')}")
        raise typer.Exit


@app.callback()
def tegel(
    _: Annotated[
        bool,
        typer.Option("--version", is_eager=True, callback=_version, help="Tell the version."),
    ] = False,
) -> None:
    """Play, study and solve Blokus, Forma, Tantrix and Imago."""


for verb in VERBS:
    app.command()(verb)
app.add_typer(people.app, name="people")


def main() -> None:
    """Run the command line; whatever a person did wrong is one sentence and exit code 2."""
    try:
        code = app(standalone_mode=False)
    except (ValueError, typer.TyperException) as error:
        said = error.format_message() if isinstance(error, typer.TyperException) else str(error)
        print(f"tegel: {' '.join(said.split())}", file=sys.stderr)
        code = 2
    except (KeyboardInterrupt, typer.Abort):
        print(file=sys.stderr)
        code = 130
    except BrokenPipeError:
        sys.stderr.close()
        code = 141
    sys.exit(code)
