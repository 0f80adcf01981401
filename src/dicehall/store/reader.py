"""Reading that may take long: a thread with a connection of its own, which can only read and holds up no commit.

A question waits behind those before it. Too many of them are refused, and so is one that takes too long.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

from dicehall.core.game import Refused
from dicehall.store.errors import kind_of, sentence_of
from dicehall.store.opening import connect_to_read
from dicehall.table.ports import Unavailable
from dicehall.table.requests import Code

T = TypeVar("T")

MOST_WAITING = 64  # questions of one reader
LONGEST_S = 2.0  # that one question may take
STEPS = 50_000  # of SQLite's machine between two looks at the clock
PATIENCE_MS = 2_000

Question = Callable[[sqlite3.Connection], Any]
Job = tuple[Question, "asyncio.Future[Any]"]


class Reader:
    """Its thread and its connection begin with the first question."""

    def __init__(self, path: Path, name: str) -> None:
        self._path = path
        self._name = name
        self._queue: SimpleQueue[Job | None] = SimpleQueue()
        self._waiting = 0
        self._thread: Thread | None = None
        self._connection: sqlite3.Connection | None = None
        self._deadline = 0.0

    async def ask(self, question: Callable[[sqlite3.Connection], T]) -> T:
        if self._waiting >= MOST_WAITING:
            raise Refused(Code.RATE_LIMITED, "Too many people are asking for this right now.", retry_after=2)
        if self._thread is None:
            self._thread = Thread(target=self._run, name=f"{self._name} {self._path.name}", daemon=True)
            self._thread.start()
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting += 1
        try:
            self._queue.put((question, future))
            return await future
        finally:
            self._waiting -= 1

    def close(self) -> None:
        if self._thread is not None:
            self._queue.put(None)
            self._thread.join()
            self._thread = None

    def _run(self) -> None:
        while (job := self._queue.get()) is not None:
            question, future = job
            if not future.cancelled():  # whoever asked has gone
                answer = self._answer(question)
                with suppress(RuntimeError):  # a loop that is closed waits for nothing
                    future.get_loop().call_soon_threadsafe(settle, future, answer)
        self._drop()

    def _answer(self, question: Question) -> Any:
        try:
            self._deadline = time.monotonic() + LONGEST_S
            return question(self._connected())
        except sqlite3.Error as error:
            if kind_of(error) == sqlite3.SQLITE_INTERRUPT:
                return Refused(Code.RATE_LIMITED, "This is taking too long to count right now.", retry_after=10)
            self._drop()
            return Unavailable(sentence_of(error, self._path))
        except Exception as error:
            return error

    def _connected(self) -> sqlite3.Connection:
        if self._connection is None:
            self._connection = connect_to_read(self._path, PATIENCE_MS, alone=False)
            self._connection.set_progress_handler(self._too_late, STEPS)
        return self._connection

    def _too_late(self) -> bool:
        return time.monotonic() > self._deadline

    def _drop(self) -> None:
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None


def settle(future: asyncio.Future[Any], answer: Any) -> None:
    if future.done():
        return
    if isinstance(answer, Exception):
        future.set_exception(answer)
    else:
        future.set_result(answer)
