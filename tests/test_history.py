"""The checker of histories finds what is wrong, and only that: each fault is planted in a
history without any, and named."""

import random
from collections.abc import Callable
from dataclasses import replace
from math import inf

import pytest

from history import Ack, Ending, History, Row, Sight, Wish, faults, line


def good(rng: random.Random) -> History:
    """A game of two people on two workers, with takebacks, in which all is as promised."""
    found = History(people={"r": frozenset({0, 1})})
    rows = [Row(0, "!sit 0 ann"), Row(1, "!sit 1 bob")]
    for turn in range(rng.randrange(10, 30)):
        seat, ply = turn % 2, len(rows)
        found.wishes.append(Wish("r", seat, ply, f"m{turn}"))
        if rng.random() < 0.3:
            found.wishes.append(found.wishes[-1])  # again, for no answer came
        rows.append(Row(ply, f"m{turn}", seat))
        if rng.random() < 0.8:
            found.acks.append(Ack("r", ply + 1, f"m{turn}"))
        if rng.random() < 0.2 and turn > 2:
            found.wishes.append(Wish("r", seat, len(rows), "ask"))
            rows.append(Row(len(rows), f"!takeback {len(line(rows)) - 1}"))
    found.logs = {"r": rows}
    for reader, worker in (("ann", "one"), ("bob", "two")):
        for ply in range(2, len(rows) + 1):
            at = ply + rng.random() / 2
            told = rows[ply - 1].text
            row = told.split()[0] if told.startswith("!") else told
            found.sights.append(Sight(reader, worker, "r", inf, at, ply, row))
            if rng.random() < 0.3:
                asked = Sight(f"{reader} asks", worker, "r", at + 0.1, at + 0.2, ply)
                found.sights.append(asked._replace(line=line(rows[:ply])))
    found.endings = [Ending("r", 100.0, flag=95.0, bot=99.0, behind=98.0)]
    return found


def lose_the_last_row(history: History, _: random.Random) -> None:
    rows = history.logs["r"]
    history.acks.append(Ack("r", len(rows), rows[-1].text))
    rows.pop()


def lose_a_room(history: History, _: random.Random) -> None:
    history.logs.clear()


def two_writers_of_a_place(history: History, rng: random.Random) -> None:
    rows = history.logs["r"]
    place = rng.randrange(len(rows))
    rows.insert(place, rows[place])


def a_gap(history: History, rng: random.Random) -> None:
    rows = history.logs["r"]
    rows.pop(rng.randrange(len(rows) - 1))


def done_twice(history: History, _: random.Random) -> None:
    rows = history.logs["r"]
    wish = next(wish for wish in reversed(history.wishes) if wish.text != "ask")
    rows.append(Row(len(rows), wish.text, wish.seat))


def taken_back_twice(history: History, _: random.Random) -> None:
    rows = history.logs["r"]
    rows += [Row(len(rows) + more, "!takeback 1") for more in range(40)]


def made_for_somebody(history: History, _: random.Random) -> None:
    rows = history.logs["r"]
    rows.append(Row(len(rows), "another", 1))


def shown_but_not_saved(history: History, _: random.Random) -> None:
    rows = history.logs["r"]
    history.sights.append(Sight("eve", "one", "r", inf, 1e6, len(rows) + 1, "m99"))


def shown_otherwise(history: History, rng: random.Random) -> None:
    place = rng.choice([i for i, sight in enumerate(history.sights) if sight.row])
    history.sights[place] = history.sights[place]._replace(row="m99")


def another_line(history: History, _: random.Random) -> None:
    ply = len(history.logs["r"])
    seen = (*line(history.logs["r"])[:-1], "m99")
    history.sights.append(Sight("eve", "one", "r", 1e6, 1e6 + 1, ply, line=seen))


def backwards(history: History, rng: random.Random) -> None:
    ann = [sight for sight in history.sights if sight.reader == "ann"]
    again = rng.choice(ann[:-1])
    history.sights.append(again._replace(at=1e6))


def answered_from_the_past(history: History, _: random.Random) -> None:
    history.sights.append(Sight("eve", "one", "r", 1e6, 1e6 + 1, 2))


def no_flag(history: History, _: random.Random) -> None:
    history.endings = [Ending("r", 100.0, flag=80.0)]


def no_bot(history: History, _: random.Random) -> None:
    history.endings = [Ending("r", 100.0, bot=80.0)]


def no_news(history: History, _: random.Random) -> None:
    history.endings = [Ending("r", 100.0, behind=80.0)]


PLANTED: dict[Callable[[History, random.Random], None], str] = {
    lose_the_last_row: "was acknowledged",
    lose_a_room: "was acknowledged",
    two_writers_of_a_place: "the log has the places",
    a_gap: "the log has the places",
    done_twice: "times and done",
    taken_back_twice: "takebacks were asked for",
    made_for_somebody: "nobody sent",
    shown_but_not_saved: "what is not in the log",
    shown_otherwise: "m99, the log has",
    another_line: "the log has (",
    backwards: "plies, then",
    answered_from_the_past: "then answered",
    no_flag: "a flag is due",
    no_bot: "a bot is to move",
    no_news: "a worker is behind",
}


def test_a_history_without_faults_has_none(rng: random.Random) -> None:
    for _ in range(100):
        assert faults(good(rng)) == []


@pytest.mark.parametrize("plant", PLANTED, ids=lambda plant: plant.__name__)
def test_a_planted_fault_is_found(
    plant: Callable[[History, random.Random], None], rng: random.Random
) -> None:
    for _ in range(20):
        history = good(rng)
        plant(history, rng)
        found = faults(history)
        assert any(PLANTED[plant] in sentence for sentence in found), found


def test_what_was_sent_twice_may_be_done_twice_after_a_takeback(rng: random.Random) -> None:
    """The same tile in the same place, for another ply, is another wish."""
    history = good(rng)
    rows = history.logs["r"]
    ply, move = len(rows), Row(len(rows), "again", 0)
    rows += [move, Row(ply + 1, f"!takeback {len(line(rows))}"), move._replace(seq=ply + 2)]
    history.wishes += [Wish("r", 0, ply, "again"), Wish("r", 0, ply + 1, "ask")]
    assert faults(history) != []
    history.wishes.append(Wish("r", 0, ply + 2, "again"))
    assert faults(history) == []


def test_who_reads_from_two_workers_may_be_behind_on_one(rng: random.Random) -> None:
    """News need their time; only what a worker itself has told binds it."""
    history = good(rng)
    early = Sight("eve on three", "three", "r", 1e6, 1e6 + 1, 2)
    assert faults(replace(history, sights=[*history.sights, early])) == []
