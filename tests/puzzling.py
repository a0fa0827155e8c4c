"""A person before a puzzle in a browser: how one sits down, finds a tile and lays it."""

import random
from typing import Any

from playwright.sync_api import Locator, Page

from browser import Window
from tegel import games, solver
from tegel.games.puzzle import GAME
from tegel.games.puzzle.moves import Move, laid
from tegel.lattice import POLYOMINOES, Shape, forms

DAY = "daily-1-2026-11-09"  # a Monday: five tiles
TINY = "puzzle: tiny\nrule: cover\ntiles: blue I3, red I3, yellow I3\n\n...\n...\n...\n"


def sit(window: Window, variant: str = DAY, game: str = "puzzle", *moves: str, **wish: Any) -> str:
    """A table of this window's own, with some tiles laid, and the window before it."""
    request = window.context.request
    wish = {"game": game, "variant": variant, "clock": "up", **wish}
    made = request.post("/api/rooms", data=wish)
    assert made.ok, made.text()
    room = made.json()
    for move in moves:
        done = request.post(
            f"/api/rooms/{room['id']}/move", data={"ply": room["ply"], "move": move}
        )
        assert done.ok, done.text()
        room = done.json()
    window.sit(room["id"])
    if not room["over"]:
        window.moved(room["ply"])  # that somebody looks is a row
        window.page.wait_for_selector(".timer.running")
    id: str = room["id"]
    return id


def answer(variant: str = DAY) -> list[Move]:
    return [laid(placement) for placement in solver.solve(solver.load(variant)).position or ()]


def long_search() -> list[str]:
    """Moves of Discovery 26 after which a search goes on and on: some tiles laid at random,
    found by trying."""
    game = games.load("discovery")
    assert game.solo
    for seed in range(100):
        rng, state, moves = random.Random(seed), game.start("26"), list[str]()
        while len(moves) < 5:
            move = rng.choice([m for m in state.moves() if "lift" not in str(m)])
            state = state.play(move)
            moves.append(str(move))
        if game.solo.hint(state, 0.5, None).key == "unknown":
            return moves
    raise AssertionError("every search came to an end")


def score(window: Window) -> int:
    shown = window.context.request.get(f"/api/rooms/{window.page.url.split('/')[-1]}").json()
    found: int = shown["scores"][0]
    return found


# Where things are on the screen


def point(page: Page, cell: tuple[float, float]) -> tuple[float, float]:
    """The middle of a square of the board."""
    x, y = page.evaluate(
        """([x, y]) => {
            const plane = document.querySelector('svg.scene > g')
            const at = new DOMPoint(x, -y).matrixTransform(plane.getScreenCTM())
            return [at.x, at.y]
        }""",
        list(cell),
    )
    return x, y


def middle(move: Move) -> tuple[float, float]:
    """The middle of the box of the tile that a move lays: what the pointer holds it by."""
    form = forms(shape(move.tile))[move.turn]
    wide, high = max(x for x, _ in form), max(y for _, y in form)
    return move.cell[0] + wide / 2, move.cell[1] + high / 2


def square(move: Move) -> tuple[int, int]:
    """A square that the tile covers which a move lays."""
    x, y = forms(shape(move.tile))[move.turn][0]
    return move.cell[0] + x, move.cell[1] + y


def elsewhere(move: Move) -> Move:
    """Another first move with the same tile, turned the same way."""
    return next(
        other for other in GAME.start(DAY).moves()
        if other[:2] == move[:2] and other.cell != move.cell
    )  # fmt: skip


def shape(tile: str) -> Shape:
    return POLYOMINOES[tile.rpartition("-")[2]]


def pile(page: Page, tile: str) -> Locator:
    """The pile that a tile of this name lies in, whatever colour is on top."""
    return page.locator(f'.tile[data-tile$="-{tile.rpartition("-")[2]}"]').first


def turned(page: Page, move: Move) -> None:
    """Turn and flip the tile in hand by keys until it has the form of a move."""
    want = str(sorted(forms(shape(move.tile))[move.turn]))
    for key in ("r", "r", "r", "r", "f", "r", "r", "r"):
        if held(page) == want:
            return
        page.keyboard.press(key)
    assert held(page) == want


def held(page: Page) -> str:
    """The form of the tile in hand, read off its drawing in the tray."""
    href = page.locator(".tile.held use").first.get_attribute("href") or ""
    tile, _, turn = href.removeprefix("#s-").rpartition(".")
    return str(sorted(forms(shape(tile))[int(turn)]))


def lay(window: Window, move: Move) -> None:
    """Lay a tile by mouse: click on its pile, turn it, click where it goes."""
    page, ply = window.page, window.ply
    pile(page, move.tile).click()
    turned(page, move)
    page.mouse.move(*point(page, middle(move)))
    page.mouse.click(*point(page, middle(move)))
    window.moved(ply)
