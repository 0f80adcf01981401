"""Every event of Aetharn by subscription, under its own name with its own fields; timers made from deadlines."""

from __future__ import annotations

from typing import Any

from dicehall.hall.seeds.aetharn_events import Happened
from dicehall.hall.seeds.aetharn_shapes import GamePhase
from tests.hall.seeds.venue import BUST, OAK, STRAIGHT, Venue, at_a_venue

FIELDS = {
    "GameStarted": {"players", "first_player"},
    "TurnStarted": {"player", "turn_number"},
    "DiceRolled": {"dice_values", "scoring_result"},
    "DiceHeld": {"held_dice_values", "points_from_held", "remaining_dice_count"},
    "PointsScored": {"player", "points_this_turn", "total_score"},
    "PlayerBusted": {"player", "lost_points"},
    "TurnEnded": {"player", "next_player", "was_bust", "points_banked"},
    "TurnTimedOut": {"player", "lost_points"},
    "TurnSkipped": {"player"},
    "PlayerFolded": {"player", "remaining_player_count"},
    "PlayerAbsent": {"player", "grace_period"},
    "PlayerReturned": {"player", "time_remaining"},
    "PlayerRemoved": {"player", "reason", "remaining_player_count"},
    "GameEnded": {"winner", "final_standings"},
    "GameAbandoned": {"players"},
    "HotDice": {"player", "accumulated_points"},
    "SpectatorJoined": {"spectator", "total_spectators"},
    "SpectatorLeft": {"spectator", "total_spectators"},
    "LobbyPlayerJoined": {"player", "total_players", "can_start"},
    "LobbyPlayerLeft": {"player", "total_players"},
    "LobbyCleared": {"reason"},
    "GameCreated": {"game_id", "table"},
    "GameDestroyed": {"game_id", "table"},
    "GraceWarning": {"player", "time_remaining"},
    "TimerTick": {"time_remaining"},
    "TimerExpired": set[str](),
}


@at_a_venue
async def test_every_event_is_told_under_its_own_name_with_its_own_fields(venue: Venue) -> None:
    """A19."""
    created: list[Happened] = []
    venue.box.named = {1: (1, 1), 2: STRAIGHT, 3: BUST}
    await venue.furnish(goal=3000)
    venue.service.subscribe(created.append)
    game = await venue.lobby("ann", "bo", "cy", "di")
    await venue.service.on_player_left_chair(OAK[3], "di")
    await game.start()
    await game.add_spectator("di")
    await game.remove_spectator("di")
    await game.roll()
    await game.hold_dice(range(6))
    await game.bank()
    await game.player_stood_up("cy")
    await game.roll()  # a bust, and Cy is passed over
    await venue.until(20_000)
    await venue.service.on_chair_used(OAK[2], "cy")
    await game.player_stood_up("cy")
    await venue.until(82_000)  # Ann and Bo ran out of time, and Cy's grace is over
    await game.fold("bo")
    other = await venue.service.on_chair_used(OAK[0], "ann")
    await venue.service.on_player_left_chair(OAK[0], "ann")
    assert other is not game
    venue.box.named = {}
    again = await venue.lobby("ann", "bo")
    await again.start()
    await venue.service.destroy_game(again.game_id)

    told = [*created, *venue.told, *venue.ticks]
    fields: dict[str, set[str]] = {}
    for event in told:
        assert fields.setdefault(event.name, set(event.fields)) == set(event.fields)
    assert fields == FIELDS


@at_a_venue
async def test_events_of_a_turn_come_in_their_order(venue: Venue) -> None:
    """A19."""
    game = await venue.play("ann", "bo", rolls=(STRAIGHT, BUST))
    await game.roll()
    await game.hold_dice(range(6))
    await game.bank()
    await game.roll()
    assert venue.names == [
        *("LobbyPlayerJoined", "LobbyPlayerJoined", "GameStarted", "TurnStarted"),
        *("DiceRolled", "DiceHeld", "HotDice", "PointsScored", "TurnEnded", "TurnStarted"),
        *("DiceRolled", "PlayerBusted", "TurnEnded", "TurnStarted"),
    ]
    assert venue.events("GameStarted") == [{"players": [0, 1], "first_player": 0}]
    assert venue.events("TurnStarted") == [
        {"player": player, "turn_number": number} for number, player in enumerate([0, 1, 0], 1)
    ]
    rolled = venue.events("DiceRolled")[0]
    assert rolled == {
        "dice_values": [1, 2, 3, 4, 5, 6],
        "scoring_result": {
            "points": 1500,
            "scoring_dice": [0, 1, 2, 3, 4, 5],
            "non_scoring_dice": [],
            "type": "Straight",
            "is_bust": False,
            "is_hot_dice": True,
        },
    }
    assert venue.events("HotDice") == [{"player": 0, "accumulated_points": 1500}]


# -- the turn's clock ----------------------------------------------------------------------------------------


def ticks(venue: Venue) -> list[Any]:
    return [event["time_remaining"] if event.name == "TimerTick" else event.name for event in venue.ticks]


@at_a_venue
async def test_the_turn_timer_ticks_each_second_and_expires_at_the_deadline(venue: Venue) -> None:
    """A9, A19."""
    game = await venue.play("ann", "bo")
    timer = game.turn_timer
    assert (timer.time_limit, timer.remaining, timer.is_running) == (30_000, 30_000, True)
    await venue.until(2_500)
    assert ticks(venue) == [29_000, 28_000]
    assert timer.remaining == 27_500
    await venue.until(30_500)
    assert ticks(venue) == [*range(29_000, 0, -1_000), "TimerExpired"]
    assert timer.remaining == 29_500  # the next player's turn began at the deadline (C4)
    await venue.until(32_001)
    assert ticks(venue)[30:] == [29_000, 28_000]  # though the time-out was written a second later


@at_a_venue
async def test_ticks_are_never_stored_and_never_sent(venue: Venue) -> None:
    """A19."""

    class Socket:
        id = "p1:socket"
        heard = b""

        def push(self, message: bytes) -> None:
            self.heard += message

        def offer(self, message: bytes) -> None:
            self.heard += message

    game = await venue.play("ann", "bo")
    socket, stored = Socket(), game.live.state.seq
    await venue.hall.watch(None, game.game_id, socket)
    await venue.until(20_000)
    assert len(venue.ticks) == 20
    assert game.live.state.seq == stored
    assert socket.heard == b""


@at_a_venue
async def test_the_turn_timer_begins_anew_with_hot_dice_and_with_the_next_turn(venue: Venue) -> None:
    """A8, A9."""
    game = await venue.play("ann", "bo", rolls=(STRAIGHT,))
    await game.roll()
    await venue.until(1_500)
    await game.hold_dice(range(6))
    await venue.until(2_700)
    await game.bank()
    await venue.until(3_800)
    assert ticks(venue) == [29_000, 29_000, 29_000]


@at_a_venue
async def test_the_turn_timer_stops_when_told_to_and_starts_again(venue: Venue) -> None:
    """A19: for this subscriber; the turn's clock runs on."""
    game = await venue.play("ann", "bo")
    game.turn_timer.stop()
    await venue.until(10_000)
    assert ticks(venue) == []
    assert game.turn_timer.is_running
    game.turn_timer.start()
    game.turn_timer.reset()
    await venue.until(11_500)
    assert ticks(venue) == [19_000]


@at_a_venue
async def test_no_timer_runs_before_the_start_while_the_table_waits_and_after_the_end(venue: Venue) -> None:
    """A14, A19."""
    await venue.furnish(grace_seconds=300)
    game = await venue.lobby("ann", "bo")
    await venue.until(5_000)
    assert not game.turn_timer.is_running
    assert ticks(venue) == []
    await game.start()
    await game.player_stood_up("ann")
    await game.player_stood_up("bo")
    await venue.until(37_000)  # the turn ended, and nobody is there for the next
    assert game.turn_timer.remaining is None
    heard = len(venue.ticks)
    await venue.until(60_000)
    assert len(venue.ticks) == heard
    await venue.service.on_chair_used(OAK[0], "ann")
    assert game.turn_timer.is_running
    await game.fold("ann")
    assert not game.turn_timer.is_running


@at_a_venue
async def test_a_timer_expires_once_whatever_else_is_told_meanwhile(venue: Venue) -> None:
    """A9, A19."""
    game = await venue.play("ann", "bo")
    await venue.until(30_500)
    await game.add_spectator("eve")
    await venue.until(30_900)
    assert ticks(venue).count("TimerExpired") == 1


@at_a_venue
async def test_a_sleeping_game_is_in_progress_and_its_clock_stands_still(venue: Venue) -> None:
    """W8, A9."""
    game = await venue.play("ann", "bo", rolls=(BUST,))
    await venue.until(200_000)
    assert (game.phase, game.current_player) == (GamePhase.IN_PROGRESS, game.players[1])
    assert (game.turn_time_remaining, game.turn_timer.is_running) == (None, False)
    assert ticks(venue).count("TimerExpired") == 3
    await game.roll()
    assert game.turn_time_remaining == 30_000


@at_a_venue
async def test_a_table_without_a_clock_never_ticks(venue: Venue) -> None:
    """C6."""
    game = await venue.play("ann", "bo", turn_seconds=None)
    await venue.until(100_000)
    assert (game.turn_timer.time_limit, game.turn_timer.remaining, ticks(venue)) == (None, None, [])


# -- absences ------------------------------------------------------------------------------------------------


@at_a_venue
async def test_the_absence_tracker_knows_who_is_away_and_how_long_they_may_be(venue: Venue) -> None:
    """A12."""
    game = await venue.play("ann", "bo", "cy", turn_seconds=200)
    tracker = game.absence_tracker
    assert tracker.grace_period == 60_000
    assert (tracker.is_absent("bo"), tracker.get_remaining_grace("bo")) == (False, None)
    await tracker.mark_absent("bo")
    await venue.until(12_000)
    assert (tracker.is_absent("bo"), tracker.get_remaining_grace("bo")) == (True, 48_000)
    assert await tracker.mark_present("bo")
    assert (tracker.is_absent("bo"), tracker.get_remaining_grace("bo")) == (False, None)
    assert (tracker.is_absent("eve"), await tracker.mark_present("eve")) == (False, False)


@at_a_venue
async def test_the_absence_tracker_warns_and_tells_when_a_grace_is_over(venue: Venue) -> None:
    """A12: at 45, 30, 15, 10 and 5 seconds."""
    heard: list[tuple[int, str, dict[str, Any]]] = []
    game = await venue.play("ann", "bo", "cy", turn_seconds=200)
    tracker = game.absence_tracker
    tracker.subscribe(lambda event: heard.append((venue.now // 1000, event.name, dict(event.fields))))
    await tracker.mark_absent("bo")
    await venue.until(62_000)
    warnings = [
        (60 - left, "GraceWarning", {"player": 1, "time_remaining": left * 1000}) for left in (45, 30, 15, 10, 5)
    ]
    assert heard == [*warnings, (61, "GracePeriodExpired", {"player": 1})]
    assert venue.events("GraceWarning") == [fields for _, _, fields in warnings]
    assert not await tracker.mark_present("bo")
    tracker.dispose()
    await tracker.mark_absent("cy")
    await venue.until(80_000)
    assert len(heard) == 6


@at_a_venue
async def test_a_table_that_nobody_plays_tells_that_it_sleeps_and_that_it_wakes(venue: Venue) -> None:
    """W8."""
    game = await venue.play("ann", "bo")
    await venue.until(91_001)
    assert venue.names[-4:] == ["TurnTimedOut", "TurnEnded", "TurnStarted", "GameSlept"]
    assert game.is_asleep
    assert game.phase is GamePhase.IN_PROGRESS
    assert game.turn_time_remaining is None
    await venue.service.on_player_left_chair(OAK[1], "bo")
    await venue.service.on_chair_used(OAK[1], "bo")
    assert venue.names[-3:] == ["PlayerAbsent", "GameWoke", "PlayerReturned"]
    assert not game.is_asleep
    assert game.turn_time_remaining == 30_000


@at_a_venue
async def test_the_chairs_of_a_sleeping_table_that_all_have_left_are_free_for_newcomers(venue: Venue) -> None:
    """W8, A15, edge case 7."""
    game = await venue.play("ann", "bo")
    await venue.until(100_000)
    assert game.is_asleep
    for number, player in enumerate(("ann", "bo")):
        await venue.service.on_player_left_chair(OAK[number], player)
    await venue.until(161_001)
    assert venue.names[-1] == "GameAbandoned"
    assert "GameWoke" not in venue.names
    new = await venue.service.on_chair_used(OAK[0], "cy")
    assert (new.phase, [one.player for one in new.players]) == (GamePhase.LOBBY, ["cy"])


@at_a_venue
async def test_a_player_who_disconnects_and_whose_chair_is_then_left_is_removed_as_disconnected(venue: Venue) -> None:
    """A12: a world takes somebody who lost the connection off the chair as well."""
    await venue.play("ann", "bo", "cy")
    await venue.service.on_player_disconnected("bo")
    await venue.until(2_000)
    await venue.service.on_player_left_chair(OAK[1], "bo")
    await venue.until(63_001)
    assert [event["reason"] for event in venue.events("PlayerRemoved")] == ["Disconnected"]


@at_a_venue
async def test_the_player_on_turn_and_the_time_left_follow_the_deadline(venue: Venue) -> None:
    """C4: a time-out is told a second later, but from its deadline on it is true."""
    game = await venue.play("ann", "bo")
    await venue.until(29_999)
    assert game.current_player is not None
    assert (game.current_player.player, game.turn_time_remaining) == ("ann", 1)
    await venue.until(30_000)
    assert venue.events("TurnTimedOut") == []
    assert (game.current_player.player, game.turn_time_remaining) == ("bo", 30_000)
    await venue.until(30_600)
    assert (game.current_player.player, game.turn_time_remaining) == ("bo", 29_400)
    await venue.until(31_001)
    assert len(venue.events("TurnTimedOut")) == 1
    assert (game.current_player.player, game.turn_time_remaining) == ("bo", 28_999)


@at_a_venue
async def test_presence_and_the_winner_follow_the_deadline(venue: Venue) -> None:
    """C4, A12, A15."""
    game = await venue.play("ann", "bo", turn_seconds=100)
    await venue.service.on_player_left_chair(OAK[1], "bo")
    await venue.until(59_999)
    assert game.absence_tracker.get_remaining_grace("bo") == 1
    await venue.until(60_000)
    assert venue.events("PlayerRemoved") == []
    assert game.players[1].presence == "Gone"
    assert game.absence_tracker.get_remaining_grace("bo") is None
    assert (game.phase, game.winner is not None and game.winner.player) == (GamePhase.ENDED, "ann")
