"""What the referee has to say: each thing signed and stored once, and published until a relay has taken it."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from dicehall.nostr.events import Event, sign_event
from dicehall.nostr.keys import SecretKey
from dicehall.nostr.match_events import BotEvent
from dicehall.referee.attempts import Attempts
from dicehall.referee.entries import Saying
from dicehall.referee.store import Outgoing, Store


@dataclass(slots=True)
class Outbox:
    key: SecretKey
    store: Store
    kind: int
    said: dict[str, dict[str, str]] = field(default_factory=dict)  # by match and key: the ids of our events
    unpublished: dict[str, deque[Outgoing]] = field(default_factory=dict)  # by match, in their order
    attempts: Attempts = field(default_factory=Attempts)  # by match

    def load(self, match_id: str) -> None:
        """What the store has of a match."""
        outgoing = self.store.outgoing(match_id)
        self.said[match_id] = {one.key: one.event.id for one in outgoing}
        if unpublished := deque(one for one in outgoing if not one.published):
            self.unpublished[match_id] = unpublished

    def drop(self, match_id: str) -> None:
        self.said.pop(match_id, None)
        self.unpublished.pop(match_id, None)

    def say(self, saying: Saying) -> str:
        """Sign and store what there is to say, unless it was said; the id of the event that says it."""
        said = self.said.setdefault(saying.match_id, {})
        if saying.key not in said:
            tags, content = BotEvent(saying.match_id, saying.content, saying.people, saying.events).encode()
            event = sign_event(self.key, saying.at_ms // 1000, self.kind, tags, content)
            outgoing = Outgoing(saying.match_id, saying.key, event, saying.at_ms)
            said[saying.key] = event.id
            self.store.add_outgoing(outgoing)
            self.unpublished.setdefault(saying.match_id, deque()).append(outgoing)
        return said[saying.key]

    def has_said(self, match_id: str, key: str) -> bool:
        return key in self.said.get(match_id, {}) or self.store.has_said(match_id, key)

    def publications(self, now_ms: int) -> list[Outgoing]:
        """What to publish now: of every match the first event that no relay has taken."""
        return [queue[0] for id, queue in self.unpublished.items() if self.attempts.start(id, now_ms)]

    def published(self, outgoing: Outgoing, now_ms: int) -> None:
        queue = self.unpublished[outgoing.match_id]
        assert queue.popleft() == outgoing
        if not queue:
            del self.unpublished[outgoing.match_id]
        self.attempts.done(outgoing.match_id)
        self.store.mark_published(outgoing, now_ms)

    def not_published(self, outgoing: Outgoing, error: str, now_ms: int) -> None:
        self.attempts.failed(outgoing.match_id, error, now_ms)

    def is_published(self, match_id: str, key: str) -> bool:
        return all(one.key != key for one in self.unpublished.get(match_id, ()))

    def adopt(self, found: BotEvent, event: Event) -> str | None:
        """The key of an event of our own that only a relay has: it was said, and is not said again."""
        key = key_of(found, event)
        if key is None or key in self.said.get(found.match_id, {}):
            return None
        self.said.setdefault(found.match_id, {})[key] = event.id
        self.store.add_outgoing(Outgoing(found.match_id, key, event, event.created_at * 1000, published=True))
        return key


def key_of(found: BotEvent, event: Event) -> str | None:
    """The key that an event of our own was said under."""
    match found.content.name:
        case "match_announcement":
            status = event.tag("match_announcement")
            if status == "refused" and found.events:
                return f"refused/{found.events[0]}"
            keys = {
                "waiting_for_acceptance": "announcement/challenge",
                "waiting_for_commitments": "announcement/acceptance",
            }
            return keys.get(status or "")
        case "reveal_request" | "round_result" as name:
            return f"{name}/{event.tag(name)}"
        case "verification_result" as name:
            return f"{name}/{found.events[0]}" if found.events else None
        case name:
            return name
