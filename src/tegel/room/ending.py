"""A game that is over, as its players keep it: what was played, who sat where, and how it came
out for each. What an `ending` takes of the rules (result and points) is an argument: to find those
out may take long."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from tegel.game import CHANCE, Seat
from tegel.room import log
from tegel.room.judge import is_bot
from tegel.room.log import Row
from tegel.room.result import Result
from tegel.room.result import result as result_of
from tegel.room.room import NO_SHOW, Room, opened
from tegel.room.setup import Setup
from tegel.room.stopwatch import Outages

How = Literal["won", "lost", "drawn", "shared"]
"""How a game came out for a player; `shared`: one player had all sides, for several people at one
screen."""
Against = Literal["people", "bots", ""]


@dataclass(frozen=True)
class Seated:
    """A seat of a game that is over."""

    player: str  # empty: one of our bots,
    level: int  # of this level
    side: int
    rank: int  # the best is 1; equals share
    score: int  # by the rules
    points: int  # what play brought, from 0 on: as the table shows it
    left: str = ""  # why its player was out before the end


@dataclass(frozen=True)
class Part:
    """The part of one player in a game that is over."""

    player: str
    how: How
    rank: int  # of the player's side among all sides
    by: int  # points of the score to the next side, or to the first; 0: that is not why
    points: int
    against: Against  # people if there was one; programs are bots
    level: int  # of the strongest of our bots among the others, 0: none


@dataclass(frozen=True)
class Ending:
    room: str
    game: str
    variant: str
    family: str
    clock: str
    at: int
    moves: int  # of players
    reason: str
    rated: bool  # whether it counts for ratings
    sides: int
    seats: tuple[Seated, ...]
    parts: tuple[Part, ...]


def ending(room: Room, result: Result, scores: Sequence[int], points: Sequence[int]) -> Ending:
    """A room that is over, with its result, its scores by the rules and what play brought."""
    seats = tuple(
        Seated(
            chair.player, 0 if chair.player else chair.level, side, result.ranks[seat],
            scores[seat], points[seat], chair.left,
        )
        for seat, (chair, side) in enumerate(zip(room.chairs, room.sides, strict=True))
    )  # fmt: skip
    players = dict.fromkeys(chair.player for chair in room.chairs if chair.player)
    setup = room.setup
    return Ending(
        room=setup.id,
        game=setup.game,
        variant=setup.variant,
        family=room.game.family(setup.variant),
        clock=str(setup.clock),
        at=room.at,
        moves=sum(played.seat != CHANCE for played in room.line),
        reason=result.reason,
        rated=counts(room),
        sides=len(set(room.sides)),
        seats=seats,
        parts=tuple(_part(player, seats, result.winners, room.closed) for player in players),
    )


def final(
    setup: Setup, rows: Sequence[Row], outages: Outages, names: Mapping[str, str]
) -> tuple[Ending | None, Mapping[str, str]]:
    """The ending of a room from storage, and what players are called there; None if it is not
    over, or its ending is not kept. To find out its result may take long."""
    if rows and isinstance(rows[-1].event, log.Rematch):  # which comes after the end
        rows = rows[:-1]
    room = opened(setup, rows, outages, names)
    found = result_of(room) if is_kept(room) else None
    if found is None:
        return None, room.names
    return ending(room, found, room.state.scores, room.game.gained(room.state)), room.names


def is_kept(room: Room) -> bool:
    """Whether the ending of a game that is over is kept: not of a puzzle, which is its room, nor
    of a game that was called off."""
    return not room.game.solo and room.closed != NO_SHOW


def counts(room: Room) -> bool:
    """Whether a game counts for ratings: its table was made for that, nobody played it within one
    network, and everybody moved once. Somebody who never came, or left at once, wins and loses
    nothing."""
    moved = {played.seat for played in room.line}
    return room.setup.rated and not room.unrated() and moved >= set(range(len(room.chairs)))


def _part(player: str, seats: Sequence[Seated], winners: Sequence[Seat], closed: str) -> Part:
    mine = {seat.side for seat in seats if seat.player == player}
    best = {
        side: (
            min(seat.rank for seat in seats if seat.side == side),
            max(seat.score for seat in seats if seat.side == side),
        )
        for side in {seat.side for seat in seats}
    }
    won = {seats[seat].side for seat in winners}
    rank, score = min((best[side] for side in mine), key=lambda one: (one[0], -one[1]))
    others = [best[side] for side in best if side not in mine]
    how: How = "shared" if not others else "lost"
    if others and mine & won:
        how = "won" if won <= mine else "drawn"
    top = max((score for _, score in others), default=score)
    if how == "lost":  # behind whoever won, who need not have the highest score
        top = max((best[side][1] for side in won), default=score)
    by = 0 if closed or how in ("drawn", "shared") else abs(score - top)
    opponents = [seat for seat in seats if seat.player != player]
    people = any(seat.player and not is_bot(seat.player) for seat in opponents)
    return Part(
        player,
        how,
        1 + sum(other < rank for other, _ in others),
        by,
        max(seat.points for seat in seats if seat.player == player),
        "people" if people else "bots" if opponents else "",
        max((seat.level for seat in opponents), default=0),
    )
