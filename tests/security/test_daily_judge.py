"""Somebody plays a daily challenge so that nobody can judge it, and everybody else's results wait behind theirs."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from dicehall.core.game import Refused
from dicehall.hall.challenge_days import Unjudged
from dicehall.hall.challenges import Challenges
from dicehall.hall.records import DamagedRecord
from dicehall.launch import challenge_judge
from dicehall.launch.challenge_judge import ChallengeJudge
from dicehall.launch.worker import TooSlow
from dicehall.table.requests import Code
from tests.security.live import both_ways

TROUBLES = {
    "takes too long": TooSlow(Code.RATE_LIMITED, "This takes too long to work out."),
    "cannot be read": DamagedRecord(Code.STORE_UNAVAILABLE, "The stored record of this table is damaged."),
    "breaks the coach": ValueError("no such seat"),
}


class Waiting:
    """Games that are over, the oldest first."""

    def __init__(self, *tables: str) -> None:
        self.tables = list(tables)
        self.judged: dict[str, float | None] = {}

    async def unjudged(self, most: int) -> list[Unjudged]:
        return [Unjudged(table, "someone", 0) for table in self.tables if table not in self.judged][:most]

    async def judge(self, table: str, average_loss: float | None, decisions: int) -> None:
        self.judged[table] = average_loss


class Coach:
    """Has its trouble with Mallory's game only."""

    def __init__(self, trouble: Exception) -> None:
        self.trouble = trouble

    async def report(self, address: str, table: str, read: Any) -> Any:
        if table == "mallory":
            raise self.trouble
        seat: Any = type("Seat", (), {"average_loss": 0.25, "decisions": 8})
        return type("Report", (), {"seats": [seat]})


def judged_after(looks: int, trouble: Exception) -> dict[str, float | None]:
    store = Waiting("mallory", "ann", "bo")

    async def look() -> None:
        judge = ChallengeJudge(Challenges(cast(Any, None), cast(Any, store), bytes), cast(Any, Coach(trouble)))
        for _ in range(looks):
            await judge.is_held_up()

    asyncio.run(look())
    return store.judged


@both_ways
@pytest.mark.parametrize("trouble", TROUBLES)
def test_a_challenge_that_nobody_can_judge_does_not_keep_the_others_from_being_judged(
    monkeypatch: pytest.MonkeyPatch, trouble: str, guarded: bool
) -> None:
    if not guarded:
        monkeypatch.setattr(challenge_judge, "MOST_TRIES", 1000)
    judged = judged_after(challenge_judge.MOST_TRIES if guarded else 20, TROUBLES[trouble])
    assert (judged == {"mallory": None, "ann": 0.25, "bo": 0.25}) is guarded


def test_a_long_queue_for_the_coach_costs_nobody_their_place_in_the_ranking() -> None:
    """A game that could not be judged because too many wait is never given up.

    The control is the test above, where one is.
    """
    assert judged_after(20, Refused(Code.RATE_LIMITED, "Too many people are waiting for this at the moment.")) == {}
