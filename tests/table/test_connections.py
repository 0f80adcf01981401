"""Connections: who carries a seat, who took over, and listeners that misbehave."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from dicehall.table import disconnections
from dicehall.table.requests import Sit
from tests.table.hosting import T, World, hosted


@dataclass(slots=True)
class Raising:
    id: str = "p1:raising"
    pushed: int = 0

    def push(self, message: bytes) -> None:
        self.pushed += 1
        raise BrokenPipeError("nobody there")

    def offer(self, message: bytes) -> None:
        self.push(message)


@hosted
async def test_a_second_connection_takes_the_seat_over_and_the_first_is_told(world: World) -> None:
    """A seat has one carrying connection."""
    ann, bo = await world.play("wards", "Ann", "Bo")
    first = ann.ears[0]
    second = await ann.come()
    assert {"table": T, "taken_over": True} in first.messages
    assert {"table": T, "taken_over": True} not in second.messages
    assert {"table": T, "taken_over": True} not in bo.ears[0].messages
    assert world.live().state.chairs[0].conn == second.id


@hosted
async def test_the_end_of_the_first_connection_means_nothing_after_a_take_over(world: World) -> None:
    """A12: only the end of the carrying connection is an absence."""
    first, _ = await world.play("aetharn", "Ann", "Bo")
    old = first.ears[0]
    await first.come()
    world.host.disconnect(T, old.id)
    await world.until(20_000)
    assert "Left" not in world.names()


@hosted
async def test_the_end_of_the_second_connection_is_an_absence_though_the_first_still_listens(world: World) -> None:
    """A12."""
    first, _ = await world.play("aetharn", "Ann", "Bo")
    await first.come()
    first.drop()
    await world.until(6_000)
    assert world.times("Left") == [5_000]


@hosted
async def test_the_same_connection_is_carried_once(world: World) -> None:
    """The log does not grow for nothing."""
    ann, _ = await world.play("wards", "Ann", "Bo")
    stored = world.names()
    await world.host.connect(T, ann.ears[0], "ann")
    assert world.names() == stored


@hosted
async def test_a_listener_that_raises_is_dropped_and_disturbs_nobody(world: World) -> None:
    """A slow or broken listener is dropped, never awaited."""
    raising = Raising()
    ann, bo = await world.play("wards", "Ann", "Bo")
    await world.host.connect(T, raising, None)
    listeners = world.live().listeners
    listeners.by_id = dict(sorted(listeners.by_id.items(), key=lambda one: one[0] != raising.id))  # it is told first
    heard = len(bo.heard)
    await ann.do("hold")
    await bo.do("hold")
    assert raising.pushed == 1
    assert raising.id not in listeners.by_id
    assert len([message for message in bo.heard[heard:] if "n" in message]) == 2


@hosted
async def test_a_seat_whose_connection_raises_is_answered_nevertheless(world: World) -> None:
    """An acknowledged action is never lost."""
    ann, _ = await world.play("wards", "Ann", "Bo")
    await world.host.connect(T, Raising(), "ann")
    assert (await ann.do("hold")).n == len(world.names())


@hosted
async def test_who_stops_listening_is_told_nothing_more(world: World) -> None:
    """A17."""
    ann, _ = await world.play("wards", "Ann", "Bo")
    ear = await world.watch()
    await ann.do("hold")
    world.host.disconnect(T, ear.id)
    heard = list(ear.messages)
    await world.until(40_000)
    assert ear.messages == heard


@hosted
async def test_a_connection_that_stops_listening_and_listens_again_keeps_its_seat(world: World) -> None:
    """A page that opens a table twice in a row unwatches and watches over one connection: nobody was away."""
    ann, _ = await world.play("aetharn", "Ann", "Bo")
    ann.drop()
    await world.host.connect(T, ann.ears[0], ann.account)
    await world.until(20_000)
    assert "Left" not in world.names()


@hosted
async def test_a_spectator_who_stops_listening_listens_again_and_sits_down_stays_seated(world: World) -> None:
    """As a page does after a game: it leaves the old table, opens the rematch, and sits down there."""
    await world.open("wards", seats=2)
    ann = await world.person("Ann")
    ear = await ann.come()
    ann.drop()
    await world.host.connect(T, ear, ann.account)
    await ann.ask(Sit("Ann", conn=ear.id))
    await world.until(20_000)
    assert "Left" not in world.names()


@hosted
async def test_a_connection_that_listened_again_is_an_absence_five_seconds_after_it_really_ended(world: World) -> None:
    ann, _ = await world.play("aetharn", "Ann", "Bo")
    ann.drop()
    await world.until(2_000)
    await world.host.connect(T, ann.ears[0], ann.account)
    await world.until(3_000)
    ann.drop()
    await world.until(12_000)
    assert world.times("Left") == [8_000]


@hosted
async def test_a_host_that_waits_for_nobody_marks_a_lost_connection_away_at_once(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that the deliberate bug of the campaign which takes the five seconds away really is one."""
    ann, _ = await world.play("wards", "Ann", "Bo")
    monkeypatch.setattr(disconnections, "LOST_S", 0.0)
    await world.until(1_000)
    ann.drop()
    await world.until(1_001)
    assert world.times("Left") == [1_000]
