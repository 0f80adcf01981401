"""Which games count in statistics and leaderboards: those that say something about who played them (decision 066)."""

from __future__ import annotations

from typing import Literal, TypeAlias

from dicehall.core.game import Over
from dicehall.core.house import changed_rules
from dicehall.table.state import TableState
from dicehall.wire.bot_levels import EASIEST, level_name

WhyUnrated: TypeAlias = Literal["challenge", "continued", "casual", "rules", "bots", "hints", "stand_in"]

RATED_NOTE = (
    "Only rated games count: default rules, no hints taken, played against people or bots stronger than "
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
    if state.helped or (state.opened.hints and people(state) > 1):  # or whoever is losing could cancel it by a hint
        return "hints"
    return "stand_in" if won_by_stand_in(state) else None


def people(state: TableState) -> int:
    """How many seats belong to people."""
    return sum(chair.account is not None for chair in state.chairs)


def won_by_stand_in(state: TableState) -> bool:
    """Whether a bot ever played for the winner. A loss counts all the same, or a stand-in would be a way out of it."""
    winner = state.awaited.winner if isinstance(state.awaited, Over) else None
    return winner is not None and state.chairs[winner].deputed
