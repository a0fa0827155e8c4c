"""The sprites of Imago: a wooden board, and glossy stones in eleven colours with a glyph each."""

from collections.abc import Mapping
from math import cos, pi, sin

from tegel.games.imago.stones import COLOURS, SIZE
from tegel.picture import Layer, Paint, Sprite

MARGIN = 0.85  # from the centre of an outer hollow to the edge of the board


def _mixed(colour: str, other: str, share: float) -> str:
    pairs = [(int(colour[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


FILLS = dict(
    zip(
        COLOURS,
        ("#fcf7f2", "#18202a", "#fc404d", "#3d58bf", "#faf47d", "#41c085", "#f18c11", "#771dea",
         "#2dbef9", "#af3f7d", "#661d05"),
        strict=True,
    )
)  # fmt: skip
"""Found by a search for the largest least distance between any two, to all kinds of colour
vision: above 50 to the usual one, above 28 to protanopes and deuteranopes (the tests measure
it)."""

PAINTS: Mapping[str, Paint] = {
    **{
        letter: Paint(
            (fill, fill),
            (_mixed(fill, "#000000", 0.76), _mixed(fill, "#ffffff", 0.62)),
            letter=letter,
        )
        for letter, fill in FILLS.items()
    },
    "left": Paint(("#143f8c", "#9cc0ff"), ("#0c2a60", "#d6e5ff"), letter="<"),
    "right": Paint(("#8f0f34", "#ffa3b8"), ("#5c0820", "#ffdbe3"), letter=">"),
    "wood": Paint(("#e0bd8d", "#4b3628"), ("#a97f4c", "#2c1f16")),
    "grain": Paint(("#b58a55", "#2f2118"), ("#b58a55", "#2f2118")),
    "hollow": Paint(("#bb915d", "#2d2018"), ("#a97f4c", "#1f150f")),
    "chalk": Paint(("#fffaf0", "#fffaf0"), ("#fffaf0", "#fffaf0")),
    "char": Paint(("#1a1a1a", "#1a1a1a"), ("#1a1a1a", "#1a1a1a")),
}


def _disc(radius: float, x: float = 0.0, y: float = 0.0) -> str:
    arc = f"a{radius:g} {radius:g} 0 1 1"
    return f"M{x - radius:g} {y:g}{arc} {2 * radius:g} 0{arc} {-2 * radius:g} 0Z"


def _star(points: int, outer: float, inner: float) -> str:
    corners = [
        (radius * sin(pi * k / points), -radius * cos(pi * k / points))
        for k, radius in zip(range(2 * points), [outer, inner] * points, strict=True)
    ]
    return "M" + "L".join(f"{x:.3f} {y:.3f}" for x, y in corners) + "Z"


GLYPHS: Mapping[str, tuple[str, str, float]] = {
    "A": ("char", _disc(0.09), 0),
    "B": ("chalk", _disc(0.15), 0.07),
    "C": ("char", "M0-.2L.19 .13H-.19Z", 0),
    "D": ("chalk", "M-.14-.14H.14V.14H-.14Z", 0),
    "E": ("char", "M-.18 0H.18M0-.18V.18", 0.08),
    "F": ("char", "M-.14-.14L.14 .14M-.14 .14L.14-.14", 0.08),
    "G": ("char", "M-.17-.08H.17M-.17 .08H.17", 0.075),
    "H": ("chalk", "M0-.2L.15 0L0 .2L-.15 0Z", 0),
    "I": ("char", "M-.2 .06C-.12-.16-.06-.16 0 0S.12 .16 .2-.06", 0.075),
    "J": ("chalk", _star(5, 0.21, 0.09), 0),
    "K": ("chalk", "M.07-.18A.19 .19 0 1 0 .07 .18A.22 .22 0 0 1 .07-.18Z", 0),
}
"""Paint, path and, for glyphs that are lines, width."""


def _stone(letter: str) -> Sprite:
    paint, path, width = GLYPHS[letter]
    glyph = (
        Layer(path, fill="none", stroke=paint, width=width) if width else Layer(path, fill=paint)
    )
    return Sprite(
        (
            Layer(_disc(0.36), width=0.045),
            Layer("M-.29 .12A.315 .315 0 0 0 .29 .12A.4 .4 0 0 1-.29 .12Z", "shade", opacity=0.2),
            glyph,
            Layer("M-.26-.1A.28 .28 0 0 1 .1-.27A.5 .5 0 0 0-.26-.1Z", "glow", opacity=0.62),
        ),
        name=letter,
    )


def _wood() -> Sprite:
    """The board: a slab with round corners, its grain, a light upper and a dark lower edge."""
    low, high, r = -MARGIN, SIZE - 1 + MARGIN, 1.15
    slab = (
        f"M{low + r:.2f} {-high:.2f}H{high - r:.2f}A{r} {r} 0 0 1 {high:.2f} {-high + r:.2f}"
        f"V{-low - r:.2f}A{r} {r} 0 0 1 {high - r:.2f} {-low:.2f}H{low + r:.2f}"
        f"A{r} {r} 0 0 1 {low:.2f} {-low - r:.2f}V{-high + r:.2f}"
        f"A{r} {r} 0 0 1 {low + r:.2f} {-high:.2f}Z"
    )
    grain = "".join(
        f"M{low + inset:.2f} {y:.2f}c1.6 {bend:.2f} 3.4 {-bend:.2f} "
        f"{high - low - 2 * inset:.2f} {bend / 3:.2f}"
        for y, bend, inset in (
            (-5.62, 0.12, 0.75), (-5.3, 0.3, 0.4), (-4.72, 0.45, 0.1), (-4.1, -0.3, 0.1),
            (-3.62, 0.5, 0.1), (-3.05, 0.25, 0.1), (-2.4, -0.4, 0.1), (-1.75, 0.35, 0.1),
            (-1.2, -0.25, 0.1), (-0.55, 0.4, 0.1), (0.1, -0.3, 0.2), (0.55, 0.15, 0.55),
        )
    )  # fmt: skip
    return Sprite(
        (
            Layer(slab, fill="wood", stroke="grain", width=0.07),
            Layer(grain, fill="none", stroke="grain", width=0.045, opacity=0.38),
        ),
        cells=(),
    )


HOLLOW = Sprite(
    (
        Layer(_disc(0.42), fill="hollow"),
        Layer("M-.4-.12A.42 .42 0 0 1 .4-.12A.5 .5 0 0 0-.4-.12Z", "shade", opacity=0.22),
        Layer("M-.4 .12A.42 .42 0 0 0 .4 .12A.5 .5 0 0 1-.4 .12Z", "glow", opacity=0.2),
    ),
    cells=(),
)
SEAL = Sprite(
    (
        Layer(_star(12, 0.26, 0.22), width=0.03),
        Layer(_disc(0.16), fill="none", stroke="paper", width=0.03, opacity=0.8),
        Layer("M-.07 .005L-.02 .06L.08-.055", fill="none", stroke="paper", width=0.05),
    ),
    cells=(),
)
SPRITES: Mapping[str, Sprite] = {
    **{letter: _stone(letter) for letter in COLOURS},
    "wood": _wood(),
    "hollow": HOLLOW,
    "seal": SEAL,
    "place": Sprite((Layer(_disc(0.1), opacity=0.55),), cells=()),
    "gone": Sprite(
        (Layer(_disc(0.3), fill="none", stroke="glow", width=0.05, opacity=0.6),), cells=()
    ),
    "kept": Sprite(
        (Layer(_disc(0.125), width=0.03), Layer("M-.065 0H.065", "none", "paper", 0.045)),
        cells=(),
    ),
    "barred": Sprite(
        (
            Layer(_disc(0.125), fill="card", stroke="muted", width=0.03),
            Layer("M-.05-.05L.05 .05M-.05 .05L.05-.05", "none", "ink", 0.04),
        ),
        cells=(),
    ),
}
