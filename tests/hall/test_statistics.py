"""Statistics are counts over results: by account and game, in sum, between two, and on leaderboards."""

from __future__ import annotations

from typing import Any

import pytest

from dicehall.hall.opening import Opening, WantedBot
from dicehall.hall.register import PAGE, Count, Leader, Register
from dicehall.table.requests import Hint, Start
from tests.hall.halls import House, in_a_hall, outcome

SAME_ARMIES = (7,) * 32 + (1,)


def register(house: House) -> Register:
    return house.hall.parts.register


async def counts(house: House, account: str) -> dict[str, tuple[int, int]]:
    return {count.game: (count.played, count.won) for count in await register(house).counts(account)}


async def ten_thousand(house: House, *people: str) -> None:
    """A game of ten thousand that bots play to its end for these people."""
    house.box.named.clear()
    table = await house.lobby("tenthousand", *people, rules={"goal": 200, "opening": 0})
    await house.hall.ask(people[0], table, Start())
    for account in people:
        await house.hall.add_bot(account, table, None, "greedy")
    await house.after(600)
    assert house.state(table).phase == "over"


async def drawn_match(house: House, one: str, other: str) -> str:
    house.box.named[1] = SAME_ARMIES
    table = await house.lobby("mana", one, other, rules={"rounds": 1})
    for account in (one, other):
        await house.hall.act(account, table, {"pick": 0})
    assert house.state(table).phase == "over"
    return table


@in_a_hall
async def test_games_played_and_won_are_counted_per_game_and_in_sum(house: House) -> None:
    """W12: the hall's own profile counts per game and in sum."""
    ann, bo = await house.accounts("Ann", "Bo")
    await house.won(ann, bo)
    await house.won(ann, bo)
    await house.won(bo, ann)
    await drawn_match(house, ann, bo)
    assert await counts(house, ann) == {"wards": (3, 2), "mana": (1, 0)}
    assert await counts(house, bo) == {"wards": (3, 1), "mana": (1, 0)}
    assert await counts(house, "nobody") == {}


@in_a_hall
async def test_a_shared_first_place_is_no_win(house: House) -> None:
    """C8."""
    ann, bo = await house.accounts("Ann", "Bo")
    table = await drawn_match(house, ann, bo)
    ending = await register(house).ending(table)
    assert ending is not None
    assert [(result.place, result.won) for result in ending.results] == [(1, False), (1, False)]
    assert await register(house).versus(ann, bo) == [(Count("mana", 1, 0), Count("mana", 1, 0))]


@in_a_hall
async def test_abandoned_games_count_for_nobody_and_are_in_no_history(house: House) -> None:
    """C9: destroyed ones, and (A11, C8) those that the rules give up."""
    ann, bo = await house.accounts("Ann", "Bo")
    closed = await house.game_of(ann, bo)
    await house.hall.destroy(None, closed, "cleaning", operator=True)
    given_up = await house.lobby("aetharn", ann, bo, rules={"grace_seconds": 5})
    await house.hall.ask(ann, given_up, Start())
    for account in (ann, bo):
        await house.hall.leave(account, given_up)
    await house.after(7)
    for table in (closed, given_up):
        assert house.state(table).phase == "abandoned"
        ending = await register(house).ending(table)
        assert ending is not None
        assert ending.results == ()
    for account in (ann, bo):
        assert await counts(house, account) == {}
        assert await register(house).endings(None, account, 0) == []


@in_a_hall
async def test_head_to_head_counts_only_games_of_both(house: House) -> None:
    ann, bo, cy = await house.accounts("Ann", "Bo", "Cy")
    await house.won(ann, bo)
    await house.won(bo, ann)
    await house.won(bo, ann)
    await house.won(ann, cy)
    assert await register(house).versus(ann, bo) == [(Count("wards", 3, 1), Count("wards", 3, 2))]
    assert await register(house).versus(bo, ann) == [(Count("wards", 3, 2), Count("wards", 3, 1))]
    assert await register(house).versus(bo, cy) == []
    await ten_thousand(house, ann, bo, cy)
    [(mine, theirs)] = await register(house).versus(bo, cy)
    assert (mine.game, mine.played, theirs.played) == ("tenthousand", 1, 1)
    assert mine.won + theirs.won <= 1


@in_a_hall
async def test_history_has_the_latest_first_with_everybody_in_it(house: House) -> None:
    ann, bo, cy = await house.accounts("Ann", "Bo", "Cy")
    tables = []
    for pair in ((ann, bo), (bo, cy), (cy, ann)):
        tables.append(await house.won(*pair))
        await house.after(1)
    await drawn_match(house, ann, bo)
    wards = await register(house).endings("wards", None, 0)
    assert [ending.table for ending in wards] == tables[::-1]
    assert [ending.table for ending in await register(house).endings("wards", ann, 0)] == [tables[2], tables[0]]
    assert len(await register(house).endings(None, ann, 0)) == 3
    [first, second] = wards[-1].results
    assert (first.name, first.account, first.place, first.won, first.score) == ("Ann", ann, 1, True, 6)
    assert (second.name, second.account, second.place, second.won, second.score) == ("Bo", bo, 2, False, 0)


@in_a_hall
async def test_history_stays_whole_when_tables_are_archived_and_processes_change(house: House) -> None:
    ann, bo = await house.accounts("Ann", "Bo")
    table = await house.won(ann, bo)
    before = await register(house).endings(None, None, 0)
    await house.archived(table)
    await house.die()
    await house.boot()
    assert await register(house).endings(None, None, 0) == before
    assert await counts(house, ann) == {"wards": (1, 1)}


@in_a_hall
async def test_history_has_pages(house: House) -> None:
    ann, bo = await house.accounts("Ann", "Bo")
    for _ in range(PAGE + 2):
        await house.won(ann, bo)
    pages = [await register(house).endings(None, bo, page) for page in range(3)]
    assert [len(page) for page in pages] == [PAGE, 2, 0]
    assert len({ending.table for page in pages for ending in page}) == PAGE + 2


@in_a_hall
async def test_leaders_are_those_who_won_most_or_most_often_of_enough_games(house: House) -> None:
    ann, bo, cy, di = await house.accounts("Ann", "Bo", "Cy", "Di")
    for pair in ((ann, bo), (ann, bo), (bo, ann), (bo, ann), (cy, di), (ann, di), (bo, di), (ann, bo)):
        await house.won_rated(*pair)
    most = [
        (leader.name, leader.played, leader.won)
        for leader in await register(house).leaders("wards", "accounts", "won", 1, 0)
    ]
    assert most == [("Ann", 6, 4), ("Bo", 6, 3), ("Cy", 1, 1), ("Di", 3, 0)]
    rate = [leader.name for leader in await register(house).leaders("wards", "accounts", "rate", 1, 0)]
    assert rate == ["Cy", "Ann", "Bo", "Di"]
    enough = [leader.name for leader in await register(house).leaders("wards", "accounts", "rate", 3, 0)]
    assert enough == ["Ann", "Bo", "Di"]
    assert await register(house).leaders("mana", "accounts", "won", 1, 0) == []
    assert await register(house).leaders(None, "accounts", "won", 1, 1) == []


@in_a_hall
async def test_guests_and_bots_have_leaderboards_of_their_own(house: House) -> None:
    [ann], [bo] = await house.accounts("Ann"), await house.guests("Bo")
    await house.won_rated(ann, bo)
    await house.won_rated(bo, ann)
    table = await house.hall.open(ann, Opening("wards", bots=(WantedBot(1, "greedy"),)))
    await house.hall.sit(ann, table)
    await house.win_rated(table, ann)
    boards = {kind: await register(house).leaders(None, kind, "won", 1, 0) for kind in ("accounts", "guests", "bots")}
    assert boards["accounts"] == [Leader(ann, "Ann", 3, 2)]
    assert boards["guests"] == [Leader(bo, "Bo", 2, 1)]
    assert boards["bots"] == [Leader("greedy", "greedy", 1, 0)]


@in_a_hall
async def test_a_guest_who_becomes_an_account_keeps_everything(house: House) -> None:
    [ann], [bo] = await house.accounts("Ann"), await house.guests("Bo")
    table = await house.won_rated(bo, ann)
    running = await house.game_of(bo, ann)
    await house.people.set_password(bo, "correct horse")
    assert (await house.people.sign_in("bo", "correct horse")).account.id == bo
    assert await counts(house, bo) == {"wards": (1, 1)}
    assert [ending.table for ending in await register(house).endings(None, bo, 0)] == [table]
    assert await register(house).leaders(None, "guests", "won", 1, 0) == []
    assert Leader(bo, "Bo", 1, 1) in await register(house).leaders(None, "accounts", "won", 1, 0)
    await house.win(running, bo)
    assert await counts(house, bo) == {"wards": (2, 2)}
    assert await register(house).versus(ann, bo) == [(Count("wards", 2, 0), Count("wards", 2, 2))]


@in_a_hall
async def test_who_takes_another_name_keeps_their_counts_and_old_results_keep_the_old_name(house: House) -> None:
    ann, bo = await house.accounts("Ann", "Bo")
    table = await house.won_rated(ann, bo)
    await house.people.rename(ann, "Anna")
    assert await register(house).leaders(None, "accounts", "won", 1, 0) == [
        Leader(ann, "Anna", 1, 1),
        Leader(bo, "Bo", 1, 0),
    ]
    ending = await register(house).ending(table)
    assert ending is not None
    assert ending.results[0].name == "Ann"


@in_a_hall
async def test_a_bot_that_stands_in_plays_for_its_person(house: House) -> None:
    """C9: the seat, and so its result, stays the person's."""
    ann, bo = await house.accounts("Ann", "Bo")
    await ten_thousand(house, ann, bo)
    played = [await counts(house, account) for account in (ann, bo)]
    assert sorted(one["tenthousand"] for one in played) == [(1, 0), (1, 1)]
    assert await register(house).leaders(None, "bots", "won", 1, 0) == []


@in_a_hall
async def test_repeating_the_last_move_of_a_game_counts_nothing_twice(house: House) -> None:
    """W12: exactly once per game, also across crashes and retries."""
    ann, bo = await house.accounts("Ann", "Bo")
    house.box.named[1] = (6,)
    table = await house.game_of(ann, bo)
    await house.hall.act(ann, table, "roll")
    for _ in range(2):
        await house.hall.act(ann, table, "hold", id="last")
        await house.die()
        await house.boot()
    assert await outcome(house.hall.act(ann, table, "hold")) == "game_finished"
    assert await counts(house, ann) == {"wards": (1, 1)}


# -- rated games --------------------------------------------------------------------------------------------


async def rated_counts(house: House, account: str) -> dict[str, tuple[int, int]]:
    return {count.game: (count.played, count.won) for count in await register(house).counts(account, rated=True)}


async def solo(house: House, account: str, level: str = "greedy", **wanted: Any) -> str:
    """A table of Dice Wards with one person and a bot, whose dice let the person win in one turn."""
    house.box.named.update(dict.fromkeys(range(1, 18), (6,)))
    table = await house.hall.open(account, Opening("wards", bots=(WantedBot(1, level),), **wanted))
    await house.hall.sit(account, table)
    return table


@in_a_hall
async def test_only_rated_games_count_in_statistics_and_leaderboards(house: House) -> None:
    ann, bo = await house.accounts("Ann", "Bo")
    await house.won_rated(ann, bo)
    await house.won(ann, bo)  # a house rule
    for table in (await solo(house, ann, "random"), await solo(house, ann, rated=False), await solo(house, ann)):
        await house.win_rated(table, ann)
    assert await rated_counts(house, ann) == {"wards": (2, 2)}
    assert await counts(house, ann) == {"wards": (5, 5)}
    [first, second] = await register(house).leaders("wards", "accounts", "won", 1, 0)
    assert (first, second) == (Leader(ann, "Ann", 2, 2), Leader(bo, "Bo", 1, 0))
    assert await register(house).leaders(None, "bots", "won", 1, 0) == [Leader("greedy", "greedy", 1, 0)]
    assert [ending.rated for ending in await register(house).endings("wards", ann, 0)].count(True) == 2


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        ({}, None),
        ({"rules": {"goal": 99}}, "rules"),
        ({"rules": {"turn_seconds": None}}, "rules"),
        ({"level": "random"}, "bots"),
        ({"rated": False}, "casual"),
    ],
)
@in_a_hall
async def test_a_table_says_whether_it_is_rated_and_why_not(
    house: House, wanted: dict[str, Any], why: str | None
) -> None:
    [ann] = await house.accounts("Ann")
    shown = await house.hall.look(ann, await solo(house, ann, **wanted))
    assert (shown["rated"], shown["unrated"]) == (why is None, why)


@in_a_hall
async def test_a_game_in_which_somebody_took_a_hint_is_not_rated(house: House) -> None:
    [ann] = await house.accounts("Ann")
    table = await solo(house, ann, hints=True)
    assert (await house.hall.look(ann, table))["rated"]
    await house.hall.ask(ann, table, Hint())
    assert (await house.hall.look(ann, table))["unrated"] == "hints"
    await house.win_rated(table, ann)
    assert await rated_counts(house, ann) == {}
    assert (await house.hall.look(ann, table))["unrated"] == "hints"
