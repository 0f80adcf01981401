"""Aetharn's lobby: sitting down, moving, leaving, and who comes too late."""

from __future__ import annotations

from dicehall.table.requests import Sit, Start
from tests.table.hosting import T, World, code_of, hosted


def sitting(world: World) -> dict[int, str]:
    return {chair.number: chair.name for chair in world.live().state.chairs}


@hosted
async def test_sitting_down_joins_and_standing_up_leaves(world: World) -> None:
    """A16."""
    await world.open("aetharn")
    ann, bo = await world.person("Ann"), await world.person("Bo")
    await ann.sit(2)
    await bo.sit()
    assert sitting(world) == {0: "Bo", 2: "Ann"}
    await bo.leave()
    assert sitting(world) == {2: "Ann"}


@hosted
async def test_a_lobby_has_no_time_limit(world: World) -> None:
    """A16."""
    await world.open("aetharn")
    ann = await world.person("Ann")
    await ann.sit()
    await world.until(2_000_000)
    assert sitting(world) == {0: "Ann"}


@hosted
async def test_one_may_move_to_another_free_chair(world: World) -> None:
    """A16."""
    await world.open("aetharn")
    ann, bo = await world.person("Ann"), await world.person("Bo")
    await ann.sit(0, committed=True)
    await bo.sit(1)
    before = world.live().state.chair(0)
    await ann.ask(Sit("Ann", 5))
    assert sitting(world) == {1: "Bo", 5: "Ann"}
    moved = world.live().state.chair(5)
    assert (moved.joined, moved.commitment, moved.conn) == (before.joined, before.commitment, before.conn)


@hosted
async def test_a_taken_chair_is_refused_and_so_is_one_that_is_not_there(world: World) -> None:
    """A16."""
    await world.open("aetharn", seats=3)
    ann, bo, cy, di = [await world.person(name) for name in ("Ann", "Bo", "Cy", "Di")]
    await ann.sit(1)
    assert await code_of(bo.sit(1)) == "seat_taken"
    assert await code_of(bo.sit(3)) == "bad_request"
    assert await code_of(bo.sit(-1)) == "bad_request"
    assert await code_of(ann.ask(Sit("Ann"))) == "already_seated"
    assert await code_of(ann.ask(Sit("Ann", 1))) == "already_seated"
    await bo.sit(0)
    assert await code_of(ann.ask(Sit("Ann", 0))) == "seat_taken"
    await cy.sit()
    assert await code_of(di.sit()) == "table_full"
    assert await code_of(di.sit(1)) == "table_full"


@hosted
async def test_a_lost_connection_counts_as_standing_up_only_after_the_grace(world: World) -> None:
    """A16."""
    await world.open("aetharn")
    ann, bo = await world.person("Ann"), await world.person("Bo")
    await ann.sit()
    await bo.sit()
    bo.drop()
    await world.until(64_999)
    await world.host.look(T)
    assert sitting(world) == {0: "Ann", 1: "Bo"}
    await world.until(66_001)
    assert sitting(world) == {0: "Ann"}
    assert world.times("Stood") == [65_000]


@hosted
async def test_who_comes_back_to_the_lobby_in_time_sits_on(world: World) -> None:
    """A16."""
    await world.open("aetharn")
    ann, bo = await world.person("Ann"), await world.person("Bo")
    await ann.sit()
    await bo.sit()
    ann.drop()
    bo.drop()
    await world.until(30_000)
    await ann.come()
    await bo.ask(Sit("Bo", conn=bo.ears[0].id))  # sitting down again where one sat
    await world.until(100_000)
    assert sitting(world) == {0: "Ann", 1: "Bo"}


@hosted
async def test_who_was_away_when_it_started_is_absent_with_a_full_grace(world: World) -> None:
    """A12, A16."""
    await world.open("aetharn", rules={"turn_seconds": 200})
    ann, bo, cy = [await world.person(name) for name in ("Ann", "Bo", "Cy")]
    for person in (ann, bo, cy):
        await person.sit()
    bo.drop()
    await world.until(20_000)
    await ann.ask(Start())
    assert [event["player"] for event in ann.told("PlayerAbsent")] == [bo.seat]
    await world.until(81_001)
    assert world.times("Played") == [80_000]
    assert ann.told("PlayerRemoved")[0]["reason"] == "Disconnected"


@hosted
async def test_the_lobby_is_destroyed_when_the_last_lost_connection_stands_up(world: World) -> None:
    """A16."""
    await world.open("aetharn")
    ann = await world.person("Ann")
    await ann.sit()
    await world.bot()
    ann.drop()
    await world.until(67_000)
    assert world.names()[-2:] == ["Stood", "Destroyed"]


@hosted
async def test_a_late_comer_cannot_sit_in_a_running_game_but_may_watch(world: World) -> None:
    """A16."""
    first, _ = await world.play("aetharn", "Ann", "Bo", seats=4)
    late = await world.person("Late")
    assert await code_of(late.sit()) == "already_started"
    assert await code_of(late.sit(3)) == "already_started"
    await first.do("roll")
    assert late.told("DiceRolled") == first.told("DiceRolled")


@hosted
async def test_anybody_seated_may_start_and_nobody_else(world: World) -> None:
    """A16, C12."""
    await world.open("aetharn")
    ann, bo, eve = [await world.person(name) for name in ("Ann", "Bo", "Eve")]
    await ann.sit()
    await bo.sit()
    assert await code_of(eve.ask(Start())) == "not_seated"
    await bo.ask(Start())
    assert world.live().state.phase == "playing"
    assert await code_of(ann.ask(Start())) == "already_started"
