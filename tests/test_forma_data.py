"""Forma, ground truth: games and finished positions scored by an independent program."""

import json
from pathlib import Path
from typing import Any

import pytest

from tegel import games
from tegel.games.forma import GAME
from tegel.games.forma.bridges import alone
from tegel.games.forma.rules import VARIANTS, State
from tegel.games.forma.tiles import FORMS, TILES, Move, listed
from tegel.lattice import POLYOMINOES, Cell, Shape, name, turned
from tegel.record import Record
from test_cli import tegel

DATA = json.loads((Path(__file__).parent / "data" / "forma.json").read_text("utf-8"))
BY_PLAYERS = {rules.seats: rules for rules in VARIANTS.values()}
BY_SHAPE = {shape: form for form, shape in FORMS.items()}
ITEMS = ("tiles", "squares", "obstacles", "tower", "bridges", "hand", "aside", "score")
THEIRS = dict(
    zip(
        ITEMS,
        ("tile_squares", "free_squares_closed", "obstacles_closed", "tower", "bridges",
         "value_in_hand", "value_aside", "score"),
        strict=True,
    )
)  # fmt: skip
WORTH = {"squares": 10, "obstacles": 10, "tower": 50, "bridges": 50, "hand": -1, "aside": -1}


def cell(place: list[int]) -> Cell:
    row, column = place
    return column, 19 - row


def cells(places: list[list[int]]) -> Shape:
    return tuple(sorted(map(cell, places)))


def move_of(entry: dict[str, Any]) -> Move:
    if entry["result"] == "declined":
        return Move("decline")
    squares = cells(entry["squares"])
    tile, turn = BY_SHAPE[turned(squares, 0)]
    assert tile == entry["tile"]
    return Move(tile, (min(x for x, _ in squares), min(y for _, y in squares)), turn)


def expected(items: dict[str, int]) -> dict[str, int]:
    """The account that their items amount to, in points."""
    return {key: items[THEIRS[key]] * WORTH.get(key, 1) for key in ITEMS}


def accounts(state: State) -> list[dict[str, int]]:
    found = GAME.facts(state)["account"]
    assert isinstance(found, dict)
    return [{key: account[key] for key in ITEMS} for account in found.values()]


def rows(state: State) -> list[str]:
    """The board as they draw it."""
    letters = str.maketrans("BYRGbyrg", "ABCDabcd")
    return [line.translate(letters) for line in str(state).splitlines()[-20:]]


def begun(game: dict[str, Any], by_hand: bool) -> tuple[State, list[str]]:
    """The position when the set-up is done, and the moves that lead there."""
    rules = BY_PLAYERS[game["players"]]
    pieces = [f"obstacle@{name(cell(place))}" for place in game["obstacles"]]
    moves = [f"+{rules.colours[game['start']]}"]
    if by_hand:
        moves += [*pieces, f"tower@{name(cell(game['tower']))}", "done"]
        state = GAME.start(rules.variant)
    else:
        obstacles = ",".join(piece.partition("@")[2] for piece in pieces)
        state = GAME.start(rules.variant, layout=f"{name(cell(game['tower']))}:{obstacles}")
    for text in moves:
        state = state.play(GAME.parse(text))
    return state, moves


@pytest.mark.parametrize("by_hand", [True, False])
@pytest.mark.parametrize("game", DATA["games"], ids=lambda game: game["id"])
def test_games_are_reproduced_closing_by_closing(game: dict[str, Any], by_hand: bool) -> None:
    state, _ = begun(game, by_hand)
    grid = state.rules.grid
    for entry in game["moves"]:
        assert state.turn == entry["player"]
        move = move_of(entry)
        assert state.fits(move) == (entry["result"] == "placed") or not move.cell
        if entry["result"] == "placed":
            closed = state.closings(move)
            assert grid.cells(closed.squares) == tuple(
                sorted(cells(entry["closed_squares"]), key=grid.offset)
            )
            assert grid.cells(closed.obstacles) == tuple(
                sorted(cells(entry["closed_obstacles"]), key=grid.offset)
            )
            assert set(grid.cells(closed.unmarked)) == set(cells(entry["unmarked"]))
            assert bool(closed.tower) == entry["tower"]
        after = state.play(move)
        if not after.outcome:
            # A tile placed has left the hand, so its squares count twice in the score.
            won = after.scores[state.turn] - state.scores[state.turn]
            size = len(move.cells)
            assert won == (entry["points"] + size if entry["result"] == "placed" else 0)
        state = after
    assert state.outcome
    assert rows(state) == game["final_rows"]
    assert accounts(state) == [expected(items) for items in game["final"]]
    assert list(state.outcome.winners) == game["winners"]


@pytest.mark.parametrize("game", DATA["games"], ids=lambda game: game["id"])
def test_records_of_whole_games_replay(game: dict[str, Any]) -> None:
    """Set-up, misfits, double misfits and declines included."""
    start, setup = begun(game, by_hand=True)
    moves = [*setup, *(str(move_of(entry)) for entry in game["moves"])]
    assert "decline" in moves
    record = Record("forma", start.rules.variant, moves=tuple(moves))
    final = games.final(games.read(str(record)))
    assert list(final.scores) == [items["score"] for items in game["final"]]


def position(data: dict[str, Any]) -> State:
    """A finished position: no tile in hand fits."""
    rules = BY_PLAYERS[data["players_count"]]
    letters = str.maketrans("ABCDabcd", "BYRGbyrg")
    board = "\n".join(row.translate(letters) for row in data["rows"])
    tower = data["tower_closed_by"]
    facts = "" if tower is None else f"tower: {rules.colours[tower]}\n"
    state: State = GAME.read(f"forma {rules.variant}\n{facts}{board}")
    return state


@pytest.mark.parametrize("data", DATA["positions"], ids=lambda data: data["id"])
def test_positions_have_their_items_and_bridges(data: dict[str, Any]) -> None:
    state = position(data)
    for seat, player in enumerate(data["players"]):
        own = state.tiles[seat] | state.markers[seat]
        items = player["items"]
        assert own.bit_count() == player["own_squares"]
        assert state.rules.markers - state.markers[seat].bit_count() == player["markers_left"]
        assert alone(state.rules.grid, own) == (player["ns_alone"], player["ew_alone"])
        assert len(state.bridges[seat]) == items["bridges"]
        marked = state.markers[seat]
        assert state.tiles[seat].bit_count() == items["tile_squares"]
        assert (marked & ~state.layout.obstacles).bit_count() == items["free_squares_closed"]
        assert (marked & state.layout.obstacles).bit_count() == items["obstacles_closed"]
        assert (state.closer == seat) == items["tower"]


def tiles_worth(points: int, tiles: list[str]) -> list[str]:
    """Some of these tiles, of so many squares together."""
    sums: dict[int, list[str]] = {0: []}
    for tile in tiles:
        size = len(POLYOMINOES[tile])
        sums = {had + size: [*found, tile] for had, found in sums.items()} | sums
    return sums[points]


@pytest.mark.parametrize("data", DATA["positions"], ids=lambda data: data["id"])
def test_positions_have_their_scores_and_winners(data: dict[str, Any]) -> None:
    """Their hands are not told, only the value: so tiles of that value that fit nowhere."""
    state = position(data)
    facts = ""
    for seat, player in enumerate(data["players"]):
        items, colour = player["items"], state.rules.colours[seat]
        fitting = {tile for tile, _ in state.legal_for(seat).places}
        unfit = [tile for tile in listed(state.rules.hand) if tile not in fitting]
        hand = tiles_worth(items["value_in_hand"], unfit)
        facts += f"hand {colour}: {' '.join(hand)}\n"
        facts += f"aside {colour}: {' '.join(tiles_worth(items['value_aside'], list(TILES)))}\n"
    heading, _, rest = str(state).partition("\n")
    lines = [line for line in rest.splitlines(keepends=True) if not line.startswith("hand")]
    state = GAME.read(f"{heading}\n{facts}{''.join(lines)}")
    assert state.outcome
    assert accounts(state) == [expected(player["items"]) for player in data["players"]]
    assert list(state.outcome.winners) == data["winners"]


@pytest.mark.slow
def test_check_prints_the_account_of_each_player(tmp_path: Path) -> None:
    game = DATA["games"][0]
    _, setup = begun(game, by_hand=True)
    moves = [*setup, *(str(move_of(entry)) for entry in game["moves"])]
    file = tmp_path / "game.txt"
    file.write_text(str(Record("forma", "two", moves=tuple(moves))), "utf-8")
    told = json.loads(tegel("check", "--json", str(file)).stdout)
    for items, account in zip(game["final"], told["account"].values(), strict=True):
        assert {key: account[key] for key in ITEMS} == expected(items)


@pytest.mark.slow
def test_a_game_can_be_played_in_the_terminal() -> None:
    typed = "tower@k11\nobstacle@c4\nremove@c4\ndone\nmoves\nF.0@j10\ndecline\nquit\n"
    said = tegel("play", "forma", "two", "--people", "2", stdin=typed).stdout
    assert "The tower is put on the board." in said
    assert "This table is played by eye" in said
    assert "F does not fit" in said
    assert "declines a second attempt" in said
