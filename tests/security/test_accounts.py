"""Attacks on accounts: changes that were refused and yet made, and tokens that outlive what should end them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dicehall.hall.people import People
from dicehall.hall.ports import Changes
from dicehall.store.people import SqlitePeople
from tests.security.live import both_ways
from tests.server.doors import Doors, Person, open_doors

SECRET = "correct horse"


@pytest.fixture
def doors(tmp_path: Path) -> Iterator[Doors]:
    with open_doors(tmp_path) as opened:
        yield opened


def change_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Switch the one transaction off: first the name, then the picture, then the password."""

    async def change(people: People, id: str, **asked: Any) -> Any:
        if asked.get("name") is not None:
            await people.rename(id, asked["name"])
        if asked.get("avatar") is not None:
            await people.set_avatar(id, asked["avatar"])
        hashed, before = await people._replaced(await people.account(id), asked["password"], asked.get("old", ""), None)
        await people.store.set_password(id, hashed, before)
        return await people.account(id)

    monkeypatch.setattr(People, "change", change)


def keep_sessions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Switch off that a new password ends the other sessions."""

    async def change(store: SqlitePeople, id: str, changes: Changes) -> None:
        assert changes.password is not None
        await store.set_password(id, changes.password, changes.replaces)

    monkeypatch.setattr(SqlitePeople, "change", change)


def second_token(doors: Doors) -> tuple[Person, Person]:
    """One guest with two tokens, the second of which somebody else has by now."""
    asked = {"name": "Ann", "id": "r4nd0m-enough-for-anybody"}
    first, second = (doors.nobody.post("/api/accounts/guest", asked) for _ in range(2))
    doors.client.cookies.clear()
    assert first["account"] == second["account"]
    return tuple(Person(doors, one["account"]["id"], "Ann", one["token"]) for one in (first, second))  # type: ignore[return-value]


@both_ways
def test_a_sign_up_that_is_refused_for_its_password_does_not_take_the_name(
    doors: Doors, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    if not guarded:
        change_one_by_one(monkeypatch)
    ann = doors.guest("Ann")
    refused = ann.wrong("POST", "/api/accounts", {"name": "Admin", "password": "short"})
    assert refused == (422, "bad_request")
    harmed = ann.get("/api/me")["name"] == "Admin"
    assert harmed is not guarded


@both_ways
@pytest.mark.parametrize(
    "asked",
    [
        {"name": "Boss", "password": "short"},
        {"name": "Boss", "password": SECRET, "old_password": "wrong"},
        {"name": "Boss", "avatar": "no such picture", "password": SECRET, "old_password": SECRET},
        {"avatar": "wren", "name": "Boss", "password": "x" * 257, "old_password": SECRET},
    ],
    ids=["short password", "wrong old password", "no such avatar", "long password"],
)
def test_a_refused_change_of_an_account_changes_nothing(
    doors: Doors, monkeypatch: pytest.MonkeyPatch, asked: dict[str, str], guarded: bool
) -> None:
    if not guarded:
        change_one_by_one(monkeypatch)
    ann = doors.guest("Ann")
    before = ann.post("/api/accounts", {"name": "Ann", "password": SECRET})["account"]
    status, _ = ann.wrong("PATCH", "/api/me", asked)
    assert status in (403, 422)
    harmed = ann.get("/api/me") != before
    assert harmed is not guarded


def test_a_taken_name_refuses_the_new_password_that_came_with_it(doors: Doors) -> None:
    """Nothing to switch off that the tests above do not: the name is refused by the same transaction."""
    doors.guest("Bo")
    ann = doors.guest("Ann")
    ann.post("/api/accounts", {"name": "Ann", "password": SECRET})
    asked = {"name": "Bo", "avatar": "wren", "password": "another secret", "old_password": SECRET}
    assert ann.wrong("PATCH", "/api/me", asked) == (409, "name_taken")
    assert ann.get("/api/me")["name"] == "Ann"
    assert doors.nobody.wrong("POST", "/api/sessions", {"name": "Ann", "password": "another secret"})[0] == 403
    assert doors.nobody.post("/api/sessions", {"name": "Ann", "password": SECRET})["account"]["name"] == "Ann"


@both_ways
def test_a_guests_other_token_does_not_survive_the_sign_up(
    doors: Doors, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    if not guarded:
        keep_sessions(monkeypatch)
    ann, thief = second_token(doors)
    assert thief.get("/api/me")["id"] == ann.id
    ann.post("/api/accounts", {"name": "Ann", "password": SECRET})
    assert ann.get("/api/me")["guest"] is False
    harmed = thief.ask("GET", "/api/me").status_code == 200
    assert harmed is not guarded


@both_ways
def test_a_token_from_before_does_not_survive_a_new_password(
    doors: Doors, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    ann = doors.guest("Ann")
    ann.post("/api/accounts", {"name": "Ann", "password": SECRET})
    thief = Person(doors, token=doors.nobody.post("/api/sessions", {"name": "Ann", "password": SECRET})["token"])
    doors.client.cookies.clear()
    if not guarded:
        keep_sessions(monkeypatch)
    good = ann.ask("PATCH", "/api/me", {"password": "another secret", "old_password": SECRET})
    assert good.status_code == 200
    harmed = thief.ask("GET", "/api/me").status_code == 200
    assert harmed is not guarded


@both_ways
def test_a_socket_with_a_revoked_token_stops_hearing_the_seat_it_listened_for(
    doors: Doors, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """It sends nothing any more, so nothing it sends can be refused: it must be looked up again by the hall itself."""
    if not guarded:
        doors.running.parts.tokens.on_revoked.clear()
    ann, thief = second_token(doors)
    bo = doors.guest("Bo")
    table = ann.open("wards")
    for person in (ann, bo):
        person.sit(table)
    with doors.socket(thief) as line:
        line.ok("watch", table=table)
        ann.post("/api/accounts", {"name": "Ann", "password": SECRET})
        ann.get("/api/me")
        (caller,) = doors.running.sockets.open.values()
        harmed = table in caller.watching
    assert harmed is not guarded
