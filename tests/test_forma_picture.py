"""What the pictures of Forma show."""

from collections import Counter
from dataclasses import replace

from tegel.games.forma import GAME
from tegel.games.forma.picture import SPRITES, bridges
from tegel.games.forma.rules import VARIANTS, State


def played(*moves: str, layout: str = "k11:h5") -> State:
    state: State = GAME.start("two", layout=layout)
    for move in moves:
        state = state.play(GAME.parse(move))
    return state


CLOSING = ("+blue", "U.0@c3", "2.1@d5", "U.0@g4", "U.0@j10", "I3.1@g6", "O.0@n5", "1.0@k12")


def test_tiles_markers_obstacles_and_tower_are_distinct_things() -> None:
    shown = Counter(
        (mark.sprite, mark.colour)
        for mark in GAME.drawing.marks(played(*CLOSING))
        if mark.plane == "board"
    )
    assert shown["U.0", "blue"] == 2
    assert shown["marker", "yellow.marker"] == 1  # d4
    assert shown["marker", "blue.marker"] == 1  # on the obstacle
    assert shown["obstacle.0", "stone"] == 1
    assert shown["tower.0", "white"] == 1


def test_tiles_show_no_seams() -> None:
    """One path for the body and one for the glaze: the squares of a tile are not marked."""
    assert all(len(sprite.layers) == 2 for name, sprite in SPRITES.items() if name[0] in "FILNX")


def test_the_hand_shows_what_is_left_and_what_is_laid_aside() -> None:
    state = played("+blue", "X.0@j10", "O.0@a1")
    marks = GAME.drawing.marks(state)
    left = Counter(mark.tile for mark in marks if mark.plane == "hand.blue" and mark.tile)
    assert (left["X"], left["O"], left["1"], left["F"]) == (1, 1, 4, 2)
    assert [mark.sprite for mark in marks if mark.plane == "aside.blue"] == ["X.0"]


def test_a_misfit_is_shown_where_it_was_meant_to_go() -> None:
    ghosts = [
        m for m in GAME.drawing.marks(played("+blue", "X.0@j10")) if m.plane == "board" and m.role
    ]
    assert [(mark.sprite, mark.cell, mark.role) for mark in ghosts] == [("X.0", (9, 9), "ghost")]


def test_the_running_account_stands_beside_the_hand() -> None:
    picture = GAME.picture(played(*CLOSING))
    (account,) = (plane for plane in picture.planes if plane.name == "account.blue")
    assert account.lines == (
        ("Tiles placed", "14"),
        ("Obstacles closed in (1)", "10"),
        ("Tower closed in", "50"),
        ("Left in hand (40)", "\N{MINUS SIGN}166"),
    )


def test_bridges_are_ribbons_from_edge_to_edge() -> None:
    rows = "\n".join([".B..", "BBBB", ".B..", ".B.*"])
    state: State = GAME.restore(replace(VARIANTS["two"], size=4), rows)
    ribbons = Counter(mark.sprite for mark in bridges(state))
    assert ribbons == {"bridge.ns": 4, "bridge.we": 4}
    assert not [mark for mark in GAME.drawing.marks(state) if mark.sprite.startswith("bridge")]


def test_the_terminal_tells_tiles_from_markers() -> None:
    text = str(GAME.text(played(*CLOSING)))
    assert "ⓨ" in text  # d4
    assert "#" not in text.splitlines()[15]  # blue's marker hides the obstacle
    assert "*" in text
    assert "Tower closed in 50" in text


def test_the_stock_of_the_set_up_can_be_taken_up() -> None:
    state = GAME.start().play(GAME.parse("+blue")).play(GAME.parse("obstacle@c4"))
    tiles = {mark.tile for mark in GAME.drawing.marks(state) if mark.plane == "pieces"}
    assert tiles == {"obstacle", "tower"}
    (plane,) = (plane for plane in GAME.picture(state).planes if plane.name == "pieces")
    assert (plane.title, plane.note) == ("Obstacles and tower", "24")
