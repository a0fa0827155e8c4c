"""A net against rollouts, or against a net with other settings, at equal processor time.

    python bench/nets.py [--variant duo] [--net FILE] [--seconds 0.3] [--games 40] [--jobs 1]
        [--batch 8] [--simulations 100:10000] [--after 30] [--rival net=FILE,batch=1,curiosity=1.1]

Games come in pairs with the same opening and seats exchanged; the share is the net's, with the
interval of 95 %. An opening is some moves by lot after which no side stands better, by the engine
with rollouts: in Duo, for one, most others decide the game, and both of a pair go to the same seat
whoever plays. Time is that of the thread that thinks, so that a busy machine does no
harm: a player asks for as many simulations as it made in that time so far in the position before,
and what both really took is told. With --simulations both have a fixed number instead. Each game
has a number, from which its opening is drawn; with --after the first ones are left out, so that a
match that was broken off can go on.

With --rival the other one plays with a net, too: the same if no other is named, with what is named
otherwise than usual: so many leaves at a time (batch), a setting of the search (see puct.hpp), or
margin=0, to play for the win alone. What is not named is as usual.
"""

import argparse
import random
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from tegel import games
from tegel.game import State, game_of
from tegel.search import nets
from tegel.search.kernel import Thinker
from tegel.search.level import hasty
from tegel.search.match import doubt

OPENING = 2  # moves by lot, a seat, at most
FAIR = 0.1  # how far the chances of the sides may be from equal ones after an opening,
JUDGE = 3000  # by so many simulations
FIRST = 0.2  # of the time that is used to see how long a simulation takes here


@dataclass(frozen=True)
class Match:
    game: str
    variant: str
    net: str  # a file
    seconds: float
    simulations: tuple[int, int]  # the net's, the other's; 0: by time
    batch: int
    rival: str  # what is special about the other one, if that is a net


class Timed:
    """A thinker that takes some seconds of processor time a move."""

    def __init__(
        self, thinker: Thinker[Any], seconds: float, simulations: int, guess: float
    ) -> None:
        self.thinker, self.seconds, self.simulations = thinker, seconds, simulations
        self.rate = guess  # simulations a second
        self.spent, self.moves, self.made = 0.0, 0, 0

    def choose(self) -> Any:
        began, kept = time.thread_time(), self.thinker.simulations
        self.thinker.think(self.simulations or kept + self.count(FIRST * self.seconds))
        if not self.simulations:
            new, used = self.thinker.simulations - kept, time.thread_time() - began
            if new > 0:
                self.rate = new / used
            self.thinker.think(kept + new + self.count(self.seconds - used))
        best = self.thinker.opinions()[0]
        self.spent += time.thread_time() - began
        self.moves += 1
        self.made += max(0, self.thinker.simulations - kept)
        return best.move

    def count(self, seconds: float) -> int:
        return max(1, round(self.rate * seconds))


def played(match: Match, number: int) -> tuple[float, float, list[tuple[float, int, int]]]:
    """The net's share of a game and its margin; for both seconds, moves and simulations."""
    state = opened(match, random.Random(number // 2))
    net = loaded(match.net, state)
    both = Thinker(state, number, net, match.batch), rival(match, state, number + 1)
    two = [
        Timed(thinker, match.seconds, simulations, 500 if thinker.net else 20_000)
        for thinker, simulations in zip(both, match.simulations, strict=True)
    ]
    sides = game_of(state).sides(state)
    while not state.outcome:
        move = two[(sides[state.turn] + number) % 2].choose()
        for one in two:
            one.thinker.play(move)
        state = state.play(move)
    mine = [seat for seat, side in enumerate(sides) if (side + number) % 2 == 0]
    winners = state.outcome.winners
    share = sum(seat in mine for seat in winners) / len(winners)
    own = sum(state.scores[seat] for seat in mine) / len(mine)
    others = [score for seat, score in enumerate(state.scores) if seat not in mine]
    margin = own - sum(others) / len(others)
    return share, margin, [(one.spent, one.moves, one.made) for one in two]


def rival(match: Match, state: State[Any], seed: int) -> Thinker[Any]:
    """Who plays against the net."""
    if not match.rival:
        return Thinker(state, seed)
    said = dict(one.split("=") for one in match.rival.split(","))
    net = loaded(said.pop("net", match.net), state)
    if said.pop("margin", "1") == "0":
        net = for_the_win(net)
    batch = int(said.pop("batch", nets.BATCH))
    return Thinker(state, seed, net, batch, **{name: float(one) for name, one in said.items()})


def for_the_win(net: Any) -> Any:
    """A net that is not interested in how large a win is."""

    def judge(planes: Any, scalars: Any) -> tuple[Any, Any]:
        policy, values = net(planes, scalars)
        values[..., 1] = values[..., 0]
        return policy, values

    return judge


def opened(match: Match, lot: random.Random) -> State[Any]:
    """A fair position after some moves by lot."""
    while True:
        state: State[Any] = games.load(match.game).start(match.variant)
        for _ in range(lot.randint(1, OPENING * len(state.scores))):
            state = state.play(hasty(state, lot, (1.0, 1.0)))
        sides = game_of(state).sides(state)
        best = Thinker(state, 1).consider(JUDGE)[0]
        if all(abs(best.wins[seat] - 1 / len(set(sides))) < FAIR for seat in range(len(best.wins))):
            return state


def loaded(file: str, state: Any) -> Any:
    """The net of a file, or the one that comes with Tegel."""
    if file:
        return nets.load(Path(file))
    net = nets.shipped(game_of(state), state.rules)
    if not net:
        raise SystemExit("there is no net for this variant: name a file with --net")
    return net


def main() -> None:
    asked = argparse.ArgumentParser(usage=(__doc__ or "").replace("%", "%%"))
    asked.add_argument("--game", default="blokus")
    asked.add_argument("--variant", default="duo")
    asked.add_argument("--net", default="")
    asked.add_argument("--seconds", type=float, default=0.3)
    asked.add_argument("--simulations", default="0:0")
    asked.add_argument("--games", type=int, default=40)
    asked.add_argument("--after", type=int, default=0)
    asked.add_argument("--jobs", type=int, default=1)
    asked.add_argument("--batch", type=int, default=nets.BATCH)
    asked.add_argument("--rival", default="")
    said = asked.parse_args()
    first, second = map(int, said.simulations.split(":"))
    match = Match(
        said.game, said.variant, said.net, said.seconds, (first, second), said.batch, said.rival
    )
    shares, margins, spent = [], [], [[0.0, 0, 0], [0.0, 0, 0]]
    with ProcessPoolExecutor(said.jobs, mp_context=get_context("spawn")) as pool:
        numbers = range(said.after, said.games)
        for share, margin, took in pool.map(played, [match] * len(numbers), numbers):
            shares.append(share)
            margins.append(margin)
            for sums, new in zip(spent, took, strict=True):
                sums[:] = [a + b for a, b in zip(sums, new, strict=True)]
            told = "; ".join(
                f"{name} {one[0] / one[1]:.3f} s and {one[2] / one[1]:.0f} simulations a move"
                for name, one in zip(("net", said.rival or "rollouts"), spent, strict=True)
            )
            print(
                f"\r{len(shares)} games, the net's share {sum(shares) / len(shares):.1%}"
                f" +- {doubt(shares):.1%}, margin {sum(margins) / len(margins):+.1f}; {told}",
                end="",
                flush=True,
            )
    print()


if __name__ == "__main__":
    main()
