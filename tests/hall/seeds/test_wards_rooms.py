"""Rooms of Dice Wards: how they come to be, how they are listed, how they end (W10)."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from dicehall.dice.words import commitment
from dicehall.hall.opening import Opening
from dicehall.hall.register import PAGE
from dicehall.hall.seeds.wards_words import OPERATOR
from dicehall.table.clocks import KEEP_MS
from dicehall.table.requests import Carry, Lose, OpenWords, Sit, Stand
from tests.hall.seeds.seed_world import SeedWorld, in_a_hall, wrong
from tests.table.hosting import code_of


@in_a_hall
async def test_a_room_waits_with_its_creator_as_player_one(world: SeedWorld) -> None:
    """W1, W10: the game has the room's id before it began."""
    (ann,) = await world.guests("Ann")
    await world.after(5)
    room = await world.lobbies.createRoom(ann, "  Five  o'clock ")
    assert msgspec.to_builtins(room) == {
        "id": "room1",
        "name": "Five o'clock",
        "owner": ann,
        "player1": ann,
        "player2": None,
        "status": "WaitingForPlayers",
        "gameId": "room1",
        "createdAt": world.clock.now(),
    }
    assert await world.lobbies.getRoom(ann, "room1") == room
    assert await world.lobbies.getRoom(OPERATOR, "room1") == room


@in_a_hall
async def test_the_second_join_starts_the_game_at_once_and_answers_its_id(world: SeedWorld) -> None:
    """W10: nobody was asked for words."""
    ann, bo = await world.guests("Ann", "Bo")
    room = await world.lobbies.createRoom(ann, "a room")
    await world.after(70_000)
    assert await world.lobbies.joinRoom(bo, room.id) == room.gameId == room.id
    joined = await world.lobbies.getRoom(bo, room.id)
    assert (joined.player1, joined.player2, joined.status) == (ann, bo, "InGame")
    assert joined.createdAt == room.createdAt
    view = await world.engine.getGameState(bo, room.id)
    assert (view.status, view.activePlayer, view.createdAt) == ("InProgress", "P1", world.clock.now())


@pytest.mark.parametrize("name", ["", "   ", "x" * 25, "a\x00b", "a\u202eb", 7])
@in_a_hall
async def test_a_room_needs_a_name_of_at_most_24_characters(world: SeedWorld, name: object) -> None:
    """W11: else nothing is opened."""
    (ann,) = await world.guests("Ann")
    assert await wrong(world.lobbies.createRoom(ann, name)) == "InvalidState"
    assert await world.lobbies.listRooms(ann) == []
    assert (await world.lobbies.createRoom(ann, "x" * 24)).name == "x" * 24


@in_a_hall
async def test_two_rooms_may_have_the_same_name_and_the_same_people(world: SeedWorld) -> None:
    """W10: one room is one game, and one can play in many."""
    ann, bo = await world.guests("Ann", "Bo")
    rooms = [await world.lobbies.createRoom(ann, "ours") for _ in range(2)]
    assert len({await world.lobbies.joinRoom(bo, room.id) for room in rooms}) == 2
    await world.engine.hold(ann, rooms[0].id)
    assert [(await world.engine.getGameState(bo, room.id)).activePlayer for room in rooms] == ["P2", "P1"]


@in_a_hall
async def test_a_room_is_finished_with_its_game_and_is_never_used_again(world: SeedWorld) -> None:
    """W10."""
    ann, bo, room = await world.won_pair()
    shown = await world.lobbies.getRoom(bo, room)
    assert (shown.status, shown.player1, shown.player2) == ("Finished", ann, bo)
    assert await wrong(world.engine.initGame(OPERATOR, room, ann, bo)) == "InvalidState"


@in_a_hall
async def test_nobody_takes_the_creators_chair_in_the_moment_before_they_sit_down(world: SeedWorld) -> None:
    """W1, W10: a quick one finds no game to start, also if the process dies in between."""
    ann, bo = await world.guests("Ann", "Bo")
    world.journal.seconds = 1.0
    creating = asyncio.ensure_future(world.lobbies.createRoom(ann, "hasty"))
    await world.after(1_500)
    assert world.live("room1").state.chairs == ()  # opened, but Ann does not sit yet
    await world.die()
    creating.cancel()
    world.journal.seconds = 0.0
    await world.boot()
    assert await wrong(world.lobbies.joinRoom(bo, "room1")) == "InvalidState"
    alone = await world.lobbies.getRoom(bo, "room1")
    assert (alone.owner, alone.player1, alone.player2, alone.status) == (ann, None, None, "WaitingForPlayers")
    await world.lobbies.joinRoom(ann, "room1")
    await world.lobbies.joinRoom(bo, "room1")
    begun = await world.lobbies.getRoom(ann, "room1")
    assert (begun.player1, begun.player2, begun.status) == (ann, bo, "InGame")


@in_a_hall
async def test_a_creator_who_left_may_come_back_to_the_own_seat(world: SeedWorld) -> None:
    """W1, W10."""
    ann, bo = await world.guests("Ann", "Bo")
    room = (await world.lobbies.createRoom(ann, "wait for me")).id
    await world.hall.ask(ann, room, Stand())
    assert await wrong(world.lobbies.joinRoom(bo, room)) == "InvalidState"
    left = await world.lobbies.getRoom(bo, room)
    assert (left.player1, left.player2, left.status) == (None, None, "WaitingForPlayers")
    await world.lobbies.joinRoom(ann, room)
    await world.lobbies.joinRoom(bo, room)
    view = await world.engine.getGameState(ann, room)
    assert (view.me, view.player1, view.player2) == ("P1", ann, bo)


@in_a_hall
async def test_a_join_that_races_with_the_creators_leaving_is_never_ok_for_a_game_without_them(
    world: SeedWorld,
) -> None:
    """W10: whoever comes first, either the game begins or the join is refused."""
    ann, bo = await world.guests("Ann", "Bo")
    world.journal.seconds = 0.1
    room = (await world.lobbies.createRoom(ann, "hasty")).id
    leaving, joining = world.hall.ask(ann, room, Stand()), world.lobbies.joinRoom(bo, room)
    _, joined = await asyncio.gather(leaving, joining, return_exceptions=True)
    assert getattr(joined, "name", None) == "InvalidState"
    assert (await world.lobbies.getRoom(bo, room)).player2 is None


@in_a_hall
async def test_a_table_of_the_hall_is_a_room_and_starts_when_its_words_are_opened(world: SeedWorld) -> None:
    """W10: both seats are taken, and still it waits."""
    ann, bo, cy = await world.guests("Ann", "Bo", "Cy")
    table = await world.hall.open(ann, Opening("wards", name="in the hall"))
    shown = await world.lobbies.getRoom(bo, table)
    assert (shown.owner, shown.player1, shown.status) == (ann, None, "WaitingForPlayers")
    words = "Ann says " + "0f" * 16
    await world.hall.sit(ann, table, seat=1, commitment=commitment(words))
    assert (await world.lobbies.getRoom(bo, table)).player2 == ann
    assert await world.lobbies.joinRoom(bo, table) == table
    assert (await world.lobbies.getRoom(bo, table)).status == "WaitingForPlayers"
    assert await wrong(world.engine.getGameState(bo, table)) == "InvalidState"
    assert await wrong(world.lobbies.joinRoom(cy, table)) == "RoomFull"
    await world.hall.ask(ann, table, OpenWords(words))
    view = await world.engine.getGameState(ann, table)
    assert (view.status, view.me, view.player1) == ("InProgress", "P2", bo)


@in_a_hall
async def test_where_seats_are_drawn_the_players_are_those_of_the_game(world: SeedWorld) -> None:
    """W10: face 2 of two puts the second to sit first."""
    ann, bo = await world.guests("Ann", "Bo")
    world.box.named[1] = (2,)
    table = await world.hall.open(ann, Opening("wards", drawn=True))
    for account in (ann, bo):
        await world.lobbies.joinRoom(account, table)
    room = await world.lobbies.getRoom(ann, table)
    assert (room.owner, room.player1, room.player2) == (ann, bo, ann)
    assert (await world.engine.getGameState(ann, table)).me == "P2"


@in_a_hall
async def test_rooms_are_listed_newest_first_by_status_and_page(world: SeedWorld) -> None:
    """W10."""
    ann, bo = await world.guests("Ann", "Bo")
    made = []
    for number in range(PAGE + 3):
        await world.after(1)
        made.append((await world.lobbies.createRoom(ann, f"room {number}")).id)
    await world.hall.open(ann, Opening("tenthousand"))
    secret = await world.hall.open(ann, Opening("wards", public=False))
    newest = made[::-1]
    assert [room.id for room in await world.lobbies.listRooms(bo)] == newest[:PAGE]
    assert [room.id for room in await world.lobbies.listRooms(bo, page=0)] == newest[:PAGE]
    assert [room.id for room in await world.lobbies.listRooms(OPERATOR, None, 1)] == newest[PAGE:]
    assert await world.lobbies.listRooms(bo, page=10**30) == []
    assert (await world.lobbies.getRoom(bo, secret)).id == secret  # who has the link
    for room in newest[:2]:
        await world.lobbies.joinRoom(bo, room)
    await world.destroy(newest[2])
    by_status = {
        status: [room.id for room in await world.lobbies.listRooms(bo, status)]
        for status in ("WaitingForPlayers", "InGame", "Finished")
    }
    assert by_status == {
        "WaitingForPlayers": newest[3 : PAGE + 3],
        "InGame": newest[:2],
        "Finished": newest[2:3],
    }


@in_a_hall
async def test_a_room_is_listed_as_it_is_when_the_time_is_out_at_this_very_moment(world: SeedWorld) -> None:
    """W6: a win by the clock that no timer has written yet."""
    world.box.named[1] = (6,)
    ann, bo, room = await world.short_pair()
    await world.engine.roll(ann, room)
    await world.after(30_000)
    assert await world.lobbies.listRooms(bo, "InGame") == []
    assert [one.status for one in await world.lobbies.listRooms(bo)] == ["Finished"]
    assert (await world.lobbies.listRooms(bo, "Finished"))[0].id == room


@pytest.mark.parametrize("status", ["waiting", "finished", "", 1, ["InGame"]])
@in_a_hall
async def test_a_status_that_no_room_has_cannot_be_listed(world: SeedWorld, status: object) -> None:
    """W11."""
    (ann,) = await world.guests("Ann")
    assert await wrong(world.lobbies.listRooms(ann, status)) == "InvalidState"


@pytest.mark.parametrize("page", [-1, True, 1.0, "1", []])
@in_a_hall
async def test_a_page_that_is_no_number_cannot_be_turned_to(world: SeedWorld, page: object) -> None:
    """W11."""
    (ann,) = await world.guests("Ann")
    assert await wrong(world.lobbies.listRooms(ann, None, page)) == "InvalidState"


@in_a_hall
async def test_of_an_archived_room_all_is_shown_that_was_shown_before(world: SeedWorld) -> None:
    """W9, W10, W13: only its record is left."""
    ann, bo, room = await world.won_pair()
    (cy,) = await world.guests("Cy")

    async def seen() -> object:
        views = [await world.engine.getGameState(who, room) for who in (ann, bo)]
        return views, await world.lobbies.getRoom(bo, room), await world.lobbies.listRooms(bo, "Finished")

    before = await seen()
    await world.after(KEEP_MS + 1_000)
    assert await world.journal.rows(room) == []
    assert await seen() == before
    assert await wrong(world.engine.roll(bo, room)) == "GameFinished"
    assert await wrong(world.engine.roll(cy, room)) == "Unauthorized"
    assert await wrong(world.lobbies.joinRoom(ann, room)) == "AlreadyInRoom"
    assert await wrong(world.lobbies.joinRoom(cy, room)) == "RoomFull"
    await world.dead_for(1_000)
    assert await seen() == before


@in_a_hall
async def test_a_destroyed_room_is_finished_also_when_its_table_is_put_away(world: SeedWorld) -> None:
    """C9, W10: who sat there is known all the same."""
    ann, bo, room = await world.pair()
    waiting = (await world.lobbies.createRoom(ann, "waits")).id
    for table in (room, waiting):
        await world.destroy(table)
    await world.after(KEEP_MS + 1_000)
    assert await world.journal.rows(room) == await world.journal.rows(waiting) == []
    listed = await world.lobbies.listRooms(ann, "Finished")
    assert {one.id for one in listed} == {room, waiting}
    for one in listed:
        other = bo if one.id == room else None
        assert (one.owner, one.player1, one.player2, one.status) == (ann, ann, other, "Finished")
        assert (await world.engine.getGameState(ann, one.id)).status == "Finished"
        assert await wrong(world.lobbies.joinRoom(ann, one.id)) == "AlreadyInRoom"
    assert await wrong(world.engine.getGameState(bo, waiting)) == "Unauthorized"
    assert await wrong(world.lobbies.joinRoom(bo, waiting)) == "RoomFull"
    assert await code_of(world.hall.record(ann, waiting)) == "too_few_seats"


@in_a_hall
async def test_the_operator_may_begin_the_game_of_a_room_that_waits(world: SeedWorld) -> None:
    """W10, W11: what the second join does by itself."""
    ann, bo = await world.guests("Ann", "Bo")
    room = (await world.lobbies.createRoom(ann, "arranged")).id
    view = await world.engine.initGame(OPERATOR, room, ann, bo)
    assert (view.roomId, view.player1, view.player2, view.me) == (room, ann, bo, None)
    assert (view.status, view.turnId, view.remainingMs) == ("InProgress", 1, 30_000)
    assert await wrong(world.engine.initGame(OPERATOR, room, ann, bo)) == "InvalidState"
    empty = await world.hall.open(ann, Opening("wards"))
    view = await world.engine.initGame(OPERATOR, empty, bo, ann)
    assert (view.player1, view.player2, view.status) == (bo, ann, "InProgress")


@in_a_hall
async def test_the_operator_may_not_move_people_or_seat_who_is_nobody(world: SeedWorld) -> None:
    """W11: nothing is changed."""
    ann, bo, cy = await world.guests("Ann", "Bo", "Cy")
    room = (await world.lobbies.createRoom(ann, "arranged")).id
    rows = world.journal.stored(room)
    for first, second in ((ann, ann), (bo, ann), (bo, cy), (ann, "nobody")):
        assert await wrong(world.engine.initGame(OPERATOR, room, first, second)) == "InvalidState"
    assert world.journal.stored(room) == rows
    world.journal.seconds = 0.5
    both = (world.lobbies.joinRoom(cy, room), world.engine.initGame(OPERATOR, room, ann, bo))
    joined, begun = await asyncio.gather(*both, return_exceptions=True)
    assert joined == room
    assert getattr(begun, "name", None) == "InvalidState"


@in_a_hall
async def test_nobody_joins_a_room_whose_creator_is_away_with_unopened_words(world: SeedWorld) -> None:
    """W10, W11: the game could not start, so neither a join nor the operator is told that it did."""
    ann, bo = await world.guests("Ann", "Bo")
    room = (await world.lobbies.createRoom(ann, "back soon")).id
    await world.hall.ask(ann, room, Sit("Ann", commitment=commitment("mine"), conn="c1"))
    await world.hall.ask(ann, room, Lose("c1"))
    assert await wrong(world.lobbies.joinRoom(bo, room)) == "InvalidState"
    assert await wrong(world.engine.initGame(OPERATOR, room, ann, bo)) == "InvalidState"
    shown = await world.lobbies.getRoom(bo, room)
    assert (shown.player1, shown.player2, shown.status) == (ann, None, "WaitingForPlayers")
    await world.hall.ask(ann, room, Carry("c2"))
    assert await world.lobbies.joinRoom(bo, room) == room
    await world.hall.ask(ann, room, OpenWords("mine"))
    assert (await world.lobbies.getRoom(bo, room)).status == "InGame"
