"""The one thread that uses the connection: it writes all that waits in one transaction, then reads, then tells."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from dicehall.store.batch import Batch, Clash, Work
from dicehall.store.book import Book
from dicehall.store.errors import SURE, kind_of, sentence_of
from dicehall.store.schema import newest
from dicehall.table.ports import JournalError, Taken, Unavailable, Uncertain

# The fault of one commit, not of the file: something in it cannot be stored.
UNFIT = (
    sqlite3.IntegrityError,
    sqlite3.DataError,
    sqlite3.InterfaceError,
    sqlite3.ProgrammingError,
    OverflowError,
    UnicodeError,
)


@dataclass(slots=True)
class Write:
    table: str  # "" where the whole host is meant
    work: Work
    future: asyncio.Future[Any]


@dataclass(slots=True)
class Read:
    ask: Callable[[sqlite3.Connection, Book], Any]
    future: asyncio.Future[Any]


Answer = tuple[asyncio.Future[Any], Any]


class Writer:
    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path
        self._inode = path.stat()
        self._book = Book(connection)
        self._settled = True
        self._queue: SimpleQueue[list[Write | Read] | None] = SimpleQueue()
        self._gathered: dict[asyncio.AbstractEventLoop, list[Write | Read]] = {}
        self._thread = Thread(target=self._run, name=f"journal {path.name}", daemon=True)
        self._thread.start()

    def put(self, job: Write | Read) -> None:
        """What is put in one turn of an event loop goes to the thread together: it is woken once, and writes more."""
        loop = job.future.get_loop()
        gathered = self._gathered.get(loop)
        if gathered is None:
            gathered = self._gathered[loop] = []
            loop.call_soon(self._hand_over, loop)
        gathered.append(job)

    def _hand_over(self, loop: asyncio.AbstractEventLoop) -> None:
        if (jobs := self._gathered.pop(loop, None)) is not None:
            self._queue.put(jobs)

    def close(self) -> None:
        """Do what waits, and end."""
        for loop in tuple(self._gathered):
            self._hand_over(loop)
        self._queue.put(None)
        self._thread.join()
        self._connection.close()

    def _run(self) -> None:
        last = False
        while not last:
            jobs, last = self._wait()
            writes = [job for job in jobs if isinstance(job, Write)]
            reads = [job for job in jobs if isinstance(job, Read)]
            tell(self._write(writes) if writes else [])
            tell(self._read(reads) if reads else [])

    def _wait(self) -> tuple[list[Write | Read], bool]:
        """Everything that waits, and whether it is the last."""
        jobs: list[Write | Read] = []
        more = self._queue.get()
        with suppress(Empty):
            while more is not None:
                jobs += more
                more = self._queue.get_nowait()
        return jobs, more is None

    def _write(self, writes: list[Write]) -> list[Answer]:
        try:
            writes.sort(key=lambda write: write.table)  # stable: within a table as they came
            self._check_unmoved()
            self._settle()
            errors = self._transact(writes)
        except JournalError as error:
            return [(write.future, type(error)(*error.args)) for write in writes]
        except Exception as error:  # a bug of ours must not end the thread, nor may it be taken for a no
            self._settled = False
            return [(write.future, Uncertain(f"It is not known what was stored ({error!r}).")) for write in writes]
        return [(write.future, errors.get(at)) for at, write in enumerate(writes)]

    def _transact(self, writes: Sequence[Write]) -> dict[int, JournalError]:
        """Store all that can be stored; return what was wrong with the others, by their place."""
        try:
            batch, errors = self._fill(writes)
        except sqlite3.Error as error:
            self._roll_back()
            raise Unavailable(sentence_of(error, self._path)) from error
        self._commit()
        self._book.turn(batch.pages, batch.used)
        return errors

    def _fill(self, writes: Sequence[Write]) -> tuple[Batch, dict[int, JournalError]]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            return self._fill_together(writes)
        except (Clash, *UNFIT):
            self._connection.execute("ROLLBACK")
            self._connection.execute("BEGIN IMMEDIATE")
            return self._fill_singly(writes)

    def _fill_together(self, writes: Sequence[Write]) -> tuple[Batch, dict[int, JournalError]]:
        batch, errors = Batch(self._connection, self._book), dict[int, JournalError]()
        for at, write in enumerate(writes):
            try:
                batch.take(write.work)
            except Taken as taken:
                errors[at] = taken
        batch.flush()
        return batch, errors

    def _fill_singly(self, writes: Sequence[Write]) -> tuple[Batch, dict[int, JournalError]]:
        """Slower, but it shows which one is to blame."""
        batch, errors = Batch(self._connection, self._book), dict[int, JournalError]()
        for at, write in enumerate(writes):
            try:
                batch.take_alone(write.work)
            except Taken as taken:
                errors[at] = taken
            except Clash:
                errors[at] = Taken(f"Table {write.table} has this act, or one with its id, already.")
            except UNFIT as error:
                errors[at] = Unavailable(f"This cannot be stored: {error}.")
        return batch, errors

    def _commit(self) -> None:
        try:
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            self._roll_back()
            if kind_of(error) in SURE:
                raise Unavailable(sentence_of(error, self._path)) from error
            self._settled = False
            raise Uncertain(sentence_of(error, self._path)) from error

    def _roll_back(self) -> None:
        with suppress(sqlite3.Error):
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")

    def _settle(self) -> None:
        """After a commit of unknown outcome, make the outcome what we read.

        Its frames may stand whole at the end of the log without being counted; a crash would then count them.
        The next commit that reaches the disk writes over them, so one is made before anybody is answered.
        """
        if self._settled:
            return
        try:
            self._roll_back()
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.execute(f"PRAGMA user_version = {newest()}")
            self._connection.execute("COMMIT")
            self._book = Book(self._connection)
        except sqlite3.Error as error:
            self._roll_back()
            raise Unavailable(sentence_of(error, self._path)) from error
        self._settled = True

    def _check_unmoved(self) -> None:
        """SQLite would go on writing to a file that has no name any more."""
        try:
            here = self._path.stat()
        except OSError as error:
            raise Unavailable(f"{self._path} is gone ({error.strerror}).") from error
        if (here.st_dev, here.st_ino) != (self._inode.st_dev, self._inode.st_ino):
            raise Unavailable(f"{self._path} was replaced by another file.")

    def _read(self, reads: Sequence[Read]) -> list[Answer]:
        try:
            self._settle()
        except Unavailable as error:
            return [(read.future, Unavailable(*error.args)) for read in reads]
        return [(read.future, self._answer(read)) for read in reads]

    def _answer(self, read: Read) -> Any:
        try:
            return read.ask(self._connection, self._book)
        except sqlite3.Error as error:
            return Unavailable(sentence_of(error, self._path))
        except Exception as error:
            return error


def tell(answers: Sequence[Answer]) -> None:
    """Hand every answer to its loop: one call for a batch, not one for each."""
    loops: dict[asyncio.AbstractEventLoop, list[Answer]] = {}
    for answer in answers:
        loops.setdefault(answer[0].get_loop(), []).append(answer)
    for loop, theirs in loops.items():
        with suppress(RuntimeError):  # a loop that is closed waits for nothing
            loop.call_soon_threadsafe(hand_over, theirs)


def hand_over(answers: Sequence[Answer]) -> None:
    for future, outcome in answers:
        if future.done():
            continue  # whoever asked has gone
        if isinstance(outcome, Exception):
            future.set_exception(outcome)
        else:
            future.set_result(outcome)
