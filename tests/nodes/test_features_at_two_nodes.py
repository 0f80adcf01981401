"""What people do beside their moves, each of them at another process: everybody hears of it, and it counts once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from random import Random
from typing import Any

import pytest

from dicehall.client.hall import HallClient
from dicehall.hall.challenge_days import Unjudged
from dicehall.launch.in_process import in_process
from dicehall.launch.serving import Running
from dicehall.server.parts import Settings
from tests.client.halls import play
from tests.nodes.postgres_halls import halls, until

WAIT_S = 60
SHORT = {"goal": 6}


class Guests:
    """Ann at the first hall, Bo at the second, Cy at the third; and what they hear without a number."""

    def __init__(self, running: Sequence[Running], clients: Sequence[HallClient]) -> None:
        self.running, self.clients = running, clients
        self.noticed: list[list[dict[str, Any]]] = [[] for _ in clients]
        for client, heard in zip(clients, self.noticed, strict=True):
            client.notice = heard.append

    async def sit_down(self, game: str = "wards", **wanted: Any) -> str:
        """A table at which everybody sits or watches: the first two play."""
        ann, bo, *others = self.clients
        table = str((await ann.open(game, seats=2, **wanted))["id"])
        for client in others:
            await client.watch(table)
        for client in (ann, bo):
            await client.sit(table)
        return table

    async def play(self, table: str) -> None:
        await asyncio.gather(*(play(client, table, Random(at)) for at, client in enumerate(self.clients[:2])))

    def heard(self, event: str) -> list[list[dict[str, Any]]]:
        return [[one for one in heard if one.get("event") == event] for heard in self.noticed]

    async def until_all_heard(self, event: str) -> list[dict[str, Any]]:
        await until(lambda: all(self.heard(event)))
        return [heard[-1] for heard in self.heard(event)]


def in_halls(story: Callable[[Guests], Awaitable[None]], count: int = 3, **changed: Any) -> None:
    async def run() -> None:
        async with halls(count, **changed) as running, AsyncExitStack() as stack:
            clients = [await stack.enter_async_context(in_process(hall.sockets)) for hall in running]
            for client, name in zip(clients, ("Ann", "Bo", "Cy"), strict=False):
                await client.guest(name)
            await story(Guests(running, clients))

    asyncio.run(asyncio.wait_for(run(), WAIT_S))


def test_a_reaction_reaches_everybody_at_the_table_once() -> None:
    async def story(guests: Guests) -> None:
        table, given = await guests.sit_down(), []
        for client, name, seat, reaction in zip(
            guests.clients, ("Ann", "Bo", "Cy"), (0, 1, None), ("bravo", "ouch", "wow"), strict=True
        ):
            await client.do("react", table, reaction=reaction)
            given.append([{"name": name, "seat": seat, "reaction": reaction}])
            await until(lambda: all(len(heard) >= len(given) for heard in guests.heard("Reacted")))
        for heard in guests.heard("Reacted"):
            assert [told["reactions"] for told in heard] == given

    in_halls(story)


def test_somebody_who_sat_down_at_another_process_may_react_at_this_one() -> None:
    """A refusal is given on the journal's head only."""

    async def story(guests: Guests) -> None:
        ann, bo = guests.clients
        table = (await ann.open("wards", seats=2))["id"]
        await bo.look(table)
        await ann.sit(table)
        await guests.running[1].parts.hall.react(account_of(ann), table, "hello")

    in_halls(story, 2)


@pytest.mark.proof
def test_everybody_hears_of_a_rematch_that_two_people_ask_for_at_the_same_moment() -> None:
    async def story(guests: Guests) -> None:
        table = await guests.sit_down(rules=SHORT)
        await guests.play(table)
        answers = await asyncio.gather(*(client.rematch(table) for client in guests.clients[:2]))
        assert len({answer["id"] for answer in answers}) == 1
        for told in await guests.until_all_heard("RematchOffered"):
            assert told["table"] == table
        assert [len(heard) for heard in guests.heard("RematchOffered")] == [1, 1, 1]
        for client in guests.clients:
            assert (await client.look(table))["rematch"]["table"] == answers[0]["id"]

    in_halls(story)


@pytest.mark.proof
def test_a_rated_game_counts_once_though_everybody_reads_ratings_at_once() -> None:
    async def story(guests: Guests) -> None:
        await guests.play(await guests.sit_down("mana"))
        accounts = [account_of(client) for client in guests.clients[:2]]
        for _ in range(2):
            asked = [hall.parts.ratings.ratings_of(one) for hall in guests.running for one in accounts]
            found = await asyncio.gather(*asked)
            assert [ratings["mana"].games for ratings in found] == [1] * len(found)

    in_halls(story)


class Receiver:
    """Counts what arrives."""

    def __init__(self) -> None:
        self.ids: list[str] = []

    async def send(self, url: str, headers: dict[str, str], body: bytes) -> int:
        self.ids.append(headers["webhook-id"])
        await asyncio.sleep(0)
        return 204


@pytest.mark.proof
def test_a_result_is_sent_by_one_process() -> None:
    receiver = Receiver()

    async def story(guests: Guests) -> None:
        webhook = {"url": "http://127.0.0.1:9/", "secret": "whsec_" + "ab" * 16}
        tables = [await guests.sit_down(rules=SHORT, webhook=webhook) for _ in range(3)]
        for table in tables:
            await guests.play(table)
        deliveries = [hall.deliveries for hall in guests.running if hall.deliveries is not None]
        while len(set(receiver.ids)) < len(tables):
            await asyncio.gather(*(one.send_due() for one in deliveries))
        await asyncio.gather(*(one.send_due() for one in deliveries))
        await asyncio.gather(*(task for one in deliveries for task in one.tasks))
        assert len(deliveries) == len(guests.running)
        assert len(receiver.ids) == len(tables)

    in_halls(story, settings=Settings(webhooks="any"), webhook_sender=receiver)


@pytest.mark.proof
def test_the_daily_challenge_has_one_seal_and_one_attempt_and_is_judged_once() -> None:
    async def story(guests: Guests) -> None:
        challenges = [hall.parts.challenges for hall in guests.running]
        assert len(set(await asyncio.gather(*(one.today() for one in challenges)))) == 1
        ann, account = guests.clients[0], account_of(guests.clients[0])
        tables = await asyncio.gather(*(one.start(account, "mana") for one in challenges))
        assert len(set(tables)) == 1
        await play(ann, tables[0], Random(1))
        losses = iter(range(100))

        async def judge(attempt: Unjudged) -> tuple[float, int]:
            await asyncio.sleep(0)  # so that all of them judge at once
            return float(next(losses)), 10

        assert await asyncio.gather(*(one.judge_all(judge) for one in challenges)) == [1, 1, 1]
        assert [await one.judge_all(judge) for one in challenges] == [0, 0, 0]
        day = (await challenges[0].today()).day
        found = [await one.store.attempt(account, "mana", day, 0, newcomers=True) for one in challenges]
        assert found[0] is not None
        assert found[0].average_loss in (0.0, 1.0, 2.0)
        assert found == [found[0]] * len(found)

    in_halls(story)


def account_of(client: HallClient) -> str:
    assert client.account is not None
    return str(client.account["id"])
