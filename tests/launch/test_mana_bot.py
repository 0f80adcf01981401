"""How the hall reads the Mana bot: a real HTTP server that answers well, badly, late, too much or not at all."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest

from dicehall.core.game import Refused
from dicehall.launch import mana_bot
from dicehall.launch.mana_bot import AWAY, NONE, SLOW, UNREADABLE, BotAddress, ManaBotClient, read_bot_url
from dicehall.launch.output import Failed
from dicehall.server.match_shapes import BotMatch, BotMatches, BotStatus
from tests.server.bot_answers import all_answers
from tests.server.scripted_bot import HANG, ScriptedBot, http, scripted_bot

PATIENT_S, IMPATIENT_S = 20.0, 0.05


@dataclass(slots=True)
class Clock:
    time: float = 1000.0

    def now(self) -> float:
        return self.time


@pytest.fixture
def bot() -> Iterator[ScriptedBot]:
    with scripted_bot(all_answers()) as running:
        yield running


def client(bot: ScriptedBot, seconds: float = PATIENT_S, clock: Clock | None = None) -> ManaBotClient:
    return ManaBotClient(read_bot_url(bot.url), seconds, (clock or Clock()).now)


def ask(asker: ManaBotClient, path: str = "/status", shape: type[msgspec.Struct] = BotStatus) -> Any:
    """The answer as data, or the code and the sentence of a refusal."""

    async def get() -> Any:
        try:
            return json.loads(bytes(await asker.get(path, shape)))
        except Refused as refused:
            return str(refused.code), refused.sentence

    return asyncio.run(get())


@pytest.mark.parametrize(
    ("path", "shape"),
    [
        ("/status", BotStatus),
        ("/matches?state=MatchComplete&page=1", BotMatches),
        *((path, BotMatch) for path in all_answers() if path.startswith("/match/")),
    ],
)
def test_a_good_answer_is_passed_on_unchanged(bot: ScriptedBot, path: str, shape: type[msgspec.Struct]) -> None:
    assert ask(client(bot), path, shape) == all_answers()[path.partition("?")[0]]
    assert bot.asked == [path]


def test_fields_that_nobody_knows_yet_are_passed_on(bot: ScriptedBot) -> None:
    bot.said["/status"] |= {"version": {"number": 2}}
    assert ask(client(bot))["version"] == {"number": 2}


def test_an_answer_may_come_in_chunks_or_end_with_the_connection(bot: ScriptedBot) -> None:
    status = json.dumps(bot.said["/status"]).encode()
    head = b"HTTP/1.1 200 OK\r\n"
    chunked = b"transfer-encoding: chunked\r\n\r\n%x\r\n%b\r\n0\r\n\r\n" % (len(status), status)
    for response in (head + chunked, head + b"\r\n" + status, b"HTTP/1.0 200 OK\r\n\r\n" + status):
        bot.said["/status"] = response
        assert ask(client(bot)) == json.loads(status)


def test_a_match_that_is_not_there_is_not_found(bot: ScriptedBot) -> None:
    assert ask(client(bot), "/match/none", BotMatch) == ("not_found", "The Mana bot has no such match.")


def test_a_server_that_knows_no_status_is_not_a_bot(bot: ScriptedBot) -> None:
    del bot.said["/status"]
    assert ask(client(bot)) == ("bot_unavailable", UNREADABLE)


GOOD = json.dumps(all_answers()["/status"]).encode()
GOOD_RESPONSE = http(GOOD)
BAD = {
    "nothing": b"\n",
    "another protocol": b"SSH-2.0-OpenSSH_9.9\r\n",
    "a list": http(b"[]"),
    "a number": http(b"7"),
    "no body": http(b""),
    "half a document": http(GOOD[:-2]),
    "fewer bytes than promised": http(GOOD).replace(b"Content-Length: ", b"Content-Length: 9"),
    "the wrong shape": http(b'{"ok": true}'),
    "a wrong type": http(GOOD.replace(b'"ok": true', b'"ok": "yes"')),
    "bytes that are not text": http(GOOD.replace(b"npub1", b"\xff\xfe")),
    "a lone surrogate": http(GOOD.replace(b"npub1", b"\\ud800 ")),
    "a huge number": http(b'{"x": ' + b"9" * 5000 + b", " + GOOD[1:]),
    "deep nesting": http(b'{"x": ' + b"[" * 100_000),
    "an error": http(GOOD, "500 Internal Server Error"),
    "a page of something else": http(b"<html></html>"),
    "an upgrade": b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    "a head without an end": b"HTTP/1.1 200 OK\r\n" + b"X-Padding: 0123456789\r\n" * 60_000,
}


@pytest.mark.parametrize("what", BAD)
def test_what_is_no_answer_is_refused_with_a_sentence(bot: ScriptedBot, what: str) -> None:
    bot.said["/status"] = BAD[what]
    assert ask(client(bot)) == ("bot_unavailable", UNREADABLE)


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "307 Temporary Redirect", "308 Permanent Redirect"])
def test_a_redirect_is_not_followed(bot: ScriptedBot, status: str) -> None:
    bot.said |= {"/status": http(b"", status, f"Location: {bot.url}/elsewhere"), "/elsewhere": http(GOOD)}
    assert ask(client(bot)) == ("bot_unavailable", UNREADABLE)
    assert bot.asked == ["/status"]


def padded(size: int) -> bytes:
    return GOOD[:-1] + b" " * (size - len(GOOD)) + b"}"


def test_an_answer_of_one_mebibyte_is_read_and_one_byte_more_is_not(bot: ScriptedBot) -> None:
    bot.said["/status"] = http(padded(mana_bot.MAX_BYTES))
    assert ask(client(bot)) == json.loads(GOOD)
    bot.said["/status"] = http(padded(mana_bot.MAX_BYTES + 1))
    assert ask(client(bot)) == ("bot_unavailable", UNREADABLE)


def test_a_bot_that_does_not_answer_in_time_is_given_up(bot: ScriptedBot) -> None:
    bot.said["/status"] = HANG
    assert ask(client(bot, IMPATIENT_S)) == ("bot_unavailable", SLOW)


def test_a_bot_that_is_gone_and_a_hall_without_one_say_so() -> None:
    with scripted_bot({}) as bot:
        asker = client(bot)
    assert ask(asker) == ("bot_unavailable", AWAY)
    assert ask(ManaBotClient(None)) == ("bot_unavailable", NONE)


def test_an_answer_is_kept_for_a_second_and_so_is_a_failure(bot: ScriptedBot) -> None:
    clock = Clock()
    asker = client(bot, clock=clock)
    for _ in range(3):
        ask(asker)
    assert len(bot.asked) == 1
    clock.time += mana_bot.FRESH_S
    bot.said["/status"] = http(b"[]")
    for _ in range(3):
        assert ask(asker) == ("bot_unavailable", UNREADABLE)
    assert len(bot.asked) == 2
    clock.time += mana_bot.FRESH_S
    bot.said["/status"] = GOOD_RESPONSE
    assert ask(asker) == json.loads(GOOD)


def test_only_so_many_answers_are_kept(bot: ScriptedBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mana_bot, "MAX_KEPT", 3)
    clock = Clock()
    asker = client(bot, clock=clock)
    for number in range(10):
        ask(asker, f"/match/{number}", BotMatch)
    assert list(asker.questions) == ["/match/7", "/match/8", "/match/9"]
    clock.time += mana_bot.FRESH_S
    ask(asker, "/match/10", BotMatch)
    assert list(asker.questions) == ["/match/10"]


def while_it_hangs(bot: ScriptedBot, paths: list[str], then: Callable[[], None]) -> list[Any]:
    """Ask for all of these at once of a bot that answers only after *then*."""

    async def story() -> list[Any]:
        asker = client(bot)
        asking = [asyncio.create_task(asker.get(path, BotMatch)) for path in paths]
        await asyncio.to_thread(bot.wait_for, min(len(set(paths)), mana_bot.MAX_AT_ONCE))
        then()
        bot.released.set()
        return await asyncio.gather(*asking, return_exceptions=True)

    return asyncio.run(story())


def test_all_who_ask_the_same_share_one_request(bot: ScriptedBot) -> None:
    bot.said["*"] = HANG
    outcomes = while_it_hangs(bot, ["/match/one"] * 100, lambda: None)
    assert len(outcomes) == 100
    assert bot.asked == ["/match/one"]


def test_few_connections_are_open_at_once_and_few_questions_wait(bot: ScriptedBot) -> None:
    bot.said["*"] = HANG
    paths = [f"/match/{number}" for number in range(mana_bot.MAX_WAITING + 5)]
    outcomes = while_it_hangs(bot, paths, lambda: None)
    codes = [str(outcome.code) for outcome in outcomes if isinstance(outcome, Refused)]
    assert codes == ["bot_unavailable"] * mana_bot.MAX_WAITING + ["rate_limited"] * 5
    assert bot.most_at_once == mana_bot.MAX_AT_ONCE


def test_somebody_who_hangs_up_takes_the_answer_from_nobody(bot: ScriptedBot) -> None:
    bot.said["/status"] = HANG

    async def story() -> None:
        asker = client(bot)
        first = asyncio.create_task(asker.get("/status", BotStatus))
        second = asyncio.create_task(asker.get("/status", BotStatus))
        await asyncio.to_thread(bot.wait_for, 1)
        first.cancel()
        bot.said["/status"] = GOOD_RESPONSE
        bot.released.set()
        assert json.loads(bytes(await second)) == json.loads(GOOD)
        assert first.cancelled()

    asyncio.run(story())


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("http://127.0.0.1:4444", BotAddress("127.0.0.1", 4444)),
        ("http://127.8.8.8", BotAddress("127.8.8.8", 80)),
        ("http://[::1]:4444/", BotAddress("::1", 4444)),
        ("http://localhost:4444/mana/", BotAddress("localhost", 4444, "/mana")),
        ("https://bot.example.org", BotAddress("bot.example.org", 443, "", True)),
        ("none", None),
    ],
)
def test_a_bot_may_be_on_this_machine_or_behind_https(text: str, address: BotAddress | None) -> None:
    assert read_bot_url(text) == address


@pytest.mark.parametrize(
    "text",
    [
        "",
        "127.0.0.1:4444",
        "http://bot.example.org",
        "http://192.168.0.7:4444",
        "http://0.0.0.0:4444",
        "ftp://127.0.0.1",
        "file:///etc/passwd",
        "http://me:secret@127.0.0.1:4444",
        "http://127.0.0.1:4444/?a=b",
        "http://127.0.0.1:4444/#a",
        "http://127.0.0.1:4444/a b",
        "http://127.0.0.1:99999",
        "http://127.0.0.1:port",
        "http://[::1",
        "http://",
    ],
)
def test_any_other_address_of_a_bot_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(Failed, match=r"^--mana-bot must be .*\.$"):
        read_bot_url(text)


def test_an_address_of_ipv6_is_named_with_brackets() -> None:
    assert BotAddress("::1", 4444).name == "[::1]:4444"
    assert BotAddress("127.0.0.1", 4444).name == "127.0.0.1:4444"
