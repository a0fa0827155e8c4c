"""What verbs take and give: records and other files, options of the rules."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from tegel import games, record
from tegel.game import BadNotation
from tegel.record import Record

File = Annotated[str, typer.Argument(metavar="FILE", help="A record, a blksgf file, or -.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="KEY=VALUE", help="An option of the rules: corners=fixed."),
]
Cluster = Annotated[
    str,
    typer.Option(metavar="ADDRESS", help="Let a Dask cluster do it: tcp://HOST:8786."),
]


def record_of(file: str) -> Record:
    return decoded(_bytes(file), file)


def cut(read: Record, ply: int) -> Record:
    """The record up to some ply."""
    if not 0 <= ply <= len(read.moves):
        raise BadNotation(str(ply), f"the game has 0 to {len(read.moves)} plies")
    return replace(read, moves=read.moves[:ply])


def text_of(file: str) -> str:
    return _text(_bytes(file), file)


def _bytes(file: str) -> bytes:
    most = 4 * record.LIMIT  # bytes that a text of that many characters can take
    try:
        if file == "-":
            data = sys.stdin.buffer.read(most + 1)
        else:
            with Path(file).open("rb") as stream:
                data = stream.read(most + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise BadNotation(file, f"can't be read: {reason}") from None
    return data


def decoded(data: bytes, file: str) -> Record:
    """The record that the bytes of a file are."""
    return games.read(_text(data, file))


def _text(data: bytes, file: str) -> str:
    if len(data) > 4 * record.LIMIT:
        raise BadNotation(file, "longer than any record")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadNotation(file, f"not text: byte {error.start + 1} is not UTF-8") from None
    if "\0" in text:
        raise BadNotation(file, f"not text: character {text.index(chr(0)) + 1} is a zero byte")
    return text


def append(out: str, text: str) -> None:
    try:
        with Path(out).open("a", encoding="utf-8") as stream:
            stream.write(text)
    except OSError as error:
        raise BadNotation(out, f"can't be written: {error.strerror}") from None


def write(out: str, text: str) -> None:
    try:
        Path(out).write_text(text, "utf-8")
    except OSError as error:
        raise BadNotation(out, f"can't be written: {error.strerror}") from None
