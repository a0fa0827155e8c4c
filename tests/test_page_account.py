"""A name that lasts, as people see it: kept on one device, come back to on others, by code, by
passkey and by a link that is scanned; and what is done about others at a table."""

import base64
import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession, Page, expect

from browser import DESK, PHONE, Window
from servers import Person, Tegel

AUTHENTICATOR = {
    "protocol": "ctap2", "transport": "internal", "hasResidentKey": True,
    "hasUserVerification": True, "isUserVerified": True, "automaticPresenceSimulation": True,
}  # fmt: skip


class Device:
    """A window on localhost, where passkeys are, with a device that makes and keeps them."""

    def __init__(self, browser: Browser, server: Tegel, **how: Any) -> None:
        home = f"http://localhost:{server.port}"
        self.window = Window(browser, server, base_url=home, **how)
        self.page: Page = self.window.page
        self.keys: CDPSession = self.window.context.new_cdp_session(self.page)
        self.keys.send("WebAuthn.enable")
        added = self.keys.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
        self.id = added["authenticatorId"]

    def credentials(self) -> list[dict[str, Any]]:
        found = self.keys.send("WebAuthn.getCredentials", {"authenticatorId": self.id})
        credentials: list[dict[str, Any]] = found["credentials"]
        return credentials

    def hold(self, credential: dict[str, Any]) -> None:
        """Have a passkey that another device made, as those do that are shared."""
        wish = {"authenticatorId": self.id, "credential": credential}
        self.keys.send("WebAuthn.addCredential", wish)

    def open(self, path: str = "/me") -> Page:
        return self.window.open(path)

    def keep(self, name: str) -> str:
        """Keep a name; the code that is shown."""
        page = self.open()
        page.get_by_label("Name", exact=True).fill(name)
        page.get_by_role("button", name="Keep it").click()
        code = page.locator(".paper strong").inner_text()
        page.get_by_role("button", name="I have kept it").click()
        return code


@pytest.fixture
def one(browser: Browser, server: Tegel) -> Iterator[Device]:
    device = Device(browser, server, **DESK)
    yield device
    device.window.close()


@pytest.fixture
def two(browser: Browser, server: Tegel) -> Iterator[Device]:
    device = Device(browser, server, **PHONE)
    yield device
    device.window.close()


def called(page: Page, name: str) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(name)


def test_paper_has_the_code_alone_and_other_pages_whole(one: Device) -> None:
    page = one.open()
    page.get_by_label("Name", exact=True).fill("Paper")
    page.get_by_role("button", name="Keep it").click()
    page.wait_for_selector(".paper")
    page.emulate_media(media="print")
    expect(page.locator(".paper strong")).to_be_visible()
    expect(page.locator("main h1")).to_be_hidden()
    expect(page.locator("header").first).to_be_hidden()
    page.emulate_media(media="screen")
    page.get_by_role("button", name="I have kept it").click()
    page.get_by_role("link", name="Rules", exact=True).first.click()
    page.wait_for_selector("main article")
    page.emulate_media(media="print")
    expect(page.locator("main article")).to_be_visible()


def test_a_guest_keeps_a_name_and_comes_back_by_code(one: Device, two: Device) -> None:
    page = one.open()
    page.get_by_label("Name", exact=True).fill("Mara\N{GRINNING FACE}")
    page.get_by_role("button", name="Keep it").click()
    expect(page.locator(".bad").first).to_have_text(
        "A name has letters, digits and hyphens, and nothing else."
    )
    one.window.wrong.clear()  # the refusal, as it should be
    code = one.keep("Mara")
    called(page, "@Mara")
    expect(page.locator(".paper strong")).to_have_count(0)
    assert code not in page.content(), "it is shown once"
    room = two.window.room(game="blokus", variant="duo")
    other = two.open()
    other.get_by_label("Recovery code").fill("aaaaa-bbbbb-ccccc-ddddd-eeeee")
    sign_in = other.get_by_role("button", name="Sign in", exact=True)
    sign_in.click()
    expect(other.locator(".bad").last).to_have_text(
        "This code is not right, or a newer one has replaced it."
    )
    two.window.wrong.clear()
    expect(other.get_by_label("Bring along the games of this browser (1)")).to_be_checked()
    other.get_by_label("Recovery code").fill(code.upper())
    sign_in.click()
    called(other, "@Mara")
    expect(other.locator(".said")).to_have_text("You are @Mara now. 1 running game came along.")
    two.window.sit(room)
    assert two.window.turn(), "the seat came along"
    other = two.open()
    other.get_by_role("button", name="Sign out", exact=True).click()
    called(other, "Keep your name")
    page = one.open()
    page.get_by_role("button", name="Delete me").click()
    page.get_by_role("button", name="Really delete me").click()
    called(page, "Keep your name")
    expect(page.locator(".said")).to_contain_text("You are deleted.")


def test_a_passkey_brings_one_back_on_another_device(one: Device, two: Device) -> None:
    one.keep("Joost")
    page = one.page
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_role("button", name="Remove")).to_have_count(1)
    (made,) = one.credentials()
    assert made["rpId"] == "localhost"
    two.hold(made)
    other = two.open()
    other.get_by_role("button", name="Sign in with a passkey").click()
    called(other, "@Joost")
    (used,) = two.credentials()
    assert used["signCount"] > made["signCount"]
    # A copy of the key that counts on from the old number was cloned.
    other.get_by_role("button", name="Sign out", exact=True).click()
    two.keys.send(
        "WebAuthn.removeCredential",
        {"authenticatorId": two.id, "credentialId": made["credentialId"]},
    )
    two.hold(made)
    other.get_by_role("button", name="Sign in with a passkey").click()
    expect(other.locator(".bad").last).to_contain_text(
        "it is not known, or belongs to another site"
    )
    called(other, "Keep your name")
    two.window.wrong.clear()
    page.get_by_role("button", name="Remove").click()
    expect(page.get_by_role("button", name="Remove")).to_have_count(0)
    other.get_by_role("button", name="Sign in with a passkey").click()
    expect(other.locator(".bad").last).to_contain_text(
        "it is not known, or belongs to another site"
    )
    called(other, "Keep your name")
    two.window.wrong.clear()


SIGN = """async ({ challenge, site }) => {
  const used = await navigator.credentials.get({ publicKey: {
    challenge: new TextEncoder().encode(challenge), rpId: site } })
  const text = (data) => btoa(String.fromCharCode(...new Uint8Array(data)))
    .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  const { clientDataJSON, authenticatorData, signature } = used.response
  return { id: used.id, client: text(clientDataJSON), authenticator: text(authenticatorData),
    signature: text(signature) }
}"""


def test_what_a_passkey_signed_lets_one_in_once_and_here(
    server: Tegel, one: Device, two: Device
) -> None:
    """A challenge that was used, is none of ours or was for something else; an answer given to
    another site, or changed on the way: one sentence, and nobody is let in."""
    one.keep("Saskia")
    page = one.page
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_role("button", name="Remove")).to_have_count(1)
    home = {"origin": f"http://localhost:{server.port}"}
    thief = two.window.context.request

    def ask(path: str, body: Any = None) -> tuple[int, dict[str, Any]]:
        answer = thief.post(f"{home['origin']}/api/{path}", data=body or {}, headers=home)
        return answer.status, answer.json()

    def signed(**changes: str) -> dict[str, str]:
        ceremony = {**ask("sign-in/challenge")[1], **changes}
        answer: dict[str, str] = page.evaluate(SIGN, ceremony)
        return answer

    good = signed()
    assert ask("sign-in/passkey", {**good, "signature": good["authenticator"]})[1]["code"] == (
        "passkey"
    )
    assert ask("sign-in/passkey", good)[1]["code"] == "late", "every try uses its challenge up"
    good = signed()
    client = json.loads(base64.urlsafe_b64decode(good["client"] + "=="))
    client["origin"] = "https://evil.example"
    other = base64.urlsafe_b64encode(json.dumps(client).encode()).decode().rstrip("=")
    assert ask("sign-in/passkey", {**good, "client": other})[1]["code"] == "passkey"
    for challenge in ("x", "9999999999999 abc def", "9.9"):
        assert ask("sign-in/passkey", signed(challenge=challenge))[1]["code"] == "late"
    made = page.request.post("/api/me/passkeys/challenge", data={}, headers=home).json()
    assert ask("sign-in/passkey", signed(challenge=made["challenge"]))[1]["code"] == "late"
    status, told = ask("sign-in/passkey", good := signed())
    assert (status, told["handle"]) == (200, "Saskia")
    assert ask("sign-in/passkey", good)[1]["code"] == "late"
    # By a number, and without a page, there are no passkeys.
    bare = Person(server)
    assert bare.refused("POST", "/api/sign-in/challenge") == "secure"
    wish = bare.http.post("/api/sign-in/challenge", headers={"origin": server.url})
    assert wish.json()["code"] == "secure"


def test_without_https_the_code_alone_is_offered_and_said_so(phone: Window) -> None:
    """The server is asked by a number, for which there are no passkeys."""
    page = phone.open("/me")
    sentence = "Passkeys need HTTPS, or localhost."
    expect(page.get_by_text(sentence)).to_be_visible()
    expect(page.get_by_role("button", name="Sign in with a passkey")).to_have_count(0)
    page.get_by_label("Name", exact=True).fill("Plain-Pieter")
    page.get_by_role("button", name="Keep it").click()
    page.get_by_role("button", name="I have kept it").click()
    expect(page.get_by_text(sentence)).to_be_visible()
    expect(page.get_by_role("button", name="Add a passkey")).to_have_count(0)
    expect(page.get_by_role("button", name="Make a new code")).to_be_visible()


def test_a_device_that_scans_a_link_asks_before_it_becomes_somebody(
    one: Device, two: Device
) -> None:
    one.keep("Truus")
    page = one.page
    page.get_by_role("button", name="Show a link").click()
    link = page.locator("input[readonly]").input_value()
    other = two.open(link.partition(str(one.window.server.port))[2])
    called(other, "Become @Truus on this device?")
    assert two.open("/me").get_by_role("heading", level=1).inner_text() == "Keep your name"
    other = two.open(link.partition(str(one.window.server.port))[2])
    other.get_by_role("button", name="Yes, that is me").click()
    called(other, "@Truus")
    other.get_by_role("button", name="Sign out", exact=True).click()
    called(other, "Keep your name")
    other = two.open(link.partition(str(one.window.server.port))[2])
    other.get_by_role("button", name="Yes, that is me").click()
    expect(other.get_by_role("alert")).to_have_text(
        "This link has been used, or is no longer valid."
    )
    two.window.wrong.clear()
    page.get_by_role("button", name="Sign out everywhere else").click()
    expect(page.get_by_text("All other browsers are signed out.")).to_be_visible()
    called(page, "@Truus")


def test_at_a_table_one_blocks_and_reports_another(server: Tegel, one: Device) -> None:
    rude = Person(server, "Rude Rudy")
    room = rude.room()["id"]
    sat = one.window.context.request.post(f"/api/rooms/{room}/sit", data={"seat": 1})
    assert sat.ok
    one.window.sit(room)
    page = one.page
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("button", name="Report: Rude Rudy").click()
    page.get_by_label("What happened?").select_option("stalling")
    page.get_by_role("button", name="Report", exact=True).click()
    expect(page.get_by_text("Thank you: whoever runs this server")).to_be_visible()
    page.get_by_role("button", name="Block: Rude Rudy").click()
    expect(page.get_by_text("Blocked", exact=True)).to_be_visible()
    next = rude.room()["id"]
    answer = one.window.context.request.post(f"/api/rooms/{next}/sit", data={"seat": 1})
    assert answer.json()["code"] == "blocked"
    page = one.open("/me")
    row = page.get_by_role("listitem").filter(has_text="Rude Rudy")
    row.get_by_role("button", name="Unblock").click()
    expect(row).to_have_count(0)
    answer = one.window.context.request.post(f"/api/rooms/{next}/sit", data={"seat": 1})
    assert answer.ok
