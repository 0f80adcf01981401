"""Webhooks are sent again after longer and longer times, survive whatever happens to the process, and end some day."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from dicehall.hall.cards import Ending
from dicehall.hall.deliveries import LEASE_MS, MOST_AT_ONCE, RETRY_S, Deliveries, NotSent
from dicehall.hall.webhooks import Problem, Webhook, new_secret
from dicehall.store import SqliteJournal
from dicehall.store.facts import write_fact
from dicehall.store.webhooks import SqliteWebhooks
from tests.server.doors import StoppedClock

SECRET = new_secret(b"s" * 32)


@dataclass(slots=True)
class ScriptedSender:
    """Answers as told, one after the other, and then always with 200."""

    answers: list[int | Problem] = field(default_factory=list)
    sent: list[str] = field(default_factory=list)
    held: asyncio.Event | None = None  # nothing is answered before it is set
    at_once: int = 0
    most_at_once: int = 0

    async def send(self, url: str, headers: dict[str, str], body: bytes) -> int:
        self.sent.append(headers["webhook-id"])
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        if self.held is not None:
            await self.held.wait()
        self.at_once -= 1
        answer = self.answers.pop(0) if self.answers else 200
        if isinstance(answer, int):
            return answer
        raise NotSent(answer)


@dataclass(slots=True)
class Office:
    journal: SqliteJournal
    clock: StoppedClock = field(default_factory=StoppedClock)
    sender: ScriptedSender = field(default_factory=ScriptedSender)
    deliveries: Deliveries = field(init=False)

    def __post_init__(self) -> None:
        self.start()

    def start(self) -> None:
        """A new process on the same store."""
        store = SqliteWebhooks(self.journal)
        self.deliveries = Deliveries(store, self.ending, self.sender, self.clock, "https://example.org")

    async def ending(self, table: str) -> Ending | None:
        return Ending(table, "wards", self.clock.now(), "goal", None)

    async def add(self, *tables: str, ended: bool = True) -> None:
        for table in tables:
            facts = [Webhook(table, "https://example.org/", SECRET), *([await self.ending(table)] if ended else [])]
            await self.journal.change(partial(write_all, facts))

    async def turn(self) -> None:
        """Send what is due, and wait for its answers."""
        await self.deliveries.send_due()
        await asyncio.gather(*self.deliveries.tasks)

    async def webhook(self, table: str = "t1") -> Webhook:
        found = await self.deliveries.store.webhook(table)
        assert found is not None
        return found


def write_all(facts: list[Any], connection: sqlite3.Connection) -> None:
    for fact in facts:
        write_fact(connection, fact)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[SqliteJournal]:
    journal = SqliteJournal(tmp_path / "hall.db")
    yield journal
    journal.close()


def run(journal: SqliteJournal, story: Callable[[Office], Awaitable[None]]) -> None:
    async def whole() -> None:
        await story(Office(journal))

    asyncio.run(whole())


def test_nothing_is_sent_before_the_game_is_over(journal: SqliteJournal) -> None:
    async def story(office: Office) -> None:
        await office.add("t1", ended=False)
        office.clock.time += 10**9
        await office.turn()
        assert (office.sender.sent, (await office.webhook()).state) == ([], "waiting")

    run(journal, story)


def test_what_arrived_is_not_sent_again_and_its_secret_is_gone(journal: SqliteJournal) -> None:
    async def story(office: Office) -> None:
        await office.add("t1")
        for _ in range(3):
            await office.turn()
            office.clock.time += 10**9
        assert office.sender.sent == ["t1.ended"]
        assert await office.webhook() == Webhook("t1", "https://example.org/", "", "delivered", None, 1, None)

    run(journal, story)


@pytest.mark.parametrize("answer", [500, 404, 302, 301, 199, "connection", "time", "address", "answer"])
def test_whatever_is_not_a_success_is_tried_again_later(journal: SqliteJournal, answer: int | Problem) -> None:
    async def story(office: Office) -> None:
        office.sender.answers = [answer]
        await office.add("t1")
        await office.turn()
        failed = await office.webhook()
        assert failed.problem == (answer if isinstance(answer, str) else "status")
        assert failed.due == office.clock.now() + RETRY_S[0] * 1000
        office.clock.time += RETRY_S[0] * 1000 - 1
        await office.turn()
        assert len(office.sender.sent) == 1
        office.clock.time += 1
        await office.turn()
        assert (await office.webhook()).state == "delivered"

    run(journal, story)


def test_it_is_given_up_after_the_last_try(journal: SqliteJournal) -> None:
    async def story(office: Office) -> None:
        office.sender.answers = [500] * 100
        await office.add("t1")
        for _ in range(50):
            await office.turn()
            office.clock.time += RETRY_S[-1] * 1000
        assert len(office.sender.sent) == len(RETRY_S) + 1
        assert ((await office.webhook()).state, (await office.webhook()).secret) == ("failed", "")

    run(journal, story)


def test_a_receiver_that_is_gone_for_good_is_left_alone(journal: SqliteJournal) -> None:
    async def story(office: Office) -> None:
        office.sender.answers = [410]
        await office.add("t1")
        await office.turn()
        assert (await office.webhook()).state == "failed"

    run(journal, story)


def test_a_process_that_dies_while_it_sends_loses_none(journal: SqliteJournal) -> None:
    async def story(office: Office) -> None:
        office.sender.held = asyncio.Event()
        await office.add("t1")
        await office.deliveries.send_due()
        await asyncio.sleep(0)
        for task in office.deliveries.tasks:
            task.cancel()
        office.sender.held = None
        office.start()
        await office.turn()
        assert office.sender.sent == ["t1.ended"]  # the one before may still be on its way
        office.clock.time += LEASE_MS
        await office.turn()
        assert office.sender.sent == ["t1.ended"] * 2
        assert (await office.webhook()).state == "delivered"

    run(journal, story)


def test_only_a_few_are_sent_at_once_and_new_ones_come_before_repeated_ones(journal: SqliteJournal) -> None:
    async def story(office: Office) -> None:
        office.sender.answers = [500] * MOST_AT_ONCE
        old, new = [f"old{n}" for n in range(MOST_AT_ONCE)], [f"new{n}" for n in range(2 * MOST_AT_ONCE)]
        await office.add(*old)
        await office.turn()
        office.clock.time += RETRY_S[0] * 1000
        await office.add(*new)
        office.sender.sent.clear()
        office.sender.held = asyncio.Event()
        for _ in range(3):
            await office.deliveries.send_due()
            await asyncio.sleep(0)
        assert office.sender.most_at_once == MOST_AT_ONCE
        office.sender.held.set()
        await asyncio.gather(*office.deliveries.tasks)
        for _ in range(3):
            await office.turn()
        assert office.sender.sent == [f"{table}.ended" for table in sorted(new) + sorted(old)]

    run(journal, story)


def test_a_late_answer_of_an_earlier_try_changes_nothing(journal: SqliteJournal) -> None:
    async def story(office: Office) -> None:
        await office.add("t1")
        store = office.deliveries.store
        (first,) = await store.claim(office.clock.now(), office.clock.now(), 1)
        await store.claim(office.clock.now(), office.clock.now() + LEASE_MS, 1)
        await store.settle(first)
        assert (await office.webhook()).due == office.clock.now() + LEASE_MS

    run(journal, story)


def test_damage_to_a_secret_ends_that_webhook_alone(journal: SqliteJournal, caplog: pytest.LogCaptureFixture) -> None:
    async def story(office: Office) -> None:
        await office.add("t1", "t2")
        await journal.change(lambda connection: connection.execute("UPDATE webhooks SET secret='?' WHERE name='t1'"))
        await office.turn()
        assert [(await office.webhook(table)).state for table in ("t1", "t2")] == ["failed", "delivered"]

    run(journal, story)
