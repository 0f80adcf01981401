"""Limits on repeatable acts: those that do not advance a game are limited per account, lobby and table."""

from __future__ import annotations

from dataclasses import dataclass, field

from dicehall.core.game import Refused
from dicehall.table.requests import Asked, Carry, Code, Depute, Reclaim, Sit, SitBot

BURST = 60  # such acts of one account at one table at once
PER_SECOND = 0.2  # and in the long run
LOBBY_ACTS = 1_000  # after which nobody sits down in a lobby any more
TABLE_ACTS = 32_768  # after which a table is closed: twice as many as the rolls of a seal
MOST_KEPT = 256  # accounts remembered by one table; the longest unused go first

# Standing up, asking to start and opening words are not among them: each needs one of these before it can be repeated.
REPEATABLE = (Sit, SitBot, Carry, Depute, Reclaim)


@dataclass(slots=True)
class Allowances:
    """A bucket for each account that acts at a table, refilled as time passes."""

    levels: dict[str, tuple[float, int]] = field(default_factory=dict)

    def take(self, account: str, now: int) -> None:
        """Count one act; if there were too many, refuse it and say when to try again."""
        level, at = self.levels.pop(account, (float(BURST), now))
        level = min(BURST, level + max(0, now - at) / 1000 * PER_SECOND)
        allowed = level >= 1
        self.levels[account] = (level - 1 if allowed else level, max(at, now))
        if len(self.levels) > MOST_KEPT:
            del self.levels[next(iter(self.levels))]
        if not allowed:
            wait = int((1 - level) / PER_SECOND) + 1
            sentence = f"You are joining and leaving too often. Try again in {wait} s."
            raise Refused(Code.RATE_LIMITED, sentence, retry_after=wait)


def is_repeatable(asked: Asked) -> bool:
    return asked.account is not None and isinstance(asked.request, REPEATABLE)
