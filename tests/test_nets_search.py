"""The search with a net: any function can be one; what it finds, and what it may not do."""

import random
from typing import Any

import pytest

from seen import TABLES, Table, any_move, guide, named, start, uniform
from tegel import games
from tegel.game import CHANCE, State, game_of
from tegel.games.blokus import GAME as BLOKUS
from tegel.search import kernel, level, nets
from tegel.search.bot import bot
from tegel.search.chance import draw
from tegel.search.kernel import Thinker

np = pytest.importorskip("numpy")
pytestmark = [
    pytest.mark.skipif(not nets.GAMES, reason="the native engine was not built"),
    pytest.mark.sliced(2),
]

WIDTH = 256  # moves of a position of Forma that are searched, the likeliest
PIECES = 26  # that may be taken away again there
IDLE = "remove"  # of moves that only undo others


def later(variant: str, left: int) -> Any:
    """A position near the end of a random game: so many moves of all colours at most, two at
    least of who moves."""
    for seed in range(99):
        rng, state = random.Random(seed), BLOKUS.start(variant)
        while not state.outcome:
            all = sum(len(state.legal_for(colour)) for colour in range(len(state.rules.colours)))
            if all <= left and len(state.moves()) > 1:
                return state
            state = state.play(rng.choice(state.moves()))
    raise AssertionError("no game ended so")


@pytest.mark.sliced(4)
@pytest.mark.parametrize("table", TABLES, ids=named)
def test_whole_games_by_legal_moves_all_of_which_are_told(
    table: Table, rng: random.Random, soak: bool
) -> None:
    for _ in range(10 if soak else 1):
        state = start(table)
        thinker = Thinker(state, 1, uniform(state))
        while not state.outcome:
            if state.turn == CHANCE:
                move = draw(state, rng)
            else:
                told = [opinion.move for opinion in thinker.consider(12)]
                legal = set(state.moves())
                assert len(set(told)) == len(told)
                assert legal.issuperset(told)
                if table[0] == "forma" and len(legal) > WIDTH:
                    assert len(told) >= WIDTH - PIECES
                else:
                    assert set(told) == {m for m in legal if not str(m).startswith(IDLE)}
                move = rng.choice(told[:3])
            thinker.play(move)
            state = state.play(move)


@pytest.mark.parametrize("table", TABLES, ids=named)
@pytest.mark.parametrize("batch", [1, 4])
def test_the_same_again(table: Table, batch: int) -> None:
    state, rng = start(table), random.Random(5)
    while state.turn == CHANCE:
        state = state.play(draw(state, rng))

    def told(seed: int) -> list[Any]:
        thinker = Thinker(state, seed, uniform(state), batch)
        first = thinker.consider(40)
        thinker.play(first[0].move)
        if thinker.state.turn == CHANCE:
            thinker.play(draw(thinker.state, random.Random(6)))
        return [first, thinker.consider(40)]

    assert told(7) == told(7)


@pytest.mark.parametrize("batch", [1, 3, 8])
def test_as_many_simulations_as_asked_for(batch: int) -> None:
    state = games.load("blokus").start("two")
    thinker = Thinker(state, 1, uniform(state), batch)
    assert sum(opinion.visits for opinion in thinker.consider(50)) == 50


def test_a_misfit_leaves_engine_and_law_in_the_same_position(
    rng: random.Random, soak: bool
) -> None:
    """As without a net: games by eye in which every third attempt misses."""
    forma, misfits = games.load("forma"), 0
    kernel = forma.kernel
    assert kernel
    for number in range(200 if soak else 8):
        state = forma.start(("two", "four")[number % 2], layout="k11:c4,e9,p15")
        state = state.play(draw(state, rng))
        for _ in range(20 + rng.randrange(40)):  # late positions are the quick ones
            state = state if state.outcome else state.play(rng.choice(state.moves()))
        thinker = Thinker(state, number, uniform(state), 4)
        for _ in range(20):
            if state.outcome:
                break
            move = thinker.consider(5)[0].move
            near = forma.slips(state, move)
            if near and rng.random() < 1 / 3:
                move = rng.choice(near)
                misfits += 1
            state = state.play(move)
            thinker.play(move)
            assert thinker.engine.native.packed == list(kernel.pack(state))
    assert misfits


def best(state: State[Any], **settings: float) -> list[Any]:
    return Thinker(state, 1, uniform(state), 4, **settings).consider(3000)


@pytest.mark.parametrize("variant", ["duo", "two", "three"])
def test_small_endgames_are_solved_as_without_a_net(variant: str) -> None:
    state = later(variant, 12)
    mover = state.turn
    solved = Thinker(state, 1).consider(100_000)
    assert solved[0].exact
    found = best(state)
    assert found[0].exact
    assert found[0].values[mover] == pytest.approx(solved[0].values[mover])


@pytest.mark.parametrize("name", sorted(nets.GAMES - {"blokus"}))
def test_endgames_of_other_games_are_solved_as_without_a_net(name: str) -> None:
    rng, states = random.Random(4), [games.load(name).start()]
    while not states[-1].outcome:
        states.append(states[-1].play(any_move(states[-1], rng)))
    solved = 0
    for state in reversed(states[:-1]):  # the later, the smaller
        if state.turn == CHANCE or len(state.moves()) < 2:
            continue
        plain = Thinker(state, 1).consider(100_000)[0]
        found = Thinker(state, 1, uniform(state), 4).consider(2000)[0]
        assert plain.exact
        assert found.exact
        assert found.values[state.turn] == pytest.approx(plain.values[state.turn])
        solved += 1
        if solved == 3:
            return
    raise AssertionError("there was nothing to choose in the whole game")


@pytest.mark.parametrize("variant", ["duo", "classic"])
def test_without_proofs_the_search_finds_the_best_move_of_an_endgame(variant: str) -> None:
    """By the ends that it reaches alone: the net knows nothing."""
    state = later(variant, 12)
    mover = state.turn
    worth = {one.move: one.values[mover] for one in Thinker(state, 1).consider(100_000)}
    found = best(state, work=0)
    assert not found[0].exact
    assert worth[found[0].move] == pytest.approx(max(worth.values()))


@pytest.mark.parametrize("table", TABLES, ids=named)
def test_a_line_can_be_played_and_ends_at_a_draw(table: Table, rng: random.Random) -> None:
    state = start(table)
    for _ in range(rng.randrange(8)):
        if not state.outcome:
            chance = state.turn == CHANCE
            state = state.play(draw(state, rng) if chance else rng.choice(state.moves()))
    while not state.outcome and state.turn == CHANCE:
        state = state.play(draw(state, rng))
    if state.outcome:
        return
    thinker = Thinker(state, 1, uniform(state), curiosity=0.01)  # narrow and deep
    for opinion in thinker.consider(200)[:3]:
        line, there = thinker.line(opinion.move, 5), state
        assert line[0] == opinion.move
        assert len(line) <= 5
        for move in line:
            assert there.turn != CHANCE
            assert move in there.moves()
            there = there.play(move)


def test_a_line_goes_on_as_far_as_it_is_known_and_to_the_end_where_it_is_proved() -> None:
    state = games.load("blokus").start("duo")
    thinker = Thinker(state, 1, uniform(state), curiosity=0.01)
    best = thinker.consider(200)[0].move
    assert len(thinker.line(best, 3)) == 3
    assert len(thinker.line(best, 1)) == 1
    unknown = thinker.opinions()[-1]
    assert unknown.visits == 0
    assert thinker.line(unknown.move, 3) == [unknown.move]
    with pytest.raises(ValueError, match="no legal move has the number"):
        thinker.engine.line(2**31 - 1, 3)
    state = later("duo", 8)
    thinker = Thinker(state, 1, uniform(state))
    best = thinker.consider(2_000)[0].move
    there = state
    for move in thinker.line(best, 30):
        there = there.play(move)
    assert there.outcome


def test_deepening_goes_on_though_the_choice_be_settled() -> None:
    state = games.load("blokus").start("duo")
    thinker = Thinker(state, 1, liking(state, 17))
    thinker.think(400)
    assert sum(opinion.visits for opinion in thinker.opinions()) < 400
    thinker.deepen(400)
    assert sum(opinion.visits for opinion in thinker.opinions()) == 400
    others = thinker.opinions()[1:3]
    assert all(opinion.visits >= 400 // 25 for opinion in others), "something is known of others"


def liking(state: State[Any], number: int) -> Any:
    """A net that likes one of the moves of a state."""
    liked = guide(state).look()[0][2][number]
    plain = uniform(state)

    def net(planes: Any, scalars: Any) -> Any:
        policy, values = plain(planes, scalars)
        policy[:, liked] = 9
        return policy, values

    return net


def test_what_the_net_likes_is_tried_first() -> None:
    state = games.load("blokus").start("duo")
    net = liking(state, 17)
    first = Thinker(state, 1, net, 1).consider(20)[0]
    kernel = game_of(state).kernel
    assert kernel
    code = guide(state).look()[1][17]
    assert kernel.code(first.move) == code
    assert first.prior > 0.9


def test_what_was_kept_counts() -> None:
    state = games.load("blokus").start("duo")
    thinker = Thinker(state, 1, uniform(state), 2)
    first = thinker.consider(300)[0]
    thinker.play(first.move)
    assert thinker.simulations == first.visits - 1
    thinker.think(first.visits - 1)
    assert thinker.simulations == first.visits - 1


def test_what_is_overlooked_is_not_considered() -> None:
    state = games.load("blokus").start("duo")
    moves = list(state.moves())
    for before in (0, 40):  # simulations
        thinker = Thinker(state, 1, uniform(state))
        thinker.think(before)
        thinker.overlook(moves[5:])
        assert {one.move for one in thinker.consider(60)} == set(moves[:5])
        assert thinker.opinions()[0].visits


def test_a_net_that_fails_does_no_harm() -> None:
    state = games.load("blokus").start("duo")
    plain, calls = uniform(state), []

    def net(planes: Any, scalars: Any) -> Any:
        calls.append(len(planes))
        if len(calls) == 4:
            raise RuntimeError("broken")
        return plain(planes, scalars)

    thinker = Thinker(state, 1, net, 4)
    with pytest.raises(RuntimeError, match="broken"):
        thinker.think(30)
    assert sum(one.visits for one in thinker.consider(30)) == 30


@pytest.mark.parametrize("wrong", ["policy", "values", "number"])
def test_a_net_of_another_shape_is_refused(wrong: str) -> None:
    state = games.load("blokus").start("duo")
    plain = uniform(state)

    def net(planes: Any, scalars: Any) -> Any:
        policy, values = plain(planes, scalars)
        if wrong == "number":
            return policy * np.nan, values
        return (policy[:, 1:], values) if wrong == "policy" else (policy, values[:, :1])

    with pytest.raises(ValueError, match="the net gave"):
        Thinker(state, 1, net).consider(10)


def test_a_game_without_planes_is_not_seen() -> None:
    state = games.load("discovery").start()
    with pytest.raises(ValueError, match="can't play on from here"):
        Thinker(state, 1, lambda _, scalars: (scalars, scalars))
    with pytest.raises(ValueError, match="can't see this game yet: chess"):
        nets.shape("chess", [])


SHIPPED = sorted((nets.FOLDER).glob("*/nets/*.onnx"))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_a_net_that_comes_with_a_variant_fits_it_and_says_what_it_is(path: Any) -> None:
    game = games.load(path.parts[-3])
    state = game.start(path.stem)
    net = nets.shipped(game, state.rules)
    assert net is not None
    assert net.fits(kernel.shape(state)) is net
    assert path.stat().st_size < 3_000_000
    assert (net.card["game"], net.card["variant"]) == (game.name, path.stem)
    assert net.card["results"]
    assert net.effort > level.JUDGED


def test_levels_from_six_on_play_with_the_net_and_no_two_games_are_the_same() -> None:
    state = games.load("blokus").start("duo")
    nets_of = {number: skill.net(state) for number, skill in level.SKILLS.items()}
    assert [number for number, net in nets_of.items() if net] == [6, 7, 8, 9]
    wanted = [level.SKILLS[number].simulations(state) for number in (6, 7, 8, 9)]
    assert wanted[0] == level.JUDGED
    assert wanted == sorted(wanted)
    firsts = {str(bot(6)(state, random.Random(seed))) for seed in range(12)}
    assert len(firsts) > 1
    rng = random.Random(5)
    while not state.outcome:  # also where nothing is to be chosen, or all is proved
        state = state.play(bot(6)(state, rng))


def test_other_rules_than_the_nets_own_are_left_to_rollouts() -> None:
    game = games.load("blokus")
    assert level.SKILLS[9].net(game.start("three")) is None


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("nodes", -1), ("nodes", 0), ("nodes", 1.5), ("nodes", 1e18), ("nodes", float("nan")),
        ("edges", float("inf")), ("curiosity", -0.1), ("work", float("nan")), ("unknown", 1e9),
    ],
)  # fmt: skip
def test_a_setting_out_of_range_is_refused_in_a_sentence(setting: str, value: float) -> None:
    from tegel.search import _nets

    packed = list(kernel.packed(games.load("blokus").start("duo")))
    with pytest.raises(ValueError, match=f"{setting} is .*; it must be a "):
        _nets.guide("blokus", packed, 0, {setting: value})


def test_a_school_refuses_what_it_can_not_hold() -> None:
    from tegel.search import _nets

    packed = list(kernel.packed(games.load("blokus").start("duo")))
    for count, threads in ((0, 1), (-1, 1), (2_000_000, 1), (1, 0), (1, 5000)):
        with pytest.raises(ValueError, match="a school has"):
            _nets.school("blokus", packed, count, 1, threads)
    school = _nets.school("blokus", packed, 2, 1, 2)
    for setting, value in {"simulations": 0, "considered": -3, "opening": 2, "plies": 1e10}.items():
        with pytest.raises(ValueError, match=f"{setting} is"):
            school.practise({setting: value})
    guide = _nets.guide("blokus", packed, 0, {})
    for batch in (0, -5, 2_000_000):
        with pytest.raises(ValueError, match="a batch has"):
            guide.leaves(batch)
    with pytest.raises(ValueError, match="seconds"):
        guide.begin(10, -1.0, True)
    with pytest.raises(ValueError, match="seconds"):
        guide.begin(10, float("nan"), True)
