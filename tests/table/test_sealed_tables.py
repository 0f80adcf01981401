"""The seal of a table, and its record checked against it."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import pytest

from dicehall.core.game import Move, Seat
from dicehall.dice.chain import LENGTH, Chain
from dicehall.games import catalogue
from dicehall.games.wards.rules import Action
from dicehall.launch.checking import Verdict, check_seal
from dicehall.table import acts, decide
from dicehall.table.requests import Depute, Start
from dicehall.wire.answers import Replay
from dicehall.wire.record import read_record, record_text
from tests.table.hosting import T, World, code_of, hosted


def checked(world: World, known: str | None = None) -> Verdict:
    """`dicehall replay --check` of the table's record, as it comes back from a file."""
    replay = Replay(read_record(record_text(world.record()), catalogue()))
    list(replay.answers())
    assert replay.refused is None
    return check_seal(replay, known)


@hosted
async def test_the_secret_is_stored_with_the_act_that_shows_the_seal_before_anybody_sits(world: World) -> None:
    """C1 and the seal."""
    live = await world.open("wards")
    (opened,) = world.acts()
    assert isinstance(opened, acts.Opened)
    secret = await world.journal.secret(T)
    assert secret is not None
    assert opened.s0 == Chain(secret).seal == live.dealer.dice.seal
    (update,) = await world.host.updates(T, None, 0)
    assert update["events"][0]["s0"] == opened.s0


@hosted
async def test_a_table_whose_opening_is_not_stored_does_not_exist(world: World) -> None:
    """The seal: nothing is shown that is not stored."""
    world.journal.refusing = 1
    with pytest.raises(Exception, match="disk is full"):
        await world.open("wards")
    assert world.host.tables == {}
    world.journal.unsure = [True]
    live = await world.open("wards")  # nobody could say whether it was stored, so the host looked
    assert world.names() == ["Opened"]
    assert await world.journal.secret(T) is not None
    assert live.state.seq == 1


@pytest.mark.parametrize("key", ["wards", "aetharn", "tenthousand", "doordice", "mana"])
@hosted
async def test_the_dice_of_every_game_agree_with_the_seal_that_was_shown(world: World, key: str) -> None:
    """C1, C3."""
    count = catalogue()[key].seats[0]
    live = await world.open(key, seats=count)
    seal = live.state.opened.s0
    ann = await world.person("Ann")
    await ann.sit(committed=True)
    for _ in range(count - 1):
        await world.bot()
    if live.state.game.policy.starts == "asked":
        await ann.ask(Start())
    await ann.open_words()
    if not live.state.game.policy.grace:
        await ann.ask(Depute("greedy"))
    await world.after(20_000)
    verdict = checked(world, seal)
    assert verdict.good, verdict
    assert verdict.rolls == live.state.rolls
    record = world.record()
    assert record.seal is not None
    assert record.seal.words == (ann.words, *[""] * (count - 1))  # as people sat, whoever drew which seat


@hosted
async def test_a_foreign_seal_or_other_words_are_caught(world: World) -> None:
    """The seal."""
    ann, _ = await world.play("wards", "Ann", "Bo")
    await ann.do("roll")
    assert checked(world).good
    assert not checked(world, sha256(b"another").hexdigest()).good
    record = world.record()
    assert record.seal is not None
    replay = Replay(replace(record, seal=replace(record.seal, words=("", "x"))))
    list(replay.answers())
    assert not check_seal(replay, None).good


@hosted
async def test_doordice_draws_who_sits_where_and_the_record_says_how(world: World) -> None:
    """D1 and the seal: the draw is roll number one."""
    await world.open("doordice")
    people = [await world.person(name) for name in ("Ann", "Bo", "Cy", "Di", "Ed")]
    for person in people:
        await person.sit(committed=True)
    for person in people:
        await person.open_words()
    state, record = world.live().state, world.record()
    assert state.drawn is not None
    assert record.seal is not None
    assert record.seal.words == tuple(person.words for person in people)
    assert sorted(record.names) == ["Ann", "Bo", "Cy", "Di", "Ed"]
    assert record.names != ("Ann", "Bo", "Cy", "Di", "Ed")  # this seal draws another order
    assert state.rolls == 1
    first = next(person for person in people if person.seat == 0)
    await first.do("roll")
    assert world.live().state.rolls == 2
    assert checked(world, state.opened.s0).good


@pytest.mark.parametrize(("key", "drawn"), [("doordice", True), ("wards", False), ("aetharn", False), ("mana", False)])
@hosted
async def test_only_doordice_draws_seats_unless_the_table_says_otherwise(world: World, key: str, drawn: bool) -> None:
    """D1."""
    assert (await world.open(key)).state.opened.drawn is drawn
    assert (await world.open(key, table="other", drawn=not drawn)).state.opened.drawn is not drawn


@hosted
async def test_a_table_that_has_used_up_its_seal_is_closed(world: World) -> None:
    """The seal: one covers 16 384 rolls."""
    world.box.named = dict.fromkeys(range(1, 9), (3,))
    ann, bo = await world.play("wards", "Ann", "Bo")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(decide, "MOST_ROLLS", 2)
        await ann.do("roll")
        await ann.do("roll")
        await ann.do("hold")  # what needs no dice still goes on
        assert await code_of(bo.do("roll")) == "game_finished"
    assert world.live().state.phase == "abandoned"
    assert bo.told("Destroyed")[0]["why"] == "The sealed dice are used up."
    assert decide.MOST_ROLLS == LENGTH


@hosted
async def test_the_next_die_is_the_same_after_a_crash(world: World) -> None:
    """The seal: roll i is fixed by the count of rolls stored."""
    ann, _ = await world.play("wards", "Ann", "Bo")
    world.journal.refusing = 1
    with pytest.raises(Exception, match="store_unavailable"):
        await ann.do("roll")
    dealer, state = world.live().dealer, world.live().state
    _, wanted = dealer.resolve(state, Move(Seat(0), Action.ROLL))
    await world.dead_for(10_000)
    await ann.do("roll")
    assert world.acts()[-1].entries[1] == wanted
