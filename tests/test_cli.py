"""The command line, run as people run it."""

import json
import os
import pty
import random
import re
import signal
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from servers import free_port, until
from tegel import games
from tegel.cli import files
from tegel.games.blokus import GAME
from tegel.record import Record

pytestmark = pytest.mark.slow
DATA = Path(__file__).parent / "data"
BLOKUS = str(DATA / "blokus_all_placed.txt")


def tegel(*words: str, stdin: str | bytes = "") -> subprocess.CompletedProcess[str]:
    data = stdin.encode() if isinstance(stdin, str) else stdin
    done = subprocess.run(
        [sys.executable, "-m", "tegel", *words], input=data, capture_output=True, timeout=60
    )
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
    )


def refused(*words: str, stdin: str | bytes = "") -> str:
    """What is said of bad input: one line on stderr, exit code 2, nothing on stdout."""
    done = tegel(*words, stdin=stdin)
    assert (done.returncode, done.stdout) == (2, ""), done
    assert done.stderr.startswith("tegel: ")
    assert done.stderr.count("\n") == 1
    assert len(done.stderr) < 400
    return done.stderr


def test_check_tells_scores_winners_and_reason() -> None:
    found = json.loads(tegel("check", BLOKUS, "--json").stdout)
    assert found["scores"] == [15, -68]
    assert found["colours"] == {"first": 15, "second": -68}
    assert (found["winners"], found["reason"]) == ([0], "blocked")
    said = tegel("check", BLOKUS).stdout
    assert "all legal" in said
    assert "Player 1 wins" in said


def test_check_of_an_unfinished_game_names_no_winner() -> None:
    text = "game: blokus\nvariant: two\noptions: corners=fixed\n\na20\nt20\n"
    found = json.loads(tegel("check", "-", "--json", stdin=text).stdout)
    assert found["scores"] == [-177, -177]
    assert (found["winners"], found["reason"]) == ([], None)
    assert found["colours"] == {"blue": -88, "yellow": -88, "red": -89, "green": -89}


def test_moves_lists_every_ply() -> None:
    text = "(;GM[Blokus Two-Player];1[a20,b20,b19];2[t20,s20];3[t1])"
    found = json.loads(tegel("moves", "-", "--json", stdin=text).stdout)
    assert found == [
        {"ply": 1, "seat": 0, "colour": "blue", "legal": 58, "move": "V3.2@a19"},
        {"ply": 2, "seat": 1, "colour": "yellow", "legal": 58, "move": "2.1@s20"},
        {"ply": 3, "seat": 0, "colour": "red", "legal": 58, "move": "1.0@t1"},
    ]
    assert "V3.2@a19" in tegel("moves", "-", stdin=text).stdout


def test_show_draws_in_the_terminal_and_into_files(tmp_path: Path) -> None:
    said = tegel("show", BLOKUS, "--ply", "2").stdout
    assert " 14 ." in said
    assert "Player 1 to move (blue)." in said
    out = tmp_path / "x.svg"
    assert tegel("show", BLOKUS, "--svg", str(out), "--dark", "--patterns").returncode == 0
    assert out.read_text().startswith("<svg ")
    assert tegel("show", BLOKUS, "--svg", str(out), "--language", "fr").returncode == 0
    assert ">Bleu<" in out.read_text("utf-8")
    other = tmp_path / "x.blksgf"
    assert tegel("show", BLOKUS, "--save", str(other)).returncode == 0
    assert json.loads(tegel("check", str(other), "--json").stdout)["scores"] == [15, -68]


def test_perft_counts_lines_of_play() -> None:
    assert tegel("perft", "blokus", "classic", "2", "--option", "corners=fixed").stdout == "3364\n"


@pytest.mark.sliced(2)
def test_help_teaches() -> None:
    said = tegel("--help").stdout
    for verb in ("play", "show", "check", "moves", "perft"):
        assert verb in said
        assert tegel(verb, "--help").returncode == 0


def test_a_game_can_be_played_in_the_terminal(tmp_path: Path) -> None:
    saved = tmp_path / "game.txt"
    lines = ["help", "tile F", "moves V3", "hint", "V3.0@a1", "nonsense", "e10,e11", "undo",
             "e10,f10", f"save {saved}", "save", "quit"]  # fmt: skip
    done = tegel("play", "blokus", "duo", "--seed", "1", stdin="\n".join(lines))
    assert (done.returncode, done.stderr) == (0, "")
    assert "must cover a starting square: e10." in done.stdout
    assert "'nonsense' is not a square" in done.stdout
    record = games.read(saved.read_text())
    assert record.moves[0] == "2.1@e10"
    assert len(record.moves) == 2
    again = tegel("play", "--load", str(saved), stdin="board\nquit\n")
    assert (again.returncode, again.stderr) == (0, "")
    assert " BBB " in again.stdout


def test_bots_play_each_other_to_the_end() -> None:
    done = tegel("play", "blokus", "two", "--people", "0", "--bot", "random", "--seed", "3")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Nobody can place a tile any more. Player" in done.stdout


@pytest.mark.parametrize(("game", "variant"), [("puzzle", "tetra-8x10"), ("discovery", "5")])
def test_a_game_for_one_without_anybody_is_solved(game: str, variant: str) -> None:
    done = tegel("play", game, variant, "--people", "0")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Solved! Player 1 wins." in done.stdout


def test_what_has_no_solution_is_told_in_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "stuck.txt"
    file.write_text("game: discovery\nvariant: 3\n\n1.0@0,0\n2.0@1,0\n")
    sentence = "tegel: '3': no solution that goes on from here was found\n"
    done = tegel("play", "--load", str(file), "--people", "0")
    assert (done.returncode, done.stderr) == (2, sentence)


def test_the_end_of_input_ends_the_game_politely() -> None:
    done = tegel("play", "blokus", "duo", stdin="")
    assert (done.returncode, done.stderr) == (0, "")
    assert "1" in tegel("play", stdin="99\n1\nquit\n").stdout


@pytest.mark.sliced(2)
def test_bad_words_on_the_command_line_are_named() -> None:
    assert "'chess': no such game; there are blokus" in refused("play", "chess")
    assert "no such variant" in refused("perft", "blokus", "five", "1")
    assert "no such option" in refused("perft", "blokus", "duo", "1", "--option", "corners=free")
    assert "expected an option such as" in refused("perft", "blokus", "two", "1", "--option", "x")
    assert "no such bot" in refused("play", "blokus", "--bot", "hal")
    assert "0 to 2 seats" in refused("play", "blokus", "duo", "--people", "3")
    assert "'depth'" in refused("perft", "blokus", "duo", "x")
    assert "'depth'" in refused("perft", "blokus", "duo", "--", "-1")
    assert "sing" in refused("sing")
    assert "0 to" in refused("show", BLOKUS, "--ply", "1000")
    assert "can't be written" in refused("show", BLOKUS, "--svg", "/nowhere/x.svg")
    assert "no words in that language" in refused("show", BLOKUS, "--language", "xx")


@pytest.mark.sliced(2)
def test_bad_files_are_named(tmp_path: Path) -> None:
    noise = tmp_path / "noise"
    noise.write_bytes(random.Random(1).randbytes(10_000_000))
    assert "longer than any record" in refused("check", str(noise))
    noise.write_bytes(b"x" * 10_000_000)
    assert "longer than any record" in refused("check", str(noise))
    assert "No such file" in refused("check", str(tmp_path / "missing"))
    assert "directory" in refused("check", str(tmp_path))
    assert "not text: byte 1 " in refused("check", "-", stdin=b"\xff\xfe")
    assert "zero byte" in refused("check", "-", stdin=b"game: blokus\0")
    assert "not a record" in refused("check", "-", stdin="")
    assert "no such game" in refused("check", "-", stdin="game: chess\n\ne4\n")
    assert "line 2: 'what': expected a header" in refused(
        "check", "-", stdin="game: blokus\nwhat\n"
    )


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        ("a20\nt20\nt1\na1\na20", "ply 5, a20: The tile 1 of blue is already"),
        ("a20\na20,a19", "ply 2, a20,a19: The tile would lie on another at a20. [taken]"),
        ("c3", "ply 1, c3: The first tile of blue must cover"),
        ("a20\n!?", "ply 2, '!?': '!?' is not a square"),
        ("Q.1@a1", "ply 1, 'Q.1@a1': there is no tile 'Q'"),
    ],
)
def test_illegal_moves_are_named_by_ply_and_rule(moves: str, said: str) -> None:
    assert said in refused("check", "-", stdin=f"game: blokus\n\n{moves}\n")


def mutable() -> str:
    rng, state, moves = random.Random(4), GAME.start("duo"), []
    while not state.outcome:
        moves.append(str(rng.choice(state.moves())))
        state = state.play(GAME.parse(moves[-1]))
    return str(Record("blokus", "duo", {}, {"event": "a: b"}, tuple(moves)))


@settings(max_examples=300, deadline=None)
@given(
    st.integers(0, 400), st.integers(0, 30), st.binary(max_size=8) | st.sampled_from([b"\n", b":"])
)
def test_mutated_records_are_replayed_or_refused_in_a_sentence(
    at: int, cut: int, new: bytes
) -> None:
    """In this process, by the same door as the command line: anything but ValueError, the
    family that becomes one sentence, would be a crash."""
    data = mutable().encode()
    text = data[:at] + new + data[at + cut :]
    try:
        games.final(files.decoded(text, "x"))
    except ValueError as error:
        assert str(error)
        assert "\n" not in str(error)


# tegel serve, for people


def served(folder: Path, *options: str, **env: str) -> tuple[list[str], str]:
    """What a terminal shows once `tegel serve` serves, and which address was opened, if any."""
    opened, browser = folder / "opened", folder / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}\n')
    browser.chmod(0o755)
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "tegel", "serve", "--port", str(free_port()), *options],
        stdin=theirs, stdout=theirs, stderr=subprocess.DEVNULL, start_new_session=True,
        env={**os.environ, "XDG_DATA_HOME": str(folder), "BROWSER": str(browser), **env},
    )  # fmt: skip
    os.close(theirs)
    shown = b""
    try:
        while b"stop." not in shown:
            shown += os.read(ours, 4096)
        if "--no-browser" not in options and env.get("DISPLAY"):
            until(lambda: opened.exists() and opened.read_text(), "the browser")
    finally:
        os.killpg(process.pid, signal.SIGINT)
        process.wait(20)
        os.close(ours)
    return shown.decode().splitlines(), opened.read_text().strip() if opened.exists() else ""


def test_serve_ends_in_two_plain_lines_and_opens_a_browser(tmp_path: Path) -> None:
    lines, opened = served(tmp_path, DISPLAY=":0", SSH_CONNECTION="")
    assert len(lines) == 2, lines
    assert re.fullmatch(r"Open (http://localhost:\d+) in a browser to play\.", lines[0])
    assert lines[1] == "Press Ctrl+C here to stop."
    assert lines[0] == f"Open {opened} in a browser to play."


@pytest.mark.parametrize(
    ("options", "env"),
    [(["--no-browser"], {"DISPLAY": ":0"}), ([], {"DISPLAY": "", "WAYLAND_DISPLAY": ""})],
    ids=["told not to", "no screen"],
)
def test_serve_opens_no_browser(tmp_path: Path, options: list[str], env: dict[str, str]) -> None:
    lines, opened = served(tmp_path, *options, **env)
    assert len(lines) == 2
    assert not opened


def test_the_version_is_that_of_the_package() -> None:
    assert tegel("--version").stdout == f"tegel {version('tegel')}\n"
