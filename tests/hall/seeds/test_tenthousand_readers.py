"""Who may read the records of Dice 10 000, and whose games they are (T10)."""

from __future__ import annotations

from random import Random

import pytest

from dicehall.core.game import Refused
from dicehall.hall.opening import Opening, WantedBot
from dicehall.hall.register import PAGE
from dicehall.hall.seeds.tenthousand_records import Player
from dicehall.table.requests import Start
from tests.hall.seeds.seed_world import SeedWorld, in_a_hall
from tests.hall.seeds.ten_playing import open_to, picked, seated
from tests.table.hosting import code_of


@in_a_hall
async def test_members_of_a_game_may_read_it_and_nobody_else(world: SeedWorld) -> None:
    """T10: not the operator's guests, not who watches, not who opened it without playing."""
    (ann, bo), table = await seated(world, "Ann", "Bo")
    (cy,) = await world.guests("Cy")
    await world.hall.act(ann, table, "roll")
    roll = f"{table}/r0/t0/x0"
    reads = ((world.ten.game, table), (world.ten.round, roll[:-6]), (world.ten.turn, roll[:-3]), (world.ten.roll, roll))
    for read, id in reads:
        assert (await read(ann, id)).id == (await read(bo, id)).id == id
        assert await code_of(read(cy, id)) == "not_allowed"


@pytest.mark.parametrize("id", ["", "/", "r9", "r0/t2", "r0/t0/x1", "r0/t0/x0/y0", "R0"])
@in_a_hall
async def test_what_is_not_there_cannot_be_read(world: SeedWorld, id: str) -> None:
    """T10: nor can a table of another game."""
    world.box.named[1] = (1, 2, 2, 3, 3, 4)
    (ann, _), table = await seated(world, "Ann", "Bo")
    await world.hall.act(ann, table, "roll")
    other = await world.hall.open(ann, Opening("wards"))
    await world.hall.sit(ann, other)
    for read in (world.ten.round, world.ten.turn, world.ten.roll):
        assert await code_of(read(ann, f"{table}/{id}")) == "no_such_table"
        assert await code_of(read(ann, "nowhere/r0")) == "no_such_table"
    assert await code_of(world.ten.game(ann, other)) == "no_such_table"
    assert await code_of(world.ten.player(ann, f"{table}/b0")) == "no_such_table"


@in_a_hall
async def test_a_player_has_all_games_of_the_account_newest_first(world: SeedWorld) -> None:
    """T10: waiting, running, ended and destroyed ones, with those that only their record is left of."""
    world.box.named[1] = (1, 1, 1, 1, 1, 1)
    ann, bo, cy = await world.guests("Ann", "Bo", "Cy")
    tables: list[str] = []
    for number in range(PAGE + 2):
        await world.after(1)
        table = await world.hall.open(ann, Opening("tenthousand", {"goal": 8000}, name=f"game {number}"))
        tables.insert(0, table)
        for account in (ann, bo):
            await world.hall.sit(account, table)
    for table in tables[:4]:
        await world.hall.ask(ann, table, Start())
    for table in tables[:3]:
        for move in ("roll", {"lock": [[1] * 6]}, "yield"):
            await world.hall.act(ann, table, move)
    await world.archive(tables[1])
    await world.destroy(tables[3])
    await world.hall.open(ann, Opening("tenthousand"))  # opened, but nobody sits there
    await world.after(100)
    player = await world.ten.player(ann, ann)
    assert player == Player(ann, player.created_at, "Ann", tuple(tables))
    assert player.created_at == (await world.people.account(ann)).created
    assert [game.id for game in await world.ten.games(bo)] == tables
    assert all(ann in game.players for game in await world.ten.games(ann))
    assert (await world.ten.player(cy, cy)).games == ()
    assert await world.ten.games(cy) == []


@in_a_hall
async def test_another_player_may_be_read_by_who_has_a_game_with_them(world: SeedWorld) -> None:
    """T10: but a table that is reached by its link only is not given away."""
    (ann, bo), table = await seated(world, "Ann", "Bo")
    (cy,) = await world.guests("Cy")
    await world.after(1)
    hidden = await world.hall.open(ann, Opening("tenthousand", public=False))
    await world.after(1)
    open_to_all = await world.hall.open(ann, Opening("tenthousand"))
    for other in (hidden, open_to_all):
        await world.hall.sit(ann, other)
    assert (await world.ten.player(ann, ann)).games == (open_to_all, hidden, table)
    assert (await world.ten.player(bo, ann)).games == (open_to_all, table)
    assert await code_of(world.ten.player(cy, ann)) == "not_allowed"
    assert await code_of(world.ten.player(cy, "nobody")) == "no_such_account"
    await world.hall.sit(bo, hidden)
    assert (await world.ten.player(bo, ann)).games == (open_to_all, hidden, table)


@in_a_hall
async def test_a_bot_is_a_player_of_its_table_only(world: SeedWorld) -> None:
    """T10: with an id that no account has, the same in the lobby, in the game, and when only the record is left."""
    (ann,) = await world.guests("Ann")
    opening = Opening("tenthousand", {"goal": 1, "opening": 0}, bots=[WantedBot(4, "greedy")])
    table = await world.hall.open(ann, opening)
    opened = world.clock.now()
    await world.after(10)
    await world.hall.sit(ann, table)
    await world.after(10)
    await world.hall.add_bot(ann, table, 2, "greedy")
    added = world.clock.now()

    async def seen() -> list[object]:
        game = await world.ten.game(ann, table)
        bots = [await world.ten.player(ann, f"{table}/b{chair}") for chair in (4, 2)]
        return [game.players, *bots]

    lobby = await seen()
    assert lobby[0] == (f"{table}/b4", ann, f"{table}/b2")
    assert [(one.created_at, one.games) for one in lobby[1:] if isinstance(one, Player)] == [
        (opened, (table,)),
        (added, (table,)),
    ]
    await world.hall.ask(ann, table, Start())
    assert await seen() == lobby
    random = Random(1)
    while (await world.ten.game(ann, table)).ended_at is None:
        await world.after(1_000)
        if choices := await open_to(world, ann, table):
            await world.hall.act(ann, table, picked(choices, random))
    assert await seen() == lobby
    await world.archive(table)
    assert await seen() == lobby


@in_a_hall
async def test_reading_changes_nothing(world: SeedWorld) -> None:
    """T10: nobody writes it but by playing; and the store's troubles are told as such."""
    (ann, _), table = await seated(world, "Ann", "Bo")
    rows = world.journal.stored(table)
    await world.ten.records(ann, table)
    await world.ten.player(ann, ann)
    assert world.journal.stored(table) == rows
    await world.die()
    await world.boot()
    world.journal.down = True
    with pytest.raises(Refused, match="store_unavailable"):
        await world.ten.game(ann, table)
    world.journal.down = False
