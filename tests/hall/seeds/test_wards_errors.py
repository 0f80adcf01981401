"""The seven errors of Dice Wards' own interface, and the order in which they are checked (W11)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from dicehall.hall.opening import Opening, WantedBot
from dicehall.hall.seeds.wards_words import NAMES, OPERATOR, WardsError, Wrong
from dicehall.table.requests import Depute
from tests.hall.seeds.seed_world import SeedWorld, in_a_hall, wrong
from tests.table.hosting import code_of

# Every method of the three services, with how many arguments it takes.
METHODS = {
    "profiles.upsertProfile": 1,
    "profiles.getMyProfile": 0,
    "profiles.getProfile": 1,
    "profiles.onGameFinished": 2,
    "lobbies.createRoom": 1,
    "lobbies.joinRoom": 1,
    "lobbies.listRooms": 0,
    "lobbies.getRoom": 1,
    "engine.initGame": 3,
    "engine.roll": 1,
    "engine.hold": 1,
    "engine.getGameState": 1,
    "engine.checkTimeout": 1,
}
SERVICE = ("profiles.onGameFinished", "engine.initGame")
PERSONAL = (
    "profiles.upsertProfile",
    "profiles.getMyProfile",
    "lobbies.createRoom",
    "lobbies.joinRoom",
    "engine.roll",
    "engine.hold",
    "engine.getGameState",
    "engine.checkTimeout",
)
OF_A_ROOM = ("lobbies.joinRoom", "lobbies.getRoom", "engine.roll", "engine.hold", "engine.getGameState")


def method(world: SeedWorld, name: str) -> Any:
    service, _, called = name.partition(".")
    return getattr(getattr(world, service), called)


@pytest.mark.parametrize("name", METHODS)
@in_a_hall
async def test_who_is_not_signed_in_gets_unauthorized_before_all_else(world: SeedWorld, name: str) -> None:
    """W11: also with arguments that would be wrong, for rooms that are not there."""
    called = method(world, name)
    assert await wrong(called(None)) == "Unauthorized"
    assert await wrong(called(None, *[17] * METHODS[name])) == "Unauthorized"
    assert await wrong(called(None, *["nowhere"] * METHODS[name])) == "Unauthorized"


@pytest.mark.parametrize("name", SERVICE)
@in_a_hall
async def test_a_person_gets_unauthorized_from_a_service_method_before_rooms_or_arguments(
    world: SeedWorld, name: str
) -> None:
    """W11."""
    (ann,) = await world.guests("Ann")
    called = method(world, name)
    assert await wrong(called(ann)) == "Unauthorized"
    assert await wrong(called(ann, *[17] * METHODS[name])) == "Unauthorized"
    assert await wrong(called("operator", *["nowhere"] * METHODS[name])) == "Unauthorized"  # whoever calls himself so


@pytest.mark.parametrize("name", PERSONAL)
@in_a_hall
async def test_the_operator_is_no_person(world: SeedWorld, name: str) -> None:
    """W11: who plays signs in."""
    *_, room = await world.pair()
    assert await wrong(method(world, name)(OPERATOR, *[room] * METHODS[name])) == "Unauthorized"


@pytest.mark.parametrize("name", [name for name in METHODS if METHODS[name]])
@pytest.mark.parametrize("bad", [None, 17, 1.5, True, ["room1"], {"id": "room1"}, b"room1"])
@in_a_hall
async def test_an_argument_that_is_missing_or_of_a_wrong_type_is_an_invalid_state(
    world: SeedWorld, name: str, bad: object
) -> None:
    """W11."""
    ann, *_ = await world.pair()
    caller = OPERATOR if name in SERVICE else ann
    called = method(world, name)
    assert await wrong(called(caller)) == "InvalidState"
    for position in range(METHODS[name]):
        arguments: list[object] = ["room1"] * METHODS[name]
        arguments[position] = bad
        assert await wrong(called(caller, *arguments)) == "InvalidState"


@pytest.mark.parametrize("name", OF_A_ROOM)
@in_a_hall
async def test_a_room_that_is_not_there_is_not_found(world: SeedWorld, name: str) -> None:
    """W11: a table of another game is no room either."""
    (ann,) = await world.guests("Ann")
    other = await world.hall.open(ann, Opening("mana"))
    for room in ("nowhere", "", other):
        assert await wrong(method(world, name)(ann, room)) == "RoomNotFound"
    assert await wrong(world.engine.initGame(OPERATOR, "nowhere", ann, ann)) == "RoomNotFound"


@in_a_hall
async def test_joining_checks_already_in_room_then_room_full_also_after_the_finish(world: SeedWorld) -> None:
    """W11."""
    (cy,) = await world.guests("Cy")
    ann = (await world.guests("Dee"))[0]
    waiting = (await world.lobbies.createRoom(ann, "waits")).id
    assert await wrong(world.lobbies.joinRoom(ann, waiting)) == "AlreadyInRoom"
    ann, bo, room = await world.won_pair()
    for player in (ann, bo):
        assert await wrong(world.lobbies.joinRoom(player, room)) == "AlreadyInRoom"
    assert await wrong(world.lobbies.joinRoom(cy, room)) == "RoomFull"
    running = (await world.lobbies.createRoom(ann, "runs")).id
    await world.lobbies.joinRoom(bo, running)
    for player in (ann, bo):
        assert await wrong(world.lobbies.joinRoom(player, running)) == "AlreadyInRoom"
    assert await wrong(world.lobbies.joinRoom(cy, running)) == "RoomFull"


@pytest.mark.parametrize("name", ["roll", "hold", "getGameState", "checkTimeout"])
@in_a_hall
async def test_who_does_not_play_is_unauthorized_before_the_state_of_the_room_matters(
    world: SeedWorld, name: str
) -> None:
    """W11: in a room that waits, runs, or is finished."""
    (cy,) = await world.guests("Cy")
    called = getattr(world.engine, name)
    ann, bo, finished = await world.won_pair()
    waiting = (await world.lobbies.createRoom(ann, "waits")).id
    running = (await world.lobbies.createRoom(ann, "runs")).id
    await world.lobbies.joinRoom(bo, running)
    for room in (waiting, running, finished):
        assert await wrong(called(cy, room)) == "Unauthorized"
    assert await wrong(called(ann, waiting)) == "InvalidState"


@in_a_hall
async def test_after_the_finish_acting_answers_game_finished_and_looking_gives_the_last_state(
    world: SeedWorld,
) -> None:
    """W9, W11: whoever's turn it might have been."""
    ann, bo, room = await world.won_pair()
    rows = world.journal.stored(room)
    for player in (ann, bo):
        assert await wrong(world.engine.roll(player, room)) == "GameFinished"
        assert await wrong(world.engine.hold(player, room)) == "GameFinished"
        for look in (world.engine.getGameState, world.engine.checkTimeout):
            view = await look(player, room)
            assert (view.status, view.winner) == ("Finished", "P1")
    assert world.journal.stored(room) == rows


@in_a_hall
async def test_an_action_out_of_turn_is_not_your_turn_and_changes_nothing(world: SeedWorld) -> None:
    """W5, W11: not even the clock."""
    ann, bo, room = await world.pair()
    await world.after(10_000)
    rows = world.journal.stored(room)
    for act in (world.engine.roll, world.engine.hold):
        assert await wrong(act(bo, room)) == "NotYourTurn"
    assert world.journal.stored(room) == rows
    assert (await world.engine.getGameState(ann, room)).remainingMs == 20_000


@in_a_hall
async def test_an_action_of_a_seat_whose_time_is_out_finds_the_time_out_applied(world: SeedWorld) -> None:
    """W7, W11: in the very millisecond of the deadline, before any timer rang."""
    ann, bo, room = await world.pair()
    await world.after(30_000)
    assert await wrong(world.engine.roll(ann, room)) == "NotYourTurn"
    view = await world.engine.getGameState(bo, room)
    assert (view.activePlayer, view.turnId, view.remainingMs) == ("P2", 2, 30_000)


@in_a_hall
async def test_an_action_after_a_time_out_that_won_answers_game_finished(world: SeedWorld) -> None:
    """W6, W9, W11: the same as if a timer had fired."""
    world.box.named[1] = (6,)
    ann, bo, room = await world.short_pair()
    await world.engine.roll(ann, room)
    await world.after(30_000)
    assert await wrong(world.engine.hold(ann, room)) == "GameFinished"
    assert await wrong(world.engine.roll(bo, room)) == "GameFinished"
    assert (await world.engine.getGameState(bo, room)).winner == "P1"


@in_a_hall
async def test_a_room_that_was_destroyed_is_finished_and_nobody_won(world: SeedWorld) -> None:
    """C9, W11: while it waited, or in its game."""
    ann, bo, room = await world.pair()
    (cy,) = await world.guests("Cy")
    waiting = (await world.lobbies.createRoom(ann, "waits")).id
    for table in (room, waiting):
        await world.destroy(table)
        assert (await world.lobbies.getRoom(ann, table)).status == "Finished"
        assert await wrong(world.engine.roll(ann, table)) == "GameFinished"
        assert await wrong(world.lobbies.joinRoom(ann, table)) == "AlreadyInRoom"
        assert await wrong(world.lobbies.joinRoom(cy, table)) == "RoomFull"
        view = await world.engine.getGameState(ann, table)
        assert (view.status, view.winner, view.turnStartedAt, view.turnExpiresAt) == ("Finished", None, None, None)
    assert [(await world.profiles.getProfile(bo, who)).gamesPlayed for who in (ann, bo)] == [0, 0]  # type: ignore[union-attr]


@in_a_hall
async def test_a_locked_room_lets_nobody_in_by_this_door(world: SeedWorld) -> None:
    """W11: the seed knows no passwords, so its door has no place for one."""
    ann, bo = await world.guests("Ann", "Bo")
    table = await world.hall.open(ann, Opening("wards", password="open sesame"))
    assert await wrong(world.lobbies.joinRoom(bo, table)) == "Unauthorized"
    await world.hall.sit(bo, table, password="open sesame")
    assert await wrong(world.lobbies.joinRoom(bo, table)) == "AlreadyInRoom"


@in_a_hall
async def test_while_a_bot_stands_in_its_person_may_look_but_not_act(world: SeedWorld) -> None:
    """C9, W11."""
    ann, _, room = await world.pair()
    await world.hall.ask(ann, room, Depute("greedy"))
    assert await wrong(world.engine.roll(ann, room)) == "Unauthorized"
    assert (await world.engine.getGameState(ann, room)).me == "P1"


@in_a_hall
async def test_an_outage_is_none_of_the_seven(world: SeedWorld) -> None:
    """C5, W11: nobody is told that the room is full because the disk is."""
    ann, _, room = await world.pair()
    world.journal.refusing = 1
    assert await code_of(world.engine.roll(ann, room)) == "store_unavailable"
    assert (await world.engine.roll(ann, room)).turnId in (1, 2)


def test_every_error_of_the_seed_has_a_code_of_the_hall() -> None:
    """W11: the seven, and no eighth."""
    assert {name.value for name in NAMES.values()} == {
        "NotYourTurn",
        "GameFinished",
        "Unauthorized",
        "RoomFull",
        "RoomNotFound",
        "AlreadyInRoom",
        "InvalidState",
    }
    assert set(Wrong) == set(NAMES.values())


@in_a_hall
async def test_many_race_for_the_last_seat_and_one_gets_it(world: SeedWorld) -> None:
    """W10, W11: the others find the room full; who tries twice is in it once."""
    ann, *others = await world.guests("Ann", "Bo", "Cy", "Dee", "Eve")
    room = (await world.lobbies.createRoom(ann, "one seat")).id
    world.journal.seconds = 0.1
    tries = [*others, *others]
    answers = await asyncio.gather(*(world.lobbies.joinRoom(who, room) for who in tries), return_exceptions=True)
    told = [str(answer.name) if isinstance(answer, WardsError) else str(answer) for answer in answers]
    assert sorted(told) == ["AlreadyInRoom", *["RoomFull"] * 6, room]
    shown = await world.lobbies.getRoom(ann, room)
    assert shown.player2 == tries[told.index(room)] == tries[told.index("AlreadyInRoom")]
    assert shown.status == "InGame"


@in_a_hall
async def test_a_bot_in_the_second_seat_fills_a_room(world: SeedWorld) -> None:
    """W10, W11."""
    ann, bo = await world.guests("Ann", "Bo")
    table = await world.hall.open(ann, Opening("wards", bots=[WantedBot(1, "greedy")]))
    assert (await world.lobbies.getRoom(ann, table)).player2 == "bot:greedy"
    await world.lobbies.joinRoom(ann, table)
    assert await wrong(world.lobbies.joinRoom(bo, table)) == "RoomFull"
    view = await world.engine.getGameState(ann, table)
    assert (view.player1, view.player2, view.me) == (ann, "bot:greedy", "P1")
    assert await world.profiles.getProfile(ann, "bot:greedy") is None
