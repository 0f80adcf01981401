"""The fifteen edge cases that Aetharn's design document lists, by its numbers, through its own service."""

from __future__ import annotations

from dicehall.hall.seeds.aetharn_shapes import GameEndReason, GamePhase, PlayerPresence
from tests.hall.seeds.venue import BUST, OAK, ONE, STRAIGHT, Venue, at_a_venue
from tests.table.hosting import code_of
from tests.table.virtual import START_MS

LAST = GameEndReason("LastPlayerStanding")
LEFT = GameEndReason("AllPlayersLeft")


@at_a_venue
async def test_case_1_standing_up_from_the_chair_makes_a_player_absent_for_sixty_seconds(venue: Venue) -> None:
    """A12."""
    game = await venue.play("ann", "bo")
    await venue.until(2_000)
    await venue.service.on_player_left_chair(OAK[1], "bo")
    bo = game.players[1]
    assert (bo.presence, bo.absent_since, bo.assigned_chair) == (PlayerPresence.ABSENT, START_MS + 2_000, OAK[1])
    assert venue.events("PlayerAbsent") == [{"player": 1, "grace_period": 60_000}]
    assert game.absence_tracker.get_remaining_grace("bo") == 60_000


@at_a_venue
async def test_case_2_returning_within_the_grace_restores_the_player(venue: Venue) -> None:
    """A12."""
    game = await venue.play("ann", "bo", rolls=(ONE,))
    await venue.service.on_player_left_chair(OAK[1], "bo")
    await venue.until(20_000)
    await venue.service.on_chair_used(OAK[1], "bo")
    assert venue.events("PlayerReturned") == [{"player": 1, "time_remaining": 40_000}]
    assert (game.players[1].presence, game.players[1].absent_since) == (PlayerPresence.PRESENT, None)
    await game.roll()
    await game.hold_dice([0])
    await game.bank()
    await game.roll("bo")  # the turn came as ever


@at_a_venue
async def test_case_3_the_end_of_the_grace_removes_the_player(venue: Venue) -> None:
    """A12, A16: a removed player cannot return but may watch."""
    game = await venue.play("ann", "bo", "cy", turn_seconds=200)
    await game.player_stood_up("bo")
    await venue.until(61_001)
    told = {"player": 1, "remaining_player_count": 2, "reason": "Grace period expired"}
    assert venue.events("PlayerRemoved") == [told]
    assert venue.events("PlayerFolded") == []
    assert (game.players[1].presence, game.players[1].has_folded) == (PlayerPresence.GONE, True)
    assert await code_of(venue.service.on_chair_used(OAK[1], "bo")) == "seat_is_out"
    await venue.service.on_observer_used("oak bench", "bo")
    assert [one.player for one in game.spectators] == ["bo"]


@at_a_venue
async def test_case_4_a_lost_connection_gives_the_same_grace(venue: Venue) -> None:
    """A12."""
    game = await venue.play("ann", "bo", "cy", turn_seconds=200)
    await venue.service.on_player_disconnected("bo")
    await venue.until(4_999)
    assert game.players[1].presence is PlayerPresence.PRESENT
    await venue.until(5_001)
    assert venue.events("PlayerAbsent") == [{"player": 1, "grace_period": 60_000}]
    await venue.until(66_001)
    assert [event["reason"] for event in venue.events("PlayerRemoved")] == ["Disconnected"]


@at_a_venue
async def test_case_4_a_connection_that_is_soon_back_was_never_lost(venue: Venue) -> None:
    """A12."""
    await venue.play("ann", "bo", turn_seconds=200)
    await venue.service.on_player_disconnected("bo")
    await venue.until(4_000)
    await venue.service.on_chair_used(OAK[1], "bo")
    await venue.until(20_000)
    assert venue.events("PlayerAbsent") == []


@at_a_venue
async def test_case_5_an_absent_player_is_skipped(venue: Venue) -> None:
    """A13."""
    game = await venue.play("ann", "bo", "cy", rolls=(BUST,))
    await game.player_stood_up("bo")
    await game.roll()
    assert venue.events("TurnSkipped") == [{"player": 1}]
    assert game.current_player == game.players[2]


@at_a_venue
async def test_case_6_when_all_but_one_are_removed_the_last_one_wins(venue: Venue) -> None:
    """A15."""
    game = await venue.play("ann", "bo", "cy", turn_seconds=200)
    await game.player_stood_up("ann")
    await game.player_stood_up("bo")
    await venue.until(61_001)
    assert (game.phase, game.end_reason, game.winner) == (GamePhase.ENDED, LAST, game.players[2])
    assert venue.events("GameEnded") == [{"winner": 2, "final_standings": [2, 0, 1]}]


@at_a_venue
async def test_case_7_when_all_are_removed_the_game_is_abandoned(venue: Venue) -> None:
    """A15."""
    game = await venue.play("ann", "bo", turn_seconds=200)
    await game.player_stood_up("ann")
    await game.player_stood_up("bo")
    await venue.until(61_001)
    assert (game.phase, game.end_reason, game.winner) == (GamePhase.ABANDONED, LEFT, None)
    assert venue.events("GameAbandoned") == [{"players": [0, 1]}]
    assert venue.service.get_active_games() == ()


@at_a_venue
async def test_case_8_an_absent_player_cannot_act(venue: Venue) -> None:
    """A13: folding too."""
    game = await venue.play("ann", "bo")
    await game.player_stood_up("ann")
    for refused in (game.roll(), game.hold_dice([0]), game.bank(), game.fold("ann"), game.fold(game.players[0])):
        assert await code_of(refused) == "seat_is_away"


@at_a_venue
async def test_case_9_a_turn_that_runs_out_of_time_is_a_bust(venue: Venue) -> None:
    """A9."""
    game = await venue.play("ann", "bo", rolls=(ONE,))
    await game.roll()
    await game.hold_dice([0])
    await venue.until(31_001)
    assert venue.events("TurnTimedOut") == [{"player": 0, "lost_points": 100}]
    ended = {"player": 0, "next_player": 1, "was_bust": True, "points_banked": 0}
    assert venue.events("TurnEnded") == [ended]
    assert game.turn_start_time == START_MS + 30_000


@at_a_venue
async def test_case_10_the_last_to_leave_a_lobby_clears_and_destroys_it(venue: Venue) -> None:
    """A16."""
    game = await venue.lobby("ann", "bo")
    destroyed: list[str] = []
    venue.service.subscribe(lambda event: destroyed.append(event["game_id"]), "GameDestroyed")
    await venue.service.on_player_left_chair(OAK[0], "ann")
    assert (game.phase, destroyed) == (GamePhase.LOBBY, [])
    await venue.service.on_player_left_chair(OAK[1], "bo")
    assert venue.events("LobbyCleared") == [{"reason": "All players left"}]
    assert destroyed == [game.game_id]
    assert (game.phase, game.end_reason) == (GamePhase.ABANDONED, LEFT)
    assert venue.service.get_game(game.game_id) is None
    assert venue.service.get_game_for_table("oak") is None


@at_a_venue
async def test_case_11_nobody_can_start_with_fewer_than_two(venue: Venue) -> None:
    """A16, C12."""
    game = await venue.lobby("ann")
    assert await code_of(game.start()) == "too_few_seats"
    assert await code_of(game.start("ann")) == "too_few_seats"
    assert game.phase is GamePhase.LOBBY


@at_a_venue
async def test_case_12_the_first_to_bank_the_goal_wins_at_once(venue: Venue) -> None:
    """A10."""
    game = await venue.play("ann", "bo", rolls=(STRAIGHT,), goal=1500)
    await game.roll()
    await game.hold_dice(range(6))
    assert venue.events("GameEnded") == []
    await game.bank()
    assert (game.phase, game.winner, game.end_reason) == (GamePhase.ENDED, game.players[0], GameEndReason.GOAL)
    assert game.end_reason == "WinnerReached5000"
    assert await code_of(game.roll()) == "game_finished"
    assert await code_of(game.roll("bo")) == "game_finished"


@at_a_venue
async def test_case_13_nobody_rolls_again_without_holding_a_die(venue: Venue) -> None:
    """A6."""
    game = await venue.play("ann", "bo", rolls=(ONE,))
    await game.roll()
    assert await code_of(game.roll()) == "must_hold"


@at_a_venue
async def test_case_14_dice_that_do_not_score_cannot_be_held(venue: Venue) -> None:
    """A4."""
    game = await venue.play("ann", "bo", rolls=(ONE,))
    await game.roll()
    assert await code_of(game.hold_dice([1])) == "does_not_score"
    assert await code_of(game.hold_dice([9])) == "bad_index"


@at_a_venue
async def test_case_15_destroying_the_table_ends_the_game_and_tells_everybody(venue: Venue) -> None:
    """A15, C9."""
    game = await venue.play("ann", "bo")
    await venue.service.on_observer_used("oak bench", "eve")
    await venue.service.destroy_game(game.game_id)
    assert (game.phase, game.end_reason, game.winner) == (GamePhase.ABANDONED, LEFT, None)
    assert venue.names[-2:] == ["GameAbandoned", "GameDestroyed"]
    assert venue.events("GameAbandoned") == [{"players": [0, 1]}]
    assert await code_of(game.roll()) == "game_finished"
    assert await code_of(venue.service.destroy_game(game.game_id)) == "no_such_table"
