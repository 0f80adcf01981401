"""Signing in with a Nostr key over HTTP (NIP-98), and the keys of an account."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dicehall.nostr.events import sign_event
from dicehall.nostr.http_auth import KIND, authorization
from dicehall.nostr.keys import SecretKey
from dicehall.server.limits import Limits, Rate
from tests.server.doors import FREE, HOME, Doors, Person, StoppedClock, open_doors
from tests.server.nostr_requests import URL, Signer, encode, header_of, refusal

SECRET = "correct horse"
TAGS = (("u", URL), ("method", "POST"))


def test_a_signed_event_makes_an_account_and_later_finds_it(doors: Doors) -> None:
    ann = Signer(doors)
    first = ann.enter({"name": "Ann"})
    assert first.get("/api/me") == {**first.get("/api/me"), "name": "Ann", "guest": False}
    again = ann.enter(age_s=5)
    assert (again.id, again.name) == (first.id, "Ann")
    assert again.token != first.token
    assert first.get("/api/me/keys") == {"password": False, "keys": [{"kind": "nostr", "key": ann.key.npub}]}


def test_without_a_name_the_account_is_called_by_a_short_npub(doors: Doors) -> None:
    ann = Signer(doors)
    assert ann.enter().name == ann.key.npub[:12]


def test_a_browser_keeps_its_session_in_a_cookie(doors: Doors) -> None:
    answer = Signer(doors).sign_in()
    assert "dicehall=" in answer.headers["set-cookie"]
    assert "HttpOnly" in answer.headers["set-cookie"]


@pytest.mark.parametrize("age_s", [60, -60])
def test_an_event_of_up_to_a_minute_from_now_is_accepted(tmp_path: Path, age_s: int) -> None:
    with open_doors(tmp_path, clock=StoppedClock()) as doors:
        assert Signer(doors).sign_in(age_s=age_s).status_code == 200


def forged(signer: Signer) -> str:
    """Somebody else's event under this key's name."""
    event = sign_event(SecretKey.generate(), signer.now_s, KIND, TAGS, "")
    return "Nostr " + encode(msgspec.json.encode(msgspec.structs.replace(event, pubkey=signer.key.public_hex)))


def changed_later(signer: Signer) -> str:
    """An old event with a new time; its id and its signature are those of the old one."""
    event = sign_event(signer.key, signer.now_s - 3600, KIND, TAGS, "")
    return "Nostr " + encode(msgspec.json.encode(msgspec.structs.replace(event, created_at=signer.now_s)))


WRONG: dict[str, Callable[[Signer], str]] = {
    "another URL": lambda one: one.header(url="http://other.example/api/sessions"),
    "another path": lambda one: one.header(url=URL + "/"),
    "a query": lambda one: one.header(url=URL + "?name=Ann"),
    "the other scheme": lambda one: one.header(url=URL.replace("http:", "https:")),
    "the URL of linking": lambda one: one.header(url=URL.replace("sessions", "me/keys")),
    "another method": lambda one: one.header(method="GET"),
    "a method in small letters": lambda one: one.header(method="post"),
    "too old": lambda one: one.header(age_s=61),
    "in the future": lambda one: one.header(age_s=-61),
    "another kind": lambda one: header_of(one.key, one.now_s, 1, TAGS),
    "no URL": lambda one: header_of(one.key, one.now_s, tags=(("method", "POST"),)),
    "no method": lambda one: header_of(one.key, one.now_s, tags=(("u", URL),)),
    "two URLs": lambda one: header_of(one.key, one.now_s, tags=(*TAGS, ("u", "http://other.example/"))),
    "content": lambda one: header_of(one.key, one.now_s, tags=TAGS, content="hello"),
    "a forged author": forged,
    "a changed time": changed_later,
    "not base64": lambda _: "Nostr %%%",
    "nothing": lambda _: "Nostr ",
    "base64 of nothing": lambda _: "Nostr " + encode(b"null"),
    "not an event": lambda _: "Nostr " + encode(b'{"kind": 27235}'),
    "not JSON": lambda _: "Nostr " + encode(b"\xff\xfe{"),
    "nested deeply": lambda _: "Nostr " + encode(b"[" * 5000),
    "a lone surrogate": lambda _: "Nostr " + encode(rb'{"content": "\ud800"}'),
    "a signature that is not hex": lambda one: "Nostr " + encode(json.dumps({"sig": "z" * 128}).encode()),
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_an_event_that_does_not_fit_is_refused_and_makes_no_account(
    tmp_path: Path, wrong: Callable[[Signer], str]
) -> None:
    with open_doors(tmp_path, clock=StoppedClock()) as doors:
        ann = Signer(doors)
        assert refusal(ann.show(wrong(ann))) == (401, "not_signed_in")
        assert "Nostr" not in ann.show(wrong(ann)).headers.get("set-cookie", "")
        assert ann.sign_in().json()["account"]["created"] == doors.running.parts.now


def test_a_body_other_than_the_signed_one_is_refused(doors: Doors) -> None:
    ann = Signer(doors)
    signed = json.dumps({"name": "Ann"}).encode()
    for sent in (b'{"name": "Eve"}', b'{"name":"Ann"}', b""):
        assert refusal(ann.show(ann.header(signed), sent)) == (401, "not_signed_in")
    assert refusal(ann.show(ann.header(), signed)) == (401, "not_signed_in")


def test_an_oversized_header_is_refused(doors: Doors) -> None:
    ann = Signer(doors)
    tags = (*TAGS, *(("t", "x" * 60) for _ in range(2500)))
    assert refusal(ann.show(header_of(ann.key, ann.now_s, tags=tags))) == (401, "not_signed_in")
    assert refusal(ann.show("Nostr " + "A" * 200_000)) == (401, "not_signed_in")


def test_an_event_is_good_for_one_request_also_after_a_restart(tmp_path: Path) -> None:
    clock = StoppedClock()
    with open_doors(tmp_path, clock=clock) as doors:
        ann = Signer(doors)
        header = ann.header()
        assert ann.show(header).status_code == 200
        assert refusal(ann.show(header)) == (401, "not_signed_in")
    with open_doors(tmp_path, clock=clock) as doors:
        for _ in range(61):
            assert refusal(Signer(doors).show(header)) == (401, "not_signed_in")
            clock.time += 1000


def test_the_scheme_may_be_written_in_any_case_and_base64_without_padding(doors: Doors) -> None:
    ann = Signer(doors)
    for number, scheme in enumerate(("Nostr", "nostr", "NOSTR")):
        text = ann.header(age_s=10 * number).partition(" ")[2].rstrip("=")
        assert ann.show(f"{scheme} {text}").status_code == 200


def test_signing_in_is_limited_like_any_way_in(tmp_path: Path) -> None:
    limits = Limits(StoppedClock(), {**FREE, "enter": Rate(burst=2, per_second=0.2)})
    with open_doors(tmp_path, limits=limits) as doors:
        for _ in range(2):
            assert Signer(doors).sign_in().status_code == 200
        assert refusal(Signer(doors).sign_in()) == (429, "rate_limited")
        assert refusal(Signer(doors).show("Nostr garbage")) == (429, "rate_limited")


def test_under_a_path_prefix_the_public_url_is_signed(tmp_path: Path) -> None:
    with open_doors(tmp_path, "https://hall.example/dice") as doors:
        ann = Signer(doors)
        header = ann.header(url="https://hall.example/dice/api/sessions")
        answer = doors.client.post("/dice/api/sessions", headers={"authorization": header})
        assert answer.status_code == 200


def test_at_other_addresses_an_event_is_not_a_session(doors: Doors) -> None:
    ann = Signer(doors)
    header = authorization(ann.key, "http://hall.example/api/me", "GET", ann.now_s)
    assert doors.nobody.wrong("GET", "/api/me", headers={"authorization": header}) == (401, "not_signed_in")


def test_name_and_password_work_as_before(doors: Doors) -> None:
    doors.nobody.post("/api/accounts", {"name": "Ann", "password": SECRET})
    doors.client.cookies.clear()
    assert doors.nobody.post("/api/sessions", {"name": "Ann", "password": SECRET})["account"]["name"] == "Ann"
    assert doors.nobody.wrong("POST", "/api/sessions", {}) == (422, "bad_request")


# -- the keys of an account -----------------------------------------------------------------------------


def test_a_guest_adds_a_key_and_signs_in_with_it_on_another_device(doors: Doors) -> None:
    guest, key = doors.guest("Ann"), Signer(doors)
    added = key.add_to(guest).json()
    assert (added["id"], added["name"], added["guest"]) == (guest.id, "Ann", False)
    elsewhere = key.enter()
    assert (elsewhere.id, elsewhere.get("/api/me")["name"]) == (guest.id, "Ann")
    assert guest.get("/api/me") == elsewhere.get("/api/me")


def signed_up(doors: Doors, name: str = "Ann") -> Person:
    entered = doors.nobody.post("/api/accounts", {"name": name, "password": SECRET})
    doors.client.cookies.clear()
    return Person(doors, entered["account"]["id"], name, entered["token"])


def test_an_account_with_a_password_asks_for_it_before_it_takes_a_key(doors: Doors) -> None:
    ann, key = signed_up(doors), Signer(doors)
    assert refusal(key.add_to(ann)) == (403, "wrong_password")
    assert refusal(key.add_to(ann, {"password": "wrong"})) == (403, "wrong_password")
    assert key.add_to(ann, {"password": SECRET}).json()["id"] == ann.id
    assert key.enter().id == ann.id
    keys = [{"kind": "nostr", "key": key.key.npub}]
    assert ann.get("/api/me/keys") == {"password": True, "keys": keys}


def test_a_key_of_somebody_else_is_not_added(doors: Doors) -> None:
    key = Signer(doors)
    owner, ann = key.enter(), doors.guest("Ann")
    assert refusal(key.add_to(ann)) == (403, "not_allowed")
    assert key.enter(age_s=3).id == owner.id


def test_only_somebody_signed_in_has_keys(doors: Doors) -> None:
    key = Signer(doors)
    for method, path in (("GET", "/api/me/keys"), ("POST", "/api/me/keys"), ("DELETE", f"/api/me/keys/{key.key.npub}")):
        assert doors.nobody.wrong(method, path) == (401, "not_signed_in")
    assert refusal(key.add_to(Person(doors, token="nobodys"))) == (401, "not_signed_in")


@pytest.mark.parametrize("written", ["npub", "hex"])
def test_a_removed_key_no_longer_opens_the_account_and_its_sessions_end(doors: Doors, written: str) -> None:
    ann, key = signed_up(doors), Signer(doors)
    key.add_to(ann, {"password": SECRET})
    elsewhere = key.enter()
    named = key.key.npub if written == "npub" else key.key.public_hex
    assert ann.ask("DELETE", f"/api/me/keys/{named}").json() == {"password": True, "keys": []}
    assert elsewhere.wrong("GET", "/api/me") == (401, "not_signed_in")
    assert ann.get("/api/me")["id"] == ann.id
    assert key.enter(age_s=3).id != ann.id


def test_the_last_way_in_and_what_is_not_a_key_of_mine_are_not_removed(doors: Doors) -> None:
    key = Signer(doors)
    ann = key.enter()
    assert ann.wrong("DELETE", f"/api/me/keys/{key.key.npub}") == (403, "not_allowed")
    assert ann.wrong("DELETE", f"/api/me/keys/{SecretKey.generate().npub}") == (403, "not_allowed")
    for wrong in ("npub1", "nobody", "ab" * 30, "ab" * 100, key.key.nsec):
        assert ann.wrong("DELETE", f"/api/me/keys/{wrong}") == (422, "bad_request")
    assert key.enter(age_s=3).id == ann.id


def test_a_key_sets_a_first_password_or_another_one(doors: Doors) -> None:
    key = Signer(doors)
    ann = key.enter({"name": "Ann"})

    def change(password: str, signer: Signer) -> tuple[int, str]:
        body = json.dumps({"password": password}).encode()
        header = signer.header(body, f"{HOME}/api/me", "PATCH")
        sent = {"authorization": header, "cookie": f"dicehall={ann.token}"}
        answer = doors.client.patch("/api/me", content=body, headers=sent)
        return (200, "") if answer.status_code == 200 else refusal(answer)

    assert ann.wrong("PATCH", "/api/me", {"password": SECRET}) == (403, "not_allowed")
    assert change(SECRET, Signer(doors)) == (403, "not_allowed")
    assert change(SECRET, key) == (200, "")
    assert change("another horse", Signer(doors)) == (403, "wrong_password")
    assert change("another horse", key) == (200, "")
    entered = doors.nobody.post("/api/sessions", {"name": "Ann", "password": "another horse"})
    assert entered["account"]["id"] == ann.id


def test_a_socket_of_a_session_that_ends_with_a_key_is_a_strangers(doors: Doors) -> None:
    ann, key = signed_up(doors), Signer(doors)
    key.add_to(ann, {"password": SECRET})
    with doors.socket(key.enter()) as line:
        assert line.ok("open", game="wards")
        assert ann.ask("DELETE", f"/api/me/keys/{key.key.npub}").status_code == 200
        assert line.code("open", game="wards") == "not_signed_in"


def test_an_ed25519_key_is_added_and_removed_in_the_same_way(doors: Doors) -> None:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from dicehall.hall.keys import message, to_der

    ann, key = signed_up(doors), Ed25519PrivateKey.generate()
    der = to_der(key.public_key().public_bytes_raw()).hex()

    def answered() -> dict[str, Any]:
        given = doors.nobody.post("/api/challenges", {"public_key": der})["challenge"]
        return {"challenge": given, "signature": key.sign(message(given)).hex()}

    assert ann.wrong("POST", "/api/me/keys", answered()) == (403, "wrong_password")
    assert ann.wrong("POST", "/api/me/keys", {}) == (422, "bad_request")
    assert ann.post("/api/me/keys", {**answered(), "password": SECRET})["id"] == ann.id
    assert ann.get("/api/me/keys")["keys"] == [{"kind": "ed25519", "key": der}]
    assert doors.nobody.post("/api/sessions", answered())["account"]["id"] == ann.id
    doors.client.cookies.clear()
    changed = ann.ask(
        "PATCH", "/api/me", {**answered(), "password": "another horse"}
    )  # the key in place of the old one
    assert changed.status_code == 200
    assert ann.ask("DELETE", f"/api/me/keys/{der}").json()["keys"] == []
