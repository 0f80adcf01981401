"""Deliberate bugs for a campaign, switched in inside its host from outside: what finds none of them finds nothing.

Each is a mistake that somebody could make, and each must turn one of the campaign's counts from 0.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from contextlib import suppress
from functools import partialmethod
from typing import Any, NamedTuple

from dicehall.store import SqliteJournal
from dicehall.store.batch import Batch
from dicehall.table import disconnections
from dicehall.table.acts import Act, encode_act
from dicehall.table.clocks import Due
from dicehall.table.cluster import Cluster
from dicehall.table.coming import Answer
from dicehall.table.folding import advance
from dicehall.table.host import Host
from dicehall.table.live import LiveTable
from dicehall.table.ports import Commit, JournalError, Row
from dicehall.table.pulse import Pulse
from dicehall.table.requests import Asked
from dicehall.table.state import TableState
from dicehall.table.story import head_of

LATE_S = 0.2  # how long an answer is ahead of its commit
SLOW_S = 0.4  # how long an action lies about before it is given its time


def answer_first(path: str) -> None:
    """People are told before the act is stored."""

    async def later(table: LiveTable, commit: Commit) -> None:
        await asyncio.sleep(LATE_S)
        with suppress(JournalError):
            await table.ports.journal.append(commit)

    async def store(self: LiveTable, act: Act, at: int, asked: Asked | None = None) -> int:
        at = max(self.state.at, at)
        after, told = advance(self.state, act, at)
        known = (asked.account, asked.id) if asked and asked.account and asked.id else (None, None)
        row = Row(self.state.id, after.seq, encode_act(act), at, *known)
        self.apply(row, after)
        self.tell(told)
        keep(asyncio.create_task(later(self, Commit(row, head_of(after)))))
        return row.seq

    patch(LiveTable, "store", store)
    patch(LiveTable, "move_at_once", lambda self, waiting: False)


def forget_ids(path: str) -> None:
    """Ids are kept in memory alone, and the file does not mind a second one."""
    patch(Batch, "_use", lambda self, place, account, id: None)
    load = Host.load

    async def forgetful(self: Host, table: str) -> LiveTable:
        live = await load(self, table)
        live.ids.clear()
        return live

    patch(Host, "load", forgetful)


def ignore_outages(path: str) -> None:
    """Clocks run on while nobody is there."""

    async def none(self: Pulse) -> tuple[()]:
        return ()

    patch(Pulse, "outages", none)


def ignore_dead_nodes(path: str) -> None:
    """A clock counts although the node is dead through which its player played."""

    async def none(self: Cluster, state: TableState, due: Due) -> None:
        return None

    patch(Cluster, "void", none)


def redraw(path: str) -> None:
    """After a restart the dice come from a new secret."""

    async def secret(self: SqliteJournal, table: str) -> bytes:
        return secrets.token_bytes(32)

    patch(SqliteJournal, "secret", secret)


def skip_update(path: str) -> None:
    """Who comes back is told everything but the first thing that was missed."""
    for name in ("updates", "encoded_updates"):  # within a process, and over the network
        patch(Host, name, partialmethod(one_later, getattr(Host, name)))


def one_later(self: Host, updates: Callable[..., Any], table: str, account: str | None, since: int) -> Any:
    return updates(self, table, account, since + 1)


def away_at_once(path: str) -> None:
    """A seat is away as soon as its connection is, a restart's included."""
    patch(disconnections, "LOST_S", 0.0)
    patch(disconnections, "RETURN_S", 0.0)
    patch(Pulse, "returning", lambda self: 0)


def late_stamp(path: str) -> None:
    """An action counts when the host gets round to it, not when it came."""
    ask = Host.ask

    async def slow(self: Host, table: str, request: Any, account: str | None = None, id: str | None = None) -> Answer:
        if id is not None:
            await asyncio.sleep(SLOW_S)
        return await ask(self, table, request, account, id)

    patch(Host, "ask", slow)


class Bug(NamedTuple):
    switch_in: Callable[[str], None]  # for the file of a journal
    turns: tuple[str, ...]  # the counts that prove it found, one of which may not stay 0


BUGS = {
    "answer-first": Bug(answer_first, ("lost",)),
    # A repeated request is done again; where it can no longer be done, it is refused though it was acknowledged.
    "forget-ids": Bug(forget_ids, ("doubled", "lost")),
    "ignore-outages": Bug(ignore_outages, ("unfair_timeouts",)),
    "ignore-dead-nodes": Bug(ignore_dead_nodes, ("unfair_timeouts",)),
    "away-at-once": Bug(away_at_once, ("unfair_timeouts",)),
    "late-stamp": Bug(late_stamp, ("unfair_timeouts",)),
    "skip-update": Bug(skip_update, ("divergent_views",)),
    "redraw": Bug(redraw, ("redrawn_dice",)),
}

KEPT: set[asyncio.Task[None]] = set()


def keep(task: asyncio.Task[None]) -> None:
    KEPT.add(task)
    task.add_done_callback(KEPT.discard)


def patch(owner: Any, name: str, new: object) -> None:
    assert hasattr(owner, name), f"There is no {name} to break."
    setattr(owner, name, new)
