"""Strangers on a server as a host runs it, some at an address of their own: open tables, searches,
what they learn of each other."""

import httpx

from searching import Search
from servers import Person, Tegel, until

SERVE = ("--limits", "1")


class Stranger(Person):
    """A person at another address."""

    def __init__(self, server: Tegel, address: str, name: str = "") -> None:
        super().__init__(server, name)
        self.http.close()
        self.http = httpx.Client(
            base_url=server.url, timeout=30, cookies=self.http.cookies,
            transport=httpx.HTTPTransport(local_address=address),
        )  # fmt: skip


def test_two_networks_do_not_fill_the_list_of_open_tables(server: Tegel) -> None:
    first = Stranger(server, "127.0.0.2", "First")
    before = first.room(listed=True)["id"]
    flood = [Stranger(server, f"127.0.0.{number}") for number in (3, 4)]
    for person in flood:
        answers = [
            person.ask("POST", "/api/rooms", {"game": "blokus", "listed": True}) for _ in range(7)
        ]
        assert [answer.status_code for answer in answers] == [201] * 5 + [409] * 2
        refused = answers[-1].json()
        assert refused["code"] == "listed"
        assert refused["text"].startswith("5 tables from your network are in the list already")
        person.room()  # one that is not listed can be made
    after = Stranger(server, "127.0.0.5").room(listed=True)["id"]
    listed = [line["id"] for line in first.ok("GET", "/api/rooms")]
    assert listed[0] == after
    assert before in listed[:4], "the first table of every network comes before the second of any"
    assert len(listed) == 12


def test_a_rematch_is_listed_as_of_the_network_that_asked_for_it(server: Tegel) -> None:
    person, other = Stranger(server, "127.0.0.6"), Stranger(server, "127.0.0.6")
    for _ in range(3):
        room = person.room(listed=True)["id"]
        other.do(room, "sit", seat=1)
        other.do(room, "resign")
        person.do(room, "rematch")
    for _ in range(2):
        person.room(listed=True)
    assert person.refused("POST", "/api/rooms", {"game": "blokus", "listed": True}) == "listed"


def test_a_network_has_eight_searches_at_once(server: Tegel) -> None:
    nobody_looks(server)
    searches = []
    for number in range(8):
        searches.append(Search(Person(server), clock=f"bank {400 + number} 5"))
        searches[-1].wait("looking")
    late = Search(Person(server), clock="bank 500 5")
    refused = late.wait("error", "looking")
    assert refused["code"] == "searches"
    assert refused["text"].endswith("please try again soon.")
    searches[0].close()
    until(lambda: searched(late), "a place that is free", 10)


def nobody_looks(server: Tegel) -> None:
    """Wait until the searches of other tests have ended."""
    person = Person(server)
    until(lambda: not person.ok("GET", "/api/searches")["all"], "the end of all searches")


def searched(search: Search) -> bool:
    """Whether a search can begin now."""
    search.seek("again", clock="bank 500 5")
    answer: str = search.wait("error", "looking")["t"]
    return answer == "looking"


def test_ratings_of_who_shows_nothing_are_told_to_nobody(server: Tegel) -> None:
    nobody_looks(server)
    shy, open_ = Person(server), Person(server)
    open_.ok("PUT", "/api/me/profile", {"ratings": True})
    searches = [Search(who, variant="classic") for who in (shy, open_)]  # four are needed
    searches[0].wait("looking")
    seen = searches[1].wait("looking")
    assert (seen["same"], seen.get("others", [])) == (1, [])
    while (seen := searches[0].wait("looking")).get("same") != 1:
        pass
    assert seen["others"] == [1500], "of who shows it"
