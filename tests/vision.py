"""How colours look to others: simulated dichromacy, perceived distance, contrast.

Simulation after Viénot, Brettel and Mollon (1999): linear RGB to LMS, the missing cone
replaced, and back. Distance is CIE76 in L*a*b*; contrast is WCAG's ratio.
"""

Rgb = tuple[float, float, float]

_LMS = ((17.8824, 43.5161, 4.11935), (3.45565, 27.1554, 3.86714), (0.0299566, 0.184309, 1.46709))
_RGB = (
    (0.0809444479, -0.130504409, 0.116721066),
    (-0.0102485335, 0.0540193266, -0.113614708),
    (-0.000365296938, -0.00412161469, 0.693511405),
)
_MISSING = {
    "protanopia": ((0, 2.02344, -2.52581), (0, 1, 0), (0, 0, 1)),
    "deuteranopia": ((1, 0, 0), (0.494207, 0, 1.24827), (0, 0, 1)),
}


def linear(colour: str) -> Rgb:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return r, g, b


def contrast(a: str, b: str) -> float:
    high, low = sorted((_luminance(linear(a)), _luminance(linear(b))), reverse=True)
    return (high + 0.05) / (low + 0.05)


def distance(a: str, b: str, vision: str = "normal") -> float:
    p, q = (_lab(_seen(linear(c), vision)) for c in (a, b))
    return float(sum((x - y) ** 2 for x, y in zip(p, q, strict=True)) ** 0.5)


def _luminance(rgb: Rgb) -> float:
    return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]


def _seen(rgb: Rgb, vision: str) -> Rgb:
    if vision == "normal":
        return rgb
    r, g, b = _times(_RGB, _times(_MISSING[vision], _times(_LMS, rgb)))
    return max(r, 0), max(g, 0), max(b, 0)


def _times(matrix: tuple[Rgb, ...], v: Rgb) -> Rgb:
    a, b, c = (sum(m * x for m, x in zip(row, v, strict=True)) for row in matrix)
    return a, b, c


def _lab(rgb: Rgb) -> Rgb:
    xyz = _times(
        ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505)), rgb
    )
    white = (0.9505, 1.0, 1.089)
    f = [
        (x / w) ** (1 / 3) if x / w > 0.008856 else 7.787 * x / w + 16 / 116
        for x, w in zip(xyz, white, strict=True)
    ]
    return 116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])
