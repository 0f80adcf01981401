"""Events through the whole referee, as a ratio to verifying their signatures alone in the same run.

    python bench/referee.py [MATCHES]

Whole matches of two players each, as a relay sends them: message, event, signature, rules, and the store on a real
file; only the mint is not asked. For three events the referee signs and stores two of its own, so the same is measured
for strangers' events as well, which are judged and do not count, and `signatures alone` is what verifying the events
and signing the answers takes without anything else. Prints one JSON line. Reach: half the rate of a bare `verify`.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

from coincurve import PublicKeyXOnly

from dicehall.games.mana.commitments import commitment
from dicehall.nostr.events import Event, encode_event, sign_event
from dicehall.nostr.filters import Filter
from dicehall.nostr.keys import SecretKey
from dicehall.nostr.match_events import (
    GAME,
    Acceptance,
    Challenge,
    Commitment,
    PlayerEvent,
    Reveal,
    RevealContent,
)
from dicehall.nostr.relay import Delays, Relay, Subscription
from dicehall.referee.referee import Referee
from dicehall.referee.store import Store
from dicehall.referee.token_queue import TokenAnswer

MATCHES = 100
ROUNDS = 3
BATCH = 100  # events between two commits: one step of all matches, as under load
NOW_MS = 1_800_000_000_000


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def sign(key: SecretKey, said: PlayerEvent) -> Event:
    return sign_event(key, NOW_MS // 1000, 1, *said.encode())


def events_of(match_id: str, keys: tuple[SecretKey, SecretKey]) -> list[list[Event]]:
    """The events of a match, step by step."""
    challenge = sign(keys[0], Challenge(match_id, keys[1].public_hex))
    steps = [[challenge], [sign(keys[1], Acceptance(match_id, challenge.id))]]
    for number in range(1, ROUNDS + 1):
        commits, reveals = [], []
        for seat, key in enumerate(keys):
            secret, C, nonce = (
                digest(f"{match_id}{seat}"),
                "02" + digest(f"C{match_id}{seat}"),
                digest(f"n{number}{seat}"),
            )
            raw = bytes.fromhex(secret), bytes.fromhex(C), seat, number, match_id, bytes.fromhex(nonce)
            commits.append(sign(key, Commitment(match_id, number, commitment(*raw))))
            shown = RevealContent(number, secret, C, "00" + "ab" * 7, seat, commits[-1].id, nonce)
            reveals.append(sign(key, Reveal(match_id, shown)))
        steps += [commits, reveals]
    return steps


def all_events(matches: int) -> list[Event]:
    """The matches side by side, as their events would come."""
    keys = [(SecretKey.generate(), SecretKey.generate()) for _ in range(matches)]
    played = [events_of(f"m{number}", pair) for number, pair in enumerate(keys)]
    return [event for steps in zip(*played, strict=True) for step in steps for event in step]


def bare_seconds(events: list[Event]) -> float:
    shown = [(bytes.fromhex(one.pubkey), bytes.fromhex(one.sig), bytes.fromhex(one.id)) for one in events]
    begun = process_time()
    for public, signature, id in shown:
        PublicKeyXOnly(public).verify(signature, id)
    return process_time() - begun


def signing_seconds(count: int) -> float:
    key, digests = SecretKey.generate(), [hashlib.sha256(bytes([at % 256])).digest() for at in range(count)]
    key.sign(digests[0])
    begun = process_time()
    for one in digests:
        key.sign(one)
    return process_time() - begun


def strangers(events: list[Event]) -> list[Event]:
    """The same events, said by somebody who does not play in these matches."""
    key = SecretKey.generate()
    return [
        sign_event(key, one.created_at, one.kind, one.tags, one.content) for one in events if not one.tag("challenge")
    ]


def settle(referee: Referee) -> int:
    """What the bot does between two batches, with a mint that knows every token and a relay that takes everything."""
    referee.commit()
    said = 0
    for question in referee.tokens.questions(NOW_MS):
        referee.answered(question, [TokenAnswer(True, 0)], NOW_MS)
    while outgoing := referee.outbox.publications(NOW_MS):
        for one in outgoing:
            referee.published(one, NOW_MS)
        said += len(outgoing)
    referee.commit()
    return said


@dataclass(slots=True)
class Judging:
    """A referee, and the relay client in front of it."""

    referee: Referee
    subscription: Subscription = field(
        default_factory=lambda: Subscription("x", (Filter(kinds=(1,), tags={"t": (GAME,)}),))
    )
    said: int = 0

    async def seconds(self, events: list[Event]) -> float:
        messages = [(b'["EVENT","x",' + encode_event(one) + b"]").decode() for one in events]
        relay = Relay("ws://relay", Delays(Random(1)), {"x": self.subscription})
        begun = process_time()
        for start in range(0, len(messages), BATCH):
            for message in messages[start : start + BATCH]:
                await relay.receive(message)
            while not self.subscription.events.empty():
                self.referee.receive(self.subscription.events.get_nowait(), NOW_MS)
            self.referee.check_deadlines(NOW_MS)
            self.said += settle(self.referee)
        return process_time() - begun


async def measure(matches: int, folder: Path) -> dict[str, Any]:
    counting = all_events(matches)
    hostile = strangers(counting)
    referee = Referee(SecretKey.generate(), Store(folder / "referee.db"), max_matches=matches)
    judging = Judging(referee)
    bare = bare_seconds(counting) / len(counting)
    whole = await judging.seconds(counting) / len(counting)
    assert not referee.rejections.counts, referee.rejections.counts
    rejected = await judging.seconds(hostile) / len(hostile)
    assert sum(referee.rejections.counts.values()) == len(hostile)
    referee.store.close()
    signatures = bare + signing_seconds(judging.said) / len(counting)
    us = {
        "bare verify": bare,
        "signatures alone": signatures,
        "an event that counts": whole,
        "an event that does not": rejected,
    }
    return {
        "bench": "referee",
        "matches": matches,
        "events": len(counting),
        "said": judging.said,
        "us": {name: round(seconds * 1e6, 1) for name, seconds in us.items()},
        "events/s": {"that count": round(1 / whole), "that do not": round(1 / rejected)},
        "ratio to bare verify": {"that count": round(bare / whole, 2), "that do not": round(bare / rejected, 2)},
        "ratio to signatures alone": round(signatures / whole, 2),
        "enough": bare / whole >= 0.5,
    }


def main(matches: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(asyncio.run(measure(matches, Path(folder)))))
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else MATCHES))
