"""Players of a game world who do all that one can click, as fast as they can: nobody else waits, and nothing grows."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from dicehall.core.game import Refused
from dicehall.server.limits import RATES, Limits
from dicehall.store.memory import MemoryJournal
from dicehall.table.clocks import KEEP_MS
from dicehall.table.requests import Code
from dicehall.venue import bridge, command_log, visitors
from dicehall.venue.command_log import MOST_WAITING, CommandLog
from tests.security.live import both_ways
from tests.server.doors import FREE
from tests.venue.world import PLAYER, World, in_a_world, named


async def post(world: World, limits: Limits, player: str, **event: Any) -> str:
    """Post as the doors do, with their limits; the code of a refusal, or nothing."""
    try:
        await world.bridge.post(json.dumps({"player": named(player), **event}).encode(), limits.take)
    except Refused as refused:
        return str(refused.code)
    return ""


async def sit(world: World, limits: Limits, player: str, chair: str) -> str:
    return await post(world, limits, player, type="chair_used", payload={"area": "griffin", "object": chair})


@in_a_world()
async def test_somebody_who_clicked_too_much_still_leaves(world: World) -> None:
    """The control is the last click, which is refused."""
    limits = Limits(world.clock)
    await world.play("ann", "bo")
    codes = [await post(world, limits, "bo", type="click", window=PLAYER, element="no") for _ in range(100)]
    assert codes[-1] == "rate_limited"
    left = {"type": "chair_left", "payload": {"area": "griffin", "object": world.oak[1]}}
    assert await post(world, limits, "bo", **left) == ""
    await world.poll()
    assert world.sees("ann", "board_note")[1].startswith("absent")
    assert await post(world, limits, "bo", type="player_left") == ""


@both_ways
@in_a_world()
async def test_nobody_opens_table_after_table(world: World, guarded: bool) -> None:
    """Each of them is work, and is kept for some minutes."""
    limits = Limits(world.clock, {**RATES, "venue_player": FREE["venue_player"]} if guarded else dict(FREE))
    codes = [await sit(world, limits, "ann", [world.oak[0], world.elm[0]][at % 2]) for at in range(100)]
    assert codes.count("") == (RATES["venue_use"].burst if guarded else len(codes))
    assert set(codes) <= {"", "rate_limited"}
    assert await sit(world, limits, "bo", world.oak[1]) == ""
    click = {"type": "click", "window": PLAYER, "element": "start"}
    assert (await post(world, limits, "ann", **click) == "rate_limited") is guarded
    assert await post(world, limits, "ann", **{**click, "element": "roll"}) == Code.TOO_FEW_SEATS


@in_a_world()
async def test_nothing_is_left_of_those_who_came_and_went(world: World) -> None:
    """The control is the moment before: then something is kept."""
    journal = world.bridge.hall.host.parts.journal
    assert isinstance(journal, MemoryJournal)
    for player in ("ann", "bo", "cy"):
        await world.use(player, world.oak[0])
        await world.use(f"{player} too", world.oak[1])
        await world.leave(player, world.oak[0])
        await world.leave(f"{player} too", world.oak[1])
    assert kept_in(journal)
    await asyncio.sleep(KEEP_MS / 1000 + 60)
    assert not kept_in(journal)
    assert not world.bridge.hall.host.tables


def kept_in(journal: MemoryJournal) -> set[str]:
    """What is not empty."""
    kept = {name: value for owner in (journal, journal.register) for name, value in vars(owner).items()}
    return {name for name, value in kept.items() if isinstance(value, dict) and value and name != "_pulses"}


@in_a_world()
async def test_a_poll_that_is_given_up_makes_room_at_once(world: World) -> None:
    """The control is the poll itself, which waits until then."""
    await world.lobby("ann")
    for _ in range(20):
        poll = asyncio.create_task(world.bridge.commands(world.module.cursor, 20))
        await asyncio.sleep(0.1)
        assert world.bridge.log.waiting
        poll.cancel()
        await asyncio.gather(poll, return_exceptions=True)
        assert not world.bridge.log.waiting


@in_a_world()
async def test_answers_that_hold_every_window_are_not_kept(world: World) -> None:
    """A module that sends a wrong cursor with each event is answered with everything each time.

    The control is an event without a cursor, whose answer is kept.
    """
    await world.lobby("ann", "bo")
    event = {"id": "e", "since": "none", "type": "click", "window": PLAYER, "element": "no", "player": named("ann")}
    first = await world.bridge.post(json.dumps(event).encode())
    assert (first["reset"], len(first["commands"])) == ("restarted", 2)
    assert world.bridge.answers["e"][1] is None
    assert await world.bridge.post(json.dumps(event).encode()) == first
    del event["since"]
    answer = await world.bridge.post(json.dumps({**event, "id": "f"}).encode())
    assert world.bridge.answers["f"][1] == answer


@in_a_world()
async def test_a_refused_button_changes_nothing(world: World) -> None:
    """The control is the button that is allowed, which changes what is seen."""
    await world.play("ann", "bo")
    await world.click("bo", "fold")
    assert await world.code(world.click("bo", "roll")) == "not_your_turn"
    assert world.sees("bo", "asking") is True
    await world.click("bo", "yes")  # what the window still asks is what is answered
    assert world.sees("bo", "asking") is False


@in_a_world()
async def test_a_module_that_is_loaded_anew_has_its_tables_again(world: World) -> None:
    """The control is the moment before, when they are gone."""
    await world.lobby("ann", "bo")
    await world.destroy(world.venue.tables[0].id)
    await world.destroy(world.elm[0])
    assert [len(table["chairs"]) for table in world.bridge.tables()["tables"]] == [len(world.elm) - 1]
    await world.send(type="module_loaded")
    tables = world.bridge.tables()["tables"]
    assert [len(table["chairs"]) for table in tables] == [len(world.oak), len(world.elm)]
    await world.use("ann", world.oak[0])
    assert world.has_window("ann")


@pytest.mark.parametrize("digits", [10, 13])
def test_a_bridge_that_has_run_for_years_still_knows_its_cursors(digits: int) -> None:
    """The control is a cursor that it has not reached."""
    log = CommandLog("run", last=10**digits - 1)
    log.add("message", "ann", text="Still here.")
    assert log.stale(log.cursor(log.last)) == ""
    assert log.last == log.after(log.cursor(log.last - 1))[1]
    assert log.stale(log.cursor(log.last + 1)) == "restarted"


@in_a_world()
async def test_what_was_too_much_is_accepted_later_under_the_same_id(world: World) -> None:
    """The control is the first try, which is refused."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(visitors, "MOST", 1)
        await world.lobby("ann")
        event = {"id": "b", "type": "chair_used", "payload": {"area": "griffin", "object": world.oak[1]}}
        assert await post(world, Limits(world.clock), "bo", **event) == "rate_limited"
        await world.leave("ann", world.oak[0])
        assert await post(world, Limits(world.clock), "bo", **event) == ""


@both_ways
@in_a_world()
async def test_a_refusal_is_for_the_player_and_names_no_seat_by_number(
    world: World, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    if not guarded:
        monkeypatch.setattr(bridge, "OWN_WORDS", {})
    await world.play("ann", "bo", "cy")
    await world.leave("cy", world.oak[2])
    for player, sentence in (("bo", "It is not your turn."), ("cy", "Sit down again first.")):
        with pytest.raises(Refused) as refused:
            await world.click(player, "roll")
        assert (refused.value.sentence == sentence) is guarded


@both_ways
@in_a_world()
async def test_too_many_polls_do_not_drive_one_another_round_and_round(
    world: World, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    if not guarded:
        monkeypatch.setattr(command_log, "CROWDED_S", 0)
    await world.lobby("ann")
    await asyncio.sleep(1)
    await world.poll()
    asked = 0

    async def poll_on() -> None:
        nonlocal asked
        while asked < 1000:
            asked += 1
            await world.bridge.commands(world.module.cursor, 20)

    polls = [asyncio.create_task(poll_on()) for _ in range(MOST_WAITING + 2)]
    await asyncio.sleep(10)
    assert (asked < 100) is guarded
    for poll in polls:
        poll.cancel()
    await asyncio.gather(*polls, return_exceptions=True)


@in_a_world()
async def test_a_look_without_waiting_ends_nobodys_poll(world: World) -> None:
    """The control is one more poll that waits, which ends the oldest."""
    await world.lobby("ann")
    polls = [asyncio.create_task(world.bridge.commands(world.module.cursor, 20)) for _ in range(MOST_WAITING)]
    await asyncio.sleep(1)
    for _ in range(20):
        await world.poll()
    await asyncio.sleep(1)
    assert not any(poll.done() for poll in polls)
    polls.append(asyncio.create_task(world.bridge.commands(world.module.cursor, 20)))
    await asyncio.sleep(1)
    assert [poll.done() for poll in polls] == [True] + [False] * MOST_WAITING
    for poll in polls:
        poll.cancel()
    await asyncio.gather(*polls, return_exceptions=True)
