"""Who may do what in a room, and which rows that writes. Pure: time, chance and absence
are arguments."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from tegel.game import CHANCE, BadNotation, IllegalMove, Move, Seat, State, Way
from tegel.room import actions, log
from tegel.room.clock import SECOND
from tegel.room.log import Row
from tegel.room.refused import Refused
from tegel.room.room import NO_SHOW, Chair, Origin, Played, Room, fold
from tegel.room.setup import LEVELS, Place, Setup, cleaned

OUR_BOT = "!bot"  # the player that moves the seats of our bots
MOST_ROWS = 5_000  # of a room: from then on only moves are written, what ends the game
BETWEEN_PEOPLE = "A rated game is between people, each at one seat."
LAST = str | log.Resign | log.Flag | log.Absent | log.Reveal | log.Rematch
"""What may still be written when a room is too long: moves, what ends the game and what comes
after it."""


class Step(NamedTuple):
    """One row, and the room around it."""

    row: Row
    before: Room
    after: Room


def _nobody(_: Seat) -> int:
    return 0


class Circumstances(NamedTuple):
    now: int
    draw: Callable[[State[Move]], Move]  # one of the draws, by their odds
    absent: Callable[[Seat], int] = _nobody  # for how long a seat's player is gone
    grace: int = 120 * SECOND
    origin: Origin | None = None  # of who acts


@dataclass
class Draft:
    """Rows being written."""

    room: Room
    around: Circumstances
    steps: list[Step] = field(default_factory=list)

    def write(self, entry: log.Event | str) -> None:
        """Add a row, an event or the text of a move, and the draws that follow it; raises
        Refused if the room is too long for such a row."""
        if not isinstance(entry, LAST):
            check_rows(self.room)
        self.add(str(entry))
        self.draw()

    def sit(self, seat: Seat, player: str, name: str) -> None:
        """Seat somebody, who wants to be called so; at a rated table it is noted from where they
        come."""
        if name:
            self.room = replace(self.room, names={**self.room.names, player: name})
        if self.room.setup.rated and (origin := self.around.origin):
            self.write(log.From(seat, origin.network, "named" if origin.named else ""))
        self.write(log.Sit(seat, player))

    def draw(self) -> None:
        """Add the draws that are due."""
        while self.room.state.turn == CHANCE and not self.room.over:
            self.add(draw_of(self.room, self.around.draw))

    def add(self, text: str) -> None:
        row = Row(self.room.ply, max(self.around.now, self.room.at), text)
        after = fold(self.room, row)
        self.steps.append(Step(row, self.room, after))
        self.room = after


def check_rows(room: Room) -> None:
    """Raises Refused if the game of a room can only be brought to its end: as every line has
    a longest (see `Game`), so has every log."""
    if room.ply >= MOST_ROWS:
        text = "So much has happened at this table that only moves and resigning are left."
        raise Refused("long", text)


def check_rated(setup: Setup) -> None:
    """Raises Refused if a table can't be rated that is to be."""
    if not setup.rated:
        return
    if not setup.clock:
        raise Refused("rated", "A rated game needs a clock.")
    if setup.hinting:
        raise Refused("rated", "In a rated game there are no hints.")
    known = [place.player for place in setup.places if place.player]
    bots = any(place.kind == "bot" for place in setup.places) or any(map(is_bot, known))
    if bots or len(known) != len(set(known)) or len(setup.places) < 2:
        raise Refused("rated", BETWEEN_PEOPLE)


def draw_of(room: Room, draw: Callable[[State[Move]], Move]) -> str:
    """What chance draws; a draw that was taken back comes again if it still can."""
    again = room.remembered.get(room.draws())
    if again is not None and room.game.parse(again) in room.state.odds():
        return again
    return str(draw(room.state))


def opening(
    room: Room, moves: Sequence[str], sitting: Sequence[Seat], player: str, around: Circumstances
) -> list[Step]:
    """The first rows of a new room: the moves of the game it continues, what is drawn, and
    where a player sits down at once."""
    draft = Draft(room, around)
    for move in moves:
        draft.add(move)
    draft.draw()
    for seat in sitting:
        draft.sit(seat, player, "")
    return draft.steps


def act(room: Room, player: str, action: actions.Action, around: Circumstances) -> list[Step]:
    """The rows that an action writes; none if it was done already; raises Refused."""
    draft = Draft(room, around)
    match action:
        case actions.Move():
            _move(draft, player, action)
        case actions.Sit():
            _sit(draft, player, action)
        case actions.Resign():
            _resign(draft, player, action.seat)
        case actions.Ask():
            _ask(draft, player, whole=action.all)
        case actions.Agree() | actions.Refuse():
            _answer(draft, player, isinstance(action, actions.Agree))
        case actions.Claim():
            _claim(draft, player, action.seat)
        case actions.Replace():
            _replace(draft, player, action)
        case actions.Look():
            _look(draft, player, on=action.on)
        case actions.Rematch():
            raise AssertionError("the house makes rooms")
    return draft.steps


def _move(draft: Draft, player: str, action: actions.Move) -> None:
    room = draft.room
    if player != OUR_BOT:
        _seated(room, player)
    if not room.begun:
        raise Refused("waiting", "The game begins when every seat is taken.")
    if room.over:
        raise Refused("over", "The game is over.")
    if not room.position <= action.ply <= room.ply:
        raise Refused("stale", f"The room is at ply {room.ply}: the position has changed.")
    turn = room.state.turn
    chair = room.chairs[turn]
    if player != (OUR_BOT if chair.level else chair.player):
        raise Refused("turn", f"It is the turn of seat {turn + 1}.", seat=turn)
    if log.is_event(action.move):
        raise Refused("notation", "That is not a move.")
    most = room.game.longest
    if len(room.line) >= most and player != OUR_BOT:  # a bot leads to the end
        text = f"A game has at most {most:,} moves: take some back, or resign."
        raise Refused("moves", text, most=most)
    try:
        draft.write(action.move)
    except BadNotation as error:
        raise Refused("notation", str(error)) from None
    except IllegalMove as error:
        raise illegal(error) from None


def illegal(error: IllegalMove) -> Refused:
    plain: Mapping[str, object] = {
        key: value if isinstance(value, str | int | float | bool | None) else str(value)
        for key, value in error.args_by_name.items()
    }
    refused = Refused("illegal", str(error), error.cells, error.rule)
    refused.args_by_name = dict(plain)
    return refused


def _sit(draft: Draft, player: str, action: actions.Sit) -> None:
    room, seat = draft.room, action.seat
    chair, place = _chair(room, seat), room.setup.places[seat]
    if chair.player == player:
        if chair.left:
            raise Refused("left", "You have left this game.")
        if not chair.level:
            return  # done already
    elif chair.taken:
        raise Refused("taken", f"Seat {seat + 1} is taken.", seat=seat)
    elif place.kind == "person" and place.player != player:
        raise Refused("held", f"Seat {seat + 1} is kept for someone else.", seat=seat)
    if room.over:
        raise Refused("over", "The game is over.")
    if room.setup.rated and (is_bot(player) or set(room.seats_of(player)) - {seat}):
        raise Refused("rated", BETWEEN_PEOPLE)
    draft.sit(seat, player, cleaned(action.name))


def take_over(
    room: Room, seat: Seat, since: int, player: str, name: str, around: Circumstances
) -> list[Step]:
    """A seat goes to another player, with the consent of whoever holds it since a ply (see
    seat links)."""
    draft = Draft(room, around)
    chair = _chair(room, seat)
    if chair.player == player:
        return []
    if not chair.player or chair.since != since or chair.left:
        raise Refused("link", "This link has been used, or is no longer valid.")
    if room.setup.rated:
        raise Refused("rated", "In a rated game everybody keeps the own seat.")
    draft.sit(seat, player, cleaned(name))
    return draft.steps


def flag(room: Room, seat: Seat, around: Circumstances) -> list[Step]:
    draft = Draft(room, around)
    draft.write(log.Flag(seat))
    return draft.steps


def call_off(room: Room, around: Circumstances) -> list[Step]:
    """The row that ends a game to which somebody did not come; none if it has begun or is over."""
    draft = Draft(room, around)
    if not room.begun and not room.over:
        empty = next(seat for seat, chair in enumerate(room.chairs) if not chair.taken)
        draft.write(log.NoShow(empty))
    return draft.steps


def rematch(room: Room, id: str, around: Circumstances) -> tuple[list[Step], Setup]:
    """The row that names the next room, and how that begins: everyone one seat on."""
    if not room.over:
        raise Refused("on", "The game is not over yet.")
    if room.closed == NO_SHOW:
        raise Refused("over", "This game was called off: somebody did not come.")
    draft = Draft(room, around)
    draft.write(log.Rematch(id))
    places = [
        Place("bot" if is_bot(chair.player) else "person", 0, chair.player)
        if chair.player
        else Place("bot", chair.level)
        for chair in room.chairs
    ]
    rotated = (places[-1], *places[:-1])
    return draft.steps, replace(room.setup, id=id, places=rotated, at=around.now)


def _look(draft: Draft, player: str, *, on: bool) -> None:
    """Someone comes to look, or goes; of no matter but for a clock that counts up."""
    room = draft.room
    if not room.setup.clock.up or room.over or not (mine := room.seats_of(player)):
        return
    if room.ply >= MOST_ROWS:
        return
    if on or room.watch.since:
        draft.write(log.Look(mine[0]) if on else log.Away(mine[0]))


def hinted(room: Room, player: str, around: Circumstances) -> list[Step]:
    """A hint that led on is counted."""
    draft = Draft(room, around)
    draft.write(log.Hint(_seated(room, player)[0]))
    return draft.steps


def reveal(room: Room, player: str, position: int, way: Way, around: Circumstances) -> list[Step]:
    """A solution is shown to a player who gives up; it was found for a position."""
    draft, seat = Draft(room, around), _seated(room, player)[0]
    if room.over:
        raise Refused("over", "The game is over.")
    if room.position != position:
        raise Refused("stale", "The position has changed meanwhile.")
    keep = 0 if way.fresh else len(room.line)
    draft.write(log.Reveal(seat, keep, way.moves))
    return draft.steps


def _resign(draft: Draft, player: str, seat: Seat | None) -> None:
    room = draft.room
    mine = _deciding(room, player)
    if seat is None:
        seat = room.turn if room.turn in mine else mine[0]
    if seat not in mine:
        raise Refused("seat", f"Seat {seat + 1} is not yours.", seat=seat)
    if room.over:
        raise Refused("over", "The game is over.")
    if not room.begun:
        raise Refused("waiting", "The game has not begun.")
    draft.write(log.Resign(seat))


def _ask(draft: Draft, player: str, *, whole: bool) -> None:
    room = draft.room
    mine = _deciding(room, player)
    if room.over:
        raise Refused("over", "The game is over.")
    if room.setup.rated:
        raise Refused("rated", "In a rated game nothing is taken back.")
    keep = last_decision(room.line, mine)
    if whole and keep is not None:
        keep = next(place for place, played in enumerate(room.line) if played.seat in mine)
    if keep is None:
        raise Refused("nothing", "There is no move of yours to take back.")
    if any(played.misfit for played in room.line[keep:]):
        raise Refused("misfit", "A tile that did not fit is never taken back.")
    if room.ask:
        if room.ask.seat in mine:
            return
        raise Refused("asked", "Another player asks to take back already.")
    if others(room, player):
        draft.write(log.Ask(room.line[keep].seat, keep))
    else:
        draft.write(log.Takeback(keep))


def last_decision(line: tuple[Played, ...], seats: Sequence[Seat]) -> int | None:
    """The place in the line of the last move that one of the seats made."""
    places = [place for place, played in enumerate(line) if played.seat in seats]
    return places[-1] if places else None


def others(room: Room, player: str) -> set[str]:
    """The people besides a player whose consent a takeback needs."""
    return {
        chair.player
        for chair in room.chairs
        if chair.played_by not in ("", player) and not is_bot(chair.player)
    }


def is_bot(player: str) -> bool:
    """Whether a player is a program, by its own token."""
    return player.startswith("bot-")


def _answer(draft: Draft, player: str, agrees: bool) -> None:
    room = draft.room
    seat = _deciding(room, player)[0]
    if not room.ask:
        raise Refused("nothing", "Nobody asks to take back.")
    asker = room.chairs[room.ask.seat].player
    if not agrees:  # the asker may withdraw
        draft.write(log.Refuse(seat))
        return
    if player == asker or player in room.ask.agreed:
        return
    draft.write(log.Agree(seat))
    ask = draft.room.ask
    assert ask
    if others(room, asker) <= ask.agreed:
        draft.write(log.Takeback(ask.keep))


def _claim(draft: Draft, player: str, seat: Seat) -> None:
    _deciding(draft.room, player)
    _absent(draft, player, seat)
    draft.write(log.Absent(seat))


def _replace(draft: Draft, player: str, action: actions.Replace) -> None:
    room, seat = draft.room, action.seat
    _deciding(room, player)
    chair, place = _chair(room, seat), room.setup.places[seat]
    if action.level not in LEVELS:
        raise Refused("level", f"A bot has a level from {LEVELS[0]} to {LEVELS[-1]}.")
    if room.over:
        raise Refused("over", "The game is over.")
    if chair.level:
        return
    if room.setup.rated:
        raise Refused("rated", BETWEEN_PEOPLE)
    if chair.taken:
        _absent(draft, player, seat)
    elif place.kind == "person" and place.player != player:
        _gone(draft, seat, draft.around.absent(seat))
    elif not room.is_host(player):
        raise Refused("host", "Only who set this table up may fill its seats with bots.")
    draft.write(log.Bot(seat, action.level))


def _absent(draft: Draft, player: str, seat: Seat) -> None:
    """Raise Refused unless the player of a seat keeps the others waiting."""
    room, around = draft.room, draft.around
    chair = _chair(room, seat)
    if room.over:
        raise Refused("over", "The game is over.")
    if chair.level or chair.player == player or not room.begun:
        raise Refused("present", "Only another player can be absent from a game that is on.")
    if room.setup.clock.days:
        raise Refused("days", "With days a move, the clock decides.")
    if room.turn != seat:
        raise Refused("present", f"It is not the turn of seat {seat + 1}.")
    # Nobody keeps others waiting before their own turn.
    _gone(draft, seat, min(around.absent(seat), around.now - room.turn_at))


def _gone(draft: Draft, seat: Seat, absent: int) -> None:
    """Raise Refused unless a player is absent for long enough."""
    if draft.around.absent(seat) <= 0:
        raise Refused("present", f"The player of seat {seat + 1} is here.")
    rest = draft.around.grace - absent
    if rest > 0:
        wait = -(-rest // SECOND)
        raise Refused("grace", f"Please wait {wait} more seconds.", seconds=wait)


def _seated(room: Room, player: str) -> tuple[Seat, ...]:
    """The seats of a player; raises Refused for spectators."""
    if mine := room.seats_of(player):
        return mine
    raise Refused("seat", "Only players at this table can do that.")


def _deciding(room: Room, player: str) -> list[Seat]:
    """The seats for which a player decides; raises Refused for spectators and who has left."""
    if mine := [seat for seat in _seated(room, player) if not room.chairs[seat].left]:
        return mine
    raise Refused("left", "You have left this game.")


def _chair(room: Room, seat: Seat) -> Chair:
    if not 0 <= seat < len(room.chairs):
        raise Refused("seat", f"There are seats 1 to {len(room.chairs)}.")
    return room.chairs[seat]
