"""What an outage costs the players: nothing (M10)."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

from tests.mint.minting import LiveMint
from tests.referee.live import (
    honest_mint,
    live_relay,
    make_bot,
    now_ms,
    people,
    running,
    watching,
)
from tests.tcp_proxy import TcpProxy


@dataclass(slots=True)
class LeapingClock:
    """The time of day, and what a test adds to it."""

    more_ms: int = 0

    def __call__(self) -> int:
        return now_ms() + self.more_ms


def test_a_commitment_from_the_time_of_an_outage_is_judged_before_the_deadline_is(tmp_path: Path) -> None:
    async def work(mint: LiveMint) -> None:
        ann, bea = people(mint)
        clock = LeapingClock()
        async with live_relay() as relay, TcpProxy(int(relay.rpartition(":")[2])) as line, watching(relay) as seen:
            bot = make_bot(mint, tmp_path / "bot.db", f"ws://127.0.0.1:{line.port}")
            bot.now_ms = clock
            async with running(bot):
                challenge = ann.challenge(bea)
                await seen.pool.publish(challenge)
                await seen.until("match_announcement")
                await seen.pool.publish(bea.accept(challenge))
                await seen.until("match_announcement", 2)
                line.refusing = True
                line.cut()
                while bot.pool.connected or bot.away_since_ms is None:
                    await asyncio.sleep(0.01)
                await seen.pool.publish(ann.commit(1))
                clock.more_ms += 400_000
                line.refusing = False
                while not bot.referee.matches["m1"].commitments:
                    await asyncio.sleep(0.01)
                    assert seen.said("match_result") == []
                await seen.pool.publish(bea.commit(2))
                await seen.until("reveal_request")
                assert seen.said("match_result") == []

    with honest_mint(tmp_path) as mint:
        asyncio.run(work(mint))


def test_time_stands_still_from_the_moment_that_the_last_relay_was_seen(tmp_path: Path) -> None:
    with honest_mint(tmp_path) as mint:
        bot = make_bot(mint, tmp_path / "bot.db", "ws://127.0.0.1:1")
        bot.reached_ms = bot.now_ms() - 700
        bot.keep_time(bot.now_ms())
        assert bot.time_ms() == bot.reached_ms
        bot.referee.store.close()


def test_a_bot_that_has_run_for_days_asks_a_relay_that_comes_back_only_for_what_it_missed(tmp_path: Path) -> None:
    with honest_mint(tmp_path) as mint:
        bot = make_bot(mint, tmp_path / "bot.db", "ws://127.0.0.1:1")
        bot.since_s = bot.now_ms() // 1000 - 3 * 86_400
        (relay,) = bot.pool.relays
        assert bot.missed_since_s(relay) == bot.since_s
        read_until_ms = bot.read_until_ms[relay.url] = bot.now_ms() - 60_000
        assert bot.missed_since_s(relay) == read_until_ms // 1000 - 3600
        bot.referee.store.close()
