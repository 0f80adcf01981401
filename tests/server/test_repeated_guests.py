"""A guest whose answer was lost asks again: the same account for who drew the id, and for nobody else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.server.doors import Doors, StoppedClock, open_doors

ID = "q8Zr1nT5xK0vB2mW7yLd3A"


def enter(doors: Doors, id: str = ID, name: str = "Ann") -> Any:
    doors.client.cookies.clear()
    entered = doors.nobody.post("/api/accounts/guest", {"name": name, "id": id})
    doors.client.cookies.clear()
    return entered


def test_the_same_request_makes_one_guest(doors: Doors) -> None:
    first, again = enter(doors), enter(doors)
    assert again["account"] == first["account"]
    for token in (first["token"], again["token"]):
        me = doors.nobody.get("/api/me", headers={"authorization": f"Bearer {token}"})
        assert me["id"] == first["account"]["id"]
    assert enter(doors, ID[::-1])["account"]["id"] != first["account"]["id"]


def test_over_a_socket_it_is_once(doors: Doors) -> None:
    with doors.socket() as line:
        first = line.ok("guest", name="Ann", once=ID)
    with doors.socket() as line:
        assert line.ok("guest", name="Ann", once=ID)["account"] == first["account"]
        assert line.code("guest", name="Ann", once="1") == "bad_request"


def test_an_id_that_can_be_guessed_is_refused(doors: Doors) -> None:
    assert doors.nobody.wrong("POST", "/api/accounts/guest", {"id": "1"}) == (422, "bad_request")


def test_an_id_is_forgotten_after_a_minute(tmp_path: Path) -> None:
    clock = StoppedClock()
    with open_doors(tmp_path, clock=clock) as doors:
        first = enter(doors)
        clock.time += 60_000
        assert enter(doors)["account"]["id"] != first["account"]["id"]


def test_an_id_opens_nothing_once_the_guest_has_signed_up(doors: Doors) -> None:
    token = enter(doors)["token"]
    shown = {"authorization": f"Bearer {token}"}
    doors.nobody.post("/api/accounts", {"name": "Ann", "password": "correct horse"}, headers=shown)
    doors.client.cookies.clear()
    assert doors.nobody.wrong("POST", "/api/accounts/guest", {"id": ID}) == (403, "not_allowed")


@pytest.mark.parametrize("address", ["192.0.2.7", "testclient"])
def test_an_id_counts_at_its_own_address_only(doors: Doors, address: str) -> None:
    guests, portal = doors.running.parts.guests, doors.client.portal
    assert portal is not None
    first = portal.call(guests.enter, "Ann", ID, "192.0.2.7")
    again = portal.call(guests.enter, "Ann", ID, address)
    assert (again.account == first.account) == (address == "192.0.2.7")
