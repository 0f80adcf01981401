"""The relay client against real relays: nostr-sdk's, in proofs also nostr-relay, and a hostile one written here."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from random import Random
from typing import Any

import msgspec
import pytest
from websockets.asyncio.server import ServerConnection, serve

from dicehall.nostr import relay_pool
from dicehall.nostr.events import Event, encode_event, sign_event
from dicehall.nostr.filters import Filter
from dicehall.nostr.keys import SecretKey
from dicehall.nostr.relay import Delays, Relay, RelayError
from dicehall.nostr.relay_pool import RelayPool
from tests.nostr.real_relays import OpenRelay, python_relay, rust_relay
from tests.nostr.test_match_events import FROM_PLAYERS, published

ANN = SecretKey(bytes(31) + b"\1")
GAME = Filter(tags={"t": ("mana-strategy",)})
WAIT_S = 30


def note(number: int, at: int = 100) -> Event:
    return sign_event(ANN, at, 1, (("t", "mana-strategy"),), str(number))


on_every_relay = pytest.mark.parametrize(
    "open_relay",
    [
        pytest.param(rust_relay, id="nostr-sdk"),
        pytest.param(python_relay, id="nostr-relay", marks=pytest.mark.proof),
    ],
)


@asynccontextmanager
async def pool_of(*urls: str) -> AsyncIterator[RelayPool]:
    relays = tuple(Relay(url, Delays(Random(1), 0.001, 0.01)) for url in urls)
    async with asyncio.timeout(WAIT_S), RelayPool(relays).running() as pool:
        yield pool


async def connected(pool: RelayPool) -> None:
    for relay in pool.relays:
        await relay.connected.wait()


def run(work: Awaitable[None]) -> None:
    async def whole() -> None:
        await work

    asyncio.run(whole())


@on_every_relay
def test_what_is_published_reaches_a_subscriber_once_though_two_relays_send_it(open_relay: OpenRelay) -> None:
    async def work() -> None:
        async with open_relay() as one, open_relay() as other, pool_of(one, other) as pool:
            await connected(pool)
            async with pool.subscribe(GAME) as subscription:
                assert await pool.publish(note(1)) == {one: None, other: None}
                await pool.publish(note(2))
                assert [(await subscription.events.get()).content for _ in range(2)] == ["1", "2"]
                assert subscription.events.empty()

    run(work())


@on_every_relay
def test_stored_events_are_read_page_by_page(monkeypatch: pytest.MonkeyPatch, open_relay: OpenRelay) -> None:
    monkeypatch.setattr(relay_pool, "PAGE", 5)

    async def work() -> None:
        async with open_relay() as url, pool_of(url) as pool:
            await connected(pool)
            for number in range(23):
                await pool.publish(note(number, at=100 + number // 3))
            found = await pool.query(GAME)
            assert sorted(int(event.content) for event in found) == list(range(23))
            assert [event.created_at for event in found] == sorted(event.created_at for event in found)

    run(work())


@on_every_relay
def test_a_relay_that_is_away_is_said_to_be_and_the_other_still_takes_the_event(open_relay: OpenRelay) -> None:
    async def work() -> None:
        async with open_relay() as url, pool_of(url, "ws://127.0.0.1:9") as pool:
            await pool.relays[0].connected.wait()
            words = await pool.publish(note(1))
            assert words[url] is None
            assert "not connected" in str(words["ws://127.0.0.1:9"])

    run(work())


def test_an_event_that_no_relay_takes_is_an_error() -> None:
    async def work() -> None:
        async with pool_of("ws://127.0.0.1:9") as pool:
            with pytest.raises(RelayError):
                await pool.publish(note(1))

    run(work())


@on_every_relay
def test_events_of_a_match_are_taken_and_found_again_by_their_mirrors(open_relay: OpenRelay) -> None:
    """Relays index the first value of tags of one letter: the only ones that a filter can name."""

    async def work() -> None:
        async with open_relay() as url, pool_of(url) as pool:
            await connected(pool)
            sent = [published(*said.encode()) for said in FROM_PLAYERS]
            for event in sent:
                await pool.publish(event)
            found = await pool.query(GAME)
            assert {event.id for event in found} == {event.id for event in sent}
            match = next(value for event in sent for value in event.tag_values("d"))
            mine = await pool.query(Filter(tags={"t": ("mana-strategy",), "d": (match,)}))
            assert {event.id for event in mine} == {event.id for event in sent if event.tag("d") == match}

    run(work())


@on_every_relay
def test_a_second_event_of_one_author_and_match_replaces_nothing(open_relay: OpenRelay) -> None:
    """As it would with an addressable kind: a commitment could be taken back after the other side's."""

    async def work() -> None:
        async with open_relay() as url, pool_of(url) as pool:
            await connected(pool)
            tags = (("t", "mana-strategy"), ("d", "m1"))
            for kind in (1, 78):
                for number in range(2):
                    await pool.publish(sign_event(ANN, 100 + number, kind, tags, str(number)))
            found = await pool.query(GAME)
            assert sorted((event.kind, event.content) for event in found) == [(1, "0"), (1, "1"), (78, "0"), (78, "1")]

    run(work())


@on_every_relay
def test_an_event_with_a_false_signature_is_refused_by_the_relay_too(open_relay: OpenRelay) -> None:
    async def work() -> None:
        async with open_relay() as url, pool_of(url) as pool:
            await connected(pool)
            with pytest.raises(RelayError):
                await pool.publish(msgspec.structs.replace(note(1), content="2"))

    run(work())


Handler = Callable[[ServerConnection], Awaitable[None]]


@asynccontextmanager
async def hostile_relay(handler: Handler) -> AsyncIterator[str]:
    async with serve(handler, "127.0.0.1", 0) as server:
        yield f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}"


def forged(content: str) -> dict[str, Any]:
    genuine: dict[str, Any] = json.loads(encode_event(note(1)))
    return genuine | {"content": content}


RUBBISH = [
    "",
    "null",
    "{}",
    "[]",
    '["EVENT"]',
    "[" * 10_000,
    '["EVENT", "NAME", null]',
    '["EVENT", "NAME", {"id": 1}]',
    json.dumps(["EVENT", "NAME", forged("forged")]),
    '["EVENT", "NAME", {"content": "\\ud800"}]',
    '["OK", "x", true, ""]',
    '["EOSE", "unknown"]',
    '["NOTICE"]',
]


def test_a_hostile_relay_delivers_nothing_forged_and_stops_nothing() -> None:
    async def handle(connection: ServerConnection) -> None:
        async for message in connection:
            verb, name, *_ = json.loads(message)
            if verb == "REQ":
                for rubbish in RUBBISH:
                    await connection.send(rubbish.replace("NAME", name))
                stranger = sign_event(ANN, 1, 1, (("t", "chess"),), "not asked for")
                for event in (stranger, note(7), note(7)):
                    await connection.send(json.dumps(["EVENT", name, json.loads(encode_event(event))]))

    async def work() -> None:
        async with hostile_relay(handle) as url, pool_of(url) as pool:
            await connected(pool)
            async with pool.subscribe(GAME) as subscription:
                assert (await subscription.events.get()).content == "7"
                assert subscription.events.empty()
            assert pool.relays[0].rejected >= 8

    run(work())


@pytest.mark.parametrize("exclusive", [False, True], ids=["until_is_included", "until_is_excluded"])
@pytest.mark.parametrize("crowd", [1, 3, 4])  # events in one second; a page has five
def test_pages_lose_nothing_whether_or_not_a_relay_includes_until(exclusive: bool, crowd: int) -> None:
    stored = [note(number, at=100 + number // crowd) for number in range(23)]

    async def handle(connection: ServerConnection) -> None:
        async for message in connection:
            verb, name, *filters = json.loads(message)
            if verb == "REQ":
                until = filters[0].get("until", 10**9)
                fits = [event for event in stored if event.created_at < until + (not exclusive)]
                for event in sorted(fits, key=lambda event: -event.created_at)[:5]:
                    await connection.send(json.dumps(["EVENT", name, json.loads(encode_event(event))]))
                await connection.send(json.dumps(["EOSE", name]))

    async def work() -> None:
        async with hostile_relay(handle) as url, pool_of(url) as pool:
            await connected(pool)
            assert {event.id for event in await pool.query(GAME)} == {event.id for event in stored}
            early = await pool.query(replace(GAME, until=103))
            assert {event.id for event in early} == {event.id for event in stored if event.created_at <= 103}

    run(work())


def test_a_backdated_event_that_comes_during_a_query_hides_no_page() -> None:
    """Somebody who publishes old dates while a referee catches up would else make it miss what honest players sent."""
    stored = [note(number, at=100 + number) for number in range(23)]

    async def handle(connection: ServerConnection) -> None:
        async for message in connection:
            verb, name, *filters = json.loads(message)
            if verb == "REQ":
                fits = [event for event in stored if event.created_at <= filters[0].get("until", 10**9)]
                answer = [["EVENT", name, json.loads(encode_event(event))] for event in fits[::-1][:5]]
                live = ["EVENT", name, json.loads(encode_event(note(99, at=1)))]
                for text in (*answer, ["EOSE", name], live):
                    await connection.send(json.dumps(text))

    async def work() -> None:
        async with hostile_relay(handle) as url, pool_of(url) as pool:
            await connected(pool)
            assert {event.id for event in stored} <= {event.id for event in await pool.query(GAME)}

    run(work())


def test_after_a_lost_connection_the_subscription_is_made_again() -> None:
    requests: list[str] = []

    async def handle(connection: ServerConnection) -> None:
        async for message in connection:
            verb, name, *_ = json.loads(message)
            if verb == "REQ":
                requests.append(name)
                if len(requests) < 4:
                    return await connection.close()
                await connection.send(json.dumps(["EVENT", name, json.loads(encode_event(note(1)))]))

    async def work() -> None:
        async with hostile_relay(handle) as url, pool_of(url) as pool, pool.subscribe(GAME) as subscription:
            assert (await subscription.events.get()).content == "1"
            assert requests == [subscription.id] * 4

    run(work())


def test_a_refusal_is_told_with_the_relays_reason() -> None:
    async def handle(connection: ServerConnection) -> None:
        async for message in connection:
            event = json.loads(message)[1]
            await connection.send(json.dumps(["OK", event["id"], False, "blocked: not welcome"]))

    async def work() -> None:
        async with hostile_relay(handle) as url, pool_of(url) as pool:
            await connected(pool)
            with pytest.raises(RelayError, match="not welcome"):
                await pool.publish(note(1))

    run(work())


def test_delays_grow_up_to_a_limit_and_differ() -> None:
    delays = Delays(Random(7))
    for failures in range(12):
        drawn = [delays.after(failures) for _ in range(200)]
        assert 0.5 <= min(drawn) <= max(drawn) <= min(300, 2**failures)
        assert max(drawn) > min(300, 2**failures) * 0.9
    assert len({delays.after(5) for _ in range(10)}) == 10


def test_a_filter_by_a_long_tag_is_refused_because_relays_ignore_it() -> None:
    with pytest.raises(ValueError, match="single-letter"):
        Filter(tags={"match_id": ("m1",)})
