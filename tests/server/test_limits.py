"""Limits: who asks too much is told when to try again; a client that plays as fast as it can never is."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest
from starlette.websockets import WebSocketDisconnect, WebSocketState

from dicehall.core.game import Refused
from dicehall.hall import deliveries, passwords
from dicehall.hall.people import MOST_KEYS
from dicehall.hall.register import LAST_PAGE
from dicehall.launch import advising, checker, mana_bot, painter, reporting, webhook_client, worker
from dicehall.nostr.http_auth import TOLERANCE_S
from dicehall.server import conn as conn_module
from dicehall.server import endpoints, http_protocol, pictures, players
from dicehall.server import sockets as sockets_module
from dicehall.server.conn import MOST_BYTES, MOST_WAITING, TOO_SLOW, SocketConn
from dicehall.server.connections import MOST_PER_ADDRESS
from dicehall.server.limits import RATES, Limits, Rate
from dicehall.server.parts import MOST_LOBBIES, MOST_OPEN, MOST_RECEIVING, MOST_RECEIVING_IN_ALL
from dicehall.server.sockets import MOST_SOCKETS, MOST_TABLES
from dicehall.server.turns import BYTES_PER_SLICE, FRAMES_PER_SLICE, FRAMES_PER_TURN, REQUESTS_PER_TURN
from dicehall.store import reader
from dicehall.table import allowance, listening
from dicehall.table.clocks import EMPTY_MS
from dicehall.table.folding import COOLDOWN_MS
from dicehall.table.inbox import INBOX, VISITORS
from tests.server.doors import FREE, Doors, StoppedClock, open_doors

HOSTING = (Path(__file__).parents[2] / "docs" / "hosting.md").read_text()


def test_two_hundred_actions_a_second_meet_no_limit() -> None:
    clock = StoppedClock()
    limits = Limits(clock)
    for _ in range(60 * 200):
        limits.take("request", "ann")
        clock.time += 5


def test_a_burst_is_allowed_and_then_it_is_said_when_to_try_again() -> None:
    clock = StoppedClock()
    limits = Limits(clock, {"password": Rate(burst=3, per_second=0.2)})
    for _ in range(3):
        limits.take("password", "here")
    limits.take("password", "elsewhere")
    with pytest.raises(Refused) as refused:
        limits.take("password", "here")
    wait = refused.value.more["retry_after"]
    clock.time += wait * 1000 - 1001
    with pytest.raises(Refused):
        limits.take("password", "here")
    clock.time += 1001
    limits.take("password", "here")


def test_a_clock_that_is_set_back_gives_nothing_and_takes_nothing() -> None:
    clock = StoppedClock()
    limits = Limits(clock, {"open": Rate(burst=1, per_second=1)})
    limits.take("open", "ann")
    clock.time -= 3_600_000
    with pytest.raises(Refused):
        limits.take("open", "ann")
    clock.time += 1000
    limits.take("open", "ann")


@pytest.mark.parametrize(
    ("kind", "method", "path", "body"),
    [
        ("request", "GET", "/api/games", None),
        ("enter", "POST", "/api/accounts/guest", {}),
        ("enter", "POST", "/api/challenges", {"public_key": "00" * 32}),
        ("password", "POST", "/api/sessions", {"name": "ann", "password": "correct horse"}),
        ("password", "POST", "/api/me/keys", {}),
        ("open", "POST", "/api/tables", {"game": "wards"}),
        ("open", "POST", "/api/wards/lobbies/createRoom", {"name": "a room"}),
        ("open_address", "POST", "/api/tables", {"game": "wards"}),
        ("open_address", "POST", "/api/wards/lobbies/createRoom", {"name": "a room"}),
        ("count", "GET", "/api/doordice/stats", None),
        ("count", "GET", "/api/tenthousand/games", None),
        ("verify", "POST", "/api/verify", {}),
        ("mana_bot", "GET", "/api/mana/bot/status", None),
        ("mana_bot", "GET", "/api/mana/bot/matches", None),
        ("mana_bot", "GET", "/api/mana/bot/match/friday-night", None),
    ],
)
def test_every_limit_is_met_at_its_door(tmp_path: Path, kind: str, method: str, path: str, body: Any) -> None:
    clock = StoppedClock()
    with open_doors(tmp_path, limits=Limits(clock, dict(FREE))) as doors:
        ann = doors.guest("Ann")
        doors.running.parts.limits.rates[kind] = Rate(burst=1, per_second=0.5)
        doors.running.parts.limits.buckets.clear()
        assert ann.ask(method, path, body).status_code in (200, 403, 422)
        answer = ann.ask(method, path, body)
        assert (answer.status_code, answer.json()["error"]["code"]) == (429, "rate_limited")
        assert answer.headers["retry-after"] == str(answer.json()["error"]["retry_after"]) == "3"
        clock.time += 3000
        assert ann.ask(method, path, body).status_code != 429


def test_the_passwords_of_a_table_are_not_tried_for_free(tmp_path: Path) -> None:
    limits = Limits(StoppedClock(), {**FREE, "password": Rate(burst=2, per_second=0.2)})
    with open_doors(tmp_path, limits=limits) as doors:
        table = doors.guest("Ann").open(password="sesame")
        eve = doors.guest("Eve")
        tried = [eve.wrong("POST", f"/api/tables/{table}/sit", {"password": str(guess)})[1] for guess in range(3)]
        assert tried == ["wrong_password", "wrong_password", "rate_limited"]


def test_one_account_has_only_so_many_tables_that_are_not_over(doors: Doors) -> None:
    ann = doors.guest("Ann")
    tables = [ann.open() for _ in range(MOST_OPEN)]
    assert ann.wrong("POST", "/api/tables", {"game": "wards"}) == (429, "rate_limited")
    assert doors.guest("Bo").open()
    assert ann.ask("DELETE", f"/api/tables/{tables[0]}").status_code == 200
    assert ann.open()


def test_a_refusal_without_a_time_says_a_second(doors: Doors, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dicehall.table.inbox.INBOX", 0)
    ann, table = doors.guest("Ann"), ""
    table = ann.open()
    answer = ann.ask("POST", f"/api/tables/{table}/sit", {})
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "1")


def test_one_account_has_only_so_many_sockets(doors: Doors, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets_module, "MOST_SOCKETS", 2)
    ann = doors.guest("Ann")
    with doors.socket(ann) as first, doors.socket(ann) as second:
        assert first.ok("ping")  # so both are counted
        assert second.ok("ping")
        with doors.socket(ann) as third, pytest.raises(WebSocketDisconnect) as closed:
            third.ask("ping")
        assert closed.value.code == 4029
        with doors.socket() as stranger:
            assert stranger.code("sign_in", token=ann.token) == "rate_limited"
            assert stranger.code("open", game="wards") == "not_signed_in"
    with doors.socket(ann) as line:
        assert line.ok("ping")


def test_strangers_at_one_address_have_only_so_many_sockets(doors: Doors, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets_module, "MOST_SOCKETS", 1)
    with doors.socket() as first:
        assert first.ok("ping")  # so it is counted
        with doors.socket() as second, pytest.raises(WebSocketDisconnect) as closed:
            second.ask("ping")
        assert closed.value.code == 4029


def test_one_socket_watches_only_so_many_tables(doors: Doors, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets_module, "MOST_TABLES", 2)
    ann = doors.guest("Ann")
    one, two, three = (ann.open() for _ in range(3))
    with doors.socket() as line:
        line.ok("watch", table=one)
        line.ok("watch", table=two)
        assert line.code("watch", table=three) == "rate_limited"
        line.ok("watch", table=one)
        line.ok("unwatch", table=one)
        line.ok("watch", table=three)


class StuckSocket:
    """Somebody who never reads."""

    application_state = WebSocketState.CONNECTED

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.closed: int | None = None
        self.reads = asyncio.Event()

    async def send_text(self, text: str) -> None:
        await self.reads.wait()
        self.sent.append(text)

    async def close(self, code: int) -> None:
        self.closed = code


@pytest.mark.parametrize(("message", "fit"), [(b"x", MOST_WAITING), (b"x" * 65_536, MOST_BYTES >> 16)])
def test_who_reads_too_slowly_is_let_go_and_holds_nobody_up(message: bytes, fit: int) -> None:
    async def story() -> None:
        socket = StuckSocket()
        slow = SocketConn("1", socket)  # type: ignore[arg-type]
        for _ in range(fit):
            slow.push(message)
        assert len(slow.waiting) == fit
        slow.push(message)
        assert (slow.closing, len(slow.waiting)) == (TOO_SLOW, 0)
        slow.push(message)
        assert not slow.waiting
        await slow.write()
        assert (socket.sent, socket.closed) == ([], TOO_SLOW)

    asyncio.run(story())


def test_who_does_not_even_read_the_goodbye_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conn_module, "PATIENCE_S", 0.0)

    async def story() -> None:
        given_up = asyncio.Event()
        slow = SocketConn("1", StuckSocket(), give_up=given_up.set)  # type: ignore[arg-type]
        writing = asyncio.create_task(slow.write())
        slow.push(b"never read")
        await asyncio.sleep(0)
        slow.close(TOO_SLOW)
        await asyncio.wait_for(given_up.wait(), 5)
        assert not writing.done()
        writing.cancel()

    asyncio.run(story())


def rate(kind: str, per: float = 0) -> list[float]:
    """How a rate is written: so many a second, or so many in *per* seconds."""
    wanted = RATES[kind]
    if not per:
        per = 1 if wanted.per_second >= 1 else 1 / wanted.per_second
    return [wanted.burst, *slowly(wanted.per_second, per)]


def slowly(per_second: float, per: float) -> list[float]:
    return [per_second] if per == 1 else [round(per_second * per, 6), per]


def with_address(kind: str) -> list[float]:
    """Both rates of heavy work, that of all accounts of an address in parentheses."""
    burst, *run = rate(kind)
    per = run[-1] if len(run) == 2 else 1
    both = RATES[f"{kind}_address"]
    return [burst, both.burst, *run, round(both.per_second * per, 6)]


EDGE = [
    http_protocol.MOST_HEAD_BYTES,
    http_protocol.MOST_HEADERS,
    http_protocol.HEAD_S,
    http_protocol.BODY_S,
    http_protocol.IDLE_S,
]
EVERY_REQUEST = "the same, all accounts of an address; also page files, `/healthz` and requests for anything else"
SLOW_READER = [MOST_WAITING, MOST_BYTES >> 20, TOO_SLOW, conn_module.PATIENCE_S]
ROWS: dict[str, list[float]] = {
    "any request or socket message": rate("request"),
    f"any request or socket message: {EVERY_REQUEST}": rate("request_address"),
    "signing in and up (guests, accounts, key challenges, Nostr keys)": rate("enter"),
    "passwords tried, of accounts and of tables; keys added": rate("password"),
    "passwords being hashed": [passwords.AT_ONCE],
    "keys of an account": [MOST_KEYS],
    "a Nostr event that signs in": [TOLERANCE_S],
    "tables opened": rate("open"),
    "tables opened from one address": rate("open_address"),
    "tables that are not over": [MOST_OPEN],
    "lobbies one account sits in": [MOST_LOBBIES],
    "sitting down, changing chairs, coming back, bots and stand-ins": [
        allowance.BURST,
        *slowly(allowance.PER_SECOND, 1 / allowance.PER_SECOND),
    ],
    "acts in one lobby": [allowance.LOBBY_ACTS],
    "acts of one table": [allowance.TABLE_ACTS],
    "sitting down again after causing a failed start": [COOLDOWN_MS / 1000],
    "tables newly watched over sockets": rate("watch"),
    "pages of lists of tables": rate("list"),
    "pages of lists of tables: the same, all accounts of an address": rate("list_address"),
    "answers that count all games (leaderboards, statistics)": rate("count"),
    "answers that count all games (leaderboards, statistics): the same, all accounts of an address": rate(
        "count_address"
    ),
    "acts read from journals (events, records)": rate("history"),
    "acts read from journals (events, records): the same, all accounts of an address": rate("history_address"),
    "hints asked for": with_address("hint"),
    "reactions": with_address("react"),
    "reactions at one table": rate("react_table"),
    "messages about spectators who come and go": [listening.MOST_NEWS, 1 / listening.NEWS_S],
    "tables opened with a webhook": with_address("webhook"),
    "webhooks being sent": [
        deliveries.MOST_AT_ONCE,
        webhook_client.SEND_S,
        webhook_client.MAX_HEAD_BYTES >> 10,
        webhook_client.MOST_LOOKUPS,
    ],
    "reports of the coach": with_address("coach"),
    "records checked": with_address("verify"),
    "records being received": [MOST_RECEIVING, MOST_RECEIVING_IN_ALL],
    "matches over Nostr": with_address("mana_bot"),
    "requests to the Mana bot": [
        mana_bot.MAX_AT_ONCE,
        mana_bot.MAX_WAITING,
        mana_bot.ANSWER_S,
        mana_bot.MAX_BYTES >> 20,
        mana_bot.FRESH_S,
    ],
    "requests of a game server that shows the secret of its venue": rate("venue"),
    "events of one of its players": rate("venue_player"),
    "chairs, observer spots, START and NEW GAME, by one of its players": rate("venue_use"),
    "QR codes, API docs, metrics, `/readyz`": rate("document_address"),
    "links of tables, each with a preview (beyond that: without one)": rate("preview_address"),
    "pictures of previews": rate("picture_address"),
    "daily challenges begun by guests and accounts of the same day": [
        RATES["challenge_address"].burst,
        RATES["challenge_address"].per_second * 86_400,
    ],
    "pages of a list": [LAST_PAGE + 1],
    "database queries that wait": [reader.MOST_WAITING, reader.LONGEST_S],
    "requests that wait at one table": [INBOX, VISITORS],
    "socket messages beyond the request limit": [*rate("flood"), sockets_module.TOO_MANY],
    "frames handled in one turn of the event loop": [FRAMES_PER_SLICE, BYTES_PER_SLICE >> 10, FRAMES_PER_TURN],
    "HTTP requests begun, or pieces of 16 KiB parsed, in one turn of the event loop": [REQUESTS_PER_TURN],
    "TCP connections": [MOST_PER_ADDRESS],
    "new TCP connections": rate("connection_address"),
    "new WebSockets": rate("socket_address"),
    "a request's head": EDGE,
    "chunks of a body": [http_protocol.FREE_CHUNKS, http_protocol.LEAST_CHUNK_BYTES],
    "requests pipelined on one connection": [http_protocol.MOST_PIPELINED],
    "hints that wait": [advising.MOST_WAITING, advising.MOST_EACH, advising.SECONDS],
    "reports of the coach that wait": [reporting.MOST_WAITING, reporting.MOST_EACH, reporting.SECONDS],
    "records that wait to be checked": [checker.MOST_WAITING, checker.MOST_EACH, checker.SECONDS],
    "pictures that wait to be drawn": [
        painter.MOST_WAITING,
        painter.MOST_EACH,
        painter.SECONDS,
        pictures.MOST_PICTURES,
    ],
    "memory of each process that works on these, or for bots": [worker.MOST_MEMORY >> 20],
    "tables of house rules solved for reports": [reporting.MOST_KEPT_BYTES >> 20],
    "sockets": [MOST_SOCKETS],
    "tables watched over one socket": [MOST_TABLES],
    "messages that wait for a slow reader": SLOW_READER,
    "a request's body, a socket message": [endpoints.MOST_BYTES >> 10, players.MOST_RECORD >> 20],
}


def told_rows() -> dict[str, list[float]]:
    """Every row of the page's table of limits, with all numbers in it but those of who is counted."""
    told, before = dict[str, list[float]](), ""
    table = HOSTING.partition("## What is limited")[2].partition("\nA client that exceeds")[0]
    for line in table.splitlines()[4:]:
        what, _, *numbers = (cell.strip() for cell in line.split("|")[1:-1])
        name = f"{before}: {what}" if what.startswith("the same") else what
        told[name] = [float(found) for found in re.findall(r"\d+(?:\.\d+)?", " ".join(numbers))]
        before = name
    return told


@pytest.mark.parametrize("what", ROWS)
def test_the_page_for_hosts_has_these_very_numbers(what: str) -> None:
    assert told_rows()[what] == ROWS[what]


def test_every_row_of_the_page_for_hosts_is_compared_with_the_code() -> None:
    assert set(told_rows()) == set(ROWS)
    assert f"closed after {EMPTY_MS // 60_000} minutes" in HOSTING
