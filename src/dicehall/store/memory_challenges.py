"""The daily challenge of a hall that lives as long as its process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from dicehall.hall.cards import Card, Result
from dicehall.hall.challenge_days import Attempt, Day, Unjudged
from dicehall.hall.register import PAGE, offset_of
from dicehall.store.memory import MemoryJournal


class MemoryChallenges:
    def __init__(self, journal: MemoryJournal) -> None:
        self._journal = journal
        self._register = journal.register
        self._days: dict[str, Day] = {}
        self._losses: dict[str, tuple[float | None, int]] = {}

    async def day(self, day: str) -> Day | None:
        return self._days.get(day)

    async def add_day(self, day: Day) -> Day:
        return self._days.setdefault(day.day, day)

    async def void_days(self, after: str) -> None:
        for day in self._days.values():
            if day.day > after:
                self._days[day.day] = replace(day, secret=None)
        self._journal.forget_secrets(card.table for card in self._register.attempts() if (card.challenge or "") > after)

    async def ranking(self, game: str, day: str, began: int, page: int, *, newcomers: bool) -> Sequence[Attempt]:
        return self._ranked(game, day, began, newcomers)[offset_of(page) :][:PAGE]

    async def attempt(self, account: str, game: str, day: str, began: int, *, newcomers: bool) -> Attempt | None:
        ranked = self._ranked(game, day, began, newcomers)
        return next((one for one in ranked if one.account == account), None)

    async def unjudged(self, most: int) -> Sequence[Unjudged]:
        waiting = [(card, result) for card, result in self._played() if card.table not in self._losses]
        waiting.sort(key=lambda one: (one[0].opened_at, one[0].table))
        return [Unjudged(card.table, card.opener, result.seat) for card, result in waiting[:most]]

    async def judge(self, table: str, average_loss: float | None, decisions: int) -> None:
        self._losses.setdefault(table, (average_loss, decisions))

    def _ranked(self, game: str, day: str, began: int, newcomers: bool) -> list[Attempt]:
        found = []
        for card, result in self._played():
            account = self._register.accounts.get(card.opener)
            if account is None or (card.challenge, card.game) != (day, game):
                continue
            if (account.guest or account.created >= began) == newcomers:
                loss, decisions = self._losses.get(card.table, (None, None))
                shown = (card.table, card.opener, account.name, result.place, result.won, result.score)
                found.append(Attempt(0, *shown, loss, decisions))
        ranked = [replace(one, rank=1 + sum(order(other) < order(one) for other in found)) for one in found]
        return sorted(ranked, key=lambda one: (one.rank, one.name))

    def _played(self) -> Iterator[tuple[Card, Result]]:
        for card in self._register.attempts():
            ending = self._register.known_ending(card.table)
            for result in () if ending is None else ending.results:
                if result.account == card.opener:
                    yield card, result


def order(attempt: Attempt) -> tuple[int, bool, float]:
    return attempt.place, attempt.average_loss is None, attempt.average_loss or 0.0
