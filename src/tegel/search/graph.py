"""A report as a graph: chances above, the expected margin below, moves with a mark on both.

It goes on by moves: what is drawn by lot has no width. Of two sides the chance is a line between
two areas; of more each has a line of its own. A bar below says by how many points which side is
expected to lead. The colours are those of the sides on the board, the signs of the marks differ in
shape too."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from tegel import games
from tegel.picture import NEUTRALS, PAINTS, THEMES, Paint
from tegel.search.report import MARKS, Point, Report, Verdict

WIDTH, HEIGHT = 760.0, 340.0
LEFT, RIGHT = 46.0, 744.0
TOP, LOW = 44.0, 200.0  # chances: all and none
BARS, END = 232.0, 304.0  # margins: from here to here
SIGNS = {
    "??": ("M0-7L7 0L0 7L-7 0Z", ("#b3261e", "#ff8a80")),
    "?": ("M0-7L7 6H-7Z", ("#ffd166", "#ffd166")),
    "?!": ("M-5 0A5 5 0 1 0 5 0A5 5 0 1 0-5 0Z", ("#ffffff", "#ffffff")),
}
"""The shapes of the marks around the origin, and what fills them on light and on dark pages."""

WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "chance": "Chance to win", "margin": "Expected lead", "??": "blunder", "?": "mistake",
        "?!": "slip", "move": "move",
    },
    "nl": {
        "chance": "Winstkans", "margin": "Verwachte voorsprong", "??": "blunder", "?": "fout",
        "?!": "onnauwkeurig", "move": "zet",
    },
    "fr": {
        "chance": "Chances de gagner", "margin": "Avance attendue", "??": "gaffe", "?": "erreur",
        "?!": "imprécision", "move": "coup",
    },
    "de": {
        "chance": "Gewinnchance", "margin": "Erwarteter Vorsprung", "??": "Patzer", "?": "Fehler",
        "?!": "Ungenauigkeit", "move": "Zug",
    },
    "it": {
        "chance": "Probabilità di vincere", "margin": "Vantaggio atteso", "??": "errore grave",
        "?": "errore", "?!": "imprecisione", "move": "mossa",
    },
}  # fmt: skip


def svg(report: Report, *, theme: str = "light", language: str = "en") -> str:
    """The graph of a report as one SVG document without references to anything outside."""
    if theme not in THEMES:
        raise ValueError(f"{theme!r} is not a theme: light or dark")
    if language not in WORDS:
        raise ValueError(f"no words in that language, but in {', '.join(WORDS)}: {language!r}")
    return "\n".join([*_Graph(report, THEMES.index(theme), WORDS[language]).parts(), ""])


class _Graph:
    def __init__(self, report: Report, theme: int, words: Mapping[str, str]) -> None:
        self.report, self.theme, self.words = report, theme, words
        own: Mapping[str, Paint] = {**PAINTS, **games.load(report.game).drawing.paints}
        spare = [paint for key, paint in PAINTS.items() if key not in ("stone", "white")]
        self.paints = [own.get(key, spare[i % 4]) for i, key in enumerate(report.colours)]
        self.moves = [0]  # by ply, how many were made
        for ply in range(1, report.plies + 1):
            self.moves.append(self.moves[-1] + (ply not in report.drawn))
        self.last = max(1, self.moves[-1])
        self.leads = [self.lead(point) for point in report.points]
        self.most = max(1.0, *(lead for _, lead in self.leads), 0.0)

    def parts(self) -> Iterator[str]:
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_n(WIDTH)} {_n(HEIGHT)}" '
            f'width="{_n(WIDTH)}" height="{_n(HEIGHT)}" role="img" '
            'font-family="system-ui, sans-serif" font-size="12">'
        )
        yield f"<title>{escape(self.words['chance'])}</title>"
        yield f'<rect width="{_n(WIDTH)}" height="{_n(HEIGHT)}" rx="12" fill="{self.ink("card")}"/>'
        yield from self.heading()
        yield from self.areas() if len(self.paints) == 2 else self.lines()
        yield from self.scale()
        yield from self.bars()
        for verdict in self.report.verdicts:
            if verdict.mark:
                yield self.sign(verdict)
        yield "</svg>"

    def ink(self, name: str) -> str:
        return NEUTRALS[name][self.theme]

    def x(self, ply: int) -> float:
        return self.along(self.moves[ply])

    def along(self, move: int) -> float:
        return LEFT + (RIGHT - LEFT) * move / self.last

    @staticmethod
    def y(chance: float) -> float:
        return LOW + (TOP - LOW) * chance

    def words_at(self, x: float, y: float, text: str, anchor: str = "start", **more: str) -> str:
        extra = "".join(f' {key.replace("_", "-")}="{value}"' for key, value in more.items())
        ink = "" if "fill" in more else f' fill="{self.ink("muted")}"'
        place = f'x="{_n(x)}" y="{_n(y)}" text-anchor="{anchor}"'
        return f"<text {place}{ink}{extra}>{escape(text)}</text>"

    def heading(self) -> Iterator[str]:
        yield self.words_at(
            14, 24, self.words["chance"], font_weight="600", fill=self.ink("ink"), font_size="13"
        )
        x = RIGHT
        for (least, mark), sign in zip(reversed(MARKS), reversed(list(SIGNS)), strict=True):
            text = f"{self.words[mark]} ≥ {100 * least:.0f} %"
            yield self.words_at(x, 24, text, "end")
            x -= 7.2 * len(text) + 10
            yield self.shape(sign, x, 20)
            x -= 18

    def scale(self) -> Iterator[str]:
        for chance in (0.0, 0.5, 1.0):
            y = _n(self.y(chance))
            dash = ' stroke-dasharray="3 4"' if chance == 0.5 else ""
            yield (
                f'<path d="M{_n(LEFT)} {y}H{_n(RIGHT)}" stroke="{self.ink("muted")}" '
                f'stroke-width=".7" opacity=".6"{dash}/>'
            )
            yield self.words_at(LEFT - 8, self.y(chance) + 4, f"{100 * chance:.0f}", "end")
        step = next(s for s in (5, 10, 20, 50, 100, 200, 500) if self.last / s <= 12)
        for move in range(0, self.last + 1, step):
            yield self.words_at(self.along(move), END + 20, str(move), "middle")

    def areas(self) -> Iterator[str]:
        """The chance of the first of two sides: below the line its colour, above the other's."""
        way = self.way([point.chance[0] for point in self.report.points])
        last = self.x(len(self.report.points) - 1)
        for paint, y in zip(self.paints, (LOW, TOP), strict=True):
            yield (
                f'<path d="{way}L{_n(last)} {_n(y)}L{_n(LEFT)} {_n(y)}Z" '
                f'fill="{paint.fill[self.theme]}" opacity=".32"/>'
            )
        yield (
            f'<path d="{way}" fill="none" stroke="{self.ink("ink")}" stroke-width="1.8" '
            'stroke-linejoin="round"/>'
        )

    def lines(self) -> Iterator[str]:
        """A line for each of more than two sides, with its letter at the end."""
        dashes = ("", "9 3", "2 3", "9 3 2 3")
        for side, paint in enumerate(self.paints):
            chances = [point.chance[side] for point in self.report.points]
            dash = f' stroke-dasharray="{dashes[side % 4]}"' if dashes[side % 4] else ""
            yield (
                f'<path d="{self.way(chances)}" fill="none" stroke="{paint.fill[self.theme]}" '
                f'stroke-width="2.6" stroke-linejoin="round"{dash}/>'
            )

    def way(self, chances: Sequence[float]) -> str:
        spots = [f"{_n(self.x(ply))} {_n(self.y(c))}" for ply, c in enumerate(chances)]
        return "M" + "L".join(spots)

    def lead(self, point: Point) -> tuple[int, float]:
        """Which side is expected to lead, and by how much."""
        scores = dict(zip(self.report.sides, point.scores, strict=True))
        first, second, *_ = sorted(scores.values(), reverse=True)
        return max(scores, key=lambda side: scores[side]), first - second

    def bars(self) -> Iterator[str]:
        """By how much who leads: upward the first of two sides, downward the second; of more
        sides all upward."""
        two = len(self.paints) == 2
        zero = (BARS + END) / 2 if two else END
        high = (zero - BARS) / self.most
        wide = max(1.0, min(12.0, 0.7 * (RIGHT - LEFT) / self.last))
        yield self.words_at(
            14, BARS - 9, self.words["margin"], font_weight="600", fill=self.ink("ink"),
            font_size="13",
        )  # fmt: skip
        yield (
            f'<path d="M{_n(LEFT)} {_n(zero)}H{_n(RIGHT)}" stroke="{self.ink("muted")}" '
            'stroke-width=".7" opacity=".6"/>'
        )
        for at, side in ((BARS, 0), (END, 1))[: 1 + two]:
            colour = self.paints[side].edge[self.theme] if two else self.ink("muted")
            y = at + (12 if at == BARS else 0)
            yield self.words_at(LEFT - 8, y, f"+{self.most:.0f}", "end", fill=colour)
        for ply, (side, lead) in enumerate(self.leads):
            if ply < len(self.moves) - 1 and self.moves[ply] == self.moves[ply + 1]:
                continue  # something is drawn before the next move
            tall = lead * high
            top = zero if two and side == 1 else zero - tall
            x = min(max(self.x(ply) - wide / 2, LEFT - wide / 2), RIGHT - wide / 2)
            yield (
                f'<rect x="{_n(x)}" y="{_n(top)}" width="{_n(wide)}" height="{_n(tall)}" '
                f'rx="1" fill="{self.paints[side].fill[self.theme]}"/>'
            )

    def sign(self, verdict: Verdict) -> str:
        side = 0 if len(self.paints) == 2 else verdict.side
        chance = self.report.points[verdict.ply].chance[side]
        said = f"{self.words['move']} {self.moves[verdict.ply]}: {verdict.played.moves[0]}"
        lost = f"\N{MINUS SIGN}{int(100 * verdict.loss)} %"
        return self.shape(
            verdict.mark, self.x(verdict.ply), self.y(chance), f"{said} {verdict.mark} {lost}"
        )

    def shape(self, mark: str, x: float, y: float, title: str = "") -> str:
        path, fill = SIGNS[mark]
        inner = f"<title>{escape(title)}</title>" if title else ""
        return (
            f'<path transform="translate({_n(x)} {_n(y)})" d="{path}" fill="{fill[self.theme]}" '
            f'stroke="{self.ink("ink")}" stroke-width="1.4" stroke-linejoin="round">{inner}</path>'
        )


def _n(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")
