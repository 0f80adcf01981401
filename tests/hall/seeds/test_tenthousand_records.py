"""Dice 10 000 in the seed's shapes, right at every moment of a game (T10)."""

from __future__ import annotations

from dataclasses import fields
from random import Random
from typing import Any

import msgspec
import pytest

from dicehall.core.game import Refused
from dicehall.hall.opening import Opening, WantedBot
from dicehall.hall.register import PAGE
from dicehall.hall.seeds.tenthousand_records import (
    DiceSubset,
    DieFace,
    Game,
    Player,
    Records,
    Roll,
    Round,
    Turn,
)
from dicehall.table.clocks import KEEP_MS
from dicehall.table.requests import Stand, Start
from dicehall.wire.actions import codec_of
from tests.hall.seeds.ledger import Ledger
from tests.hall.seeds.seed_world import SeedWorld, in_a_hall
from tests.table.hosting import code_of

SHAPES: dict[type[Any], str] = {
    Player: "id created_at name games",
    Game: "id created_at name players rounds ended_at",
    Round: "id created_at index game turn_queue completed_turns remaining_turns ended_at",
    Turn: "id created_at player round game ended_at rolls",
    Roll: "id created_at index player turn round game ended_at outcome locked_dices",
    DiceSubset: "die_faces points",
}


async def seated(world: SeedWorld, *names: str, **rules: int) -> tuple[list[str], str]:
    """People who have begun a game, in the order of their seats."""
    people = await world.guests(*names)
    table = await world.hall.open(people[0], Opening("tenthousand", rules, name="ten"))
    for account in people:
        await world.after(7)
        await world.hall.sit(account, table)
    await world.after(7)
    await world.hall.ask(people[0], table, Start())
    return people, table


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_has_the_fields_of_the_seed_in_their_order(shape: type[Any]) -> None:
    """T10."""
    assert [field.name for field in fields(shape)] == SHAPES[shape].split()


def test_a_die_face_is_its_number() -> None:
    """T10."""
    assert {face.name: face.value for face in DieFace} == {
        "One": 1,
        "Two": 2,
        "Three": 3,
        "Four": 4,
        "Five": 5,
        "Six": 6,
    }
    assert msgspec.json.encode(DiceSubset((DieFace.Two,) * 3, 200)) == b'{"die_faces":[2,2,2],"points":200}'


@in_a_hall
async def test_in_its_lobby_a_game_has_players_and_no_rounds(world: SeedWorld) -> None:
    """T10: who stands up is no member any more."""
    ann, bo = await world.guests("Ann", "Bo")
    await world.after(500)
    opened = world.clock.now()
    table = await world.hall.open(ann, Opening("tenthousand", name="ten"))
    await world.hall.sit(bo, table, seat=3)
    await world.hall.sit(ann, table, seat=0)
    assert await world.ten.game(ann, table) == Game(table, opened, "ten", (bo, ann))  # as they joined (T1)
    await world.hall.ask(bo, table, Stand())
    assert (await world.ten.game(ann, table)).players == (ann,)
    assert await code_of(world.ten.game(bo, table)) == "not_allowed"


@in_a_hall
async def test_from_the_start_of_a_round_all_its_turns_are_there_without_rolls(world: SeedWorld) -> None:
    """T10."""
    (ann, bo, cy), table = await seated(world, "Ann", "Bo", "Cy")
    now = world.clock.now()
    assert (await world.ten.game(bo, table)).rounds == (f"{table}/r0",)
    round = await world.ten.round(cy, f"{table}/r0")
    turns = tuple(f"{table}/r0/t{seat}" for seat in range(3))
    assert round == Round(f"{table}/r0", now, 0, table, (ann, bo, cy), (), turns)
    for turn, player in zip(turns, (ann, bo, cy), strict=True):
        assert await world.ten.turn(ann, turn) == Turn(turn, now, player, round.id, table)


@in_a_hall
async def test_a_turn_told_roll_by_roll(world: SeedWorld) -> None:
    """T10: an outcome as it fell, locks in their order with their points, ends where the next thing begins."""
    world.box.named |= {1: (5, 1, 1, 3, 1, 6), 2: (2, 5), 3: (4, 4, 6, 2, 3, 3)}
    (ann, bo), table = await seated(world, "Ann", "Bo")
    times = {}
    for move in ("roll", {"lock": [[1, 1, 1]]}, {"lock": [[5]]}, "roll", {"lock": [[5]]}, "yield"):
        await world.after(1_000)
        await world.hall.act(ann, table, move)
        times[str(move)] = world.clock.now()
        if move == {"lock": [[1, 1, 1]]}:
            assert (await world.ten.roll(bo, f"{table}/r0/t0/x0")).ended_at is None
    first = await world.ten.roll(ann, f"{table}/r0/t0/x0")
    assert first.outcome == (5, 1, 1, 3, 1, 6)
    assert first.locked_dices == (DiceSubset((DieFace.One,) * 3, 1000), DiceSubset((DieFace.Five,), 50))
    second = await world.ten.roll(ann, f"{table}/r0/t0/x1")
    assert (first.ended_at, second.created_at) == (second.created_at, times["roll"])
    assert second.ended_at == times["yield"]
    turn = await world.ten.turn(bo, f"{table}/r0/t0")
    assert (turn.rolls, turn.ended_at) == ((first.id, second.id), times["yield"])
    await world.after(1_000)
    await world.hall.act(bo, table, "roll")  # worth nothing
    bust = await world.ten.roll(ann, f"{table}/r0/t1/x0")
    assert (bust.outcome, bust.locked_dices) == ((4, 4, 6, 2, 3, 3), ())
    assert bust.created_at == bust.ended_at == world.clock.now()
    over = await world.ten.round(ann, f"{table}/r0")
    assert (over.completed_turns, over.remaining_turns) == ((f"{table}/r0/t0", f"{table}/r0/t1"), ())
    following = await world.ten.round(ann, f"{table}/r1")
    assert over.ended_at == following.created_at == world.clock.now()
    assert (following.index, following.completed_turns, len(following.remaining_turns)) == (1, (), 2)


@in_a_hall
async def test_a_win_ends_everything_and_what_was_not_played_stays_unplayed(world: SeedWorld) -> None:
    """T8, T10."""
    world.box.named[1] = (1, 1, 1, 1, 1, 1)
    (ann, _), table = await seated(world, "Ann", "Bo", goal=8000)
    for move in ("roll", {"lock": [[1] * 6]}, "yield"):
        await world.after(10)
        await world.hall.act(ann, table, move)
    now = world.clock.now()
    round = await world.ten.round(ann, f"{table}/r0")
    assert (round.completed_turns, round.remaining_turns) == ((f"{table}/r0/t0",), (f"{table}/r0/t1",))
    unplayed = await world.ten.turn(ann, f"{table}/r0/t1")
    assert (await world.ten.game(ann, table)).ended_at == round.ended_at == unplayed.ended_at == now
    assert unplayed.rolls == ()


@in_a_hall
async def test_a_destroyed_game_has_ended_with_all_that_was_open_in_it(world: SeedWorld) -> None:
    """C9, T10: the turn that ran was never completed."""
    world.box.named[1] = (1, 1, 2, 3, 4, 6)
    (ann, _), table = await seated(world, "Ann", "Bo")
    await world.hall.act(ann, table, "roll")
    await world.after(50)
    await world.destroy(table)
    now = world.clock.now()
    round = await world.ten.round(ann, f"{table}/r0")
    assert (round.completed_turns, len(round.remaining_turns), round.ended_at) == ((), 2, now)
    assert (await world.ten.roll(ann, f"{table}/r0/t0/x0")).ended_at == now
    assert (await world.ten.game(ann, table)).ended_at == now
    assert table in (await world.ten.player(ann, ann)).games
    await world.after(KEEP_MS + 1_000)  # with its journal it is forgotten who sat there
    assert await code_of(world.ten.game(ann, table)) == "not_allowed"
    assert (await world.ten.player(ann, ann)).games == ()


# -- at every act of whole games -------------------------------------------------------------------------------------


async def all_records(world: SeedWorld, account: str, table: str) -> Records:
    return await world.ten.records(account, table)


async def check(world: SeedWorld, people: list[str], table: str, goal: int) -> Records:
    """Every record against the second bookkeeper, who reads the log alone."""
    view = await world.hall.look(people[0], table)
    record = await world.hall.record(people[0], table)
    started = next(act["at"] for act in record.table if act["act"] == "started")
    ledger = Ledger(table, people, goal, started)
    for entry in record.entries:
        ledger.read(entry)
    records = await all_records(world, people[-1], table)
    assert plain(records.rounds) == ledger.shown_rounds()
    assert plain(records.turns) == ledger.shown_turns()
    assert plain(records.rolls) == ledger.shown_rolls()
    assert (list(records.game.rounds), records.game.ended_at) == (list(ledger.shown_rounds()), ledger.ended)
    assert ledger.scores == list(view["view"]["scores"])
    check_laws(records)
    check_points(records, view["view"])
    return records


def plain(records: dict[str, Any]) -> Any:
    """As they leave the process."""
    return msgspec.json.decode(msgspec.json.encode(records))


def check_laws(records: Records) -> None:
    """What holds at every moment, whoever keeps the books."""
    open_turns = [turn for turn in records.turns.values() if turn.ended_at is None]
    for round in records.rounds.values():
        order = round.completed_turns + round.remaining_turns
        assert tuple(records.turns[turn].player for turn in order) == round.turn_queue == records.game.players
        assert all(records.turns[turn].ended_at is not None for turn in round.completed_turns)
        assert all(not records.turns[turn].rolls for turn in round.remaining_turns[1:])
    for roll in records.rolls.values():
        turn = records.turns[roll.turn]
        assert turn.rolls[roll.index] == roll.id
        assert (turn.player, turn.round, turn.game) == (roll.player, roll.round, roll.game)
        assert turn.created_at <= roll.created_at
        assert roll.ended_at is None or roll.created_at <= roll.ended_at <= (turn.ended_at or roll.ended_at)
    if records.game.ended_at is None:
        last = records.rounds[records.game.rounds[-1]]
        assert [turn.id for turn in open_turns] == list(last.remaining_turns)
        assert [one.id for one in records.rounds.values() if one.ended_at is None] == [last.id]
    else:
        assert not open_turns


def check_points(records: Records, view: dict[str, Any]) -> None:
    """What is locked in the running turn is what the hall says is at stake."""
    if records.game.ended_at is None:
        running = records.rounds[records.game.rounds[-1]].remaining_turns[0]
        rolls = [records.rolls[roll] for roll in records.turns[running].rolls]
        assert sum(one.points for roll in rolls for one in roll.locked_dices) == view["turn_points"]
        assert (list(rolls[-1].outcome) if rolls else None) == (None if view["roll"] is None else list(view["roll"]))


@pytest.mark.parametrize(
    ("seed", "seats", "rules"),
    [
        (1, 2, {"goal": 2000, "opening": 600}),
        (2, 3, {"goal": 2500, "opening": 0}),
        (3, 4, {"goal": 1500, "opening": 300, "turn_seconds": 20}),
        (4, 2, {"goal": 1500, "opening": 200, "turn_seconds": 12}),
    ],
)
@in_a_hall
async def test_the_records_are_right_at_every_act_of_a_game(
    world: SeedWorld, seed: int, seats: int, rules: dict[str, int]
) -> None:
    """T10: with time-outs and restarts, and afterwards when only the record of the table is left."""
    random = Random(seed)
    people, table = await seated(world, *(f"P{seat}" for seat in range(seats)), **rules)
    records = await check(world, people, table, rules["goal"])
    while records.game.ended_at is None:
        account = people[min((await world.host.look(table)).state.to_act())]
        await world.after(random.randrange(1_000, 7_000))
        if choices := await open_to(world, account, table):
            await world.hall.act(account, table, picked(choices, random))
        if random.random() < 0.05:
            await world.dead_for(random.randrange(100, 9_000))
        records = await check(world, people, table, rules["goal"])
    before = [await all_records(world, account, table) for account in people]
    log = (await world.hall.record(None, table)).entries
    assert any("expired" in entry for entry in log) == ("turn_seconds" in rules)
    await world.archive(table)
    assert [await all_records(world, account, table) for account in people] == before


async def open_to(world: SeedWorld, account: str, table: str) -> list[Any]:
    """What an account may do now, as it is sent."""
    state = (await world.host.look(table)).state
    seat = next(state.seat(chair) for chair in state.chairs if chair.account == account)
    codec = codec_of(type(state.game))
    return [codec.encode(action) for action in state.game.choices(state.position, seat)]


def picked(choices: list[Any], random: Random) -> Any:
    """Yield where one may, mostly; lock what is worth most, or something else now and then."""
    if "yield" in choices and random.random() < 0.7:
        return "yield"
    locks = [choice for choice in choices if isinstance(choice, dict)]
    if locks and ("roll" not in choices or random.random() < 0.2):
        return locks[0] if random.random() < 0.7 else random.choice(locks)
    return "roll"


# -- who may read, and whose games they are --------------------------------------------------------------------------


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
    await all_records(world, ann, table)
    await world.ten.player(ann, ann)
    assert world.journal.stored(table) == rows
    await world.die()
    await world.boot()
    world.journal.down = True
    with pytest.raises(Refused, match="store_unavailable"):
        await world.ten.game(ann, table)
    world.journal.down = False
