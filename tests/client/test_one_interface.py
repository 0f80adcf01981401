"""A hall is the same for a program, in its own process or over the network."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from random import Random
from typing import TypeAlias

import pytest

from dicehall.client.errors import Refused
from dicehall.client.hall import HallClient
from dicehall.client.network import dial_to, socket_url
from dicehall.games import catalogue
from dicehall.launch.in_process import dial_into
from tests.client.halls import awaited, client, open_hall, play
from tests.server.running import running_server

NewClient: TypeAlias = Callable[[], HallClient]


@asynccontextmanager
async def in_process(folder: Path) -> AsyncIterator[NewClient]:
    async with open_hall(folder) as running:
        yield lambda: client(dial_into(running.sockets))


@asynccontextmanager
async def over_the_network(folder: Path) -> AsyncIterator[NewClient]:
    with running_server(folder) as server:
        yield lambda: client(dial_to(server.url))


Reach: TypeAlias = Callable[[Path], AbstractAsyncContextManager[NewClient]]
both = pytest.mark.parametrize("reach", [in_process, over_the_network])


@both
@awaited
async def test_two_programs_open_find_sit_play_and_play_again(reach: Reach, tmp_path: Path) -> None:
    """Every way of the interface, from the door to the rematch."""
    async with reach(tmp_path) as new, new() as ann, new() as bo:
        await ann.guest("Ann")
        await bo.sign_up("Bo", "a long password")
        assert {game["game"] for game in await ann.games()} == set(catalogue())
        opened = await ann.open("tenthousand", seats=2, rules={"goal": 500, "opening": 0}, name="Quick")
        table = opened["id"]
        (found,) = await bo.find("tenthousand", "lobby")
        assert found["id"] == table
        await ann.sit(table, 1, typed="lucky")
        await bo.sit(table)
        await bo.start(table)
        ended = await asyncio.gather(play(ann, table, Random(1)), play(bo, table, Random(2)))
        assert ended[0]["over"] == ended[1]["over"] is not None
        words = sorted(words[:-32] for words in (await ann.record(table))["seal"]["words"])
        assert words == ["", "lucky"]
        again = await asyncio.gather(ann.rematch(table), bo.rematch(table))
        assert again[0]["id"] == again[1]["id"] != table


@both
@awaited
async def test_updates_are_told_in_order_and_every_roll_is_checked(reach: Reach, tmp_path: Path) -> None:
    async with reach(tmp_path) as new, new() as ann, new() as bo, new() as cy:
        await ann.guest("Ann")
        await bo.guest("Bo")
        table = (await ann.open("wards", rules={"goal": 30}))["id"]
        told: list[int] = []
        await cy.watch(table, tell=lambda update: told.append(update.n))
        await ann.sit(table)
        await bo.sit(table)
        await asyncio.gather(play(ann, table, Random(3)), play(bo, table, Random(4)))
        last = (await ann.look(table))["n"]
        await cy.news(table, last - 1)
        assert told == list(range(2, last + 1))
        heard = []
        async for update in ann.updates(table):
            heard.append(update)
            if update.n == last:
                break
        assert [update.n for update in heard] == told
        rolls = sum(len(update.rolls) for update in heard)
        assert rolls > 0
        for hall in (ann, bo, cy):
            dice = hall.following[table].dice
            assert dice is not None
            assert dice.rolls == rolls


@both
@awaited
async def test_a_refusal_has_its_code_and_its_sentence(reach: Reach, tmp_path: Path) -> None:
    async with reach(tmp_path) as new, new() as ann:
        with pytest.raises(Refused) as refused:
            await ann.open("wards")
        assert refused.value.code == "not_signed_in"
        assert refused.value.sentence == "Sign in first."
        await ann.guest("Ann")
        with pytest.raises(Refused, match="no_such_table"):
            await ann.sit("nowhere")
        with pytest.raises(Refused, match="bad_request"):
            await ann.open("wards", rules={"goal": 0})


@both
@awaited
async def test_one_comes_in_by_token_or_by_password(reach: Reach, tmp_path: Path) -> None:
    async with reach(tmp_path) as new, new() as ann, new() as again, new() as third:
        me = await ann.guest("Ann")
        await ann.sign_up("Ann", "a long password")
        assert ann.account is not None
        assert ann.account["id"] == me["id"]  # a guest who signs up keeps everything
        assert (await again.sign_in(ann.token))["id"] == me["id"]
        assert (await third.sign_in(name="Ann", password="a long password"))["id"] == me["id"]
        with pytest.raises(Refused, match="not_signed_in"):
            await third.sign_in("no token of anybody")
        assert third.token is not None


@pytest.mark.parametrize(
    ("url", "socket"),
    [
        ("http://127.0.0.1:8000", "ws://127.0.0.1:8000/ws"),
        ("https://example.org/dice/", "wss://example.org/dice/ws"),
        ("ws://example.org/ws", "ws://example.org/ws"),
    ],
)
def test_sockets_are_found_below_the_address_of_the_hall(url: str, socket: str) -> None:
    assert socket_url(url) == socket


def test_an_address_that_is_none_is_said_to_be_none() -> None:
    with pytest.raises(ValueError, match="such as http"):
        socket_url("example.org")


@both
@awaited
async def test_a_program_may_ask_the_coach_where_hints_are_allowed(reach: Reach, tmp_path: Path) -> None:
    async with reach(tmp_path) as new, new() as ann:
        await ann.guest("Ann")
        bots = [{"seat": 1, "level": "greedy"}]
        table = (await ann.open("wards", rules={"goal": 30}, bots=bots, hints=True))["id"]
        n = (await ann.sit(table, 0))["n"]
        while not (await ann.look(table))["choices"].get("0"):
            n = await ann.news(table, n)
        advice = await ann.hint(table)
        assert (advice["best"], advice["note"]) == ("roll", "exact")
