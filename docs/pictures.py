"""Draws the pictures of the rule pages and the documentation.

Each `pictures/NAME.txt` beside a rule page is a record, or a position as `str(state)`
writes it, and becomes `pictures/NAME.svg`. A record's header `show: board` names the
planes to draw; without it all are drawn. A test checks that the files are up to date.
"""

from collections.abc import Iterator
from pathlib import Path

import tegel
from tegel import games

FOLDERS = (Path(tegel.__file__).parent, Path(__file__).parent)


def sources() -> Iterator[Path]:
    for folder in FOLDERS:
        yield from sorted(folder.glob("**/pictures/*.txt"))


def drawn(source: Path) -> str:
    """The picture that a text describes."""
    text = source.read_text("utf-8")
    name = text.split(maxsplit=1)[0]
    if name in games.names():  # a position; otherwise a record
        return games.load(name).picture(games.position(text)).only("board").svg()
    record = games.read(text)
    picture = games.load(record.game).picture(games.final(record))
    planes = record.headers.get("show", " ".join(plane.name for plane in picture.planes))
    return picture.only(*planes.split()).svg()


if __name__ == "__main__":
    for source in sources():
        source.with_suffix(".svg").write_text(drawn(source), "utf-8")
        print(source.with_suffix(".svg"))
