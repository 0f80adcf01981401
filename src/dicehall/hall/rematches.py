"""Playing again: who may ask for it, and how the new table is set."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from dicehall.core.game import Refused
from dicehall.hall.cards import Card
from dicehall.table.acts import BotSeat
from dicehall.table.chairs import chair_of
from dicehall.table.requests import Code
from dicehall.table.sitting import KEPT_MS
from dicehall.table.state import TableState

MOST_REMATCHES = 8  # opened after one game, each because the one before it was closed


@dataclass(frozen=True, slots=True)
class Rematch:
    card: Card
    state: TableState | None  # None: archived or damaged
    number: int  # how many were opened after the same game, with this one

    @property
    def is_closed(self) -> bool:
        return self.state is not None and was_closed(self.state)


async def latest_rematch(
    table: str,
    rematch_of: Callable[[str], Awaitable[Card | None]],
    state_of: Callable[[str], Awaitable[TableState | None]],
) -> Rematch | None:
    """The last rematch of a finished game. One that was closed before it started can be followed by another."""
    latest: Rematch | None = None
    for number in range(1, MOST_REMATCHES + 1):
        card = await rematch_of(table if latest is None else latest.card.table)
        if card is None:
            break
        latest = Rematch(card, await state_of(card.table), number)
        if not latest.is_closed:
            break
    return latest


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
