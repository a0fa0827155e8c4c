"""Your move, told to people who are away: written with the move, sent once, to devices of theirs
and to nobody's network."""

import asyncio
import json
import socket
import sqlite3
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from playwright.sync_api import Browser as Chromium
from py_vapid import Vapid02

from browser import DESK, Window, soon
from clocks import HandClock
from pushes import Browser, Service, push_service
from servers import Person, Tegel, postgres, redis, tegel, until
from tegel.game import BadNotation
from tegel.place.push.device import Device, device_id
from tegel.place.push.push import Push
from tegel.place.push.push_address import allowed_origin, check_endpoint, is_outside
from tegel.place.tasks.tasks import Seating
from tegel.room.clock import clock
from tegel.room.refused import Refused
from tegel.room.setup import Place, Setup
from tegel.server.push_service import WebPush
from tegel.server.storage import tables
from tegel.server.storage.push import SqlPush
from tegel.server.worker import Worker
from working import working

HOST = "host@games.example"
KEY = "QUJD" * 10 + "REU"


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    with push_service() as service:
        yield service


def options(service: Service, after: float = 0.2) -> tuple[str, ...]:
    return ("--push", HOST, "--push-allow", service.url, "--push-after", str(after))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, service: Service) -> Iterator[Tegel]:
    with tegel(tmp_path_factory.mktemp("push"), *options(service)) as server:
        yield server
        server.check()


def table(ann: Person, bob: Person, clock: str = "days 3") -> str:
    """A game in which the first is to move."""
    room: str = ann.room(clock=clock, seats=[{"kind": "person"}, {"kind": "open"}])["id"]
    bob.do(room, "sit", seat=1)
    return room


def move(person: Person, room: str) -> int:
    """Make any move; the ply after it."""
    offer = person.ok("GET", f"/api/rooms/{room}/offer")
    slot = offer["slots"][0]
    bits = int(slot["cells"], 16)
    row, column = divmod((bits & -bits).bit_length() - 1, slot["box"][2])
    text = f"{slot['tile']}.{slot['turn']}@{chr(97 + column)}{row + 1}"
    ply: int = person.do(room, "move", ply=offer["ply"], move=text)["ply"]
    return ply


def agree(person: Person, service: Service, name: str, language: str = "en") -> Browser:
    browser = Browser(service, name)
    person.ok("PUT", "/api/me/devices", browser.described(language))
    return browser


def rows(server: Tegel, query: str) -> list[Any]:
    with sqlite3.connect(server.folder / "tegel.db") as database:
        return database.execute(query).fetchall()


def test_your_move_reaches_who_is_away_once(ann: Person, bob: Person, service: Service) -> None:
    server = ann.server
    device = agree(bob, service, "bob", "de")
    room = table(ann, bob)
    ply = move(ann, room)
    until(lambda: service.messages(device), "a message")
    said = service.messages(device)[0]
    assert said == {"text": "Du bist am Zug in Blokus.", "room": room, "ply": ply, "count": 1}
    headers = service.came[-1][2]
    assert headers["content-encoding"] == "aes128gcm"
    assert int(headers["ttl"]) > 3600
    assert len(headers["topic"]) == 32
    token = headers["authorization"].removeprefix("vapid t=").split(",k=")
    assert token[1] == bob.ok("GET", "/api/me")["push"]
    assert Vapid02.verify(headers["authorization"])
    until(lambda: not rows(server, "SELECT * FROM outbox"), "its end")
    time.sleep(1)
    assert len(service.messages(device)) == 1
    # Nobody is told in a game with minutes, nor who is to move no more.
    quick = table(ann, bob, "bank 600 5")
    move(ann, quick)
    assert not rows(server, "SELECT * FROM outbox")
    bob.ok("DELETE", "/api/me/devices", {"endpoint": device.endpoint})
    other = table(ann, bob)
    move(ann, other)
    assert not rows(server, "SELECT * FROM outbox")


def test_who_has_it_before_their_eyes_is_not_told(
    ann: Person, bob: Person, service: Service
) -> None:
    device = agree(bob, service, "eyes")
    room = table(ann, bob)
    watching = bob.socket(room)
    watching.wait("room")
    move(ann, room)
    until(lambda: not rows(ann.server, "SELECT * FROM outbox"), "it is dropped")
    assert not service.messages(device)


def test_a_service_that_is_away_is_asked_again_and_a_device_that_is_gone_is_forgotten(
    ann: Person, bob: Person, service: Service
) -> None:
    device = agree(bob, service, "tired")
    service.answers["/tired"] = [503]
    room = table(ann, bob)
    move(ann, room)
    tried = until(lambda: rows(ann.server, "SELECT tries, due FROM outbox WHERE tries > 0"), "try")
    assert tried[0][0] == 1
    assert tried[0][1] > time.time() * 1000 + 20_000, "later"
    with sqlite3.connect(ann.server.folder / "tegel.db") as database:
        database.execute("UPDATE outbox SET due = 0")
    service.answers["/tired"] = [410]
    until(lambda: len(service.messages(device)) == 2, "the next try")
    until(lambda: not rows(ann.server, "SELECT * FROM outbox"), "its end")
    until(
        lambda: (
            not rows(ann.server, f"SELECT * FROM devices WHERE id = '{device_id(device.endpoint)}'")
        ),
        "it",
    )


def test_nothing_is_lost_when_the_server_is_killed(tmp_path: Path, service: Service) -> None:
    with tegel(tmp_path, *options(service, after=1.5)) as server:
        ann, bob = Person(server), Person(server)
        device = agree(bob, service, "killed")
        move(ann, table(ann, bob))
        server.kill()
        assert not service.messages(device)
        server.start()
        until(lambda: service.messages(device), "a message after all")
        time.sleep(1)
        assert len(service.messages(device)) == 1


@pytest.mark.sliced(2)
def test_a_service_that_does_not_answer_holds_up_no_other(tmp_path: Path, service: Service) -> None:
    with push_service() as slow, ExitStack() as stack:
        slow.slow = 20.0
        more = ("--push-allow", slow.url)
        server = stack.enter_context(tegel(tmp_path, *options(service), *more))
        ann, bob, eve = (Person(server) for _ in range(3))
        for number in range(8):
            agree(eve, slow, f"slow{number}")
        device = agree(bob, service, "soon")
        for _ in range(16):  # 128 that are stuck, more than are sent at once
            move(ann, table(ann, eve))
        until(lambda: len(slow.came) >= 8, "the first that are stuck")
        move(ann, table(ann, bob))
        until(lambda: service.messages(device), "the other's message", 12)


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://fcm.googleapis.com/fcm/send/a:b-c_d",
        "https://fcm.googleapis.com:443/wp/x?y=z",
        "https://updates.push.services.mozilla.com/wpush/v2/x",
        "https://web.push.apple.com/x",
        "https://wns2-par02p.notify.windows.com/w/?token=x%3d",
        "http://127.0.0.1:8443/x",
        "https://push.games.example/x",
    ],
)
def test_known_push_services_and_those_that_the_host_allows_are_taken(endpoint: str) -> None:
    check_endpoint(endpoint, ["http://127.0.0.1:8443", "https://push.games.example"])


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://127.1/x",  # what some read as 127.0.0.1
        "https://169.254.43518/x",
        "https://0x7f.1/x",
        "https://2130706433/x",
        "https://[64:ff9b::127.0.0.1]/x",
        "https://[64:ff9b::7f00:1]/x",
        "https://127.0.0.1/x",
        "https://127.0.0.1:8443/x",
        "https://8.8.8.8/x",
        "https://169.254.169.254/latest",
        "https://\uff11\uff12\uff17.0.0.1/x",  # wide digits, which mean the same
        "https://\u246f\u2468.254.169.254/latest",  # digits in circles
        "https://[::1]/x",
        "https://[fd00::1.2.3.4]/x",
        "https://localhost/x",
        "https://push.example/x",  # on the internet, but whose is it?
        "https://fcm.googleapis.com.example/x",
        "https://evilfcm.googleapis.com/x",
        "https://fcm.googleapis.com./x",
        "https://FCM.googleapis.com/x",
        "http://fcm.googleapis.com/x",
        "https://fcm.googleapis.com:22/x",
        "https://me@fcm.googleapis.com/x",
        "https://fcm.googleapis.com@push.example/x",
        "https://push.example\\@fcm.googleapis.com/x",
        "https://fcm.googleapis.com\\.push.example/x",
        "https://fcm.goo\tgleapis.com/x",
        " https://fcm.googleapis.com/x",
        "https://fcm.googleapis.com/x\n",
        "https://push.games.example.evil/x",
        "https://push.games.example@evil.example/x",
        "file:///etc/passwd",
        "https://[/x",
        "",
    ],
)
def test_other_endpoints_are_refused(endpoint: str) -> None:
    with pytest.raises(Refused, match=r"not one of a push service|Nothing is sent through"):
        check_endpoint(endpoint, ["http://127.0.0.1:8443", "https://push.games.example"])


@pytest.mark.parametrize("text", ["", "a b", "ftp://x", "https://x/y", "http://x:0", "x:99999"])
def test_what_is_no_push_service_is_not_allowed(text: str) -> None:
    with pytest.raises(BadNotation, match="a push service is a host"):
        allowed_origin(text)


INSIDE = (
    "127.0.0.1", "10.1.2.3", "169.254.169.254", "100.64.0.1", "224.0.0.1", "0.0.0.0",
    "255.255.255.255", "::1", "::", "::127.0.0.1", "::ffff:127.0.0.1", "64:ff9b::127.0.0.1",
    "64:ff9b::10.0.0.1", "64:ff9b:1::1", "2002:7f00:1::1", "2001:0:4136:e378::1", "fd00::1",
    "fe80::1", "fec0::1", "ff02::1", "2001:db8::1",
)  # fmt: skip


def test_addresses_in_private_networks_are_known_however_they_are_written() -> None:
    assert [one for one in INSIDE if is_outside(one)] == []
    outside = ("8.8.8.8", "2a00:1450::1", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8")
    assert all(map(is_outside, outside))


@pytest.mark.parametrize("address", ["127.0.0.1", "::ffff:127.0.0.1"])
def test_a_name_that_leads_into_a_private_network_is_not_followed(
    address: str, monkeypatch: pytest.MonkeyPatch, service: Service
) -> None:
    """The name of a known service leads to a machine of ours, as a DNS server may say at any
    time: it is asked once, and the address that it told is the one that is checked."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        there = (address, listening.getsockname()[1], 0, 0)[: 4 if ":" in address else 2]
        asked: list[str] = []

        def lookup(host: str, *_: object, **__: object) -> list[tuple[Any, ...]]:
            asked.append(host)
            return [(family, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", there)]

        monkeypatch.setattr(socket, "getaddrinfo", lookup)
        described = Browser(service, "rebound").described()
        device = Device("https://fcm.googleapis.com/x", described["key"], described["auth"])

        async def posted() -> int:
            sender = WebPush(f"mailto:{HOST}", KEY, ())
            sender.check(device)
            try:
                return await sender.post(device, {}, "topic")
            finally:
                await sender.close()

        assert asyncio.run(posted()) == 0
        assert asked == ["fcm.googleapis.com"]
        listening.setblocking(False)
        with pytest.raises(BlockingIOError):
            listening.accept()


def test_a_redirect_is_not_followed(service: Service) -> None:
    moved, there = Browser(service, "moved"), Browser(service, "there")
    service.answers["/moved"] = [307]
    service.moved["/moved"] = there.endpoint
    described = moved.described()
    device = Device(moved.endpoint, described["key"], described["auth"])

    async def posted() -> int:
        sender = WebPush(f"mailto:{HOST}", KEY, (service.url,))
        try:
            return await sender.post(device, {"text": "x"}, "topic")
        finally:
            await sender.close()

    assert asyncio.run(posted()) == 307
    assert len(service.messages(moved)) == 1
    assert not service.messages(there)


def test_bad_devices_are_refused_in_a_sentence(ann: Person, service: Service) -> None:
    good = Browser(service, "good").described()
    for bad in (
        {**good, "endpoint": "https://192.168.1.1/x"},
        {**good, "key": "A" * 87},
        {**good, "auth": "!" * 22},
        {**good, "language": "xx"},
        {**good, "endpoint": f"{service.url}/{'x' * 2000}"},
    ):
        assert ann.refused("PUT", "/api/me/devices", bad) == "invalid"
    for number in range(12):  # the oldest make room
        agree(ann, service, f"many{number}")
    kept = rows(ann.server, f"SELECT COUNT(*) FROM devices WHERE player = '{ann.id}'")
    assert kept == [(8,)]


def test_without_a_contact_nobody_is_asked(tmp_path: Path) -> None:
    with tegel(tmp_path) as server:
        ann = Person(server)
        assert ann.ok("GET", "/api/me")["push"] == ""
        device = {"endpoint": "https://push.example/x", "key": "A" * 87, "auth": "A" * 22}
        assert ann.refused("PUT", "/api/me/devices", device) == "push"


# With a service that the test plays, and time that it lets pass


class Post:
    """All push services at once: what they got, and what they answer."""

    public_key = "key"

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.said: list[tuple[str, Mapping[str, object]]] = []  # by topic
        self.status = 201

    def check(self, device: Device) -> None: ...

    async def post(self, device: Device, said: Mapping[str, object], topic: str) -> int:
        self.sent.append(device.endpoint)
        self.said.append((topic, said))
        return self.status

    async def close(self) -> None: ...


async def owed(worker: Worker, push: Push, *hosts: str) -> None:
    """A game in which it is bob's turn, of which his devices at some services are to be told."""
    places, now = (Place("person", 0, "bob"), Place("person", 0, "bob")), worker.heartbeat.now()
    setup = Setup("room", "blokus", "duo", places, clock=clock("days 3"), at=now)
    live = await worker.house.create(setup, Seating("bob", [0, 1], {}))
    assert live.room.waits_for == "bob"
    for host in hosts:
        device = Device(f"https://{host}/bob", "k", "a")
        await push.agree("bob", device)
        values = {"room": "room", "device": device.id, "player": "bob", "ply": live.room.ply}
        row = sa.insert(tables.outbox).values(**values, due=now, tries=0)
        await worker.ports.storage.change(row)


async def send(*pushes: Push) -> None:
    await asyncio.gather(*(push.send_due() for push in pushes))
    await asyncio.gather(*(task for push in pushes for task in push.sending))


def with_post(folder: Path, happens: Callable[[Worker, HandClock, Post], Awaitable[None]]) -> None:
    async def work() -> None:
        hands, post = HandClock(), Post()
        async with working(folder, clock=hands) as worker:
            await worker.heartbeat.begin()
            await happens(worker, hands, post)

    asyncio.run(asyncio.wait_for(work(), 60))


def test_of_several_workers_one_sends_and_another_if_that_one_dies(tmp_path: Path) -> None:
    async def happens(worker: Worker, hands: HandClock, post: Post) -> None:
        store = SqlPush(worker.ports.storage)
        pushes = [Push(worker.house, store, post, after=1) for _ in range(3)]
        await owed(worker, pushes[0], "one", "two")
        await send(*pushes)
        assert not post.sent, "people may see for themselves"
        hands.passes(1000)
        (dead,) = await store.take(worker.heartbeat.now(), worker.heartbeat.now() + 60_000, 1)
        await send(*pushes)
        await send(*pushes)
        assert len(post.sent) == 1
        assert dead.device.endpoint not in post.sent
        hands.passes(61_000)
        await send(*pushes)
        assert sorted(post.sent) == ["https://one/bob", "https://two/bob"]
        said = {"text": "Your move in Blokus.", "room": "room", "ply": 2, "count": 1}
        assert post.said == [("room", said)] * 2
        assert not await worker.ports.storage.rows(sa.select(tables.outbox))

    with_post(tmp_path, happens)


def test_a_service_that_did_not_answer_rests(tmp_path: Path) -> None:
    async def happens(worker: Worker, hands: HandClock, post: Post) -> None:
        push = Push(worker.house, SqlPush(worker.ports.storage), post, after=0)
        await owed(worker, push, "one")
        post.status = 0
        for seconds in (0, 31, 61):  # it is tried again after 30 seconds, then after 60
            hands.passes(1000 * seconds)
            await send(push)
        assert len(post.sent) == 2, "a minute after the first time"
        (tries,) = await worker.ports.storage.rows(sa.select(tables.outbox.c.tries))
        assert tries == (3,)

    with_post(tmp_path, happens)


def test_two_workers_tell_everybody_once(tmp_path: Path, service: Service) -> None:
    with ExitStack() as stack:
        database = stack.enter_context(postgres(tmp_path))
        bus = stack.enter_context(redis(tmp_path / "redis"))
        more = ("--database", database, "--bus", bus, *options(service, after=1))
        shared = {"TEGEL_SECRET": "s" * 40, "TEGEL_PUSH_KEY": KEY}
        one, two = (
            stack.enter_context(tegel(tmp_path / name, *more, env=shared)) for name in ("a", "b")
        )
        ann, bob = Person(one), Person(two)
        device = agree(bob, service, "two")
        tables = [table(ann, bob) for _ in range(12)]
        for room in tables:
            move(ann, room)
        until(lambda: len(service.messages(device)) >= 12, "all messages", 30)
        time.sleep(1)
        assert sorted(said["room"] for said in service.messages(device)) == sorted(tables)
        for each in (one, two):
            each.check()


@pytest.mark.sliced(2)
def test_the_page_agrees_and_its_worker_shows_the_message(
    whole: Chromium, server: Tegel, service: Service, ann: Person
) -> None:
    """The subscription itself needs a push service of the browser's maker, and is stubbed."""
    window = Window(whole, server, **DESK)
    window.context.grant_permissions(["notifications"])
    device = Browser(service, "page")
    described = device.described()
    keys = {"p256dh": described["key"], "auth": described["auth"]}
    stub = {"endpoint": device.endpoint, "keys": keys}
    window.context.add_init_script(f"""
      PushManager.prototype.subscribe = async ({{ applicationServerKey }}) => {{
        window.subscribed = applicationServerKey.length
        return {{ toJSON: () => ({json.dumps(stub)}) }}
      }}
    """)
    page = window.open("/")
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.locator("header summary, header .settings button").first.click()
    with page.expect_response("**/api/me/devices") as answer:
        page.get_by_label("Tell me when it is my turn").check()
    assert answer.value.ok
    assert page.evaluate("window.subscribed") == 65
    me = page.evaluate("fetch('/api/me').then((one) => one.json())")
    assert rows(
        server, f"SELECT player, language FROM devices WHERE id = '{device_id(device.endpoint)}'"
    ) == [(me["id"], "en")]
    room = ann.room(clock="days 3", seats=[{"kind": "person"}, {"kind": "open"}])["id"]
    window.open(f"/j/{room}").get_by_role("button", name="Join").click()
    page.wait_for_selector("main[data-ply='2']")
    page.goto("/")
    move(ann, room)
    said = until(lambda: service.messages(device), "a message")[0]
    worker = window.context.new_cdp_session(page)
    registrations: list[str] = []
    worker.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: registrations.extend(r["registrationId"] for r in told["registrations"]),
    )
    worker.send("ServiceWorker.enable")
    assert soon(page, lambda: bool(registrations))
    for _ in range(2):  # told twice, it stands once
        delivered = {
            "origin": server.url, "registrationId": registrations[0], "data": json.dumps(said),
        }  # fmt: skip
        worker.send("ServiceWorker.deliverPushMessage", delivered)
    shown = until(
        lambda: page.evaluate(
            """() => navigator.serviceWorker.ready.then((one) => one.getNotifications())
                 .then((all) => all.map(({ body, data, tag }) => [body, data, tag]))"""
        ),
        "a notification",
    )
    assert shown == [["Your move in Blokus.", f"/r/{room}", room]]
    page.wait_for_function("() => document.title === '(1) Tegel'")
    with page.expect_response("**/api/me/devices") as answer:
        page.evaluate(
            f"""() => (PushManager.prototype.getSubscription = async () => (
                {{ endpoint: {json.dumps(device.endpoint)}, unsubscribe: async () => true }}))"""
        )
        page.locator("header summary, header .settings button").first.click()
        page.get_by_label("Tell me when it is my turn").uncheck()
    assert answer.value.ok
    assert not rows(server, f"SELECT * FROM devices WHERE id = '{device_id(device.endpoint)}'")
    window.close()
