"""The pulse of a host: how it finds out, afterwards, that it was down.

A living process writes a pulse every second. A gap of more than three seconds, whatever the cause (a suspended
machine, a database out of reach), is an outage and costs nobody a turn (C5); so is the time from the last pulse of a
dead process to the first of the next, however short, because processes may die faster than three seconds one by one.
An event loop that was busy is not an outage (see heartbeat.py): its time is taken off the gap.

Where several processes share a journal, a gap is an outage of its process, and of the hall only if no other process was
there either (see cluster.py).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from dicehall.table.clocks import Due, voided
from dicehall.table.heartbeat import LoopTime
from dicehall.table.ports import Clock, HostJournal, JournalError, Nodes, Outage
from dicehall.table.state import TableState

BEAT_S = 1.0
GAP_MS = 3_000
UNKNOWN_MS = 3_600_000
RETURN_MS = 20_000  # from the end of an outage


@dataclass(slots=True)
class Pulse:
    journal: HostJournal
    clock: Clock
    process: str
    loop_time: LoopTime | None = None  # how long the event loop was busy; without it a busy loop is an outage
    not_before: Callable[[int], None] = lambda at: None  # told the latest time that an earlier process stored
    nodes: Nodes | None = None  # where other processes share the journal
    known: list[Outage] = field(default_factory=list)
    last: int = 0  # the last pulse that is stored
    felt: float = 0.0  # when that was, by a clock that nobody can set back
    back: float = 0.0  # when the last outage was over, by the same clock
    beating: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def start(self) -> None:
        """Record that the host is back. The time since the last pulse is an outage, however short: its process died.

        A host that never ran before was not away, however long its first pulse takes.
        """
        if self.nodes is not None:
            return await self.join(self.nodes)
        self.known = list(await self.journal.outages())
        before = await self.journal.last_pulse()
        if before is not None:
            self.not_before(before + 1)  # it was away for a moment at least
        now = self.clock.now()
        self.last = now if before is None else before
        if self.last > now:  # the clock was set back, so nobody can say how long the host was away
            self.last = now - UNKNOWN_MS
        self.felt = monotonic()
        self.back = self.felt - RETURN_MS / 1000
        await self.beat(longest=GAP_MS if before is None else 0)

    async def join(self, nodes: Nodes) -> None:
        """Join as another process. The hall was down if no other process is alive."""
        before = await nodes.pulses()
        if before:
            self.not_before(max(before.values()))  # others have this time already, though the shared clock was set back
        now = self.clock.now()
        self.last, self.felt = now, monotonic()
        self.back = self.felt - RETURN_MS / 1000
        if before and now - max(before.values()) > GAP_MS:
            await self.journal.add_outage(Outage(max(before.values()), now))
            self.back = self.felt
        await self.journal.pulse(self.process, now)

    async def ended(self, now: int, gap: int) -> list[Outage]:
        """The outages that end with this pulse."""
        if self.nodes is None:
            return [Outage(now - gap, now)]
        others = [at for process, at in (await self.nodes.pulses()).items() if process != self.process]
        mine, since = Outage(now - gap, now, self.process), max([now - gap, *others])
        return [mine, Outage(since, now)] if now - since > GAP_MS else [mine]

    async def beat(self, longest: int = GAP_MS) -> None:
        """Write one pulse, which ends and stores an outage. Raises if the journal cannot be reached.

        Until a pulse is stored an outage lasts, whoever notices it: it is one outage, not several short ones.
        """
        async with self.beating:
            now, felt, gap = self.clock.now(), monotonic(), self.gap
            busy = 0 if self.loop_time is None else self.loop_time.tick()
            ended = await self.ended(now, gap) if gap > longest else []
            for outage in ended:
                await self.journal.add_outage(outage)
            await self.journal.pulse(self.process, now)
            self.known += ended
            self.last, self.felt = now, felt
            if self.loop_time is not None:
                self.loop_time.lost -= busy
            self.back = monotonic() if ended else self.back

    async def try_beat(self) -> bool:
        """Write a pulse if the journal can be reached; if not, the gap will show it."""
        try:
            await self.beat()
        except JournalError:
            return False
        return True

    @property
    def gap(self) -> int:
        """ms since the last pulse: by the wall clock, which runs while a machine sleeps, or by one nobody sets back."""
        now = self.clock.now()
        busy = 0 if self.loop_time is None else self.loop_time.lost_till(now)
        return max(now - self.last, round((monotonic() - self.felt) * 1000)) - busy

    @property
    def silent(self) -> bool:
        """Whether an outage is in progress, or ends right now."""
        return self.gap > GAP_MS

    async def outages(self) -> Sequence[Outage]:
        """All outages up to now; one that lasts ends here, or raises as the journal does."""
        if self.silent:
            await self.beat()
        return self.known

    async def void(self, state: TableState, due: Due) -> Outage | None:
        """The outage because of which a deadline does not count, where no other process could have served anybody."""
        return voided(due, await self.outages())

    def returning(self) -> int:
        """How many ms people still have to come back after an outage, before their seats are away (C5)."""
        if self.silent:
            return RETURN_MS
        return max(0, RETURN_MS - round((monotonic() - self.back) * 1000))


def monotonic() -> float:
    return asyncio.get_running_loop().time()
