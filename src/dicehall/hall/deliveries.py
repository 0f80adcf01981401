"""Sends webhooks that are due: a few at a time, again after a while where that fails, across restarts.

What is due is stored with the act that ended the game. Claiming one makes it due again later, so that a process that
dies meanwhile loses none; the receiver knows a repeated one by its id.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Protocol

from dicehall.hall.cards import Ending
from dicehall.hall.ports import WebhookStore
from dicehall.hall.webhooks import Problem, Webhook, body_of, headers_of
from dicehall.table.ports import Clock, JournalError

log = logging.getLogger("dicehall.webhooks")

MOST_AT_ONCE = 4
POLL_S = 1.0
LEASE_MS = 60_000  # longer than any try takes
RETRY_S = (5, 60, 5 * 60, 30 * 60, 2 * 3600, 6 * 3600, 12 * 3600, 24 * 3600)  # after the first try, the second ...
GONE = 410  # whoever answers this wants no more


class NotSent(Exception):
    """The webhook did not arrive, or nobody can say; *problem* says in a word why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.problem = problem


class Sender(Protocol):
    async def send(self, url: str, headers: dict[str, str], body: bytes) -> int:
        """The status of the answer; NotSent where there is none."""
        ...


@dataclass(slots=True)
class Deliveries:
    store: WebhookStore
    ending: Callable[[str], Awaitable[Ending | None]]  # of a table
    sender: Sender
    clock: Clock
    public_url: str
    tasks: set[asyncio.Task[None]] = field(default_factory=set)

    async def run(self) -> None:
        try:
            while True:
                await self.send_due()
                await asyncio.sleep(POLL_S)
        finally:
            for task in self.tasks:
                task.cancel()

    async def send_due(self) -> None:
        """Begin to send what is due, as far as there is room."""
        room = MOST_AT_ONCE - len(self.tasks)
        if room <= 0:
            return
        now = self.clock.now()
        try:
            claimed = await self.store.claim(now, now + LEASE_MS, room)
        except JournalError as trouble:
            log.warning("webhooks wait: %s", trouble)
            return
        for webhook in claimed:
            task = asyncio.create_task(self.deliver(webhook))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)

    async def deliver(self, webhook: Webhook) -> None:
        try:
            await self.store.settle(await self.tried(webhook))
        except JournalError as trouble:  # it is due again after its lease
            log.warning("the outcome of the webhook of table %s was not stored: %s", webhook.table, trouble)
        except Exception:
            log.exception("the webhook of table %s cannot be sent", webhook.table)
            await self.store.settle(given_up(webhook, "answer"))

    async def tried(self, webhook: Webhook) -> Webhook:
        """The webhook after one more try."""
        ending = await self.ending(webhook.table)
        if ending is None:
            return given_up(webhook, "answer")
        body = body_of(ending, self.public_url)
        try:
            status = await self.sender.send(webhook.url, headers_of(webhook, body, self.clock.now() // 1000), body)
        except NotSent as failure:
            return self.again(webhook, failure.problem)
        if 200 <= status < 300:
            return replace(webhook, state="delivered", due=None, secret="", problem=None)
        return given_up(webhook, "status") if status == GONE else self.again(webhook, "status")

    def again(self, webhook: Webhook, problem: Problem) -> Webhook:
        if webhook.tries > len(RETRY_S):
            return given_up(webhook, problem)
        return replace(webhook, due=self.clock.now() + RETRY_S[webhook.tries - 1] * 1000, problem=problem)


def given_up(webhook: Webhook, problem: Problem) -> Webhook:
    log.info("the webhook of table %s was given up after %s tries (%s)", webhook.table, webhook.tries, problem)
    return replace(webhook, state="failed", due=None, secret="", problem=problem)
