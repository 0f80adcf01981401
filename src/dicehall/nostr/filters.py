"""NIP-01 filters: what a client asks a relay for. Relays are not trusted: every event is matched here once more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dicehall.nostr.events import Event


@dataclass(frozen=True, slots=True)
class Filter:
    ids: tuple[str, ...] = ()
    kinds: tuple[int, ...] = ()
    authors: tuple[str, ...] = ()
    tags: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # by a single letter; relays index no others
    since: int | None = None
    until: int | None = None
    limit: int | None = None

    def __post_init__(self) -> None:
        if any(len(letter) != 1 for letter in self.tags):
            raise ValueError("Relays index only single-letter tags.")

    def to_json(self) -> dict[str, Any]:
        plain = {"ids": self.ids, "kinds": self.kinds, "authors": self.authors}
        tagged = {f"#{letter}": values for letter, values in self.tags.items()}
        times = {"since": self.since, "until": self.until, "limit": self.limit}
        lists = {name: list(values) for name, values in (plain | tagged).items() if values}
        return lists | {name: value for name, value in times.items() if value is not None}

    def matches(self, event: Event) -> bool:
        return (
            (not self.ids or event.id in self.ids)
            and (not self.kinds or event.kind in self.kinds)
            and (not self.authors or event.pubkey in self.authors)
            and all(has_one(event, letter, values) for letter, values in self.tags.items() if values)
            and (self.since is None or event.created_at >= self.since)
            and (self.until is None or event.created_at <= self.until)
        )


def has_one(event: Event, letter: str, values: tuple[str, ...]) -> bool:
    return not set(values).isdisjoint(event.tag_values(letter))
