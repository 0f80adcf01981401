"""The WebSocket: many tables over one socket, every request answered, nobody told twice or too much."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from dicehall.dice.words import commitment
from dicehall.server.asks import ALL
from dicehall.server.sockets import Caller
from dicehall.table import disconnections
from tests.server.doors import Doors, Line


def numbers(line: Line, table: str) -> list[int]:
    return [told["n"] for told in line.told if told.get("table") == table and "n" in told]


def test_hello_names_the_version_and_the_time(doors: Doors) -> None:
    with doors.socket() as line:
        said = line.ok("hello", version=1)
        assert said.keys() == {"version", "server", "now"}
        assert said["version"] == 1
        assert line.code("hello", version=2) == "bad_request"
        assert line.ok("ping").keys() == {"now"}


def test_one_comes_in_by_name_by_password_and_by_token(doors: Doors) -> None:
    with doors.socket() as line, doors.socket() as other:
        entered = line.ok("guest", name="Ann")
        assert line.ok("sign_up", name="Ann", password="correct horse")["token"] == entered["token"]
        assert other.code("open", game="wards") == "not_signed_in"
        assert other.ok("sign_in", token=entered["token"])["account"]["id"] == entered["account"]["id"]
        assert other.ok("open", game="wards")["opener"] == entered["account"]["id"]
        assert other.ok("sign_in", name="ann", password="correct horse")["account"]["name"] == "Ann"
        assert other.code("sign_in", name="ann", password="wrong horse") == "wrong_password"
        assert other.code("sign_in", token="stolen") == "not_signed_in"
        assert other.ok("open", game="wards")["opener"] == entered["account"]["id"]


def test_who_signs_out_elsewhere_is_a_stranger_here(doors: Doors) -> None:
    ann = doors.guest("Ann")
    table = ann.open()
    with doors.socket(ann) as line:
        line.ok("sit", table=table)
        ann.ask("DELETE", "/api/sessions")
        assert line.code("stand", table=table) == "not_signed_in"
        line.told.clear()
        doors.guest("Bo").sit(table)
        line.ok("ping")
        assert line.told == []


def test_many_tables_go_over_one_socket(doors: Doors) -> None:
    ann = doors.guest("Ann")
    tables = [ann.open(), ann.open("mana"), ann.open("tenthousand")]
    with doors.socket(ann) as line:
        for table in tables:
            line.ok("watch", table=table)
        for table in reversed(tables):
            sat = line.ok("sit", table=table)
            assert sat["table"]["id"] == table
        for table in tables:
            assert numbers(line, table) == [2, 3]


def test_a_game_over_sockets_alone(doors: Doors) -> None:
    doors.box.named[1] = (6,)
    with doors.socket(doors.guest("Ann")) as ann, doors.socket(doors.guest("Bo")) as bo:
        table = ann.ok("open", game="wards", rules={"goal": 5}, drawn=False)["id"]
        ann.ok("watch", table=table)
        ann.ok("sit", table=table, commitment=commitment("mine"))
        bo.ok("sit", table=table, commitment=commitment("yours"))
        ann.ok("words", table=table, words="mine")
        assert bo.code("words", table=table, words="others") == "bad_request"
        bo.ok("words", table=table, words="yours")
        assert bo.code("act", table=table, move="roll") == "not_your_turn"
        rolled = ann.ok("act", table=table, move="roll", once="a")
        assert rolled.keys() == {"n"}
        assert ann.ok("act", table=table, move="roll", once="a") == rolled
        last = ann.ok("act", table=table, move="hold")["n"]
        assert ann.ok("look", table=table)["over"]["places"] == [[0], [1]]
        assert ann.ok("record", table=table)["game"] == "wards"
        assert ann.ok("events", table=table, since=last - 1)["n"] == last
        bo.ok("ping")
        assert numbers(ann, table) == list(range(2, last + 1))
        assert numbers(bo, table) == list(range(5, last + 1))  # who sits down listens from then on
        assert ann.ok("rematch", table=table)["id"] == bo.ok("rematch", table=table)["id"]


def test_what_was_missed_is_told_from_the_last_number_heard(doors: Doors) -> None:
    ann, bo, table = doors.pair()
    with doors.socket(ann) as line:
        before = line.ok("watch", table=table)["table"]["n"]
    first = ann if ann.get(f"/api/tables/{table}")["view"]["turn"] == [ann.get(f"/api/tables/{table}")["me"]] else bo
    first.act(table, "hold")
    with doors.socket(ann) as line:
        back = line.ok("watch", table=table, since=before)
        assert [update["n"] for update in back["updates"]] == list(range(before + 1, back["table"]["n"] + 1))
        assert any(event["event"] == "Held" for update in back["updates"] for event in update["events"])


def test_a_second_connection_takes_the_seat_over_and_the_first_goes_on_watching(doors: Doors) -> None:
    ann = doors.guest("Ann")
    table = ann.open()
    with doors.socket(ann) as first, doors.socket(ann) as second:
        first.ok("sit", table=table)
        second.ok("watch", table=table)
        first.ok("ping")
        assert {"table": table, "taken_over": True} in first.told
        assert not any("taken_over" in told for told in second.told)
        first.told.clear()
        doors.guest("Bo").sit(table)
        first.ok("ping")
        assert numbers(first, table)


def test_who_stops_watching_hears_nothing_more(doors: Doors) -> None:
    ann = doors.guest("Ann")
    table = ann.open()
    with doors.socket() as line:
        line.ok("watch", table=table)
        assert line.ok("unwatch", table=table) == {}
        ann.sit(table)
        line.ok("ping")
        assert line.told == []


@pytest.mark.parametrize("do", ALL)
def test_every_request_without_anything_is_answered_under_its_id(doors: Doors, do: str) -> None:
    with doors.socket() as line:
        answer = line.say({"id": "x", "do": do}, "x")
        assert "ok" in answer or answer["error"]["code"] in ("bad_request", "not_signed_in")
        assert line.ok("ping")


WRONG: list[tuple[Any, Any]] = [
    ("", None),
    ("{", None),
    ("[]", None),
    ("null", None),
    ("[" * 10_000, None),
    ({"do": "ping"}, None),
    ({"id": None, "do": "ping"}, None),
    ({"id": 1.5, "do": "ping"}, None),
    ({"id": 10**30, "do": "ping"}, None),
    ({"id": "x" * 65, "do": "ping"}, None),
    ('{"id": 1, "do": "ping"', None),
    ({"id": 1}, 1),
    ({"id": 1, "do": 7}, 1),
    ({"id": 1, "do": "juggle"}, 1),
    ({"id": 1, "do": "x" * 1000}, 1),
    ({"id": 1, "do": "watch", "table": 7}, 1),
    ({"id": 1, "do": "watch", "table": "x" * 1000}, 1),
    ({"id": 1, "do": "act", "table": None, "move": "roll"}, 1),
    ({"id": "a", "do": "guest", "name": 7}, "a"),
    ({"id": "a", "do": "hello", "version": "1"}, "a"),
]


@pytest.mark.parametrize(("message", "re"), WRONG)
def test_a_message_that_makes_no_sense_is_answered_and_the_socket_lives_on(doors: Doors, message: Any, re: Any) -> None:
    with doors.socket() as line:
        assert line.say(message, re)["error"]["code"] == "bad_request"
        assert line.ok("ping")


def test_a_message_may_come_as_bytes(doors: Doors) -> None:
    with doors.socket() as line:
        line.session.send_bytes(b'{"id": 7, "do": "ping"}')
        assert json.loads(line.session.receive_text())["re"] == 7
        line.session.send_bytes(b"\xff\xfe")
        assert json.loads(line.session.receive_text())["error"]["code"] == "bad_request"


def test_a_table_that_is_not_there_cannot_be_watched(doors: Doors) -> None:
    with doors.socket() as line:
        assert line.code("watch", table="nowhere") == "no_such_table"
        assert doors.running.sockets.open
        assert all(not caller.watching for caller in doors.running.sockets.open.values())


def hear_of_an_absence(line: Line) -> None:
    """Wait until this line hears that somebody is away."""
    while not any(event["event"] == "Left" for told in line.told for event in told.get("events", ())):
        line.told.append(json.loads(line.session.receive_text()))


def test_a_socket_that_stops_watching_its_table_and_watches_it_again_keeps_its_seat(
    doors: Doors, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever goes after it is away first: by then it would be away, too."""
    monkeypatch.setattr(disconnections, "LOST_S", 0.1)
    ann, bo, table = doors.pair()
    with doors.socket(ann) as line:
        with doors.socket(bo) as other:
            other.ok("watch", table=table)
            line.ok("watch", table=table)
            line.ok("unwatch", table=table)
            line.ok("watch", table=table)
        hear_of_an_absence(line)
        seats = line.ok("look", table=table)["seats"]
        assert {seat["name"]: seat["presence"] for seat in seats} == {"Ann": "here", "Bo": "away"}


class Window:
    """The other end of a socket that is closed already."""

    id = "p1:window"

    def push(self, message: bytes) -> None: ...
    def offer(self, message: bytes) -> None: ...
    def close(self, code: int) -> None: ...


def test_a_socket_that_ends_while_its_watch_is_on_the_way_carries_no_seat(doors: Doors) -> None:
    ann, _, table = doors.pair()
    sockets = doors.running.sockets
    caller = Caller(Window(), "127.0.0.1", ann.id)

    async def watch_and_go() -> bool:
        watching = asyncio.create_task(sockets.listen(caller, table))
        await asyncio.sleep(0)
        sockets.gone(caller)
        await watching
        return (table, Window.id) in sockets.parts.hall.host.disconnections.waiting

    assert doors.client.portal is not None
    assert doors.client.portal.call(watch_and_go)
    assert Window.id not in sockets.parts.hall.host.tables[table].listeners.by_id
