"""The daily challenge on a virtual clock: the same dice for everybody, one attempt, nothing to be won by the clock."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from dicehall.core.game import Refused, Seat
from dicehall.core.throws import Throws
from dicehall.hall.challenge_days import DAY_MS, begins_at, closes_at, day_at, opens_at
from dicehall.hall.challenges import Challenges
from dicehall.hall.register import Filter
from dicehall.launch.checking import check_seal
from dicehall.store.memory_challenges import MemoryChallenges
from dicehall.table import requests
from dicehall.table.state import TableState
from dicehall.table.updates import audience
from dicehall.wire.answers import Replay
from dicehall.wire.record import Record
from tests.hall.halls import House, in_a_hall, outcome

TODAY = "2023-11-14"  # where virtual time begins, at 22:13 UTC
TOMORROW = "2023-11-15"
Choose = Callable[[TableState, Seat], Any]


def challenges(house: House, store: MemoryChallenges | None = None) -> Challenges:
    made = Challenges(house.hall, store or MemoryChallenges(house.journal), secrets.token_bytes)
    object.__setattr__(house.hall.parts, "day_secret", made.opened_secret)
    return made


async def until(house: House, at: int) -> None:
    """The machine sleeps for most of the time: a day of heartbeats takes seconds."""
    house.clock.skew += max(0, at - house.clock.now() - 5000)
    await asyncio.sleep((at - house.clock.now()) / 1000)


def brave(state: TableState, seat: Seat) -> Any:
    return "roll"


def careful(state: TableState, seat: Seat) -> Any:
    """Holds eight points of Dice Wards."""
    return "hold" if state.position.round_score >= 8 else "roll"


async def play(house: House, account: str, table: str, choose: Choose = careful, most: int = 10_000) -> None:
    """Play on until the game is over, or so many moves are made."""
    for _ in range(most):
        while (state := house.state(table)).phase == "playing" and audience(state, account) not in state.to_act():
            await asyncio.sleep(1)
        if state.phase != "playing":
            return
        seat = audience(state, account)
        assert seat is not None
        await house.hall.act(account, table, choose(state, seat))


async def record_of(house: House, account: str | None, table: str) -> Record:
    return await house.hall.record(account, table)


def thrown(record: Record) -> dict[tuple[int, ...], tuple[int, ...]]:
    """Every roll of a record by its place."""
    throws, found = Throws(), {}
    for logged in record.logged():
        throws = throws.after(logged.entry)
        if hasattr(logged.entry, "faces"):
            found[tuple(throws.place)] = logged.entry.faces
    return found


def checked(record: Record, seal: str | None = None) -> Any:
    replay = Replay(record)
    list(replay.steps())
    return check_seal(replay, seal)


@in_a_hall
async def test_two_people_who_play_differently_meet_the_same_dice(house: House) -> None:
    daily = challenges(house)
    ann, bo = await house.accounts("ann", "bo")
    first, second = await daily.start(ann, "wards"), await daily.start(bo, "wards")
    await play(house, ann, first, careful)
    await play(house, bo, second, brave, 40)
    anns, bos = thrown(await record_of(house, ann, first)), thrown(await record_of(house, bo, second))
    shared = anns.keys() & bos.keys()
    assert len(shared) > 5
    assert anns != bos
    assert all(anns[place] == bos[place] for place in shared)


@in_a_hall
async def test_the_day_is_sealed_from_the_start_and_opened_the_day_after_for_everybody_to_check(house: House) -> None:
    daily = challenges(house)
    (ann,) = await house.accounts("ann")
    shown = await daily.show_today(ann)
    table = await daily.start(ann, "wards")
    assert house.state(table).opened.s0 == shown["seal"]
    await play(house, ann, table)
    before = await record_of(house, ann, table)
    assert checked(before).code == "not_opened"
    assert not any("opened" in entry for entry in before.entries)
    assert await daily.opened_secret(TODAY) is None
    await until(house, opens_at(TODAY))
    opened = await record_of(house, None, table)
    assert checked(opened, shown["seal"]).good
    assert checked(opened, "0" * 64).code == "other_seal"


@pytest.mark.parametrize("game", ["aetharn", "tenthousand", "doordice", "mana"])
@in_a_hall
async def test_every_game_has_a_challenge_that_starts_at_once(house: House, game: str) -> None:
    daily = challenges(house)
    (ann,) = await house.accounts("ann")
    table = await daily.start(ann, game)
    state = house.state(table)
    assert state.phase == "playing"
    levels = house.hall.parts.levels(game)
    assert all(chair.bot == levels[-1] for chair in state.chairs if chair.account is None)
    assert len(state.chairs) == state.game.seats[0]


@in_a_hall
async def test_an_account_has_one_attempt_a_day_and_game_also_when_it_asks_twice_at_once(house: House) -> None:
    daily = challenges(house)
    (ann,) = await house.accounts("ann")
    first, again = await asyncio.gather(daily.start(ann, "wards"), daily.start(ann, "wards"))
    assert first == again
    assert house.state(first).phase == "playing"
    await play(house, ann, first)
    assert await daily.start(ann, "wards") == first
    assert await daily.start(ann, "aetharn") != first
    await until(house, begins_at(TOMORROW))
    assert await daily.start(ann, "wards") != first


@in_a_hall
async def test_an_attempt_goes_on_after_a_restart_with_the_same_dice(house: House) -> None:
    store = MemoryChallenges(house.journal)
    ann, bo = await house.accounts("ann", "bo")
    table = await challenges(house, store).start(ann, "wards")
    await play(house, ann, table, careful, 5)
    await house.die()
    await house.boot()
    daily = challenges(house, store)
    assert await daily.start(ann, "wards") == table
    await house.hall.host.reach(table)
    await play(house, ann, table, careful, 5)
    other = await daily.start(bo, "wards")
    await play(house, bo, other, careful, 10)
    mine, theirs = thrown(await record_of(house, ann, table)), thrown(await record_of(house, bo, other))
    assert all(mine[place] == theirs[place] for place in mine.keys() & theirs.keys())


@in_a_hall
async def test_a_start_that_was_interrupted_is_made_up_for_and_nobody_changes_the_seats_meanwhile(house: House) -> None:
    daily = challenges(house)
    (ann,) = await house.accounts("ann")
    table = await daily.open(ann, daily.game("wards"))
    lobby = house.state(table)
    bot = next(chair.number for chair in lobby.chairs if chair.bot)
    assert await outcome(house.hall.ask(ann, table, requests.Remove(bot))) == "not_allowed"
    assert await outcome(house.hall.add_bot(ann, table, 1 - bot, "random")) == "not_allowed"
    assert await outcome(house.hall.destroy(ann, table, "closed")) == "not_allowed"
    assert await outcome(house.hall.sit(ann, table, commitment="0" * 64)) == "bad_request"
    await house.after(2 * 3600 - 60)  # no lobby of a challenge is closed for being empty
    assert await daily.open(ann, daily.game("wards")) == table or day_at(house.clock.now()) != TODAY
    await daily.sit_down(ann, table)
    assert house.state(table).phase == "playing"


@in_a_hall
async def test_until_the_day_is_opened_nobody_else_sees_a_game_of_it(house: House) -> None:
    daily = challenges(house)
    ann, bo = await house.accounts("ann", "bo")
    table = await daily.start(ann, "wards")
    for _ in range(2):  # while it runs, and when it is over
        for who in (bo, None):
            assert await outcome(house.hall.look(who, table)) == "not_allowed"
            assert await outcome(house.hall.record(who, table)) == "not_allowed"
            assert await outcome(house.hall.updates(who, table, 0)) == "not_allowed"
            assert await outcome(house.hall.encoded_updates(who, table, 0)) == "not_allowed"
            assert await outcome(house.hall.watch(who, table, house.ear())) == "not_allowed"
        assert await outcome(house.hall.sit(bo, table)) == "not_allowed"
        assert (await house.hall.look(ann, table))["id"] == table
        assert not await house.hall.find(Filter(), 0)
        await play(house, ann, table)
    assert not await house.hall.parts.register.endings(None, None, 0, viewer=bo)
    await until(house, opens_at(TODAY))
    assert (await house.hall.look(bo, table))["phase"] == "over"


@in_a_hall
async def test_nobody_helps_in_a_challenge_and_it_is_played_once(house: House) -> None:
    daily = challenges(house)
    (ann,) = await house.accounts("ann")
    table = await daily.start(ann, "wards")
    assert await outcome(house.hall.ask(ann, table, requests.Hint())) == "not_allowed"
    assert await outcome(house.hall.add_bot(ann, table, None, "exact")) == "not_allowed"
    shown = await house.hall.look(ann, table)
    assert not shown["practice"]
    assert (shown["rated"], shown["unrated"], shown["timed"]) == (False, "challenge", False)
    await play(house, ann, table)
    assert await outcome(house.hall.rematch(ann, table)) == "not_allowed"


@pytest.mark.parametrize("game", ["wards", "aetharn", "mana"])
@in_a_hall
async def test_nobody_wins_by_waiting_and_an_unfinished_attempt_is_closed_an_hour_after_the_day(
    house: House, game: str
) -> None:
    daily = challenges(house)
    (ann,) = await house.accounts("ann")
    table = await daily.start(ann, game)
    await until(house, closes_at(TODAY) - 1)
    assert house.state(table).phase in ("playing", "asleep")
    await until(house, closes_at(TODAY) + 5000)
    await house.hall.look(ann, table)
    assert house.state(table).phase == "abandoned"
    assert await outcome(house.hall.act(ann, table, "roll")) == "game_finished"
    assert (await daily.show_ranking(None, game, TODAY, 0, newcomers=False))["ranking"] == []


@in_a_hall
async def test_a_server_that_was_away_when_the_day_closed_closes_its_attempts_all_the_same(house: House) -> None:
    store = MemoryChallenges(house.journal)
    (ann,) = await house.accounts("ann")
    table = await challenges(house, store).start(ann, "wards")
    await until(house, closes_at(TODAY) - 10_000)
    await house.die()
    await until(house, opens_at(TODAY) + 60_000)
    await house.boot()
    daily = challenges(house, store)
    assert await outcome(house.hall.act(ann, table, "roll")) == "game_finished"
    assert house.state(table).phase == "abandoned"
    assert await daily.opened_secret(TODAY) is not None


@in_a_hall
async def test_an_attempt_begun_before_midnight_counts_if_it_is_over_before_one(house: House) -> None:
    daily = challenges(house)
    ann, bo = await house.accounts("ann", "bo")
    await until(house, begins_at(TOMORROW))  # so that both accounts are older than the day
    await until(house, begins_at(TOMORROW) + DAY_MS - 2000)
    table = await daily.start(ann, "wards")
    await play(house, ann, table)
    assert house.clock.now() > begins_at(TOMORROW) + DAY_MS
    late = await daily.start(bo, "wards")
    assert house.state(late).opened.challenge == "2023-11-16"
    assert (await daily.show_ranking(None, "wards", TOMORROW, 0, newcomers=False))["ranking"] == []
    await until(house, opens_at(TOMORROW))
    ranking = (await daily.show_ranking(None, "wards", TOMORROW, 0, newcomers=False))["ranking"]
    assert [one.account for one in ranking] == [ann]


@in_a_hall
async def test_two_people_on_two_days_are_ranked_by_result_and_by_loss(house: House) -> None:
    daily = challenges(house)
    ann, bo = await house.accounts("ann", "bo")
    (guest,) = await house.guests("gus")
    await until(house, begins_at(TOMORROW) + 1000)
    seals = []
    for day in (TOMORROW, "2023-11-16"):
        seals.append((await daily.today()).seal)
        for who, choose in ((ann, careful), (bo, brave), (guest, careful)):
            await play(house, who, await daily.start(who, "wards"), choose, 60)
        await until(house, begins_at(day) + DAY_MS + 1000)
    await until(house, opens_at("2023-11-16"))
    assert seals[0] != seals[1]
    losses = iter((0.02, 0.01, 0.0) * 2)
    while await daily.judge_all(lambda attempt: given((next(losses), 30))):
        pass
    account = await house.people.account(ann)
    shown = await daily.show_ranking(account, "wards", TOMORROW, 0, newcomers=False)
    assert ann in {one.account for one in shown["ranking"]}
    assert guest not in {one.account for one in shown["ranking"]}
    assert shown["mine"].account == ann
    assert shown["mine"].average_loss is not None
    order = [(one.rank, one.place, one.average_loss) for one in shown["ranking"]]
    assert order == sorted(order)
    apart = (await daily.show_ranking(None, "wards", TOMORROW, 0, newcomers=True))["ranking"]
    assert [one.account for one in apart] == [guest]


async def given(loss: tuple[float, int]) -> tuple[float, int]:
    return loss


@in_a_hall
async def test_after_a_restore_a_day_that_was_not_opened_is_void(house: House) -> None:
    daily = challenges(house)
    ann, bo = await house.accounts("ann", "bo")
    table = await daily.start(ann, "wards")
    await daily.void_after_restore(house.clock.now())
    assert await house.journal.secret(table) is None
    assert (await daily.show_today(ann))["void"]
    assert await outcome(daily.start(bo, "wards")) == "not_allowed"
    await until(house, opens_at(TODAY))
    shown = await daily.show_ranking(None, "wards", TODAY, 0, newcomers=True)
    assert (shown["secret"], shown["ranking"], shown["void"]) == (None, [], True)
    assert await outcome(daily.start(bo, "wards")) != "not_allowed"


@in_a_hall
async def test_who_gives_up_has_had_the_attempt(house: House) -> None:
    daily = challenges(house)
    (ann,) = await house.accounts("ann")
    table = await daily.start(ann, "aetharn")
    await house.hall.ask(ann, table, requests.Abandon())
    assert await daily.start(ann, "aetharn") == table
    assert house.state(table).phase == "abandoned"
    games = {game["game"]: game["attempt"] for game in (await daily.show_today(ann))["games"]}
    assert games["aetharn"] == {
        "table": table,
        "phase": "abandoned",
        "place": None,
        "won": False,
        "score": None,
        "others": [],
    }


@in_a_hall
async def test_a_day_or_a_game_that_does_not_exist_is_refused(house: House) -> None:
    daily = challenges(house)
    (ann,) = await house.accounts("ann")
    assert await outcome(daily.start(ann, "chess")) == "bad_request"
    for day in ("yesterday", "2023-13-01", "2023-1-1", "20231114", "٢٠٢٣-11-14"):
        assert await outcome(daily.show_ranking(None, "wards", day, 0, newcomers=False)) == "bad_request"
    with pytest.raises(Refused):
        daily.game("chess")


@in_a_hall
async def test_the_bot_of_a_challenge_chooses_alike_for_everybody_who_chose_alike(house: House) -> None:
    daily = challenges(house)
    people = await house.accounts("ann", "bo")
    picks: list[Sequence[Any]] = []
    for number, who in enumerate(people):
        table = await daily.start(who, "mana")
        await asyncio.sleep(3 * number)  # whether the person or the bot picks first does not matter
        await play(house, who, table, lambda state, seat: {"pick": unspent(state, seat)})
        record = await record_of(house, who, table)
        picks.append([entry for entry in plain(record) if "move" in entry])
    assert sorted(map(str, picks[0])) == sorted(map(str, picks[1]))


def unspent(state: TableState, seat: Seat) -> int:
    return int(min(pick.unit for pick in state.game.choices(state.position, seat)))


def plain(record: Record) -> list[dict[str, Any]]:
    return [{key: entry[key] for key in ("seat", "move") if key in entry} for entry in record.entries]
