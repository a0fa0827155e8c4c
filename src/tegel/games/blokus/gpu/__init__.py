"""Blokus as tensors, for `tegel.env.gpu`: by Triton's kernels where there is CUDA, and elsewhere by
plain PyTorch."""

from importlib.util import find_spec

import torch

from tegel.games.blokus.gpu.boards import Boards
from tegel.games.blokus.gpu.tables import Tables
from tegel.games.blokus.rules import State


def simulator(state: State, count: int, device: torch.device, kernels: bool | None) -> Boards:
    """So many games of a variant."""
    tables, cuda, triton = Tables(state.rules), device.type == "cuda", find_spec("triton")
    if not kernels and not (kernels is None and cuda and triton):
        return Boards(tables, count, device)
    if triton:
        from tegel.games.blokus.gpu.fast import INTERPRETED, Fast

        if cuda or INTERPRETED:
            return Fast(tables, count, device)
    if cuda:
        raise ValueError("kernels need Triton: pip install triton")
    raise ValueError(f"kernels need a device of CUDA, not {device.type}")
