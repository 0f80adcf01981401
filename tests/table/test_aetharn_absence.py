"""Leaving the chair and losing the connection: graces, returns, and tables that wait."""

from __future__ import annotations

from dicehall.table.requests import Sit, Stand
from tests.table.hosting import T, World, code_of, hosted

BUST = (2, 2, 3, 3, 4, 6)
SLOW = {"turn_seconds": 200}


@hosted
async def test_leaving_the_chair_is_an_absence_at_once(world: World) -> None:
    """A12."""
    await world.until(1_234)
    _, second = await world.play("aetharn", "Ann", "Bo")
    await second.leave()
    assert world.times("Left") == [1_234]


@hosted
async def test_a_connection_that_comes_back_within_five_seconds_was_never_lost(world: World) -> None:
    """A12."""
    first, second = await world.play("aetharn", "Ann", "Bo")
    second.drop()
    await world.until(4_900)
    await second.come()
    await world.until(20_000)
    assert first.told("PlayerAbsent") == []


@hosted
async def test_who_left_the_chair_and_then_lost_the_connection_is_not_called_disconnected(world: World) -> None:
    """A12: the reason is how the absence began."""
    first, second, _ = await world.play("aetharn", "Ann", "Bo", "Cy", rules=SLOW)
    await second.leave()
    second.drop()
    await world.until(62_000)
    assert [event["reason"] for event in first.told("PlayerRemoved")] == ["Grace period expired"]


@hosted
async def test_who_lost_the_connection_and_then_left_the_chair_is_called_disconnected(world: World) -> None:
    """A12: the reason goes by how the absence began, also within the five seconds of a lost connection."""
    first, second, _ = await world.play("aetharn", "Ann", "Bo", "Cy", rules={"turn_seconds": 100})
    second.drop()
    await world.until(3_000)
    await second.leave()
    assert len(first.told("PlayerAbsent")) == 1  # at once
    await world.until(64_500)
    assert [event["reason"] for event in first.told("PlayerRemoved")] == ["Disconnected"]


@hosted
async def test_who_came_back_before_leaving_the_chair_is_not_called_disconnected(world: World) -> None:
    """A12."""
    first, second, _ = await world.play("aetharn", "Ann", "Bo", "Cy", rules={"turn_seconds": 100})
    second.drop()
    await world.until(3_000)
    await second.come()
    await second.leave()
    await world.until(64_500)
    assert [event["reason"] for event in first.told("PlayerRemoved")] == ["Grace period expired"]


@hosted
async def test_each_absence_starts_a_full_grace(world: World) -> None:
    """A14."""
    first, second, _ = await world.play("aetharn", "Ann", "Bo", "Cy", rules=SLOW)
    await second.leave()
    await world.until(50_000)
    await second.come()
    await second.leave()
    await world.until(109_000)
    assert first.told("PlayerRemoved") == []
    await world.until(112_000)
    assert world.times("Played") == [110_000]


@hosted
async def test_leaving_again_while_away_starts_no_new_grace(world: World) -> None:
    """A12, A14: however often somebody says that they leave for good."""
    first, second, _ = await world.play("aetharn", "Ann", "Bo", "Cy", rules=SLOW)
    second.drop()
    for at in (20_000, 40_000, 60_000):
        await world.until(at)
        await second.ask(Stand(good=True))
    await world.until(67_000)
    assert world.times("Played") == [65_000]
    assert [event["reason"] for event in first.told("PlayerRemoved")] == ["Disconnected"]
    assert world.names().count("Left") == 2


@hosted
async def test_warnings_are_told_at_45_30_15_10_and_5_seconds(world: World) -> None:
    """A12, A19: they carry no number and are never stored."""
    first, second, _ = await world.play("aetharn", "Ann", "Bo", "Cy", rules=SLOW)
    watcher = await world.watch()
    await second.leave()
    stored = world.names()
    heard: list[tuple[int, int]] = []
    for seconds in range(1, 60):
        await world.until(seconds * 1000 + 1)
        warnings = first.told("GraceWarning")
        heard += [(world.now // 1000, event["time_remaining"]) for event in warnings[len(heard) :]]
    assert heard == [(15, 45_000), (30, 30_000), (45, 15_000), (50, 10_000), (55, 5_000)]
    assert {event["player"] for event in first.told("GraceWarning")} == {second.seat}
    assert all("n" not in message for message in first.heard if message.get("event") == "GraceWarning")
    assert [message["event"] for message in watcher.messages if "n" not in message].count("GraceWarning") == 5
    assert world.names() == stored


@hosted
async def test_only_warnings_below_the_grace_are_told(world: World) -> None:
    """A12."""
    first, second, _ = await world.play("aetharn", "Ann", "Bo", "Cy", rules={**SLOW, "grace_seconds": 15})
    await world.until(1_000)
    await second.leave()
    await world.until(18_000)
    assert [event["time_remaining"] for event in first.told("GraceWarning")] == [10_000, 5_000]


@hosted
async def test_who_returned_is_warned_about_no_more(world: World) -> None:
    """A12."""
    first, second, _ = await world.play("aetharn", "Ann", "Bo", "Cy", rules=SLOW)
    await second.leave()
    await world.until(20_000)
    await second.come()
    await world.until(70_000)
    assert [event["time_remaining"] for event in first.told("GraceWarning")] == [45_000]


@hosted
async def test_who_left_in_its_turn_may_return_while_the_clock_runs_on(world: World) -> None:
    """A13: also before the first roll."""
    first, _ = await world.play("aetharn", "Ann", "Bo")
    await first.leave()
    await world.until(29_000)
    await first.come()
    world.box.named = {2: (1, 1, 1, 2, 3, 4)}
    await first.do("roll")
    await world.until(31_500)
    assert world.expiries() == [(30_000, first.seat)]


@hosted
async def test_a_skipped_seat_is_skipped_once_and_plays_in_the_next_round(world: World) -> None:
    """A13."""
    world.box.named = {2: BUST, 3: BUST, 4: BUST}
    first, second, third = await world.play("aetharn", "Ann", "Bo", "Cy")
    await second.leave()
    await first.do("roll")
    await second.come()
    await third.do("roll")
    await first.do("roll")
    await second.do("roll")


@hosted
async def test_when_everybody_is_away_no_turn_runs_and_the_first_to_return_plays(world: World) -> None:
    """A14."""
    first, second = await world.play("aetharn", "Ann", "Bo")
    await first.leave()
    await world.until(10_000)
    await second.leave()
    await world.until(35_000)
    assert first.told("TurnEnded")[-1]["next_player"] is None
    assert world.live().state.to_act() == frozenset()
    await second.come()
    assert world.live().state.to_act() == {second.seat}
    await world.until(67_000)  # its clock ran from 35 s; the grace of the first ended at 60 s
    assert world.live().state.phase == "over"
    assert second.told("GameEnded")[0]["winner"] == second.seat


@hosted
async def test_who_returns_to_a_waiting_table_has_a_fresh_clock(world: World) -> None:
    """A14."""
    first, second = await world.play("aetharn", "Ann", "Bo", rules={"grace_seconds": 300})
    await first.leave()
    await second.leave()
    await world.until(100_000)
    await first.come()
    await world.until(129_999)
    await first.do("roll")


@hosted
async def test_graces_run_on_while_a_table_waits(world: World) -> None:
    """A14, A15."""
    first, second, third = await world.play("aetharn", "Ann", "Bo", "Cy")
    for person in (first, second, third):
        await person.leave()
    await world.until(45_000)
    await third.come()  # on turn since then
    await world.until(62_000)
    assert [event["player"] for event in third.told("PlayerRemoved")] == sorted((first.seat, second.seat))
    assert third.told("GameEnded")[0]["winner"] == third.seat


@hosted
async def test_the_last_seat_wins_on_returning_if_it_was_away(world: World) -> None:
    """A15."""
    first, second = await world.play("aetharn", "Ann", "Bo")
    await first.leave()
    await world.until(20_000)
    await second.leave()
    await world.until(61_500)
    assert world.live().state.phase == "playing"
    await second.come()
    assert world.live().state.phase == "over"
    assert second.told("GameEnded")[0]["winner"] == second.seat


@hosted
async def test_a_fold_that_leaves_one_seat_ends_the_game(world: World) -> None:
    """A11, A15."""
    first, second = await world.play("aetharn", "Ann", "Bo")
    await second.do("fold")  # out of turn
    assert first.told("GameEnded")[0]["winner"] == first.seat


@hosted
async def test_a_removed_seat_cannot_return_but_may_watch(world: World) -> None:
    """A16."""
    first, second, _ = await world.play("aetharn", "Ann", "Bo", "Cy", rules=SLOW)
    await second.leave()
    await world.until(62_000)
    stored = world.names()
    ear = await second.come()
    assert await code_of(second.ask(Sit("Bo", conn=ear.id))) == "seat_is_out"
    assert await code_of(second.do("roll")) == "seat_is_out"
    assert world.names() == stored
    world.box.named = {2: BUST}
    await first.do("roll")
    assert ear.messages[-1]["events"][0]["event"] == "DiceRolled"
    second.drop()
    await world.until(80_000)
    assert "Left" not in world.names()[len(stored) :]


@hosted
async def test_returning_to_a_taken_chair_is_refused_and_to_a_free_one_moves_there(world: World) -> None:
    """A16: also on returning."""
    first, second = await world.play("aetharn", "Ann", "Bo", seats=4)
    chairs = {person.name: world.live().state.chairs[person.seat].number for person in (first, second)}
    seat = second.seat
    await second.leave()
    assert await code_of(second.ask(Sit("Bo", chairs[first.name]))) == "seat_taken"
    assert await code_of(second.ask(Sit("Bo", 9))) == "bad_request"
    await second.ask(Sit("Bo", 3))
    assert second.seat == seat
    assert world.live().state.chairs[seat].number == 3
    assert first.told("PlayerReturned")[0]["player"] == seat
    await first.leave()
    await first.ask(Sit("Ann", chairs[second.name]))
    assert world.live().state.chairs[first.seat].number == chairs[second.name]
    assert len(world.record().seal.words) == 2  # type: ignore[union-attr]


@hosted
async def test_somebody_present_may_change_to_the_chair_of_a_removed_seat(world: World) -> None:
    """A16."""
    _first, second, third = await world.play("aetharn", "Ann", "Bo", "Cy", rules=SLOW)
    state = world.live().state
    left, mine = state.chairs[second.seat].number, state.chairs[third.seat].number
    await second.leave()
    assert await code_of(third.ask(Sit("Cy", left))) == "seat_taken"  # it may still return
    await world.until(62_000)
    await third.ask(Sit("Cy", left))
    state = world.live().state
    assert (state.chairs[third.seat].number, state.chairs[second.seat].number) == (left, mine)
    await world.host.look(T)
