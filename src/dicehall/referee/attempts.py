"""Things that are tried until they succeed, each with exponential back-off."""

from __future__ import annotations

from dataclasses import dataclass, field

FIRST_MS, LONGEST_MS = 500, 60_000


@dataclass(slots=True)
class Attempt:
    due_ms: int = 0
    failures: int = 0
    running: bool = True
    last_error: str | None = None


@dataclass(slots=True)
class Attempts:
    by_id: dict[str, Attempt] = field(default_factory=dict)

    def start(self, id: str, now_ms: int) -> bool:
        """Whether to try this now; until it is done or has failed it is not tried again."""
        attempt = self.by_id.get(id)
        if attempt is None:
            self.by_id[id] = Attempt()
            return True
        if attempt.running or now_ms < attempt.due_ms:
            return False
        attempt.running = True
        return True

    def done(self, id: str) -> None:
        self.by_id.pop(id, None)

    def failed(self, id: str, error: str, now_ms: int) -> None:
        attempt = self.by_id.setdefault(id, Attempt())
        delay_ms = min(LONGEST_MS, FIRST_MS << min(attempt.failures, 10))
        attempt.due_ms, attempt.failures, attempt.running = now_ms + delay_ms, attempt.failures + 1, False
        attempt.last_error = error

    def hurry(self) -> None:
        """What failed is tried at once: whatever was away is back."""
        for attempt in self.by_id.values():
            attempt.due_ms = 0

    def next_ms(self) -> int | None:
        return min((one.due_ms for one in self.by_id.values() if not one.running), default=None)

    def last_error(self) -> str | None:
        return next((one.last_error for one in reversed(self.by_id.values()) if one.last_error), None)
