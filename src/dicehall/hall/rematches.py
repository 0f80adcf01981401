"""Playing again: who may ask for it, and how the new table is set."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from dicehall.core.game import Refused
from dicehall.hall.cards import Card
from dicehall.hall.register import Register
from dicehall.table.acts import BotSeat
from dicehall.table.chairs import chair_of
from dicehall.table.host import Host
from dicehall.table.requests import Code
from dicehall.table.sitting import KEPT_MS
from dicehall.table.state import TableState

MOST_KNOWN = 10_000  # kept in memory
MOST_REMATCHES = 8  # opened after one game, each because the one before it was closed


@dataclass(frozen=True, slots=True)
class Rematch:
    card: Card
    state: TableState | None  # None: archived or damaged
    number: int  # how many were opened after the same game, with this one

    @property
    def is_closed(self) -> bool:
        return self.state is not None and was_closed(self.state)


@dataclass(frozen=True, slots=True)
class Rematches:
    """The rematches of the finished games at a host's tables."""

    host: Host
    register: Register
    name: Callable[[str], Awaitable[str]]  # of an account
    known: dict[str, Card] = field(default_factory=dict)  # by the table that each follows; they never change

    async def latest(self, table: str) -> Rematch | None:
        """The last rematch of a finished game. One that was closed before it started can be followed by another."""
        latest: Rematch | None = None
        for number in range(1, MOST_REMATCHES + 1):
            card = await self.following(table if latest is None else latest.card.table)
            if card is None:
                break
            latest = Rematch(card, await self.state_if_readable(card.table), number)
            if not latest.is_closed:
                break
        return latest

    async def following(self, table: str) -> Card | None:
        """The one rematch that follows this table, closed or not."""
        card = self.known.get(table) or await self.register.rematch_of(table)
        if card is not None:
            if len(self.known) >= MOST_KNOWN:
                self.known.clear()
            self.known[table] = card
        return card

    async def state_if_readable(self, table: str) -> TableState | None:
        """None for an archived or damaged table, which must not hide the game before it."""
        try:
            return (await self.host.current(table)).state
        except Refused as refused:
            if refused.code == Code.STORE_UNAVAILABLE and table not in self.host.frozen:
                raise
            return None

    async def offered(self, state: TableState) -> dict[str, Any] | None:
        """The rematch of a finished game and who asked for it; its spectators can follow. None if it is damaged."""
        offered = await self.latest(state.id) if state.ended else None
        if offered is None or offered.state is None or offered.state.ended:
            return None
        card, declined = offered.card, [*offered.state.declined]
        try:
            name = await self.name(card.opener)
        except Refused as refused:
            if refused.code == Code.STORE_UNAVAILABLE:
                raise
            return None
        return {"table": card.table, "account": card.opener, "name": name, "declined": declined}

    async def late(self, account: str, table: str) -> Card | None:
        """The rematch of an archived table, for those who played there."""
        ending = await self.register.ending(table)
        played = ending is not None and any(result.account == account for result in ending.results)
        return await self.register.rematch_of(table) if played else None

    async def announce(self, event: str, account: str, *tables: str) -> None:
        """Tell everyone at these tables at once how somebody answered the rematch."""
        name = await self.name(account)
        for table in tables:
            await self.host.mention(table, {"event": event, "account": account, "name": name})


def table_before(table: str, closed: Rematch | None) -> str:
    """The table that a new rematch of this table comes after: the table itself, or the rematch that was closed."""
    if closed is None:
        return table
    if closed.number >= MOST_REMATCHES:
        raise Refused(Code.RATE_LIMITED, "Too many rematches of this game were closed. Open a new table.")
    return closed.card.table


def was_closed(state: TableState) -> bool:
    """Whether a table was closed before its game started."""
    return state.ended and not state.sitting


def check_rematch(state: TableState, account: str) -> None:
    if not any(chair.account == account for chair in state.chairs):
        raise Refused(Code.NOT_SEATED, "Only people who played here can ask for a rematch.")
    if not state.ended:
        raise Refused(Code.ALREADY_STARTED, "This game is not over yet.")
    if was_closed(state):
        raise Refused(Code.TOO_FEW_SEATS, "This table was closed before the game started.")


def same_again(state: TableState) -> dict[str, Any]:
    """Everybody one seat further: bots are there at once, for people their chairs are kept (decision 019)."""
    turned = (*state.chairs[1:], state.chairs[0])
    return {
        "seats": len(turned),
        "bots": tuple(BotSeat(at, chair.bot, chair.name, chair.asked) for at, chair in enumerate(turned) if chair.bot),
        "reserved": tuple(chair.account for chair in turned),
        "hints": state.opened.hints,
        "clock": state.opened.clock,
        "rated": state.opened.rated,
        "reactions": state.opened.reactions,
        "drawn": state.opened.drawn,
    }


def expected(state: TableState, now: int) -> list[str]:
    """The accounts for whom a chair is kept in a lobby and who have not sat down yet."""
    if state.phase != "lobby" or now >= state.happened + KEPT_MS:
        return []
    taken = {chair.number for chair in state.chairs}
    kept = [account for number, account in enumerate(state.opened.reserved) if account and number not in taken]
    return [account for account in kept if chair_of(state.chairs, account) is None and not state.has_declined(account)]
