"""A table whose journal cannot be folded does not hide the others of a list."""

from __future__ import annotations

from dicehall.hall.opening import Opening
from dicehall.table.ports import Commit, Head, Row
from tests.hall.seeds.seed_world import SeedWorld, in_a_hall


async def freeze(world: SeedWorld, table: str) -> None:
    rows = await world.journal.rows(table)
    row = Row(table, len(rows) + 1, b'{"act":"nonsense"}', rows[-1].at)
    await world.journal.append(Commit(row, Head(table, row.seq, None, "lobby")))
    world.host.forget(table)


@in_a_hall
async def test_rooms_are_listed_beside_a_frozen_one(world: SeedWorld) -> None:
    (ann,) = await world.guests("Ann")
    rooms = [(await world.lobbies.createRoom(ann, name)).id for name in ("one", "two")]
    await freeze(world, rooms[0])
    assert [room.id for room in await world.lobbies.listRooms(ann)] == [rooms[1]]


@in_a_hall
async def test_games_are_listed_beside_a_frozen_one(world: SeedWorld) -> None:
    (ann,) = await world.guests("Ann")
    tables = [await world.hall.open(ann, Opening("tenthousand")) for _ in range(2)]
    for table in tables:
        await world.hall.sit(ann, table)
    await freeze(world, tables[0])
    assert [game.id for game in await world.ten.games(ann)] == [tables[1]]
    assert (await world.ten.player(ann, ann)).games == (tables[1],)
