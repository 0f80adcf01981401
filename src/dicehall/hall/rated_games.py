"""Which games count in statistics and leaderboards: those that say something about who played them (decision 066)."""

from __future__ import annotations

from typing import Literal, TypeAlias

from dicehall.core.house import changed_rules
from dicehall.table.state import TableState
from dicehall.wire.bot_levels import EASIEST, level_name

WhyUnrated: TypeAlias = Literal["challenge", "continued", "casual", "rules", "bots", "hints"]

RATED_NOTE = (
    "Only rated games count: default rules, no hints taken, played against people or bots above the level "
    f"{level_name(EASIEST)}."
)


def why_unrated(state: TableState) -> WhyUnrated | None:
    """Why a game does not count; None if it counts so far."""
    if state.opened.origins:
        return "continued"
    if state.opened.challenge is not None:
        return "challenge"
    if not state.opened.rated:
        return "casual"
    if changed_rules(state.game):
        return "rules"
    if any(chair.bot == EASIEST for chair in state.chairs):
        return "bots"
    return "hints" if state.helped else None
