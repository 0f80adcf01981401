"""Somebody watches a table and stops watching as fast as they can: those who play there hear little of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection

from dicehall.launch.wiring import SystemClock
from dicehall.server.limits import Limits
from dicehall.table import listening
from tests.security.live import WAIT_S, both_ways, live_hall
from tests.server.doors import FREE

FLOOD = 200
OFTEN = 10**9


def ask(line: ClientConnection, id: int, **asked: Any) -> list[Any]:
    """Ask something, and return everything that was heard before the answer."""
    line.send(json.dumps({"id": id, **asked}))
    heard = []
    while (message := json.loads(line.recv(WAIT_S))).get("re") != id:
        heard.append(message)
    assert "ok" in message
    return heard


@both_ways
def test_a_flood_of_spectators_who_come_and_go_reaches_a_table_as_a_few_messages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """Even with every rate limit off. Counted: messages about spectators that a player of the table is sent."""
    monkeypatch.setattr(listening, "NEWS_S", 3600.0)
    if not guarded:
        monkeypatch.setattr(listening, "MOST_NEWS", OFTEN)
    with live_hall(tmp_path, limits=Limits(SystemClock(), dict(FREE))) as hall:
        honest = hall.honest_pair()
        ann, mallory = honest.people[0].socket(), hall.guest("Mallory").socket()
        ask(ann, 0, do="watch", table=honest.table)
        for number in range(0, 2 * FLOOD, 2):
            ask(mallory, number, do="watch", table=honest.table)
            ask(mallory, number + 1, do="unwatch", table=honest.table)
        heard = [message for message in ask(ann, 1, do="ping") if "total_spectators" in message]
        assert len(heard) == (listening.MOST_NEWS if guarded else 2 * FLOOD)
        assert all("ok" in honest.act() for _ in range(4))


def test_of_many_who_come_at_once_the_last_is_announced_with_the_number_of_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control of the test above, an honest use that must go on: the number of spectators is right in the end."""
    monkeypatch.setattr(listening, "NEWS_S", 0.05)
    monkeypatch.setattr(listening, "MOST_NEWS", 1)
    with live_hall(tmp_path, limits=Limits(SystemClock(), dict(FREE))) as hall:
        honest = hall.honest_pair()
        ann = honest.people[0].socket()
        ask(ann, 0, do="watch", table=honest.table)
        for number in range(5):
            ask(hall.guest(f"Zoe{number}").socket(), 0, do="watch", table=honest.table)
        while (message := json.loads(ann.recv(WAIT_S))).get("total_spectators") != 5:
            pass
        assert message["event"] == "SpectatorJoined"
