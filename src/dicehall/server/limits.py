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
    """How many at once, and how many per second in the long run."""

    burst: float
    per_second: float


RATES = {
    "request": Rate(burst=2000, per_second=400),  # anything by one account, or by one address without one
    "request_address": Rate(burst=8000, per_second=800),  # the same by all accounts of one address together
    "connection_address": Rate(burst=512, per_second=64),  # new TCP connections from one address
    "socket_address": Rate(burst=200, per_second=10),  # new WebSockets from one address
    "flood": Rate(burst=200, per_second=10),  # socket messages beyond that limit, before the socket is closed
    "enter": Rate(burst=60, per_second=0.2),  # guests and sign-ups by one address
    "password": Rate(burst=10, per_second=0.2),  # passwords tried by one address
    "open": Rate(burst=30, per_second=0.5),  # tables opened by one account
    "challenge_address": Rate(burst=10, per_second=10 / 86_400),  # challenges begun by guests and new accounts
    "open_address": Rate(burst=60, per_second=0.2),  # tables opened by all accounts of one address
    "watch": Rate(burst=300, per_second=5),  # tables that one account, or one address without one, begins to watch
    # What is work for the hall is counted twice: by account, and by address for all accounts there are at it.
    "list": Rate(burst=60, per_second=10),  # pages of lists of tables
    "list_address": Rate(burst=600, per_second=60),
    "count": Rate(burst=30, per_second=2),  # answers for which games are counted: leaderboards, players, statistics
    "count_address": Rate(burst=120, per_second=8),
    "history": Rate(burst=50_000, per_second=2_000),  # acts of journals that are read: events, records
    "history_address": Rate(burst=200_000, per_second=8_000),
    "hint": Rate(burst=20, per_second=1),
    "hint_address": Rate(burst=60, per_second=3),
    "coach": Rate(burst=10, per_second=0.1),  # reports of games
    "coach_address": Rate(burst=30, per_second=0.3),
    "react": Rate(burst=20, per_second=1),  # reactions at all tables
    "react_address": Rate(burst=60, per_second=3),
    "react_table": Rate(burst=4, per_second=0.5),  # of one account at one table
    "webhook": Rate(burst=20, per_second=1 / 60),  # tables opened with a webhook
    "webhook_address": Rate(burst=40, per_second=1 / 30),
    "verify": Rate(burst=10, per_second=0.5),  # records to check
    "verify_address": Rate(burst=20, per_second=1),
    "mana_bot": Rate(burst=60, per_second=5),  # matches over Nostr
    "mana_bot_address": Rate(burst=300, per_second=30),
    "venue": Rate(burst=4000, per_second=1000),  # requests of a game server that shows the secret of its venue
    "venue_player": Rate(burst=60, per_second=15),  # events of one of its players
    "venue_use": Rate(burst=30, per_second=1),  # chairs, observer spots and START or NEW GAME, by one of its players
    "preview_address": Rate(burst=60, per_second=2),  # links of tables that are opened, each with a preview
    "picture_address": Rate(burst=30, per_second=1),  # pictures of such previews
    "document_address": Rate(burst=120, per_second=10),  # QR codes, API docs, metrics
}


@dataclass(slots=True)
class Limits:
    clock: Clock
    rates: dict[str, Rate] = field(default_factory=lambda: dict(RATES))
    buckets: OrderedDict[tuple[str, str], tuple[float, int]] = field(default_factory=OrderedDict)

    def take_both(self, kind: str, account: str | None, address: str, count: int = 1) -> None:
        """Count by account, if there is one, and by address; refused if either has too many."""
        self.take(kind, account or address, count)
        self.take(f"{kind}_address", address, count)

    def take(self, kind: str, who: str, count: int = 1) -> None:
        """Count one or several; if there were too many, refuse them and say when to try again.

        More than a whole burst needs a full bucket, and is paid back afterwards. A burst of 0 allows
        nothing.
        """
        rate, now = self.rates[kind], self.clock.now()
        level, at = self.buckets.pop((kind, who), (rate.burst, now))
        level = min(rate.burst, level + max(0, now - at) / 1000 * rate.per_second)
        needed = min(count, max(rate.burst, 1))
        if level < needed:
            self.buckets[kind, who] = (level, now)
            wait = int((needed - level) / rate.per_second) + 1
            raise Refused(Code.RATE_LIMITED, f"Too many requests. Try again in {wait} s.", retry_after=wait)
        self.buckets[kind, who] = (level - count, now)
        while len(self.buckets) > MOST:
            self.buckets.popitem(last=False)
