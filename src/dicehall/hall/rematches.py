"""Playing again: who may ask for it, and how the new table is set."""

from __future__ import annotations

from typing import Any

from dicehall.core.game import Refused
from dicehall.table.acts import BotSeat
from dicehall.table.chairs import chair_of
from dicehall.table.requests import Code
from dicehall.table.sitting import KEPT_MS
from dicehall.table.state import TableState


def check_rematch(state: TableState, account: str) -> None:
    if not any(chair.account == account for chair in state.chairs):
        raise Refused(Code.NOT_SEATED, "Only people who played here can ask for a rematch.")
    if not state.ended:
        raise Refused(Code.ALREADY_STARTED, "This game is not over yet.")
    if not state.sitting:
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
