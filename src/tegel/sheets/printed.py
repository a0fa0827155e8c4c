"""A game as a PDF: the plan of its pages, and the pages."""

from dataclasses import dataclass, replace
from functools import cached_property, partial
from html import escape
from importlib import resources
from io import BytesIO
from typing import Any, Generic, TypeVar
from xml.etree.ElementTree import Element

from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph

from tegel import games
from tegel.game import Game, State
from tegel.game.material import Board, Lot, Material
from tegel.picture import Picture
from tegel.sheets import Wish, boards, book, called, kinds, lists, pieces, whole
from tegel.sheets.first import Entry, Facts, first
from tegel.sheets.ink import MM, PLAIN, Ink, drawn, fonts
from tegel.sheets.paper import MARGIN, Page, Paper, paper_of
from tegel.sheets.pieces import Press, Sheet
from tegel.sheets.said import figure, say
from tegel.sheets.text import SMALL
from tegel.words import package, sentence, words

M = TypeVar("M")
S = TypeVar("S", bound=State[Any])

SOLVING = 10.0  # seconds that a solution may take; without one there is no page for it
GREY = "#666666"


def printed(game: Game[M, S], state: S, material: Material, wish: Wish) -> bytes:
    fonts()
    job = Job(game, state, material, wish)
    pages = job.puzzle() if material.whole else job.pages()
    out = BytesIO()
    canvas = Canvas(
        out, job.paper.size, invariant=1, pageCompression=1,
        initialFontName=PLAIN,  # type: ignore[arg-type]  # the stub is wrong: it is a name
    )  # fmt: skip
    canvas.setTitle(f"{job.name}: {job.variant}")
    canvas.setCreator("Tegel")
    ink = Ink(canvas, wish.mono)
    low = job.paper.height - MARGIN - 1
    for number, page in enumerate(pages, 1):
        page.draw(ink)
        said = " \N{MIDDLE DOT} ".join(filter(None, (job.name, page.title)))
        ink.text(*job.paper.point(MARGIN, low), said, 6.5, GREY)
        counted = f"{number} / {len(pages)}"
        ink.text(*job.paper.point(job.paper.width - MARGIN, low), counted, 6.5, GREY, "end")
        canvas.showPage()
    canvas.save()
    return out.getvalue()


@dataclass(frozen=True)
class Job(Generic[M, S]):
    game: Game[M, S]
    state: S
    material: Material
    wish: Wish

    @cached_property
    def paper(self) -> Paper:
        return paper_of(self.wish.paper)

    @cached_property
    def cell(self) -> float:
        if not self.material.whole:
            return self.wish.cell or self.material.cell
        board, lot = self.board(self.material.boards[0]), self.material.lots[0]
        if self.wish.cell and not whole.fits(board, lot, self.wish.cell, self.paper):
            raise pieces.too_large(self.wish.cell)
        return self.wish.cell or whole.fitting(board, lot, self.material.cell, self.paper)

    @cached_property
    def picture(self) -> Picture:
        """Nothing yet but all sprites and paints."""
        drawing = self.game.drawing
        own = {**drawing.sprites_of(self.state), **self.material.sprites}
        return Picture(self.game.name, (), (), {**drawing.sprites, **own}, drawing.paints)

    @cached_property
    def press(self) -> Press:
        return Press(self.picture, self.cell, self.paper, self.wish.mono)

    # Words

    def tell(self, key: str, **args: object) -> str:
        return say(self.wish.language, key, **args)

    def titled(self, key: str, **args: object) -> str:
        """What the game says of some material."""
        return sentence(self.game.name, "material", key, args, self.wish.language)

    def lot_title(self, lot: Lot) -> str:
        return self.titled(lot.title, colour=lot.colour, count=lot.count)

    @cached_property
    def said(self) -> dict[str, dict[str, str]]:
        return words(self.game.name, self.wish.language)

    @cached_property
    def name(self) -> str:
        return self.said["game"]["name"]

    @cached_property
    def variant(self) -> str:
        return called(self.game, self.state, self.wish.language)

    @cached_property
    def about(self) -> str:
        """What a game is about, or what there is to do."""
        if self.game.solo is None:
            return self.said["game"]["about"]
        task = self.game.solo.task(self.state)
        args = {"count": task.tiles, "colour": task.colour}
        return sentence(self.game.name, "goals", task.rule, args, self.wish.language)

    # Pages

    def pages(self) -> list[Page]:
        """The first page, boards, pieces, lists and rules."""
        cut_up = pieces.sheets(self.material.lots, self.cell, self.paper, self.notes)
        body: list[Page] = []
        entries: list[Entry] = []
        parts = 1
        for board in self.material.boards:
            root, start, title = self.board(board), len(body), self.titled(board.title)
            cut = boards.parts(root, board.plane, self.cell, self.paper)
            for page in boards.pages(cut, self.paper, partial(self.part, title, cut)):
                body += self.leaf(page)
            entries.append(Entry(title, 0, start, len(body) - 1))
            parts = max(parts, cut.count)
        spans: dict[Lot, list[int]] = {}
        for sheet in cut_up:
            start = len(body)
            body += self.leaf(*self.cut_out(sheet))
            for head in sheet.heads:
                spans.setdefault(head.lot, []).extend((start, len(body) - 1))
        for lot, span in spans.items():
            how = self.titled(lot.how) if lot.how else ""
            entries.append(Entry(self.lot_title(lot), lot.count, span[0], span[-1], how))
        for tally in self.material.tallies:
            title = self.titled(tally.title)
            entries.append(Entry(title, 0, len(body), len(body)))
            body.append(lists.tally(tally, title, self.press, self.paper))
        rules = self.rules()
        entries.append(Entry(self.tell("rules"), 0, len(body), len(body) + len(rules) - 1))
        body += rules
        return [*self.opening(entries, parts, len(body)), *body]

    def opening(self, entries: list[Entry], parts: int, count: int) -> list[Page]:
        """The first page and its back."""
        sides = self.wish.sides
        for before in (sides, 2 * sides):
            facts = Facts(
                self.name, self.variant, self.about, self.cell, parts, sides, before + count,
                tuple(
                    replace(entry, first=before + entry.first + 1, last=before + entry.last + 1)
                    for entry in entries
                ),
                self.wish.language, self.paper,
            )  # fmt: skip
            found = first(facts, self.front())
            if len(found) <= before:
                break
        return found + [Page(lambda _: None)] * (before - len(found))

    def puzzle(self) -> list[Page]:
        """A small puzzle on one page, and how it is solved on the next."""
        board, lot = self.board(self.material.boards[0]), self.material.lots[0]
        texts = (
            self.variant,
            self.about,
            self.tell("whole", cell=figure(self.wish.language, self.cell)),
        )
        return [whole.puzzle(board, lot, self.press, self.paper, texts), *self.solution()]

    def leaf(self, front: Page, back: Page | None = None) -> list[Page]:
        """A sheet that is cut up, so that nothing else may stand on its back."""
        return [front] if self.wish.sides == 1 else [front, back or self.empty()]

    def empty(self) -> Page:
        return Page(self._empty)

    def _empty(self, ink: Ink) -> None:
        middle = self.paper.point(self.paper.width / 2, self.paper.height / 2)
        ink.text(*middle, self.tell("empty"), 8, GREY, "middle")

    def board(self, board: Board) -> Element:
        plane = replace(board.plane, x=0, y=0, scale=1, title="", note="")
        return drawn(replace(self.picture, planes=(plane,), marks=board.marks), self.wish.mono)

    def part(self, title: str, cut: boards.Parts, column: int, row: int) -> str:
        """What a sheet of a board is called."""
        if cut.count == 1:
            return title
        columns, rows = len(cut.columns) - 1, len(cut.rows) - 1
        return self.tell(
            "part", title=title, column=column + 1, columns=columns, row=row + 1, rows=rows
        )

    @cached_property
    def notes(self) -> dict[str, int]:
        """How many lines the text of a lot has, by its key."""
        found = {}
        for lot in self.material.lots:
            if lot.how:
                _, height = self.note(lot).wrap(self.paper.wide * MM, 1000)
                found[lot.how] = round(height / SMALL.leading)
        return found

    def note(self, lot: Lot) -> Paragraph:
        return Paragraph(escape(self.titled(lot.how), quote=False), SMALL)

    def cut_out(self, sheet: Sheet) -> tuple[Page, Page | None]:
        """A sheet of pieces: its front, and its back if there is something on it."""
        titles = [self.lot_title(head.lot) for head in sheet.heads]
        front = Page(partial(self._fronts, sheet), ", ".join(titles))
        if not pieces.has_backs(sheet):
            return front, None
        back = self.tell("backs", title=", ".join(titles))
        return front, Page(lambda ink: self.press.backs(ink, sheet.spots), back)

    def _fronts(self, sheet: Sheet, ink: Ink) -> None:
        for head in sheet.heads:
            ink.text(*self.paper.point(MARGIN, head.y + 5), self.lot_title(head.lot), 10)
            if head.lot.how and head.begins:
                note = self.note(head.lot)
                _, height = note.wrap(self.paper.wide * MM, 1000)
                x, top = self.paper.point(MARGIN, head.y + 6.5)
                note.drawOn(ink.canvas, x, top - height)
        self.press.fronts(ink, sheet.spots)

    def rules(self) -> list[Page]:
        title = self.tell("rules")
        return book.rules(self.game.name, self.wish.language, self.paper, self.wish.mono, title)

    def solution(self) -> list[Page]:
        """How a small puzzle is solved, if it can be and that is found in time."""
        solo = self.game.solo
        way = solo.solution(self.state, SOLVING, None) if solo else None
        if way is None or not way.moves:
            return []
        state = self.state
        for move in way.moves:
            state = state.play(self.game.parse(move))
        picture = self.game.picture(state, self.wish.language).only("board")
        planes = tuple(replace(plane, x=0, y=0, scale=1) for plane in picture.planes)
        root = drawn(replace(picture, planes=planes), self.wish.mono)
        title = f"{self.tell('solution')}: {self.variant}"
        return [whole.solution(root, title, self.cell, self.paper)]

    def front(self) -> Element | None:
        """What the game looks like, for the first page."""
        file = resources.files(package(self.game.name)) / "pictures" / "front.txt"
        usual = self.state.rules.variant in kinds(self.game)[0]
        if usual and file.is_file():
            shown = games.shown(file.read_text("utf-8"), self.wish.language).only("board")
            return drawn(shown, self.wish.mono)
        return self.board(self.material.boards[0]) if self.material.boards else None
