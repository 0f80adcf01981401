"""The daily challenge over HTTP, on a clock that goes when it is told to."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from dicehall.hall.challenge_days import begins_at, opens_at
from dicehall.server.limits import Limits, Rate
from dicehall.store.copying import copy_database
from tests.server.doors import FREE, Doors, Person, StoppedClock, open_doors

DAY = "2023-11-15"
TABLE = "/api/tables/{}"


@pytest.fixture
def clock() -> StoppedClock:
    return StoppedClock(begins_at(DAY) - 3_600_000)


@pytest.fixture
def doors(tmp_path: Path, clock: StoppedClock) -> Iterator[Doors]:
    with open_doors(tmp_path, clock=clock) as opened:
        yield opened


def member(doors: Doors, name: str) -> Person:
    entered = doors.nobody.post("/api/accounts", {"name": name, "password": "correct horse"})
    doors.client.cookies.clear()
    return Person(doors, entered["account"]["id"], entered["account"]["name"], entered["token"])


def in_hall(doors: Doors, work: Callable[..., Any], *given: Any) -> Any:
    """Have something done in the hall's own loop."""
    assert doors.client.portal is not None
    return doors.client.portal.call(work, *given)


def play(doors: Doors, clock: StoppedClock, person: Person, table: str) -> Any:
    """Hold at twenty until the game is over; the clock goes on so that the bot moves."""
    while (shown := person.get(TABLE.format(table)))["phase"] in ("playing", "asleep"):
        if shown["view"]["turn"] == [shown["me"]]:
            person.act(table, "hold" if shown["view"]["round_score"] >= 20 else "roll")
        else:
            clock.time += 1000
            in_hall(doors, doors.running.host.ring, table)
    return shown


def test_a_day_from_its_seal_to_its_ranking(doors: Doors, clock: StoppedClock) -> None:
    ann, bo = member(doors, "Ann"), member(doors, "Bo")
    clock.time = begins_at(DAY) + 1000
    today = doors.nobody.get("/api/challenge")
    assert (today["day"], today["opened"], today["void"]) == (DAY, False, False)
    assert {game["game"]: game["level"] for game in today["games"]} == {
        "aetharn": "exact",
        "doordice": "good",
        "mana": "exact",
        "tenthousand": "exact",
        "wards": "exact",
    }
    table = ann.post("/api/challenge/wards")["id"]
    assert ann.post("/api/challenge/wards")["id"] == table
    with doors.socket(bo) as line:
        assert line.code("watch", table=table) == "not_allowed"
    shown = play(doors, clock, ann, table)
    assert shown["challenge"]["day"] == DAY
    mine = next(one for one in ann.get("/api/challenge")["games"] if one["game"] == "wards")["attempt"]
    assert mine["phase"] == "over"
    assert len(mine["others"]) == 1
    for path in ("", "/events", "/record", "/coach", "/replay", "/ratings"):
        assert bo.wrong("GET", TABLE.format(table) + path) == (403, "not_allowed")
    assert ann.wrong("GET", f"/api/tables/{table}/coach") == (403, "not_allowed")
    assert ann.wrong("GET", f"/api/tables/{table}/review") == (403, "not_allowed")
    assert "opened" not in ann.get(f"/api/tables/{table}/record")["seal"]
    going_on = {"entries": 3, "seat": 0}
    assert ann.wrong("POST", f"/api/tables/{table}/continue", going_on) == (403, "not_allowed")
    ranking = f"/api/challenge/wards/{DAY}"
    assert (bo.get(ranking)["ranking"], bo.get(ranking)["secret"]) == ([], None)
    clock.time = opens_at(DAY)
    assert in_hall(doors, doors.running.judge.is_held_up) is False
    opened = bo.get(ranking)
    assert [(one["rank"], one["name"], one["table"]) for one in opened["ranking"]] == [(1, "Ann", table)]
    assert opened["ranking"][0]["average_loss"] >= 0
    assert opened["ranking"][0]["decisions"] > 3
    assert opened["seal"] == today["seal"]
    record = bo.get(f"/api/tables/{table}/record")
    assert record["seal"]["opened"] == opened["secret"]
    assert bo.post("/api/verify", record)["check"]["good"]
    assert bo.get(f"/api/tables/{table}/coach")["progress"] == 1


def test_guests_and_new_accounts_are_counted_by_address(tmp_path: Path, clock: StoppedClock) -> None:
    limits = Limits(clock, {**FREE, "challenge_address": Rate(0, 1)})
    with open_doors(tmp_path, clock=clock, limits=limits) as doors:
        gus = doors.guest("Gus")
        assert gus.wrong("POST", "/api/challenge/wards", {}) == (429, "rate_limited")
        refused = gus.ask("POST", "/api/challenge/wards", {}, headers={"accept-language": "de"})
        assert int(refused.headers["retry-after"]) > 0
        assert refused.json()["error"]["message"].startswith("Aus deinem Netz haben heute schon zu viele Gäste")
        assert member(doors, "New").wrong("POST", "/api/challenge/wards", {}) == (429, "rate_limited")
        assert doors.guest("Eva").wrong("POST", "/api/challenge/nothing", {}) == (422, "bad_request")


def test_only_somebody_signed_in_plays(doors: Doors) -> None:
    assert doors.nobody.wrong("POST", "/api/challenge/wards", {}) == (401, "not_signed_in")
    assert doors.nobody.wrong("GET", "/api/challenge/wards/soon") == (422, "bad_request")
    assert doors.nobody.wrong("GET", f"/api/challenge/chess/{DAY}") == (422, "bad_request")


def test_a_backup_holds_no_secret_of_a_day_that_is_not_opened(tmp_path: Path) -> None:
    with open_doors(tmp_path) as doors:
        doors.nobody.get("/api/challenge")
        with closing(sqlite3.connect(tmp_path / "hall.db")) as live:
            ((secret,),) = live.execute("SELECT secret FROM challenge_days").fetchall()
            live.execute("INSERT INTO challenge_days VALUES ('2020-01-01', 'old', x'aa')")
            live.commit()
        copy_database(tmp_path / "hall.db", tmp_path / "copy.db", force=False, progress=lambda done, total: None)
    assert secret in (tmp_path / "hall.db").read_bytes()
    assert secret not in (tmp_path / "copy.db").read_bytes()
    with closing(sqlite3.connect(tmp_path / "copy.db")) as copy:
        days = dict(copy.execute("SELECT day, secret FROM challenge_days").fetchall())
    assert days.pop("2020-01-01") == b"\xaa"
    assert list(days.values()) == [None]
