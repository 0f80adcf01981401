"""Seats that only use HTTP: here while they asked within half a minute, and nobody's sleep is disturbed by a look."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from dicehall.core.game import Presence
from dicehall.hall.opening import Opening
from dicehall.server.presence import QUIET_MS, HttpPresence
from dicehall.table.chairs import chair_of
from dicehall.table.clocks import EMPTY_MS
from dicehall.table.requests import Sit, Stand, Start
from tests.hall.seeds.seed_world import SeedWorld, in_a_hall
from tests.server.doors import Doors, Person, StoppedClock, open_doors

SECOND = 1000


def presence_of(world: SeedWorld, table: str, account: str) -> Presence:
    chair = chair_of(world.host.tables[table].state.chairs, account)
    assert chair is not None
    return chair.presence


async def pair_over_http(world: SeedWorld) -> tuple[HttpPresence, str, str, str]:
    ann, bo, table = await world.pair()
    http = HttpPresence(world.hall)
    looking = asyncio.create_task(http.keep_looking())
    world.host.tasks.add(looking)
    await http.touch(table, ann)
    return http, ann, bo, table


@in_a_hall
async def test_who_asks_is_here_and_who_has_not_asked_for_half_a_minute_is_away(world: SeedWorld) -> None:
    http, ann, _, table = await pair_over_http(world)
    assert presence_of(world, table, ann) is Presence.HERE
    await world.after(QUIET_MS - SECOND)
    await http.touch(table, ann)
    await world.after(QUIET_MS - SECOND)
    assert presence_of(world, table, ann) is Presence.HERE
    await world.after(2 * SECOND)
    assert presence_of(world, table, ann) is Presence.AWAY
    await http.touch(table, ann)
    assert presence_of(world, table, ann) is Presence.HERE


@in_a_hall
async def test_a_look_does_not_wake_a_sleeping_table(world: SeedWorld) -> None:
    http, ann, bo, table = await pair_over_http(world)
    while world.host.tables[table].state.phase == "playing":
        await world.after(10 * SECOND)
    seq = world.host.tables[table].state.seq
    for account in (ann, bo, ann):
        await http.touch(table, account)
    state = world.host.tables[table].state
    assert (state.phase, state.seq) == ("asleep", seq)
    await world.hall.act(ann, table, "hold") if 0 in state.to_act() else await world.hall.act(bo, table, "hold")
    assert world.host.tables[table].state.phase == "playing"


@in_a_hall
async def test_who_leaves_by_their_own_word_is_not_brought_back_by_a_look(world: SeedWorld) -> None:
    http, ann, _, table = await pair_over_http(world)
    await world.hall.ask(ann, table, Stand())
    await http.touch(table, ann)
    assert presence_of(world, table, ann) is Presence.AWAY
    await world.hall.ask(ann, table, Sit("Ann"))
    await http.touch(table, ann)
    assert presence_of(world, table, ann) is Presence.HERE


@in_a_hall
async def test_a_touch_is_never_refused(world: SeedWorld) -> None:
    http, _, bo, table = await pair_over_http(world)
    world.host.stopping = True
    await http.touch(table, bo)
    await http.touch("nowhere", bo)
    await http.touch(table, "a stranger")
    world.host.stopping = False


def test_standing_up_over_http_is_standing_up(doors: Doors) -> None:
    ann, _, table = doors.pair()
    me = ann.get(f"/api/tables/{table}")["me"]
    for _ in range(2):
        ann.post(f"/api/tables/{table}/stand")
        assert ann.get(f"/api/tables/{table}")["seats"][me]["presence"] == "away"


def test_a_seat_that_a_socket_carries_is_left_to_it(doors: Doors) -> None:
    ann = doors.guest("Ann")
    table = ann.open()
    with doors.socket(ann) as line:
        line.ok("sit", table=table)
        before = ann.get(f"/api/tables/{table}")["n"]
        assert ann.get(f"/api/tables/{table}")["n"] == before
        line.ok("ping")
        assert not any("taken_over" in told for told in line.told)


async def aetharn_over_http(world: SeedWorld) -> tuple[HttpPresence, str, str, str]:
    """A game of Aetharn at which nobody plays, with Ann and Bo away for less than their grace."""
    ann, bo = await world.guests("Ann", "Bo")
    table = await world.hall.open(ann, Opening("aetharn", {"turn_seconds": 5, "grace_seconds": 300}))
    http = HttpPresence(world.hall)
    looking = asyncio.create_task(http.keep_looking())
    world.host.tasks.add(looking)
    for account in (ann, bo):
        await world.hall.sit(account, table)
        await http.touch(table, account)
    await world.hall.ask(ann, table, Start())
    await world.after(60 * SECOND)
    return http, ann, bo, table


@in_a_hall
async def test_who_asks_at_a_sleeping_table_is_back_in_their_seat_and_it_sleeps_on(world: SeedWorld) -> None:
    """W8, A12: graces go on in sleep, so somebody who asks must not lose their seat, and reading wakes nobody."""
    http, ann, bo, table = await aetharn_over_http(world)
    state = world.host.tables[table].state
    assert (state.phase, presence_of(world, table, ann)) == ("asleep", Presence.AWAY)
    for _ in range(30):
        await http.touch(table, ann)
        await world.after(10 * SECOND)
    state = world.host.tables[table].state
    assert presence_of(world, table, ann) is Presence.HERE
    assert presence_of(world, table, bo) is Presence.GONE
    assert state.phase == "over"  # Ann was the last one standing


@in_a_hall
async def test_the_return_of_a_reader_leaves_a_sleeping_table_asleep(world: SeedWorld) -> None:
    """W8."""
    http, ann, _, table = await aetharn_over_http(world)
    await http.touch(table, ann)
    assert presence_of(world, table, ann) is Presence.HERE
    assert world.host.tables[table].state.phase == "asleep"


# -- every door counts ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ticking:
    """Doors whose time passes when a test says so."""

    doors: Doors
    clock: StoppedClock

    def later(self, seconds: int) -> None:
        """Let time pass, and have those noticed who asked nothing meanwhile."""
        self.clock.time += seconds * SECOND
        portal: Any = self.doors.client.portal
        portal.call(self.doors.running.parts.presence.drop_quiet)

    def presence(self, table: str) -> set[str]:
        """Of those who sit there, as a stranger sees it."""
        seats = self.doors.guest("Eve").get(f"/api/tables/{table}")["seats"]
        return {seat["presence"] for seat in seats if seat["account"]}

    def room(self) -> tuple[Person, str]:
        ann = self.doors.guest("Ann")
        return ann, ann.wards("lobbies/createRoom", name="a room")["ok"]["id"]


@pytest.fixture
def ticking(tmp_path: Path) -> Iterator[Ticking]:
    clock = StoppedClock()
    with open_doors(tmp_path, clock=clock) as doors:
        yield Ticking(doors, clock)


WARDS_DOORS = [
    ("lobbies/getRoom", True),
    ("lobbies/joinRoom", True),
    ("engine/getGameState", True),
    ("lobbies/listRooms", False),
    ("profiles/getMyProfile", False),
]


@pytest.mark.parametrize(("method", "named"), WARDS_DOORS)
def test_the_creator_of_a_room_who_asks_at_its_own_door_stays_there(ticking: Ticking, method: str, named: bool) -> None:
    """W1, W10: one look at the hall's own table does not tie the seat to that door."""
    ann, room = ticking.room()
    assert ann.get(f"/api/tables/{room}")["seats"][0]["presence"] == "here"
    for _ in range(10):
        ticking.later(20)
        ann.wards(method, **({"roomId": room} if named else {}))
    assert ticking.presence(room) == {"here"}


OTHER_DOORS = ["/api/doordice/sessions", "/api/doordice/stats", "/api/tenthousand/games", "/api/me/tables", "/api/me"]


@pytest.mark.parametrize("path", OTHER_DOORS)
def test_who_asks_at_any_door_is_here(ticking: Ticking, path: str) -> None:
    ann, room = ticking.room()
    for _ in range(5):
        ticking.later(20)
        ann.get(path)
    assert ticking.presence(room) == {"here"}


def test_who_asks_over_a_socket_is_here_where_http_carries_the_seat(ticking: Ticking) -> None:
    ann, room = ticking.room()
    with ticking.doors.socket(ann) as line:
        for _ in range(5):
            ticking.later(20)
            line.ok("ping")
    assert ticking.presence(room) == {"here"}


@in_a_hall
async def test_a_room_has_its_creator_until_they_leave_it(world: SeedWorld) -> None:
    """W1, W10: also if they ask nothing for long; a second player then still starts the game with them."""
    ann, bo = await world.guests("Ann", "Bo")
    room = (await world.lobbies.createRoom(ann, "a room")).id
    http = HttpPresence(world.hall)
    world.host.tasks.add(asyncio.create_task(http.keep_looking()))
    await http.touch(room, ann)  # as one look at the hall's own table does
    await world.after(EMPTY_MS - SECOND)
    seen = await world.lobbies.getRoom(bo, room)
    assert (seen.player1, seen.status) == (ann, "WaitingForPlayers")
    assert presence_of(world, room, ann) is Presence.AWAY
    assert await world.lobbies.joinRoom(bo, room) == room
    begun = await world.lobbies.getRoom(bo, room)
    assert (begun.player1, begun.player2, begun.status) == (ann, bo, "InGame")


def test_nobody_joins_a_room_whose_creator_has_left(ticking: Ticking) -> None:
    """W10: ok means that there is a game."""
    ann, room = ticking.room()
    ann.post(f"/api/tables/{room}/stand")
    bo = ticking.doors.guest("Bo")
    assert bo.wards("lobbies/joinRoom", roomId=room)["err"] == "InvalidState"
    assert bo.wards("lobbies/getRoom", roomId=room)["ok"]["player2"] is None


def test_an_act_that_is_refused_shows_that_somebody_is_there(ticking: Ticking) -> None:
    ann, bo, table = ticking.doors.pair()
    for _ in range(5):
        ticking.later(20)
        for person in (ann, bo):
            person.ask("POST", f"/api/tables/{table}/act", {"move": "bank"})
    assert ticking.presence(table) == {"here"}


def test_who_asks_nothing_at_all_is_away(ticking: Ticking) -> None:
    """That the tests above can fail."""
    _, room = ticking.room()
    ticking.later(31)
    assert ticking.presence(room) == {"away"}
