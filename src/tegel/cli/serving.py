"""The server on the command line."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, TypeVar

import typer
from rich.progress import MofNCompleteColumn, Progress, TaskID, TextColumn

from tegel.game import BadNotation


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
    analyses: Annotated[
        int,
        typer.Option(
            min=0, help="Processes that think in studies, and for reports, a worker; 0: by cores."
        ),
    ] = 0,
    analysis_seconds: Annotated[
        float, typer.Option(min=0.1, max=600, help="How long one position is thought about.")
    ] = 30.0,
    report_seconds: Annotated[
        float, typer.Option(min=0.1, max=600, help="Processor time for the report on a game.")
    ] = 18.0,
    hint_seconds: Annotated[
        float, typer.Option(min=0, max=60, help="How long a hint for a puzzle may be looked for.")
    ] = 10.0,
    timeout: Annotated[
        float,
        typer.Option(
            min=0.1, envvar="TEGEL_TIMEOUT", help="Seconds that a connection may stand still."
        ),
    ] = 10.0,
    push: Annotated[
        str,
        typer.Option(
            metavar="CONTACT",
            help="Tell people who are away that it is their turn; push services may write to "
            "this mail address.",
        ),
    ] = "",
    push_after: Annotated[
        float, typer.Option(min=0, help="Seconds in which they may see it for themselves.")
    ] = 30.0,
    push_allow: Annotated[
        list[str] | None,
        typer.Option(
            metavar="HOST",
            help="Also send through this push service: push.example, or http://host:port. "
            "Those of the makers of browsers are known.",
        ),
    ] = None,
    limits: Annotated[float, typer.Option(min=0.01, help="Rate limits and caps times this.")] = 1.0,
    shared_network: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ADDRESS",
            help="An address or prefix that many people share: their limits are 20 times as wide, "
            "and rated games between those who keep a name count.",
        ),
    ] = None,
    log: Annotated[str, typer.Option(help="json or text; text in a terminal if missing.")] = "",
    browser: Annotated[
        bool, typer.Option(help="Open a browser, where there is one to look at.")
    ] = True,
    check: Annotated[
        bool, typer.Option("--check", help="Look whether it would serve, and say so.")
    ] = False,
) -> None:
    """Serve games to browsers and programs, on http://localhost:8000.

    On its own it keeps everything in one SQLite file. For many players:
    PostgreSQL by --database, Valkey or Redis by --bus, and --workers.

    TEGEL_SECRET signs the cookies; if it is not set, a secret is made
    once in the data folder. docs/hosting.md tells more."""
    with parts("serve"):
        from tegel.server.run import Options as ServeOptions
        from tegel.server.run import run

    options = ServeOptions(
        host=host,
        port=port,
        workers=workers,
        database=database,
        bus=bus,
        data=data,
        origins=tuple(origin or ()),
        proxies=tuple(proxy or ()),
        scrapers=tuple(metrics_from or ()),
        keep_days=keep_days,
        grace=grace,
        bots=bots,
        analyses=analyses,
        analysis=analysis_seconds,
        report=report_seconds,
        hint=hint_seconds,
        timeout=timeout,
        push=push,
        push_after=push_after,
        push_allowed=tuple(push_allow or ()),
        limits=limits,
        shared=tuple(shared_network or ()),
        log=log,
        browser=browser,
    )
    if not check:
        run(options)
        return
    from tegel.server.check import findings

    good = True
    for finding in findings(options):
        good &= finding.good
        print(f"{'ok ' if finding.good else 'BAD'}  {finding.part}: {finding.text}")
    if not good:
        raise typer.Exit(1)


File = Annotated[Path, typer.Argument(metavar="FILE", help="The backup, a file.")]
Database = Annotated[
    str, typer.Option(metavar="URL", help="postgresql://user@host/name; a file if missing.")
]
Data = Annotated[
    str, typer.Option(metavar="FOLDER", help="As of serve; ~/.local/share/tegel if missing.")
]


def backup(file: File, database: Database = "", data: Data = "") -> None:
    """Copy all that is stored into one file, while the server runs.

    The secret that signs the cookies is not in it: keep the file `secret`
    of the data folder too."""
    with parts("backup"):
        from tegel.server.storage.backup import backup as taken

    _moving(lambda url, told: taken(url, file, told), database, data)
    print(f"{file}: {file.stat().st_size:,} bytes")


def restore(file: File, database: Database = "", data: Data = "") -> None:
    """Bring back what a backup holds, into an empty database.

    A backup of one kind of database fits the other: this is also the way
    from a file to PostgreSQL."""
    with parts("restore"):
        from tegel.server.storage.backup import restore as brought

    _moving(lambda url, told: brought(file, url, told), database, data)
    print(f"{file} is restored")


def ratings(
    recompute: Annotated[
        bool, typer.Option("--recompute", help="Write what the logs say, where it differs.")
    ] = False,
    database: Database = "",
    data: Data = "",
) -> None:
    """Compare the ratings with what the logs of all rated games say.

    The exit code is 1 if they differ, which should never be, and nothing
    was written. A server may go on meanwhile."""
    with parts("ratings"):
        from tegel.server.hosting.recompute import recompute as again

    found = _moving(lambda url, told: again(url, recompute, told), database, data)
    done = "written" if recompute else "different from what is stored"
    print(f"{found.games:,} games, {found.ratings:,} ratings, {found.differing:,} {done}")
    if found.differing and not recompute:
        raise typer.Exit(1)


T = TypeVar("T")


def _moving(
    work: Callable[[str, Callable[[str, int], None]], Coroutine[None, None, T]],
    database: str,
    data: str,
) -> T:
    """Do some work on a database, and tell how far it is."""
    from tegel.server import run
    from tegel.server.storage.first_use import usable

    url = run.database(database, run.folder(run.Options(data=data)))
    with Progress(TextColumn("{task.description}"), MofNCompleteColumn(), transient=True) as shown:
        tasks: dict[str, TaskID] = {}

        def told(table: str, rows: int) -> None:
            task = tasks.get(table)
            if task is None:
                task = tasks[table] = shown.add_task(table, total=None)
            shown.update(task, completed=rows)

        with usable(url):
            return asyncio.run(work(url, told))


@contextmanager
def parts(verb: str) -> Iterator[None]:
    """What the server needs may not be installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        message = f"needs {error.name}: install the server's parts with pip install 'tegel[serve]'"
        raise BadNotation(verb, message) from None
