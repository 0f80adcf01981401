"""AetharnService: the tables, chairs and observer spots of a venue, and the games that are played there."""

from __future__ import annotations

import asyncio

import pytest

from dicehall.core.game import Refused
from dicehall.hall.seeds.aetharn import AetharnService
from dicehall.hall.seeds.aetharn_events import Happened
from dicehall.hall.seeds.aetharn_shapes import GamePhase
from dicehall.store.memory import MemoryJournal
from dicehall.table.ports import Commit
from tests.hall.seeds.small_hall import small_hall
from tests.hall.seeds.venue import ELM, OAK, STRAIGHT, Venue, at_a_venue
from tests.table.hosting import Box, code_of


@at_a_venue
async def test_the_first_to_use_a_chair_makes_the_lobby_of_its_table(venue: Venue) -> None:
    """A16."""
    told: list[Happened] = []
    venue.service.subscribe(told.append)
    assert venue.service.get_game_for_table("oak") is None
    assert venue.service.get_game_for_chair(OAK[0]) is None
    game = await venue.service.on_chair_used(OAK[3], "ann")
    assert told == [Happened("GameCreated", {"game_id": game.game_id, "table": "oak"})]
    assert (game.table, game.phase) == ("oak", GamePhase.LOBBY)
    assert venue.service.get_game(game.game_id) is game
    assert venue.service.get_game_for_table("oak") is game
    assert all(venue.service.get_game_for_chair(chair) is game for chair in OAK)
    assert venue.service.get_game_for_chair(ELM[0]) is None
    assert await venue.service.get_or_create_lobby("oak") is game
    assert venue.service.get_active_games() == (game,)
    assert venue.events("LobbyPlayerJoined") == [{"player": 3, "total_players": 1, "can_start": False}]


@at_a_venue
async def test_each_table_has_its_own_game(venue: Venue) -> None:
    """A16: and one may sit at several."""
    oak = await venue.service.on_chair_used(OAK[0], "ann")
    elm = await venue.service.on_chair_used(ELM[0], "ann")
    assert oak is not elm
    assert set(venue.service.get_active_games()) == {oak, elm}
    assert len(elm.live.state.chairs) == 1
    assert elm.live.state.opened.seats == 2


class SlowJournal(MemoryJournal):
    async def append(self, commit: Commit) -> None:
        await asyncio.sleep(0.01)
        await super().append(commit)


@at_a_venue
async def test_two_who_sit_down_together_sit_in_the_same_lobby(venue: Venue) -> None:
    """A16."""
    hall, told = small_hall(venue.clock, Box(), SlowJournal()), list[Happened]()
    await hall.host.start()
    service = AetharnService(hall)
    service.register_table("oak", OAK)
    service.subscribe(told.append)
    games = await asyncio.gather(service.on_chair_used(OAK[0], "ann"), service.on_chair_used(OAK[1], "bo"))
    assert games[0] is games[1]
    assert [event.name for event in told] == ["GameCreated"]
    assert [player.name for player in games[0].players] == ["Ann", "Bo"]
    await hall.host.stop()


@at_a_venue
async def test_using_ones_own_chair_again_changes_nothing(venue: Venue) -> None:
    """A16."""
    game = await venue.play("ann", "bo")
    stored = game.live.state.seq
    await venue.service.on_chair_used(OAK[1], "bo")
    assert game.live.state.seq == stored


@at_a_venue
async def test_two_who_want_the_same_chair_do_not_both_get_it(venue: Venue) -> None:
    """A16."""
    await venue.service.on_chair_used(OAK[0], "ann")
    assert await code_of(venue.service.on_chair_used(OAK[0], "bo")) == "seat_taken"
    assert await code_of(venue.service.on_chair_used(OAK[0], "ann")) == "already_seated"


@at_a_venue
async def test_another_free_chair_of_the_table_moves_one_there(venue: Venue) -> None:
    """A16: leaving the old chair, which the world notices later, changes nothing."""
    game = await venue.lobby("ann", "bo")
    await venue.service.on_chair_used(OAK[4], "ann")
    await venue.service.on_player_left_chair(OAK[0], "ann")
    assert [(player.name, player.assigned_chair, player.seat) for player in game.players] == [
        ("Bo", OAK[1], 1),
        ("Ann", OAK[4], 4),
    ]
    assert venue.names[-2:] == ["LobbyPlayerLeft", "LobbyPlayerJoined"]
    assert venue.events("LobbyPlayerLeft") == [{"player": 0, "total_players": 1}]
    assert venue.events("LobbyPlayerJoined")[-1] == {"player": 4, "total_players": 2, "can_start": True}


@at_a_venue
async def test_on_returning_too_one_may_take_another_free_chair(venue: Venue) -> None:
    """A16."""
    game = await venue.play("ann", "bo")
    await game.player_stood_up("bo")
    assert await code_of(venue.service.on_chair_used(OAK[0], "bo")) == "seat_taken"
    await venue.service.on_chair_used(OAK[5], "bo")
    assert (game.players[1].name, game.players[1].assigned_chair) == ("Bo", OAK[5])
    assert [event["player"] for event in venue.events("PlayerReturned")] == [1]


@at_a_venue
async def test_a_lost_connection_counts_as_standing_up_from_a_lobby_only_after_the_grace(venue: Venue) -> None:
    """A16."""
    game = await venue.lobby("ann", "bo")
    await venue.service.on_player_disconnected("bo")
    await venue.until(10_000)
    assert game.absence_tracker.is_absent("bo")
    assert game.absence_tracker.get_remaining_grace("bo") == 55_000
    await venue.until(64_999)
    assert len(game.players) == 2
    await venue.until(66_001)
    assert [player.name for player in game.players] == ["Ann"]
    assert venue.events("LobbyPlayerLeft") == [{"player": 1, "total_players": 1}]


@pytest.mark.parametrize("back_at", [2_000, 40_000], ids=["before it was noticed", "in the grace"])
@at_a_venue
async def test_who_comes_back_to_the_lobby_in_time_sits_on(venue: Venue, back_at: int) -> None:
    """A16."""
    game = await venue.lobby("ann", "bo")
    await venue.service.on_player_disconnected("bo")
    await venue.until(back_at)
    await venue.service.on_chair_used(OAK[1], "bo")
    await venue.until(200_000)
    assert [player.name for player in game.players] == ["Ann", "Bo"]
    assert not game.absence_tracker.is_absent("bo")


@at_a_venue
async def test_a_late_comer_cannot_sit_but_may_watch(venue: Venue) -> None:
    """A16, A17."""
    game = await venue.play("ann", "bo")
    assert await code_of(venue.service.on_chair_used(OAK[5], "late")) == "already_started"
    assert await venue.service.on_observer_used("oak bench", "late") is game
    assert [(one.player, one.name) for one in game.spectators] == [("late", "Late")]


@at_a_venue
async def test_a_game_that_is_over_gives_way_to_the_next_lobby(venue: Venue) -> None:
    """A16: until then it can be looked at."""
    old = await venue.play("ann", "bo", rolls=(STRAIGHT,), goal=1500)
    await old.roll()
    await old.hold_dice(range(6))
    await old.bank()
    assert venue.service.get_game_for_table("oak") is old
    assert venue.service.get_active_games() == ()
    told: list[Happened] = []
    venue.service.subscribe(told.append)
    new = await venue.service.on_chair_used(OAK[0], "bo")
    assert new is not old
    assert [(event.name, event["game_id"]) for event in told] == [
        ("GameDestroyed", old.game_id),
        ("GameCreated", new.game_id),
    ]
    assert venue.service.get_game(old.game_id) is None
    assert old.phase is GamePhase.ENDED  # it was won all the same
    assert await venue.hall.parts.register.ending(old.game_id) is not None


@at_a_venue
async def test_a_game_that_is_over_can_be_cleared_away(venue: Venue) -> None:
    """A16."""
    game = await venue.play("ann", "bo")
    await game.fold("bo")
    await venue.service.destroy_game(game.game_id)
    assert game.phase is GamePhase.ENDED
    assert venue.service.get_game_for_table("oak") is None
    assert await code_of(venue.service.destroy_game("nothing")) == "no_such_table"


@at_a_venue
async def test_a_lobby_can_be_destroyed(venue: Venue) -> None:
    """A15, A16."""
    game = await venue.lobby("ann")
    await venue.service.destroy_game(game.game_id, "The tavern burns.")
    assert venue.events("LobbyCleared") == [{"reason": "The tavern burns."}]
    assert venue.names[-1] == "GameDestroyed"
    assert (await venue.service.on_chair_used(OAK[0], "ann")).game_id != game.game_id


@at_a_venue
async def test_what_is_not_registered_is_refused(venue: Venue) -> None:
    """C2."""
    service = venue.service
    assert await code_of(service.on_chair_used("throne", "ann")) == "no_such_table"
    assert await code_of(service.on_observer_used("roof", "ann")) == "no_such_table"
    assert await code_of(service.on_observer_used("oak bench", "ann")) == "no_such_table"  # nobody plays there
    assert await code_of(service.get_or_create_lobby("ash")) == "no_such_table"
    await service.on_player_left_chair("throne", "ann")
    await service.on_player_left_chair(OAK[0], "ann")
    assert service.get_game_for_table("ash") is None
    assert service.get_game("nothing") is None


@pytest.mark.parametrize(
    ("table", "chairs"),
    [("ash", ["a"]), ("ash", ["a", "a"]), ("oak", ["a", "b"]), ("ash", ["a", OAK[0]])],
    ids=["one chair", "one chair twice", "a known table", "a known chair"],
)
@at_a_venue
async def test_a_table_that_cannot_be_played_at_is_not_registered(venue: Venue, table: str, chairs: list[str]) -> None:
    """A1."""
    with pytest.raises(Refused, match=r"bad_request"):
        venue.service.register_table(table, chairs)
    assert venue.service.get_game_for_chair("a") is None


@at_a_venue
async def test_an_observer_spot_needs_a_table(venue: Venue) -> None:
    """A17."""
    with pytest.raises(Refused, match="no_such_table"):
        venue.service.register_observer("bench", "ash")


@at_a_venue
async def test_more_than_six_chairs_are_left_out(venue: Venue) -> None:
    """A1."""
    venue.service.register_table("long", [f"long {number}" for number in range(8)])
    await venue.service.on_chair_used("long 5", "ann")
    assert await code_of(venue.service.on_chair_used("long 6", "bo")) == "no_such_table"


@at_a_venue
async def test_the_services_events_can_be_read_one_after_another(venue: Venue) -> None:
    """A19."""
    heard = venue.service.events()
    first = asyncio.ensure_future(anext(heard))
    await asyncio.sleep(0)
    game = await venue.lobby("ann")
    assert (await first).name == "GameCreated"
    await venue.service.destroy_game(game.game_id)
    assert (await anext(heard)).name == "GameDestroyed"
    await heard.aclose()
    assert len(venue.service.subscribers.callbacks) == 1  # the venue's own
