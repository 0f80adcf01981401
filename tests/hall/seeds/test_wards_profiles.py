"""Profiles of Dice Wards: names, and games counted once and only once (W12)."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from dicehall.hall.opening import Opening, WantedBot
from dicehall.hall.seeds.wards_words import OPERATOR, Profile
from dicehall.table.ports import Commit
from dicehall.table.requests import Start
from tests.hall.seeds.seed_world import SeedWorld, in_a_hall, wrong
from tests.table.journal import TestJournal


async def counted(world: SeedWorld, *accounts: str) -> list[tuple[int, int]]:
    """Games played and won."""
    profiles = [await world.profiles.getProfile(account, account) for account in accounts]
    return [(one.gamesPlayed, one.gamesWon) for one in profiles if one is not None]


@in_a_hall
async def test_signing_in_makes_the_profile(world: SeedWorld) -> None:
    """W11, W12: nothing is missing, and nothing is played."""
    await world.after(1_234)
    ann, bo = await world.guests("Ann", "Bo")
    mine = await world.profiles.getMyProfile(ann)
    assert msgspec.to_builtins(mine) == {
        "playerId": ann,
        "username": "Ann",
        "createdAt": world.clock.now(),
        "gamesPlayed": 0,
        "gamesWon": 0,
    }
    assert await world.profiles.getProfile(bo, ann) == mine
    assert await world.profiles.getProfile(OPERATOR, ann) == mine


@in_a_hall
async def test_who_has_no_profile_is_null(world: SeedWorld) -> None:
    """W11."""
    (ann,) = await world.guests("Ann")
    assert await world.profiles.getProfile(ann, "aaaaa-aa") is None
    assert await world.profiles.getMyProfile("aaaaa-aa") is None


@in_a_hall
async def test_a_profile_takes_another_name_and_keeps_the_rest(world: SeedWorld) -> None:
    """W11, W12."""
    ann, _, _ = await world.won_pair()
    before = await world.profiles.getMyProfile(ann)
    assert before is not None
    await world.after(60_000)
    renamed = await world.profiles.upsertProfile(ann, "  Anna ")
    assert renamed == Profile(ann, "Anna", before.createdAt, 1, 1)
    assert await world.profiles.getMyProfile(ann) == renamed
    assert (await world.profiles.upsertProfile(ann, "ANNA")).username == "ANNA"  # the own name in capitals


@pytest.mark.parametrize("name", ["", " ", "x" * 25, "Bo", "bo", "b\u03bf", "a\nb", "a\u200bb"])
@in_a_hall
async def test_a_name_that_is_empty_too_long_or_taken_is_an_invalid_state(world: SeedWorld, name: str) -> None:
    """W11: so is one that looks like another's, or cannot be seen; the old one stays."""
    ann, _ = await world.guests("Ann", "Bo")
    assert await wrong(world.profiles.upsertProfile(ann, name)) == "InvalidState"
    mine = await world.profiles.getMyProfile(ann)
    assert mine is not None
    assert mine.username == "Ann"
    assert (await world.profiles.upsertProfile(ann, "x" * 24)).username == "x" * 24


@in_a_hall
async def test_a_game_counts_for_both_and_as_won_for_one(world: SeedWorld) -> None:
    """W12."""
    ann, bo, _ = await world.won_pair()
    assert await counted(world, ann, bo) == [(1, 1), (1, 0)]


@in_a_hall
async def test_a_game_that_the_clock_won_counts_like_any_other(world: SeedWorld) -> None:
    """W6, W12: from the moment at which it was won."""
    world.box.named[1] = (6,)
    ann, bo, room = await world.short_pair()
    await world.engine.roll(ann, room)
    await world.after(30_000)
    await world.engine.checkTimeout(bo, room)
    assert await counted(world, ann, bo) == [(1, 1), (1, 0)]
    await world.after(5_000)
    assert await counted(world, ann, bo) == [(1, 1), (1, 0)]


@in_a_hall
async def test_other_games_and_games_that_nobody_finished_do_not_count(world: SeedWorld) -> None:
    """C9, W12: on these doors only Dice Wards does."""
    ann, bo = await world.guests("Ann", "Bo")
    table = await world.hall.open(ann, Opening("mana"))
    for account in (ann, bo):
        await world.hall.sit(account, table)
    await world.after(700_000)  # nobody picks: it is abandoned
    world.box.named[1] = (1, 1, 1, 2, 3, 4)
    ten = await world.hall.open(ann, Opening("tenthousand", {"goal": 1000}))
    for account in (ann, bo):
        await world.hall.sit(account, ten)
    await world.hall.ask(ann, ten, Start())
    for move in ("roll", {"lock": [[1, 1, 1]]}, "yield"):
        await world.hall.act(ann, ten, move)
    assert [(count.game, count.won) for count in await world.journal.register.counts(ann)] == [("tenthousand", 1)]
    room = (await world.lobbies.createRoom(ann, "never finished")).id
    await world.lobbies.joinRoom(bo, room)
    await world.destroy(room)
    assert await counted(world, ann, bo) == [(0, 0), (0, 0)]


@in_a_hall
async def test_a_game_against_a_bot_counts_for_its_person(world: SeedWorld) -> None:
    """W12: bots have no profile."""
    (ann,) = await world.guests("Ann")
    world.box.named[1] = (6,)
    opening = Opening("wards", {"goal": 5}, bots=[WantedBot(1, "greedy")])
    table = await world.hall.open(ann, opening)
    await world.lobbies.joinRoom(ann, table)
    await world.engine.roll(ann, table)
    await world.engine.hold(ann, table)
    assert await counted(world, ann) == [(1, 1)]


@in_a_hall
async def test_being_told_of_a_finished_game_again_changes_nothing(world: SeedWorld) -> None:
    """W12: it was counted by the act that ended it."""
    ann, bo, _ = await world.won_pair()
    for _ in range(3):
        assert await world.profiles.onGameFinished(OPERATOR, ann, bo) is None  # type: ignore[func-returns-value]
        await world.profiles.onGameFinished(OPERATOR, bo, ann)
    assert await counted(world, ann, bo) == [(1, 1), (1, 0)]


class PowerCut(TestJournal):
    """Stores the commit that ends a game, and then the lights go out."""

    def __init__(self) -> None:
        super().__init__()
        self.dark = asyncio.Event()
        self.armed = True

    async def append(self, commit: Commit) -> None:
        await super().append(commit)
        if commit.head.status == "over" and self.armed:
            self.armed = False
            self.dark.set()
            await asyncio.sleep(3_600)


@in_a_hall
async def test_a_game_counts_once_when_the_process_dies_between_its_end_and_the_answer(world: SeedWorld) -> None:
    """W12: and once more nothing when the player tries again."""
    journal = world.journal = PowerCut()
    await world.die()
    await world.boot()
    world.box.named[1] = (6,)
    ann, bo, room = await world.short_pair()
    await world.engine.roll(ann, room)
    holding = asyncio.ensure_future(world.engine.hold(ann, room))
    await journal.dark.wait()
    assert not holding.done()
    await world.dead_for(5_000)
    holding.cancel()
    assert await counted(world, ann, bo) == [(1, 1), (1, 0)]
    assert await wrong(world.engine.hold(ann, room)) == "GameFinished"
    assert (await world.lobbies.getRoom(bo, room)).status == "Finished"
    await world.profiles.onGameFinished(OPERATOR, ann, bo)
    assert await counted(world, ann, bo) == [(1, 1), (1, 0)]


@in_a_hall
async def test_a_game_does_not_count_when_the_process_dies_before_its_end_is_stored(world: SeedWorld) -> None:
    """W12: the player holds again, and then it does."""
    world.box.named[1] = (6,)
    ann, bo, room = await world.short_pair()
    await world.engine.roll(ann, room)
    world.journal.seconds = 10.0
    holding = asyncio.ensure_future(world.engine.hold(ann, room))
    await world.after(1_000)
    await world.die()
    holding.cancel()
    world.journal.seconds = 0.0
    await world.boot()
    assert await counted(world, ann, bo) == [(0, 0), (0, 0)]
    assert (await world.engine.hold(ann, room)).winner == "P1"
    assert await counted(world, ann, bo) == [(1, 1), (1, 0)]


@pytest.mark.parametrize("stored", [True, False])
@in_a_hall
async def test_a_game_counts_once_where_the_journal_cannot_say_whether_its_end_is_stored(
    world: SeedWorld, stored: bool
) -> None:
    """W12: the table looks before it answers."""
    world.box.named[1] = (6,)
    ann, bo, room = await world.short_pair()
    await world.engine.roll(ann, room)
    world.journal.unsure = [stored]
    assert (await world.engine.hold(ann, room)).winner == "P1"
    assert await counted(world, ann, bo) == [(1, 1), (1, 0)]
