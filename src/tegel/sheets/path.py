"""Paths of SVG as straight lines and Bézier curves, which is what paper knows."""

import re
from collections.abc import Iterable, Iterator
from math import atan2, ceil, cos, hypot, pi, sin, sqrt, tan

from tegel.lattice import Point

Step = tuple[Point, ...]
"""One point: a line to it; three: a curve with two handles; none: the loop is closed."""

TOKEN = re.compile(r"[A-Za-z]|[-+]?(?:\d*\.\d+|\d+\.?)(?:e[-+]?\d+)?")
TAKES = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "A": 7}


def runs(d: str) -> list[tuple[Point, list[Step]]]:
    """The parts of a path, each a first point and steps.

    >>> runs("M1 2H3v-1Z")
    [((1.0, 2.0), [((3.0, 2.0),), ((3.0, 1.0),), ()])]
    """
    found: list[tuple[Point, list[Step]]] = []
    here: Point = (0.0, 0.0)
    handle: Point | None = None  # the latest of a curve, which S goes on from
    for letter, numbers in _commands(d):
        kind = letter.upper()
        base = here if letter.islower() else (0.0, 0.0)
        if kind == "Z":
            found[-1][1].append(())
            here = found[-1][0]
            continue
        if kind == "A":
            radius, end = numbers[0], (base[0] + numbers[5], base[1] + numbers[6])
            steps = list(_arc(here, end, radius, bool(numbers[3]), bool(numbers[4])))
        else:
            steps = [_step(kind, numbers, here, base, handle)]
        if kind == "M":
            here, handle = steps[0][0], None
            found.append((here, []))
            continue
        found[-1][1].extend(steps)
        here = steps[-1][-1] if steps else here
        handle = steps[-1][1] if kind in "CS" else None
    return found


def _commands(d: str) -> Iterator[tuple[str, list[float]]]:
    letter, numbers = "", list[float]()
    for token in TOKEN.findall(d):
        if token.isalpha():
            letter, numbers = token, []
            if token in "Zz":
                yield letter, []
            continue
        numbers.append(float(token))
        if len(numbers) == TAKES[letter.upper()]:
            yield letter, numbers
            numbers = []
            letter = {"M": "L", "m": "l"}.get(letter, letter)  # more points are lines


def _step(kind: str, numbers: list[float], here: Point, base: Point, handle: Point | None) -> Step:
    if kind == "H":
        return ((base[0] + numbers[0], here[1]),)
    if kind == "V":
        return ((here[0], base[1] + numbers[0]),)
    pairs = zip(numbers[::2], numbers[1::2], strict=True)
    points = [(base[0] + x, base[1] + y) for x, y in pairs]
    if kind == "S":
        x, y = handle or here
        points = [(2 * here[0] - x, 2 * here[1] - y), *points]
    if kind == "Q":
        (cx, cy), end = points
        points = [((a + 2 * cx) / 3, (b + 2 * cy) / 3) for a, b in (here, end)] + [end]
    return tuple(points)


def _arc(here: Point, end: Point, radius: float, large: bool, sweep: bool) -> Iterator[Step]:
    """An arc of a circle as curves of a quarter turn at most."""
    (x, y), (u, v) = here, end
    apart = hypot(u - x, v - y)
    if not apart:
        return
    radius = max(radius, apart / 2)
    rise = sqrt(max(0.0, radius**2 - (apart / 2) ** 2)) / apart
    side = -1 if large == sweep else 1
    cx, cy = (x + u) / 2 - side * rise * (v - y), (y + v) / 2 + side * rise * (u - x)
    start = atan2(y - cy, x - cx)
    turn = (atan2(v - cy, u - cx) - start) % (2 * pi)
    turn = turn if sweep else turn - 2 * pi
    count = max(1, ceil(abs(turn) / (pi / 2) - 1e-6))
    reach = 4 / 3 * tan(turn / count / 4) * radius
    for number in range(count):
        a, b = (start + turn * (number + k) / count for k in (0, 1))
        ax, ay, bx, by = cos(a), sin(a), cos(b), sin(b)
        last = end if number == count - 1 else (cx + radius * bx, cy + radius * by)
        yield (
            (cx + radius * ax - reach * ay, cy + radius * ay + reach * ax),
            (last[0] + reach * by, last[1] - reach * bx),
            last,
        )


def extent(d: str) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a path, of which the handles of curves are a part: for
    circles and round corners that is exact."""
    points = list(_points(runs(d)))
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _points(parts: Iterable[tuple[Point, list[Step]]]) -> Iterator[Point]:
    for first, steps in parts:
        yield first
        for step in steps:
            yield from step
