"""Small whole numbers instead of floats: nets that play more than twice as fast.

Convolutions are counted in bytes, each channel of weights and each plane of activations with a
scale of its own, found from positions of games with rollouts. The rest stays as it is."""

import random
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from onnxruntime.quantization import (
    CalibrationDataReader,
    QuantFormat,
    QuantType,
    quantize_static,
)
from onnxruntime.quantization.shape_inference import quant_pre_process

from tegel.net import rollouts
from tegel.net.files import written
from tegel.search.nets import Onnx

BATCH = 16  # positions


def quantise(source: Path, into: Path, game: str, packed: Sequence[int], seed: int = 1) -> None:
    """Write a net in bytes."""
    planes, scalars = rollouts.positions(game, packed, seed)
    seen = [
        {"planes": planes[i : i + BATCH], "scalars": scalars[i : i + BATCH]}
        for i in range(0, len(planes), BATCH)
    ]
    with tempfile.TemporaryDirectory() as folder, written(into) as path:
        ready = Path(folder) / "ready.onnx"
        quant_pre_process(str(source), str(ready), skip_symbolic_shape=True)
        quantize_static(
            str(ready),
            str(path),
            Reader(seen),
            quant_format=QuantFormat.QDQ,
            per_channel=True,
            op_types_to_quantize=["Conv"],
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
        )


class Reader(CalibrationDataReader):  # type: ignore[misc]
    def __init__(self, batches: Sequence[dict[str, Any]]) -> None:
        self.batches: Iterator[dict[str, Any]] = iter(batches)

    def get_next(self) -> dict[str, Any] | None:
        return next(self.batches, None)


def agreement(one: Path, other: Path, game: str, packed: Sequence[int]) -> tuple[float, float]:
    """How two nets agree on positions of other games: how often on the likeliest move of all
    that are legal, and by how much they differ in what is played for, as a mean."""
    first, second = Onnx(one), Onnx(other)
    rng = random.Random("agreement")
    same, apart = [], []
    for _ in range(8):
        played = rollouts.game(game, packed, rng, rollouts.QUICK)
        said = [net(played["planes"], played["scalars"]) for net in (first, second)]
        for row, actions in enumerate(played["actions"]):
            legal = actions[actions >= 0]
            best = [policy[row][legal].argmax() for policy, _ in said]
            same.append(best[0] == best[1])
        apart.append(np.abs(said[0][1][:, 0, 1] - said[1][1][:, 0, 1]).mean())
    return float(np.mean(same)), float(np.mean(apart))
