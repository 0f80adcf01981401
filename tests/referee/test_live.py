"""The bot with a real relay and the real mint."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from dicehall.mint.keysets import LOOT
from dicehall.mint.wallet import Wallet, WalletError
from tests.mint.minting import LiveMint
from tests.referee.live import honest_mint, live_relay, make_bot, people, play, play_round, running, watching

PICKS = [(number, number) for number in range(5)]


def test_a_whole_match_is_refereed_and_its_winner_redeems_the_loot(tmp_path: Path) -> None:
    async def work(mint: LiveMint) -> None:
        ann, bea = people(mint)
        async with live_relay() as relay, running(make_bot(mint, tmp_path / "bot.db", relay)), watching(relay) as seen:
            await play(seen, ann, bea, PICKS)
            (end,) = await seen.until("match_result")
            assert end.match_id == "m1"
            (reward,) = await seen.until("loot_reward")
        winner, loser = (ann, bea) if end.winner == ann.key.npub else (bea, ann)
        assert (reward.winner, reward.amount) == (winner.key.npub, 1000)
        names = [one.tag("match_result") is not None for one in seen.events]
        assert names.index(True) < [one.tag("loot_reward") is not None for one in seen.events].index(True)
        await asyncio.to_thread(redeem, mint, tmp_path, reward, winner, loser)
        for person in (ann, bea):  # both tokens are spent for this match (M9)
            body = {"secret": person.secret, "signature": person.C, "match_id": "m1"}
            status, told = await asyncio.to_thread(mint.ask, "POST", "/verify-token", body)
            assert (status, told["spent"], told["bound_to"]) == (200, True, "m1")

    with honest_mint(tmp_path) as mint:
        asyncio.run(work(mint))


def redeem(mint: LiveMint, folder: Path, reward: Any, winner: Any, loser: Any) -> None:
    wallet = Wallet(folder / "wallet.db", mint.url)
    with pytest.raises(WalletError):
        wallet.receive(reward.token, loser.key)
    wallet.receive(reward.token, winner.key)
    assert wallet.balance(LOOT) == 1000
    with pytest.raises(WalletError):
        wallet.receive(reward.token, winner.key)
    wallet.close()


def test_a_bot_that_is_stopped_and_started_goes_on_and_says_nothing_twice(tmp_path: Path) -> None:
    async def work(mint: LiveMint) -> None:
        ann, bea = people(mint)
        async with live_relay() as relay, watching(relay) as seen:
            async with running(make_bot(mint, tmp_path / "bot.db", relay)):
                challenge = ann.challenge(bea)
                await seen.pool.publish(challenge)
                await seen.until("match_announcement")
            commits = ann.commit(0), bea.commit(0)
            for event in (bea.accept(challenge), *commits):  # while nobody listens
                await seen.pool.publish(event)
            async with running(make_bot(mint, tmp_path / "bot.db", relay)):
                await seen.until("reveal_request")
            for event in (ann.reveal(0, commits[0]), bea.reveal(0, commits[1])):
                await seen.pool.publish(event)
            async with running(make_bot(mint, tmp_path / "bot.db", relay)) as bot:
                await seen.until("round_result")
                assert len(seen.said("match_announcement")) == 2
                assert bot.referee.matches["m1"].round == 2
            ids = [event.id for event in seen.events]
            assert len(ids) == len(set(ids)) == 4

    with honest_mint(tmp_path) as mint:
        asyncio.run(work(mint))


def test_a_new_store_does_not_repeat_what_the_relay_has(tmp_path: Path) -> None:
    async def work(mint: LiveMint) -> None:
        ann, bea = people(mint)
        async with live_relay() as relay, watching(relay) as seen:
            async with running(make_bot(mint, tmp_path / "bot.db", relay)):
                await play(seen, ann, bea, PICKS)
                await seen.until("loot_reward")
            before = len(seen.events)
            async with running(make_bot(mint, tmp_path / "other.db", relay)) as bot:
                await seen.pool.publish(ann.challenge(bea, "m2"))
                await seen.until("match_announcement", 1, "m2")
                assert not bot.referee.rewards.owed
            assert len(seen.events) == before + 1

    with honest_mint(tmp_path) as mint:
        asyncio.run(work(mint))


def test_loot_waits_for_a_mint_that_is_away(tmp_path: Path) -> None:
    async def work(mint: LiveMint) -> None:
        ann, bea = people(mint)
        async with live_relay() as relay, watching(relay) as seen:
            bot = make_bot(mint, tmp_path / "bot.db", relay)
            async with running(bot):
                await play(seen, ann, bea, PICKS[:1])
                real, bot.mint.url = bot.mint.url, "http://127.0.0.1:1"
                for number, pick in enumerate(PICKS[1:], 2):
                    if not seen.said("match_result"):
                        await play_round(seen, ann, bea, pick, number)
                await seen.until("match_result")
                while bot.mint_error is None:
                    await asyncio.sleep(0.01)
                assert (len(bot.referee.rewards.owed), bot.referee.rewards.paid) == (1, 0)
                bot.mint.url = real
                await seen.until("loot_reward")
                assert (len(bot.referee.rewards.owed), bot.referee.rewards.paid) == (0, 1)

    with honest_mint(tmp_path) as mint:
        asyncio.run(work(mint))
