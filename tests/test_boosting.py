"""Nobody raises a rating by playing against themselves: games within one network do not count,
and of the same two people each further one in a day counts less."""

import asyncio
from pathlib import Path

import pytest

from tegel.place.history.ratings import figure
from tegel.place.history.skill import Meetings
from tegel.room import actions
from tegel.room.clock import DAY
from tegel.room.ending import Ending, counts
from tegel.room.judge import Circumstances, act
from tegel.room.room import Origin, begin, opened
from tegel.server.run import Options, chosen, database
from tegel.server.worker import Worker
from test_ratings import Rated, seat, stored, written

# Within one network


class Meeting(Rated):
    """A rated table where people come from somewhere."""

    def __init__(self, *origins: Origin | None, variant: str = "two") -> None:
        super().__init__(variant)
        self.log, self.room = [], begin(self.setup)
        self.come: Origin | None = None
        for number, self.come in enumerate(origins):
            self.do(f"p{number}", actions.Sit(number))

    def around(self) -> Circumstances:
        come = getattr(self, "come", None)
        return super().around()._replace(origin=come)

    def counts(self) -> bool:
        """Whether it counts when everybody has moved; as the log says, too."""
        self.say(*"ab"[: len(self.room.chairs)])
        again = opened(self.setup, self.log, ())
        assert again.origins == self.room.origins
        assert counts(again) == counts(self.room)
        return counts(again)


HOME, AWAY = Origin("abc"), Origin("xyz")


def test_a_game_within_one_network_does_not_count_and_says_so_before_it_begins() -> None:
    table = Meeting(HOME, HOME)
    assert table.room.begun
    assert not table.room.line
    assert table.room.unrated() == "network"
    assert not table.counts()


def test_a_game_of_two_networks_counts() -> None:
    table = Meeting(HOME, AWAY)
    assert not table.room.unrated()
    assert table.counts()


def test_who_has_not_sat_down_yet_learns_it_too() -> None:
    table = Meeting(HOME)
    assert not table.room.unrated()
    assert table.room.unrated(HOME) == "network"
    assert not table.room.unrated(AWAY)


def test_where_many_share_a_network_those_who_keep_a_name_count() -> None:
    guest, named = Origin("abc"), Origin("abc", named=True)
    assert Meeting(named, named).counts()
    assert not Meeting(named, guest).counts()
    assert not Meeting(guest, guest).counts()


def test_two_of_three_in_one_network_are_enough() -> None:
    assert Meeting(HOME, AWAY, HOME, variant="three").room.unrated() == "network"


def test_games_of_earlier_editions_count_as_they_did() -> None:
    """Their logs do not say from where anybody came."""
    assert Meeting(None, None).counts()


def test_nothing_is_noted_where_nothing_counts() -> None:
    table = Meeting(HOME, HOME)
    room = begin(table.setup.__class__("room", "toy", "two", table.setup.places))
    around = table.around()._replace(origin=HOME)
    (step,) = act(room, "p0", actions.Sit(0), around)
    assert step.row.text == "!sit 0 p0"


def test_a_mark_tells_no_address_and_is_another_in_each_room(tmp_path: Path) -> None:
    worker = Worker(chosen(Options(data=str(tmp_path))))

    def mark(payer: str, room: str = "one") -> str:
        come = asyncio.run(worker.lobby.origin("", payer))(room)
        assert not come.named
        return come.network

    assert mark("192.0.2.1") == mark("192.0.2.1")
    assert len(mark("192.0.2.1")) == 4
    marks = {mark("192.0.2.1", f"room{number}") for number in range(20)}
    assert len(marks) > 10, "by it nobody is known again"
    assert mark("2001:db8:1:201::/64") == mark("2001:db8:1:2ff::/64"), "one household"
    assert mark("2001:db8:1:201::/64") != mark("2001:db8:1:301::/64") or (
        mark("2001:db8:1:201::/64", "two") != mark("2001:db8:1:301::/64", "two")
    )


# The same two, again and again


def wins(count: int, every: int) -> list[Ending]:
    """Games of two people, of which one wins all."""
    seats = (seat("a", 0, 1), seat("b", 1, 2))
    return [
        Ending(f"r{n:02}", "blokus", "two", "two", "bank 60 0", DAY + n * every, 9, "over", True, 2,
               seats, ())
        for n in range(count)
    ]  # fmt: skip


def after(tmp_path: Path, games: list[Ending]) -> int:
    url = database("", tmp_path)
    asyncio.run(written(url, [games]))
    rows = asyncio.run(stored(url))
    return figure(rows["blokus", games[-1].room, "a"])


def test_nine_games_of_the_same_two_in_a_day_raise_nobody_far(tmp_path: Path) -> None:
    assert after(tmp_path, wins(9, every=1000)) == 1635, "2 games, or nearly, are worth 140"


def test_of_games_on_different_days_each_counts_whole(tmp_path: Path) -> None:
    assert after(tmp_path, wins(9, every=DAY)) == 1839


@pytest.mark.parametrize("times", range(5))
def test_each_further_game_of_a_day_counts_half_as_much(times: int) -> None:
    meetings = Meetings()
    for number in range(times):
        meetings.add("ab", number)
    assert meetings.weight("ba", DAY - 1) == 0.5**times
    assert meetings.weight("ac", DAY - 1) == 1
    assert meetings.weight("abc", DAY - 1) == 0.5**times, "those two who met most often"
    assert meetings.weight("ab", DAY + times) == 1, "the day after"
