"""Reactions over HTTP and sockets: one request, refused with a code where it makes no sense."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from dicehall.hall.reactions import REACTIONS
from dicehall.server.conn import SocketConn
from dicehall.server.limits import RATES, Limits, Rate
from tests.server.doors import FREE, Doors, StoppedClock, open_doors
from tests.server.test_limits import StuckSocket


def test_a_reaction_over_http_is_told_over_sockets_and_one_over_a_socket_as_well(doors: Doors) -> None:
    ann, bo, table = doors.pair()
    with doors.socket(bo) as line:
        line.ok("watch", table=table)
        assert ann.post(f"/api/tables/{table}/react", {"reaction": "luck"}) == {"reaction": "luck"}
        line.ok("ping")
        told = [message for message in line.told if message.get("event") == "Reacted"]
        assert told[0]["reactions"] == [{"name": "Ann", "seat": 0, "reaction": "luck"}]
        assert line.ok("react", table=table, reaction="thanks") == {"reaction": "thanks"}


@pytest.mark.parametrize("reaction", ["insult", "", "BRAVO", None, 7, ["bravo"], "<b>hello</b>"])
def test_an_unknown_reaction_is_refused_with_the_known_ones(doors: Doors, reaction: object) -> None:
    ann, _, table = doors.pair()
    answer = ann.ask("POST", f"/api/tables/{table}/react", {"reaction": reaction})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "bad_request")
    if reaction == "insult":
        assert answer.json()["error"]["message"] == f"`reaction` must be one of {', '.join(REACTIONS)}."


def test_nobody_reacts_without_an_account(doors: Doors) -> None:
    _, _, table = doors.pair()
    with doors.socket() as stranger:
        stranger.ok("watch", table=table)
        assert stranger.code("react", table=table, reaction="hello") == "not_signed_in"


def test_a_table_says_whether_people_can_react_there(doors: Doors) -> None:
    ann = doors.guest("Ann")
    shown = [ann.post("/api/tables", {"game": "wards", **more})["reactions"] for more in ({}, {"reactions": False})]
    assert shown == [True, False]


def test_one_account_reacts_only_so_often_at_one_table(tmp_path: Path) -> None:
    clock = StoppedClock()
    limits = Limits(clock, {**FREE, "react_table": RATES["react_table"]})
    with open_doors(tmp_path, limits=limits) as doors:
        ann, bo, table = doors.pair()
        path, body = f"/api/tables/{table}/react", {"reaction": "ouch"}
        answers = [ann.ask("POST", path, body).status_code for _ in range(6)]
        assert answers == [200, 200, 200, 200, 429, 429]
        assert bo.ask("POST", path, body).status_code == 200
        clock.time += 2000
        assert ann.ask("POST", path, body).status_code == 200


def test_somebody_who_reads_slowly_is_not_sent_reactions_and_not_closed_by_them() -> None:
    async def story() -> None:
        slow = SocketConn("1", StuckSocket())  # type: ignore[arg-type]
        slow.offer(b"seen")
        for _ in range(2000):
            slow.offer(b"not sent")
        assert (list(slow.waiting), slow.closing) == ([b"seen"], None)

    asyncio.run(story())


def test_the_limits_of_an_account_and_of_an_address_count_reactions_at_all_tables(tmp_path: Path) -> None:
    for kind in ("react", "react_address"):
        limits = Limits(StoppedClock(), {**FREE, kind: Rate(burst=1, per_second=0.1)})
        folder = tmp_path / kind
        folder.mkdir()
        with open_doors(folder, limits=limits) as doors:
            ann = doors.guest("Ann")
            for number, status in enumerate((200, 429)):
                table = ann.open()
                ann.sit(table)
                assert ann.ask("POST", f"/api/tables/{table}/react", {"reaction": "wow"}).status_code == status, number
