"""Bots at a table: when they move, what they choose, and what their troubles cost."""

from __future__ import annotations

import pytest

from dicehall.table.requests import Depute, Start
from tests.table.hosting import World, hosted


@hosted
async def test_a_bot_moves_some_time_after_the_last_act(world: World) -> None:
    """Its due time is stored, so that people can follow."""
    await world.open("wards", bot_ms=800)
    await world.bot()
    ann = await world.person("Ann")
    await ann.sit()
    (head,) = await world.journal.heads()
    assert head.deadline == world.live().state.at + 800
    await world.until(799)
    assert world.times("Played") == []
    await world.until(801)
    assert world.times("Played") == [800]


@hosted
async def test_the_choice_of_a_bot_is_seeded_by_number_and_seat_with_the_tables_secret(world: World) -> None:
    """Whoever makes the move makes the same; nobody outside can."""
    await world.open("tenthousand")
    await world.bot("random")
    await world.bot("random")
    ann = await world.person("Ann")
    await ann.sit()
    await ann.ask(Start())
    await world.until(2_000)
    assert len(world.bots.asked) > 1
    for n, (seed, _) in enumerate(world.bots.asked, 5):
        assert seed in {seed_at(world, n, seat) for seat in range(3)}


def seed_at(world: World, n: int, seat: int) -> str:
    return world.live().dealer.dice.key(f"bot\nt\n{n}\n{seat}")


@hosted
async def test_after_a_crash_while_it_thought_a_bot_chooses_the_same(world: World) -> None:
    """C5, and the stored due time."""
    await world.open("wards")
    await world.bot("random")
    ann = await world.person("Ann")
    await ann.sit()
    world.bots.seconds = 0.5
    await world.until(1_000)  # it thinks
    world.bots.seconds = 0.0
    await world.dead_for(10_000)
    await world.after(1)
    assert world.bots.asked[0][0] == seed_at(world, 4, 0)
    assert world.names()[4:5] == ["Played"]


@hosted
async def test_a_bot_that_thinks_slowly_moves_once(world: World) -> None:
    """Thinking is away from the table, and its move counts only on the position it thought about."""
    await world.open("wards", rules={"turn_seconds": None})
    await world.bot()
    ann = await world.person("Ann")
    await ann.sit()
    world.bots.seconds = 5.0
    await world.until(2_000)
    await ann.leave()  # another act while it thinks
    await world.until(6_999)
    assert world.times("Played") == []  # what it thought of before is forgotten
    await world.until(7_001)
    assert world.times("Played") == [7_000]
    assert [seed for seed, _ in world.bots.asked] == [seed_at(world, 4, 0), seed_at(world, 5, 0)]


@hosted
async def test_a_bot_that_cannot_think_runs_out_of_time_like_everybody(world: World) -> None:
    """W6: its trouble does not stop the clock."""
    await world.open("wards")
    await world.bot()
    ann = await world.person("Ann")
    await ann.sit()
    world.bots.broken = True
    await world.until(32_500)
    assert world.expiries() == [(30_000, 0)]
    await ann.do("hold")
    world.bots.broken = False
    await world.until(40_000)
    assert len(world.bots.asked) > 0


@hosted
async def test_a_bot_that_never_answers_runs_out_of_time(world: World) -> None:
    """W6."""
    await world.open("wards")
    await world.bot()
    ann = await world.person("Ann")
    await ann.sit()
    world.bots.seconds = 10_000.0
    await world.until(31_100)
    assert world.expiries() == [(30_000, 0)]


@hosted
async def test_people_who_come_and_go_do_not_keep_a_bot_from_moving(world: World) -> None:
    """Its due time counts from what happened in the game."""
    await world.open("wards", bot_ms=800)
    await world.bot()
    ann = await world.person("Ann")
    await ann.sit()
    await world.until(500)
    await ann.come()
    await world.until(801)
    assert world.times("Played") == [800]


@pytest.mark.parametrize("key", ["wards", "doordice", "mana", "tenthousand"])
@hosted
async def test_a_game_of_bots_alone_comes_to_its_end(world: World, key: str) -> None:
    """C3."""
    live = await world.open(key, seats={"doordice": 5}.get(key, 2))
    ann = await world.person("Ann")
    await ann.sit()
    for _ in range(live.state.opened.seats - 1):
        await world.bot()
    if live.state.phase == "lobby":
        await ann.ask(Start())
    await ann.ask(Depute("greedy"))
    await world.after(500_000)
    assert live.state.phase == "over"
    assert world.story()[-1].after == live.state
