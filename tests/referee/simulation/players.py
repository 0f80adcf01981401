"""Players of a simulation: honest, slow, absent, and cheats of many kinds. All act only by events on relays."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from random import Random
from typing import TYPE_CHECKING

from dicehall.games.mana.commitments import commitment
from dicehall.nostr.events import Event, sign_event
from dicehall.nostr.match_events import (
    Acceptance,
    Challenge,
    Commitment,
    PlayerEvent,
    Reveal,
    RevealContent,
    TokenProof,
    Verification,
)
from tests.referee.people import Person
from tests.referee.simulation.relay import DELETION

if TYPE_CHECKING:
    from tests.referee.simulation.world import World

CHEATS = (
    "second commitment",
    "early reveal",
    "wrong unit",
    "unknown token",
    "used token",
    "copies",
    "wrong round",
    "deletes",
    "late",
    "strange contents",
)
AGAIN_S = 6.0  # what the referee has not answered is sent again


class Over(Exception):
    """The match has ended, or this player leaves it."""


@dataclass(slots=True, eq=False)
class Player:
    world: World
    match_id: str
    seat: int
    person: Person
    other: str  # the other's public key, hex
    character: str
    chance: Random
    leaves_after: int = 1 << 30  # steps
    steps: int = 0
    sent: list[Event] = field(default_factory=list)

    @property
    def is_honest(self) -> bool:
        return self.character == "honest"

    # -- the match -------------------------------------------------------------------------------------------

    async def play(self) -> None:
        try:
            await self.begin()
            for number in range(1, 6):
                await self.until(self.opening(number))
                await self.play_round(number)
        except Over:
            return

    def opening(self, number: int) -> str:
        return "waiting_for_commitments" if number == 1 else f"round_result/{number - 1}"

    async def begin(self) -> None:
        if self.seat == 0:
            challenge = self.sign(Challenge(self.match_id, self.other))
            self.world.challenges[self.match_id] = challenge
            await self.until("waiting_for_acceptance", challenge)
            return
        while self.match_id not in self.world.challenges:
            await asyncio.sleep(1)
        if self.chance.random() < 0.7:  # the others accept what they have heard of elsewhere
            await self.until("waiting_for_acceptance")
        accepted = self.sign(Acceptance(self.match_id, self.world.challenges[self.match_id].id))
        await self.until("waiting_for_commitments", accepted)

    async def play_round(self, number: int) -> None:
        await self.think()
        unit, nonce = self.chance.randrange(8), self.random_hex()
        committed = self.sign(self.commitment(number, unit, nonce))
        if self.character in TRICKS:
            await TRICKS[self.character](self, number, unit, nonce, committed)
            return
        again = self.random_hex()  # for another commitment, should the other have copied the first
        spare = self.sign(self.commitment(number, unit, again))
        await self.until(f"reveal_request/{number}", committed, spare=spare)
        await self.think()
        if spare.id in self.world.heard(self.match_id)[f"reveal_request/{number}"].tag_values("e"):
            nonce, committed = again, spare
        await self.until(f"round_result/{number}", self.sign(self.reveal(number, unit, nonce, committed)), committed)
        await self.maybe_verify()

    def is_copied(self, committed: Event) -> bool:
        return any(
            event.pubkey == self.other and event.tag("commitment") == committed.tag("commitment")
            for event in self.world.published.values()
        )

    # -- acting ------------------------------------------------------------------------------------------

    def sign(self, said: PlayerEvent) -> Event:
        tags, content = said.encode()
        return sign_event(self.person.key, self.now_s(), 1, tags, content)

    def now_s(self) -> int:
        return self.world.clock.now() // 1000 + self.chance.choice((0, 0, -20, 20))

    def random_hex(self) -> str:
        return self.chance.randbytes(32).hex()

    def commitment(self, number: int, unit: int, nonce: str) -> Commitment:
        secret, C = bytes.fromhex(self.person.secret), bytes.fromhex(self.person.C)
        return Commitment(
            self.match_id, number, commitment(secret, C, unit, number, self.match_id, bytes.fromhex(nonce))
        )

    def reveal(self, number: int, unit: int, nonce: str, committed: Event) -> Reveal:
        person = self.person
        content = RevealContent(number, person.secret, person.C, person.keyset, unit, committed.id, nonce)
        return Reveal(self.match_id, content)

    async def maybe_verify(self) -> None:
        if self.chance.random() < 0.1:
            units = (self.chance.randrange(8),) if self.chance.random() < 0.5 else ()
            secret = self.random_hex() if self.chance.random() < 0.3 else self.person.secret
            proof = TokenProof(secret, self.person.C, self.person.keyset, units)
            self.publish(self.sign(Verification(self.match_id, (proof,))))

    def publish(self, *events: Event) -> None:
        for event in events:
            self.sent.append(event)
            self.world.publish(event)

    async def think(self) -> None:
        most = {"slow": 90.0, "late": 30.0}.get(self.character, 8.0)
        await self.pause(self.chance.uniform(0.1, most))

    async def pause(self, seconds: float) -> None:
        self.steps += 1
        if self.steps > self.leaves_after:
            raise Over
        await asyncio.sleep(seconds)
        self.check_over()

    def check_over(self) -> None:
        if {"match_result", "refused"} & self.world.heard(self.match_id).keys():
            raise Over

    async def until(self, said: str, *events: Event, spare: Event | None = None) -> None:
        """Until the referee has said something; meanwhile what it should answer is sent again and again."""
        while said not in self.world.heard(self.match_id):
            self.publish(*events)
            if spare is not None and self.is_copied(events[0]):
                self.publish(spare)
            for _ in range(4):
                self.check_over()
                if said in self.world.heard(self.match_id):
                    break
                await asyncio.sleep(AGAIN_S / 4)
            if self.world.is_too_long():
                raise Over
        await self.pause(0.1)


# -- tricks: each plays one round in its own way --------------------------------------------------------------

Trick = Callable[[Player, int, int, str, Event], Awaitable[None]]


async def commit_twice(self: Player, number: int, unit: int, nonce: str, committed: Event) -> None:
    second = self.sign(self.commitment(number, (unit + 1) % 8, nonce))
    self.publish(committed)
    await self.pause(self.chance.choice((0.0, 4.0)))
    self.publish(second)
    await self.until(f"reveal_request/{number}", second)
    self.publish(self.sign(self.reveal(number, (unit + 1) % 8, nonce, second)))
    await self.until(f"round_result/{number}", self.sign(self.reveal(number, unit, nonce, committed)))


async def reveal_early(self: Player, number: int, unit: int, nonce: str, committed: Event) -> None:
    reveal = self.sign(self.reveal(number, unit, nonce, committed))
    self.publish(committed, reveal)
    await self.until(f"reveal_request/{number}", committed)
    await self.until(f"round_result/{number}", self.sign(self.reveal(number, unit, nonce, committed)))


async def reveal_wrongly(self: Player, number: int, unit: int, nonce: str, committed: Event) -> None:
    await self.until(f"reveal_request/{number}", committed)
    self.publish(self.sign(self.reveal(number, (unit + 3) % 8, nonce, committed)))
    await self.pause(5)
    self.publish(self.sign(self.reveal(number, 9, nonce, committed)))
    if self.chance.random() < 0.7:
        await self.until(f"round_result/{number}", self.sign(self.reveal(number, unit, nonce, committed)))
    raise Over


async def copy_the_other(self: Player, number: int, unit: int, nonce: str, committed: Event) -> None:
    """The other's commitment under one's own name, to be opened with the other's reveal."""
    original = None
    while original is None:
        await self.pause(1)
        self.check_over()
        original = self.world.find(self.match_id, self.other, "commitment", number)
        if self.world.is_too_long():
            raise Over
    copied = self.sign(Commitment(self.match_id, number, original.tag("commitment") or ""))
    self.publish(copied)
    await self.until(f"reveal_request/{number}", copied)
    while (shown := self.world.find(self.match_id, self.other, "reveal", number)) is None:
        await self.pause(1)
        self.check_over()
    content = shown.content.replace(original.id, copied.id)
    tags = tuple(tag if tag[0] != "e" else ("e", copied.id) for tag in shown.tags)
    self.publish(sign_event(self.person.key, self.now_s(), 1, tags, content))
    await self.until(f"round_result/{number}")


async def mistake_the_round(self: Player, number: int, unit: int, nonce: str, committed: Event) -> None:
    later = self.sign(self.commitment(number + 1, unit, nonce))
    self.publish(later, *self.sent[:1])
    await self.until(f"reveal_request/{number}", committed)
    self.publish(self.sign(self.reveal(number + 1, unit, nonce, committed)))
    await self.until(f"round_result/{number}", self.sign(self.reveal(number, unit, nonce, committed)))


async def delete(self: Player, number: int, unit: int, nonce: str, committed: Event) -> None:
    """Commit, delete that, and commit to something else."""
    self.publish(committed)
    await self.pause(3)
    self.publish(sign_event(self.person.key, self.now_s(), DELETION, (("e", committed.id),), ""))
    await self.pause(3)
    self.publish(self.sign(self.commitment(number, (unit + 1) % 8, nonce)))
    await self.until(f"reveal_request/{number}", committed)
    await self.until(f"round_result/{number}", self.sign(self.reveal(number, unit, nonce, committed)))


async def come_late(self: Player, number: int, unit: int, nonce: str, committed: Event) -> None:
    if self.chance.random() < 0.3:
        await self.pause(self.world.limits.round_ms / 1000)
    await self.until(f"reveal_request/{number}", committed)
    await self.pause(self.world.limits.round_ms / 1000 * self.chance.uniform(0.5, 2.0))
    await self.until(f"round_result/{number}", self.sign(self.reveal(number, unit, nonce, committed)))


async def be_strange(self: Player, number: int, unit: int, nonce: str, committed: Event) -> None:
    """An honest move among events that only look like one."""
    await self.until(f"reveal_request/{number}", committed)
    good = self.reveal(number, unit, nonce, committed)
    for changed in ({"unit_index": 1 << 40}, {"nonce": None}, {"mana_token_secret": "zz"}, {"keyset": "é"}):
        fields = {name: getattr(good.content, name) for name in good.content.__struct_fields__}
        self.publish(self.sign(replace_content(good, **(fields | changed))))
    await self.until(f"round_result/{number}", self.sign(good))


def replace_content(reveal: Reveal, **fields: object) -> Reveal:
    return Reveal(reveal.match_id, RevealContent(**fields))  # type: ignore[arg-type]


TRICKS: dict[str, Trick] = {
    "second commitment": commit_twice,
    "early reveal": reveal_early,
    "wrong unit": reveal_wrongly,
    "copies": copy_the_other,
    "wrong round": mistake_the_round,
    "deletes": delete,
    "late": come_late,
    "strange contents": be_strange,
}


def with_token(person: Person, secret: str, C: str) -> Person:
    return replace(person, secret=secret, C=C)
