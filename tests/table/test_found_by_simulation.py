"""Mistakes that the simulation found, each as small as it can be told."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import replace

from dicehall.core.game import Faces
from dicehall.games import catalogue
from dicehall.table.ports import Commit, Outage, Row, Unavailable, Uncertain
from dicehall.table.requests import Start
from tests.table.hosting import T, World, hosted
from tests.table.virtual import START_MS


def outages(world: World) -> list[Outage]:
    return world.host.pulse.known


def unreachable_when_asked(world: World) -> None:
    """The next commit is of unknown outcome, and whoever looks for it finds that the journal is out of reach."""
    world.journal.unsure = [False]

    async def unreachable(table: str, after: int = 0, most: int | None = None) -> Sequence[Row]:
        world.journal.down = True
        raise Unavailable("The database cannot be reached.")

    world.journal.rows = unreachable  # type: ignore[method-assign]


def reachable(world: World) -> None:
    del world.journal.rows
    world.journal.down = False


@hosted
async def test_an_action_is_acknowledged_though_the_act_that_follows_from_it_cannot_be_stored(world: World) -> None:
    """C2: it was answered store_unavailable, and was stored."""
    await world.open("wards")
    ann, bo = await world.person("Ann"), await world.person("Bo")
    await ann.sit(id="a")
    world.journal.after, world.journal.refusing = 1, 1
    answer = await bo.sit(id="b")
    assert world.journal.stored(T)[answer.n - 1].id == "b"


@hosted
async def test_what_was_not_there_when_somebody_looked_is_not_refused_before_it_is_settled(world: World) -> None:
    """A commit of unknown outcome was looked for, tried again, refused, and then arrived after all."""
    await world.open("aetharn")
    ann, bo = await world.person("Ann"), await world.person("Bo")
    await ann.sit()
    await bo.sit()
    append = world.journal.append

    async def unsure(commit: Commit) -> None:
        world.journal.append = append  # type: ignore[method-assign]
        world.journal.refusing = 1
        world.journal.late = [commit]
        raise Uncertain("The connection broke.")

    world.journal.append = unsure  # type: ignore[method-assign]
    answer = await ann.ask(Start(), id="s")
    assert [row.id for row in world.journal.stored(T)].count("s") == 1
    assert world.journal.stored(T)[answer.n - 1].id == "s"


@hosted
async def test_an_expiry_that_waited_through_an_outage_is_judged_when_it_is_written(world: World) -> None:
    """C5: it was judged by what was known when the timer rang."""
    _, bo = await world.play("wards", "Ann", "Bo")
    await world.until(28_500)
    unreachable_when_asked(world)
    leaving = asyncio.create_task(bo.leave())  # holds the inbox until somebody can say whether it is stored
    await world.until(60_000)
    reachable(world)
    await leaving
    await world.until(62_500)
    assert world.expiries() == []


@hosted
async def test_an_outage_lasts_until_a_pulse_is_stored_whoever_notices_it_before(world: World) -> None:
    """C5: noticing an outage ended it, and what was left of it was too short to count."""
    await world.play("wards", "Ann", "Bo")
    await world.until(27_500)
    world.journal.down = True
    await world.until(31_500)
    await asyncio.gather(world.host.look(T), return_exceptions=True)
    await world.until(33_500)
    world.journal.down = False
    await world.until(36_000)
    assert [outage.till - START_MS >= 33_500 for outage in outages(world)] == [True]


@hosted
async def test_a_clock_that_is_set_back_hides_no_outage(world: World) -> None:
    """C5: a gap is measured by a clock that nobody can set back, too."""
    await world.play("wards", "Ann", "Bo")
    await world.after(10_000)
    world.clock.skew -= 60_000
    world.journal.down = True
    await world.after(8_000)
    world.journal.down = False
    await world.after(2_000)
    assert len(outages(world)) == 1


@hosted
async def test_a_pulse_from_the_future_is_an_outage_of_unknown_length(world: World) -> None:
    """C5: a process died after the clock was set back, and the last pulse lay ahead of the next one's clock."""
    await world.play("wards", "Ann", "Bo")
    await world.after(20_000)
    await world.die()
    world.clock.skew -= 5_000
    await world.boot()
    (outage,) = outages(world)
    assert outage.till - outage.since == 3_600_000


@hosted
async def test_who_waits_to_be_away_when_an_outage_begins_gets_the_time_to_come_back(world: World) -> None:
    """C5: the loss stood in the inbox behind a commit that nobody could settle, all through the outage."""
    first, second = await world.play("aetharn", "Ann", "Bo", rules={"turn_seconds": 200})
    await world.until(10_000)
    second.drop()
    await world.until(14_000)
    unreachable_when_asked(world)
    rolling = asyncio.create_task(first.do("roll", id="r"))
    await world.until(40_000)
    reachable(world)
    await rolling
    await world.until(44_000)
    assert "Left" not in world.names()
    await second.come()
    await world.until(90_000)
    assert "Left" not in world.names()


class Stuck:
    """Dice that cannot be thrown."""

    seal = ""

    def prepare(self) -> Iterator[None]:
        return iter(())

    def roll(self, number: int, salt: bytes, sides: Faces) -> tuple[Faces, str]:
        raise RuntimeError("the dice are stuck")

    def key(self, label: str) -> str:
        return label


@hosted
async def test_an_error_nobody_thought_of_is_told_to_whoever_asked_and_stops_nobody_else(world: World) -> None:
    """It ended the table's worker, and whoever had asked waited for ever."""
    ann, _ = await world.play("wards", "Ann", "Bo")
    live = world.live()
    live.dealer = replace(live.dealer, dice=Stuck())
    rolling, holding = asyncio.create_task(ann.do("roll")), asyncio.create_task(ann.do("hold"))
    await asyncio.wait([rolling, holding], timeout=5.0)
    assert str(rolling.exception()) == "the dice are stuck"
    assert holding.result().n == live.state.seq


@hosted
async def test_a_table_that_somebody_reaches_while_it_is_still_being_opened_is_one_table(world: World) -> None:
    """Those who came early listened to a table that nobody played at."""
    rows, opened = world.journal.rows, asyncio.Event()

    async def slowly(table: str, after: int = 0, most: int | None = None) -> Sequence[Row]:
        found = await rows(table, after, most)
        await opened.wait()
        return found

    world.journal.unsure = [True]
    world.journal.rows = slowly  # type: ignore[method-assign]
    opening = asyncio.create_task(world.host.open(T, catalogue()["wards"](), by="ann"))
    await asyncio.sleep(0.01)
    world.journal.rows = rows  # type: ignore[method-assign]
    early = await world.watch()
    opened.set()
    await opening
    ann = await world.person("Ann")
    await ann.sit()
    assert [message["n"] for message in early.messages if "n" in message] == [2]
