"""The fifteen edge cases that Aetharn's design document lists, by its numbers, at a live table."""

from __future__ import annotations

from dicehall.core.game import Over
from dicehall.table.requests import Destroy, Start
from tests.table.hosting import T, World, code_of, hosted

STRAIGHT = (1, 2, 3, 4, 5, 6)
BUST = (2, 2, 3, 3, 4, 6)
ONE = (1, 2, 3, 3, 4, 6)


def over(world: World) -> Over:
    state = world.live().state
    awaited = state.game.awaits(state.position)
    assert isinstance(awaited, Over)
    return awaited


@hosted
async def test_case_1_standing_up_in_a_game_makes_a_seat_absent_with_sixty_seconds_of_grace(world: World) -> None:
    """A12."""
    first, second = await world.play("aetharn", "Ann", "Bo")
    await second.leave()
    told = {"event": "PlayerAbsent", "to": None, "player": second.seat, "grace_period": 60_000}
    assert first.told("PlayerAbsent") == second.told("PlayerAbsent") == [told]
    assert world.live().state.game.view(world.live().state.position, None).away == (second.seat,)


@hosted
async def test_case_2_returning_within_the_grace_restores_the_seat(world: World) -> None:
    """A12."""
    world.box.named = {2: ONE}
    first, second = await world.play("aetharn", "Ann", "Bo")
    await second.leave()
    await world.until(20_000)
    await second.come()
    told = {"event": "PlayerReturned", "to": None, "player": second.seat, "time_remaining": 40_000}
    assert first.told("PlayerReturned") == [told]
    await first.do("roll")
    await first.do({"hold": [0]})
    await first.do("bank")
    await second.do("roll")  # the turn came to it as ever
    assert first.told("TurnSkipped") == []


@hosted
async def test_case_3_the_end_of_the_grace_removes_the_seat(world: World) -> None:
    """A12."""
    first, second, _ = await world.play("aetharn", "Ann", "Bo", "Cy", rules={"turn_seconds": 100})
    await second.leave()
    await world.until(59_999)
    await world.host.look(T)
    assert first.told("PlayerRemoved") == []
    await world.until(60_000)
    await world.host.look(T)
    assert first.told("PlayerRemoved") == [
        {
            "event": "PlayerRemoved",
            "to": None,
            "player": second.seat,
            "remaining_player_count": 2,
            "reason": "Grace period expired",
        }
    ]
    assert first.told("PlayerFolded") == []


@hosted
async def test_case_4_a_lost_connection_gives_the_same_grace(world: World) -> None:
    """A12."""
    first, second, _ = await world.play("aetharn", "Ann", "Bo", "Cy", rules={"turn_seconds": 100})
    second.drop()
    await world.until(4_999)
    assert first.told("PlayerAbsent") == []
    await world.until(5_001)
    assert [event["grace_period"] for event in first.told("PlayerAbsent")] == [60_000]
    await world.until(66_001)
    assert [event["reason"] for event in first.told("PlayerRemoved")] == ["Disconnected"]
    assert world.times("Left") == [5_000]
    assert world.times("Played") == [65_000]


@hosted
async def test_case_5_an_absent_seat_is_skipped_when_its_turn_comes(world: World) -> None:
    """A13."""
    world.box.named = {2: BUST}
    first, second, third = await world.play("aetharn", "Ann", "Bo", "Cy")
    await second.leave()
    await first.do("roll")
    assert [event["player"] for event in first.told("TurnSkipped")] == [second.seat]
    assert first.told("TurnStarted")[-1]["player"] == third.seat
    await second.come()  # a second later: the turn is not given back
    assert await code_of(second.do("roll")) == "not_your_turn"
    await third.do("roll")


@hosted
async def test_case_6_when_all_but_one_are_removed_the_last_one_wins(world: World) -> None:
    """A15."""
    first, second, third = await world.play("aetharn", "Ann", "Bo", "Cy", rules={"turn_seconds": 100})
    await first.leave()
    await second.leave()
    await world.until(62_000)
    assert world.live().state.phase == "over"
    assert third.told("GameEnded")[0]["winner"] == third.seat
    assert over(world).reason == "LastPlayerStanding"


@hosted
async def test_case_7_when_all_are_removed_the_game_is_abandoned(world: World) -> None:
    """A15."""
    people = await world.play("aetharn", "Ann", "Bo", rules={"turn_seconds": 100})
    watcher = await world.watch()
    for person in people:
        await person.leave()
    await world.until(62_000)
    assert world.live().state.phase == "abandoned"
    assert watcher.messages[-1]["events"][-1]["event"] == "GameAbandoned"
    assert over(world) == Over((), "AllPlayersLeft")


@hosted
async def test_case_8_an_absent_seat_cannot_act(world: World) -> None:
    """A13: folding too."""
    first, second = await world.play("aetharn", "Ann", "Bo")
    await first.leave()
    await second.leave()
    for person in (first, second):
        for move in ("roll", {"hold": [0]}, "bank", "fold"):
            assert await code_of(person.do(move)) == "seat_is_away"


@hosted
async def test_case_9_a_turn_that_runs_out_of_time_is_a_bust(world: World) -> None:
    """A9."""
    world.box.named = {2: STRAIGHT}
    first, second = await world.play("aetharn", "Ann", "Bo", rules={"hot_dice": 0})
    await first.do("roll")
    await first.do({"hold": [0]})
    await world.until(31_000)
    await world.host.look(T)
    assert [event["lost_points"] for event in first.told("TurnTimedOut")] == [100]
    ended = first.told("TurnEnded")[-1]
    assert (ended["was_bust"], ended["points_banked"], ended["next_player"]) == (True, 0, second.seat)
    assert first.told("PlayerBusted") == []


@hosted
async def test_case_10_the_last_to_leave_a_lobby_clears_and_destroys_it(world: World) -> None:
    """A16."""
    await world.open("aetharn")
    ann, bo = await world.person("Ann"), await world.person("Bo")
    await ann.sit()
    await bo.sit()
    await ann.leave()
    assert world.live().state.phase == "lobby"
    await bo.leave()
    assert world.live().state.phase == "abandoned"
    assert bo.told("Destroyed") == [{"event": "Destroyed", "why": "All players left", "to": None}]
    assert await code_of(ann.sit()) == "already_started"


@hosted
async def test_case_11_nobody_can_start_with_fewer_than_two(world: World) -> None:
    """A16, C12."""
    await world.open("aetharn")
    ann = await world.person("Ann")
    await ann.sit()
    assert await code_of(ann.ask(Start())) == "too_few_seats"
    assert world.live().state.phase == "lobby"


@hosted
async def test_case_12_the_first_to_bank_the_goal_wins_at_once(world: World) -> None:
    """A10: nobody after it has another turn, however close."""
    world.box.named = {2: STRAIGHT, 3: STRAIGHT}
    first, second = await world.play("aetharn", "Ann", "Bo", rules={"goal": 1500})
    await first.do("roll")
    await first.do({"hold": [0, 1, 2, 3, 4, 5]})
    assert world.live().state.phase == "playing"  # a hold wins nothing yet
    await first.do("bank")
    assert world.live().state.phase == "over"
    assert second.told("GameEnded")[0]["winner"] == first.seat
    assert await code_of(second.do("roll")) == "game_finished"


@hosted
async def test_case_13_nobody_rolls_again_without_holding_a_die(world: World) -> None:
    """A6."""
    world.box.named = {2: ONE}
    first, _ = await world.play("aetharn", "Ann", "Bo")
    await first.do("roll")
    assert await code_of(first.do("roll")) == "must_hold"


@hosted
async def test_case_14_dice_that_do_not_score_cannot_be_held(world: World) -> None:
    """A4."""
    world.box.named = {2: ONE}
    first, _ = await world.play("aetharn", "Ann", "Bo")
    await first.do("roll")
    assert await code_of(first.do({"hold": [1]})) == "does_not_score"
    assert await code_of(first.do({"hold": [0, 1]})) == "does_not_score"


@hosted
async def test_case_15_destroying_the_table_ends_the_game_and_tells_everybody(world: World) -> None:
    """A15, C9."""
    first, second = await world.play("aetharn", "Ann", "Bo")
    watcher = await world.watch()
    await world.host.ask(T, Destroy("The table was taken away.", operator=True))
    assert world.live().state.phase == "abandoned"
    told = {"event": "Destroyed", "why": "The table was taken away.", "to": None}
    assert first.told("Destroyed") == second.told("Destroyed") == watcher.messages[-1]["events"] == [told]
    assert await code_of(first.do("roll")) == "game_finished"
    await world.until(100_000)
    assert world.names()[-1] == "Destroyed"  # no clock runs any more
