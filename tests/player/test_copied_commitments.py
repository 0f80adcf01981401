"""A copy of a commitment that reaches the referee before the original, through two real relays (M7, M8)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest

from dicehall.games.mana.state import SEATS
from dicehall.nostr.events import Event, sign_event
from dicehall.nostr.filters import Filter
from dicehall.nostr.match_events import GAME, Acceptance, Challenge, Commitment, PlayerEvent, Reveal, classify
from dicehall.nostr.relay_pool import RelayPool
from dicehall.player import session
from tests.mint.minting import LiveMint
from tests.player.live import MATCH_ID, LivePlayer, now_s, until
from tests.player.world import World, run
from tests.referee.live import live_relay, pool_of
from tests.referee.people import BOT


@dataclass(slots=True)
class Copier:
    """Bo, through whom everything goes between Ann's relay and the referee's: Bo's copies are always there first."""

    here: World
    near: RelayPool  # Ann's relay
    far: RelayPool  # the referee's
    bo: LivePlayer
    seen: bool  # whether Ann's relay has the copies, too

    def sign(self, said: PlayerEvent) -> Event:
        return sign_event(self.bo.key, now_s(), 1, *said.encode())

    async def bring(self, event: Event) -> None:
        """What Ann sent, with Bo's own event before it."""
        match classify(event):
            case Commitment(match_id, number, hash):
                await self.copy(Commitment(match_id, number, hash))
                await self.far.publish(event)
            case Reveal(match_id, content):
                mine = self.here.match.commitments[SEATS[1], content.round].event_id
                stolen = msgspec.structs.replace(content, commitment_event_id=mine)
                await self.far.publish(self.sign(Reveal(match_id, stolen)))
                await self.far.publish(event)
            case Challenge(match_id):
                await self.far.publish(event)
                await self.far.publish(self.sign(Acceptance(match_id, event.id)))
            case _:
                await self.far.publish(event)

    async def copy(self, original: Commitment) -> None:
        copy = self.sign(original)
        await self.far.publish(copy)
        await until(lambda: (1, 1) in self.here.match.commitments)
        if self.seen:
            await self.near.publish(copy)

    async def carry(self) -> None:
        """Until cancelled: Ann's events to the referee, the referee's to Ann."""
        wanted = Filter(kinds=(1,), tags={"t": (GAME,)})
        async with self.near.subscribe(wanted) as ann, self.far.subscribe(wanted) as referee:
            await asyncio.gather(self.carry_to_referee(ann.events), self.carry_to_ann(referee.events))

    async def carry_to_referee(self, events: asyncio.Queue[Event]) -> None:
        while True:
            event = await events.get()
            if event.pubkey not in (BOT.public_hex, self.bo.key.public_hex):
                await self.bring(event)

    async def carry_to_ann(self, events: asyncio.Queue[Event]) -> None:
        while True:
            event = await events.get()
            if event.pubkey == BOT.public_hex:
                await self.near.publish(event)


@asynccontextmanager
async def copying(here: World, near: str, bo: LivePlayer, seen: bool) -> AsyncIterator[Copier]:
    async with pool_of(near).running() as first, pool_of(here.relay).running() as second:
        for pool in (first, second):
            await pool.relays[0].connected.wait()
        copier = Copier(here, first, second, bo, seen)
        task = asyncio.create_task(copier.carry())
        try:
            yield copier
            assert not task.done(), task.exception()
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


@pytest.mark.parametrize("seen", [True, False], ids=["on the player's relay too", "on the referee's relay alone"])
def test_who_copies_a_commitment_and_comes_first_cannot_open_it_and_forfeits(
    mint: LiveMint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seen: bool
) -> None:
    if not seen:
        monkeypatch.setattr(session, "RESEND_S", 0.05)
        monkeypatch.setattr(session, "COMMIT_AGAIN_S", 0.2)

    async def work(here: World) -> None:
        async with live_relay() as near:
            ann, bo = here.player("Ann"), here.player("Bo")
            ann.relay = near
            async with copying(here, near, bo, seen):
                playing = asyncio.create_task(ann.challenge(bo))
                await until(lambda: MATCH_ID in here.bot.referee.matches and (0, 1) in here.match.reveals)
                await here.let_time_pass()
                outcome = await playing
        assert (outcome.winner, outcome.reason) == (ann.key.npub, "forfeit")
        assert (outcome.redeemed, outcome.findings) == (1000, ())
        reasons = here.bot.referee.rejections.counts
        assert reasons["InvalidCommitment"] == 1  # the original
        assert reasons["CommitmentMismatch"] == 1  # the copier, with what Ann revealed
        assert bool(ann.told("copied")) == seen

    run(mint, tmp_path, work)
