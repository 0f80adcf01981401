"""What a player of Dice Wards sees: the whole state, and the turn with its number and times (W13)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import msgspec
import pytest

from dicehall.hall.opening import Opening
from dicehall.hall.seeds.wards_rooms import Rooms
from dicehall.hall.seeds.wards_turns import TurnBook
from dicehall.hall.seeds.wards_words import GameView
from dicehall.table.ports import Row
from tests.hall.seeds.seed_world import SeedWorld, in_a_hall, wrong
from tests.table.journal import TestJournal


@in_a_hall
async def test_the_view_of_a_game_that_has_just_begun(world: SeedWorld) -> None:
    """W13: every field, by its name."""
    ann, bo, room = await world.pair()
    now = world.clock.now()
    shown = {
        "roomId": room,
        "player1": ann,
        "player2": bo,
        "status": "InProgress",
        "scores": {"player1": 0, "player2": 0},
        "roundScore": 0,
        "activePlayer": "P1",
        "turnId": 1,
        "turnStartedAt": now,
        "turnExpiresAt": now + 30_000,
        "lastRoll": None,
        "winner": None,
        "createdAt": now,
        "me": "P1",
        "remainingMs": 30_000,
    }
    assert msgspec.to_builtins(await world.engine.getGameState(ann, room)) == shown
    assert msgspec.to_builtins(await world.engine.checkTimeout(bo, room)) == {**shown, "me": "P2"}


@in_a_hall
async def test_a_roll_answers_with_the_view_after_it(world: SeedWorld) -> None:
    """W2, W5, W13: the turn began when it began, its 30 seconds run from the roll."""
    world.box.named |= {1: (4,), 2: (5,)}
    ann, _, room = await world.pair()
    began = world.clock.now()
    for face, score in ((4, 4), (5, 9)):
        await world.after(10_000)
        view = await world.engine.roll(ann, room)
        now = world.clock.now()
        assert (view.lastRoll, view.roundScore, view.activePlayer, view.turnId) == (face, score, "P1", 1)
        assert (view.turnStartedAt, view.turnExpiresAt, view.remainingMs) == (began, now + 30_000, 30_000)


@in_a_hall
async def test_a_one_and_a_hold_pass_the_turn_and_the_last_roll_stays(world: SeedWorld) -> None:
    """W2, W3, W13."""
    world.box.named |= {1: (6,), 2: (1,), 3: (3,)}
    ann, bo, room = await world.pair()
    await world.after(1_000)
    await world.engine.roll(ann, room)
    view = await world.engine.roll(ann, room)
    assert (view.lastRoll, view.roundScore, view.activePlayer, view.turnId) == (1, 0, "P2", 2)
    assert view.turnStartedAt == world.clock.now()
    await world.after(1_000)
    await world.engine.roll(bo, room)
    await world.after(1_000)
    view = await world.engine.hold(bo, room)
    assert (view.lastRoll, view.activePlayer, view.turnId, view.me) == (3, "P1", 3, "P2")
    assert (view.scores.player1, view.scores.player2) == (0, 3)
    assert view.turnStartedAt == world.clock.now()


@in_a_hall
async def test_a_time_out_takes_effect_at_its_deadline_whether_or_not_anybody_looked(world: SeedWorld) -> None:
    """W6, W13: also in the second before a timer would ring."""
    world.box.named[1] = (5,)
    ann, bo, room = await world.pair()
    await world.engine.roll(ann, room)
    deadline = world.clock.now() + 30_000
    await world.after(30_400)
    view = await world.engine.checkTimeout(bo, room)
    assert (view.scores.player1, view.activePlayer, view.turnId) == (5, "P2", 2)
    assert (view.turnStartedAt, view.turnExpiresAt, view.remainingMs) == (deadline, deadline + 30_000, 29_600)


@in_a_hall
async def test_the_finished_view_has_a_winner_and_no_times(world: SeedWorld) -> None:
    """W9, W13: who won was the last to act."""
    ann, bo, room = await world.won_pair()
    for account, me in ((ann, "P1"), (bo, "P2")):
        view = await world.engine.getGameState(account, room)
        assert (view.status, view.winner, view.me, view.activePlayer) == ("Finished", "P1", me, "P1")
        assert (view.scores.player1, view.roundScore, view.lastRoll, view.turnId) == (6, 0, 6, 1)
        assert (view.turnStartedAt, view.turnExpiresAt, view.remainingMs) == (None, None, None)


@in_a_hall
async def test_a_sleeping_game_has_a_turn_but_no_running_clock(world: SeedWorld) -> None:
    """W8, W13: looking does not wake it, acting does."""
    ann, bo, room = await world.pair()
    began = world.clock.now()
    await world.after(3_600_000)
    for _ in range(2):
        view = await world.engine.checkTimeout(ann, room)
        assert (view.status, view.turnId, view.activePlayer) == ("InProgress", 4, "P2")
        assert (view.turnStartedAt, view.turnExpiresAt, view.remainingMs) == (began + 90_000, None, None)
    assert await wrong(world.engine.roll(ann, room)) == "NotYourTurn"
    view = await world.engine.getGameState(bo, room)
    assert (view.turnId, view.turnStartedAt, view.remainingMs) == (4, began + 90_000, 30_000)


@in_a_hall
async def test_a_table_without_a_clock_has_no_deadline(world: SeedWorld) -> None:
    """W13: the house rule `turn_seconds` is null."""
    ann, bo = await world.guests("Ann", "Bo")
    table = await world.hall.open(ann, Opening("wards", {"turn_seconds": None}))
    for account in (ann, bo):
        await world.lobbies.joinRoom(account, table)
    await world.after(3_600_000)
    view = await world.engine.getGameState(ann, table)
    assert (view.turnId, view.turnExpiresAt, view.remainingMs) == (1, None, None)
    assert view.turnStartedAt == world.clock.now() - 3_600_000


@in_a_hall
async def test_an_outage_starts_the_clock_afresh_but_not_the_turn(world: SeedWorld) -> None:
    """C5, W13."""
    world.box.named[1] = (5,)
    ann, _, room = await world.pair()
    began = world.clock.now()
    await world.after(20_000)
    await world.engine.roll(ann, room)
    await world.dead_for(100_000)
    view = await world.engine.getGameState(ann, room)
    assert (view.turnId, view.turnStartedAt, view.roundScore) == (1, began, 5)
    assert view.remainingMs == 30_000


@dataclass
class Count:
    """Turns as somebody counts them who only watches scores and dice."""

    number: int
    since: int

    def see(self, before: GameView, after: GameView, at: int) -> None:
        passed = before.activePlayer != after.activePlayer and after.status != "Finished"
        self.number, self.since = (self.number + 1, at) if passed else (self.number, self.since)


@pytest.mark.parametrize("seed", range(4))
@in_a_hall
async def test_turns_are_counted_rightly_through_a_whole_game_with_time_outs_and_restarts(
    world: SeedWorld, seed: int
) -> None:
    """W12, W13: checked at every act, by who remembers everything and by who has just come."""
    random = Random(seed)
    ann, bo, room = await world.pair()
    count = Count(1, world.clock.now())
    view = await world.engine.getGameState(ann, room)
    while view.status != "Finished":
        player = {"P1": ann, "P2": bo}[view.activePlayer]
        if view.remainingMs is not None and random.random() < 0.08:
            await world.after(view.remainingMs + random.choice([0, 400, 1_500]))
            after = await world.engine.checkTimeout(ann, room)
            count.see(view, after, view.turnExpiresAt or 0)
        else:
            await world.after(random.randrange(5_000))
            act = world.engine.hold if view.roundScore > random.randrange(25) else world.engine.roll
            after = await act(player, room)
            count.see(view, after, world.clock.now())
        assert after.turnId == count.number
        assert after.turnStartedAt == (None if after.status == "Finished" else count.since)
        fresh = await Rooms(world.hall).look(await world.hall.card(room))
        assert (fresh.turns.number, fresh.turns.since) == (count.number, count.since)
        if random.random() < 0.1:
            await world.dead_for(random.randrange(1_000, 60_000))
        view = await world.engine.getGameState(ann, room)
    assert max(view.scores.player1, view.scores.player2) >= 100
    await world.archive(room)
    assert await world.engine.getGameState(ann, room) == view


class SlowToRead(TestJournal):
    """Reading takes longer than writing, so that the other's action is stored before one's own view is made."""

    reading = 0.0

    async def rows(self, table: str, after: int = 0, most: int | None = None) -> Sequence[Row]:
        await asyncio.sleep(self.reading)
        return await super().rows(table, after, most)


@in_a_hall
async def test_who_acts_gets_the_view_after_the_own_action(world: SeedWorld) -> None:
    """W13: whatever the other did a moment later."""
    journal = world.journal = SlowToRead()
    await world.die()
    await world.boot()
    world.box.named |= {1: (1,), 2: (4,)}
    ann, bo, room = await world.pair()
    await world.engine.getGameState(bo, room)
    journal.reading, journal.seconds = 0.5, 0.2
    rolling = asyncio.ensure_future(world.engine.roll(ann, room))
    await world.after(100)
    await world.hall.act(bo, room, "roll")
    assert not rolling.done()
    mine = await rolling
    assert world.live(room).state.position.last_roll == 4  # the other has acted since
    assert (mine.lastRoll, mine.turnId, mine.roundScore, mine.activePlayer) == (1, 2, 0, "P2")
    view = await world.engine.getGameState(bo, room)
    assert (view.lastRoll, view.turnId, view.roundScore, view.me) == (4, 2, 4, "P2")


@in_a_hall
async def test_a_room_can_be_seen_after_any_of_its_acts_in_any_order(world: SeedWorld) -> None:
    """W13: what is remembered of a room is never ahead of who asks, and never in the way."""
    ann, bo, room = await world.pair()
    for player in (ann, bo, ann, bo):
        await world.after(1_000)
        await world.engine.hold(player, room)
    book = TurnBook(world.host.history)
    head = world.live(room).state.seq
    numbers = {}
    for n in (head, head - 3, head - 1, 1, head):
        place = await book.at(room, n)
        assert place is not None
        assert place.state.seq == n
        numbers[n] = place.turns.number
    assert numbers == {head: 5, head - 1: 4, head - 3: 2, 1: 0}
    assert await book.at(room, head + 1) is None
    assert await book.at("nowhere", 1) is None
    assert list(book.kept) == [room]


@in_a_hall
async def test_only_so_many_rooms_are_remembered(
    world: SeedWorld,
) -> None:
    """W13: the one that was looked at least recently is read again."""
    (ann,) = await world.guests("Ann")
    rooms = [(await world.lobbies.createRoom(ann, "one of many")).id for _ in range(3)]
    book = TurnBook(world.host.history, most=2)
    for room in (*rooms[:2], rooms[0], rooms[2]):
        assert await book.at(room, 2) is not None
    assert list(book.kept) == [rooms[0], rooms[2]]
    assert (await book.at(rooms[1], 2)) is not None
