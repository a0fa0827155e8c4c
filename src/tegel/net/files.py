"""Files that take the place of old ones only when they are whole."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def written(path: Path) -> Iterator[Path]:
    """A file to write, which then takes its place."""
    beside = path.with_name(f"{path.name}.new")
    try:
        yield beside
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        said = error.strerror or error
        raise ValueError(f"{path}: can't be saved, what was there before is: {said}") from None
