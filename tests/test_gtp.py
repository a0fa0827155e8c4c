"""The GTP dialect of Blokus engines, spoken by a scripted controller."""

import io
import subprocess
import sys
from pathlib import Path

import pytest

from tegel import games
from tegel.games.blokus.notation import parse
from tegel.search.gtp import Engine, Outside, serve


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
        "list_commands loadsgf name p play protocol_version quit reg_genmove savesgf "
        "set_game set_random_seed showboard undo version"
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
    assert moves == set(games.load("blokus").start("two", corners="fixed").moves())


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


def test_the_program_answers_at_once_and_to_the_end_of_its_input() -> None:
    command = [sys.executable, "-m", "tegel", "gtp", "--variant", "duo", "--time", "0.05"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as it:
        assert it.stdin
        assert it.stdout
        for line in ("name", "genmove b", "genmove w", "get_value"):
            it.stdin.write(line + "\n")
            it.stdin.flush()
            assert it.stdout.readline().startswith("= ")
            assert it.stdout.readline() == "\n"
        it.stdin.close()
        assert it.wait(10) == 0


def test_an_engine_outside_plays_a_match_and_its_errors_are_told() -> None:
    blokus = games.load("blokus")
    state = blokus.start("duo")
    other = Outside(f"{sys.executable} -m tegel gtp --variant duo --level 1")
    other.begin(state, 1)
    try:
        move = other.choose(state)
        after = state.play(move)
        other.played(state, move, after)
        reply = after.moves()[0]
        other.played(after, reply, after.play(reply))
        with pytest.raises(ValueError, match="illegal move"):
            other.ask("play b a1")
    finally:
        other.end()
    assert other.process.returncode == 0
