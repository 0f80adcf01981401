"""The referee of Mana among hostile strangers, players, mints and clocks: an honest match goes on all the same."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from http.client import HTTPResponse
from pathlib import Path

import httpx
import msgspec
import pytest
from starlette.requests import Request

from dicehall.launch import limited_server
from dicehall.launch.limited_server import LimitedServer, limited_config
from dicehall.mint import app as mint_app
from dicehall.mint import http_client
from dicehall.mint import mint as mint_module
from dicehall.mint.app import MintApp
from dicehall.mint.blinding import BadAnswer
from dicehall.mint.http_client import Unreachable, send
from dicehall.mint.messages import MintError
from dicehall.nostr import match_events
from dicehall.nostr.events import Event, sign_event
from dicehall.nostr.match_events import Acceptance, Challenge, TokenProof
from dicehall.referee import bot as bot_module
from dicehall.referee import early_events, token_queue
from dicehall.referee.app import make_app
from dicehall.referee.bot import NUTZAPS, Bot
from dicehall.referee.mint_client import MintAway, MintClient
from dicehall.referee.store import Loot, Store
from dicehall.referee.token_queue import TokenAnswer, TokenQueue
from tests.mint.minting import live_mint
from tests.referee.live import pool_of
from tests.referee.people import BOT, START_MS, Court, Person
from tests.security.live import WAIT_S, both_ways

GOOD, BAD = "ws://127.0.0.1:1", "ws://127.0.0.1:2"
HOUR_MS = 3_600_000


@pytest.fixture
def ann() -> Person:
    return Person.called("Ann")


@pytest.fixture
def bea() -> Person:
    return Person.called("Bea", league=3)


@pytest.fixture
def court(tmp_path: Path, ann: Person, bea: Person) -> Iterator[Court]:
    court = Court(Store(tmp_path / "referee.db"))
    court.know(ann, bea)
    challenge = ann.challenge(bea)
    court.send(challenge, bea.accept(challenge))
    yield court
    court.store.close()


@pytest.fixture
def bot(court: Court) -> Bot:
    """With two relays that seem to be connected, and the clock of the test."""
    bot = Bot(court.referee, pool_of(GOOD, BAD), MintClient("http://127.0.0.1:1", BOT, lambda: 0), lambda: court.now_ms)
    for relay in bot.pool.relays:
        relay.connection = object()  # type: ignore[assignment]
    bot.reached_ms = court.now_ms
    return bot


def pass_time(court: Court, bot: Bot, seconds: int) -> None:
    """As it passes for a bot that looks at its clock all the time."""
    for _ in range(seconds // 10):
        court.now_ms += 10_000
        bot.keep_time(court.now_ms)


# -- time --------------------------------------------------------------------------------------------------


def test_a_relay_that_never_finishes_its_answer_does_not_stop_the_clock_of_every_match(court: Court, bot: Bot) -> None:
    """The control is all relays that do not finish: while everything is still being read, deadlines rest."""
    bot.catching_up = {GOOD, BAD}
    pass_time(court, bot, 400)
    assert court.referee.matches["m1"].over is None
    bot.catching_up = {BAD}
    pass_time(court, bot, 310)
    assert court.referee.matches["m1"].over is not None


@both_ways
@pytest.mark.parametrize("by_event", [True, False], ids=["an event comes first", "the bot looks first"])
def test_a_machine_that_slept_or_a_clock_set_forward_forfeits_no_match(
    court: Court, bot: Bot, ann: Person, monkeypatch: pytest.MonkeyPatch, by_event: bool, guarded: bool
) -> None:
    if not guarded:
        monkeypatch.setattr(bot_module, "JUMP_MS", 1 << 60)
    match = court.referee.matches["m1"]
    left_ms = match.deadline_ms - court.now_ms
    court.now_ms += HOUR_MS
    if by_event:
        bot.take(ann.commit(1))
        assert bool(match.commitments) is guarded
    bot.keep_time(court.now_ms)
    harmed = match.over is not None
    assert harmed is not guarded
    assert not guarded or match.deadline_ms - court.now_ms == left_ms


@both_ways
def test_a_clock_set_back_does_not_give_a_player_who_left_another_hour(
    court: Court, bot: Bot, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    if not guarded:
        monkeypatch.setattr(bot_module, "JUMP_MS", 1 << 60)
    court.now_ms -= HOUR_MS
    bot.keep_time(court.now_ms)
    pass_time(court, bot, 310)
    harmed = court.referee.matches["m1"].over is None
    assert harmed is not guarded


def test_a_clock_that_was_set_back_while_the_bot_was_stopped_changes_no_deadline(court: Court) -> None:
    """The control is the same start with the clock unchanged: as much time is left."""
    court.referee.alive(court.now_ms)
    court.referee.commit()
    left_ms = court.referee.matches["m1"].deadline_ms - court.now_ms
    for moved_ms in (0, -HOUR_MS):
        court.restart(after_ms=moved_ms)
        assert court.referee.matches["m1"].deadline_ms - court.now_ms == left_ms


# -- tokens ------------------------------------------------------------------------------------------------


def elsewhere(court: Court, ann: Person, match_id: str = "m2") -> Event:
    """A reveal of Ann's token in a match that somebody with two keys plays alone."""
    mallory, puppet = Person.called("Mallory"), Person.called("puppet")
    mallory.secret, mallory.C = ann.secret, ann.C
    challenge = mallory.challenge(puppet, match_id)
    commits = mallory.commit(1, 1, match_id), puppet.commit(2, 1, match_id)
    for event in (challenge, puppet.accept(challenge, match_id), *commits):
        court.referee.receive(event, court.now_ms)
    return mallory.reveal(1, commits[0], 1, match_id)


@both_ways
def test_a_token_that_was_read_from_a_reveal_while_the_mint_was_away_plays_in_no_other_match(
    court: Court, ann: Person, bea: Person, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """The mint would be asked about the later reveal first: the earlier one waits for its next try."""
    if not guarded:
        monkeypatch.setattr(TokenQueue, "check", lambda *_: None)
    committed = ann.commit(3)
    for event in (committed, bea.commit(4), ann.reveal(3, committed)):
        court.referee.receive(event, court.now_ms)
    (mine,) = court.referee.tokens.questions(court.now_ms)
    court.referee.tokens.not_answered(mine, "The mint is away.", court.now_ms)
    court.referee.receive(elsewhere(court, ann), court.now_ms)
    bound: dict[str, str] = {}
    for now_ms in (court.now_ms, court.now_ms + 60_000):  # the mint is back
        for question in court.referee.tokens.questions(now_ms):
            holder = bound.setdefault(question.proofs[0].secret, question.match_id)
            court.referee.answered(question, [TokenAnswer(holder == question.match_id, 0)], now_ms)
    harmed = (0, 1) not in court.referee.matches["m1"].reveals
    assert harmed is not guarded
    assert not guarded or court.reasons() == {"InvalidToken": 1}


@both_ways
def test_a_player_without_a_token_cannot_make_the_referee_ask_the_mint_without_end(
    court: Court, ann: Person, bea: Person, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    if not guarded:
        monkeypatch.setattr(token_queue, "MAX_REFUSED_TOKENS", 10**6)
    del court.leagues[ann.secret]
    committed = ann.commit(3)
    court.send(committed, bea.commit(4))
    first = ann.reveal(3, committed)
    asked = 0
    for number in range(50):
        again = sign_event(ann.key, START_MS // 1000 + number, 1, first.tags, first.content)
        court.referee.receive(again, court.now_ms)
        asked += len(court.referee.tokens.waiting)
        court.settle()
    harmed = asked > token_queue.MAX_REFUSED_TOKENS or asked == 50
    assert harmed is not guarded
    court.send(bea.reveal(4, bea.commit(4)))  # the honest one still plays, and wins by it
    court.wait(310)
    assert court.referee.matches["m1"].winner == 1


# -- floods ------------------------------------------------------------------------------------------------


@both_ways
def test_long_texts_that_belong_to_no_match_are_not_kept_in_memory(
    court: Court, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """16 000 events can be held for matches that do not exist; of the largest size they were a gigabyte."""
    if not guarded:
        monkeypatch.setattr(early_events, "MAX_SIZE", 1 << 30)
    for number in range(20):
        stranger = Person.called(f"stranger {number}")
        court.send(stranger.sign(Acceptance(f"none-{number}", "ab" * 32, "x" * 16_000)))
    held = sum(event.size for events in court.referee.early.by_match.values() for event, _ in events)
    harmed = held > 100_000
    assert harmed is not guarded


@both_ways
def test_a_challenge_with_tags_for_a_book_is_not_stored(
    court: Court, ann: Person, bea: Person, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """Every accepted challenge stays in the store for good."""
    if not guarded:
        monkeypatch.setattr(match_events, "MAX_TAGS_SIZE", 1 << 30)
    tags, _ = Challenge("m9", bea.key.public_hex).encode()
    court.send(sign_event(ann.key, START_MS // 1000, 1, (*tags, *[("x", "y" * 100)] * 500), ""))
    harmed = court.store.has_match("m9")
    assert harmed is not guarded
    assert not guarded or court.reasons() == {"EventParsingError": 1}


@both_ways
@pytest.mark.parametrize("index", ["matches_by_time", "matches_by_phase"])
def test_a_page_far_back_in_a_million_matches_is_found_without_reading_them(
    court: Court, index: str, guarded: bool
) -> None:
    """Such a page stopped the referee for seconds; the guard is an index, so the plan of the query is looked at."""
    if not guarded:
        court.store.db.execute(f"DROP INDEX {index}")
    asked: list[str] = []
    court.store.db.set_trace_callback(asked.append)
    for phase in (None, "Abandoned"):
        court.store.summaries(phase, 9999)
    court.store.db.set_trace_callback(None)
    plans = [row[3] for one in asked for row in court.store.db.execute(f"EXPLAIN QUERY PLAN {one}")]
    scans = [plan for plan in plans if plan.startswith(("SCAN", "SEARCH matches USING INDEX"))]
    assert scans
    sorts = plans.count("USE TEMP B-TREE FOR ORDER BY")  # only the few matches of either page
    assert (all("COVERING INDEX" in plan for plan in scans) and sorts == 2) is guarded, plans


# -- a mint that lies --------------------------------------------------------------------------------------


def http(status: str, body: str, *headers: str) -> bytes:
    head = "\r\n".join((f"HTTP/1.1 {status}", *headers, f"Content-Length: {len(body.encode())}", "Connection: close"))
    return f"{head}\r\n\r\n{body}".encode()


def verified(league: object) -> str:
    found = {"valid": True, "spent": False, "bound_to": None, "amount": 1, "league_id": league, "keyset": "00" * 8}
    return json.dumps(found)


LIES = {
    "no HTTP at all": b"SSH-2.0-OpenSSH_9.9\r\n",
    "an endless header": b"HTTP/1.1 200 OK\r\nx: " + b"y" * 70_000 + b"\r\n\r\n",
    "too many headers": b"HTTP/1.1 200 OK\r\n" + b"x: y\r\n" * 200 + b"\r\n",
    "half an answer": b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{",
    "chunks without end": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\n{",
    "an infinite code": http("400 Bad Request", '{"code": 1e999, "detail": "x"}'),
    "a code of its own for everything": http("404 Not Found", '{"code": 7, "detail": "no such page"}'),
    "a refusal in half a character": http("400 Bad Request", '{"code": 10001, "detail": "\\ud800"}'),
    "a thousand brackets": http("200 OK", "[" * 100_000),
    "a token without a league": http("200 OK", verified(None)),
    "a league beyond all numbers": http("200 OK", verified(10**30)),
    "a league below zero": http("200 OK", verified(-1)),
    "a keyset whose unit is a number": http("200 OK", '{"keysets": [{"id": "00", "unit": 5, "keys": {"1": "02"}}]}'),
    "a keyset of nothing": http("200 OK", '{"keysets": [{"id": [], "unit": "loot", "keys": {"-1": ""}}]}'),
    "null": http("200 OK", "null"),
}


@contextmanager
def lying_mint(answer: bytes, most: int = 10) -> Iterator[tuple[str, list[bytes]]]:
    """Its address and what it was asked; it answers everything with the same bytes."""
    asked: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listening, ExitStack() as stack:
        stack.callback(listening.shutdown, socket.SHUT_RDWR)

        def serve() -> None:
            for _ in range(most):
                try:
                    line, _ = listening.accept()
                except OSError:
                    return
                with line:
                    asked.append(line.recv(65_536))
                    line.sendall(answer)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}", asked


@pytest.mark.parametrize("answer", LIES.values(), ids=LIES)
def test_a_mint_that_answers_nonsense_fails_the_request_and_never_the_referee(answer: bytes) -> None:
    """Any other exception in a thread of the bot stops it, and again after each start. Nothing can be switched off."""
    proof = TokenProof("ab" * 32, "02" + "ab" * 32, "00" * 8)
    loot = Loot("m1", "ab" * 32, 5, request="{}", blindings="[]")
    with lying_mint(answer) as (url, _):
        mint = MintClient(url, BOT, lambda: 0)
        calls = (
            mint.health,
            lambda: mint.verify(proof, "m1"),
            lambda: mint.bind(proof, "m1"),
            lambda: mint.prepare(loot, "ab" * 32),
            lambda: mint.pay(loot),
        )
        for call in calls:
            try:
                found = call()
            except (MintAway, BadAnswer) as error:
                found = TokenAnswer(False, None, str(error))
            if isinstance(found, TokenAnswer):
                assert not found.valid
                msgspec.json.encode(found.sentence)  # it is published


def test_a_mint_that_redirects_is_not_followed_with_the_referees_authorization() -> None:
    """The control is the address itself, which is asked."""
    with lying_mint(http("200 OK", verified(0))) as (inner, reached):
        answer = http("302 Found", "", f"Location: {inner}/secret")
        with lying_mint(answer) as (url, asked), pytest.raises(MintAway):
            MintClient(url, BOT, lambda: 0).verify(TokenProof("ab" * 32, "02" + "ab" * 32, ""), "m1")
        assert len(asked) == 1
        assert reached == []


@contextmanager
def dripping_mint(answer: bytes) -> Iterator[str]:
    """Its address; it answers once, a byte every 20 ms."""
    left = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            line, _ = listening.accept()
            with line, suppress(OSError):
                line.recv(65_536)
                for byte in answer:
                    left.wait(0.02)
                    line.sendall(bytes([byte]))

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        left.set()
        thread.join()


DRIPS = {"head": b"HTTP/1.1 200 OK\r\nx: " + b"y" * 60 + b"\r\n\r\n", "body": http("200 OK", " " * 60 + "{}")}


@both_ways
@pytest.mark.parametrize("answer", DRIPS.values(), ids=DRIPS)
def test_a_mint_that_answers_byte_by_byte_cannot_hold_a_request_beyond_its_time(
    monkeypatch: pytest.MonkeyPatch, answer: bytes, guarded: bool
) -> None:
    """Such a request would hold a thread of the bot for days, and the bot could not be stopped."""
    if not guarded:
        monkeypatch.setattr(http_client, "response_until", lambda ends: HTTPResponse)
    refused = pytest.raises(Unreachable, match="timed out") if guarded else nullcontext()
    with dripping_mint(answer) as url, refused:
        send(url, None, timeout_s=0.3)
    with dripping_mint(http("200 OK", "{}")) as url:
        assert send(url, None, timeout_s=60) == b"{}"


# -- loot --------------------------------------------------------------------------------------------------


def nutzap(person: Person, key: str, at_s: int = 1) -> Event:
    return sign_event(person.key, at_s, NUTZAPS, (("pubkey", key),), "")


NO_POINT = "00" * 31 + "05"  # no point of the curve has this x


@pytest.mark.parametrize(
    ("published", "expected"),
    [("", "winner"), ("rubbish", "winner"), ("ff" * 32, "winner"), (NO_POINT, "winner"), ("other", "other")],
)
def test_loot_is_never_locked_to_a_key_that_nobody_has(
    bot: Bot, ann: Person, bea: Person, monkeypatch: pytest.MonkeyPatch, published: str, expected: str
) -> None:
    """The control is a real key, which is used (NIP-61)."""
    keys = {"winner": ann.key.public_hex, "other": bea.key.public_hex}

    async def query(*_: object) -> list[Event]:
        return [nutzap(ann, "ab" * 32), nutzap(ann, keys.get(published, published), 2)]

    monkeypatch.setattr(type(bot.pool), "query", query)
    assert asyncio.run(bot.key_for_loot(ann.key.public_hex)) == keys[expected]


# -- HTTP --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/debug/rejected", "/debug/outbox", "/debug/relays"])
def test_a_web_page_whose_name_leads_to_this_machine_reads_no_debug_page(bot: Bot, path: str) -> None:
    """DNS rebinding: the connection comes from the machine itself. The control is the machine's own name."""

    async def ask(host: str) -> int:
        transport = httpx.ASGITransport(make_app(bot), client=("127.0.0.1", 1))
        async with httpx.AsyncClient(transport=transport, base_url=f"http://{host}:4444") as client:
            return (await client.get(path)).status_code

    answers = {host: asyncio.run(ask(host)) for host in ("evil.example", "127.0.0.1.evil.example", "127.0.0.1")}
    assert answers == {"evil.example": 403, "127.0.0.1.evil.example": 403, "127.0.0.1": 200}
    assert asyncio.run(ask("localhost")) == asyncio.run(ask("[::1]")) == 200


@contextmanager
def listening_server(bot: Bot) -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = LimitedServer(limited_config(make_app(bot)))
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            while not server.started:
                assert thread.is_alive()
                thread.join(0.01)
            yield listening.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join(WAIT_S)


@both_ways
def test_connections_that_never_finish_a_request_do_not_keep_others_out(
    bot: Bot, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """The longest idle ones make room, so that file descriptors never run out."""
    monkeypatch.setattr(limited_server, "MAX_CONNECTIONS", 10 if guarded else 10_000)
    with listening_server(bot) as port, ExitStack() as stack:
        lines = [stack.enter_context(socket.create_connection(("127.0.0.1", port))) for _ in range(40)]
        for line in lines:
            line.sendall(b"GET /health HTTP/1.1\r\nx: ")
        honest = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
        honest.sendall(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        honest.settimeout(WAIT_S)
        assert honest.recv(65_536).startswith(b"HTTP/1.1 200")
        harmed = sum(is_open(line) for line in lines) > 10
        assert harmed is not guarded


def is_open(line: socket.socket) -> bool:
    line.setblocking(False)
    try:
        return line.recv(1) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False


@both_ways
def test_one_address_cannot_hold_all_swaps_that_wait_for_the_referee(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """A swap waits before it is looked at, so the attacker needs no tokens."""
    monkeypatch.setattr(mint_app, "MAX_DELAYED", 10)
    monkeypatch.setattr(mint_app, "MAX_DELAYED_PER_ADDRESS", 5 if guarded else 1000)

    async def work(app: MintApp) -> bool:
        swaps = [asyncio.create_task(app.wait_for_referee(from_address("203.0.113.1"))) for _ in range(20)]
        honest = asyncio.create_task(app.wait_for_referee(from_address("203.0.113.2")))
        await asyncio.wait({honest}, timeout=0.01)
        refused = honest.done() and isinstance(honest.exception(), MintError)
        for task in (*swaps, honest):
            task.cancel()
        await asyncio.gather(*swaps, honest, return_exceptions=True)
        assert not app.delayed
        return refused

    with live_mint(tmp_path) as mint:
        harmed = asyncio.run(work(MintApp(mint.mint, mint.url, swap_delay_s=3600)))
    assert harmed is not guarded


def from_address(address: str) -> Request:
    return Request({"type": "http", "client": (address, 1), "headers": []})


# -- the mint's promises -----------------------------------------------------------------------------------


def pay_loot(url: str, match_id: str, amount: int = 1000) -> str:
    mint = MintClient(url, BOT, lambda: 0)
    request, blindings = mint.prepare(Loot(match_id, "ab" * 32, amount), "ab" * 32)
    return mint.pay(Loot(match_id, "ab" * 32, amount, request, blindings))


def test_a_stranger_who_asks_for_a_quote_of_another_amount_first_does_not_keep_a_winner_from_the_loot(
    tmp_path: Path,
) -> None:
    """Quotes are for everybody, and the referee's key and the match ids are public; only what is signed counts.

    The control is a second payment of another amount, which is refused.
    """
    with live_mint(tmp_path) as mint:
        asked = {"amount": 1, "unit": "loot", "pubkey": "02" + BOT.public_hex, "match_id": "m1"}
        first = mint.good("/v1/mint/quote/loot", asked)
        assert pay_loot(mint.url, "m1").startswith("cashuB")
        with pytest.raises(MintAway, match="another amount"):  # the control: what was issued stays as it is
            pay_loot(mint.url, "m1", 512)
        assert mint.good("/v1/mint/quote/loot", asked | {"match_id": "m2"})["quote"] != first["quote"]


@both_ways
def test_quotes_that_nobody_uses_neither_fill_the_ledger_nor_keep_others_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """With a match id they were counted nowhere and stayed for good; without one ten thousand kept everybody out."""
    monkeypatch.setattr(mint_module, "MAX_OPEN_QUOTES", 10 if guarded else 10**6)
    with live_mint(tmp_path) as mint:
        for number in range(15):
            asked = {"amount": 1, "unit": "loot", "pubkey": "02" + BOT.public_hex, "match_id": f"none-{number}"}
            mint.good("/v1/mint/quote/loot", asked)
            mint.good("/v1/mint/quote/faucet", {"amount": 1, "unit": "mana"})
        (stored,) = mint.mint.ledger.db.execute("SELECT count(*) FROM quotes").fetchone()
        assert mint.army(0)
        assert pay_loot(mint.url, "m1").startswith("cashuB")
    harmed = stored > 10
    assert harmed is not guarded
