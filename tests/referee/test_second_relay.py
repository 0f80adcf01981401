"""Whole matches over nostr-relay, a relay of other people and in another language than nostr-sdk's."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from dicehall.mint.keysets import LOOT
from dicehall.mint.wallet import Wallet
from dicehall.nostr.events import Event
from dicehall.nostr.keys import SecretKey
from dicehall.nostr.relay_pool import RelayPool
from tests.mint.minting import LiveMint
from tests.nostr.real_relays import python_relay, rust_relay
from tests.referee.live import honest_mint, make_bot, people, play, play_round, running, watching

WAIT_S = 300.0
PICKS = [(number, number) for number in range(5)]

pytestmark = pytest.mark.proof


def redeem(mint: LiveMint, folder: Path, token: str, winner: SecretKey) -> int:
    wallet = Wallet(folder / "wallet.db", mint.url)
    wallet.receive(token, winner)
    held = wallet.balance(LOOT)
    wallet.close()
    return held


def test_a_whole_match_over_nostr_relay_ends_with_redeemed_loot(tmp_path: Path) -> None:
    async def work(mint: LiveMint) -> None:
        ann, bea = people(mint)
        async with (
            python_relay() as relay,
            running(make_bot(mint, tmp_path / "bot.db", relay)),
            watching(relay, wait_s=WAIT_S) as seen,
        ):
            await play(seen, ann, bea, PICKS)
            (end,), (reward,) = await seen.until("match_result"), await seen.until("loot_reward")
        winner = ann if end.winner == ann.key.npub else bea
        assert await asyncio.to_thread(redeem, mint, tmp_path, reward.token, winner.key) == 1000

    with honest_mint(tmp_path) as mint:
        asyncio.run(work(mint))


def test_a_bot_that_is_stopped_in_every_round_finds_what_it_missed_on_nostr_relay(tmp_path: Path) -> None:
    async def work(mint: LiveMint) -> None:
        ann, bea = people(mint)
        async with python_relay() as relay, watching(relay, wait_s=WAIT_S) as seen:
            async with running(make_bot(mint, tmp_path / "bot.db", relay)):
                await play(seen, ann, bea, PICKS[:1])
            for number, pick in enumerate(PICKS[1:], 2):
                if not seen.said("match_result"):
                    commits = ann.commit(pick[0], number), bea.commit(pick[1], number)
                    await say(seen.pool, *commits)
                    async with running(make_bot(mint, tmp_path / "bot.db", relay)):
                        await seen.until("reveal_request", number)
                    await say(
                        seen.pool, ann.reveal(pick[0], commits[0], number), bea.reveal(pick[1], commits[1], number)
                    )
                    async with running(make_bot(mint, tmp_path / "bot.db", relay)):
                        await seen.until("round_result", number)
                        await asyncio.sleep(0.05)
            async with running(make_bot(mint, tmp_path / "bot.db", relay)):
                await seen.until("loot_reward")
            ids = [event.id for event in seen.events]
            assert len(ids) == len(set(ids)) == 4 + 2 * len(seen.said("round_result"))

    async def say(pool: RelayPool, *events: Event) -> None:
        for event in events:
            await pool.publish(event)

    with honest_mint(tmp_path) as mint:
        asyncio.run(work(mint))


def test_players_on_different_relays_meet_at_a_bot_that_reads_both(tmp_path: Path) -> None:
    async def work(mint: LiveMint) -> None:
        ann, bea = people(mint)
        async with python_relay() as one, rust_relay() as two:
            bot = make_bot(mint, tmp_path / "bot.db", one, two)
            async with running(bot), watching(one, wait_s=WAIT_S) as hers, watching(two, wait_s=WAIT_S) as his:
                challenge = ann.challenge(bea)
                await hers.pool.publish(challenge)
                await his.until("match_announcement")
                await his.pool.publish(bea.accept(challenge))
                await hers.until("match_announcement", 2)
                mine, theirs = ann.commit(0), bea.commit(1)
                await hers.pool.publish(mine)
                await his.pool.publish(theirs)
                await hers.until("reveal_request")
                await his.until("reveal_request")
                await hers.pool.publish(ann.reveal(0, mine))
                await his.pool.publish(bea.reveal(1, theirs))
                assert await hers.until("round_result") == await his.until("round_result")
                await play_round(hers, ann, bea, (2, 2), 2)

    with honest_mint(tmp_path) as mint:
        asyncio.run(work(mint))
