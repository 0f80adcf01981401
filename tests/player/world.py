"""Where a match of the player's tests is played: a real relay, the real mint and the real referee."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from dicehall.referee.bot import Bot
from dicehall.referee.match import Match as RefereesMatch
from tests.mint.minting import LiveMint
from tests.player.live import MATCH_ID, LivePlayer, until
from tests.referee.live import WAIT_S, live_relay, make_bot, now_ms, running


@dataclass(slots=True)
class World:
    """The relay here is the one that the referee reads."""

    relay: str
    mint: LiveMint
    folder: Path
    bot: Bot
    late_ms: int = 0  # how far the referee's clock has been moved on

    def player(self, name: str, level: str = "greedy") -> LivePlayer:
        return LivePlayer(name, self.folder, self.relay, self.mint.url, level)

    @property
    def match(self) -> RefereesMatch:
        return self.bot.referee.matches[MATCH_ID]

    def now_ms(self) -> int:
        return now_ms() + self.late_ms

    async def let_time_pass(self) -> None:
        """More than a round has; not while the referee is catching up, for its deadlines rest then."""
        await until(lambda: self.bot.away_since_ms is None)
        for self.late_ms in range(0, 301_001, 7000):  # in steps: a clock that leaps is one that was set
            self.bot.wake.set()
            await until(lambda: self.bot.reached_ms >= self.now_ms() - 5000)


@asynccontextmanager
async def world(mint: LiveMint, folder: Path) -> AsyncIterator[World]:
    async with asyncio.timeout(WAIT_S), live_relay() as relay:
        bot = make_bot(mint, folder / "bot.db", relay)
        made = World(relay, mint, folder, bot)
        bot.now_ms = made.now_ms
        async with running(bot):
            yield made


def run(mint: LiveMint, folder: Path, work: Callable[[World], Awaitable[None]]) -> None:
    async def whole() -> None:
        async with world(mint, folder) as made:
            await work(made)

    asyncio.run(whole())
