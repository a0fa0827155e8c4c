"""Forma: the law.

- A **seat** has **tiles**: every polyomino of 1 to 5 squares, the single square twice; with
  two players twice as many, which count as one **colour**. It has **markers**, which it puts
  on what it closes in.
- **Obstacles** and the **tower** stand on the board before the first tile lies there.
- A turn is an **attempt**: a tile put down where it was meant to go. It is placed, or it is
  a **misfit** and laid **aside**; then another may be tried once, or declined.
- A square, an obstacle or the tower is **closed in** by the tile that takes its last open
  sides. A **bridge** joins opposite edges; bridges are counted at the end.

A board is sets of squares in integers (see `tegel.cells`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from tegel.cells import Grid
from tegel.game import (
    CHANCE,
    IllegalMove,
    Option,
    Outcome,
    Position,
    Seat,
    heading,
    leaders,
    with_entry,
)
from tegel.games.forma.bridges import Bridges, most
from tegel.games.forma.closings import Closings, closings
from tegel.games.forma.layout import (
    DONE,
    DRAWN,
    PLACED,
    UNKNOWN,
    Layout,
    board,
    given,
    illegal,
)
from tegel.games.forma.tiles import (
    FORMS,
    FULL_HAND,
    TILES,
    Hand,
    Move,
    Moves,
    changed,
    listed,
    places,
    value,
)

CLOSED, TOWER, BRIDGE = 10, 50, 50  # points: for a square or an obstacle; the tower; a bridge
DECLINE = Move("decline")


@dataclass(frozen=True)
class Rules:
    variant: str
    colours: tuple[str, ...]  # by seat
    sets: int  # of 22 tiles and 35 markers, for each seat
    size: int = 20
    layout: str = PLACED
    assist: str = "off"  # off: any attempt is resolved, by eye; on: only what fits is legal

    @property
    def grid(self) -> Grid:
        return board(self.size)

    @property
    def seats(self) -> int:
        return len(self.colours)

    @property
    def hand(self) -> Hand:
        return tuple(count * self.sets for count in FULL_HAND)

    @property
    def markers(self) -> int:
        return 35 * self.sets


VARIANTS: Mapping[str, Rules] = {
    "two": Rules("two", ("blue", "yellow"), sets=2),
    "four": Rules("four", ("blue", "yellow", "red", "green"), sets=1),
}
OPTIONS: Mapping[str, Option] = {
    "layout": Option((PLACED, *DRAWN), open=True, quick="random"),
    "assist": Option(("off", "on")),
}


@dataclass(frozen=True)
class State(Position):
    rules: Rules
    layout: Layout
    hands: tuple[Hand, ...]
    aside: tuple[Hand, ...]  # tiles laid aside, by seat
    tiles: tuple[int, ...]  # squares covered, by seat
    markers: tuple[int, ...]  # squares and obstacles marked, by seat
    seat: Seat = CHANCE  # whose turn it is when the set-up is done; CHANCE: not drawn yet
    ready: bool = False  # the set-up is done
    count: int = UNKNOWN  # how many obstacles chance puts on the board
    misfit: bool = False  # the first attempt of this turn did not fit
    closer: Seat | None = None  # who closed the tower in
    # For pictures; the rules need neither: which tiles lie where, and the latest move.
    laid: tuple[tuple[Move, ...], ...] = field(default=(), compare=False)
    last: Move | None = field(default=None, compare=False)

    @property
    def turn(self) -> Seat:
        by_chance = self.rules.layout in DRAWN and not self.ready
        return CHANCE if by_chance else self.seat

    @cached_property
    def scores(self) -> tuple[int, ...]:
        """Points won, less the tiles in hand and laid aside; bridges only at the end."""
        return tuple(
            self.tiles[seat].bit_count()
            + CLOSED * self.markers[seat].bit_count()
            + TOWER * (self.closer == seat)
            + (BRIDGE * len(self.bridges[seat]) if self.over else 0)
            - value(self.hands[seat])
            - value(self.aside[seat])
            for seat in range(self.rules.seats)
        )

    @cached_property
    def outcome(self) -> Outcome | None:
        if not self.over:
            return None
        return Outcome(leaders(self.scores), "full")

    def moves(self) -> Sequence[Move]:
        return self.legal

    def play(self, move: Move) -> "State":
        if not (move in self.legal or self.admits(move)):
            raise self.refusal(move).at(self)
        state = replace(self, last=move)
        if self.turn == CHANCE:
            return state._drawn(move)
        if not self.ready:
            return replace(state, ready=move == DONE, layout=state.layout.after(move))
        if move == DECLINE:
            return state.passed_on()
        return state._placed(move) if self.fits(move) else state._missed(move)

    def odds(self) -> Mapping[Move, float]:
        return dict.fromkeys(self.legal, 1 / len(self.legal)) if self.turn == CHANCE else {}

    # Facts

    @cached_property
    def over(self) -> bool:
        """Whether no seat has a tile that fits: the turn would have gone to one that has."""
        return self.ready and self.turn != CHANCE and not self.can_place(self.seat)

    @cached_property
    def legal(self) -> Moves:
        """What fits or may be chosen."""
        if self.seat == CHANCE:
            draws = [Move(f"+{colour}") for colour in self.rules.colours]
            return Moves(self.rules.grid, {}, draws)
        if self.turn == CHANCE:
            return self.layout.draws(self.count)
        return self.legal_for(self.seat) if self.ready else self.layout.choices()

    def legal_for(self, seat: Seat) -> Moves:
        """The moves that a seat has, or would have if it were its turn."""
        found = dict(places(self.rules.grid, self.free, self.hands[seat]))
        return Moves(self.rules.grid, found, [DECLINE] if self.misfit and found else [])

    def can_place(self, seat: Seat) -> bool:
        return any(places(self.rules.grid, self.free, self.hands[seat]))

    @cached_property
    def free(self) -> int:
        """The squares that a tile may cover."""
        taken = self.layout.standing
        for squares in (*self.tiles, *self.markers):
            taken |= squares
        return self.rules.grid.full & ~taken

    def fits(self, move: Move) -> bool:
        """Whether a tile would lie on free squares only."""
        grid, free = self.rules.grid, self.free
        return all(cell in grid and free >> grid.offset(cell) & 1 for cell in move.cells)

    def admits(self, move: Move) -> bool:
        """Whether a move is an attempt of a game by eye, fitting or not (F3): a tile in hand
        with at least one of its squares on the board."""
        return (
            self.rules.assist == "off"
            and self.ready
            and self.turn != CHANCE
            and not self.over
            and (move.what, move.turn) in FORMS
            and self.hands[self.seat][TILES.index(move.what)] > 0
            and any(cell in self.rules.grid for cell in move.cells)
        )

    def slips(self, move: Move) -> list[Move]:
        """Attempts by eye that are one square off a move, and do not fit."""
        if move.cell is None:
            return []
        column, row = move.cell
        near = [(column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)]
        moves = [Move(move.what, cell, move.turn) for cell in near]
        return [move for move in moves if self.admits(move) and not self.fits(move)]

    @cached_property
    def bridges(self) -> tuple[Bridges, ...]:
        """By seat, the most bridges that its tiles and markers make (F10)."""
        own = [tiles | marked for tiles, marked in zip(self.tiles, self.markers, strict=True)]
        return tuple(most(self.rules.grid, squares) for squares in own)

    def closings(self, move: Move) -> Closings:
        """What the seat to move closes in by a tile that fits."""
        seat, tile = self.seat, self.rules.grid.mask(move.cells)
        own = tile | self.tiles[seat] | self.markers[seat]
        left = self.rules.markers - self.markers[seat].bit_count()
        closed = closings(self.layout, tile, self.free & ~tile, own, left)
        return closed if self.closer is None else closed._replace(tower=0)

    # What moves do

    def _drawn(self, move: Move) -> "State":
        drawn = move.what[1:]
        if drawn in self.rules.colours:
            return replace(self, seat=self.rules.colours.index(drawn))
        count = int(drawn) if drawn.isdecimal() else self.count
        layout = self.layout.after(move)
        return replace(self, layout=layout, count=count, ready=layout.complete(count))

    def _placed(self, move: Move) -> "State":
        seat, closed = self.seat, self.closings(move)
        covered = self.tiles[seat] | self.rules.grid.mask(move.cells)
        marked = self.markers[seat] | closed.squares | closed.obstacles
        return replace(
            self,
            tiles=with_entry(self.tiles, seat, covered),
            markers=with_entry(self.markers, seat, marked),
            hands=with_entry(self.hands, seat, changed(self.hands[seat], move.what, -1)),
            closer=seat if closed.tower else self.closer,
            laid=with_entry(self.laid, seat, (*self.laid[seat], move)),
        ).passed_on()

    def _missed(self, move: Move) -> "State":
        seat = self.seat
        state = replace(
            self,
            hands=with_entry(self.hands, seat, changed(self.hands[seat], move.what, -1)),
            aside=with_entry(self.aside, seat, changed(self.aside[seat], move.what, 1)),
            misfit=True,
        )
        return state.passed_on() if self.misfit or state.over else state

    def passed_on(self) -> "State":
        """The turn given to the next seat that has a tile that fits (F5); if none has, the
        game is over."""
        count = self.rules.seats
        following = [(self.seat + step) % count for step in range(1, count + 1)]
        seat = next(filter(self.can_place, following), following[0])
        return replace(self, seat=seat, misfit=False)

    # Texts

    def refusal(self, move: Move) -> IllegalMove:
        """Which rule a move breaks, and where."""
        grid, cells = self.rules.grid, move.cells
        if self.over:
            return illegal("over")
        if self.turn == CHANCE:
            return illegal("draw", move=move)
        if move.what.startswith("+"):
            return illegal("drawn", move=move)
        if not self.ready:
            return self.layout.refusal(move)
        if move == DECLINE:
            return illegal("decline")
        if (move.what, move.turn) not in FORMS:
            return illegal("ready", cells, move=move)
        if not self.hands[self.seat][TILES.index(move.what)]:
            return illegal("used", tile=move.what, colour=self.rules.colours[self.seat])
        off = [cell for cell in cells if cell not in grid]
        if off:
            return illegal("off" if len(off) < len(cells) else "outside", off, tile=move.what)
        covered = [cell for cell in cells if not self.free >> grid.offset(cell) & 1]
        return illegal("taken", covered, tile=move.what)

    def __str__(self) -> str:
        rules, grid, layout = self.rules, self.rules.grid, self.layout
        facts = {"turn": "chance" if self.seat == CHANCE else rules.colours[self.seat]}
        facts |= {} if self.ready else {"set-up": "open"}
        facts |= {} if self.count == UNKNOWN else {"count": str(self.count)}
        facts |= {"misfit": "yes"} if self.misfit else {}
        facts |= {} if self.closer is None else {"tower": rules.colours[self.closer]}
        for seat, colour in enumerate(rules.colours):
            laid, aside = self.laid[seat], self.aside[seat]
            facts[f"laid {colour}"] = " ".join(map(str, laid))
            facts[f"aside {colour}"] = " ".join(listed(aside))
            if self.hands[seat] != left(rules, [move.what for move in laid] + listed(aside)):
                facts[f"hand {colour}"] = " ".join(listed(self.hands[seat])) or "nothing"
        facts |= {"last": str(self.last)} if self.last else {}
        letters = dict.fromkeys(grid.cells(layout.obstacles), "#")
        letters |= dict.fromkeys(grid.cells(layout.tower), "*")
        for seat, colour in enumerate(rules.colours):
            letters |= dict.fromkeys(grid.cells(self.tiles[seat]), colour[0].upper())
            for cell in grid.cells(self.markers[seat]):
                letters[cell] = str(seat) if cell in letters else colour[0]
        lines = [heading("forma", rules, OPTIONS)]
        lines += [f"{key}: {fact}" for key, fact in facts.items() if fact]
        for y in range(rules.size - 1, -1, -1):
            lines.append("".join(letters.get((x, y), ".") for x in range(rules.size)))
        return "\n".join(lines) + "\n"


def begin(rules: Rules) -> State:
    layout, seats = Layout(rules.size), rules.seats
    ready = rules.layout not in (PLACED, *DRAWN)
    return State(
        rules,
        given(rules.size, rules.layout) if ready else layout,
        hands=(rules.hand,) * seats,
        aside=((0,) * len(TILES),) * seats,
        tiles=(0,) * seats,
        markers=(0,) * seats,
        ready=ready,
        count=DRAWN.get(rules.layout, UNKNOWN),
        laid=((),) * seats,
    )


def left(rules: Rules, gone: Sequence[str]) -> Hand:
    """What remains of a full hand when these tiles are gone; negative where there are too
    many of them."""
    return tuple(count - gone.count(tile) for tile, count in zip(TILES, rules.hand, strict=True))
