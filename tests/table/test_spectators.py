"""Spectators see everything live and can do nothing."""

from __future__ import annotations

import pytest

from dicehall.table.requests import (
    Carry,
    Depute,
    Destroy,
    Do,
    Hint,
    OpenWords,
    Reclaim,
    Request,
    SitBot,
    Stand,
    Start,
)
from tests.table.hosting import T, World, code_of, hosted

ASKED: list[Request] = [
    Do("roll"),
    Do("fold"),
    Stand(),
    Start(),
    OpenWords("x"),
    Carry("p1:9"),
    Depute("greedy"),
    Depute("greedy", 0),
    Reclaim(),
    Hint(),
    Destroy("for fun"),
    SitBot(None, "greedy"),
]


@hosted
async def test_a_spectator_is_told_what_a_seat_is_told(world: World) -> None:
    """A17."""
    await world.open("aetharn")
    watcher = await world.watch()
    named = await world.watch(account="eve")
    ann, bo = await world.person("Ann"), await world.person("Bo")
    await ann.sit()
    await bo.sit()
    await ann.ask(Start())
    first, second = world.in_seats((ann, bo))
    await first.do("roll")
    await second.leave()
    numbered = [message for message in watcher.messages if "n" in message]
    assert [message["n"] for message in numbered] == list(range(2, len(world.names()) + 1))
    assert [message for message in ann.heard if "n" in message] == numbered
    assert [message for message in named.messages if "n" in message] == numbered


@pytest.mark.parametrize("account", [None, "eve"])
@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: type(asked).__name__)
@hosted
async def test_a_spectator_can_do_nothing(world: World, asked: Request, account: str | None) -> None:
    """A17, C2."""
    await world.play("aetharn", "Ann", "Bo", hints=True, seats=4)
    await world.watch(account=account)
    stored = world.names()
    assert await code_of(world.host.ask(T, asked, account)) in {"not_seated", "not_allowed", "already_started"}
    assert world.names() == stored


@hosted
async def test_a_stranger_cannot_fill_a_lobby_with_bots(world: World) -> None:
    """A17."""
    await world.open("aetharn", by="ann")
    assert await code_of(world.host.ask(T, SitBot(None, "greedy"), "eve")) == "not_allowed"
    await world.host.ask(T, SitBot(None, "greedy"), "ann")  # who opened the table may
    bo = await world.person("Bo")
    await bo.sit()
    await bo.ask(SitBot(None, "greedy"))  # and who sits there


@hosted
async def test_coming_and_going_of_spectators_is_told_without_a_number(world: World) -> None:
    """A19: SpectatorJoined and SpectatorLeft."""
    (ann, _) = await world.play("aetharn", "Ann", "Bo")
    stored, heard = world.names(), len(ann.heard)
    first = await world.watch(account="eve")
    ear = world.ear()
    await world.host.connect(T, ear, None, name="Zoe")
    world.host.disconnect(T, first.id)
    told = [{key: message[key] for key in message if key != "table"} for message in ann.heard[heard:]]
    assert told == [
        {"event": "SpectatorJoined", "spectator": None, "total_spectators": 1},
        {"event": "SpectatorJoined", "spectator": "Zoe", "total_spectators": 2},
        {"event": "SpectatorLeft", "spectator": None, "total_spectators": 1},
    ]
    assert world.names() == stored


@hosted
async def test_a_seat_that_connects_is_no_spectator(world: World) -> None:
    """A19."""
    first, second = await world.play("aetharn", "Ann", "Bo")
    heard = len(first.told("SpectatorJoined"))
    second.drop()
    await second.come()
    assert len(first.told("SpectatorJoined")) == heard
    assert first.told("SpectatorLeft") == []
