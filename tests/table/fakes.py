"""Dice whose faces a test may name, and connections that remember."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import msgspec

from dicehall.core.game import Faces
from dicehall.launch.wiring import ChainDice


@dataclass(frozen=True, slots=True)
class LoadedDice:
    """Sealed dice, but for the rolls whose faces a test names."""

    real: ChainDice
    named: dict[int, Faces]

    @property
    def seal(self) -> str:
        return self.real.seal

    def prepare(self) -> Iterator[None]:
        return self.real.prepare()

    def roll(self, number: int, salt: bytes, sides: Faces) -> tuple[Faces, str]:
        faces, opened = self.real.roll(number, salt, sides)
        return self.named.get(number, faces), opened

    def key(self, label: str) -> str:
        return self.real.key(label)


@dataclass(slots=True, eq=False)
class Ear:
    """A connection that remembers what it was told."""

    id: str
    messages: list[dict[str, Any]] = field(default_factory=list)

    def push(self, message: bytes) -> None:
        self.messages.append(msgspec.json.decode(message))

    def offer(self, message: bytes) -> None:
        self.push(message)
