"""Presence of seats that only use HTTP: here while they asked something within half a minute."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field

from dicehall.core.game import Presence, Refused
from dicehall.hall.hall import Hall
from dicehall.table.chairs import Chair, chair_of
from dicehall.table.requests import Carry, Lose
from dicehall.table.state import TableState

QUIET_MS = 30_000
LOOK_S = 1.0


@dataclass(slots=True, eq=False)
class HttpPresence:
    hall: Hall
    asked: dict[tuple[str, str], int] = field(default_factory=dict)  # (table, account) -> when they last asked

    def conn(self, account: str) -> str:
        """What carries a seat that has no socket."""
        return f"{self.hall.host.parts.process}:http:{account}"

    async def touch(self, table: str, account: str) -> None:
        """Somebody asked something about a table; where they sit there, and no socket carries them, they are here.

        What they asked is answered already, so nothing here is refused. Who left by their own word comes back by it
        too, and asking does not wake a sleeping table: what wakes one has woken it before. Where seats are removed
        after a grace somebody who asks is back all the same, and the table sleeps on (W8).
        """
        live = self.hall.host.tables.get(table)
        chair = chair_of(live.state.chairs, account) if live is not None else None
        if live is None or chair is None or live.state.ended or self.has_socket(chair) or chair.has_left:
            return
        self.asked[table, account] = self.hall.host.parts.clock.now()
        carried = chair.conn == self.conn(account) and chair.presence is Presence.HERE
        asleep = live.state.phase == "asleep"
        if not carried and (not asleep or removed_unless_back(live.state, chair)):
            with suppress(Refused):
                await self.hall.host.ask(table, Carry(self.conn(account), quiet=asleep), account)

    def has_socket(self, chair: Chair) -> bool:
        """Whether a connection of this process, other than ours, carries the seat."""
        process = f"{self.hall.host.parts.process}:"
        return chair.conn is not None and chair.conn.startswith(process) and ":http:" not in chair.conn

    async def keep_looking(self) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            await self.drop_quiet()

    async def drop_quiet(self) -> None:
        """Who has not asked for half a minute is away."""
        now = self.hall.host.parts.clock.now()
        for key in [key for key, at in self.asked.items() if now - at >= QUIET_MS]:
            table, account = key
            try:
                await self.hall.host.ask(table, Lose(self.conn(account)))
            except Refused:  # the store is away: looked at again in a second
                continue
            if now - self.asked.get(key, now) >= QUIET_MS:
                del self.asked[key]


def removed_unless_back(state: TableState, chair: Chair) -> bool:
    """Whether a grace runs for this chair."""
    return state.policy.grace and chair.presence is Presence.AWAY
