"""What every store of webhooks promises: SQLite and PostgreSQL answer alike."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dicehall.hall.cards import Card, Ending
from dicehall.hall.ports import WebhookStore
from dicehall.hall.webhooks import Webhook
from dicehall.store import SqliteJournal, StoreJournal
from dicehall.store.postgres_webhooks import PostgresWebhooks
from dicehall.store.webhooks import SqliteWebhooks
from tests.postgres import postgres_journal
from tests.store.journals import act, outcome

Kept = tuple[StoreJournal, WebhookStore]


@pytest.fixture(params=["sqlite", "postgres"])
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Kept]:
    if request.param == "postgres":
        with postgres_journal() as shared:
            yield shared, shared.beside(PostgresWebhooks)
        return
    journal = SqliteJournal(tmp_path / "hall.db")
    yield journal, SqliteWebhooks(journal)
    journal.close()


def webhook(table: str) -> Webhook:
    return Webhook(table, f"https://example.org/{table}", "whsec_secret")


async def open_table(journal: StoreJournal, table: str) -> None:
    card = Card(table, "wards", table, "ann", 1)
    await journal.append(msgspec.structs.replace(act(1, table), also=(card, webhook(table))))


async def end_table(journal: StoreJournal, table: str, at: int, seq: int = 2) -> str:
    ended = act(seq, table, status="over")
    return await outcome(
        journal.append(msgspec.structs.replace(ended, also=(Ending(table, "wards", at, "goal", None),)))
    )


def run(story: Any) -> None:
    asyncio.run(story)


def test_a_webhook_waits_until_the_act_that_ends_its_table(kept: Kept) -> None:
    async def story() -> None:
        journal, store = kept
        for table in ("oak", "elm"):
            await open_table(journal, table)
        assert await store.webhook("oak") == webhook("oak")
        assert await store.claim(10**15, 10**15, 10) == []
        assert await end_table(journal, "oak", 500) == "stored"
        assert await store.webhook("oak") == replace(webhook("oak"), state="pending", due=500)
        assert await store.webhook("elm") == webhook("elm")
        assert await store.webhook("ash") is None

    run(story())


def test_an_end_that_is_not_stored_makes_nothing_due(kept: Kept) -> None:
    async def story() -> None:
        journal, store = kept
        await open_table(journal, "oak")
        assert await end_table(journal, "oak", 500, seq=3) == "Taken"
        assert (await store.webhook("oak")) == webhook("oak")

    run(story())


def test_what_is_due_is_claimed_once_and_due_again_when_the_claim_ends(kept: Kept) -> None:
    async def story() -> None:
        journal, store = kept
        for at, table in enumerate(("oak", "elm", "ash")):
            await open_table(journal, table)
            await end_table(journal, table, 100 + at)
        assert {one.table for one in await store.claim(101, 200, 10)} == {"oak", "elm"}
        assert await store.claim(101, 200, 10) == []
        assert [(one.table, one.tries) for one in await store.claim(200, 300, 1)] == [("ash", 1)]
        assert {(one.table, one.tries) for one in await store.claim(200, 300, 10)} == {("oak", 2), ("elm", 2)}

    run(story())


def test_the_outcome_of_the_newest_try_counts(kept: Kept) -> None:
    async def story() -> None:
        journal, store = kept
        await open_table(journal, "oak")
        await end_table(journal, "oak", 100)
        (first,) = await store.claim(100, 100, 1)
        (second,) = await store.claim(100, 900, 1)
        await store.settle(replace(first, state="failed", due=None, secret="", problem="time"))
        assert await store.webhook("oak") == second
        done = replace(second, state="delivered", due=None, secret="", problem=None)
        await store.settle(done)
        assert await store.webhook("oak") == done
        assert await store.claim(10**15, 10**15, 1) == []

    run(story())
