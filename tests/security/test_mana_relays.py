"""Relays of Mana in hostile or broken hands: what they do costs their own answers, not the other relays or a match."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
from collections.abc import Awaitable, Callable
from random import Random

import pytest
from websockets.asyncio.server import ServerConnection

from dicehall.nostr import relay, relay_pool
from dicehall.nostr.events import Event, encode_event, sign_event
from dicehall.nostr.relay import Delays, Relay, RelayError, Subscription
from tests.nostr.test_relays import ANN, GAME, connected, hostile_relay, note, pool_of, run
from tests.security.live import both_ways

HANDSHAKE = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # of RFC 6455
CLOSE_FRAME = b"\x88\x02\x03\xe8"
COMMAND = "\x1b]0;owned\x07\x1b[2J"  # to a terminal: rename the window, clear the screen


def wire(name: str, event: Event) -> str:
    return json.dumps(["EVENT", name, json.loads(encode_event(event))])


def on_request(
    answer: Callable[[ServerConnection, str], Awaitable[None]],
) -> Callable[[ServerConnection], Awaitable[None]]:
    """A relay that does something of its own whenever it is asked for events."""

    async def handle(connection: ServerConnection) -> None:
        async for message in connection:
            verb, name, *_ = json.loads(message)
            if verb == "REQ":
                await answer(connection, name)

    return handle


def test_a_relay_that_hangs_up_in_the_same_breath_as_its_handshake_is_asked_again() -> None:
    """What is sent to it fails then. The guard is one word in an except clause, so it is not switched off here."""
    visits: list[str] = []
    enough = asyncio.Event()

    async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        key = next(
            line.split(b": ")[1] for line in head.split(b"\r\n") if line.lower().startswith(b"sec-websocket-key")
        )
        accept = base64.b64encode(hashlib.sha1(key + GUID).digest()).decode()
        visits.append(accept)
        if len(visits) >= 3:
            enough.set()
        writer.write(f"{HANDSHAKE}{accept}\r\n\r\n".encode() + CLOSE_FRAME)
        writer.close()

    async def work() -> None:
        server = await asyncio.start_server(hang_up, "127.0.0.1", 0)
        url = f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        async with server, pool_of(url) as pool, pool.subscribe(GAME), asyncio.timeout(10):
            await enough.wait()

    run(work())


@both_ways
def test_a_relay_that_is_away_for_a_week_is_still_asked(monkeypatch: pytest.MonkeyPatch, guarded: bool) -> None:
    """Delays double; without a limit the thousandth was too large for a float, and nobody asked any more."""
    if not guarded:
        monkeypatch.setattr(relay, "MAX_DOUBLINGS", 10**6)
    try:
        harmed = Delays(Random(1)).after(5000) > relay.LONGEST_DELAY_S
    except OverflowError:
        harmed = True
    assert harmed is not guarded


@both_ways
def test_a_relay_that_ends_the_subscription_is_asked_for_it_again(
    monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """It would stay connected and silent, and every player's time would run out."""
    requests: list[str] = []
    ignored = asyncio.Event()

    async def ignore(self: Relay, subscription: Subscription, reason: str) -> None:
        ignored.set()

    if not guarded:
        monkeypatch.setattr(Relay, "closed", ignore)

    async def answer(connection: ServerConnection, name: str) -> None:
        requests.append(name)
        if len(requests) < 3:
            await connection.send(json.dumps(["CLOSED", name, "error: shutting down idle subscription"]))
        else:
            await connection.send(wire(name, note(1)))

    async def work() -> None:
        async with (
            hostile_relay(on_request(answer)) as url,
            pool_of(url) as pool,
            pool.subscribe(GAME) as subscription,
            asyncio.timeout(10),
        ):
            heard, silent = asyncio.create_task(subscription.events.get()), asyncio.create_task(ignored.wait())
            await asyncio.wait({heard, silent}, return_when=asyncio.FIRST_COMPLETED)
            assert heard.done() is guarded
            assert requests == [subscription.id] * (3 if guarded else 1)
            heard.cancel()
            silent.cancel()

    run(work())


@both_ways
def test_one_huge_event_by_a_stranger_does_not_end_the_connection_again_and_again(
    monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """A relay that stores it sends it after every reconnection."""
    if not guarded:
        monkeypatch.setattr(relay, "MAX_MESSAGE_BYTES", 128 * 1024)
    huge = sign_event(ANN, 100, 1, (("t", "mana-strategy"),), "x" * 200_000)
    requests: list[str] = []
    again = asyncio.Event()

    async def answer(connection: ServerConnection, name: str) -> None:
        requests.append(name)
        if len(requests) > 2:
            again.set()
        await connection.send(wire(name, huge))
        await connection.send(wire(name, note(1)))

    async def work() -> None:
        async with (
            hostile_relay(on_request(answer)) as url,
            pool_of(url) as pool,
            pool.subscribe(GAME) as subscription,
            asyncio.timeout(10),
        ):
            heard, ended = asyncio.create_task(subscription.events.get()), asyncio.create_task(again.wait())
            await asyncio.wait({heard, ended}, return_when=asyncio.FIRST_COMPLETED)
            harmed = not heard.done()
            heard.cancel()
            ended.cancel()
            assert harmed is not guarded
            assert not guarded or pool.relays[0].rejected == 1

    run(work())


@both_ways
def test_a_silent_relay_beside_a_good_one_does_not_slow_down_every_event(
    monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    for module in (relay, relay_pool):
        monkeypatch.setattr(module, "ANSWER_S", 0.5)
    monkeypatch.setattr(relay_pool, "OTHERS_S", 0.01 if guarded else 60.0)

    async def silent(connection: ServerConnection) -> None:
        async for _ in connection:
            pass

    async def good(connection: ServerConnection) -> None:
        async for message in connection:
            await connection.send(json.dumps(["OK", json.loads(message)[1]["id"], True, ""]))

    async def work() -> None:
        async with hostile_relay(silent) as one, hostile_relay(good) as other, pool_of(one, other) as pool:
            await connected(pool)
            words = await pool.publish(note(1))
            assert words[other] is None
            waited_to_the_end = "did not answer" in str(words[one])
            assert waited_to_the_end is not guarded

    run(work())


@both_ways
def test_a_relay_with_new_events_on_every_page_does_not_fill_the_memory(
    monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    monkeypatch.setattr(relay_pool, "PAGE", 5)
    monkeypatch.setattr(relay_pool, "MAX_PAGES", 30)
    monkeypatch.setattr(relay_pool, "MAX_PAGES_BYTES", 500 if guarded else 10**9)
    made: list[Event] = []

    async def answer(connection: ServerConnection, name: str) -> None:
        for _ in range(8):  # more than a page may have
            made.append(note(len(made), at=10**6 - len(made)))
            await connection.send(wire(name, made[-1]))
        await connection.send(json.dumps(["EOSE", name]))

    async def work() -> None:
        async with hostile_relay(on_request(answer)) as url, pool_of(url) as pool:
            await connected(pool)
            found = await pool.query(GAME)
            harmed = len(found) > 100
            assert harmed is not guarded

    run(work())


@both_ways
def test_a_relay_that_sends_a_million_events_for_one_page_is_still_heard(
    monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """The queue of a page would be full, and its answers to publications would wait behind it."""
    monkeypatch.setattr(relay_pool, "PAGE", 5 if guarded else 10**9)
    monkeypatch.setattr(relay, "WAITING_EVENTS", 10)
    for module in (relay, relay_pool):
        monkeypatch.setattr(module, "ANSWER_S", 0.5)

    async def handle(connection: ServerConnection) -> None:
        async for message in connection:
            verb, named, *_ = json.loads(message)
            if verb == "REQ":
                for number in range(40):
                    await connection.send(wire(named, note(number)))
            elif verb == "EVENT":
                await connection.send(json.dumps(["OK", named["id"], True, ""]))

    async def work() -> None:
        async with hostile_relay(handle) as url, pool_of(url) as pool:
            await connected(pool)
            reading = asyncio.create_task(pool.page(pool.relays[0], GAME))
            await asyncio.sleep(0)
            try:
                harmed = await pool.publish(note(99)) != {url: None}
            except RelayError:
                harmed = True
            reading.cancel()
            assert harmed is not guarded

    run(work())


@both_ways
def test_what_a_relay_says_is_no_command_to_a_terminal_or_a_log(monkeypatch: pytest.MonkeyPatch, guarded: bool) -> None:
    if not guarded:
        monkeypatch.setattr(relay, "printable", str)

    async def refuse(connection: ServerConnection) -> None:
        async for message in connection:
            await connection.send(json.dumps(["OK", json.loads(message)[1]["id"], False, COMMAND + "x" * 10_000]))
            await connection.close(4000, COMMAND)

    async def work() -> None:
        async with hostile_relay(refuse) as url, pool_of(url) as pool:
            await connected(pool)
            with pytest.raises(RelayError) as refused:
                await pool.publish(note(1))
            while pool.relays[0].last_error is None:
                await asyncio.sleep(0.001)
            for text in (str(refused.value), pool.relays[0].last_error):
                assert "owned" in text
                assert text.isprintable() is guarded
                assert len(text) < 1000 or not guarded

    run(work())
