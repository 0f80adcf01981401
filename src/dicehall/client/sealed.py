"""A client's own check of the dice: by the seal and the words it kept from before it sat down, and nothing else.

It shares no code with the room that makes dice. The sides of the dice are believed as they are told; that they are
what the rules ask for is checked on the record (`dicehall replay --check --seal`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from hmac import digest
from itertools import count
from typing import Any
from unicodedata import normalize

from dicehall.client.errors import UnfairDice
from dicehall.core.text import only_visible


def full_words(typed: str, random: bytes) -> str:
    """What a seat brings: what its person typed, as far as it can be seen, and 32 random hex digits."""
    return normalize("NFC", only_visible(typed)) + random.hex()


def commitment(words: str) -> str:
    return sha256(f"dicehall/words\n{words}".encode()).hexdigest()


def salt_of(table: str, words: Sequence[str]) -> bytes:
    lines = ["dicehall/1", table, *(seat.encode().hex() for seat in words)]
    return sha256("\n".join(lines).encode()).digest()


def faces_of(secret: bytes, salt: bytes, sides: Sequence[int]) -> list[int]:
    stream = (byte for block in count() for byte in digest(secret, salt + block.to_bytes(4, "big"), "sha256"))
    return [face(stream, n) for n in sides]


def face(stream: Iterator[int], sides: int) -> int:
    """One die; values that would favour the low faces are dropped."""
    values = 256 if sides <= 256 else 65_536
    while True:
        value = next(stream) if values == 256 else next(stream) << 8 | next(stream)
        if value < values - values % sides:
            return value % sides + 1


@dataclass(slots=True)
class DiceWatch:
    """The dice of one table, watched from its seal on."""

    table: str
    seal: str  # as it was shown before sitting down
    words: str | None = None  # what I brought, if anything
    salt: bytes | None = None  # known from the start of the game on
    before: str = ""  # the secret of the roll before
    rolls: int = 0  # that were checked
    sealed_till_later: bool = False  # a daily challenge: its dice are opened the day after, and checked on the record

    def check(self, update: Mapping[str, Any]) -> None:
        """Check all dice of an update as they fall; raises UnfairDice."""
        for event in update["events"]:
            if event["event"] == "Opened" and event["s0"] != self.seal:
                raise UnfairDice(f"Table {self.table} was opened with a different seal from the one it shows.")
            if event["event"] == "Opened":
                self.sealed_till_later = event.get("challenge") is not None
            if event["event"] == "Started":
                self.begin(event)
        if self.salt is not None:  # who came in the middle of a game has nothing to check against
            for roll in update.get("rolls", ()):
                self.check_roll(roll)

    def begin(self, started: Mapping[str, Any]) -> None:
        words: list[str] = started["words"]
        if self.words is not None and self.words not in words:
            raise UnfairDice(f"My words were not mixed into the dice of table {self.table}.")
        if self.sealed_till_later:
            return
        self.salt, self.before = salt_of(self.table, words), self.seal
        if drawn := started.get("drawn"):
            self.check_roll({**drawn, "sides": range(len(words), 1, -1)})

    def check_roll(self, roll: Mapping[str, Any]) -> None:
        self.rolls += 1
        told = f"Roll {self.rolls} of table {self.table}"
        secret = bytes.fromhex(roll["opened"] or "")
        if sha256(secret).hexdigest() != self.before:
            raise UnfairDice(f"{told} was opened with a secret other than the sealed one.")
        fell = faces_of(secret, self.salt or b"", roll["sides"])
        if fell != list(roll["faces"]):
            raise UnfairDice(f"{told} shows {list(roll['faces'])}, but the sealed dice fell {fell}.")
        self.before = roll["opened"]
