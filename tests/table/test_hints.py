"""Hints: allowed or not, and always written down."""

from __future__ import annotations

from dicehall.table.requests import Hint
from tests.table.hosting import World, code_of, hosted


@hosted
async def test_a_hint_is_told_and_stands_in_the_record(world: World) -> None:
    """C3: who played with help is known."""
    ann, bo = await world.play("wards", "Ann", "Bo", hints=True)
    await ann.ask(Hint())
    assert bo.told("Hinted") == [{"event": "Hinted", "chair": 0, "to": None}]
    assert [act["chair"] for act in world.record().table if act["act"] == "hinted"] == [0]


@hosted
async def test_a_hint_does_not_restart_the_clock(world: World) -> None:
    """W5."""
    ann, _ = await world.play("wards", "Ann", "Bo", hints=True)
    await world.until(29_000)
    await ann.ask(Hint())
    await world.until(31_001)
    assert world.expiries() == [(30_000, 0)]


@hosted
async def test_hints_are_refused_where_the_table_does_not_allow_them_or_nothing_is_to_decide(world: World) -> None:
    """C2."""
    ann, _ = await world.play("wards", "Ann", "Bo")
    assert await code_of(ann.ask(Hint())) == "not_allowed"


@hosted
async def test_only_who_has_to_decide_gets_a_hint(world: World) -> None:
    """C2."""
    _, bo = await world.play("wards", "Ann", "Bo", hints=True)
    assert await code_of(bo.ask(Hint())) == "not_allowed"
