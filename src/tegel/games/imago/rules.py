"""Imago: the law of turns. See `stones` for stocks, shifts and images, `table` for what a
table allows.

- A **take** moves a stone from the board into the player's **stock**; a **capture** sets
  the stock aside together with an isolated group on the board that is its image.
- A turn is a take, a capture, or a take and then a capture; an extra take follows a capture.
- After a take the opponent may **claim** an image of the own stock that holds the stone:
  the take is undone, and the claimant's stock is tied to that image until it is captured.
- Whoever can neither take nor capture passes; two passes in succession end the game.

A take that the opponent may forbid waits in `asked`, and is made when it is allowed.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, NamedTuple

from tegel.cells import bits
from tegel.game import CHANCE, IllegalMove, Outcome, Position, Seat, heading, leaders
from tegel.games.imago.stones import BOARD, COLOURS, GRID, HOLLOWS, SIZE, TOP, down
from tegel.games.imago.table import Table
from tegel.lattice import Cell, name, names

SIDES = ("left", "right")
"""What the players are called, by seat: their stocks lie left and right of the board."""


@dataclass(frozen=True)
class Rules:
    variant: str
    kinds: tuple[int, ...]  # by colour: colours of one kind count as the same


VARIANTS: Mapping[str, Rules] = {
    "imago": Rules("imago", tuple(range(len(COLOURS)))),
    "shapes": Rules("shapes", (0,) * len(COLOURS)),
}

Act = Literal["draw", "lot", "take", "capture", "claim", "allow", "end", "pass"]
Step = Literal["layout", "lot", "first", "taken", "captured"]
"""Where the play stands: stones are laid out; who begins is drawn; a turn begins; a take was
made and a capture may follow; a capture was made and a take follows."""


class Move(NamedTuple):
    act: Act
    cell: Cell = (0, 0)  # take: the stone's hollow; capture, claim: the shift
    place: Cell = (0, 0)  # take: the stock cell
    drawn: int = 0  # draw: the colour; lot: the seat that begins

    def __str__(self) -> str:
        match self.act:
            case "draw":
                return f"+{COLOURS[self.drawn]}"
            case "lot":
                return f"+{self.drawn}"
            case "take":
                return f"{name(self.cell)}@{down(self.place)}"
            case "capture" | "claim":
                return f"{self.act}@{down(self.cell, TOP)}"
            case _:
                return self.act


@dataclass(frozen=True)
class State(Position):
    rules: Rules
    table: Table
    player: Seat = CHANCE  # whose turn it is
    step: Step = "layout"
    asked: Move | None = None  # the take that the opponent may forbid
    passes: int = 0  # in succession
    last: Move | None = field(default=None, compare=False)

    @property
    def turn(self) -> Seat:
        return 1 - self.player if self.asked else self.player

    @cached_property
    def scores(self) -> tuple[int, ...]:
        stocks, aside = self.table.stocks, self.table.aside
        return tuple(sum(aside[seat]) + len(stocks[seat].stones) for seat in (0, 1))

    @property
    def outcome(self) -> Outcome | None:
        if self.passes < 2:
            return None
        return Outcome(leaders(self.scores), "passed")

    def moves(self) -> Sequence[Move]:
        return self.legal

    @cached_property
    def legal(self) -> tuple[Move, ...]:
        if self.outcome:
            return ()
        if self.asked:
            images = self.table.claims(1 - self.player, self.asked.cell)
            return *(Move("claim", image.shift) for image in images), Move("allow")
        match self.step:
            case "layout":
                undrawn = self.table.undrawn
                return tuple(Move("draw", drawn=colour) for colour, n in enumerate(undrawn) if n)
            case "lot":
                return Move("lot", drawn=0), Move("lot", drawn=1)
            case "first":
                return (*self._takes(), *self._captures()) or (Move("pass"),)
            case "taken":
                return *self._captures(), Move("end")
            case "captured":
                return tuple(self._takes())

    def _takes(self) -> Iterator[Move]:
        for place, hollows in self.table.takes(self.player).items():
            for cell in GRID.cells(hollows):
                yield Move("take", cell, place)

    def _captures(self) -> Iterator[Move]:
        return (Move("capture", image.shift) for image in self.table.captures(self.player))

    def odds(self) -> Mapping[Move, float]:
        match self.step:
            case "layout":
                undrawn = self.table.undrawn
                return {move: undrawn[move.drawn] / sum(undrawn) for move in self.legal}
            case "lot":
                return dict.fromkeys(self.legal, 0.5)
            case _:
                return {}

    # What moves do

    def play(self, move: Move) -> "State":
        if move not in self.legal:
            raise self.refusal(move).at(self)
        match move.act:
            case "draw":
                table = self.table.with_drawn(move.drawn)
                step: Step = "lot" if table.stones == BOARD else "layout"
                return replace(self, table=table, step=step, last=move)
            case "lot":
                return replace(self, player=move.drawn, step="first", last=move)
            case "take":
                if self.table.claims(1 - self.player, move.cell):
                    return replace(self, asked=move, last=move)
                return self._took(move)
            case "allow":
                assert self.asked
                return self._took(self.asked)
            case "claim":
                return self._claimed(move)
            case "capture":
                return self._captured(move)
            case "end":
                return self._turned()
            case "pass":
                return replace(self, passes=self.passes + 1, last=move)._turned()

    def _took(self, take: Move) -> "State":
        table = self.table.with_take(self.player, take.cell, take.place)
        state = replace(self, table=table, asked=None, passes=0, last=take)
        # After an extra take the stock has one stone, too few for another capture.
        return replace(state, step="taken") if table.captures(self.player) else state._turned()

    def _claimed(self, move: Move) -> "State":
        table = self.table.with_claim(1 - self.player, move.cell)
        # There is a move left: at the first step a pass, if nothing else. After a capture a
        # take: the claimant has another image, or the take would have been forbidden, and the
        # stones that only the other holds are free now.
        return replace(self, table=table, asked=None, last=move)

    def _captured(self, move: Move) -> "State":
        image = self.table.image(self.player, move.cell)
        assert image
        table = self.table.with_capture(self.player, image.hollows)
        state = replace(self, table=table, step="captured", passes=0, last=move)
        return state if state.legal else state._turned()

    def _turned(self) -> "State":
        return replace(self, player=1 - self.player, step="first")

    # Refusals

    def forbidden(self) -> Mapping[Cell, str]:
        """Each stone that the player whose turn it is may not take, with the rule: `claimed`,
        `last` (the opponent's stock would lose its last image), `tied` (the player's own
        claim), or `image` (the player's stock would have none)."""
        if self.player == CHANCE:
            return {}
        found = {}
        theirs, own = self.table.stocks[1 - self.player], self.table.stocks[self.player]
        needed, free = self.table.needed(1 - self.player), 0
        for hollows in self.table.takes(self.player).values():
            free |= hollows
        for offset in bits(self.table.stones & ~free):
            if needed >> offset & 1:
                rule = "claimed" if theirs.claim else "last"
            else:
                rule = "out" if own.out else "tied" if own.claim else "image"
            found[GRID.cell(offset)] = rule
        return found

    def refusal(self, move: Move) -> IllegalMove:
        """Which rule a move breaks, and where."""
        if self.outcome:
            return self._illegal("over")
        if self.player == CHANCE or move.act in ("draw", "lot"):
            return self._refused_draw(move)
        if self.asked:
            if move.act != "claim":
                return self._illegal("answer", [self.asked.cell], take=self.asked)
            return self._refused_image(move, 1 - self.player) or self._illegal(
                "elsewhere", [self.asked.cell], shift=down(move.cell, TOP)
            )
        match move.act:
            case "take" if self.step != "taken":
                return self._refused_take(move)
            case "capture" if self.step != "captured":
                return self._refused_image(move, self.player) or self._refused_capture(move)
            case "take" | "capture":
                return self._illegal(self.step)
            case "claim" | "allow":
                return self._illegal("unasked")
            case _:
                return self._illegal(move.act)

    def _refused_draw(self, move: Move) -> IllegalMove:
        match self.step:
            case "layout" if move.act == "draw":
                return self._illegal("undrawn", colour=COLOURS[move.drawn])
            case "layout" | "lot":
                return self._illegal(self.step)
            case _:
                return self._illegal("chance")

    def _refused_take(self, move: Move) -> IllegalMove:
        table, stock = self.table, self.table.stocks[self.player]
        if move.cell not in HOLLOWS:
            return self._illegal("hollow", [move.cell])
        if move.cell not in table.colour_at:
            return self._illegal("empty", [move.cell])
        rule = self.forbidden().get(move.cell)
        if rule in ("claimed", "last"):
            theirs = table.images(1 - self.player)
            cells = {cell for image in theirs for cell in image.cells}
            return self._illegal(rule, sorted(cells), stone=name(move.cell))
        if move.place not in stock.edge:
            rule = "apart" if stock.stones else "origin"
            rule = "filled" if move.place in stock.cells else rule
        elif not rule:
            rule = "tied" if stock.claim else "image"
        return self._illegal(rule or "", [move.cell], place=down(move.place))

    def _refused_image(self, move: Move, seat: Seat) -> IllegalMove | None:
        """Why a shift can't be captured or claimed: it is no image, or not the claimed one."""
        if self.table.image(seat, move.cell):
            return None
        stock, shift = self.table.stocks[seat], down(move.cell, TOP)
        if stock.out:
            return self._illegal("out")
        if stock.claim:
            return self._illegal("bound", [stock.claim], claim=down(stock.claim, TOP))
        return self._illegal("match", [move.cell], shift=shift, player=SIDES[seat])

    def _refused_capture(self, move: Move) -> IllegalMove:
        table, image = self.table, self.table.image(self.player, move.cell)
        assert image
        if len(image.cells) < 2:
            return self._illegal("small", image.cells)
        if joined := GRID.beside(image.hollows) & table.stones:
            return self._illegal("joined", GRID.cells(joined), image=names(image.cells))
        return self._illegal("disturbs", image.cells)

    def _illegal(self, rule: str, cells: Sequence[Cell] = (), **args: object) -> IllegalMove:
        said: dict[str, object] = {"at": names(cells)}
        if self.player != CHANCE:
            said |= {"player": SIDES[self.player], "opponent": SIDES[1 - self.player]}
        return IllegalMove("imago", rule, cells, **said | args)

    def __str__(self) -> str:
        """The position as text; see `notation.restore`."""
        table = self.table
        lines = [heading("imago", self.rules, {})]
        if self.player != CHANCE:
            lines += [f"player: {self.player}", f"step: {self.step}"]
        lines += [f"asked: {self.asked}"] if self.asked else []
        lines += [f"passes: {self.passes}"] if self.passes else []
        for seat, stock in enumerate(table.stocks):
            lines += [f"stock.{seat}: {stock}"] if stock.stones else []
            lines += [f"claim.{seat}: {down(stock.claim, TOP)}"] if stock.claim else []
            lines += [f"out: {seat}"] if stock.out else []
            aside = "".join(COLOURS[c] * n for c, n in enumerate(table.aside[seat]))
            lines += [f"aside.{seat}: {aside}"] if aside else []
        lines += [f"last: {self.last}"] if self.last else []
        letters = {cell: COLOURS[colour] for cell, colour in table.colour_at.items()}
        for y in range(TOP, -1, -1):
            cells = [(x, y) for x in range(SIZE)]
            lines.append("".join(letters.get(c, "." if c in HOLLOWS else "-") for c in cells))
        return "\n".join(lines) + "\n"


def begin(rules: Rules) -> State:
    return State(rules, Table(rules.kinds))
