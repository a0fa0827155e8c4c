"""The server on the command line."""

from typing import Annotated

import typer

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
    hint_seconds: Annotated[
        float, typer.Option(min=0, max=60, help="How long a hint for a puzzle may be looked for.")
    ] = 10.0,
    timeout: Annotated[
        float,
        typer.Option(
            min=0.1, envvar="TEGEL_TIMEOUT", help="Seconds that a connection may stand still."
        ),
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
            timeout,
            limits,
            log,
        )
    )
