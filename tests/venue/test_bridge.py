"""The bridge: events count once and in their order, commands have numbers and can be read again, and all is bounded."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from dicehall.core.game import Refused
from dicehall.table.requests import Code
from dicehall.venue import bridge as bridge_module
from dicehall.venue import command_log, visitors
from dicehall.venue.command_log import CommandLog, merged
from dicehall.venue.events import MOST_BYTES, TYPES
from tests.venue.world import ONE, PLAYER, SECRET, World, in_a_world, named


def chair_event(world: World, player: str, chair: int = 0, **more: Any) -> dict[str, Any]:
    payload = {"area": "griffin", "object": world.oak[chair]}
    return {"type": "chair_used", "player": named(player), "payload": payload, **more}


async def post(world: World, event: dict[str, Any]) -> dict[str, Any]:
    return await world.bridge.post(json.dumps(event).encode())


# -- once -----------------------------------------------------------------------------------------------


@in_a_world()
async def test_the_same_event_again_is_answered_the_same_and_changes_nothing(world: World) -> None:
    await world.play("ann", "bo", rolls=(ONE,))
    roll = {"type": "click", "player": named("ann"), "window": PLAYER, "element": "roll", "id": "x1"}
    first = await post(world, roll)
    stored = world.bridge.log.last
    assert first["commands"]
    assert await post(world, roll) == first
    assert await post(world, {**roll, "since": world.module.cursor}) == first  # the module has read on meanwhile
    assert world.bridge.log.last == stored


@in_a_world()
async def test_a_refused_event_is_refused_again_though_it_could_be_done_by_now(world: World) -> None:
    await world.lobby("ann")
    start = {"type": "click", "player": named("ann"), "window": PLAYER, "element": "start", "id": "x1"}
    assert await world.code(post(world, start)) == "too_few_seats"
    await world.use("bo", world.oak[1])
    assert await world.code(post(world, start)) == "too_few_seats"
    await post(world, {**start, "id": "x2"})


@in_a_world()
async def test_an_id_belongs_to_one_event(world: World) -> None:
    await post(world, chair_event(world, "ann", id="x1"))
    assert await world.code(post(world, chair_event(world, "bo", 1, id="x1"))) == "bad_request"


@in_a_world()
async def test_the_same_event_twice_at_the_same_time_counts_once(world: World) -> None:
    event = chair_event(world, "ann", id="x1")
    one, other = await asyncio.gather(post(world, event), post(world, event))
    assert one == other
    assert [command["op"] for command in one["commands"]] == ["create"]
    assert world.bridge.log.last == 1


@in_a_world()
async def test_events_take_effect_in_the_order_in_which_they_arrive(world: World) -> None:
    events = [chair_event(world, player, 0) for player in ("ann", "bo", "cy")]
    answers = await asyncio.gather(*(post(world, event) for event in events), return_exceptions=True)
    assert [isinstance(answer, Refused) for answer in answers] == [False, True, True]


@in_a_world()
async def test_answers_of_long_ago_are_forgotten(world: World) -> None:
    for number in range(bridge_module.KEPT_ANSWERS + 5):
        await post(world, {"type": "open", "id": f"e{number}"})
    assert len(world.bridge.answers) == bridge_module.KEPT_ANSWERS


# -- numbers ----------------------------------------------------------------------------------------------


@in_a_world()
async def test_commands_have_numbers_without_gaps_and_can_be_read_again(world: World) -> None:
    await world.poll()
    start = world.module.cursor
    await world.play("ann", "bo", rolls=(ONE,))
    await world.until(3_000)
    assert [command["seq"] for command in world.bridge.log.kept] == list(range(1, world.bridge.log.last + 1))
    once, again = await world.bridge.commands(start, 0), await world.bridge.commands(start, 0)
    assert once == again
    assert once["seq"] == world.bridge.log.last
    assert once["reset"] == ""


@in_a_world()
async def test_a_module_without_a_cursor_gets_every_open_window(world: World) -> None:
    await world.play("ann", "bo")
    await world.watch("eve")
    answer = await world.bridge.commands(None, 0)
    assert answer["reset"] == "start"
    assert sorted((one["op"], one["player"], one["window"]) for one in answer["commands"]) == [
        ("create", "ann", "aetharn"),
        ("create", "bo", "aetharn"),
        ("create", "eve", "aetharnwatch"),
    ]
    assert answer["commands"][0]["binds"] == world.module.windows["ann", PLAYER].binds


@in_a_world()
async def test_a_module_that_missed_too_much_makes_its_windows_anew(world: World) -> None:
    await world.play("ann", "bo", rolls=(ONE,))
    old = world.module.cursor
    await world.send(type="close", player=named("bo"), window=PLAYER)
    for _ in range(command_log.KEPT + 1):
        world.bridge.log.add("message", "ann", text="...")
    answer = await world.bridge.commands(old, 0)
    assert answer["reset"] == "too_old"
    assert [(one["op"], one["player"]) for one in answer["commands"]] == [("create", "ann")]  # Bo closed his
    world.module.apply(answer)
    await world.click("ann", "roll")
    assert world.sees("ann", "die0_shown") is True


@in_a_world()
async def test_a_restart_forgets_every_table_and_the_module_is_told(world: World) -> None:
    """A20: tables that a venue declares are ephemeral."""
    await world.play("ann", "bo", rolls=(ONE,))
    await world.bridge.stop()
    world.furnish()
    await world.bridge.start()
    assert [table["phase"] for table in world.bridge.tables()["tables"]] == ["Empty", "Empty"]
    assert await world.code(world.click("ann", "roll")) == "not_found"
    await world.poll()
    assert world.module.resets[-1] == "restarted"
    assert world.module.windows == {}
    await world.use("ann", world.oak[0])
    assert world.sees("ann", "board_name") == ["Ann (you)"]


@in_a_world()
async def test_the_hall_of_a_venue_keeps_nothing_of_a_finished_game(world: World) -> None:
    """A20."""
    await world.play("ann", "bo")
    game = world.bridge.places.service.get_active_games()[0].game_id
    await world.destroy(world.venue.tables[0].id)
    await world.until(700_000)
    hall = world.bridge.hall
    assert await hall.host.parts.journal.rows(game) == []
    assert await hall.parts.register.card(game) is None
    assert await hall.parts.register.ending(game) is None
    assert hall.host.tables == {}


@pytest.mark.parametrize("cursor", ["none", "0", "1.1", "abc.999999999", "x" * 64, "\u00b2.3", "a.b.c"])
def test_a_cursor_that_makes_no_sense_is_one_of_another_run(cursor: str) -> None:
    @in_a_world()
    async def story(world: World) -> None:
        await world.play("ann", "bo")
        answer = await world.bridge.commands(cursor, 20)
        assert answer["reset"] == "restarted"
        assert len(answer["commands"]) == 2

    story()


def test_changes_of_one_window_are_merged_into_one_with_the_last_values() -> None:
    log = CommandLog("run")
    log.add("bind", "ann", window="w", binds={"a": 1, "b": 1})
    log.add("message", "ann", text="hm")
    log.add("bind", "bo", window="w", binds={"a": 5})
    log.add("bind", "ann", window="w", binds={"a": 2})
    log.add("create", "ann", window="w", nui={}, binds={"a": 3}, watch=[])
    log.add("bind", "ann", window="w", binds={"a": 4})
    told = [(one["op"], one["player"], one.get("binds"), one["seq"]) for one in merged(log.kept)]
    assert told == [
        ("bind", "ann", {"a": 2, "b": 1}, 4),
        ("message", "ann", None, 2),
        ("bind", "bo", {"a": 5}, 3),
        ("create", "ann", {"a": 3}, 5),
        ("bind", "ann", {"a": 4}, 6),
    ]
    assert log.kept[0]["binds"] == {"a": 1, "b": 1}  # what is kept stays as it was


@in_a_world()
async def test_a_long_answer_comes_in_pieces(world: World) -> None:
    await world.poll()
    for number in range(600):
        world.bridge.log.add("message", "ann", text=str(number))
    for _ in range(3):
        await world.poll()
    assert world.module.messages_to("ann") == [str(number) for number in range(600)]


# -- waiting ------------------------------------------------------------------------------------------------


@in_a_world()
async def test_a_poll_waits_until_there_is_something(world: World) -> None:
    await world.lobby("ann")
    waiting = asyncio.create_task(world.bridge.commands(world.module.cursor, 25))
    await asyncio.sleep(5)
    assert not waiting.done()
    await post(world, chair_event(world, "bo", 1))
    answer = await waiting
    assert next((one["op"], one["player"]) for one in answer["commands"]) == ("create", "bo")


@in_a_world()
async def test_a_poll_ends_when_its_time_is_over_and_at_most_after_25_seconds(world: World) -> None:
    await world.lobby("ann")
    for asked, waited in ((3, 3_000), (1000, 25_000)):
        before = world.clock.now()
        answer = await world.bridge.commands(world.module.cursor, asked)
        assert (answer["commands"], answer["next"]) == ([], world.module.cursor)
        assert world.clock.now() - before == waited
    assert not world.bridge.log.waiting


@in_a_world()
async def test_only_a_few_polls_wait_at_once(world: World) -> None:
    await world.lobby("ann")
    polls = [asyncio.create_task(world.bridge.commands(world.module.cursor, 20)) for _ in range(50)]
    await asyncio.sleep(1)
    assert sum(not poll.done() for poll in polls) == command_log.MOST_WAITING
    await world.bridge.stop()
    assert all(poll["commands"] == [] for poll in await asyncio.gather(*polls))
    assert (await world.bridge.commands(world.module.cursor, 20))["commands"] == []  # nobody waits for a closed bridge
    await world.bridge.hall.host.start()


@in_a_world()
async def test_a_poll_that_is_given_up_leaves_nothing_behind(world: World) -> None:
    await world.lobby("ann")
    poll = asyncio.create_task(world.bridge.commands(world.module.cursor, 20))
    await asyncio.sleep(1)
    poll.cancel()
    await asyncio.gather(poll, return_exceptions=True)
    await world.use("bo", world.oak[1])
    assert not world.bridge.log.waiting


# -- bounds -------------------------------------------------------------------------------------------------


@in_a_world()
async def test_only_so_many_events_wait_for_their_turn(world: World) -> None:
    many = [post(world, chair_event(world, "ann")) for _ in range(bridge_module.MOST_QUEUED + 10)]
    answers = await asyncio.gather(*many, return_exceptions=True)
    refused = [answer for answer in answers if isinstance(answer, Refused)]
    assert len(refused) == 10
    assert {str(one.code) for one in refused} == {"rate_limited"}
    assert world.bridge.queued == 0


@in_a_world()
async def test_only_so_many_players_are_known_and_idle_ones_make_room(world: World) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(visitors, "MOST", 3)
        await world.lobby("ann", "bo")
        for player in ("cy", "di", "eve"):  # each of them leaves again, and is forgotten for the next
            await world.use(player, world.oak[2])
            await world.leave(player, world.oak[2])
        await world.use("flo", world.oak[2])
        assert await world.code(world.use("gus", world.oak[3])) == "rate_limited"
        assert sorted(world.bridge.places.visitors.known) == ["ann", "bo", "flo"]


@in_a_world()
async def test_a_player_who_does_too_much_is_refused(world: World) -> None:
    def limit(kind: str, key: str) -> None:
        raise Refused(Code.RATE_LIMITED, f"{key} does too much.", retry_after=1)

    event = json.dumps(chair_event(world, "ann")).encode()
    assert await world.code(world.bridge.post(event, limit)) == "rate_limited"
    assert world.bridge.tables()["tables"][0]["phase"] == "Empty"


# -- who and what ---------------------------------------------------------------------------------------------


HOSTILE: list[Any] = [
    b"",
    b"{",
    b"null",
    b"[]",
    b'"roll"',
    b"\xff\xfe\x00",
    b"[" * 10_000,
    b'{"type": ' + b"[" * 5_000,
    {"type": 7},
    {"type": "juggle"},
    {"type": "click"},
    {"type": "click", "player": "ann"},
    {"type": "click", "player": {"key": "", "name": "Ann"}},
    {"type": "click", "player": {"key": "k" * 129}},
    {"type": "chair_used", "player": {"key": "a\u0000b", "name": "Ann"}, "payload": {"area": "griffin", "object": "x"}},
    {"type": "chair_used", "player": {"key": "a\u202eb"}, "payload": {"area": "griffin", "object": "x"}},
    {"type": "chair_used", "player": named("zed")},
    {"type": "chair_used", "player": named("zed"), "payload": []},
    {"type": "chair_used", "player": named("zed"), "payload": {"area": 1, "object": 2}},
    {"type": "chair_used", "player": named("zed"), "payload": {"area": "griffin", "object": "griffin:chair:0,0,0"}},
    {"type": "chair_used", "player": named("zed"), "payload": {"area": "elsewhere", "object": "OAK"}},
    {"type": "chair_used", "payload": {"area": "griffin", "object": "OAK"}},
    {"type": "chair_used", "player": named("zed"), "payload": {"area": "griffin", "object": "TABLE"}},
    {"type": "observer_used", "player": named("zed"), "payload": {"area": "griffin", "object": "OAK"}},
    {"type": "chair_left", "player": named("zed"), "payload": {"area": "griffin", "object": "OAK"}},
    {"type": "chair_left", "player": named("ann"), "payload": {"area": "griffin", "object": "TABLE"}},
    {"type": "placeable_destroyed", "payload": {"area": "griffin", "object": "griffin:table:9,9,9"}},
    {"type": "click", "player": named("zed"), "window": "aetharn", "element": "roll"},
    {"type": "click", "player": named("ann"), "window": "aetharnwatch", "element": "roll"},
    {"type": "click", "player": named("ann"), "window": "nowhere", "element": "roll"},
    {"type": "click", "player": named("ann"), "window": "aetharn", "element": "win"},
    {"type": "click", "player": named("bo"), "window": "aetharn", "element": "roll"},
    {"type": "click", "player": named("ann"), "window": "aetharn", "element": "bank"},
    {"type": "click", "player": named("ann"), "window": "aetharn", "element": "start"},
    {"type": "click", "player": named("ann"), "window": "aetharn", "element": "yes"},
    {"type": "watch", "player": named("ann"), "window": "aetharn", "element": "tick9", "payload": {"value": True}},
    {"type": "watch", "player": named("ann"), "window": "aetharn", "element": "roll_on", "payload": {"value": True}},
    {"type": "watch", "player": named("ann"), "window": "aetharn", "element": "tick0", "payload": {"value": "yes"}},
    {"type": "watch", "player": named("ann"), "window": "aetharn", "element": "tick0"},
    {"type": "close", "player": named("ann"), "window": "nowhere"},
    {"type": "player_left"},
    {"type": "open", "index": "first"},
    {"type": "open", "id": ""},
    {"type": "open", "since": 5},
    {"type": "open", "payload": "x" * MOST_BYTES},
]


@pytest.mark.parametrize("event", HOSTILE, ids=range(len(HOSTILE)))
def test_what_makes_no_sense_changes_nothing_and_gets_a_code_and_a_sentence(event: Any) -> None:
    @in_a_world()
    async def story(world: World) -> None:
        await world.play("ann", "bo", rolls=(ONE,))
        known, tables = dict(world.bridge.places.visitors.known), world.bridge.tables()
        body = event if isinstance(event, bytes) else json.dumps(event).encode()
        body = body.replace(b"OAK", world.oak[2].encode()).replace(b"TABLE", world.venue.tables[0].id.encode())
        assert await world.code(world.bridge.post(body)) in CODES
        assert world.bridge.places.visitors.known == known
        assert world.bridge.tables() == tables

    story()


CODES = {"bad_request", "not_found", "no_such_table", "no_such_account", "too_large"} | {
    "not_your_turn",
    "nothing_rolled",
    "already_started",
}


@in_a_world()
async def test_what_nobody_waits_for_is_taken_and_ignored(world: World) -> None:
    await world.play("ann", "bo")
    for kind in ("open", "mousedown", "mouseup", "mousescroll", "focus", "blur", "range"):
        assert await post(world, {"type": kind, "player": named("ann"), "window": PLAYER}) == {"commands": []}
        assert kind in TYPES
    assert await post(world, {"type": "player_left", "player": named("never seen")}) == {"commands": []}


@in_a_world()
async def test_names_in_the_games_own_encoding_are_read(world: World) -> None:
    body = json.dumps(chair_event(world, "k"), ensure_ascii=False).replace('"name": "K"', '"name": "Zo\u00eb"')
    await world.bridge.post(body.encode("cp1252"))
    assert world.bridge.tables()["tables"][0]["players"] == ["Zo\u00eb"]


@pytest.mark.parametrize(
    ("given", "shown"),
    [("", "Somebody"), ("\u200b\u202e", "Somebody"), ("  a \t b ", "a b"), ("x" * 200, "x" * 24), ("A\u0000B", "AB")],
)
def test_a_name_is_shown_as_far_as_it_can_be(given: str, shown: str) -> None:
    assert visitors.shown_name(given) == shown


# -- the secret -----------------------------------------------------------------------------------------------


@in_a_world()
async def test_only_the_secret_is_admitted(world: World) -> None:
    assert world.bridge.admits(SECRET)
    for wrong in ("", " ", SECRET[:-1], SECRET + " ", SECRET.upper(), "\u00e4" * 40, "\udcff"):
        assert not world.bridge.admits(wrong)


def test_the_secret_is_nowhere_in_the_bridge_itself() -> None:
    world = World()
    assert SECRET not in repr(vars(world.bridge))


def test_a_secret_that_can_be_guessed_is_refused() -> None:
    world = World()
    with pytest.raises(ValueError, match="at least 16 characters"):
        bridge_module.Bridge(world.bridge.hall, world.venue, "sesame", "run")
