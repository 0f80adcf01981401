"""Dice 10 000 in the seed's shapes, right at every moment of a game (T10)."""

from __future__ import annotations

from dataclasses import fields
from random import Random
from typing import Any

import msgspec
import pytest

from dicehall.hall.opening import Opening
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
from dicehall.table.requests import Stand
from tests.hall.seeds.ledger import Ledger
from tests.hall.seeds.seed_world import SeedWorld, in_a_hall
from tests.hall.seeds.ten_playing import open_to, picked, seated
from tests.table.hosting import code_of

SHAPES: dict[type[Any], str] = {
    Player: "id created_at name games",
    Game: "id created_at name players rounds ended_at",
    Round: "id created_at index game turn_queue completed_turns remaining_turns ended_at",
    Turn: "id created_at player round game ended_at rolls",
    Roll: "id created_at index player turn round game ended_at outcome locked_dices",
    DiceSubset: "die_faces points",
}


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
    before = await world.ten.records(ann, table)
    await world.after(KEEP_MS + 1_000)
    assert await world.journal.rows(table) == []
    assert await world.ten.records(ann, table) == before
    assert table in (await world.ten.player(ann, ann)).games


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
