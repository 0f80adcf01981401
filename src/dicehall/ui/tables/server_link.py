"""A connection to a hall's server that a screen can use: requests run on a thread, and nothing here waits."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from dicehall.client.errors import Refused, Unreachable
from dicehall.client.following import Update
from dicehall.client.hall import HallClient, Shown
from dicehall.client.sync import SyncHall


def split_link(url: str) -> tuple[str, str | None]:
    """The address of a hall, and the table where the link names one: http://host/t/TABLE."""
    parts = urlsplit(url)
    before, mark, table = parts.path.partition("/t/")
    base = urlunsplit((parts.scheme, parts.netloc, before if mark else parts.path, "", ""))
    return base.rstrip("/"), table.strip("/") or None if mark else None


def sentence_of(error: BaseException) -> str:
    """What went wrong, for people."""
    if isinstance(error, Refused):
        return error.sentence
    return "The server does not answer." if isinstance(error, Unreachable) else str(error)


class ServerLink:
    def __init__(self, sync: SyncHall, url: str) -> None:
        self.sync, self.url = sync, url
        self.updates: dict[str, list[Update]] = defaultdict(list)  # by table, as they came
        self.joining: Future[Shown] | None = None  # a table that is being joined
        sync.__enter__()

    @property
    def hall(self) -> HallClient:
        return self.sync.hall

    @property
    def connected(self) -> bool:
        return self.hall.talk.line is not None

    @property
    def signed_in(self) -> bool:
        return self.hall.account is not None

    def submit(self, work: Coroutine[Any, Any, Any]) -> Future[Any]:
        return asyncio.run_coroutine_threadsafe(work, self.sync.loop)

    def join(self, table: str, password: str | None = None) -> Future[Shown]:
        self.joining = self.submit(self.joined(table, password))
        return self.joining

    def open(self, game: str, seats: int, bots: list[Shown], **wanted: Any) -> Future[Shown]:
        """A new table; *wanted* can be hints, rules and a password."""
        self.joining = self.submit(self.opened(game, seats, bots, wanted))
        return self.joining

    def rematch(self, table: str) -> Future[Shown]:
        self.joining = self.submit(self.rematched(table))
        return self.joining

    async def joined(self, table: str, password: str | None = None) -> Shown:
        """Follow a table, and take a seat while there is one; in a running game, watch."""
        shown = await self.hall.watch(table, tell=lambda update: self.updates[table].append(update))
        free = any(seat["account"] is None and seat["bot"] is None for seat in shown["seats"])
        if shown["phase"] == "lobby" and shown["me"] is None and free:
            shown = await self.hall.sit(table, password=password)
        return shown

    async def opened(self, game: str, seats: int, bots: list[Shown], wanted: Shown) -> Shown:
        shown = await self.hall.open(game, seats=seats, bots=bots, **wanted)
        return await self.joined(shown["id"], wanted.get("password"))

    async def rematched(self, table: str) -> Shown:
        return await self.joined((await self.hall.rematch(table))["id"])

    async def look_until(self, table: str, since: int) -> tuple[Shown, list[Update]]:
        """Wait until a table moved beyond *since*: how it stands then, and every update until there."""
        await self.hall.news(table, since)
        shown = await self.hall.look(table)
        await self.hall.news(table, shown["n"] - 1)
        updates = [update for update in self.updates[table] if since < update.n <= shown["n"]]
        return shown, updates

    def close(self) -> None:
        self.sync.__exit__()
