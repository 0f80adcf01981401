"""What is in progress at a table: requests waiting for their answer, and acts being stored."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from dicehall.table.ports import Commit
from dicehall.table.requests import Asked
from dicehall.table.state import TableState, Told


@dataclass(frozen=True, slots=True)
class Answer:
    """A request was answered by act number n, or needed none (then n is the last one)."""

    n: int
    repeated: bool = False


@dataclass(slots=True)
class Waiting:
    asked: Asked
    answered: asyncio.Future[Answer]

    def settle(self, outcome: Answer | Exception) -> None:
        """Answer the caller, unless it has gone."""
        if self.answered.done():
            return
        if isinstance(outcome, Exception):
            self.answered.set_exception(outcome)
        else:
            self.answered.set_result(outcome)


@dataclass(slots=True)
class Coming:
    """An act being stored: its commit, and what is applied and announced once that is durable."""

    commit: Commit
    after: TableState
    told: Told
    begun: asyncio.Future[None] | None = None  # the journal's answer, where it was asked already
