"""Attacks on signing in with a Nostr key: headers that were captured, made for another hall or sent by another site."""

from __future__ import annotations

import base64
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from dicehall.hall.keys import SignedEvent
from dicehall.hall.people import People
from dicehall.hall.ports import Account
from dicehall.launch import nostr_sign_in
from dicehall.nostr import events, http_auth, keys
from dicehall.nostr.events import Event, event_id
from dicehall.nostr.http_auth import authorization
from dicehall.nostr.keys import SecretKey
from dicehall.server import accounts, app, http_protocol
from dicehall.server.accounts import Asked
from dicehall.server.limits import RATES, Limits
from dicehall.store.people import SqlitePeople
from tests.security.live import both_ways, live_hall
from tests.server.doors import FREE, HOME, Doors, Person, StoppedClock, open_doors
from tests.server.nostr_requests import KEYS_URL, URL, Signer, encode, refusal

SECRET = "correct horse"


@pytest.fixture
def doors(tmp_path: Path) -> Iterator[Doors]:
    with open_doors(tmp_path, clock=StoppedClock()) as opened:
        yield opened


def forget_used_events(monkeypatch: pytest.MonkeyPatch) -> None:
    async def use_event(store: SqlitePeople, id: bytes, expires: int, now: int) -> None:
        pass

    monkeypatch.setattr(SqlitePeople, "use_event", use_event)


def accept_events_for(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Switch off that the URL is that of this hall and this request."""

    def read_event(call: Asked, path: str) -> SignedEvent:
        return call.parts.nostr.verify(call.authorization or "", url, "POST", call.parts.now // 1000, call.raw_body)

    monkeypatch.setattr(accounts, "read_event", read_event)


@both_ways
def test_a_captured_header_that_is_sent_again_does_not_sign_the_thief_in(
    doors: Doors, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    if not guarded:
        forget_used_events(monkeypatch)
    ann = Signer(doors)
    header = ann.header()
    assert ann.show(header).status_code == 200
    harmed = ann.show(header).status_code == 200
    assert harmed is not guarded


@both_ways
def test_a_captured_header_that_is_kept_until_its_id_is_forgotten_is_too_old(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """An id is forgotten at the moment at which its event is too old, not a second before."""
    if not guarded:
        monkeypatch.setattr(nostr_sign_in, "TOLERANCE_S", http_auth.TOLERANCE_S - 30)
    clock = StoppedClock()
    harmed = False
    with open_doors(tmp_path, clock=clock) as doors:
        ann = Signer(doors)
        header = ann.header()
        assert ann.show(header).status_code == 200
        for _ in range(200):
            clock.time += 500
            harmed = harmed or ann.show(header).status_code == 200
    assert harmed is not guarded


@both_ways
def test_a_captured_header_does_not_work_after_the_hall_was_restarted(tmp_path: Path, guarded: bool) -> None:
    clock = StoppedClock()
    with open_doors(tmp_path, clock=clock) as doors:
        ann = Signer(doors)
        header = ann.header()
        assert ann.show(header).status_code == 200
    if not guarded:  # as if they were kept in memory
        with closing(sqlite3.connect(tmp_path / "hall.db", isolation_level=None)) as file:
            file.execute("DELETE FROM used_events")
    with open_doors(tmp_path, clock=clock) as doors:
        harmed = Signer(doors).show(header).status_code == 200
    assert harmed is not guarded


@both_ways
def test_a_header_that_was_signed_for_another_hall_does_not_open_this_one(
    doors: Doors, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """The other hall is the attacker's: whoever signs in there would be signed in here."""
    theirs = "https://other.example/api/sessions"
    if not guarded:
        accept_events_for(theirs, monkeypatch)
    ann = Signer(doors)
    harmed = ann.show(ann.header(url=theirs)).status_code == 200
    assert harmed is not guarded


@pytest.mark.parametrize("host", ["other.example", "localhost:8000", "127.0.0.1:8000", "hall.local", "10.0.0.7"])
def test_no_host_header_makes_a_header_of_another_hall_fit(doors: Doors, host: str) -> None:
    """Only the public URL counts. Every hall on somebody's own machine is called localhost, so a header that was signed
    for one of them would open all the others. The guard is that nothing is read from the request, so it has no switch.
    """
    ann = Signer(doors)
    header = ann.header(url=f"http://{host}/api/sessions")
    forwarded = {"x-forwarded-host": host, "x-forwarded-proto": "http", "forwarded": f"host={host}"}
    assert refusal(ann.show(header, b"", host=host, **forwarded))[0] in (401, 403)
    assert refusal(ann.show(header, b"", **forwarded)) == (401, "not_signed_in")


@both_ways
def test_a_header_for_signing_in_does_not_add_a_key_and_the_other_way_round(
    doors: Doors, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """A thief who captures a victim's event cannot tie the victim's key to an account of the thief's."""
    if not guarded:
        accept_events_for(URL, monkeypatch)
    ann, thief = Signer(doors), doors.guest("Thief")
    sent = {"authorization": ann.header(), "cookie": f"dicehall={thief.token}"}
    harmed = doors.client.post("/api/me/keys", headers=sent).status_code == 200
    doors.client.cookies.clear()
    if guarded:
        assert refusal(ann.show(ann.header(url=KEYS_URL))) == (401, "not_signed_in")
    assert harmed is not guarded


@both_ways
def test_a_page_of_another_site_cannot_sign_a_browser_in_to_the_attackers_account(
    doors: Doors, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    if not guarded:
        monkeypatch.setattr(app, "same_origin", lambda request, public_url: True)
    eve = Signer(doors)
    harmed = "set-cookie" in eve.show(eve.header(), origin="https://evil.example").headers
    assert harmed is not guarded


@both_ways
def test_a_page_of_another_site_cannot_add_the_attackers_key_to_my_account(
    doors: Doors, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    if not guarded:
        monkeypatch.setattr(app, "same_origin", lambda request, public_url: True)
    ann, eve = doors.guest("Ann"), Signer(doors)
    harmed = eve.add_to(ann, origin="https://evil.example").status_code == 200
    assert harmed is not guarded
    assert (eve.enter().id == ann.id) is harmed


def ask_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Switch off that a session alone is not enough to add a way in."""

    async def confirm(people: People, id: str, password: str) -> None:
        pass

    async def replaced(people: People, account: Account, password: str, old: str, key: bytes | None) -> Any:
        return await people.passwords.hashed(password), await people.store.password(account.id)

    monkeypatch.setattr(People, "confirm", confirm)
    monkeypatch.setattr(People, "_replaced", replaced)


def signed_up(doors: Doors) -> Person:
    entered = doors.nobody.post("/api/accounts", {"name": "Ann", "password": SECRET})
    doors.client.cookies.clear()
    return Person(doors, entered["account"]["id"], "Ann", entered["token"])


@both_ways
def test_a_stolen_token_sets_no_password_where_only_a_key_opens_the_account(
    doors: Doors, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """The owner could never change it, because changing a password takes the old one."""
    if not guarded:
        ask_for_nothing(monkeypatch)
    stolen = Signer(doors).enter({"name": "Ann"})
    stolen.ask("PATCH", "/api/me", {"password": SECRET})
    answer = doors.nobody.ask("POST", "/api/sessions", {"name": "Ann", "password": SECRET})
    harmed = answer.status_code == 200
    assert harmed is not guarded


@both_ways
def test_a_stolen_token_adds_no_second_key_where_only_a_key_opens_the_account(
    doors: Doors, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    if not guarded:
        ask_for_nothing(monkeypatch)
    stolen, eve = Signer(doors).enter(), Signer(doors)
    eve.add_to(stolen)
    harmed = eve.enter().id == stolen.id
    assert harmed is not guarded


@both_ways
def test_a_key_of_the_thiefs_own_does_not_replace_the_password_of_somebody_else(
    doors: Doors, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    if not guarded:
        ask_for_nothing(monkeypatch)
    stolen, eve = signed_up(doors), Signer(doors)
    body = b'{"password": "another horse"}'
    header = eve.header(body, f"{HOME}/api/me", "PATCH")
    sent = {"authorization": header, "cookie": f"dicehall={stolen.token}"}
    harmed = doors.client.patch("/api/me", content=body, headers=sent).status_code == 200
    assert harmed is not guarded


@both_ways
def test_a_stolen_token_adds_no_key_that_outlives_a_new_password(
    doors: Doors, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """Otherwise the thief stays signed in for good: a new password ends sessions, but not keys."""
    if not guarded:
        ask_for_nothing(monkeypatch)
    stolen, eve = signed_up(doors), Signer(doors)
    eve.add_to(stolen)
    new = {"password": "another horse", "old_password": SECRET}
    assert stolen.ask("PATCH", "/api/me", new).status_code == 200
    harmed = eve.enter().id == stolen.id
    assert harmed is not guarded


@both_ways
def test_a_name_in_the_body_cannot_be_exchanged_by_who_carries_the_request(
    doors: Doors, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    if not guarded:

        def author_of(header: str, url: str, method: str, now_s: int, body: bytes) -> Event:
            return http_auth.author_of(header, url, method, now_s, b'{"name": "Ann"}')

        monkeypatch.setattr(nostr_sign_in, "author_of", author_of)
    ann = Signer(doors)
    answer = ann.show(ann.header(b'{"name": "Ann"}'), b'{"name": "Fool"}')
    harmed = answer.status_code == 200
    assert harmed is not guarded


@both_ways
def test_an_unsigned_event_under_somebodys_key_does_not_open_their_account(
    doors: Doors, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    if not guarded:
        monkeypatch.setattr("dicehall.nostr.events.verify", lambda key, signature, message: True)
    ann, eve = Signer(doors), SecretKey.generate()
    account = ann.enter().id
    header = authorization(eve, URL, "POST", ann.now_s - 5)  # not the id that was used
    event = json.loads(base64.b64decode(header.removeprefix("Nostr ")))
    event["pubkey"] = ann.key.public_hex
    event["id"] = event_id(event["pubkey"], event["created_at"], event["kind"], event["tags"], "")
    answer = ann.show("Nostr " + encode(json.dumps(event).encode()))
    harmed = answer.status_code == 200 and answer.json()["account"]["id"] == account
    assert harmed is not guarded


@both_ways
def test_one_account_does_not_fill_the_store_with_keys(
    doors: Doors, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    if not guarded:
        monkeypatch.setattr("dicehall.hall.people.MOST_KEYS", 1000)
    ann = signed_up(doors)
    added = [Signer(doors).add_to(ann, {"password": SECRET}).status_code for _ in range(12)].count(200)
    harmed = added > 10
    assert harmed is not guarded
    assert len(ann.get("/api/me/keys")["keys"]) == added


@both_ways
def test_of_a_flood_of_events_only_as_many_are_verified_as_may_come_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """Verifying costs more than anything else here; what is over the limit is refused before it is looked at."""
    verified = []

    def verify(public_key: bytes, signature: bytes, message: bytes) -> bool:
        verified.append(message)
        return keys.verify(public_key, signature, message)

    monkeypatch.setattr(events, "verify", verify)
    rates = RATES if guarded else FREE
    clock = StoppedClock()
    with open_doors(tmp_path, clock=clock, limits=Limits(clock, dict(rates))) as doors:
        eve = Signer(doors)
        header = eve.header(url="https://other.example/api/sessions")
        for _ in range(200):
            eve.show(header)
    harmed = len(verified) > RATES["enter"].burst
    assert harmed is not guarded


@both_ways
def test_a_header_of_a_megabyte_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool) -> None:
    """It is refused while it arrives, so it takes neither memory nor the time to decode it."""
    if not guarded:
        monkeypatch.setattr(http_protocol, "MOST_HEAD_BYTES", 1 << 24)
    reached = []

    def author_of(header: str, url: str, method: str, now_s: int, body: bytes) -> Event:
        reached.append(len(header))
        return http_auth.author_of(header, url, method, now_s, body)

    monkeypatch.setattr(nostr_sign_in, "author_of", author_of)
    with live_hall(tmp_path) as hall:
        honest, line = hall.honest_pair(), hall.raw()
        head = b"POST /api/sessions HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 0\r\nauthorization: Nostr "
        with suppress(OSError):  # it is closed in the middle
            line.sendall(head + b"A" * (1 << 20) + b"\r\n\r\n")
        with suppress(OSError):
            line.recv(1 << 16)
        assert "ok" in honest.act()
    assert bool(reached) is not guarded
