"""What a hall shows of tables that run, are over, or are archived: the table, its updates, its record."""

from __future__ import annotations

from typing import Any

import pytest

from dicehall.core.fold import replay
from dicehall.core.game import Refused
from dicehall.hall.opening import Opening
from dicehall.table.requests import Hint, Reclaim, Remove, Stand, Start
from dicehall.wire.record import record_text
from tests.hall.halls import House, in_a_hall, outcome, promise

LASTING = (
    "id",
    "name",
    "game",
    "rules",
    "public",
    "locked",
    "opener",
    "hints",
    "drawn",
    "before",
    "seal",
    "over",
    "view",
)


@in_a_hall
async def test_nobody_finds_anything_at_a_table_that_never_was(house: House) -> None:
    for asked in (
        house.hall.look(None, "nowhere"),
        house.hall.record(None, "nowhere"),
        house.hall.updates(None, "nowhere", 0),
        house.hall.sit("ann", "nowhere"),
        house.hall.act("ann", "nowhere", "roll"),
        house.hall.destroy(None, "nowhere", "why", operator=True),
    ):
        assert await outcome(asked) == "no_such_table"


@in_a_hall
async def test_a_running_table_shows_each_their_own_place_and_the_deadline(house: House) -> None:
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.game_of(ann, bo, rules={"goal": 6, "turn_seconds": 60})
    await house.after(3)
    shown = [await house.hall.look(account, table) for account in (ann, bo, None)]
    assert [one["me"] for one in shown] == [0, 1, None]
    assert shown[2]["phase"] == "playing"
    assert shown[2]["deadline"] - shown[2]["now"] == 57_000
    assert shown[0]["choices"] == shown[2]["choices"] == {"0": ["roll", "hold"]}
    assert [seat["account"] for seat in shown[2]["seats"]] == [ann, bo]


@in_a_hall
async def test_a_lobby_shows_who_was_removed_that_they_cannot_sit_down_there(house: House) -> None:
    ann, bo, cem = await house.guests("Ann", "Bo", "Cem")
    table = await house.lobby("aetharn", ann, bo, cem)
    assert [(await house.hall.look(account, table))["barred"] for account in (ann, bo, None)] == [None] * 3
    await house.hall.ask(ann, table, Remove(1))
    for _ in range(2):
        shown = [(await house.hall.look(account, table))["barred"] for account in (ann, bo, cem, None)]
        assert shown == [None, {"why": "removed", "until": None}, None, None]
        await house.die()
        await house.boot()
    await house.hall.ask(ann, table, Start())
    assert (await house.hall.look(bo, table))["phase"] == "playing"
    assert (await house.hall.look(bo, table))["barred"] is None  # nobody sits down any more


@in_a_hall
async def test_a_lobby_shows_who_made_a_start_fail_when_they_can_sit_down_again(house: House) -> None:
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.hall.open(ann, Opening("wards"))
    await house.hall.sit(ann, table, commitment=promise("mine"))
    await house.hall.sit(bo, table)
    await house.hall.ask(bo, table, Stand())
    shown = await house.hall.look(bo, table)
    assert shown["barred"] == {"why": "start_failed", "until": shown["now"] + 15_000}
    assert (await house.hall.look(ann, table))["barred"] is None
    await house.after(15)
    assert (await house.hall.look(bo, table))["barred"] is None
    await house.hall.sit(bo, table)


@in_a_hall
async def test_a_connection_of_somebody_seated_carries_the_seat(house: House) -> None:
    ann, bo = await house.guests("Ann", "Bo")
    table, ear = await house.game_of(ann, bo), house.ear()
    await house.hall.watch(bo, table, ear)
    await house.after(30)
    house.hall.host.disconnect(table, ear.id)
    await house.after(6)
    assert (await house.hall.look(ann, table))["seats"][1]["presence"] == "away"
    await house.hall.watch(bo, table, house.ear())
    assert (await house.hall.look(ann, table))["seats"][1]["presence"] == "here"


@in_a_hall
async def test_looking_lets_what_is_due_take_effect(house: House) -> None:
    """C4: the deadline decides, not who looked; but who looks sees it."""
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.game_of(ann, bo, rules={"goal": 6, "turn_seconds": 5})
    await house.after(5)
    assert (await house.hall.look(None, table))["choices"] == {"1": ["roll", "hold"]}


@in_a_hall
async def test_a_lobby_has_no_record_yet_and_a_closed_one_never_has(house: House) -> None:
    [ann] = await house.guests("Ann")
    table = await house.lobby("wards", ann)
    assert await outcome(house.hall.record(ann, table)) == "too_few_seats"
    await house.hall.destroy(ann, table, "enough")
    assert await outcome(house.hall.record(ann, table)) == "too_few_seats"
    await house.archived(table)
    assert await outcome(house.hall.record(ann, table)) == "too_few_seats"
    shown = await house.hall.look(ann, table)
    assert (shown["phase"], shown["view"], shown["name"]) == ("abandoned", None, "Ann’s table")
    assert [seat["account"] for seat in shown["seats"]] == [ann, None]


@in_a_hall
async def test_an_archived_table_looks_as_it_did_when_it_was_over(house: House) -> None:
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.won(ann, bo, hints=True, name="Oak")
    before, record = await house.hall.look(None, table), record_text(await house.hall.record(None, table))
    await house.archived(table)
    after = await house.hall.look(None, table)
    assert after == before | {"now": after["now"]}
    assert [seat["account"] for seat in after["seats"]] == [ann, bo]
    assert record_text(await house.hall.record(bo, table)) == record


@in_a_hall
async def test_a_game_that_was_closed_keeps_what_was_played(house: House) -> None:
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.game_of(ann, bo)
    house.box.named[1] = (3,)
    await house.hall.act(ann, table, "roll")
    await house.hall.destroy(None, table, "cleaning", operator=True)
    before = await house.hall.look(None, table)
    await house.archived(table)
    after = await house.hall.look(None, table)
    assert (after["phase"], after["view"]) == ("abandoned", before["view"])
    assert [seat["name"] for seat in after["seats"]] == ["Ann", "Bo"]


@in_a_hall
async def test_the_record_of_a_running_game_replays_to_what_is_on_the_table(house: House) -> None:
    """C3."""
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.game_of(ann, bo)
    house.box.named[1] = (4,)
    await house.hall.act(ann, table, "roll")
    record = await house.hall.record(bo, table)
    assert record.names == ("Ann", "Bo")
    position = replay(record.game, 2, (logged.entry for logged in record.logged()))
    assert position == house.state(table).position


@in_a_hall
async def test_a_running_record_keeps_the_secrets_of_the_others(house: House) -> None:
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.lobby("mana", ann, bo, rules={"rounds": 1})
    await house.hall.act(ann, table, {"pick": 3})
    picks = {
        who: ["pick" in str(entry.get("move")) for entry in (await house.hall.record(who, table)).entries].count(True)
        for who in (ann, bo, None)
    }
    assert picks == {ann: 1, bo: 0, None: 0}
    await house.hall.act(bo, table, {"pick": 5})
    assert "pick" in str((await house.hall.record(None, table)).entries[-2:])


@in_a_hall
async def test_updates_have_no_gaps_from_wherever_one_reads_on(house: House) -> None:
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.won(ann, bo)
    every = await house.hall.updates(None, table, 0)
    assert [update["n"] for update in every] == list(range(1, house.state(table).seq + 1))
    for since in range(len(every) + 2):
        assert await house.hall.updates(None, table, since) == every[since:]


@in_a_hall
async def test_updates_tell_nobody_who_has_which_account_or_which_words(house: House) -> None:
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.game_of(ann, bo)
    told = str([update["events"] for update in (await house.hall.updates(None, table, 0))[1:]])
    assert ann not in told
    assert "commitment" not in told


@in_a_hall
async def test_an_archived_table_answers_whatever_a_finished_one_does(house: House) -> None:
    ann, bo, cy = await house.guests("Ann", "Bo", "Cy")
    table = await house.won(ann, bo)

    async def answers() -> list[Any]:
        asked = [
            *(house.hall.updates(who, table, since) for who in (ann, None) for since in (0, 4, 99)),
            house.hall.act(ann, table, "roll"),
            house.hall.sit(ann, table),
            house.hall.sit(cy, table),
            house.hall.leave(ann, table),
            house.hall.leave(cy, table),
            house.hall.ask(ann, table, Reclaim()),
            house.hall.ask(ann, table, Hint()),
            house.hall.ask(ann, table, Start()),
            house.hall.add_bot(ann, table, 0, "greedy"),
            house.hall.destroy(ann, table, "tidy"),
            house.hall.destroy(None, table, "tidy", operator=True),
            house.hall.rematch(cy, table),
        ]
        return [await outcome(one) for one in asked]

    before = await answers()
    await house.archived(table)
    assert await answers() == before
    assert await house.journal.rows(table) == []
    new = await house.hall.rematch(bo, table)
    assert house.state(new).opened.reserved == (bo, ann)
    assert await house.hall.rematch(ann, table) == new


@in_a_hall
async def test_who_repeats_a_request_after_the_archive_is_answered_with_its_number(house: House) -> None:
    ann, bo = await house.guests("Ann", "Bo")
    house.box.named[1] = (6,)
    table = await house.game_of(ann, bo)
    await house.hall.act(ann, table, "roll", "r")
    first = await house.hall.act(ann, table, "hold", "h")
    await house.archived(table)
    again = await house.hall.act(ann, table, "hold", "h")
    assert (again.n, again.repeated) == (first.n, True)


@in_a_hall
async def test_archived_tables_are_in_memory_for_a_while_and_not_without_end(house: House) -> None:
    ann, bo = await house.guests("Ann", "Bo")
    tables = [await house.won(ann, bo) for _ in range(3)]
    await house.archived(tables[-1])
    assert house.hall.host.tables == {}
    house.hall.host.back.most = 2
    for table in tables:
        await house.hall.look(ann, table)
    assert set(house.hall.host.tables) == set(tables[1:])
    await house.archived(tables[-1])
    assert house.hall.host.tables == {}
    assert (await house.hall.look(ann, tables[0]))["phase"] == "over"


@in_a_hall
async def test_what_was_archived_before_acts_were_kept_is_shown_and_its_record_read(house: House) -> None:
    """An old file: everything else is refused with a sentence that says why."""
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.won(ann, bo)
    before, record = await house.hall.look(None, table), await house.hall.record(ann, table)
    await house.archived(table)
    house.journal._archived_acts[table] = None
    after = await house.hall.look(ann, table)
    assert {key: after[key] for key in LASTING} == {key: before[key] for key in LASTING}
    assert record_text(await house.hall.record(bo, table)) == record_text(record)
    for asked in (
        house.hall.updates(ann, table, 0),
        house.hall.watch(ann, table, house.ear()),
        house.hall.leave(ann, table),
        house.hall.rematch(ann, table),
    ):
        with pytest.raises(Refused, match="Only the record of this table is left") as refused:
            await asked
        assert refused.value.code == "no_such_table"


async def in_a_lobby(house: House, ann: str, bo: str) -> str:
    return await house.lobby("aetharn", ann, bo)


async def in_a_game(house: House, ann: str, bo: str) -> str:
    table = await in_a_lobby(house, ann, bo)
    await house.hall.ask(ann, table, Start())
    await house.hall.ask(bo, table, Stand())
    return table


async def after_the_end(house: House, ann: str, bo: str) -> str:
    return await house.won(ann, bo)


@pytest.mark.parametrize("made", [in_a_lobby, in_a_game, after_the_end])
@in_a_hall
async def test_another_process_shows_the_same_table(house: House, made: Any) -> None:
    """C3, C5: everything that is shown is in the store."""
    ann, bo = await house.guests("Ann", "Bo")
    table = await made(house, ann, bo)
    before = [await house.hall.look(account, table) for account in (ann, bo, None)]
    updates = await house.hall.updates(ann, table, 0)
    await house.die()
    await house.boot()
    assert [await house.hall.look(account, table) for account in (ann, bo, None)] == before
    assert await house.hall.updates(ann, table, 0) == updates


@in_a_hall
async def test_a_table_is_called_by_its_link_also_when_it_is_not_listed(house: House) -> None:
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.hall.open(ann, Opening("wards", public=False))
    assert (await house.hall.look(bo, table))["public"] is False
    await house.hall.sit(bo, table)
    assert house.seats(table) == {0: bo}
