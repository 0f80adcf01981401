"""The loot that winners are owed: prepared and stored before the mint is asked, and paid once for a match (M11)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from dicehall.nostr.match_events import LootReward
from dicehall.referee.attempts import Attempts
from dicehall.referee.entries import Saying
from dicehall.referee.match import Match, npub
from dicehall.referee.outbox import Outbox
from dicehall.referee.store import Loot, Store


@dataclass(slots=True)
class Rewards:
    store: Store
    outbox: Outbox
    amount: int  # for a match
    owed: dict[str, Loot] = field(default_factory=dict)  # by match
    paid: int = 0
    attempts: Attempts = field(default_factory=Attempts)  # by match

    def load(self, match_id: str) -> None:
        loot = self.store.loot_of(match_id)
        if loot is not None and loot.token is None:
            self.owed[match_id] = loot

    def owe(self, match: Match) -> None:
        if match.winner is not None and match.id not in self.owed and self.store.loot_of(match.id) is None:
            self.owed[match.id] = Loot(match.id, match.players[match.winner], self.amount)
            self.store.put_loot(self.owed[match.id])

    def payments(self, now_ms: int) -> list[Loot]:
        """What to pay now: only what a published result says (M11)."""
        due = (loot for id, loot in self.owed.items() if self.outbox.is_published(id, "match_result"))
        return [loot for loot in due if self.attempts.start(loot.match_id, now_ms)]

    def prepared(self, loot: Loot, request: str, blindings: str) -> Loot:
        """The request that will be sent to the mint, now and whenever it has to be repeated."""
        ready = replace(loot, request=request, blindings=blindings)
        self.owed[loot.match_id] = ready
        self.store.put_loot(ready)
        return ready

    def paid_out(self, match_id: str, token: str, now_ms: int) -> None:
        loot = replace(self.owed.pop(match_id), token=token)
        self.attempts.done(match_id)
        self.store.put_loot(loot)
        self.paid += 1
        content = LootReward(match_id, npub(loot.winner), loot.amount, token)
        result = self.outbox.said[match_id]["match_result"]
        self.outbox.say(Saying(match_id, "loot_reward", content, now_ms, (loot.winner,), (result,)))

    def not_paid(self, match_id: str, error: str, now_ms: int) -> None:
        self.attempts.failed(match_id, error, now_ms)
