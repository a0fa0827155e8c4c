"""A room is the fold of its log: seats, takeback, draws, leaving, clocks, by themselves,
without a server."""

import random
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from servers import changed
from tegel.game import BadNotation
from tegel.picture import Mark
from tegel.place.wire import copies, views
from tegel.room import actions
from tegel.room.clock import clock
from tegel.room.judge import OUR_BOT, Circumstances, act, flag, opening, rematch
from tegel.room.log import Row
from tegel.room.refused import Refused
from tegel.room.result import result
from tegel.room.room import (
    Room,
    begin,
    deadline,
    flagged,
    fold,
    folded,
    left,
    opened,
)
from tegel.room.setup import Place, Setup
from toy import GAME

SECOND = 1000


class Table:
    """A room, its log, and time that passes when we say so."""

    def __init__(self, variant: str = "two", time: str = "none", places: str = "") -> None:
        kinds = {"p": Place("open"), "b": Place("bot", 1)}
        seats = GAME.start(variant).rules.seats
        chosen = tuple(kinds[kind] for kind in places or "p" * seats)
        self.setup = Setup("room", "toy", variant, chosen, clock=clock(time))
        self.now, self.rng = 0, random.Random(1)
        self.away: dict[int, int] = {}
        steps = opening(begin(self.setup), [], [], "", self.around())
        self.log = [step.row for step in steps]
        self.room = steps[-1].after if steps else begin(self.setup)
        for seat, kind in enumerate(places or "p" * seats):
            if kind == "p":
                self.do(f"p{seat}", actions.Sit(seat))

    def around(self) -> Circumstances:
        return Circumstances(
            self.now, lambda state: self.rng.choice(state.moves()), lambda s: self.away.get(s, 0)
        )

    def do(self, player: str, action: actions.Action) -> Room:
        for step in act(self.room, player, action, self.around()):
            self.log.append(step.row)
            self.room = step.after
        assert opened(self.setup, self.log, self.room.outages) == self.room
        return self.room

    def wait(self, seconds: int) -> None:
        """Time passes, and flags fall, as a server sees to it."""
        self.now += seconds * SECOND
        while (seat := flagged(self.room, self.now)) is not None:
            for step in flag(self.room, seat, self.around()):
                self.log.append(step.row)
                self.room = step.after

    def say(self, *words: str) -> Room:
        """Let whoever is to move say these."""
        for word in words:
            assert self.room.turn is not None
            chair = self.room.chairs[self.room.turn]
            player = OUR_BOT if chair.level else chair.player
            self.do(player, actions.Move(self.room.ply, word))
        return self.room

    def refused(self, player: str, action: actions.Action) -> str:
        with pytest.raises(Refused) as caught:
            self.do(player, action)
        assert caught.value.text.endswith((".", ")")) or caught.value.code == "notation"
        return caught.value.code

    def line(self) -> str:
        return " ".join(played.text for played in self.room.line)


# Moves


def test_a_draw_follows_its_move_in_the_same_append() -> None:
    table = Table()
    steps = act(table.room, "p0", actions.Move(table.room.ply, "a"), table.around())
    assert [step.row.text[0] for step in steps] == ["a", "+"]


def test_a_move_is_good_until_the_position_changes() -> None:
    """Others may sit down or ask meanwhile; a move in between makes it stale."""
    table = Table()
    before = table.room.ply
    table.say("a")
    assert table.refused("p1", actions.Move(before, "a")) == "stale"
    assert table.refused("p1", actions.Move(table.room.ply + 1, "a")) == "stale"
    known = table.room.ply
    table.do("p0", actions.Ask())
    table.do("p1", actions.Refuse())
    assert table.room.ply == known + 2
    table.do("p1", actions.Move(known, "b"))


def test_nobody_moves_for_another() -> None:
    table = Table(places="pb")
    assert table.refused("p1", actions.Move(table.room.ply, "a")) == "seat"
    assert table.refused(OUR_BOT, actions.Move(table.room.ply, "a")) == "turn"
    table.say("a")
    assert table.refused("p0", actions.Move(table.room.ply, "a")) == "turn"
    table.say("b")
    assert table.refused("p0", actions.Move(table.room.ply, "+3")) == "illegal"
    assert table.refused("p0", actions.Move(table.room.ply, "!sit 0 x")) == "notation"


# Takeback


def test_a_draw_taken_back_comes_again() -> None:
    """No fishing: whatever is said instead, the same numbers are drawn."""
    table = Table(places="pb")
    table.say("a", "b", "a", "b")
    draws = table.line().split()[1::2]
    for words in ("abab", "bbbb", "aabb"):
        while table.room.line:
            table.do("p0", actions.Ask())
        assert table.line() == ""
        table.say(*words)
        assert table.line().split()[1::2] == draws


def test_takeback_goes_to_the_own_last_decision() -> None:
    table = Table()
    table.say("a", "b", "a")
    table.do("p1", actions.Ask())
    assert table.room.ask
    assert (table.room.ask.seat, table.room.ask.keep) == (1, 2)
    assert table.refused("p0", actions.Ask()) == "asked"
    table.do("p0", actions.Agree())
    assert len(table.room.line) == 2
    assert table.room.turn == 1
    assert table.room.ask is None


def test_every_other_person_must_agree() -> None:
    table = Table("three")
    table.say("a", "b", "a")
    table.do("p0", actions.Ask())
    table.do("p0", actions.Agree())  # one's own word counts for nothing
    table.do("p1", actions.Agree())
    table.do("p1", actions.Agree())
    assert table.line().split()[::2] == ["a", "b", "a"]
    table.do("p2", actions.Agree())
    assert table.line() == ""


def test_a_move_ends_the_question() -> None:
    table = Table()
    table.say("a")
    table.do("p0", actions.Ask())
    table.say("b")
    assert table.room.ask is None
    assert table.refused("p1", actions.Agree()) == "nothing"


def test_a_misfit_is_never_taken_back() -> None:
    table = Table(places="pb")
    table.say("a", "b", "x", "a")
    assert table.refused("p0", actions.Ask()) == "misfit"
    table.say("b", "a")
    assert table.refused("p0", actions.Ask()) == "over"
    other = Table(places="pb")
    other.say("x", "b", "a", "b")
    other.do("p0", actions.Ask())  # the last one did fit
    assert len(other.room.line) == 4
    assert other.refused("p0", actions.Ask()) == "misfit"


# Leaving


def test_leaving_a_game_of_two_sides_ends_it() -> None:
    table = Table()
    table.say("a")
    room = table.do("p0", actions.Resign())
    assert room.over
    found = result(room)
    assert found
    assert (found.winners, found.reason, found.ranks) == ((1,), "resign", (2, 1))
    assert table.refused("p1", actions.Move(room.ply, "a")) == "over"


def test_among_three_a_bot_plays_on_and_the_seat_ranks_last() -> None:
    table = Table("three")
    table.do("p0", actions.Resign())
    assert not table.room.over
    assert table.refused("p0", actions.Sit(0)) == "left"
    table.say("b", "a", "a", "b", "a", "a")
    found = result(table.room)
    assert table.room.state.scores == (4, 2, 2)
    assert found
    assert (found.winners, found.ranks) == ((1, 2), (3, 1, 1))


def test_a_team_gives_up_when_its_last_person_leaves() -> None:
    table = Table("teams", places="pppb")
    table.do("p0", actions.Resign())
    assert not table.room.over
    assert table.room.chairs[0].level
    table.do("p2", actions.Resign())
    assert table.room.over
    found = result(table.room)
    assert found
    assert found.winners == (1, 3)
    alone = Table("teams", places="pbpb")
    alone.do("p0", actions.Resign())
    alone.do("p2", actions.Resign())
    assert alone.room.over


def test_only_who_keeps_others_waiting_is_absent() -> None:
    table = Table()
    assert table.refused("p0", actions.Claim(1)) == "present"  # it is not their turn
    table.say("a")
    assert table.refused("p0", actions.Claim(1)) == "present"
    table.away[1] = 120 * SECOND
    assert table.refused("p0", actions.Claim(1)) == "grace", "away, but not in the own turn"
    table.wait(90)
    assert table.refused("p0", actions.Claim(1)) == "grace"
    table.wait(30)
    table.away[1] = 30 * SECOND
    assert table.refused("p0", actions.Claim(1)) == "grace"
    table.away[1] = 120 * SECOND
    assert table.refused("p1", actions.Claim(1)) == "present"
    assert table.refused("x", actions.Claim(1)) == "seat"
    table.do("p0", actions.Claim(1))
    found = result(table.room)
    assert found
    assert (found.winners, found.reason) == ((0,), "absent")


def test_with_days_a_move_absence_is_no_matter() -> None:
    table = Table(time="days 2")
    table.say("a")
    table.away[1] = 3600 * SECOND
    assert table.refused("p0", actions.Claim(1)) == "days"


def test_who_was_replaced_may_come_back() -> None:
    table = Table()
    table.say("a")
    table.wait(120)
    table.away[1] = 120 * SECOND
    table.do("p0", actions.Replace(1, 3))
    assert table.room.waits_for_bot
    assert table.refused("x", actions.Sit(1)) == "taken"
    table.do("p1", actions.Sit(1))
    assert table.room.waits_for == "p1"


def test_a_rematch_moves_everyone_one_seat_on() -> None:
    table = Table("three", places="ppb")
    table.say(*"abaaba")
    steps, setup = rematch(table.room, "next", table.around())
    assert steps[0].after.rematch == "next"
    assert [(place.kind, place.player, place.level) for place in setup.places] == [
        ("bot", "", 1), ("person", "p0", 0), ("person", "p1", 0),
    ]  # fmt: skip


# Clocks


def test_a_bank_runs_from_the_first_move_on() -> None:
    table = Table(time="bank 60 5")
    table.now = 100 * SECOND
    assert left(table.room, 0, table.now) == 60 * SECOND  # the first move takes its time
    table.say("a")
    table.now += 10 * SECOND
    assert left(table.room, 1, table.now) == 50 * SECOND
    table.say("a")
    assert left(table.room, 1, table.now) == 55 * SECOND  # and the increment
    table.now += 61 * SECOND
    assert left(table.room, 1, table.now) == 55 * SECOND
    assert flagged(table.room, table.now) == 0
    assert deadline(table.room) == 170 * SECOND


def test_no_bank_runs_during_an_outage_but_days_do() -> None:
    for time, flags in (("bank 60 0", None), ("days 1", 1)):
        table = Table(time=time)
        table.say("a")
        down = (10 * SECOND, 90_000 * SECOND)
        table.room = replace(table.room, outages=(down,))
        table.now = 90_010 * SECOND
        assert flagged(table.room, table.now) == flags


def test_our_bots_have_no_clock() -> None:
    table = Table(places="pb", time="bank 5 0")
    table.say("a")
    table.now = 100 * SECOND
    assert flagged(table.room, table.now) is None
    table.say("a")
    assert left(table.room, 1, table.now) == 5 * SECOND


def test_a_flag_is_like_resigning() -> None:
    table = Table(time="bank 5 0")
    table.say("a")
    table.now = 6 * SECOND
    after = flag(table.room, 1, table.around())[-1].after
    found = result(after)
    assert found
    assert (found.winners, found.reason) == ((0,), "flag")


@pytest.mark.parametrize(
    "text",
    ["none", "up", "bank 300 5", "bank 90 0", "days 3", "days 30", "bank 0.5 0", "bank 0.001 0.001",
     "bank 86399.999 3599.999"],
)  # fmt: skip
def test_a_clock_is_a_text(text: str) -> None:
    assert str(clock(text)) == text


@pytest.mark.parametrize(
    "text",
    ["bank 1e-9 0", "bank 0.0001 0", "bank 0 0", "bank 0.0 5", "bank -0 0", "bank -1 0",
     "bank 1 -1", "bank 300 1e-9", "bank 300 0.0001", "bank 3e2 5", "bank 1e99 0", "bank nan 0",
     "bank 300 nan", "bank inf 0", "bank 300 inf", "bank 300 infinity", "bank 86401 0",
     "bank 300 3601",
     "bank 1_000 0", "bank \N{ARABIC-INDIC DIGIT THREE}00 5", "bank +300 5", "bank .5 0",
     "bank 5. 0", "bank 300", "bank 1 2 3",
     "days 0", "days 0.5", "days 1.5", "days 31", "days -1", "days nan", "days inf", "days 1e1",
     "days 003", "days 3 0", "none 5", "up 5", "sand", "Bank 300 5"],
)  # fmt: skip
def test_a_clock_that_would_mean_something_else_is_refused(text: str) -> None:
    with pytest.raises(BadNotation) as refused:
        clock(text)
    assert "clock" in str(refused.value) or "is no time: write seconds" in str(refused.value)


# Laws

players = st.sampled_from(["p0", "p1", "p2", "p3", "x", OUR_BOT])
seats = st.integers(-1, 5)
moves = st.builds(
    actions.Move, st.integers(-2, 60), st.sampled_from(["a", "b", "x", "+1", "?", ""])
)
any_action = st.one_of(
    moves, moves, moves,
    st.builds(actions.Sit, seats),
    st.builds(actions.Resign, st.none() | seats),
    st.just(actions.Ask()), st.just(actions.Agree()), st.just(actions.Refuse()),
    st.builds(actions.Claim, seats),
    st.builds(actions.Replace, seats, st.integers(0, 10)),
)  # fmt: skip
happenings = st.lists(st.tuples(players, any_action, st.integers(0, 40)), max_size=60)


@pytest.mark.slow
@settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    variant=st.sampled_from(["two", "three", "teams"]),
    time=st.sampled_from(["none", "bank 100 3", "days 1"]),
    bots=st.integers(0, 3),
    happenings=happenings,
)
def test_whatever_is_done_the_log_tells_the_room(
    variant: str, time: str, bots: int, happenings: list[tuple[str, actions.Action, int]]
) -> None:
    """`do` compares the room with a fresh fold of the log each time; besides: the log has
    no gap, time never runs backwards, the line is legal, and what is over stays over."""
    count = GAME.start(variant).rules.seats
    table = Table(variant, time, ("p" * count)[bots:] + "b" * min(bots, count))
    for player, action, seconds in happenings:
        table.wait(seconds)
        table.away = dict.fromkeys(range(count), seconds * 5 * SECOND)
        if isinstance(action, actions.Move) and action.ply % 3:
            action = actions.Move(table.room.ply, action.move)
            if player == "p1" and table.room.turn is not None:
                chair = table.room.chairs[table.room.turn]
                player = OUR_BOT if chair.level else chair.player
        was_over = table.room.over
        try:
            table.do(player, action)
        except Refused as refused:
            assert refused.text
        assert table.room.over >= was_over
        assert table.room.state.turn >= 0 or table.room.over
        assert all((left(table.room, s, table.room.at) or 0) >= 0 for s in range(count))
    assert [row.seq for row in table.log] == list(range(len(table.log)))
    assert sorted(row.at for row in table.log) == [row.at for row in table.log]
    if table.room.over:
        found = result(table.room)
        assert found
        assert min(found.ranks) == 1
        assert all(found.ranks[seat] == 1 for seat in found.winners)
        assert found.winners


def test_rows_must_follow_each_other() -> None:
    room = begin(Table().setup)
    with pytest.raises(AssertionError):
        fold(room, Row(3, 0, "a"))
    assert folded(room, []) == room


# What changed


marks = st.builds(
    Mark, st.just("board"), st.sampled_from("abc"), st.tuples(st.integers(0, 1), st.just(0))
)


@given(old=st.lists(marks, max_size=8), new=st.lists(marks, max_size=8))
def test_changes_lead_from_the_old_list_to_the_new(old: list[Mark], new: list[Mark]) -> None:
    entries = views.changed_marks(old, new)
    found = changed([copies.mark(m) for m in old], [list(e) if type(e) is tuple else e
                                                    for e in entries])  # fmt: skip
    assert found == [copies.mark(m) for m in new]
