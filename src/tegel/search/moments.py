"""Moments: positions of the engine's games in which one must find the move.

- a **moment** is a position in which few moves are **right** and all others clearly wrong;
- a move is right if it is the best or within the noise of it; by proof, where the position is
  solved. Any other loses at least `GAP` of the chance to win, twice: in a search, and in a deeper
  one from another seed, with a net where the variant has one;
- its **grade** is how hard it is, by what the engine needs to find a right move: 1, a look;
  2, 3, 4, ten times as many simulations each; 5, more.

As text a moment is one line: variant and options, grade, what the best of the wrong moves loses,
the right moves, what follows the best, and the moves that lead there:

    duo | 3 | 0.21 | X.0@d5 | X.0@d5 U.0@e8 | F.0@d9 X.0@h4

`#` begins a remark. The moments of a game lie beside it in `moments.txt`.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TypeVar

from tegel import games
from tegel import record as records
from tegel.game import CHANCE, BadNotation, State, game_of
from tegel.record import Record
from tegel.search import nets
from tegel.search.analysis import Line, Mind
from tegel.search.chance import draw
from tegel.search.kernel import Opinion
from tegel.search.level import hasty
from tegel.words import package

M = TypeVar("M")
GAP = 0.10  # of the chance to win, which every wrong move loses: it would be a mistake
NEAR = 0.05  # of the chance: what loses less is as right as the best, and within the noise
RIGHT = 2  # right moves, at most, by each search
CHOICE = 6  # moves, at least
RIVALS = 4  # moves that are weighed against the best
DEEPER = 2  # times as many simulations in the second search;
NETTED = 600  # or so many, with a net
APART = 4  # plies between two moments of a game
LOOKS = (1, 30, 300, 3_000)  # simulations that find moments of the grades 1 to 4
FILE = "moments.txt"


@dataclass(frozen=True)
class Moment:
    """A position in which one move, or a few, are clearly best."""

    variant: str
    options: dict[str, str]
    grade: int  # 1 to 5
    gap: float  # of the chance to win, that the best of the wrong moves loses
    right: tuple[str, ...]  # the best first
    line: tuple[str, ...]  # what follows, the best move first
    moves: tuple[str, ...]  # that lead there

    def __str__(self) -> str:
        head = " ".join([self.variant, *(f"{k}={v}" for k, v in self.options.items())])
        lists = (" ".join(moves) for moves in (self.right, self.line, self.moves))
        return " | ".join([head, str(self.grade), f"{self.gap:.2f}", *lists])

    def record(self, game: str) -> Record:
        """The game up to the position."""
        return Record(game, self.variant, self.options, moves=self.moves)


def parse(text: str) -> Moment:
    """The moment that a line is; the inverse of `str`."""
    parts = [part.strip() for part in text.split("|")]
    if len(parts) != 6 or not parts[0]:
        raise BadNotation(text, "a moment has six parts with | between them")
    head, grade, gap, right, line, moves = parts
    variant, _, options = head.partition(" ")
    if grade not in tuple("12345"):
        raise BadNotation(text, "a grade is 1 to 5")
    try:
        lost = float(gap)
    except ValueError:
        raise BadNotation(text, "what is lost is a number") from None
    if not right or right.split()[:1] != line.split()[:1]:
        raise BadNotation(text, "a line begins with the best of the right moves")
    return Moment(
        variant, records.options(options), int(grade), lost, tuple(right.split()),
        tuple(line.split()), tuple(moves.split()),
    )  # fmt: skip


def read(text: str) -> tuple[Moment, ...]:
    """The moments of a file."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            try:
                found.append(parse(line))
            except BadNotation as error:
                raise BadNotation(error.text, error.reason, number) from None
    return tuple(found)


@cache
def of(game: str) -> tuple[Moment, ...]:
    """The moments that come with a game."""
    file = resources.files(package(game)) / FILE
    return read(file.read_text("utf-8")) if file.is_file() else ()


# Finding them


def found(
    game: str, variant: str, options: dict[str, str], simulations: int, seed: int
) -> Iterator[Moment]:
    """Moments of one game that the engine plays with itself after a few moves by lot; each was
    found with so many simulations and verified with more."""
    rng = random.Random(f"{game} {variant} {seed}")
    state = games.load(game).start(variant, **options)
    moves: list[str] = []
    opening, last = 2 * len(state.scores), -APART
    mind = None
    while not state.outcome:
        if state.turn == CHANCE:
            move = draw(state, rng)
        elif opening and len(state.moves()) > 1:
            move, opening = hasty(state, rng, (1.0, 1.0)), opening - 1
        else:
            mind = mind or Mind(state, rng.getrandbits(60))
            mind.deepen(simulations // 10)
            if len(moves) - last >= APART and promising(mind):
                seeds = rng.getrandbits(60), rng.getrandbits(60)
                moment = verified(state, variant, options, moves, simulations, seeds)
                if moment:
                    last = len(moves)
                    yield moment
            thought = mind.opinions()
            move = thought[0].move if thought else rng.choice(setup(state))
        moves.append(str(move))
        state = state.play(move)
        if mind:
            mind.play(move)


def setup(state: State[M]) -> Sequence[M]:
    """What may be chosen where the engine has no opinion."""
    kernel = game_of(state).kernel
    assert kernel
    return kernel.setup(state)


def promising(mind: Mind[M]) -> bool:
    """Whether it looks as if few moves were right."""
    state, thought = mind.state, mind.opinions()
    if len(state.moves()) < CHOICE or len(thought) <= RIGHT:
        return False
    side = mind.sides[state.turn]
    chances = [mind.worth(opinion).chance[side] for opinion in thought[: RIVALS + 1]]
    return sum(chances[0] - chance < GAP / 2 for chance in chances) <= RIGHT


def verified(
    state: State[M],
    variant: str,
    options: dict[str, str],
    moves: Sequence[str],
    simulations: int,
    seeds: tuple[int, int],
) -> Moment | None:
    """The moment that a position is, if two searches say so."""
    first = judged(state, simulations, seeds[0])
    net = nets.of(state)
    second = first and judged(state, NETTED if net else DEEPER * simulations, seeds[1], net)
    if not first or not second:
        return None
    if {*first.right} & {*second.wrong} or {*second.right} & {*first.wrong}:
        return None
    right = tuple(dict.fromkeys((*second.right, *first.right)))
    missed = [not finds(state, right, few, seeds[1] + number) for number, few in enumerate(LOOKS)]
    grade = 1 + sum(missed)
    return Moment(variant, options, grade, second.gap, right, second.line, tuple(moves))


@dataclass(frozen=True)
class Judgement:
    """Which moves of a position are right and which wrong, and by how much."""

    right: tuple[str, ...]  # the best first
    wrong: tuple[str, ...]  # of those that were weighed
    gap: float
    line: tuple[str, ...]


def judged(
    state: State[M], simulations: int, seed: int, net: "nets.Net | None" = None
) -> Judgement | None:
    """Which moves of a position are right; nothing if some are neither right nor wrong, or too
    many are right."""
    mind = Mind(state, seed, net)
    mind.deepen(simulations)
    if not promising(mind):
        return None
    side, lines = mind.sides[state.turn], weighed(mind, simulations)
    best = next(lines)
    right, wrong, gaps = [best.moves[0]], [], []
    for line in lines:
        lost = best.chance[side] - line.chance[side]
        if lost >= GAP:
            wrong.append(line.moves[0])
            gaps.append(lost)
        elif lost < NEAR and len(right) < RIGHT:
            right.append(line.moves[0])
        else:
            return None
    return Judgement(tuple(right), tuple(wrong), min(gaps), best.moves) if wrong else None


def weighed(mind: Mind[M], simulations: int) -> Iterator[Line]:
    """The best line of a position, then its rivals; the positions after their moves are searched
    as long as it was. If it is solved, all moves of which something is proved."""
    state, (best, *others) = mind.state, mind.opinions()
    side = mind.sides[state.turn]
    for opinion in (best, *(others if best.exact else likely(mind, others, side))):
        moves = mind.following(opinion.move) if opinion is best else (opinion.move,)
        worth = mind.worth(opinion)
        if not best.exact:
            after = Mind(state.play(opinion.move), mind.seed + 1, mind.net)
            after.deepen(simulations)
            worth = after.standing()
        yield mind.line(moves, worth, side)


def likely(mind: Mind[M], opinions: Sequence[Opinion[M]], side: int) -> list[Opinion[M]]:
    """Moves that may be as good as the best: those tried most, and of those that were tried some
    times, those that went best."""
    tried = list(opinions[:RIVALS])
    rest = [opinion for opinion in opinions[RIVALS:] if opinion.visits >= 10]
    rest.sort(key=lambda opinion: -mind.worth(opinion).chance[side])
    return tried + rest[:2]


def finds(state: State[M], right: Sequence[str], simulations: int, seed: int) -> bool:
    """Whether the engine finds a right move with so many simulations, two times of three."""
    chosen = []
    for number in range(3):
        mind = Mind(state, seed + 1_000 * number)
        mind.deepen(simulations)
        chosen.append(str(mind.opinions()[0].move) in right)
    return sum(chosen) >= 2
