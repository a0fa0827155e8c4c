"""What players are called, and whose a token is, as a worker remembers it."""

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from tegel.place.accounts import names as names_
from tegel.place.accounts import tokens as tokens_
from tegel.place.accounts.identity import new_bot, new_code, new_player, new_token, plain_code
from tegel.room.refused import Refused
from working import working


def test_a_name_that_changes_while_it_is_read_is_read_again(tmp_path: Path) -> None:
    """Else a worker would call somebody by the old name until it ends."""

    async def renamed() -> list[str]:
        async with working(tmp_path) as worker:
            names, accounts = worker.people.names, worker.people.accounts
            await accounts.keep("ann", "Ann")
            names.known.clear()
            read = names.store.name

            async def slow(player: str) -> str:
                found = await read(player)
                names.store.name = read  # type: ignore[method-assign]
                await accounts.rename("ann", "Anna")
                return found

            names.store.name = slow  # type: ignore[method-assign]
            return [await names.name("ann"), await names.name("ann")]

    assert asyncio.run(renamed()) == ["@Ann", "@Anna"]


def test_a_name_that_is_kept_is_told_whatever_a_player_wishes(tmp_path: Path) -> None:
    async def called() -> list[str]:
        async with working(tmp_path) as worker:
            names = worker.people.names
            await names.rename("bob", " @Bob ")
            found = [await names.called("bob"), await names.called("bob", "Bobby")]
            await worker.people.accounts.keep("bob", "Robert")
            return [*found, await names.called("bob", "Bobby"), await names.called("", "Guest")]

    assert asyncio.run(called()) == ["Bob", "Bobby", "@Robert", "Guest"]


@pytest.mark.parametrize("module", [names_, tokens_])
def test_few_are_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: Any) -> None:
    monkeypatch.setattr(module, "MOST", 3)

    async def asked() -> None:
        async with working(tmp_path) as worker:
            names, tokens = worker.people.names, worker.people.tokens
            made = [await tokens.create(f"Bot {number}") for number in range(9)]
            for _ in range(2):  # the second time most were forgotten meanwhile
                for number, (id, token) in enumerate(made):
                    assert await tokens.program(token) == id
                    assert await names.name(id) == f"Bot {number}"
            assert len((names if module is names_ else tokens).known) == 3

    asyncio.run(asked())


def test_a_token_that_nobody_has_is_no_programs(tmp_path: Path) -> None:
    async def asked() -> list[str]:
        async with working(tmp_path) as worker:
            tokens = worker.people.tokens
            id, token = await tokens.create("Bot")
            assert await tokens.program(token) == id
            return [await tokens.program(wrong) for wrong in ("", token[:-1], f"{token}x")]

    assert asyncio.run(asked()) == ["", "", ""]


def test_a_link_to_another_device_works_once_and_ends_with_the_cookies(tmp_path: Path) -> None:
    async def used() -> None:
        async with working(tmp_path) as worker:
            people = worker.people
            first, second = await people.links.made("ann"), await people.links.made("ann")
            assert await people.links.read(first) == "ann"
            assert await people.links.used(first) == "ann"
            session = await people.sessions.end_all("ann")
            assert session.generation == 1
            for link in (first, second, "nothing"):
                with pytest.raises(Refused) as refused:
                    await people.links.used(link)
                assert refused.value.code == "link"
            assert await people.links.used(await people.links.made("ann")) == "ann"

    asyncio.run(used())


def test_who_somebody_is_comes_from_the_chance_that_is_given() -> None:
    """The same seed, the same names: so that a simulation repeats itself."""

    def made(seed: int) -> list[str]:
        chance = random.Random(seed)
        return [make(chance) for make in (new_player, new_bot, new_token, new_code)]

    player, bot, token, code = made(1)
    assert made(1) == [player, bot, token, code]
    assert not {*made(2)} & {player, bot, token, code}
    assert (len(player), len(bot), len(token)) == (20, len("bot-") + 12, len("tegel_") + 43)
    assert plain_code(code) == code
