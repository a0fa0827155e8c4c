"""What a host does about people, on the command line. Servers that run hear of it within
seconds."""

import asyncio
import os
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TaskID, TextColumn

from tegel.cli.serving import Data, Database, parts
from tegel.game import BadNotation

if TYPE_CHECKING:
    import sqlalchemy as sa

    from tegel.place.accounts.reservations import Reservations

T = TypeVar("T")
app = typer.Typer(
    help="See what players report and how they play; rename, ban and unban them.",
    no_args_is_help=True,
)
Who = Annotated[
    str, typer.Argument(metavar="WHO", help="A name that somebody keeps (@Ann), or a player's id.")
]


@app.command()
def reports(
    everything: Annotated[bool, typer.Option("--all", help="Also those that are settled.")] = False,
    database: Database = "",
    data: Data = "",
) -> None:
    """List what players reported of others, the latest first."""
    with parts("people"):
        from tegel.server.storage.safety import reports as listed

    found = _done(lambda connection: listed(connection, settled=everything), database, data)
    if not found:
        print("Nothing is reported.")
        return
    for one in found:
        when = datetime.fromtimestamp(one.at / 1000, UTC).strftime("%Y-%m-%d %H:%M")
        of = f"{one.name or 'a guest'} ({one.reported})"
        print(f"{when}  {one.reason}{', settled' if one.settled else ''}: {of}")
        print(f"    {one.game or 'a game'} in room {one.room}, reported by {one.player}")


@app.command()
def rename(
    who: Who,
    name: Annotated[str, typer.Argument(metavar="NAME", help="What they are called instead.")],
    database: Database = "",
    data: Data = "",
) -> None:
    """Call somebody otherwise, in all their games."""
    with parts("people"):
        from tegel.server.hosting import host

    names = _reservations(data)
    before, after = _done(
        lambda connection: host.rename(connection, names, who, name), database, data
    )
    print(f"{before} is called {after.name or 'nothing'} now.")


@app.command()
def ban(who: Who, database: Database = "", data: Data = "") -> None:
    """Let somebody look, and no more; what was reported of them is settled."""
    with parts("people"):
        from tegel.server.hosting import host

    found = _done(lambda connection: host.ban(connection, who), database, data)
    print(f"{found} is banned.")


@app.command()
def unban(who: Who, database: Database = "", data: Data = "") -> None:
    """Let somebody play again; a name that you took away can be kept again."""
    with parts("people"):
        from tegel.server.hosting import host

    names = _reservations(data)
    found = _done(lambda connection: host.unban(connection, names, who), database, data)
    print(f"{found} may play again." if found else f"{who} is free again.")


@app.command()
def settle(who: Who, database: Database = "", data: Data = "") -> None:
    """Note that what was reported of somebody was seen to."""
    with parts("people"):
        from tegel.server.hosting import host

    found, count = _done(lambda connection: host.settle(connection, who), database, data)
    print(f"{found}: {count} settled.")


def _reservations(data: str) -> "Reservations":
    """Reserved names, which are stored by the secret of the server."""
    from tegel.place.accounts.identity import Seals
    from tegel.place.accounts.reservations import Reservations
    from tegel.server import run
    from tegel.server.secret import secret

    folder = run.folder(run.Options(data=data))
    if not os.environ.get("TEGEL_SECRET") and not (folder / "secret").exists():
        remedy = "name the server's folder by --data, or set TEGEL_SECRET as there"
        raise BadNotation(str(folder), f"the secret of the server is not there: {remedy}")
    return Reservations(Seals(secret(folder)))


@app.command()
def fairness(
    who: Who,
    games: Annotated[
        int, typer.Option(min=1, max=500, help="Look at so many of their latest rated games.")
    ] = 20,
    simulations: Annotated[
        int,
        typer.Option(min=0, max=1_000_000, help="Of the engine for a move; 0: as for a report."),
    ] = 0,
    seconds: Annotated[
        float, typer.Option(min=0.01, max=600, help="That the engine thinks for a move, at most.")
    ] = 600.0,
    seed: Annotated[int, typer.Option(help="Draws the games to compare with.")] = 1,
    database: Database = "",
    data: Data = "",
) -> None:
    """Tell how often somebody's rated moves are the engine's first choice.

    Beside it stands how often those of others with that rating are, from
    as many games, and how long both took for a move. First moves, and
    moves without a choice, are left out. It is a hint for you to look
    closer, and proves nothing; nobody is banned by it."""
    with parts("people"):
        from tegel.server.hosting import agreement

    somebody, groups = _done(
        lambda connection: agreement.sample(connection, who, games, seed), database, data
    )
    if not groups:
        print(f"{somebody} has played no rated game that is still stored.")
        return
    columns = TextColumn("{task.description}"), MofNCompleteColumn()
    for group in groups:
        with Progress(*columns, transient=True, console=Console(stderr=True)) as bar:
            found = []
            for name, some in (("their decisions", group.own), ("others' decisions", group.peers)):
                task = bar.add_task(name, total=None)
                told = partial(_tell, bar, task)
                found.append(agreement.measured(some, simulations, seconds, seed, told))
        print(*agreement.lines(somebody, group, *found), sep="\n")
    print("A hint to look closer, not a proof: strong players agree often, and so does chance.")


def _tell(bar: Progress, task: TaskID, count: int) -> None:
    bar.update(task, completed=count)


def _done(work: "Callable[[sa.Connection], T]", database: str, data: str) -> T:
    from tegel.server import run
    from tegel.server.hosting.host import done
    from tegel.server.storage.first_use import usable

    url = run.database(database, run.folder(run.Options(data=data)))
    with usable(url):
        return asyncio.run(done(url, work))
