"""Events that came before the one they follow: relays promise no order, so these are judged again a little later."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field

from dicehall.nostr.events import Event
from dicehall.nostr.match_events import Acceptance, Commitment, PlayerEvent
from dicehall.referee.match import Match

MAX_MATCHES, MAX_EVENTS, MAX_OF_SENDER = 1000, 16, 2
MAX_SIZE = 2048  # characters: a player's event has a few hundred, and strangers decide how many are held
KEPT_MS = 300_000


@dataclass(slots=True)
class EarlyEvents:
    by_match: OrderedDict[str, list[tuple[Event, int]]] = field(default_factory=OrderedDict)

    def hold(self, said: PlayerEvent, event: Event, match: Match | None, now_ms: int) -> None:
        if not is_early(said, match) or (match is not None and event.pubkey not in match.players):
            return
        if event.size > MAX_SIZE:
            return
        held = self.by_match.setdefault(said.match_id, [])
        if len(held) < MAX_EVENTS and sum(one.pubkey == event.pubkey for one, _ in held) < MAX_OF_SENDER:
            held.append((event, now_ms))
        if len(self.by_match) > MAX_MATCHES:
            self.by_match.popitem(last=False)

    def take(self, match_id: str, now_ms: int) -> list[tuple[Event, int]]:
        held = self.by_match.pop(match_id, [])
        return [(event, at_ms) for event, at_ms in held if now_ms - at_ms <= KEPT_MS]


def is_early(said: PlayerEvent, match: Match | None) -> bool:
    if match is None:
        return isinstance(said, Acceptance | Commitment)
    if match.over is not None or not isinstance(said, Commitment):
        return False
    return match.acceptance_id is None or said.round > match.round
