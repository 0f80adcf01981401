"""What the decisions of daily challenges cost: judged by the coach, one game after another, while nobody waits."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from dataclasses import dataclass, field

import msgspec

from dicehall.core.game import Refused
from dicehall.hall.challenge_days import Unjudged
from dicehall.hall.challenges import Challenges, Loss
from dicehall.launch.reporting import Reporter
from dicehall.launch.worker import TooSlow
from dicehall.table.ports import JournalError
from dicehall.table.requests import Code
from dicehall.table.stored_record import encode_record

log = logging.getLogger("dicehall.launch")

LOOK_S = 600.0  # between two looks for games that nobody asked about
AGAIN_S = 20.0  # after which a game is tried again that could not be judged just now
MOST_TRIES = 2  # at a game that takes too long, or cannot be read: others wait behind it
ADDRESS = "challenge"  # its place in the queue of reports, beside those of people


@dataclass(slots=True)
class ChallengeJudge:
    challenges: Challenges
    reporter: Reporter
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    tries: Counter[str] = field(default_factory=Counter)  # that failed, of games that are not judged yet

    def wake(self) -> None:
        """Somebody looks at challenges, so a game may just have ended."""
        self.asked.set()

    async def keep_looking(self) -> None:
        while True:
            self.asked.clear()
            await asyncio.sleep(AGAIN_S if await self.is_held_up() else 0)
            try:
                await asyncio.wait_for(self.asked.wait(), LOOK_S)
            except TimeoutError:
                continue

    async def is_held_up(self) -> bool:
        """Judge all there is; True where that was not possible now."""
        try:
            while await self.challenges.judge_all(self.judge):
                pass
        except (Refused, JournalError) as trouble:
            log.info("a game of a daily challenge could not be analysed yet: %s", trouble)
            return True
        except Exception:  # a bug of ours must not end the judge
            log.exception("a game of a daily challenge could not be analysed")
            return True
        return False

    async def judge(self, attempt: Unjudged) -> Loss | None:
        hall = self.challenges.hall

        async def read() -> bytes:
            record = await hall.record(attempt.account, attempt.table)
            return msgspec.json.encode(await encode_record(record, hall.host.slices))

        try:
            report = await self.reporter.report(ADDRESS, attempt.table, read)
        except JournalError:
            raise
        except Exception as trouble:
            if self.is_hopeless(attempt.table, trouble):
                return None
            raise
        seat = report.seats[attempt.seat]
        return seat.average_loss, seat.decisions

    def is_hopeless(self, table: str, trouble: Exception) -> bool:
        """Whether nobody will ever judge a game: one that always fails must not keep all others from being judged."""
        if isinstance(trouble, Refused) and trouble.code == Code.NOT_ALLOWED:
            return True
        if isinstance(trouble, Refused) and trouble.code == Code.RATE_LIMITED and not isinstance(trouble, TooSlow):
            return False  # too many people wait
        self.tries[table] += 1
        if self.tries[table] < MOST_TRIES:
            return False
        log.warning("the game of a daily challenge at table %s is not judged", table, exc_info=trouble)
        del self.tries[table]
        return True
