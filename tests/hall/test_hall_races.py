"""Clients who want the same thing at the same moment, on the journal in memory and on SQLite."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dicehall.core.game import Refused
from dicehall.hall.cards import facts_of
from dicehall.hall.hall import Hall, HallParts
from dicehall.hall.opening import Opening
from dicehall.hall.register import Filter, Register
from dicehall.store.memory import MemoryJournal
from dicehall.store.register import SqliteRegister
from dicehall.store.sqlite import SqliteJournal
from dicehall.table.host import Host, Parts
from dicehall.table.requests import Stand
from tests.hall.fakes import StillClock, as_asked
from tests.hall.halls import GAMES, NamedBox, PlainPasswords, frozen, known_levels
from tests.hall.seeds.small_hall import called
from tests.table.hosting import Bots

ORDERS = 24
BOTH = pytest.mark.parametrize("kind", ["memory", "sqlite"])


class Arena:
    """A hall whose clients start in every order: each takes a few moments more or less."""

    def __init__(self, journal: Any, register: Register, seed: int = 0) -> None:
        self.chance, self.ids = Random(seed), count(1)
        box = NamedBox()
        box.named[1] = (6,)
        parts = Parts(journal, StillClock(), box, Bots(), GAMES, "p1", frozen, facts_of, journal)
        new_id = lambda: f"t{next(self.ids)}"  # noqa: E731
        mine = HallParts(register, self.name, PlainPasswords(), new_id, known_levels, as_asked)
        self.hall = Hall(Host(parts), mine)

    async def name(self, account: str) -> str:
        await self.dawdle()
        return await called(account)

    async def dawdle(self) -> None:
        for _ in range(self.chance.randrange(5)):
            await asyncio.sleep(0)

    async def race(self, *runners: Callable[[], Awaitable[Any]]) -> list[Any]:
        """All at once: what each was answered, or the code it was refused with."""

        async def one(runner: Callable[[], Awaitable[Any]]) -> Any:
            await self.dawdle()
            try:
                return await runner()
            except Refused as refused:
                return str(refused.code)

        shuffled = self.chance.sample(range(len(runners)), len(runners))
        answers = await asyncio.gather(*(one(runners[at]) for at in shuffled))
        return [answers[shuffled.index(at)] for at in range(len(runners))]

    async def sit_all(self, table: str, *people: str) -> None:
        for account in people:
            await self.hall.sit(account, table)


@asynccontextmanager
async def arena(kind: str, folder: Path) -> AsyncIterator[Arena]:
    journal: Any = MemoryJournal() if kind == "memory" else SqliteJournal(folder / "hall.db")
    made = Arena(journal, journal.register if kind == "memory" else SqliteRegister(journal))
    await made.hall.host.start()
    yield made
    await made.hall.host.stop()
    journal.close()


def in_an_arena(kind: str, folder: Path, story: Callable[[Arena, int], Awaitable[None]]) -> None:
    async def whole() -> None:
        async with arena(kind, folder) as made:
            for order in range(ORDERS):
                await story(made, order)

    asyncio.run(whole())


@BOTH
@pytest.mark.parametrize("seats", [(None, None, None), (1, 1, 1), (1, None, 1)])
def test_of_those_who_race_for_the_last_seat_one_gets_it(
    kind: str, seats: tuple[int | None, ...], tmp_path: Path
) -> None:
    winners = set()

    async def story(made: Arena, order: int) -> None:
        table = await made.hall.open("ann", Opening("wards"))
        await made.hall.sit("ann", table, 0)
        people = ("bo", "cy", "di")
        runs = [
            lambda who=who, seat=seat: made.hall.sit(who, table, seat) for who, seat in zip(people, seats, strict=True)
        ]
        answers = await made.race(*runs)
        lost = [answer for answer in answers if isinstance(answer, str)]
        assert len(lost) == 2
        assert set(lost) <= {"table_full", "seat_taken", "already_started"}
        chairs = (await made.hall.host.reach(table)).state.chairs
        got = next(who for who, answer in zip(people, answers, strict=True) if not isinstance(answer, str))
        assert [chair.account for chair in chairs] == ["ann", got]
        assert (await made.hall.look(None, table))["phase"] == "playing"
        winners.add(got)

    in_an_arena(kind, tmp_path, story)
    assert len(winners) > 1, "the orders were all the same"


@BOTH
def test_in_a_lobby_that_does_not_start_by_itself_the_loser_is_told_it_is_full(kind: str, tmp_path: Path) -> None:
    async def story(made: Arena, order: int) -> None:
        table = await made.hall.open("ann", Opening("aetharn", seats=2))
        await made.hall.sit("ann", table)
        answers = await made.race(*(lambda who=who: made.hall.sit(who, table) for who in ("bo", "cy")))
        assert [answer for answer in answers if isinstance(answer, str)] == ["table_full"]
        answers = await made.race(
            lambda: made.hall.ask("ann", table, Stand()),
            *(lambda who=who: made.hall.sit(who, table) for who in ("di", "ed")),
        )
        state = (await made.hall.host.reach(table)).state
        assert len({chair.number for chair in state.chairs}) == len(state.chairs) <= 2
        assert len({chair.account for chair in state.chairs}) == len(state.chairs)
        assert sum(not isinstance(answer, str) for answer in answers[1:]) <= 1

    in_an_arena(kind, tmp_path, story)


@BOTH
def test_somebody_who_sits_down_from_two_places_at_once_sits_once(kind: str, tmp_path: Path) -> None:
    async def story(made: Arena, order: int) -> None:
        table = await made.hall.open("ann", Opening("tenthousand", seats=4))
        answers = await made.race(*(lambda seat=seat: made.hall.sit("ann", table, seat) for seat in (None, 2, 3)))
        state = (await made.hall.host.reach(table)).state
        assert [chair.account for chair in state.chairs] == ["ann"]
        assert {answer for answer in answers if isinstance(answer, str)} <= {"already_seated"}

    in_an_arena(kind, tmp_path, story)


@BOTH
def test_two_who_ask_for_a_rematch_at_once_meet_at_one_table(kind: str, tmp_path: Path) -> None:
    openers = set()

    async def story(made: Arena, order: int) -> None:
        table = await made.hall.open("ann", Opening("wards", {"goal": 6}))
        await made.sit_all(table, "ann", "bo")
        for move in ("roll", "hold"):
            await made.hall.act("ann", table, move)
        asked = [("ann", None), ("bo", None), ("ann", f"r{order}"), ("bo", f"r{order}"), ("bo", f"s{order}")]
        new = set(await made.race(*(lambda who=who, id=id: made.hall.rematch(who, table, id) for who, id in asked)))
        assert len(new) == 1
        card = await made.hall.card(new.pop())
        assert card.before == table
        openers.add(card.opener)
        await made.race(*(lambda who=who: made.hall.sit(who, card.table) for who in ("ann", "bo")))
        state = (await made.hall.host.reach(card.table)).state
        assert [chair.account for chair in state.chairs] == ["bo", "ann"]

    in_an_arena(kind, tmp_path, story)
    assert openers == {"ann", "bo"}, "the orders were all the same"


@BOTH
def test_an_opening_that_is_asked_for_twice_at_once_opens_one_table(kind: str, tmp_path: Path) -> None:
    async def story(made: Arena, order: int) -> None:
        wanted, me = Opening("wards", id=f"o{order}"), f"opener {order}"
        tables = await made.race(*(lambda: made.hall.open(me, wanted) for _ in range(4)))
        other = await made.hall.open("bo", wanted)
        assert len(set(tables)) == 1
        assert other not in tables
        listed = await made.hall.find(Filter(opener=me), 0)
        assert [shown["id"] for shown in listed] == [tables[0]]

    in_an_arena(kind, tmp_path, story)


@BOTH
def test_the_last_move_of_a_game_that_comes_twice_at_once_counts_once(kind: str, tmp_path: Path) -> None:
    """W12."""

    async def story(made: Arena, order: int) -> None:
        me = f"player {order}"
        table = await made.hall.open(me, Opening("wards", {"goal": 6}))
        await made.sit_all(table, me, "bo")
        await made.hall.act(me, table, "roll")
        answers = await made.race(*(lambda id=id: made.hall.act(me, table, "hold", id) for id in ("x", "x", "y", None)))
        assert sum(not isinstance(answer, str) and not answer.repeated for answer in answers) == 1
        assert {answer for answer in answers if isinstance(answer, str)} == {"game_finished"}
        [counted] = await made.hall.parts.register.counts(me)
        assert (counted.played, counted.won) == (1, 1)

    in_an_arena(kind, tmp_path, story)
