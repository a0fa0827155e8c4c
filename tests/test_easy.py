"""One noun to import: what `tegel` itself offers."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import tegel
from tegel import easy

RECORD = "game: blokus\nvariant: duo\n\nF.0@d9\n"


def test_to_import_it_is_light() -> None:
    """Neither the search nor the command line nor anything large is loaded for the rules."""
    program = (
        "import sys, tegel; tegel.load('blokus').start('duo').moves();"
        "print([name for name in sys.modules if name.startswith("
        "('tegel.search', 'tegel.server', 'tegel.cli', 'tegel.engines', 'numpy', 'typer'))])"
    )
    assert subprocess.check_output([sys.executable, "-c", program], text=True) == "[]\n"


def test_every_name_is_there_and_says_what_it_is() -> None:
    for name in tegel.__all__:
        found = getattr(tegel, name)
        assert name in dir(tegel)
        assert name == "CHANCE" or found.__doc__, name
    assert tegel.__version__[0].isdigit()
    with pytest.raises(AttributeError, match="no attribute 'chess'"):
        tegel.chess  # type: ignore[attr-defined]  # noqa: B018


def test_games_are_read_from_texts_and_files(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(RECORD)
    assert tegel.read(RECORD) == tegel.read(file) == tegel.read(str(file))
    assert tegel.read("(;GM[Blokus Duo];B[a1])").variant == "duo"
    with pytest.raises(tegel.BadNotation, match="can't be read: No such file"):
        tegel.read("no-such-game.txt")
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(tegel.BadNotation, match="is no text in UTF-8"):
        tegel.read(file)


@pytest.mark.parametrize("name", tegel.games.names())
def test_a_bot_plays_a_game_alone_and_draws_for_chance(name: str) -> None:
    state: Any = tegel.load(name).start()
    bot = tegel.bot("random", seed=1)
    while not state.outcome:
        state = state.play(bot(state))


def test_a_function_plays_a_match() -> None:
    def last(state: Any) -> Any:
        return state.moves()[-1]

    tally = tegel.match(last, last, variant="duo", games=2, seed=1)
    assert tally.rate == 0.5
    assert str(tally).startswith("50% of 2 games (")
    record = tally.results[0].record
    assert dict(record.headers) == {"player-1": "last", "player-2": "last"}
    assert tegel.final(record).outcome
    with pytest.raises(tegel.BadNotation, match="a player is random"):
        tegel.match("best", last)


def test_two_functions_of_one_name_are_two_players() -> None:
    players = easy.Players()
    assert [
        players.enter(lambda state: state.moves()[0]),
        players.enter(lambda state: state.moves()[1]),
    ] == ["<lambda>", "<lambda>'"]


def test_errors_carry_the_position() -> None:
    def stubborn(_: object) -> Any:
        return tegel.load("blokus").parse("1.0@a1")

    with pytest.raises(tegel.IllegalMove) as caught:
        tegel.match(stubborn, "random", variant="duo", games=1)
    assert caught.value.state
    assert caught.value.state.turn == 0
    with pytest.raises(tegel.BadRecord) as wrong:
        tegel.final(tegel.read(RECORD + "F.0@d9\n"))
    assert wrong.value.state == tegel.final(tegel.read(RECORD))


def test_puzzles_are_solved_from_where_they_stand() -> None:
    state = tegel.load("puzzle").start("tetra-8x10")
    begun = state.play(state.moves()[0])
    solved = tegel.solve(begun)
    assert solved
    assert solved.outcome
    assert tegel.solve(solved) is solved
    with pytest.raises(tegel.BadNotation, match="there is nothing to solve"):
        tegel.solve(tegel.load("blokus").start())
