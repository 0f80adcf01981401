"""Rate limits: a bucket per account or address that refills as time passes. Defaults are listed in docs/hosting.md."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field

from dicehall.core.game import Refused
from dicehall.table.ports import Clock
from dicehall.table.requests import Code

MOST = 50_000  # buckets kept; the longest unused go first


@dataclass(frozen=True, slots=True)
class Rate:
    """How many at once, and how many a second in the long run."""

    burst: float
    per_second: float


RATES = {
    "request": Rate(burst=2000, per_second=400),  # anything by one account, or by one address without one
    "flood": Rate(burst=200, per_second=10),  # socket messages beyond that limit, before the socket is closed
    "enter": Rate(burst=60, per_second=1),  # guests and sign-ups by one address
    "password": Rate(burst=10, per_second=0.2),  # passwords tried by one address
    "open": Rate(burst=30, per_second=0.5),  # tables opened by one account
    "count": Rate(burst=30, per_second=2),  # answers for which all games are counted
    "hint": Rate(burst=20, per_second=1),  # hints asked for by one account
    "coach": Rate(burst=10, per_second=0.1),  # reports of games, by one account
    "verify": Rate(burst=10, per_second=0.5),  # records to check
}


@dataclass(slots=True)
class Limits:
    clock: Clock
    rates: dict[str, Rate] = field(default_factory=lambda: dict(RATES))
    buckets: OrderedDict[tuple[str, str], tuple[float, int]] = field(default_factory=OrderedDict)

    def take(self, kind: str, who: str) -> None:
        """Count one; refuse it, and say when to try again, where there were too many."""
        rate, now = self.rates[kind], self.clock.now()
        level, at = self.buckets.pop((kind, who), (rate.burst, now))
        level = min(rate.burst, level + max(0, now - at) / 1000 * rate.per_second)
        if level < 1:
            self.buckets[kind, who] = (level, now)
            wait = int((1 - level) / rate.per_second) + 1
            raise Refused(Code.RATE_LIMITED, f"Too many of these: try again in {wait} s.", retry_after=wait)
        self.buckets[kind, who] = (level - 1, now)
        while len(self.buckets) > MOST:
            self.buckets.popitem(last=False)
