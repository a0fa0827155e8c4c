"""What a power loss leaves of a folder: read from the trace that powerloss.c writes.

A disk promises little. What was written to a file is there after a sync of that file; before
it, any part of it may be, in any order, in pieces of a **sector**. That a file exists, is gone
or has another name is there after a sync of the folder; before it, the first few of such
changes may be."""

import random
import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

SECTOR = 512
KEEP = (0.0, 0.5, 0.9, 1.0)  # how much of what was not synced may be there all the same
ENTRY = struct.Struct("<IIQQ")  # as in powerloss.c
OPEN, MADE, WRITE, LENGTH, SYNC, SYNC_FOLDER, GONE, LINK, RENAME = range(1, 10)


class Entry(NamedTuple):
    what: int
    file: int
    offset: int
    data: bytes
    end: int  # where it ends in the trace: an instant


def entries(trace: bytes) -> Iterator[Entry]:
    """What was done, in order; what a kill cut short is left out."""
    at = 0
    while at + ENTRY.size <= len(trace):
        what, size, file, offset = ENTRY.unpack_from(trace, at)
        at += ENTRY.size + size
        if at <= len(trace):
            yield Entry(what, file, offset, trace[at - size : at], at)


@dataclass
class File:
    safe: bytearray = field(default_factory=bytearray)  # what is there for sure
    waiting: list[Entry] = field(default_factory=list)  # writes and lengths since the last sync

    def sync(self) -> None:
        for entry in self.waiting:
            _done(self.safe, entry)
        self.waiting = []

    def left(self, rng: random.Random, keep: float) -> bytes:
        """What may be there after a power loss: each sector that waits with a probability."""
        found = bytearray(self.safe)
        for entry in self.waiting:
            for part in _sectors(entry):
                if rng.random() < keep:
                    _done(found, part)
        return bytes(found)


@dataclass
class Disk:
    """A folder as the operations so far made it."""

    files: dict[int, File] = field(default_factory=dict)  # by number
    names: dict[str, int] = field(default_factory=dict)  # as the process sees them
    safe: dict[str, int] = field(default_factory=dict)
    waiting: list[dict[str, int]] = field(default_factory=list)  # the names after each change

    def do(self, entry: Entry) -> None:
        if entry.what in (WRITE, LENGTH):
            self.files[entry.file].waiting.append(entry)
        elif entry.what == SYNC:
            self.files[entry.file].sync()
        elif entry.what == SYNC_FOLDER:
            self.safe, self.waiting = dict(self.names), []
        else:
            self._name(entry)

    def _name(self, entry: Entry) -> None:
        first, _, second = entry.data.decode().partition("\0")
        if entry.what == OPEN and self.names.get(first) == entry.file:
            return
        if entry.what in (OPEN, MADE):
            self.files[entry.file] = File()
            self.names[first] = entry.file
        elif entry.what == GONE:
            del self.names[first]
        else:
            self.names[second] = self.names[first]
            if entry.what == RENAME:
                del self.names[first]
        self.waiting.append(dict(self.names))

    def left(self, rng: random.Random, keep: float) -> dict[str, bytes]:
        """The files that a power loss may leave now, each unsafe piece with a probability."""
        names = self.safe
        for later in self.waiting:
            if rng.random() >= keep:
                break
            names = later
        files = {number: self.files[number].left(rng, keep) for number in set(names.values())}
        return {name: files[number] for name, number in names.items()}


def lost_power(
    trace: bytes, instants: Iterable[int], rng: random.Random, keep: Sequence[float] = KEEP
) -> Iterator[tuple[int, dict[str, bytes]]]:
    """The files of a folder after a power loss at each of some instants of its trace, in
    order."""
    disk, done = Disk(), entries(trace)
    entry = next(done, None)
    for instant in sorted(instants):
        while entry and entry.end <= instant:
            disk.do(entry)
            entry = next(done, None)
        yield instant, disk.left(rng, rng.choice(keep))


def written(files: dict[str, bytes], folder: Path) -> Path:
    """A folder with such files. SQLite's shared memory is no file that a disk has to keep."""
    folder.mkdir(parents=True)
    for name, data in files.items():
        if not name.endswith("-shm"):
            (folder / name).write_bytes(data)
    return folder


def _done(data: bytearray, entry: Entry) -> None:
    if entry.what == LENGTH:
        end = entry.offset
        data[end:] = bytes(max(0, end - len(data)))
    else:
        data.extend(bytes(max(0, entry.offset - len(data))))
        data[entry.offset : entry.offset + len(entry.data)] = entry.data


def _sectors(entry: Entry) -> Iterator[Entry]:
    if entry.what == LENGTH:
        yield entry
        return
    at, end = entry.offset, entry.offset + len(entry.data)
    while at < end:
        upto = min(end, at - at % SECTOR + SECTOR)
        data = entry.data[at - entry.offset : upto - entry.offset]
        yield entry._replace(offset=at, data=data)
        at = upto
