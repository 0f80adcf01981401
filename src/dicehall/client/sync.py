"""The same hall for programs without an event loop: every request waits for its answer.

with connect("http://127.0.0.1:8000") as hall:
    hall.guest("Ann")
    ...
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Iterator, Sequence
from typing import Any, TypeVar

from dicehall.client import network
from dicehall.client.following import Tell, Update
from dicehall.client.hall import HallClient, Shown
from dicehall.client.talk import Patience

T = TypeVar("T")


def connect(url: str, patience: Patience | None = None) -> SyncHall:
    return SyncHall(network.connect(url, patience))


class SyncHall:
    """An asynchronous client that runs on a thread of its own; `tell` is called there."""

    def __init__(self, hall: HallClient) -> None:
        self.hall = hall
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, name="dicehall client", daemon=True)

    def __enter__(self) -> SyncHall:
        self.thread.start()
        self.wait(self.hall.__aenter__())
        return self

    def __exit__(self, *_: object) -> None:
        self.wait(self.hall.__aexit__())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result()

    @property
    def now(self) -> int:
        return self.hall.now

    @property
    def token(self) -> str | None:
        return self.hall.token

    def guest(self, name: str) -> Shown:
        return self.wait(self.hall.guest(name))

    def sign_up(self, name: str, password: str) -> Shown:
        return self.wait(self.hall.sign_up(name, password))

    def sign_in(self, token: str | None = None, *, name: str | None = None, password: str | None = None) -> Shown:
        return self.wait(self.hall.sign_in(token, name=name, password=password))

    def games(self) -> list[Shown]:
        return self.wait(self.hall.games())

    def open(
        self,
        game: str,
        *,
        seats: int | None = None,
        rules: dict[str, int | None] | None = None,
        bots: Sequence[Shown] | None = None,
        **more: Any,
    ) -> Shown:
        return self.wait(self.hall.open(game, seats=seats, rules=rules, bots=bots, **more))

    def find(self, game: str | None = None, phase: str | None = None, page: int = 0) -> list[Shown]:
        return self.wait(self.hall.find(game, phase, page))

    def watch(self, table: str, since: int | None = None, tell: Tell | None = None) -> Shown:
        return self.wait(self.hall.watch(table, since, tell))

    def unwatch(self, table: str) -> None:
        self.wait(self.hall.unwatch(table))

    def updates(self, table: str) -> Iterator[Update]:
        coming = self.hall.updates(table)

        async def another() -> Update | None:
            return await anext(coming, None)

        while (update := self.wait(another())) is not None:
            yield update

    def news(self, table: str, since: int) -> int:
        return self.wait(self.hall.news(table, since))

    def sit(self, table: str, seat: int | None = None, *, typed: str = "", password: str | None = None) -> Shown:
        return self.wait(self.hall.sit(table, seat, typed=typed, password=password))

    def words(self, table: str) -> Shown:
        return self.wait(self.hall.words(table))

    def start(self, table: str) -> Shown:
        return self.wait(self.hall.start(table))

    def act(self, table: str, move: Any) -> int:
        return self.wait(self.hall.act(table, move))

    def stand(self, table: str) -> Shown:
        return self.wait(self.hall.stand(table))

    def remove(self, table: str, seat: int) -> Shown:
        return self.wait(self.hall.remove(table, seat))

    def leave(self, table: str) -> Shown:
        return self.wait(self.hall.leave(table))

    def reclaim(self, table: str) -> Shown:
        return self.wait(self.hall.reclaim(table))

    def bots(self, table: str, level: str = "greedy", seat: int | None = None) -> Shown:
        return self.wait(self.hall.bots(table, level, seat))

    def hint(self, table: str) -> Shown:
        return self.wait(self.hall.hint(table))

    def rematch(self, table: str) -> Shown:
        return self.wait(self.hall.rematch(table))

    def look(self, table: str) -> Shown:
        return self.wait(self.hall.look(table))

    def record(self, table: str) -> Shown:
        return self.wait(self.hall.record(table))
