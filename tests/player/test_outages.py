"""Relays that forget, mints that are away, floods, and a referee that looks away: a player gets through, or says so."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from dicehall.mint.wallet import WalletError
from dicehall.nostr.events import Event
from dicehall.nostr.match_events import Commitment, PlayerEvent, Reason
from dicehall.player import match_view, session
from dicehall.player.tokens import Purse
from dicehall.referee.entries import Rejected
from dicehall.referee.match import Match as RefereesMatch
from tests.launch.running import COMMAND, environment
from tests.mint.minting import LiveMint
from tests.player.live import LivePlayer, until
from tests.player.services import free_port
from tests.player.world import World, run, world
from tests.referee.live import WAIT_S, make_bot, running


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "RESEND_S", 0.05)


@asynccontextmanager
async def relay_at(port: int, folder: Path) -> AsyncIterator[None]:
    """A relay as a process, killed at the end of the block."""
    words = "relay", "--port", str(port), "--db", str(folder)
    process = await asyncio.create_subprocess_exec(*COMMAND, *words, stdout=PIPE, env=environment())
    try:
        assert process.stdout is not None
        assert b"running" in await process.stdout.readline()
        yield
    finally:
        process.kill()
        await process.communicate()


@pytest.mark.proof
def test_a_relay_that_comes_back_without_its_memory_is_told_again(mint: LiveMint, tmp_path: Path) -> None:
    async def work() -> None:
        port = free_port()
        relay = f"ws://127.0.0.1:{port}"
        ann, bo = (LivePlayer(name, tmp_path, relay, mint.url) for name in ("Ann", "Bo"))
        async with asyncio.timeout(WAIT_S), running(make_bot(mint, tmp_path / "bot.db", relay)):
            async with relay_at(port, tmp_path / "first"):
                playing = asyncio.gather(ann.challenge(bo), bo.accept())
                await until(lambda: bool(ann.told("commitment")))
            async with relay_at(port, tmp_path / "second"):
                first, second = await playing
        assert (first.winner, first.score) == (second.winner, second.score)
        assert first.findings == second.findings == ()

    asyncio.run(work())


def test_loot_waits_for_a_mint_that_is_away(mint: LiveMint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tries: list[str] = []
    redeem = Purse.redeem_now

    def away_twice(purse: Purse, text: str) -> int:
        tries.append(text)
        if len(tries) <= 2:
            raise WalletError("The mint cannot be reached.")
        return redeem(purse, text)

    monkeypatch.setattr(Purse, "redeem_now", away_twice)

    async def work(here: World) -> None:
        ann, bo = here.player("Ann"), here.player("Bo")
        outcomes = await asyncio.gather(ann.challenge(bo), bo.accept())
        assert [one.redeemed for one in outcomes if one.redeemed is not None] == [1000]
        winner = ann if outcomes[0].redeemed else bo
        assert [note.sentence for note in winner.told("trouble")] == ["The mint cannot be reached. Trying again."]
        assert len(tries) == 3

    run(mint, tmp_path, work)


@pytest.mark.proof
def test_a_flood_of_the_other_player_does_not_hide_what_the_referee_refers_to(
    mint: LiveMint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With room for no event of a player, everything that counts has to be asked for by its id."""
    monkeypatch.setattr(match_view, "MAX_EVENTS_PER_PLAYER", 0)

    async def work(here: World) -> None:
        ann, bo = here.player("Ann"), here.player("Bo")
        for outcome in await asyncio.gather(ann.challenge(bo), bo.accept()):
            assert outcome.findings == ()
            assert outcome.reason == "rounds"
        assert ann.told("unchecked") == bo.told("unchecked") == []
        assert len(ann.told("round")) >= 3

    run(mint, tmp_path, work)


@pytest.mark.proof
def test_a_referee_that_overlooks_a_commitment_on_purpose_is_named(
    mint: LiveMint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two commitments one may be refused as a copy, but not both."""
    honest = RefereesMatch.check

    def overlook(match: RefereesMatch, said: PlayerEvent, event: Event) -> None:
        honest(match, said, event)
        if isinstance(said, Commitment) and event.pubkey == match.players[0]:
            raise Rejected(Reason.INVALID_COMMITMENT, "I do not like it.")

    monkeypatch.setattr(RefereesMatch, "check", overlook)
    monkeypatch.setattr(session, "COMMIT_AGAIN_S", 0.1)

    async def work(here: World) -> None:
        ann, bo = here.player("Ann"), here.player("Bo")
        playing = asyncio.gather(ann.challenge(bo), bo.accept())
        overlooked = here.bot.referee.rejections.counts
        await until(lambda: overlooked["InvalidCommitment"] == 2 and any_commitments(here))
        await here.let_time_pass()
        mine, theirs = await playing
        assert (mine.reason, mine.winner) == ("forfeit", bo.key.npub)
        assert "although your commitment of round 1 was on a relay in time" in mine.findings[0]
        assert theirs.findings == ()

    run(mint, tmp_path, work)


def any_commitments(here: World) -> bool:
    found: Any = here.bot.referee.matches
    return any(match.commitments for match in found.values())


def test_a_player_who_leaves_has_kept_the_events_of_the_match_and_finishes_it_later(
    mint: LiveMint, tmp_path: Path
) -> None:

    async def work() -> None:
        async with asyncio.timeout(WAIT_S), world(mint, tmp_path) as here:
            ann, bo = here.player("Ann"), here.player("Bo")
            other = asyncio.create_task(bo.accept())
            leaving = asyncio.create_task(ann.challenge(bo))
            await until(lambda: bool(ann.told("round")))
            leaving.cancel()
            await asyncio.gather(leaving, return_exceptions=True)
            async with ann.session() as back:
                kept = {event.pubkey for event in back.store.received(back.match.match_id)}
                assert kept == {ann.key.public_hex, bo.key.public_hex, back.match.referee}
            outcome = await ann.resume()
            assert outcome.findings == ()
            assert (await other).winner == outcome.winner

    asyncio.run(work())
