"""The verbs that make nets."""

from contextlib import nullcontext
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from tegel import games
from tegel.executors import executor
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
    known: Annotated[
        Path | None,
        typer.Option("--from", help="A net to begin with, of this variant or a related one."),
    ] = None,
    start: Annotated[
        float,
        typer.Option(min=0, help="Minutes of games with rollouts that a new net begins with."),
    ] = 0,
    teacher: Annotated[
        int, typer.Option(min=2, help="Simulations a move of the games with rollouts.")
    ] = 800,
    device: Annotated[
        str, typer.Option(help="cuda, cpu, or auto: a GPU if there is one.")
    ] = "auto",
    blocks: Annotated[int, typer.Option(min=1, help="How deep the network is.")] = 6,
    width: Annotated[int, typer.Option(min=8, help="How many channels it has.")] = 48,
    beside: Annotated[
        str, typer.Option(help="Sizes that learn from the same games, like 4x32,8x64.")
    ] = "",
    number: Annotated[int, typer.Option("--games", min=1, help="Games at once, twice.")] = 4096,
    batch: Annotated[int, typer.Option(min=1, help="Positions in a step of learning.")] = 2048,
    least: Annotated[int, typer.Option(min=1, help="Positions before learning begins.")] = 200_000,
    first: Annotated[int, typer.Option(min=2, help="Simulations a move at first.")] = 32,
    later: Annotated[int, typer.Option(min=2, help="Simulations a move later.")] = 64,
    rate: Annotated[float, typer.Option(min=0, help="The rate of learning.")] = 1.2e-3,
    opening: Annotated[
        float, typer.Option(min=0, max=1, help="Part of the games that begin with moves by lot.")
    ] = 0.5,
    plies: Annotated[int, typer.Option(min=1, help="Such moves, at most.")] = 3,
    scale: Annotated[
        float, typer.Option(min=0, help="How much values count beside the net's own odds.")
    ] = 0.5,
    threads: Annotated[int, typer.Option(min=0, help="0: as many as there are processors.")] = 0,
    seed: Annotated[int, typer.Option(help="Play the same chances again.")] = 1,
    cluster: Annotated[
        str,
        typer.Option(metavar="ADDRESS", help="Let a Dask cluster play, too: tcp://HOST:8786."),
    ] = "",
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
        tuple(Size(*size) for size in sizes(beside)),
        device=device,
        games=number,
        threads=threads,
        simulations=(first, later),
        known=known,
        start=start,
        teacher=teacher,
        opening=opening,
        plies=plies,
        scale=scale,
        batch=batch,
        least=least,
        rate=rate,
        seed=seed,
    )
    try:
        with executor(cluster=cluster) if cluster else nullcontext() as pool:
            Training(plan, lambda line: print(line, flush=True), pool).run()
    except OSError as error:
        said = error.strerror or str(error) or type(error).__name__
        raise BadNotation(str(error.filename or "train"), said) from None


def sizes(text: str) -> list[tuple[int, int]]:
    """Blocks and channels, as 4x32,8x64."""
    found = []
    for one in filter(None, text.split(",")):
        blocks, times, width = one.partition("x")
        if not (times and blocks.isdecimal() and width.isdecimal()):
            raise BadNotation(one, "a size is blocks x channels, like 4x32")
        found.append((int(blocks), int(width)))
    return found


def quantise(
    game: Annotated[str, typer.Argument(help="The game.")],
    variant: Annotated[str, typer.Argument(help="The variant.")],
    net: Annotated[Path, typer.Argument(help="A net of a training, net.onnx.")],
    into: Annotated[Path, typer.Argument(help="The file to write.")],
) -> None:
    """Make a net of bytes, which plays more than twice as fast."""
    if not (find_spec("onnx") and find_spec("onnxruntime")):
        raise BadNotation("quantise", "this needs ONNX: pip install 'tegel[train]'")
    from tegel.net import quantise

    played = games.load(game)
    if game not in nets.GAMES or not played.kernel:
        raise BadNotation(game, "nets can't see this game")
    packed = list(played.kernel.pack(played.start(variant)))
    nets.load(net).fits(nets.shape(game, packed))
    quantise.quantise(net, into, game, packed)
    same, apart = quantise.agreement(net, into, game, packed)
    print(
        f"{into}: {into.stat().st_size / 1e6:.2f} MB, the same likeliest move in {same:.0%} of"
        f" positions, values {apart:.3f} apart as a mean"
    )
