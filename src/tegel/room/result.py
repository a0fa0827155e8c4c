"""How a game in a room ended."""

from dataclasses import dataclass

from tegel.game import Seat, leaders
from tegel.room.room import NO_SHOW, Room, sides_in


@dataclass(frozen=True)
class Result:
    """How a game ended: the seats that won, why (a key among the game's reasons, or
    resign, flag, absent, reveal, noshow), and the rank of each seat, the best being 1."""

    winners: tuple[Seat, ...]
    reason: str
    ranks: tuple[int, ...]


def result(room: Room) -> Result | None:
    """How the game ended. This may take long: a game may count its last points here."""
    if not room.over:
        return None
    if room.closed == NO_SHOW:  # it never began: nobody wins or loses
        return Result((), room.closed, (1,) * len(room.chairs))
    outcome, scores = room.state.outcome, room.state.scores
    staying = sides_in(room)
    seats = range(len(scores))
    inside = [seat for seat in seats if room.sides[seat] in staying]
    if room.closed or not outcome:
        winners = tuple(inside) if len(staying) == 1 else leaders(scores, inside)
    else:
        winners = tuple(seat for seat in outcome.winners if seat in inside)
        if outcome.winners and not winners:
            winners = leaders(scores, inside)
    keys = [(seat not in winners, seat not in inside, -scores[seat]) for seat in seats]
    ranks = tuple(1 + sum(other < key for other in keys) for key in keys)
    reason = room.closed or (outcome.reason if outcome else "")
    return Result(winners, reason, ranks)
