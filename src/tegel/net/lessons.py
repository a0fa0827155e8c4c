"""Lessons: positions that self-play searched, with what came of them, as arrays with one row each.

- planes, scalars: what the net saw; owned: whose each square was at the end;
- actions, odds: the legal moves, and how likely each should have been (-1 and 0 where there are
  no more);
- ends: by side, from who moved on, its share of the win, what it plays for, its score."""

import io
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from tegel.search.nets import SAID

MOVES = 896  # legal moves kept of a position, the likeliest
FILE = 15_000_000  # bytes of a file at most
TRIED = 500  # lessons that are packed to see how small they get

Lessons = Mapping[str, NDArray[Any]]
# As they are kept; self-play fills floats.
KEPT = {"scalars": np.float16, "odds": np.float16}


def room(shape: Any, count: int) -> dict[str, NDArray[Any]]:
    """Arrays for so many lessons."""
    squares = (shape.height, shape.width)
    return {
        "planes": np.zeros((count, shape.channels, *squares), np.uint8),
        "scalars": np.zeros((count, shape.scalars), np.float32),
        "owned": np.zeros((count, *squares), np.uint8),
        "actions": np.zeros((count, MOVES), np.int32),
        "odds": np.zeros((count, MOVES), np.float32),
        "ends": np.zeros((count, shape.sides, SAID), np.float32),
    }


def take(school: Any, into: Lessons) -> int:
    """Fill arrays with lessons that nobody took yet; how many there were."""
    taken: int = school.take(*into.values())
    return taken


def pack(lessons: Lessons, path: Path) -> int:
    """Write lessons into a file, as many of the first as fit in; how many these are."""
    count = len(lessons["ends"])
    if count > TRIED:
        each = len(packed(lessons, TRIED)) / TRIED
        count = min(count, int(0.95 * FILE / each))
    path.write_bytes(packed(lessons, count))
    return count


def unpack(path: Path | io.BytesIO, shape: Any) -> dict[str, NDArray[Any]]:
    """The lessons of a file; they must be of this shape."""
    try:
        held = io.BytesIO(path.read_bytes()) if isinstance(path, Path) else path
        with np.load(held) as file:
            found = {name: file[name] for name in room(shape, 1)}
    except (OSError, EOFError, KeyError, ValueError, BadZipFile, zlib.error) as error:
        raise ValueError(f"{path}: these are no lessons: {error}") from None
    if any(found[name].shape[1:] != one.shape[1:] for name, one in room(shape, 1).items()):
        raise ValueError(f"{path}: lessons of another game or variant")
    return {name: one.astype(KEPT.get(name, one.dtype)) for name, one in found.items()}


def packed(lessons: Lessons, count: int) -> bytes:
    """The first of some lessons, as in a file."""
    file = io.BytesIO()
    first = {name: one[:count].astype(KEPT.get(name, one.dtype)) for name, one in lessons.items()}
    np.savez_compressed(file, allow_pickle=False, **first)
    return file.getvalue()
