"""Presence of seats that only use HTTP: here while their person asked something, at any door, within half a minute."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field

from dicehall.core.game import Presence, Refused
from dicehall.hall.hall import Hall
from dicehall.table.chairs import Chair, chair_of, process_of
from dicehall.table.requests import Carry, Lose
from dicehall.table.state import TableState

QUIET_MS = 30_000
LOOK_S = 1.0
TURNS_MS = 10_000


@dataclass(slots=True, eq=False)
class HttpPresence:
    hall: Hall
    tables: dict[str, set[str]] = field(default_factory=dict)  # account -> where HTTP carries its seat
    last: dict[str, int] = field(default_factory=dict)  # account -> when it last asked anything, for the same accounts

    def conn(self, account: str) -> str:
        """What carries a seat that has no socket."""
        return f"{self.hall.host.parts.process}:http:{account}"

    def heard_from(self, account: str | None) -> None:
        """Somebody asked something, whatever it was: all seats that HTTP carries for them are here."""
        if account in self.last:
            self.last[account] = self.hall.host.parts.clock.now()

    async def touch(self, table: str, account: str) -> None:
        """A request about a table makes its sender present there if they are seated and no socket holds their seat.

        What they asked is answered already, so nothing here is refused. Who left by their own word comes back by it
        too, and asking does not wake a sleeping table: what wakes one has woken it before. Where seats are removed
        after a grace somebody who asks is back all the same, and the table sleeps on (W8).
        """
        live = self.hall.host.tables.get(table)
        chair = chair_of(live.state.chairs, account) if live is not None else None
        if live is None or chair is None or live.state.ended or self.has_socket(chair) or chair.has_left:
            return
        self.tables.setdefault(account, set()).add(table)
        self.last[account] = self.hall.host.parts.clock.now()
        carried = chair.conn == self.conn(account) and chair.presence is Presence.HERE
        asleep = live.state.phase == "asleep"
        if not carried and (not asleep or removed_unless_back(live.state, chair)):
            with suppress(Refused):
                await self.hall.host.ask(table, Carry(self.conn(account), quiet=asleep), account)

    def has_socket(self, chair: Chair) -> bool:
        """Whether a connection of a process that lives, other than ours, carries the seat.

        Where requests of one person come to several processes in turn, a seat changes hands once in a while only.
        """
        process, cluster = process_of(chair.conn), self.hall.host.cluster
        if chair.conn is None or process is None:
            return False
        if process == self.hall.host.parts.process:
            return ":http:" not in chair.conn
        if cluster is None or not cluster.is_alive(process):
            return False
        return ":http:" not in chair.conn or self.hall.host.parts.clock.now() - chair.carried[-1].since < TURNS_MS

    async def keep_looking(self) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            await self.drop_quiet()

    async def drop_quiet(self) -> None:
        """Mark people who made no request for half a minute as away."""
        now = self.hall.host.parts.clock.now()
        for account in [account for account, at in self.last.items() if now - at >= QUIET_MS]:
            for table in tuple(self.tables[account]):
                if self.is_quiet(account, now):  # they may ask something meanwhile
                    await self.drop(table, account)
            if not self.tables[account]:
                del self.tables[account], self.last[account]

    def is_quiet(self, account: str, now: int) -> bool:
        return now - self.last[account] >= QUIET_MS

    async def drop(self, table: str, account: str) -> None:
        with suppress(Refused):  # where the store is away it is looked at again in a second
            await self.hall.host.ask(table, Lose(self.conn(account)))
            if self.is_quiet(account, self.hall.host.parts.clock.now()):
                self.tables[account].discard(table)


def removed_unless_back(state: TableState, chair: Chair) -> bool:
    """Whether a grace runs for this chair."""
    return state.policy.grace and chair.presence is Presence.AWAY
