"""Draws the pictures of the rule pages and the documentation.

Each `pictures/NAME.txt` beside a rule page becomes `pictures/NAME.svg`, see `games.shown`:
English and light, for readers of the files. The server draws them in the reader's language
and theme. A test checks that the files are up to date.
"""

from collections.abc import Iterator
from pathlib import Path

import tegel
from tegel import games

FOLDERS = (Path(tegel.__file__).parent, Path(__file__).parent)


def sources() -> Iterator[Path]:
    for folder in FOLDERS:
        yield from sorted(folder.glob("**/pictures/*.txt"))


def svg(source: Path) -> str:
    """The picture that a text describes."""
    return games.shown(source.read_text("utf-8")).svg()


if __name__ == "__main__":
    for source in sources():
        source.with_suffix(".svg").write_text(svg(source), "utf-8")
        print(source.with_suffix(".svg"))
