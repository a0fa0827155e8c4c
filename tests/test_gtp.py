"""The GTP dialect of Blokus engines, spoken by a scripted controller."""

import io
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

import pytest

from tegel import games
from tegel.engines.gtp import Engine, serve
from tegel.engines.outside import Gtp, Outside
from tegel.games.blokus import GAME
from tegel.games.blokus.notation import parse
from tegel.search.players import Thinking
from waiting import until

pytestmark = pytest.mark.slow


def talk(*lines: str, engine: Engine | None = None) -> list[str]:
    """The answers to some lines, as a controller reads them."""
    target = io.StringIO()
    serve(engine or Engine("two", level=3, seed=1), io.StringIO("\n".join(lines) + "\n"), target)
    text = target.getvalue()
    assert text == "" or text.endswith("\n\n")
    return text.split("\n\n")[:-1]


def test_answers_begin_with_a_sign_and_the_number_and_end_with_an_empty_line() -> None:
    assert talk("12 name", "protocol_version", "13 nonsense", "nonsense") == [
        "=12 Tegel",
        "= 2",
        "?13 unknown command",
        "? unknown command",
    ]


def test_comments_empty_lines_and_control_characters_are_no_commands() -> None:
    assert talk("", "# nothing", "   ", "name # who\r") == ["= Tegel"]


def test_every_listed_command_is_known() -> None:
    (listed,) = talk("list_commands")
    names = listed.removeprefix("= ").split("\n")
    wanted = (
        "all_legal clear_board cputime final_score g genmove get_value known_command "
        "list_commands loadsgf name p param play protocol_version quit reg_genmove savesgf "
        "set_game set_random_seed showboard time_left time_settings undo version"
    )
    assert " ".join(names) == wanted
    assert talk(*(f"known_command {name}" for name in names)) == ["= true"] * len(names)
    assert talk("known_command fly", "known_command") == ["= false", "= false"]


def test_nothing_is_answered_after_quit() -> None:
    assert talk("quit", "name") == ["="]


def test_colours_have_the_names_of_the_game() -> None:
    four = ["play 1 a20", "play yellow t20", "play RED t1", "play 4 a1"]
    assert talk("set_game Blokus", *four, "play b a20")[1:] == [
        "=", "=", "=", "=", "? invalid color argument 'b'",
    ]  # fmt: skip
    assert talk("set_game Blokus Duo", "play b e10", "play W j5", "play yellow a1")[1:] == [
        "=", "=", "? invalid color argument 'yellow'",
    ]  # fmt: skip


def test_the_controller_decides_whose_turn_it_is() -> None:
    assert talk("play red t1,s1", "play green a1", "play red r2") == ["=", "=", "="]


def test_refusals_are_those_that_controllers_know() -> None:
    assert talk(
        "play blue a20", "play blue b19", "play blue b19,c19", "play blue b20,c20,d20",
        "play blue b19,c19,d19,e19,f19,g19", "play blue z99", "play blue", "play blue a20,a18",
        "set_game Chess", "undo now", "undo", "set_random_seed x", "play",
    ) == [
        "=", "? piece already played", "=", "? illegal move",
        "? invalid move", "? invalid move", "? expected a colour and a move", "? invalid move",
        "? invalid argument", "=", "=", "? invalid argument", "? expected a colour and a move",
    ]  # fmt: skip


def test_all_legal_lists_the_moves_of_a_colour() -> None:
    (first,) = talk("all_legal blue")
    moves = {parse(line) for line in first.removeprefix("= ").split("\n")}
    assert moves == set(GAME.start("two", corners="fixed").moves())


def test_undo_takes_back_and_clear_board_begins_anew() -> None:
    first = "play 1 a20"
    answers = talk(first, "undo", first, "clear_board", first, "undo", "undo")
    assert answers == [*["="] * 6, "? cannot undo"]


@pytest.mark.parametrize(
    ("title", "colours"), [("Blokus Duo", "bw"), ("Blokus Two-Player", "1234")]
)
def test_a_whole_game_by_genmove_ends_with_passes_and_a_score(title: str, colours: str) -> None:
    engine = Engine("two", level=2, seed=7)
    assert talk(f"set_game {title}", engine=engine) == ["="]
    placed, passed = 0, 0
    while passed < len(colours):
        passed = 0
        for colour in colours:
            (answer,) = talk(f"genmove {colour}", engine=engine)
            if answer == "= pass":
                passed += 1
            else:
                placed += 1
                parse(answer.removeprefix("= "))
    assert placed == len(engine.moves)
    (score,) = talk("final_score", engine=engine)
    first, second = engine.state.scores
    expected = f"B+{first - second}" if first > second else f"W+{second - first}"
    assert score == ("= 0" if first == second else f"= {expected}")


def test_points_of_more_than_two_players_count_squares_placed() -> None:
    assert talk("set_game Blokus", "play 1 a20,b20", "play 2 t20", "final_score")[-1] == "= 2 1 0 0"


def test_reg_genmove_plays_nothing_and_g_and_p_play_for_the_colour_to_move() -> None:
    engine = Engine("duo", level=2, seed=3)
    (answer,) = talk("reg_genmove b", engine=engine)
    assert not engine.moves
    assert talk(f"p {answer.removeprefix('= ')}", "g", engine=engine)[0] == "="
    assert len(engine.moves) == 2


def test_games_are_saved_and_loaded(tmp_path: Path) -> None:
    file = tmp_path / "game.blksgf"
    assert talk("play 1 a20", "play 2 t20", f"savesgf {file}") == ["="] * 3
    engine = Engine("duo", level=2)
    assert talk(f"loadsgf {file}", "undo", engine=engine) == ["=", "="]
    assert [str(move) for move in engine.moves] == ["1.0@a20"]
    assert talk(f"loadsgf {file} 2", engine=engine) == ["="]
    assert len(engine.moves) == 1
    assert talk("loadsgf", f"loadsgf {tmp_path}/none", "savesgf /no/such/folder/x") == [
        "? expected a file",
        "? cannot read file: No such file or directory",
        "? cannot write file: No such file or directory",
    ]


PROGRAM = [sys.executable, "-m", "tegel", "gtp", "--variant", "duo"]


@contextmanager
def program(*options: str) -> Iterator[Callable[[bytes], str]]:
    """Our engine as a match program sees it: bytes go in, an answer comes out; at the end it
    leaves in good order, and has said nothing but answers."""
    with subprocess.Popen(
        [*PROGRAM, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        source, target = process.stdin, process.stdout
        assert source
        assert target

        def said(data: bytes) -> str:
            source.write(data)
            source.flush()
            first = target.readline().decode()
            assert target.readline() == b"\n"
            return first.rstrip("\n")

        try:
            yield said
            source.close()
            assert process.wait(10) == 0
            assert target.read() == b""
        finally:
            process.kill()


def test_the_program_answers_at_once_and_to_the_end_of_its_input() -> None:
    with program("--time", "0.05") as said:
        for line in (b"name\n", b"genmove b\n", b"genmove w\n", b"get_value\n"):
            assert said(line).startswith("= ")


def test_the_program_bears_with_whatever_comes() -> None:
    with program("--level", "2") as said:
        assert said(b"1 name\r\n") == "=1 Tegel"
        assert said(b"# a comment\n\n   \n\t2 name # who\n") == "=2 Tegel"
        assert said(b"\xff\xfe\x00\n") == "? unknown command"
        assert said(b"7 \n") == "?7 no command"
        assert said(b"play b " + b"a1," * 5000 + b"a1\n") == "? invalid move"
        assert said(b"time_settings 600 0 0\n") == "="
        assert said(b"time_left b 590 0\n") == "="
        assert said(b"param use_book 0\n") == "="
        assert said(b"set_game Blokus Trigon\n") == "? invalid argument"
        assert said(b"genmove b\n").startswith("= ")


def test_a_line_that_comes_in_parts_is_one_command_and_the_last_needs_no_end() -> None:
    with subprocess.Popen(PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        for part in (b"na", b"me\nver", b"sion"):
            process.stdin.write(part)
            process.stdin.flush()
            time.sleep(0.1)
        process.stdin.close()
        assert process.stdout.read() == f"= Tegel\n\n= {version('tegel')}\n\n".encode()
        assert process.wait(10) == 0


def test_whoever_stops_listening_is_left_quietly() -> None:
    process = subprocess.Popen(
        PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin
    assert process.stdout
    process.stdout.close()
    _, errors = process.communicate(b"name\n" * 3, 20)  # it ends in time, too
    assert errors == b""


@pytest.mark.parametrize("command", ["quit", "undo", "clear_board", "play w j5"])
def test_any_command_may_come_while_it_ponders(command: str) -> None:
    with program("--time", "0.05", "--ponder") as said:
        assert said(b"genmove b\n").startswith("= ")
        time.sleep(0.2)
        assert said(f"{command}\n".encode()) == "="
        if command != "quit":
            assert said(b"genmove w\n").startswith("= ")


def test_pondering_goes_into_the_next_choice_and_ends_when_told() -> None:
    """At a level the simulations of the position count, whoever's time they were made in."""
    other = Engine("duo", level=6, seed=1)
    talk("genmove b", engine=other)
    engine = Engine("duo", level=6, seed=1, ponders=True)
    player = engine.player
    assert isinstance(player, Thinking)
    assert isinstance(other.player, Thinking)
    assert other.player.thinker
    talk("genmove b", engine=engine)
    assert player.pondering
    assert player.thinker
    thread, thinker, enough = (
        player.pondering,
        player.thinker,
        player.skill.simulations(engine.state),
    )
    assert other.player.thinker.simulations < enough, "what is left of the choice"

    def known() -> bool:
        """Whether enough is; if not, it ponders until it is asked again."""
        player.rest()
        if thinker.simulations < enough:
            player.ponder()
        return not player.pondering

    until(known, "pondering enough")
    assert not thread.is_alive()
    pondered = thinker.simulations
    talk("reg_genmove w", engine=engine)  # enough is known: nothing is simulated anew
    assert player.thinker.simulations == pondered
    engine.end()


def test_the_tree_is_kept_from_move_to_move_and_lost_when_the_game_turns() -> None:
    engine = Engine("duo", level=6, seed=1)
    player = engine.player
    assert isinstance(player, Thinking)
    talk("genmove b", "genmove w", engine=engine)
    kept = player.thinker
    assert kept
    assert kept.simulations > 0
    talk("all_legal b", "get_value", "showboard", engine=engine)
    assert player.thinker is kept
    assert engine.following
    talk("undo", engine=engine)
    assert not engine.following


def test_a_colour_that_cannot_place_passes_and_costs_no_tree() -> None:
    engine = Engine("duo", level=6, seed=2)
    while engine.state.legal_for(0) and engine.state.legal_for(1):
        assert talk("g", engine=engine) != ["= pass"]
    stuck = "wb"[bool(engine.state.legal_for(1))]
    assert not engine.state.outcome, "another seed is needed: nobody is left to go on"
    assert engine.following
    assert talk(f"genmove {stuck}", f"play {stuck} pass", engine=engine) == ["= pass", "="]
    assert engine.following
    assert talk("g", engine=engine) != ["= pass"]


# Other people's engines

BAD = """
import sys
answers = {"set_game": "=", "clear_board": "=", "set_random_seed": "? unknown command"}
for line in sys.stdin:
    word = line.split()[0]
    if word == "genmove":
        MISBEHAVE
    print(answers.get(word, "="), end="\\n\\n", flush=True)
"""


@pytest.mark.parametrize(
    ("misbehaviour", "sentence"),
    [
        ("answers[word] = '= a1,a2'", "a1,a2 is not legal: "),
        ("answers[word] = '= pass'", "'pass' is no move"),
        ("answers[word] = '? out of memory'", "refused 'genmove b': out of memory"),
        ("answers[word] = 'thinking about it'", "'genmove b' was answered 'thinking about it'"),
        ("sys.exit(1)", "ended instead of answering 'genmove b'"),
        ("import time; time.sleep(60)", "no answer to 'genmove b' in 2 s"),
        ("sys.stdin.read()", "no answer to 'genmove b' in 2 s"),
    ],
)
def test_what_an_engine_does_wrong_is_told_in_a_sentence(
    misbehaviour: str, sentence: str, tmp_path: Path
) -> None:
    file = tmp_path / "bad.py"
    file.write_text(BAD.replace("MISBEHAVE", misbehaviour))
    other, state = (
        Outside(f"{sys.executable} {file}", patience=2),
        GAME.start("duo"),
    )
    try:
        other.begin(state, 1)
        with pytest.raises(ValueError, match=re.escape(f"bad.py: {sentence}")):
            other.choose(state)
    finally:
        other.end()
    assert other.program.process
    assert other.program.process.poll() is not None


def test_what_is_no_engine_is_told_in_a_sentence() -> None:
    state = GAME.start("duo")
    for command, sentence in {
        "no-such-program --gtp": "no-such-program --gtp: can't be started: No such file",
        "true": "^true: ended ",
        "cat": "^cat: 'tegel' was answered 'tegel'",
    }.items():
        other = Outside(command, patience=2)
        with pytest.raises(ValueError, match=sentence):
            other.begin(state, 1)
        other.end()
    for command in ("", "'"):
        with pytest.raises(ValueError, match="is no command"):
            Outside(command)
    other = Outside(" ".join(PROGRAM))
    with pytest.raises(ValueError, match="engines that speak GTP play Blokus only"):
        other.begin(games.load("imago").start(), 1)
    other.end()


def test_an_engine_outside_plays_a_match_and_its_errors_are_told() -> None:
    blokus = GAME
    state = blokus.start("duo")
    other = Outside(f"{sys.executable} -m tegel gtp --variant duo --level 1")
    other.begin(state, 1)
    try:
        move = other.choose(state)
        after = state.play(move)
        other.played(move, after)
        reply = after.moves()[0]
        other.played(reply, after.play(reply))
        assert isinstance(other.speaks, Gtp)
        with pytest.raises(ValueError, match="illegal move"):
            other.speaks.ask("play b a1")
    finally:
        other.end()
    assert other.program.process
    assert other.program.process.returncode == 0
