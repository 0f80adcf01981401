"""What must be true of a hall after whatever happened in it, worked out from the rows alone."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from typing import Any

from dicehall.core.fold import replay
from dicehall.core.game import Over
from dicehall.hall.rated_games import why_unrated
from dicehall.hall.register import Kind
from dicehall.hall.rematches import was_closed
from dicehall.table.ports import Row
from dicehall.table.record import record_of
from dicehall.table.state import TableState, Told
from dicehall.table.story import story
from tests.hall.hall_simulation import Ack, Crowd
from tests.hall.halls import GAMES

WRITING = ("sit", "start", "act", "depute")  # what is never answered without an act of its own


def wrongs(crowd: Crowd) -> list[str]:
    """Everything that is not as it must be; empty after a good run."""
    return [*map(str, crowd.unseen), *asyncio.run(Check(crowd).everything())]


class Check:
    def __init__(self, crowd: Crowd) -> None:
        self.crowd, self.register = crowd, crowd.journal.register
        self.rows: dict[str, list[Row]] = {}
        for commit in crowd.journal.kept:
            self.rows.setdefault(commit.row.table, []).append(commit.row)
        self.told = {table: list(story(table, rows, GAMES)) for table, rows in self.rows.items()}

    async def everything(self) -> list[str]:
        found = [*self.acknowledged(), *self.listened(), *self.one_rematch_each(), *self.in_memory()]
        found += [wrong async for wrong in self.endings()]
        found += [wrong async for wrong in self.statistics()]
        return found + [wrong async for wrong in self.leaderboards()]

    # -- requests -----------------------------------------------------------------------------------------

    def acknowledged(self) -> Iterator[str]:
        """Whatever was answered is true, and was done once."""
        cards = self.register._cards.values()
        for ack in self.crowd.acks:
            match ack.kind:
                case "open":
                    true = [card.table for card in cards if (card.opener, card.id) == (ack.account, ack.id)]
                    good = true == [ack.answer]
                case "rematch":
                    after = [one.table for one in cards if one.before and self.played_before(one.before) == ack.table]
                    unclosed = [table for table in after if not was_closed(self.last(table))]
                    good = ack.answer in after and len(unclosed) <= 1
                case _:
                    good = self.written(ack)
            if not good:
                yield f"acknowledged, but not true: {ack}"

    def written(self, ack: Ack) -> bool:
        rows = [row for row in self.rows[ack.table] if (row.account, row.id) == (ack.account, ack.id)]
        return [row.seq for row in rows] == [ack.answer.n] or (not rows and ack.kind not in WRITING)

    def one_rematch_each(self) -> Iterator[str]:
        """One rematch per table, with the same people one seat further; a second one only if the first was closed."""
        linked = Counter(card.before for card in self.register._cards.values() if card.before)
        yield from (f"{number} rematches of {table}" for table, number in linked.items() if number > 1)
        for card in self.register._cards.values():
            if card.before is not None:
                chairs = self.last(self.played_before(card.before)).chairs
                kept = tuple(chair.account for chair in (*chairs[1:], chairs[0]))
                if self.last(card.table).opened.reserved != kept:
                    yield f"the rematch {card.table} keeps its chairs for others than {kept}"

    def played_before(self, table: str) -> str:
        """The finished game that this table is, or that it is a rematch of if it was closed before it began."""
        while was_closed(self.last(table)) and (before := self.register._cards[table].before) is not None:
            table = before
        return table

    def listened(self) -> Iterator[str]:
        for ear in self.crowd.listening:
            heard = [message["n"] for message in ear.messages if "n" in message]
            if heard != list(range(heard[0], heard[0] + len(heard)) if heard else ()):
                yield f"a spectator heard {heard}"

    def in_memory(self) -> Iterator[str]:
        for table, live in self.crowd.hall.host.tables.items():
            if live.state != self.last(table):
                yield f"memory and journal of {table} differ"
            people = [chair.account for chair in live.state.chairs if chair.account]
            if len(set(people)) < len(people):
                yield f"somebody sits twice at {table}"

    # -- results --------------------------------------------------------------------------------------------

    def last(self, table: str) -> TableState:
        after = self.told[table][-1].after
        assert after is not None
        return after

    def over(self, told: list[Told]) -> Over | None:
        """How the record of a table says it ended, played again from its first entry."""
        state = told[-1].after
        if state is None or not state.sitting:
            return None
        record = record_of(told)
        position: Any = replay(record.game, len(record.names), (logged.entry for logged in record.logged()))
        awaited = record.game.awaits(position)
        return awaited if isinstance(awaited, Over) else None

    def outcomes(self) -> Iterator[tuple[str, dict[str, bool]]]:
        """Of each game that was played to its end: who took part, and who won."""
        for table, told in self.told.items():
            over = self.over(told)
            if over is not None and over.places:
                first = over.places[0]
                chairs = enumerate(self.last(table).chairs)
                yield table, {chair.account: first == {seat} for seat, chair in chairs if chair.account}

    async def endings(self) -> Any:
        counted = dict(self.outcomes())
        for table in self.told:
            ending = await self.register.ending(table)
            if (ending is not None) != self.last(table).ended:
                yield f"{table} is {self.last(table).phase}, its ending {ending}"
            listed = {one.account: one.won for one in ending.results if one.account} if ending else {}
            if listed != counted.get(table, {}):
                yield f"the record of {table} says {counted.get(table)}, its results {listed}"

    async def statistics(self) -> Any:
        """W12: counted once per game, equal to what the records say."""
        played: Counter[tuple[str, str]] = Counter()
        won: Counter[tuple[str, str]] = Counter()
        for table, outcome in self.outcomes():
            for account, first in outcome.items():
                played[account, self.last(table).game.key] += 1
                won[account, self.last(table).game.key] += first
        for account in self.crowd.who:
            counts = {(account, c.game): (c.played, c.won) for c in await self.register.counts(account)}
            expected = {key: (number, won[key]) for key, number in played.items() if key[0] == account}
            if counts != expected:
                yield f"{account} has {counts}, the records say {expected}"

    async def leaderboards(self) -> Any:
        """Rated games only, counted once each."""
        expected: dict[str, tuple[int, int]] = {}
        for table, outcome in self.outcomes():
            for account, first in outcome.items() if why_unrated(self.last(table)) is None else ():
                played, won = expected.get(account, (0, 0))
                expected[account] = played + 1, won + first
        kinds: tuple[Kind, ...] = ("accounts", "guests")
        listed = [one for kind in kinds for one in await self.register.leaders(None, kind, "won", 1, 0)]
        leaders = {one.account: (one.played, one.won) for one in listed if one.account in self.crowd.who}
        if leaders != expected:
            yield f"the leaderboards say {leaders}, the records {expected}"
