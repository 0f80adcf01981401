"""However two people leave a game of Aetharn, it ends in time: for the one who is left, or without a winner."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import pytest

from dicehall.table.clocks import LAG_MS
from dicehall.table.disconnections import LOST_S
from dicehall.table.requests import Stand, Start
from tests.table.fakes import Ear
from tests.table.hosting import Person, World, events, hosted

GRACE_MS = 1_000
LOST_MS = round(LOST_S * 1000)
WAYS = ("loses the connection", "stands up", "leaves for good")
GAPS_MS = (0, 999, 1_000, 5_999, 6_000)  # between the two: around the ends of the graces


class Leaving(NamedTuple):
    """Two people leave, the second one so much later."""

    first: str
    second: str
    gap: int

    def away(self, begin: int) -> tuple[int, int]:
        """When they are absent, the earlier one first."""
        first, second = (begin + LOST_MS * (way == WAYS[0]) for way in (self.first, self.second))
        return min(first, second + self.gap), max(first, second + self.gap)


LEAVINGS = tuple(Leaving(first, second, gap) for first, second, gap in product(WAYS, WAYS, GAPS_MS))


@pytest.mark.parametrize("turn_seconds", [1, 30])  # with one second the table sleeps in many of the games
@pytest.mark.parametrize("first", [0, 1])
@hosted
async def test_a_game_that_everybody_leaves_ends_with_the_last_grace(
    world: World, turn_seconds: int, first: int
) -> None:
    """A12, A15, W8: whoever goes first, in whichever way, and a spectator is told."""
    for number, leaving in enumerate(LEAVINGS):
        people = await playing(world, f"t{number}", turn_seconds)
        watching = await world.watch(f"t{number}")
        earlier, later = leaving.away(world.now)
        await leave(people[first], leaving.first)
        await world.after(leaving.gap)
        await leave(people[1 - first], leaving.second)
        await world.until(max(world.now, later + GRACE_MS + LAG_MS) + 1)
        both_away = later < earlier + GRACE_MS
        assert ends_told_to(watching) == ["GameAbandoned" if both_away else "GameEnded"], leaving


async def playing(world: World, table: str, turn_seconds: int) -> list[Person]:
    rules = {"turn_seconds": turn_seconds, "grace_seconds": GRACE_MS // 1000}
    await world.open("aetharn", table=table, seats=2, rules=rules)
    people = [await world.person(name, table) for name in ("Ann", "Bo")]
    for person in people:
        await person.sit()
    await people[0].ask(Start())
    return people


async def leave(person: Person, way: str) -> None:
    if way == WAYS[0]:
        person.drop()
    else:
        await person.ask(Stand(good=way == WAYS[2]))


def ends_told_to(ear: Ear) -> list[str]:
    return [name for name in ("GameEnded", "GameAbandoned") if events(ear.messages, name)]
