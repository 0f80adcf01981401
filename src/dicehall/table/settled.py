"""A table as it is at a moment: with all that is due in effect, though a timer writes it a second later (C4)."""

from __future__ import annotations

from collections.abc import Sequence

from dicehall.table.clocks import dues, voided
from dicehall.table.decide import Dealer, UsedUp, expire
from dicehall.table.folding import advance
from dicehall.table.ports import Outage
from dicehall.table.state import TableState


def settled(state: TableState, now: int, dealer: Dealer, outages: Sequence[Outage]) -> TableState:
    """What this state becomes by the deadlines up to *now*; clocks that an outage stopped are left as they are."""
    while (due := next(iter(dues(state)), None)) is not None and due.at <= now and voided(due, outages) is None:
        try:
            act = expire(state, due, dealer)
        except UsedUp:
            return state
        state, _ = advance(state, act, max(state.at, due.at))
    return state
