"""Imago as text: a move from its notation, a position from its lines."""

from tegel.game import CHANCE, BadNotation
from tegel.games.imago.rules import Move, Rules, State, Step
from tegel.games.imago.stones import COLOURS, GRID, HOLLOWS, SIZE, TOP, Stock, up
from tegel.games.imago.table import NOTHING, Table
from tegel.lattice import Cell, square

WORDS: dict[str, Move] = {
    **{f"+{letter}": Move("draw", drawn=colour) for colour, letter in enumerate(COLOURS)},
    **{f"+{seat}": Move("lot", drawn=seat) for seat in (0, 1)},
    "allow": Move("allow"),
    "end": Move("end"),
    "pass": Move("pass"),
}


def parse(text: str) -> Move:
    """A move from `c4@-1,0` (the stone in hollow c4 to the stock cell one row above the
    first), `capture@2,3` or `claim@2,3` (the shift), `allow`, `end`, `pass`, or a draw.

    >>> parse("c4@-1,0"), str(parse("claim@2,3"))
    (Move(act='take', cell=(2, 3), place=(0, 1), drawn=0), 'claim@2,3')
    """
    text = text.strip()
    if text in WORDS:
        return WORDS[text]
    head, at, place = text.partition("@")
    try:
        if not at:
            raise ValueError("a move is such as c4@-1,0, capture@2,3, claim@2,3, allow, end, pass")
        match head:
            case "capture":
                return Move("capture", up(place, TOP))
            case "claim":
                return Move("claim", up(place, TOP))
            case _:
                return Move("take", square(head), up(place))
    except ValueError as error:
        raise BadNotation(text, str(error)) from None


def restore(rules: Rules, text: str) -> State:
    """A position from the lines that `str` writes below the heading: whose turn it is and
    how far (`player:`, `step:`, `asked:`, `passes:`), what each seat has (`stock.0:` as rows
    from the top, the first stone in lower case; `claim.0:` a shift; `aside.0:` letters;
    `out:` a seat), `last:`, then the rows of the board, `.` for an empty hollow.

    Not all stones need be there; what is there must be possible."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    facts = dict(line.partition(": ")[::2] for line in lines if ":" in line)
    rows = [line for line in lines if ":" not in line]
    try:
        table = Table(rules.kinds, _board(rows), _stocks(facts), _aside(facts))
        state = _turn(State(rules, table), facts)
        _check(state)
    except ValueError as error:
        if isinstance(error, BadNotation):
            raise
        raise BadNotation(text, str(error)) from None
    return state


def _board(rows: list[str]) -> tuple[int, ...]:
    if len(rows) != SIZE or any(len(row) != SIZE for row in rows):
        raise ValueError(f"a board has {SIZE} rows of {SIZE}, with '-' at the corners")
    marks = {(x, TOP - y): mark for y, row in enumerate(rows) for x, mark in enumerate(row)}
    for cell, mark in marks.items():
        if mark not in (COLOURS + "." if cell in HOLLOWS else "-"):
            raise ValueError("a hollow is '.' or a colour A to K; the corners are '-'")
    return tuple(GRID.mask(cell for cell in HOLLOWS if marks[cell] == c) for c in COLOURS)


def _stocks(facts: dict[str, str]) -> tuple[Stock, ...]:
    out = facts.get("out", "").split()
    if not set(out) <= {"0", "1"}:
        raise ValueError("'out:' names the seats, 0 or 1, that are out")
    return tuple(
        Stock(
            _stones(facts.get(f"stock.{seat}", "")),
            up(facts[f"claim.{seat}"], TOP) if f"claim.{seat}" in facts else None,
            str(seat) in out,
        )
        for seat in (0, 1)
    )


def _stones(text: str) -> tuple[tuple[Cell, int], ...]:
    """A stock from its rows; the inverse of `str(stock)`."""
    if not text:
        return ()
    marks = {
        (x, -y): mark
        for y, row in enumerate(text.split("/"))
        for x, mark in enumerate(row)
        if mark != "."
    }
    first = [cell for cell, mark in marks.items() if mark.islower()]
    if len(first) != 1 or any(mark.upper() not in COLOURS for mark in marks.values()):
        raise ValueError("a stock is rows such as aB/.C, its first stone in lower case")
    ((left, low),) = first
    return tuple(
        sorted(((x - left, y - low), COLOURS.index(m.upper())) for (x, y), m in marks.items())
    )


def _aside(facts: dict[str, str]) -> tuple[tuple[int, ...], ...]:
    texts = [facts.get(f"aside.{seat}", "") for seat in (0, 1)]
    if any(letter not in COLOURS for text in texts for letter in text):
        raise ValueError("stones set aside are letters A to K")
    return tuple(tuple(text.count(letter) for letter in COLOURS) for text in texts)


def _turn(state: State, facts: dict[str, str]) -> State:
    last = parse(facts["last"]) if "last" in facts else None
    if "player" not in facts:
        step: Step = "layout" if any(state.table.undrawn) else "lot"
        return State(state.rules, state.table, CHANCE, step, last=last)
    steps: dict[str, Step] = {"first": "first", "taken": "taken", "captured": "captured"}
    player, step_text = facts["player"], facts.get("step", "first")
    passes = facts.get("passes", "0")
    if player not in ("0", "1") or step_text not in steps or passes not in ("0", "1", "2"):
        raise ValueError("player is 0 or 1, step is first, taken or captured, passes are 0, 1 or 2")
    asked = parse(facts["asked"]) if "asked" in facts else None
    return State(state.rules, state.table, int(player), steps[step_text], asked, int(passes), last)


def _check(state: State) -> None:
    """Raises ValueError for what can't be on a table."""
    table = state.table
    if min(table.undrawn) < 0:
        raise ValueError("there are more stones of a colour than the game has")
    if state.player == CHANCE:
        drawn = [cell in table.colour_at for cell in HOLLOWS]
        if any(s.stones or s.claim or s.out for s in table.stocks) or table.aside != (NOTHING,) * 2:
            raise ValueError("stones were taken: whose turn is it ('player: 0')?")
        if sorted(drawn, reverse=True) != drawn:
            raise ValueError("stones are laid out in reading order")
        return
    if all(stock.out for stock in table.stocks):
        raise ValueError("both players can't be out")
    for seat, stock in enumerate(table.stocks):
        if not _connected(stock):
            raise ValueError(f"the stones of stock {seat} don't lie side by side")
        if (stock.claim or stock.out) and len(stock.stones) < 2:
            raise ValueError(f"stock {seat} is too small for a claim")
        if stock.claim and stock.out:
            raise ValueError(f"stock {seat} is out, so it has no claim")
        if stock.stones and not stock.out and not table.images(seat):
            raise ValueError(f"stock {seat} has no image on the board")
    asked = state.asked
    before = State(state.rules, table, state.player, state.step)
    if not before.legal or before.legal[0].act == "end":
        raise ValueError(f"nothing is left to do at step {state.step}: the turn is over")
    if asked and (asked not in before.legal or not table.claims(1 - state.player, asked.cell)):
        raise ValueError(f"{asked} is not a take that can be claimed")


def _connected(stock: Stock) -> bool:
    reached: set[Cell] = set()
    grown = {(0, 0)} & stock.cells
    while grown != reached:
        reached = grown
        grown = reached | (set(Stock(tuple((c, 0) for c in reached)).edge) & stock.cells)
    return reached == stock.cells
