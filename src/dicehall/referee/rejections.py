"""Events that did not count: how many for each reason, and the last of them for whoever runs the referee."""

from __future__ import annotations

from collections import Counter, OrderedDict, deque
from dataclasses import dataclass, field

from msgspec import Struct

from dicehall.nostr.events import Event
from dicehall.nostr.match_events import Reason

LAST = 200
REMEMBERED = 50_000  # ids of rejected events, so that one that two relays send is counted once


class Rejection(Struct, frozen=True):
    event_id: str
    sender: str
    match_id: str | None
    reason: str
    message: str
    at: int  # seconds


@dataclass(slots=True)
class Rejections:
    counts: Counter[str] = field(default_factory=Counter)
    last: deque[Rejection] = field(default_factory=lambda: deque(maxlen=LAST))
    ids: OrderedDict[str, None] = field(default_factory=OrderedDict)

    def __contains__(self, event_id: str) -> bool:
        return event_id in self.ids

    def add(self, event: Event, reason: Reason, sentence: str, at_ms: int) -> None:
        match_id = event.tag("match_id")
        shown = None if match_id is None else match_id[:64]
        self.counts[str(reason)] += 1
        self.last.append(Rejection(event.id, event.pubkey, shown, str(reason), sentence[:300], at_ms // 1000))
        self.ids[event.id] = None
        if len(self.ids) > REMEMBERED:
            self.ids.popitem(last=False)

    def forget(self, event_id: str) -> None:
        """It may be judged again."""
        self.ids.pop(event_id, None)
