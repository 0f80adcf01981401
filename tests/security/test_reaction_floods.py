"""Somebody reacts as fast as they can: the others at the table hear little of it, and play on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dicehall.hall import reactions
from dicehall.launch.wiring import SystemClock
from dicehall.server.limits import Limits
from tests.security.live import WAIT_S, both_ways, live_hall
from tests.server.doors import FREE

FLOOD = 200


@both_ways
def test_a_flood_of_reactions_reaches_a_table_as_a_few_messages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """Even with every rate limit off. Counted: messages about reactions that a player of the table is sent."""
    monkeypatch.setattr(reactions, "PAUSE_S", 3600.0 if guarded else 0.0)
    with live_hall(tmp_path, limits=Limits(SystemClock(), dict(FREE))) as hall:
        honest = hall.honest_pair()
        ann, mallory = honest.people[0].socket(), hall.guest("Mallory").socket()
        for line in (ann, mallory):
            line.send(json.dumps({"id": 0, "do": "watch", "table": honest.table}))
        for number in range(1, FLOOD + 1):
            mallory.send(json.dumps({"id": number, "do": "react", "table": honest.table, "reaction": "wow"}))
            while json.loads(mallory.recv(WAIT_S)).get("re") != number:
                pass
        ann.send(json.dumps({"id": 1, "do": "ping"}))
        heard = 0
        while (message := json.loads(ann.recv(WAIT_S))).get("re") != 1:
            heard += message.get("event") == "Reacted"
        assert (heard > FLOOD / 2) is not guarded
        assert heard >= 1
        assert all("ok" in honest.act() for _ in range(4))
