"""What a host does about people, on the command line. Servers that run hear of it within
seconds."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from tegel.cli.serving import Data, Database, parts

if TYPE_CHECKING:
    import sqlalchemy as sa

T = TypeVar("T")
app = typer.Typer(help="See what players report; rename, ban and unban them.", no_args_is_help=True)
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
        from tegel.server.people.reports import reports as listed

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
        from tegel.server.people import host

    before, after = _done(lambda connection: host.rename(connection, who, name), database, data)
    print(f"{before} is called {after.name or 'nothing'} now.")


@app.command()
def ban(who: Who, database: Database = "", data: Data = "") -> None:
    """Let somebody look, and no more; what was reported of them is settled."""
    with parts("people"):
        from tegel.server.people import host

    found = _done(lambda connection: host.ban(connection, who), database, data)
    print(f"{found} is banned.")


@app.command()
def unban(who: Who, database: Database = "", data: Data = "") -> None:
    """Let somebody play again."""
    with parts("people"):
        from tegel.server.people import host

    found = _done(lambda connection: host.ban(connection, who, banned=False), database, data)
    print(f"{found} may play again.")


@app.command()
def settle(who: Who, database: Database = "", data: Data = "") -> None:
    """Note that what was reported of somebody was seen to."""
    with parts("people"):
        from tegel.server.people import host

    found, count = _done(lambda connection: host.settle(connection, who), database, data)
    print(f"{found}: {count} settled.")


def _done(work: "Callable[[sa.Connection], T]", database: str, data: str) -> T:
    from tegel.server import run
    from tegel.server.people.host import done
    from tegel.server.storage.first_use import usable

    url = run.database(database, run.folder(run.Options(data=data)))
    with usable(url):
        return asyncio.run(done(url, work))
