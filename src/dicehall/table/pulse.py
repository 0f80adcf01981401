"""The pulse of a host: how it knows, afterwards, that it was not there.

A process that lives writes a pulse each second. A gap of more than three seconds, however it came about
(a dead process, a suspended machine, a database out of reach), is an outage and costs nobody a turn (C5).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from dicehall.table.ports import Clock, HostJournal, JournalError, Outage

BEAT_S = 1.0
GAP_MS = 3_000


@dataclass(slots=True)
class Pulse:
    journal: HostJournal
    clock: Clock
    process: str
    known: list[Outage] = field(default_factory=list)
    unwritten: list[Outage] = field(default_factory=list)
    last: int = 0  # the last pulse that is stored

    async def start(self) -> None:
        """Find out whether the host was away before this process, and say that it is back."""
        self.known = list(await self.journal.outages())
        before = await self.journal.last_pulse()
        self.last = self.clock.now() if before is None else before
        await self.beat()

    async def beat(self) -> None:
        """One pulse; an outage that it ends is stored first. Raises where the journal is out of reach."""
        now = self.clock.now()
        self.notice(now)
        while self.unwritten:
            await self.journal.add_outage(self.unwritten[0])
            self.unwritten.pop(0)
        await self.journal.pulse(self.process, now)
        self.last = now

    async def try_beat(self) -> bool:
        """A pulse where the journal can be reached; where it cannot, the gap will tell."""
        try:
            await self.beat()
        except JournalError:
            return False
        return True

    def notice(self, now: int) -> None:
        """A gap that ends now is an outage from here on, whoever sees it first."""
        if now - self.last > GAP_MS:
            outage = Outage(self.last, now)
            self.known.append(outage)
            self.unwritten.append(outage)
            self.last = now

    def outages(self, now: int) -> Sequence[Outage]:
        self.notice(now)
        return self.known
