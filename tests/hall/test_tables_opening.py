"""Opening tables, finding them, and closing them again."""

from __future__ import annotations

from typing import Any

import pytest

from dicehall.hall.opening import Opening, WantedBot
from dicehall.hall.register import PAGE, Filter
from dicehall.table.requests import Start
from tests.hall.halls import START_MS, House, in_a_hall, outcome


@in_a_hall
async def test_a_table_is_opened_as_it_was_asked_for(house: House) -> None:
    [ann] = await house.guests("Ann")
    wanted = Opening("aetharn", {"goal": 500}, "  Late   night ", 3, hints=True, drawn=True, public=False, password="x")
    shown = await house.hall.look(ann, await house.hall.open(ann, wanted))
    assert shown["rules"]["goal"] == 500
    expected = {"game": "aetharn", "name": "Late night", "phase": "lobby", "opener": ann, "hints": True, "drawn": True}
    assert expected.items() <= shown.items()
    assert (shown["public"], shown["locked"], len(shown["seats"]), shown["me"]) == (False, True, 3, None)


@pytest.mark.parametrize(
    ("game", "seats", "drawn"), [("wards", 2, False), ("tenthousand", 12, False), ("doordice", 5, True)]
)
@in_a_hall
async def test_what_nobody_asked_for_is_as_the_game_has_it(house: House, game: str, seats: int, drawn: bool) -> None:
    [ann] = await house.guests("Ann")
    shown = await house.hall.look(None, await house.hall.open(ann, Opening(game)))
    assert (len(shown["seats"]), shown["drawn"], shown["hints"]) == (seats, drawn, False)
    assert (shown["public"], shown["locked"], shown["name"]) == (True, False, "Ann’s table")


@pytest.mark.parametrize(
    "wrong",
    [
        {"game": "ludo"},
        {"rules": {"goal": 0}},
        {"rules": {"speed": 3}},
        {"seats": 3},
        {"seats": 0},
        {"name": "x" * 61},
        {"name": "a\u202eb"},
        {"bots": (WantedBot(2, "random"),)},
        {"bots": (WantedBot(-1, "random"),)},
        {"bots": (WantedBot(0, "random"), WantedBot(0, "random"))},
        {"bots": (WantedBot(0, "random"), WantedBot(1, "random"))},
        {"bots": (WantedBot(0, "godlike"),)},
    ],
)
@in_a_hall
async def test_a_table_that_cannot_be_is_refused_and_nothing_is_opened(house: House, wrong: dict[str, Any]) -> None:
    """C2."""
    [ann] = await house.guests("Ann")
    assert await outcome(house.hall.open(ann, Opening(**{"game": "wards", **wrong}))) == "bad_request"
    assert await house.hall.find(Filter(public_only=False), 0) == []


@in_a_hall
async def test_bots_sit_where_they_were_asked_to_with_the_level_they_were_asked_for(house: House) -> None:
    [ann] = await house.guests("Ann")
    bots = (WantedBot(2, "greedy"), WantedBot(0, "random"))
    table = await house.hall.open(ann, Opening("tenthousand", seats=4, bots=bots))
    assert house.seats(table) == {0: "random", 2: "greedy"}
    await house.hall.sit(ann, table)
    assert house.seats(table)[1] == ann
    assert [chair["level"] for chair in (await house.hall.look(ann, table))["seats"]] == ["Easy", None, "Casual", None]


@in_a_hall
async def test_the_same_request_opens_the_same_table_and_another_persons_opens_another(house: House) -> None:
    ann, bo = await house.guests("Ann", "Bo")
    first = await house.hall.open(ann, Opening("wards", id="x"))
    assert await house.hall.open(ann, Opening("wards", id="x")) == first
    assert await house.hall.open(ann, Opening("nonsense", id="x")) == first
    others = [await house.hall.open(ann, Opening("wards", id="y")), await house.hall.open(bo, Opening("wards", id="x"))]
    others += [await house.hall.open(ann, Opening("wards")), await house.hall.open(ann, Opening("wards"))]
    assert len({first, *others}) == 5


# -- finding ----------------------------------------------------------------------------------------------


@in_a_hall
async def test_the_listing_says_of_each_table_what_it_is_and_who_sits_there(house: House) -> None:
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.lobby("aetharn", ann, bo, name="Oak", seats=3, password=None)
    shown = {"id": table, "name": "Oak", "game": "aetharn", "phase": "lobby", "locked": False, "opened_at": START_MS}
    assert await house.hall.find(Filter(), 0) == [{**shown, "opener": ann, "seats": 3, "names": ["Ann", "Bo"]}]


async def tables_of_all_kinds(house: House) -> dict[str, str]:
    ann, bo = await house.guests("Ann", "Bo")
    tables = {"over": await house.won(ann, bo)}
    for name, work in {
        "lobby": house.lobby("wards", bo),
        "playing": house.game_of(ann, bo),
        "linked": house.lobby("wards", ann, public=False),
        "oaken": house.lobby("aetharn", ann),
    }.items():
        await house.after(1)
        tables[name] = await work
    await house.after(1)
    tables["abandoned"] = await house.lobby("mana", ann)
    await house.hall.destroy(ann, tables["abandoned"], "enough")
    return {**tables, "ann": ann}


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({}, "abandoned oaken playing lobby over"),
        ({"game": "wards"}, "playing lobby over"),
        ({"statuses": ("lobby",)}, "oaken lobby"),
        ({"statuses": ("over", "abandoned")}, "abandoned over"),
        ({"statuses": ("lobby",), "game": "aetharn"}, "oaken"),
        ({"public_only": False}, "abandoned oaken linked playing lobby over"),
        ({"statuses": ("asleep",)}, ""),
    ],
)
@in_a_hall
async def test_tables_are_found_by_what_they_are_the_newest_first(
    house: House, wanted: dict[str, Any], expected: str
) -> None:
    known = await tables_of_all_kinds(house)
    for _ in ("before", "after"):
        found = [shown["id"] for shown in await house.hall.find(Filter(**wanted), 0)]
        assert found == [known[name] for name in expected.split()]
        if wanted.get("statuses") == ("over", "abandoned"):
            await house.archived(known["abandoned"])


@in_a_hall
async def test_who_opened_tables_finds_those_that_only_the_link_leads_to(house: House) -> None:
    known = await tables_of_all_kinds(house)
    mine = await house.hall.find(Filter(opener=known["ann"], public_only=False, statuses=("lobby",)), 0)
    assert [shown["id"] for shown in mine] == [known["oaken"], known["linked"]]
    assert known["linked"] not in [shown["id"] for shown in await house.hall.find(Filter(opener=known["ann"]), 0)]


@in_a_hall
async def test_who_played_is_listed_also_when_only_the_record_is_left(house: House) -> None:
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.won(ann, bo)
    before = await house.hall.find(Filter(), 0)
    assert (before[0]["phase"], before[0]["names"]) == ("over", ["Ann", "Bo"])
    await house.archived(table)
    assert await house.hall.find(Filter(), 0) == before


@in_a_hall
async def test_the_listing_has_pages_without_gaps_or_repeats(house: House) -> None:
    [ann] = await house.guests("Ann")
    opened = []
    for number in range(2 * PAGE + 3):
        await house.after(0.001 * (number % 3))  # some in the same millisecond
        opened.append(await house.hall.open(ann, Opening("wards")))
    pages = [[shown["id"] for shown in await house.hall.find(Filter(), page)] for page in range(4)]
    assert [len(page) for page in pages] == [PAGE, PAGE, 3, 0]
    assert sorted(id for page in pages for id in page) == sorted(opened)
    assert [shown["id"] for shown in await house.hall.find(Filter(), -1)] == pages[0]


# -- closing ----------------------------------------------------------------------------------------------


@in_a_hall
async def test_who_opened_a_table_may_close_its_lobby_and_nobody_else_may(house: House) -> None:
    ann, bo, cy = await house.guests("Ann", "Bo", "Cy")
    table = await house.lobby("aetharn", ann, bo)
    for account in (bo, cy, None):
        assert await outcome(house.hall.destroy(account, table, "enough")) == "not_allowed"
    await house.hall.destroy(ann, table, "enough")
    assert house.state(table).phase == "abandoned"
    for account in (ann, bo):
        assert await outcome(house.hall.destroy(account, table, "again")) == "already_started"
        assert await outcome(house.hall.sit(account, table)) == "already_started"


@in_a_hall
async def test_a_running_game_is_closed_by_the_operator_alone_and_counts_for_nobody(house: House) -> None:
    """C9: the result is Abandoned."""
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.lobby("tenthousand", ann, bo)
    await house.hall.ask(bo, table, Start())
    assert await outcome(house.hall.destroy(ann, table, "enough")) == "not_allowed"
    await house.hall.destroy(None, table, "cleaning", operator=True)
    shown = await house.hall.look(ann, table)
    assert (shown["phase"], shown["over"]) == ("abandoned", None)
    assert await house.hall.parts.register.counts(ann) == []
    assert await outcome(house.hall.act(ann, table, "roll")) == "game_finished"


@in_a_hall
async def test_a_table_that_is_over_cannot_be_closed_even_by_the_operator(house: House) -> None:
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.won(ann, bo)
    assert await outcome(house.hall.destroy(None, table, "late", operator=True)) == "already_started"
    [count] = await house.hall.parts.register.counts(ann)
    assert (count.played, count.won) == (1, 1)
