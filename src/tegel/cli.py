"""The command line: one verb a function.

FILE is everywhere a record, a file in a format that a game brings (blksgf), or `-` for
standard input. Bad input gets one sentence on stderr and exit code 2."""

import json
import random
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from math import inf
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.live import Live
from rich.markup import escape
from rich.table import Table

from tegel import games, puzzle, record, terminal
from tegel.game import CHANCE, BadNotation, Game, State, words
from tegel.record import Record
from tegel.search import gtp as protocol
from tegel.search import match as matches
from tegel.search.bot import BOTS

app = typer.Typer(
    help="Play, study and solve Blokus, Forma, Tantrix and Imago.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

File = Annotated[str, typer.Argument(metavar="FILE", help="A record, a blksgf file, or -.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="KEY=VALUE", help="An option of the rules: corners=fixed."),
]
PLAYER = "random, greedy, a level from 1 to 9, or x1000: the engine with 1000 simulations."


@app.command()
def play(
    game: Annotated[str, typer.Argument(help="The game; asked for if missing.")] = "",
    variant: Annotated[str, typer.Argument(help="The variant; the game's first if missing.")] = "",
    people: Annotated[int, typer.Option(help="How many seats people take.")] = 1,
    bot: Annotated[str, typer.Option(help="Who takes the others: greedy or random.")] = "greedy",
    option: Options = None,
    seed: Annotated[int | None, typer.Option(help="Play the same chances again.")] = None,
    load: Annotated[str, typer.Option(help="Go on with a record.", metavar="FILE")] = "",
) -> None:
    """Play in the terminal, against bots or with people at the same keyboard."""
    if bot not in BOTS:
        raise BadNotation(bot, f"no such bot; there are {', '.join(BOTS)}")
    console = Console()
    if load:
        begun = _record(load)
    else:
        if not game:
            game, variant = terminal.chosen(console)
        if game == "puzzle":
            variant = puzzle.named(variant, datetime.now(UTC).date())
        begun = Record(game, variant, record.options(" ".join(option or [])))
    seats = len(games.start(begun).scores)
    if not 0 <= people <= seats:
        raise BadNotation(str(people), f"people can take 0 to {seats} seats")
    seed = random.SystemRandom().randrange(10**6) if seed is None else seed
    terminal.Session(console, begun, people, bot, seed).run()


@app.command()
def show(
    file: File,
    ply: Annotated[
        int | None, typer.Option(help="After how many plies; the end if missing.")
    ] = None,
    svg: Annotated[str, typer.Option(metavar="OUT", help="Draw it into this file.")] = "",
    dark: Annotated[bool, typer.Option(help="Draw it for dark pages.")] = False,
    patterns: Annotated[bool, typer.Option(help="Draw patterns over the colours.")] = False,
    save: Annotated[
        str, typer.Option(metavar="OUT", help="Write the game as a record, or as .blksgf.")
    ] = "",
) -> None:
    """Show a position of a game, in the terminal or as a picture."""
    read = _record(file)
    if ply is not None:
        if not 0 <= ply <= len(read.moves):
            raise BadNotation(str(ply), f"the game has 0 to {len(read.moves)} plies")
        read = Record(
            read.game, read.variant, read.options, read.headers, read.moves[:ply], read.notes
        )
    game, state = games.load(read.game), games.final(read)
    if svg:
        _write(svg, game.picture(state).svg(theme="dark" if dark else "light", patterns=patterns))
    if save:
        _write(save, _saved(game, read, save))
    if not svg and not save:
        console = Console()
        console.print(game.text(state))
        console.print(terminal.status(game, state))


@app.command()
def check(file: File, as_json: Json = False) -> None:
    """Replay a game by the rules and tell its scores."""
    read = _record(file)
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


@app.command()
def moves(file: File, as_json: Json = False) -> None:
    """List the plies of a game with the number of legal moves at each."""
    read = _record(file)
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


@app.command()
def perft(
    game: Annotated[str, typer.Argument(help="The game.")],
    variant: Annotated[str, typer.Argument(help="The variant.")],
    depth: Annotated[int, typer.Argument(min=0, help="How many plies deep.")],
    option: Options = None,
) -> None:
    """Count the lines of play of a depth: how rules are compared between programs."""
    start = games.load(game).start(variant, **record.options(" ".join(option or [])))
    print(_lines(start, depth))


@app.command()
def match(
    first: Annotated[str, typer.Argument(metavar="A", help=PLAYER)],
    second: Annotated[str, typer.Argument(metavar="[B]", help="Its opponent, likewise.")] = "",
    game: Annotated[str, typer.Option(help="The game.")] = "blokus",
    variant: Annotated[str, typer.Option(help="The variant; the game's first if missing.")] = "",
    number: Annotated[int, typer.Option("--games", min=1, help="How many games.")] = 20,
    seconds: Annotated[
        float, typer.Option("--time", help="Seconds a move for level 9, instead of simulations.")
    ] = 0,
    against: Annotated[
        str, typer.Option(metavar="COMMAND", help="The opponent is this program, by GTP.")
    ] = "",
    option: Options = None,
    seed: Annotated[int | None, typer.Option(help="Play the same chances again.")] = None,
    jobs: Annotated[int, typer.Option(min=1, help="How many games at a time.")] = 1,
    save: Annotated[
        str, typer.Option(metavar="FOLDER", help="Write a record of every game there.")
    ] = "",
) -> None:
    """Play two bots against each other: paired games with seats exchanged."""
    if bool(second) == bool(against):
        raise BadNotation(second, "name a second player, or a program with --against")
    options = record.options(" ".join(option or []))
    if against:
        options.setdefault("corners", "fixed")
        options = {} if variant == "duo" else options
    players = (first, f"!{against}" if against else second)
    for name in players:
        matches.outside(name)
    seed = random.SystemRandom().randrange(10**6) if seed is None else seed
    todo = matches.pairings(
        game, variant, options, players, number, seed=seed, seconds=seconds or inf
    )
    folder = _folder(save)
    tally = matches.Tally()
    with Live(terminal.standing(players, tally), transient=False) as live:
        for result in matches.run(todo, jobs):
            tally.add(result)
            live.update(terminal.standing(players, tally))
            if folder:
                _write(str(folder / f"{result.number + 1:04}.txt"), str(result.record))


def _folder(save: str) -> Path | None:
    if not save:
        return None
    try:
        Path(save).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadNotation(save, f"can't be made: {error.strerror}") from None
    return Path(save)


@app.command()
def gtp(
    variant: Annotated[str, typer.Option(help="classic, two, three or duo.")] = "two",
    level: Annotated[int, typer.Option(min=1, max=9, help="How well to play.")] = 9,
    seconds: Annotated[
        float, typer.Option("--time", help="Seconds a move, instead of the level's simulations.")
    ] = 0,
    seed: Annotated[int | None, typer.Option(help="Play the same chances again.")] = None,
) -> None:
    """Be a Blokus engine for other programs: GTP on standard input and output."""
    protocol.serve(protocol.Engine(variant, level, seconds or inf, seed), sys.stdin, sys.stdout)


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 for all.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port to listen on.")] = 8000,
    workers: Annotated[
        int, typer.Option(min=1, help="Processes that serve; more than 1 need --bus.")
    ] = 1,
    database: Annotated[
        str,
        typer.Option(metavar="URL", help="postgresql://user@host/name; a file if missing."),
    ] = "",
    bus: Annotated[
        str, typer.Option(metavar="URL", help="redis://host: how workers hear of each other.")
    ] = "",
    data: Annotated[
        str,
        typer.Option(
            metavar="FOLDER", help="For database and secret; ~/.local/share/tegel if missing."
        ),
    ] = "",
    origin: Annotated[
        list[str] | None,
        typer.Option(metavar="URL", help="A site whose pages may play: https://games.example."),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(metavar="ADDRESS", help="A proxy to believe who is behind it."),
    ] = None,
    metrics_from: Annotated[
        list[str] | None,
        typer.Option(metavar="ADDRESS", help="Who may read /metrics, besides this machine."),
    ] = None,
    keep_days: Annotated[
        int, typer.Option(min=0, help="Forget rooms untouched for so many days; 0: keep all.")
    ] = 0,
    grace: Annotated[
        float, typer.Option(min=0, help="Seconds before an absent player may be replaced.")
    ] = 120.0,
    bots: Annotated[
        int, typer.Option(min=0, help="Processes in which bots think, a worker; 0: by cores.")
    ] = 0,
    hint_seconds: Annotated[
        float, typer.Option(min=0, max=60, help="How long a hint for a puzzle may be looked for.")
    ] = 10.0,
    limits: Annotated[float, typer.Option(min=0.01, help="Rate limits and caps times this.")] = 1.0,
    log: Annotated[str, typer.Option(help="json or text; text in a terminal if missing.")] = "",
) -> None:
    """Serve games to browsers and programs, on http://localhost:8000.

    On its own it keeps everything in one SQLite file. For many players:
    PostgreSQL by --database, Valkey or Redis by --bus, and --workers.

    TEGEL_SECRET signs the cookies; if it is not set, a secret is made
    once in the data folder. docs/hosting.md tells more."""
    try:
        from tegel.server.run import Options as ServeOptions
        from tegel.server.run import run
    except ModuleNotFoundError as error:
        message = f"needs {error.name}: install the server's parts with pip install 'tegel[serve]'"
        raise BadNotation("serve", message) from None

    run(
        ServeOptions(
            host,
            port,
            workers,
            database,
            bus,
            data,
            tuple(origin or ()),
            tuple(proxy or ()),
            tuple(metrics_from or ()),
            keep_days,
            grace,
            bots,
            hint_seconds,
            limits,
            log,
        )
    )


def _lines(state: State[Any], depth: int) -> int:
    if depth == 0:
        return 1
    if depth == 1:
        return len(state.moves())
    return sum(_lines(state.play(move), depth - 1) for move in state.moves())


@app.command()
def solve(
    name: Annotated[str, typer.Argument(help="A puzzle, daily, or a file; all if missing.")] = "",
    seed: Annotated[int | None, typer.Option(help="Another seed, another solution.")] = None,
    count: Annotated[bool, typer.Option("--count", help="Count all solutions.")] = False,
    given: Annotated[
        str, typer.Option(metavar="FILE", help="Go on from a position, as --json writes it.")
    ] = "",
    seconds: Annotated[float | None, typer.Option(help="Give up after so long.")] = None,
    svg: Annotated[str, typer.Option(metavar="OUT", help="Draw it into this file.")] = "",
    save: Annotated[
        str, typer.Option(metavar="OUT", help="Write it as a record that can be replayed.")
    ] = "",
    as_json: Json = False,
) -> None:
    """Solve a puzzle, or count its solutions. To solve one by hand: tegel play puzzle NAME."""
    if not name:
        return _list_puzzles()
    task = _puzzle(name)
    if not puzzle.COMPILED:
        print("tegel: there is no compiled solver here; plain Python is slower", file=sys.stderr)
    console = Console()
    with Console(stderr=True).status(task.name) as status:

        def watch(progress: puzzle.Progress) -> None:
            left = "" if progress.squares is None else f", {progress.squares} squares to go"
            status.update(f"{task.name}: {progress.seconds:.0f} s, {progress.steps:,} steps{left}")

        if count:
            found = puzzle.count(task, watch=watch)
        else:
            seed = random.SystemRandom().randrange(10**6) if seed is None else seed
            begun = _given(task, given) if given else ()
            answer = puzzle.solve(task, begun, seed=seed, seconds=seconds, watch=watch)
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
        _write(svg, puzzle.shown(task, position).svg())
    if save and position:
        _write(save, str(puzzle.record(task, position)))
    if as_json:
        solved = True if position else False if answer.proved else None
        result = {"puzzle": task.name, "seed": seed, "solved": solved}
        print(json.dumps({**result, "placements": puzzle.written(position)}))
    elif position:
        console.print(puzzle.text(task, position))
        console.print(f"{puzzle.verdict(task, position)} ({took})")
    else:
        console.print(f"{'No solution, proved' if answer.proved else 'None found'}. ({took})")
    if not position:
        raise typer.Exit(1)
    return None


def _list_puzzles() -> None:
    table = Table("puzzle", "what")
    for key, said in words("puzzle")["variants"].items():
        if key != puzzle.OWN:
            table.add_row(key, said)
    Console().print(table)


def _puzzle(name: str) -> puzzle.Puzzle:
    name = puzzle.named(name, datetime.now(UTC).date())
    if name == "-" or Path(name).is_file():
        return puzzle.parse(_text(_bytes(name), name))
    return puzzle.load(name)


def _given(task: puzzle.Puzzle, file: str) -> tuple[puzzle.Placement, ...]:
    try:
        return puzzle.read(task, json.loads(_text(_bytes(file), file)))
    except json.JSONDecodeError as error:
        raise BadNotation(file, f"is not JSON: {error}") from None


# Files


def _record(file: str) -> Record:
    return decoded(_bytes(file), file)


def _bytes(file: str) -> bytes:
    most = 4 * record.LIMIT  # bytes that a text of that many characters can take
    try:
        if file == "-":
            data = sys.stdin.buffer.read(most + 1)
        else:
            with Path(file).open("rb") as stream:
                data = stream.read(most + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise BadNotation(file, f"can't be read: {reason}") from None
    return data


def decoded(data: bytes, file: str) -> Record:
    """The record that the bytes of a file are."""
    return games.read(_text(data, file))


def _text(data: bytes, file: str) -> str:
    if len(data) > 4 * record.LIMIT:
        raise BadNotation(file, "longer than any record")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadNotation(file, f"not text: byte {error.start + 1} is not UTF-8") from None
    if "\0" in text:
        raise BadNotation(file, f"not text: character {text.index(chr(0)) + 1} is a zero byte")
    return text


def _saved(game: Game[Any, Any], read: Record, out: str) -> str:
    for other in game.formats:
        if out.endswith(other.suffix):
            return other.write(read)
    return str(read)


def _write(out: str, text: str) -> None:
    try:
        Path(out).write_text(text, "utf-8")
    except OSError as error:
        raise BadNotation(out, f"can't be written: {error.strerror}") from None


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
