"""Somebody declines a rematch as fast as they can, or many times at once: the others hear it once."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from dicehall.launch.wiring import SystemClock
from dicehall.server.limits import Limits
from dicehall.server.parts import ServerParts
from dicehall.table.state import TableState
from tests.security.live import WAIT_S, Guest, both_ways, live_hall
from tests.server.doors import FREE

FLOOD = 50
AT_ONCE = 20


def play(people: tuple[Guest, Guest]) -> str:
    """A finished game of these two."""
    table: str = people[0].post("/api/tables", {"game": "wards", "rules": {"goal": 2}})["id"]
    for guest in people:
        guest.post(f"/api/tables/{table}/sit", {})
    while (shown := people[0].get(f"/api/tables/{table}"))["phase"] == "playing":
        view = shown["view"]
        move = "hold" if view["round_score"] >= 2 else "roll"
        people[view["turn"][0]].post(f"/api/tables/{table}/act", {"move": move})
    return table


@both_ways
def test_a_flood_of_declined_rematches_reaches_the_others_as_one_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """Even with every rate limit off: whoever read slowly lost their connection. Without the guard, it is as if
    nobody had declined before."""
    if not guarded:
        monkeypatch.setattr(TableState, "has_declined", lambda state, account: False)
    with live_hall(tmp_path, limits=Limits(SystemClock(), dict(FREE))) as hall:
        people = hall.guest("Ann"), hall.guest("Mallory")
        table = play(people)
        people[0].post(f"/api/tables/{table}/rematch", {})
        ann, mallory = (guest.socket() for guest in people)
        ann.send(json.dumps({"id": 0, "do": "watch", "table": table}))
        while json.loads(ann.recv(WAIT_S)).get("re") != 0:
            pass
        for number in range(1, FLOOD + 1):
            mallory.send(json.dumps({"id": number, "do": "decline", "table": table}))
            answer = json.loads(mallory.recv(WAIT_S))
            assert answer["re"] == number
            assert "ok" in answer
        ann.send(json.dumps({"id": 1, "do": "ping"}))
        heard = 0
        while (message := json.loads(ann.recv(WAIT_S))).get("re") != 1:
            heard += message.get("event") == "RematchDeclined"
        assert heard == (1 if guarded else FLOOD)


@both_ways
def test_declining_over_many_sockets_at_once_is_announced_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """They all arrived before the first was answered. The guard is that an account declines one at a time."""
    if not guarded:
        monkeypatch.setattr(ServerParts, "turn_of", lambda parts, account: asyncio.Lock())
    with live_hall(tmp_path, limits=Limits(SystemClock(), dict(FREE))) as hall:
        people = hall.guest("Ann"), hall.guest("Mallory")
        table = play(people)
        people[0].post(f"/api/tables/{table}/rematch", {})
        ann, lines = people[0].socket(), [people[1].socket() for _ in range(AT_ONCE)]
        ann.send(json.dumps({"id": 0, "do": "watch", "table": table}))
        while json.loads(ann.recv(WAIT_S)).get("re") != 0:
            pass
        with hall.stalled():
            for line in lines:
                line.send(json.dumps({"id": 1, "do": "decline", "table": table}))
        for line in lines:
            assert "ok" in json.loads(line.recv(WAIT_S))
        ann.send(json.dumps({"id": 1, "do": "ping"}))
        heard = 0
        while (message := json.loads(ann.recv(WAIT_S))).get("re") != 1:
            heard += message.get("event") == "RematchDeclined"
        assert (heard > 1) is not guarded
        assert heard >= 1
