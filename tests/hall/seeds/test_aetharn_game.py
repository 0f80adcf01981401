"""AetharnGame: what it shows, what it does, and who may only look."""

from __future__ import annotations

import asyncio

import pytest

from dicehall.hall.seeds.aetharn_events import Happened
from dicehall.hall.seeds.aetharn_shapes import GameEndReason, GamePhase, PlayerPresence, TurnState
from tests.hall.seeds.venue import BUST, ELM, OAK, ONE, STRAIGHT, Venue, at_a_venue
from tests.table.hosting import code_of
from tests.table.virtual import START_MS


def test_the_seeds_words_for_phases_presences_and_endings() -> None:
    """A12, A15, A16."""
    assert [phase.value for phase in GamePhase] == ["Lobby", "InProgress", "Ended", "Abandoned"]
    assert [presence.value for presence in PlayerPresence] == ["Present", "Absent", "Gone"]
    assert [reason.value for reason in GameEndReason] == ["WinnerReached5000", "LastPlayerStanding", "AllPlayersLeft"]


@at_a_venue
async def test_a_lobby_shows_who_sits_there_and_nothing_of_a_game(venue: Venue) -> None:
    """A16."""
    game = await venue.lobby("ann", "bo")
    assert game.phase is GamePhase.LOBBY
    ann = game.players[0]
    assert (ann.player, ann.name, ann.seat, ann.score, ann.has_folded) == ("ann", "Ann", 0, 0, False)
    assert (ann.presence, ann.absent_since, ann.assigned_chair) == (PlayerPresence.PRESENT, None, OAK[0])
    shown = (game.current_player, game.current_turn, game.winner, game.end_reason, game.turn_start_time)
    assert shown == (None,) * 5
    assert game.turn_time_remaining is None
    assert (game.winning_score, game.turn_time_limit, game.absence_grace_period) == (5000, 30_000, 60_000)
    for refused in (game.roll(), game.hold_dice([0]), game.bank()):
        assert await code_of(refused) == "too_few_seats"


@at_a_venue
async def test_house_rules_of_a_venue_hold_at_its_tables(venue: Venue) -> None:
    """C6."""
    game = await venue.play("ann", "bo", goal=2000, turn_seconds=None, grace_seconds=20)
    assert (game.winning_score, game.turn_time_limit, game.absence_grace_period) == (2000, None, 20_000)
    assert game.current_player is not None
    assert game.turn_time_remaining is None


@at_a_venue
async def test_a_turn_shows_its_dice_and_points(venue: Venue) -> None:
    """A5, A8."""
    game = await venue.play("ann", "bo", rolls=((1, 5, 2, 3, 3, 6), (1, 1, 1, 5), STRAIGHT))

    def turn() -> TurnState:
        assert game.current_turn is not None
        return game.current_turn

    assert (game.phase, game.current_player) == (GamePhase.IN_PROGRESS, game.players[0])
    assert turn() == TurnState(game.players[0], 0, (), (), 6, False)
    await game.roll()
    assert turn() == TurnState(game.players[0], 0, (1, 5, 2, 3, 3, 6), (), 6, False)
    await game.hold_dice([0])
    await game.hold_dice([1])
    assert turn() == TurnState(game.players[0], 150, (1, 5, 2, 3, 3, 6), (0, 1), 4, False)
    await game.roll()
    await game.hold_dice([0, 1, 2, 3])
    assert (turn().accumulated_points, turn().remaining_dice, turn().has_used_hot_dice) == (1200, 0, False)
    await game.roll()
    assert (turn().remaining_dice, turn().has_used_hot_dice) == (6, True)
    await game.hold_dice(range(6))
    await game.bank("ann")
    assert [player.score for player in game.players] == [2700, 0]
    assert game.current_player == game.players[1]


@at_a_venue
async def test_the_clock_of_a_turn_is_shown_and_hot_dice_start_it_afresh(venue: Venue) -> None:
    """A8, A9."""
    game = await venue.play("ann", "bo", rolls=(STRAIGHT,))
    await venue.until(12_000)
    assert (game.turn_start_time, game.turn_time_remaining) == (START_MS, 18_000)
    await game.roll()
    await game.hold_dice(range(6))
    assert (game.turn_start_time, game.turn_time_remaining) == (START_MS + 12_000, 30_000)


@at_a_venue
async def test_a_player_who_folds_is_out_for_good(venue: Venue) -> None:
    """A11, A15."""
    game = await venue.play("ann", "bo", "cy")
    await game.fold(game.players[1])
    assert [player.has_folded for player in game.players] == [False, True, False]
    assert game.players[1].presence is PlayerPresence.PRESENT
    assert await code_of(game.roll("bo")) == "seat_is_out"
    await game.fold("cy")
    assert (game.phase, game.winner) == (GamePhase.ENDED, game.players[0])
    assert await code_of(game.fold("ann")) == "game_finished"


@at_a_venue
async def test_anybody_seated_may_start_and_nobody_else(venue: Venue) -> None:
    """A16, C12."""
    game = await venue.lobby("ann", "bo")
    assert await code_of(game.start("eve")) == "not_seated"
    await game.start("bo")
    assert game.phase is GamePhase.IN_PROGRESS
    assert await code_of(game.start()) == "already_started"


@at_a_venue
async def test_while_the_table_waits_no_turn_runs(venue: Venue) -> None:
    """A14."""
    game = await venue.play("ann", "bo", rolls=(BUST,), grace_seconds=300)
    await game.player_stood_up("ann")
    await game.player_stood_up("bo")
    await venue.until(31_001)
    assert (game.phase, game.current_player, game.current_turn) == (GamePhase.IN_PROGRESS, None, None)
    assert (game.turn_start_time, game.turn_time_remaining) == (None, None)
    assert await code_of(game.roll()) == "not_your_turn"
    await venue.service.on_chair_used(OAK[1], "bo")
    assert game.current_player == game.players[1]
    assert game.turn_time_remaining == 30_000


@at_a_venue
async def test_a_player_cannot_sit_in_a_chair_of_another_table(venue: Venue) -> None:
    """A16."""
    game = await venue.lobby("ann")
    assert await code_of(game.player_sat_down("bo", ELM[0])) == "bad_request"
    assert await code_of(game.player_stood_up("bo")) == "not_seated"


# -- spectators ----------------------------------------------------------------------------------------------


@at_a_venue
async def test_spectators_come_and_go(venue: Venue) -> None:
    """A17, A19."""
    game = await venue.play("ann", "bo")
    await game.add_spectator("eve")
    await game.add_spectator("flo")
    await game.add_spectator("eve")  # she watches already
    assert [one.player for one in game.spectators] == ["eve", "flo"]
    await game.remove_spectator("eve")
    await game.remove_spectator("eve")
    assert [(one.player, one.name) for one in game.spectators] == [("flo", "Flo")]
    assert venue.events("SpectatorJoined") == [
        {"spectator": "Eve", "total_spectators": 1},
        {"spectator": "Flo", "total_spectators": 2},
    ]
    assert venue.events("SpectatorLeft") == [{"spectator": "Eve", "total_spectators": 1}]


@at_a_venue
async def test_spectators_can_do_nothing(venue: Venue) -> None:
    """A17."""
    game = await venue.play("ann", "bo")
    await game.add_spectator("eve")
    stored = game.live.state.seq
    acts = (
        game.roll("eve"),
        game.hold_dice([0], "eve"),
        game.bank("eve"),
        game.fold("eve"),
        game.player_stood_up("eve"),
    )
    for act in acts:
        assert await code_of(act) == "not_seated"
    assert await code_of(game.start("eve")) == "already_started"
    assert game.live.state.seq == stored


@at_a_venue
async def test_a_seated_player_is_no_spectator_and_a_spectator_who_sits_down_is_none_any_more(venue: Venue) -> None:
    """A16, A17: an absent player returns by the chair, never by looking."""
    game = await venue.lobby("ann", "bo")
    await game.add_spectator("cy")
    await venue.service.on_chair_used(OAK[2], "cy")
    assert game.spectators == ()
    await game.start()
    await game.player_stood_up("bo")
    assert await code_of(venue.service.on_observer_used("oak bench", "bo")) == "already_seated"
    assert game.players[1].presence is PlayerPresence.ABSENT


@at_a_venue
async def test_who_folded_and_left_the_chair_may_watch(venue: Venue) -> None:
    """A17."""
    game = await venue.play("ann", "bo", "cy")
    await game.fold("bo")
    await game.player_stood_up("bo")
    await game.add_spectator("bo")
    assert [one.player for one in game.spectators] == ["bo"]


@at_a_venue
async def test_a_spectator_who_loses_the_connection_is_gone(venue: Venue) -> None:
    """A17."""
    game = await venue.play("ann", "bo")
    await game.add_spectator("eve")
    await venue.service.on_player_disconnected("eve")
    assert game.spectators == ()


@at_a_venue
async def test_who_watches_by_another_door_of_the_hall_is_a_spectator_too(venue: Venue) -> None:
    """A17: there is one table behind all doors."""

    class Socket:
        id = "p1:socket"

        def push(self, message: bytes) -> None:
            return

        def offer(self, message: bytes) -> None:
            return

    game = await venue.play("ann", "bo")
    await venue.hall.watch("eve", game.game_id, Socket())
    assert [(one.player, one.name) for one in game.spectators] == [("eve", "Eve")]
    assert venue.events("SpectatorJoined") == [{"spectator": "Eve", "total_spectators": 1}]


# -- subscriptions -------------------------------------------------------------------------------------------


@at_a_venue
async def test_a_subscription_may_name_its_events_and_end(venue: Venue) -> None:
    """A19."""
    heard: list[Happened] = []
    game = await venue.play("ann", "bo", rolls=(BUST, BUST, ONE))
    stop = game.subscribe(heard.append, "DiceRolled", "TurnEnded")
    await game.roll()
    assert [event.name for event in heard] == ["DiceRolled", "TurnEnded"]
    assert heard[0]["dice_values"] == list(BUST)
    stop()
    stop()
    await game.roll()
    assert len(heard) == 2


@at_a_venue
async def test_the_events_of_a_game_can_be_read_until_it_is_destroyed(venue: Venue) -> None:
    """A19."""
    game = await venue.play("ann", "bo", rolls=(BUST,))

    async def read() -> list[str]:
        return [event.name async for event in game.events() if event.name != "TimerTick"]

    reading = asyncio.create_task(read())
    await asyncio.sleep(0)
    await game.roll()
    await venue.service.destroy_game(game.game_id)
    told = ["DiceRolled", "PlayerBusted", "TurnEnded", "TurnStarted", "GameAbandoned", "GameDestroyed"]
    assert await reading == told


@pytest.mark.parametrize("fails", [True, False], ids=["before", "after"])
def test_a_subscriber_that_fails_keeps_nobody_else_from_hearing(fails: bool) -> None:
    """A19."""

    @at_a_venue
    async def at_the_table(venue: Venue) -> None:
        game = await venue.play("ann", "bo", rolls=(BUST,))
        reported: list[dict[str, object]] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: reported.append(context))
        heard: list[str] = []

        def fail(event: Happened) -> None:
            raise LookupError(event.name)

        listeners = [fail, lambda event: heard.append(event.name)]
        for listener in listeners if fails else reversed(listeners):
            game.subscribe(listener, "DiceRolled")
        await game.roll()
        assert heard == ["DiceRolled"]
        assert [str(one["exception"]) for one in reported] == ["DiceRolled"]
        assert game.current_player == game.players[1]

    at_the_table()
