"""The part `table` of a campaign: tables of all games under load, and a host that is killed again and again."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from tools.campaign_bugs import BUGS
from tools.campaign_check import archived, check, record_bytes, rows_of, status_of
from tools.campaign_known import Ear, Fault, Known
from tools.campaign_people import Listener, Person
from tools.campaign_pipe import Pipe, now

LEG = 20  # kills between two looks at everything
SHORT_LEG = 2  # where a deliberate bug is looked for
HEARD_S = 30.0  # by then everybody has heard the end of a game
STILL_MS = 120_000  # somebody acts sooner than that, or the clock does, unless the table hangs
BUSY_S = 30.0  # by then somebody has moved
COMMIT_S = 0.5  # how long a write is waited for


class Plan(NamedTuple):
    """A kind of table: quick house rules, short clocks."""

    game: str
    rules: dict[str, int]
    chairs: range


PLANS = (
    Plan("wards", {"goal": 40, "turn_seconds": 1}, range(2, 3)),
    Plan("aetharn", {"goal": 3000, "turn_seconds": 2, "grace_seconds": 1}, range(2, 5)),
    Plan("tenthousand", {"goal": 2000, "opening": 100, "turn_seconds": 2}, range(2, 4)),
    Plan("doordice", {"hp": 12, "rounds": 4, "turn_seconds": 1}, range(5, 6)),
    Plan("mana", {"rounds": 15, "fight_once": 0, "round_seconds": 2, "match_seconds": 12}, range(2, 3)),
)


@dataclass(slots=True, eq=False)
class Party:
    """One table with the people around it."""

    known: Known
    listeners: list[Listener]
    tasks: list[asyncio.Task[None]] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class TableCampaign:
    file: Path
    chance: Random  # of the people
    timing: Random  # of the kills
    tables: int
    bug: str | None
    report: Callable[[], None]  # after every leg, when all that was counted has been checked
    kills: int = 0
    moves: int = 0
    finished: int = 0
    faults: set[Fault] = field(default_factory=set)
    parties: dict[str, Party] = field(default_factory=dict)
    ears: dict[str, Listener] = field(default_factory=dict)
    pipe: Pipe = field(init=False)

    def __post_init__(self) -> None:
        self.pipe = Pipe(self.file, self.bug, self.hear, self.freeze)

    def hear(self, who: str, update: dict[str, Any]) -> None:
        if listener := self.ears.get(who):
            listener.hear(update)

    def freeze(self, table: str, error: str) -> None:
        self.faults.add(Fault("lost", table, f"the host cannot load it: {error}"))

    # -- a run ----------------------------------------------------------------------------------

    async def run(self, wanted: int, seconds: float) -> None:
        """Kill until *wanted* kills or the time is reached; everything counted was checked."""
        ends = time.monotonic() + seconds
        keepers: list[asyncio.Task[None]] = []
        try:
            await self.pipe.start()
            await self.pipe.until_ready()
            prefix = f"{time.time_ns() // 1_000_000:x}"
            keepers = [asyncio.create_task(self.keep_busy(f"{prefix}-{slot}", slot)) for slot in range(self.tables)]
            await self.until_busy(keepers, min(ends, time.monotonic() + BUSY_S))
            while self.kills < wanted and time.monotonic() < ends and not self.found():
                leg = min(self.kills + (SHORT_LEG if self.bug else LEG), wanted)
                while self.kills < leg and time.monotonic() < ends:
                    await self.kill_once(wanted)
                await asyncio.sleep(self.timing.uniform(0.5, 1.5))
                raise_if_failed(keepers)
                self.look_at_all()
                self.report()
        finally:
            everybody = [*keepers, *(task for party in self.parties.values() for task in party.tasks)]
            for task in everybody:
                task.cancel()
            await asyncio.gather(*everybody, return_exceptions=True)
            await self.pipe.end()
            self.look_at_all()

    async def until_busy(self, keepers: Sequence[asyncio.Task[None]], ends: float) -> None:
        """Before the first kill somebody has moved: to kill an idle host would show little."""
        while not self.acknowledged() and time.monotonic() < ends:
            raise_if_failed(keepers)
            await asyncio.sleep(0.1)

    def found(self) -> bool:
        """Whether the deliberate bug has shown."""
        return self.bug is not None and any(fault.kind in BUGS[self.bug].turns for fault in self.faults)

    def look_at_all(self) -> None:
        for party in self.parties.values():
            rows = rows_of(self.file, party.known.table)
            if rows and now() - rows[-1].at > STILL_MS:
                self.faults.add(Fault("lost", party.known.table, f"nothing happens any more after act {len(rows)}"))
            self.faults.update(check(party.known, rows, self.pipe.downs))

    def acknowledged(self) -> int:
        return self.moves + sum(party.known.moves() for party in self.parties.values())

    # -- killing ----------------------------------------------------------------------------------

    async def kill_once(self, wanted: int) -> None:
        """One kill, or several in a row that never let the host become ready."""
        whim = self.timing.random()
        if whim < 0.12:
            await asyncio.sleep(self.timing.uniform(4, 9))  # long enough for clocks to run out
        elif whim < 0.75:
            await asyncio.sleep(self.timing.uniform(0.2, 2.5))
        else:
            await asyncio.sleep(self.timing.uniform(0.2, 1.0))
            await asyncio.to_thread(self.await_commit)
        await self.kill()
        while self.kills < wanted and self.timing.random() < 0.25:
            await self.pipe.start()
            await asyncio.sleep(self.timing.uniform(0.0, 0.6))
            await self.kill()
        if self.timing.random() < 0.05:
            await asyncio.sleep(self.timing.uniform(1, 4))  # down for longer than a pulse
        await self.pipe.start()
        await self.pipe.until_ready()

    async def kill(self) -> None:
        self.pipe.signal_kill()
        await self.pipe.fetch()
        self.kills += 1

    def await_commit(self) -> None:
        """Until the log of the file changes: the next moment is in the middle of a commit."""
        log = Path(f"{self.file}-wal")
        ends = time.monotonic() + COMMIT_S
        with suppress(FileNotFoundError):
            before = log.stat()
            while time.monotonic() < ends:
                after = log.stat()
                if (after.st_mtime_ns, after.st_size) != (before.st_mtime_ns, before.st_size):
                    return

    # -- the load -----------------------------------------------------------------------------------

    async def keep_busy(self, name: str, slot: int) -> None:
        """Always one table in this slot: when it ends it is checked and put away, and the next one is opened."""
        number = 0
        while True:
            number += 1
            party = self.gather(f"{name}-{number}", PLANS[slot % len(PLANS)])
            await self.play(party)
            await self.put_away(party)

    def gather(self, table: str, plan: Plan) -> Party:
        chairs = self.chance.choice(plan.chairs)
        people = self.chance.randint(1, min(chairs, 3))
        bots = [self.chance.choice(["greedy", "random"]) for _ in range(chairs - people)]
        known, drowsy = Known(table, plan.game), self.chance.random() < 0.2
        listeners: list[Listener] = [
            Person(
                self.pipe,
                known,
                self.ear(known, name),
                self.chance,
                bots=bots,
                leader=name == "ann",
                people=people,
                drowsy=drowsy,
            )
            for name in ("ann", "bo", "cy")[:people]
        ]
        watching = range(self.chance.choice((0, 1, 1, 2)))
        listeners += [Listener(self.pipe, known, self.ear(known, None, at), self.chance) for at in watching]
        return Party(known, listeners)

    def ear(self, known: Known, account: str | None, at: int = 0) -> Ear:
        ear = Ear(f"{known.table}/{account or f'spectator {at}'}", account)
        known.ears.append(ear)
        return ear

    async def play(self, party: Party) -> None:
        known, plan = party.known, next(plan for plan in PLANS if plan.game == party.known.game)
        people = [one for one in party.listeners if isinstance(one, Person)]
        seats = people[0].people + len(people[0].bots)
        words = {"table": known.table, "game": plan.game, "rules": plan.rules, "seats": seats, "by": "ann"}
        self.parties[known.table] = party
        while not known.s0:
            await self.pipe.up.wait()
            answer = await self.pipe.ask("open", **words, bot_ms=self.chance.choice((0, 50, 200)), hints=True)
            known.s0 = "" if answer is None else answer["s0"]
        self.ears.update({one.ear.who: one for one in party.listeners})
        party.tasks = [asyncio.create_task(one.live()) for one in party.listeners]
        await self.until_over(party)

    async def until_over(self, party: Party) -> None:
        while True:
            await asyncio.sleep(0.3)
            raise_if_failed(party.tasks)
            if status_of(self.file, party.known.table) in ("over", "abandoned"):
                return

    async def put_away(self, party: Party) -> None:
        """Everybody hears the end, everything is checked, the table is archived, and the archive is checked."""
        known = party.known
        await self.until_all_heard(party, len(rows_of(self.file, known.table)))
        for task in party.tasks:
            task.cancel()
        await asyncio.gather(*party.tasks, return_exceptions=True)
        rows = rows_of(self.file, known.table)
        self.faults.update(check(known, rows, self.pipe.downs))
        self.forget(party)
        while (await self.pipe.ask("archive", table=known.table) or {}).get("archived") is None:
            await asyncio.sleep(0.05)
            await self.pipe.up.wait()
        if archived(self.file, known.table) != record_bytes(known.table, rows):
            self.faults.add(Fault("lost", known.table, "the archive does not hold the record of the journal"))

    def forget(self, party: Party) -> None:
        self.moves += party.known.moves()
        self.finished += 1
        del self.parties[party.known.table]
        for one in party.listeners:
            del self.ears[one.ear.who]

    async def until_all_heard(self, party: Party, last: int) -> None:
        ends = time.monotonic() + HEARD_S
        while any(one.ear.last < last for one in party.listeners):
            if time.monotonic() > ends:
                deaf = [one.ear.who for one in party.listeners if one.ear.last < last]
                self.faults.add(Fault("divergent_views", party.known.table, f"{deaf} never heard the end"))
                return
            await asyncio.sleep(0.1)


def raise_if_failed(tasks: Sequence[asyncio.Task[None]]) -> None:
    """A task of ours that ended has a bug, and a campaign with less load than it says would be no proof."""
    for task in tasks:
        if task.done() and not task.cancelled() and (error := task.exception()) is not None:
            raise error
