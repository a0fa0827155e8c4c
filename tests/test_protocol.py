"""Our protocol for engines, docs/protocol.md: our engine as controllers meet it, other people's as
players, and a second one in sixty lines."""

import io
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tegel import games
from tegel.engines import client, engine
from tegel.engines.client import Client, Remote
from tegel.engines.engine import Engine, serve
from tegel.engines.outside import Outside, find
from tegel.engines.program import LONGEST
from tegel.engines.protocol import Identity, Limits, Line, Option, position, told
from tegel.games import final
from tegel.games.imago.stones import COLOURS, COUNTS
from tegel.games.tantrix.tiles import EDGES
from tegel.lattice import POLYOMINOES, shape_of
from tegel.record import Record
from tegel.search.match import pairings, played
from tegel.search.players import Thinking

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parent.parent
SIXTY = f"{sys.executable} {ROOT / 'examples' / 'engine.py'}"
OURS = f"{sys.executable} -m tegel engine"
DUO = "position blokus duo moves F.0@d9"


def talk(*lines: str, name: str = "x50") -> list[str]:
    """What the engine says to some lines."""
    target = io.StringIO()
    serve(io.BytesIO("\n".join(lines).encode()), target, name, seed=1)
    return target.getvalue().splitlines()


# The words

numbers = st.floats(0, 1000).map(lambda x: float(f"{x:.6g}"))
word = st.from_regex(r"[A-Za-z0-9+.@,-]{1,9}", fullmatch=True).filter(lambda w: w != "moves")


@given(
    st.builds(
        Limits, st.integers(0, 9), st.integers(0, 10**7), st.integers(0, 3600).map(float),
        st.booleans(), st.integers(1, 100),
    )
)  # fmt: skip
def test_limits_are_read_as_they_are_written(limits: Limits) -> None:
    assert Limits.parse(str(limits).split()[1:]) == limits


@given(
    st.builds(
        Line, st.lists(word, min_size=1).map(tuple), st.integers(1, 99),
        st.none() | st.integers(0, 10**9), st.none() | numbers, st.none() | st.integers(0, 10**9),
        st.none() | st.lists(numbers, min_size=2, max_size=4).map(tuple),
        st.none() | st.lists(numbers, min_size=2, max_size=4).map(tuple), st.booleans(),
    )
)  # fmt: skip
def test_lines_are_read_as_they_are_written(line: Line) -> None:
    assert Line.parse(str(line).split()[1:]) == line


@given(st.lists(word).map(tuple), st.dictionaries(st.sampled_from("ab"), word))
def test_positions_are_read_as_they_are_written(
    moves: tuple[str, ...], options: dict[str, str]
) -> None:
    record = Record("blokus", "duo", options, {}, moves)
    assert told(position(record).split()[1:]) == record


def test_an_identity_is_read_as_it_is_written_and_what_is_unknown_is_skipped() -> None:
    options = {
        "seed": Option("seed", "number", "0", 0, 9),
        "style": Option("style", "word", "calm"),
    }
    one = Identity("A b", "C", {"blokus": ("duo",), "imago": ("imago", "shapes")}, options)
    lines = str(one).splitlines()
    assert Identity.parse(["id colour red", "copyright 1999", *lines]) == one
    with pytest.raises(ValueError, match="this is version 1 of the protocol"):
        Identity.parse([*lines[:-1], "tegelok 2"])


def test_words_about_a_line_that_nobody_knows_are_skipped() -> None:
    assert Line.parse(["hash", "line", "line", "2", "moves", "pass"]) == Line(("pass",), 2)
    assert Line.parse(["text", "my", "moves", "are", "good"]) is None


# The page about notation, from which others write engines without our library


def test_the_page_has_every_tile_as_it_is() -> None:
    page = (ROOT / "docs" / "notation.md").read_text("utf-8")
    tiles = re.findall(r"^    (\w+) +([X.]+(?: [X.]+)*)$", page, re.M)
    assert {name: shape_of(*rows.split()) for name, rows in tiles} == dict(POLYOMINOES)
    edges = re.findall(r"(?:^ | ) ?(\d+) ([RYBG]{6})", page, re.M)
    assert [edge for _, edge in sorted(edges, key=lambda one: int(one[0]))] == list(EDGES)
    stones = re.findall(r"([A-K]) (\d)", page)
    assert stones == [(c, str(n)) for c, n in zip(COLOURS, COUNTS, strict=True)]


def test_what_the_page_shows_of_a_game_is_there() -> None:
    """Moves and draws are read, options are named."""
    page = (ROOT / "docs" / "notation.md").read_text("utf-8")
    count = 0
    for name in games.names():
        game = games.load(name)
        part = page.split(f"\n## {name.capitalize()}\n")[1].split("\n## ")[0]
        moves = re.findall(r"`(\+\w\S*|[\w.]+@[^`.]+|[a-t]\d+(?:,[a-t]\d+)+)`", part)
        assert all(game.parse(move) for move in moves)
        count += len(moves)
        assert all(f"`{key}" in part for one in game.variants for key in game.options_of(one))
    assert count > 15


# Our engine


def test_it_says_who_it_is_and_every_game_that_it_plays() -> None:
    said = talk("tegel")
    assert said[-1] == "tegelok 1"
    assert {line.split()[1] for line in said if line.startswith("game ")} == set(games.names())
    assert "game blokus classic teams two three duo" in said
    assert "option player word x50" in said


def test_go_is_answered_by_lines_and_one_best_move() -> None:
    *lines, best = talk(DUO, "go simulations 200 lines 3")
    infos = [Line.parse(line.split()[1:]) for line in lines]
    assert [info.line for info in infos if info] == [1, 2, 3]
    first = infos[0]
    assert first
    assert best == f"bestmove {first.moves[0]}"
    assert first.wins
    assert sum(first.wins) == pytest.approx(1, abs=1e-4)
    state = games.load("blokus").start("duo").play(games.load("blokus").parse("F.0@d9"))
    assert len(first.moves) > 1
    for move in first.moves:  # what follows is legal, one after the other
        state = state.play(games.load("blokus").parse(move))


def test_the_same_seed_and_simulations_give_the_same_move() -> None:
    twice = [talk(f"setoption seed {seed}", DUO, "go simulations 60")[-1] for seed in (5, 5, 6, 7)]
    assert twice[0] == twice[1]
    assert len(set(twice)) > 1


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("go", "error 'go': there is no position yet"),
        ("fly away", "error 'fly away': no such command"),
        ("position blokus", "error 'blokus': a position is a game, a variant, options and moves"),
        ("position chess x", "error 'chess': no such game"),
        ("position puzzle daily", "error 'puzzle': is for one person"),
        ("position blokus huge", "error 'huge': blokus has no such variant"),
        ("position blokus duo a=b", "error 'a': blokus duo has no such option"),
        ("position blokus duo moves Z.9@a1", "error ply 1, 'Z.9@a1': "),
        ("position blokus duo moves 1.0@a1", "error ply 1, 1.0@a1: The first tile of"),
        (
            "position blokus duo moves" + " a1" * 85,
            "error '85 moves': a game of blokus has",
        ),
        ("position " + "x" * LONGEST, "error 'position xxx"),
        ("setoption mood good", "error 'mood': no such option; there are player, seed"),
        ("setoption seed -1", "error '-1': seed is a number from 0 to 2,147,483,647"),
        ("setoption player best", "error 'best': a player is random, greedy"),
        ("setoption seed", "error 'setoption seed': no such command"),
    ],
)
def test_what_it_can_not_do_is_one_sentence(line: str, sentence: str) -> None:
    said = talk(line, "isready")
    assert len(said) == 2
    assert said[0].startswith(sentence)
    assert said[1] == "readyok"


@pytest.mark.parametrize(
    ("limits", "sentence"),
    [
        ("level 10", "'10': level is a number from 0 to 9"),
        ("level", "'': level is a number"),
        ("simulations 1e99", "'1e99': simulations is a number from 0 to 10,000,000"),
        ("seconds nan", "'nan': seconds is a number"),
        ("seconds 0", "'0': seconds is more than nothing"),
        ("lines 3 lines 4", "'lines 3 lines 4': lines is there twice"),
        ("depth 3", "'depth': no such limit; there are level, simulations, seconds, lines"),
    ],
)
def test_limits_have_bounds(limits: str, sentence: str) -> None:
    (said,) = talk(DUO, f"go {limits}")
    assert said.startswith(f"error {sentence}")


def test_a_position_that_is_refused_changes_nothing() -> None:
    said = talk(DUO, f"{DUO} a1", "go level 1")
    assert said[0].startswith("error ply 2, a1: ")
    assert said[1].startswith("bestmove ")
    said = talk(DUO, "position blokus duo moves a1", "go level 1")  # of another game
    assert said[0].startswith("error ply 1, a1: ")
    assert said[1].startswith("bestmove ")


def test_chance_and_finished_games_are_not_asked() -> None:
    assert talk("position tantrix two", "go") == [
        "error 'go': chance decides here: go on with a draw"
    ]
    (pairing,) = pairings("blokus", "duo", {}, ("random", "random"), 1)
    record = Record("blokus", "duo", moves=played(pairing).record.moves)
    assert talk(position(record), "go") == ["error 'go': the game is over here"]


def test_what_is_no_text_is_refused_and_it_goes_on() -> None:
    target = io.StringIO()
    serve(io.BytesIO(b"\xff\xfe\x00\n\r\n  \nisready\r\nisready"), target)
    first, *rest = target.getvalue().splitlines()
    assert first.endswith("no such command")
    assert rest == ["readyok", "readyok"]


class Heard:
    """An engine that is spoken to while it thinks, and what it said."""

    def __init__(self, name: str = "x50") -> None:
        self.lines: list[str] = []
        self.there = threading.Condition()
        self.engine = Engine(self.say, name, seed=1)

    def say(self, text: str) -> None:
        with self.there:
            self.lines += text.splitlines()
            self.there.notify_all()

    def until(self, start: str, count: int = 1) -> str:
        def found() -> list[str]:
            return [line for line in self.lines if line.startswith(start)]

        with self.there:
            assert self.there.wait_for(lambda: len(found()) >= count, timeout=60), self.lines
            return found()[count - 1]


def test_it_thinks_until_it_is_stopped_and_tells_what_it_thinks_meanwhile() -> None:
    heard = Heard()
    heard.engine.hear(DUO)
    heard.engine.hear("go infinite")
    heard.until("info", 3)
    heard.engine.hear("isready")
    heard.until("readyok")
    heard.engine.hear(DUO)
    assert heard.until("error") == "error 'position': wait for bestmove, or say stop"
    assert not [line for line in heard.lines if line.startswith("bestmove")]
    heard.engine.hear("stop")
    heard.until("bestmove")
    heard.engine.hear("stop")  # it does not think: nothing
    heard.engine.hear("go level 1")
    heard.until("bestmove", 2)
    heard.engine.hear("go infinite")
    heard.engine.hear("quit")
    assert heard.engine.ended
    heard.until("bestmove", 3)


def simulated(lines: list[str]) -> list[int]:
    """How many simulations were made when each line was told."""
    return [int(line.split()[line.split().index("simulations") + 1]) for line in lines]


def test_the_first_limit_that_is_reached_ends_it() -> None:
    limits = ("level 7 simulations 10", "level 7", "level 9 simulations 20 seconds 60")
    few, level, many = simulated([talk(DUO, f"go {limit}")[0] for limit in limits])
    assert few <= 10 < level
    assert many <= 20


def test_an_endless_search_at_a_level_thinks_as_that_level_does() -> None:
    heard = Heard()
    heard.engine.hear(DUO)
    heard.engine.hear("go level 6")
    heard.until("bestmove")
    heard.engine.hear("newgame")
    heard.engine.hear(DUO)
    heard.engine.hear("go infinite level 6")
    heard.until("info", 2)
    assert not heard.engine.stopped.wait(0.3)
    assert len([line for line in heard.lines if line.startswith("bestmove")]) == 1
    heard.engine.hear("stop")
    heard.until("bestmove", 2)
    first, *rest = simulated([line for line in heard.lines if line.startswith("info")])
    assert rest == [first]


def test_what_it_found_out_is_kept_while_the_game_goes_on() -> None:
    heard = Heard("6")
    heard.engine.hear(DUO)
    heard.engine.hear("go")
    reply = heard.until("bestmove").split()[1]
    player = heard.engine.player
    assert isinstance(player, Thinking)
    heard.engine.hear(f"{DUO} {reply}")
    assert heard.engine.player is player
    assert player.thinker
    assert player.thinker.simulations > 0
    heard.engine.hear("position blokus duo moves X.0@d8")
    assert heard.engine.player is None


# Other people's engines


@pytest.mark.parametrize("name", games.names())
def test_sixty_lines_play_every_game_to_the_end(name: str) -> None:
    """The engine in `examples`, told every draw, against ours at random."""
    (pairing,) = pairings(name, "", {}, (f"!{SIXTY}", "random"), 1, seed=3)
    assert final(played(pairing, find).record).outcome


def test_the_example_is_short_and_its_errors_are_told() -> None:
    code = (ROOT / "examples" / "engine.py").read_text().split('"""', 2)[2]
    assert len([line for line in code.splitlines() if line.strip()]) <= 60
    with Client(SIXTY) as engine:
        assert engine.identity.name == "Sixty lines"
        engine.set("seed", "4")
        engine.position(Record("blokus", "duo"))
        answer = engine.go(Limits(lines=2))
        assert answer.lines[0].moves == (answer.move,)
        with pytest.raises(ValueError, match=r"engine.py: refused 'isready': .*starting square"):
            engine.position(Record("blokus", "duo", moves=("1.0@a1",)))
        with pytest.raises(ValueError, match="has no option level; it has seed"):
            engine.set("level", "3")
        with pytest.raises(ValueError, match="seed is a number from 0 to 1,000,000"):
            engine.set("seed", "x")
    assert engine.program.process
    assert engine.program.process.returncode == 0


def test_our_engine_is_asked_and_watched_by_our_client() -> None:
    seen: list[Line] = []
    with Client(OURS) as engine:
        engine.position(Record("blokus", "duo", moves=("F.0@d9",)))

        def watch(line: Line) -> None:
            seen.append(line)
            engine.stop()

        answer = engine.go(Limits(infinite=True), watch)
        assert seen
        state = games.load("blokus").start("duo").play(games.load("blokus").parse("F.0@d9"))
        assert answer.move in map(str, state.moves())
        with pytest.raises(ValueError, match="engine: does not play discovery"):
            engine.position(Record("discovery"))


BAD = """
import sys
for line in sys.stdin:
    word = line.split()[0]
    if word == "tegel":
        GREET
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "go":
        MISBEHAVE
"""
GREET = "print('id name Bad', 'game blokus duo', 'tegelok 1', sep='\\n', flush=True)"


@pytest.mark.parametrize(
    ("misbehaviour", "sentence"),
    [
        ("print('bestmove a1', flush=True)", "a1 is not legal: The first tile"),
        ("print('bestmove pass', flush=True)", "'pass' is no move"),
        ("print('bestmove', flush=True)", "'bestmove' is no move"),
        ("print('error no idea', flush=True)", "refused 'go': 'no idea'"),
        ("print('let me see', flush=True)", "'go' was answered 'let me see'"),
        ("print('info line x moves a1', flush=True)", "'line x moves a1': what follows 'line'"),
        ("sys.exit(1)", "ended instead of answering 'go'"),
        ("sys.stdin.read()", "no answer to 'go' in 2 s"),
        ("while True: print('info text well')", "no answer to 'go' in 2 s"),
        ("while True: sys.stdout.write('info well')", "'go' was answered by a line of over"),
        ("print('bestmove caf\\xe9\\x07' + 'x' * 9999, flush=True)", r"'café\x07xxx"),
    ],
)
def test_what_an_engine_does_wrong_is_told_in_a_sentence(
    misbehaviour: str, sentence: str, tmp_path: Path
) -> None:
    file = tmp_path / "bad.py"
    file.write_text(BAD.replace("GREET", GREET).replace("MISBEHAVE", misbehaviour), "utf-8")
    state: Any = games.load("blokus").start("duo")
    other = Outside(f"{sys.executable} {file}", patience=2)
    try:
        other.begin(state, 1)
        with pytest.raises(ValueError, match=re.escape("bad.py: ")) as told:
            other.choose(state)
        assert str(told.value).partition("bad.py: ")[2].startswith(sentence)
        assert len(str(told.value)) < 400
    finally:
        other.end()
    assert other.program.process
    assert other.program.process.poll() is not None


@pytest.mark.parametrize(
    ("greeting", "sentence"),
    [
        ("print('hello', flush=True)", "'tegel' was answered 'hello'"),
        ("print('tegelok 2', flush=True)", "this is version 1 of the protocol"),
        ("print('option x number', 'tegelok 1', sep='\\n', flush=True)", "an option is a name"),
        ("while True: print('id name again')", "says more than 10,000 lines about itself"),
        ("print('game imago imago', 'tegelok 1', sep='\\n', flush=True)", "does not play blokus"),
        ("sys.exit()", "ended instead of answering 'tegel'"),
        ("sys.stdin.read()", "no answer to 'tegel' in 2 s"),
    ],
)
def test_a_greeting_that_is_none_is_told_in_a_sentence(
    greeting: str, sentence: str, tmp_path: Path
) -> None:
    file = tmp_path / "bad.py"
    file.write_text(BAD.replace("GREET", greeting).replace("MISBEHAVE", "pass"))
    other = Outside(f"{sys.executable} {file}", patience=2)
    with pytest.raises(ValueError, match=re.escape(sentence)):
        other.begin(games.load("blokus").start("duo"), 1)
    other.end()


def test_an_engine_is_told_a_game_from_its_beginning_on() -> None:
    state = games.load("blokus").start("duo")
    with pytest.raises(ValueError, match="from its beginning on"):
        client.record(state.play(state.moves()[0]))
    player = Remote(Client("cat"))
    assert player.limits == Limits()


def test_a_match_is_played_against_an_engine_of_any_game(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tegel", "match", "random", "--game", "imago", "--games", "2",
         "--against", f"{OURS} 1", "--save", str(tmp_path)],
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert all(final(games.read(file.read_text())).outcome for file in tmp_path.iterdir())


def test_it_does_not_think_on_when_nobody_is_there_any_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(engine, "LEAVING", 0.2)
    began = time.monotonic()
    assert talk(DUO, "go simulations 10000000")[-1].startswith("bestmove ")
    assert time.monotonic() - began < 20


def test_who_interrupts_it_is_not_kept_waiting() -> None:
    with subprocess.Popen(
        OURS.split(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(f"{DUO}\ngo infinite\n".encode())
        process.stdin.flush()
        assert process.stdout.readline().startswith(b"info ")
        try:
            for _ in range(6):  # one that comes just before it listens again is heard with the next
                process.send_signal(signal.SIGINT)
                with suppress(subprocess.TimeoutExpired):
                    process.wait(5)
                    break
            assert process.poll() == 130
        finally:
            process.kill()
