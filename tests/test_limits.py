"""Limits of networks: who has a wide prefix of IPv6 gains little by it, and harms nobody else's
limits; where many people share a network, the host says so."""

import random
from collections import Counter
from dataclasses import replace
from ipaddress import IPv6Network
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest

from servers import Tegel
from tegel.game import BadNotation
from tegel.place.limits.buckets import WITHIN, NetworkBuckets
from tegel.place.limits.limits import RATES, Limits
from tegel.room.refused import Refused
from tegel.server.compute.pools import Pools
from tegel.server.run import Options, chosen, database
from tegel.server.settings import Settings, settings
from tegel.server.web import transport
from tegel.server.web.gate import payer
from tegel.server.worker import Worker

SERVE = ("--proxy", "127.0.0.1", "--limits", "1")
OWN = ("messages", "phrases", "player_work")  # rates of a socket or a player
HOUSEHOLD, SITE = IPv6Network("2001:db8:1:4200::/56"), IPv6Network("2001:db8:1::/48")
AWAY = "2001:db8:2:1::7"


@pytest.fixture
def worker(tmp_path: Path) -> Worker:
    return still(Worker(Settings(database("", tmp_path), "x" * 32)))


def still(worker: Worker) -> Worker:
    """A worker for whose limits no time passes."""
    budget, grades = worker.budget, worker.moments.may_count
    for one in [
        *vars(worker.rates).values(),
        *vars(budget).values(),
        getattr(grades, "__self__", None),
    ]:
        if hasattr(one, "take") and hasattr(one, "clock"):
            one.clock = lambda: 0.0
    return worker


def addresses(within: IPv6Network, rng: random.Random, count: int) -> list[str]:
    """Addresses of as many /64s of a prefix."""
    networks = rng.sample(range(2 ** (64 - within.prefixlen)), count)
    return [str(within[(number << 64) + rng.getrandbits(60)]) for number in networks]


def paying(address: str) -> str:
    return payer({"client": (address, 1)})


def test_a_household_tries_few_wrong_codes(worker: Worker, rng: random.Random) -> None:
    came = addresses(HOUSEHOLD, rng, 200)
    tried = sum(worker.rates.sign_ins.take(paying(one)) for one in came)
    assert tried == 80, "four times as many as one /64"
    assert worker.rates.sign_ins.take(paying(AWAY))


def test_a_household_makes_few_rooms(worker: Worker, rng: random.Random) -> None:
    made = 0
    for number, one in enumerate(addresses(HOUSEHOLD, rng, 200) * 2):
        try:
            worker.budget.charge(paying(one), f"guest{number}", "room")
            made += 1
        except Refused as refused:
            assert refused.code == "rate"
    assert made == 240, "300 seconds of work, four times, for 5 a room"
    worker.budget.charge(paying(AWAY), "ann", "room")


@pytest.mark.parametrize(
    "rate",
    ["reads", "writes", "refusals", "tokens", "names", "sign_ins", "reports", "said"],
)
def test_every_rate_is_limited_for_a_whole_site(
    worker: Worker, rate: str, rng: random.Random
) -> None:
    buckets = getattr(worker.rates, rate)
    one = paying(AWAY)
    alone = sum(buckets.take(one) for _ in range(1000))
    came = [paying(address) for address in addresses(SITE, rng, 10_000)]
    together = sum(buckets.take(each) for each in came)
    assert together == 8 * alone, "eight times as much as a /64"


def test_a_site_counts_for_the_grade_of_a_moment_as_a_few_people(
    worker: Worker, rng: random.Random
) -> None:
    came = addresses(SITE, rng, 100)
    assert sum(worker.moments.may_count(f"{paying(one)} blokus m1") for one in came) == 24
    assert worker.moments.may_count(f"{paying(came[0])} blokus m2"), "each moment for itself"


def test_a_site_fills_only_so_much_of_the_disk(worker: Worker, rng: random.Random) -> None:
    text, kept = "x" * 1_000_000, 0
    for one in addresses(SITE, rng, 300):
        try:
            worker.budget.keep(paying(one), text)
            kept += len(text)
        except Refused:
            continue
    assert kept < 160e6, "20 MB at once, eight times"


def test_no_bucket_is_made_anew_by_going_through_a_site(worker: Worker, rng: random.Random) -> None:
    """65,536 networks of one /48, one after another: they forget their own buckets, not those of
    others; and no new one has more than the /48 has left."""
    tired = [f"198.51.100.{number}" for number in range(50)] + [
        f"2001:db8:{n:x}::1" for n in range(2, 50)
    ]
    for address in tired:
        while worker.rates.tokens.take(paying(address)):
            pass
    came = [str(SITE[number << 64]) for number in range(65_536)]
    made = sum(worker.rates.tokens.take(paying(one)) for one in came)
    assert made == 80, "10 a day, eight times"
    assert not any(worker.rates.tokens.take(paying(one)) for one in rng.sample(came, 1000))
    assert not any(worker.rates.tokens.take(paying(address)) for address in tired)


def test_there_are_never_more_buckets_than_so_many(rng: random.Random) -> None:
    """Those not used for longest go, with what is inside them."""
    buckets = NetworkBuckets((10, 1), most=100, clock=lambda: 0.0)
    everywhere = IPv6Network("2001:db8::/32")
    for number in range(3000):
        kind = number % 3
        within = (everywhere, SITE, everywhere)[kind]
        address = (
            f"198.51.{number >> 8}.{number & 255}" if kind == 2 else addresses(within, rng, 1)[0]
        )
        buckets.take(paying(address))
        inside = sum(len(site.inside) for site in buckets.sites.values())
        assert buckets.size == len(buckets.sites) + inside <= 100
        assert all(len(site.inside) <= WITHIN for site in buckets.sites.values())
    assert "2001:db8:1::/48" in buckets.sites, "used all the time"


def test_over_http_a_household_tries_few_wrong_codes(server: Tegel, rng: random.Random) -> None:
    codes = {"code": "abcde-fghjk-23456-mnpqr-stuvw"}
    with httpx.Client(base_url=server.url) as client:
        answers = [
            client.post("/api/sign-in/code", json=codes, headers={"X-Forwarded-For": one})
            for one in addresses(HOUSEHOLD, rng, 200)
        ]
        found = Counter(answer.json()["code"] for answer in answers)
        assert found.keys() == {"code", "rate"}
        assert found["rate"] > 100, found
        other = client.post("/api/sign-in/code", json=codes, headers={"X-Forwarded-For": AWAY})
        assert other.json()["code"] == "code"


def test_a_site_has_few_sockets_and_games_against_bots(worker: Worker, rng: random.Random) -> None:
    limits = worker.settings.limits
    for cap in ("connections", "sockets", "bots"):
        counts = limits.counts(cap)
        for address in addresses(SITE, rng, 5000):
            if not counts.over(paying(address), more=1):
                counts.add(paying(address))
        assert sum(counts.open.values()) == 3 * 8 * getattr(limits, cap), "once for each prefix"
        assert not counts.over(paying(AWAY), more=1)
        for prefix in [key for key in counts.open if key.endswith("/64")]:
            for _ in range(counts.open[prefix]):
                counts.remove(prefix)
        assert not counts.open, "nothing is remembered of who is gone"


def test_a_site_that_goes_on_is_not_heard_as_a_whole(
    worker: Worker, rng: random.Random, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport, "SHUNNED", {})
    monkeypatch.setattr(transport, "time", SimpleNamespace(monotonic=lambda: 0.0))
    transport.shun("198.51.100.1")
    for one in addresses(SITE, rng, 30_000):
        if transport.shunned(paying(one)):
            continue
        if not worker.rates.refusals.take(paying(one)):
            transport.shun(worker.rates.refusals.exhausted(paying(one)))
    assert transport.shunned(paying(str(SITE[5]))), "the whole /48"
    assert not transport.shunned(paying(AWAY))
    assert len(transport.SHUNNED) < 100, "so nobody else is forgotten"
    assert transport.shunned("198.51.100.1")


def test_a_site_has_one_turn_where_all_wait(worker: Worker) -> None:
    pools = worker.ports.work
    assert isinstance(pools, Pools)
    party = pools.facts.turns.party
    assert party(paying(str(SITE[1]))) == party(paying(str(SITE[2**70]))) == "2001:db8:1::/48"
    assert party(paying(AWAY)) != party(paying(str(SITE[1])))
    assert party("192.0.2.1") == "192.0.2.1"
    assert party("roomname") == "roomname"


# Networks that many people share


def test_where_many_share_a_network_limits_are_wider(tmp_path: Path) -> None:
    options = Options(
        data=str(tmp_path), limits=0.5, shared=("192.0.2.1", "198.51.100.0/24", "2001:db8:1::/48")
    )
    worker = still(Worker(chosen(options)))

    def tokens(address: str) -> int:
        return sum(worker.rates.tokens.take(paying(address)) for _ in range(1000))

    assert tokens("203.0.113.1") == 5, "10 a day, times --limits"
    assert tokens("192.0.2.1") == tokens("198.51.100.77") == 100, "20 times as many"
    assert tokens(str(SITE[0])) == 100
    assert tokens(AWAY) == 5
    sockets = worker.rates.sockets
    for _ in range(100):
        sockets.add("203.0.113.1")
        sockets.add("192.0.2.1")
    assert sockets.over("203.0.113.1", more=1)
    assert not sockets.over("192.0.2.1", more=1)


def test_settings_with_shared_networks_are_told_to_workers(tmp_path: Path) -> None:
    found = chosen(Options(data=str(tmp_path), shared=("2001:db8::/32", "192.0.2.9")))
    assert settings(str(found)) == found
    assert found.limits.shared == ("2001:db8::/32", "192.0.2.9/32")


@pytest.mark.parametrize("wrong", ["school", "192.0.2.1/24", "300.1.1.1", "2001:db8::1/48", ""])
def test_a_shared_network_that_is_none_is_refused(tmp_path: Path, wrong: str) -> None:
    with pytest.raises(BadNotation, match=r"a network is an address or a prefix"):
        chosen(Options(data=str(tmp_path), shared=(wrong,)))


def test_all_limits_follow_the_host() -> None:
    wide = replace(Limits(), shared=("192.0.2.1/32",)).times(3)
    assert wide.shared == ("192.0.2.1/32",)
    for rate in set(RATES) - set(OWN):
        bucket = wide.buckets(rate, lambda: 0.0).of("2001:db8::/64")
        burst = getattr(Limits(), rate)[0]
        chain = [bucket.burst, bucket.wider.burst, bucket.wider.wider.burst]  # type: ignore[union-attr]
        assert chain == [3 * burst, 12 * burst, 24 * burst]
