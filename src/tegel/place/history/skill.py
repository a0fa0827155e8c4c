"""How well somebody plays, as a game changes it: plain arithmetic.

A game is **rated** by the method of Weng and Lin (Plackett-Luce), with the library `openskill`: a
player has a mean `mu` and a standard deviation `sigma`. The more often two people play in a day,
the less each of their games counts, or two who agree could raise one of them: the first of a
family within 24 hours counts in full, the second half, the third a quarter, and so on. Of several
people at a table, the two who met most often decide."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from openskill.models import PlackettLuce

from tegel.room.clock import DAY
from tegel.room.ending import Seated

_model = PlackettLuce()


class Skill(NamedTuple):
    """How well somebody plays, and how much that is in doubt."""

    mu: float = 25.0
    sigma: float = 25.0 / 3


NEW = Skill()  # of who has played no rated game


class RatedGame(NamedTuple):
    """A game that counted: when it ended, in which room, and who came where."""

    at: int
    room: str
    seats: tuple[Seated, ...]


def rate(seats: Sequence[Seated], before: Mapping[str, Skill]) -> dict[str, Skill]:
    """What the players of a game have after it; a side is as good as the best rank in it."""
    sides = sorted({seat.side for seat in seats})
    teams = [[seat.player for seat in seats if seat.side == side] for side in sides]
    ranks = [float(min(seat.rank for seat in seats if seat.side == side)) for side in sides]
    known = [[_model.rating(*before[player]) for player in team] for team in teams]
    rated = _model.rate(known, ranks=ranks)
    return {
        player: Skill(after.mu, after.sigma)
        for team, afters in zip(teams, rated, strict=True)
        for player, after in zip(team, afters, strict=True)
    }


class Meetings:
    """When players met of late in rated games of a family, in the order of the games."""

    def __init__(self) -> None:
        self.ends: defaultdict[tuple[str, str], list[int]] = defaultdict(list)

    def add(self, players: Iterable[str], at: int) -> None:
        """Some players met in a game that ended at a time."""
        for pair in combinations(sorted(players), 2):
            self.ends[pair] = [*(end for end in self.ends[pair] if end > at - DAY), at]

    def weight(self, players: Iterable[str], at: int) -> float:
        """How much the next game of some players counts, if it ends at a time."""
        pairs = combinations(sorted(players), 2)
        met = (sum(end > at - DAY for end in self.ends.get(pair, ())) for pair in pairs)
        return float(2.0 ** -max(met, default=0))


def rated(
    games: Iterable[RatedGame], skills: dict[str, Skill], meetings: Meetings
) -> Iterable[tuple[RatedGame, str, Skill]]:
    """What each player has after each of some games, which are in order; `skills`: what they have
    before the first, and afterwards after the last; `meetings`: likewise."""
    for game in games:
        before = {seat.player: skills.get(seat.player, NEW) for seat in game.seats}
        weight = meetings.weight(before, game.at)
        meetings.add(before, game.at)
        for player, after in rate(game.seats, before).items():
            skills[player] = _part(before[player], after, weight)
        for player in before:
            yield game, player, skills[player]


def _part(before: Skill, after: Skill, weight: float) -> Skill:
    """A part of the way from one skill to another."""
    if weight == 1:
        return after
    return Skill(*(old + weight * (new - old) for old, new in zip(before, after, strict=True)))


def met(rows: Iterable[tuple[int, str, str]]) -> Meetings:
    """The meetings that rows of the ratings tell of: when a game ended, its room, a player."""
    found, games = Meetings(), defaultdict[tuple[int, str], set[str]](set)
    for at, room, player in rows:
        games[at, room].add(player)
    for (at, _), players in sorted(games.items()):
        found.add(players, at)
    return found
