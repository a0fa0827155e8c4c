"""The verb that makes nets."""

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from tegel.game import BadNotation
from tegel.search import nets


def train(
    game: Annotated[str, typer.Argument(help="The game.")],
    variant: Annotated[str, typer.Argument(help="The variant.")],
    folder: Annotated[
        Path | None, typer.Option(help="Where it is kept; it goes on with what is there.")
    ] = None,
    minutes: Annotated[float, typer.Option(min=0.01, help="How long to train now.")] = 8.5,
    total: Annotated[
        float, typer.Option(min=0, help="How long in all; the rate falls towards the end.")
    ] = 0,
    start: Annotated[
        float,
        typer.Option(min=0, help="Minutes of games with rollouts that a new net begins with."),
    ] = 0,
    device: Annotated[
        str, typer.Option(help="cuda, cpu, or auto: a GPU if there is one.")
    ] = "auto",
    blocks: Annotated[int, typer.Option(min=1, help="How deep the network is.")] = 6,
    width: Annotated[int, typer.Option(min=8, help="How many channels it has.")] = 48,
    number: Annotated[int, typer.Option("--games", min=1, help="Games at once, twice.")] = 4096,
    batch: Annotated[int, typer.Option(min=1, help="Positions in a step of learning.")] = 2048,
    least: Annotated[int, typer.Option(min=1, help="Positions before learning begins.")] = 200_000,
    first: Annotated[int, typer.Option(min=2, help="Simulations a move at first.")] = 32,
    later: Annotated[int, typer.Option(min=2, help="Simulations a move later.")] = 64,
    rate: Annotated[float, typer.Option(min=0, help="The rate of learning.")] = 1.2e-3,
    plies: Annotated[
        int, typer.Option(min=1, help="Moves by lot that open half of the games.")
    ] = 3,
    scale: Annotated[
        float, typer.Option(min=0, help="How much values count beside the net's own odds.")
    ] = 0.5,
    threads: Annotated[int, typer.Option(min=0, help="0: as many as there are processors.")] = 0,
    seed: Annotated[int, typer.Option(help="Play the same chances again.")] = 1,
) -> None:
    """Train a net by self-play, in slices that go on where the last one ended."""
    if not find_spec("torch"):
        raise BadNotation("train", "training needs PyTorch: pip install 'tegel[train]'")
    if not nets.GAMES:
        raise BadNotation("train", "training needs the native engine, which was not built")
    from tegel.net.model import Size
    from tegel.net.train import Plan, Training

    plan = Plan(
        game,
        variant,
        folder or Path("training") / f"{game}-{variant}",
        minutes,
        total,
        Size(blocks, width),
        device,
        number,
        threads,
        (first, later),
        start=start,
        plies=plies,
        scale=scale,
        batch=batch,
        least=least,
        rate=rate,
        seed=seed,
    )
    try:
        Training(plan, lambda line: print(line, flush=True)).run()
    except OSError as error:
        raise BadNotation(str(plan.folder), f"can't be written: {error.strerror}") from None
