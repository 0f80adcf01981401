"""The client for programs without an event loop."""

from __future__ import annotations

from pathlib import Path

import pytest

from dicehall.client.errors import Refused
from dicehall.client.sync import connect
from tests.server.running import running_server


def test_a_plain_program_plays_a_game_against_a_bot(tmp_path: Path) -> None:
    with running_server(tmp_path) as server, connect(server.url) as hall:
        hall.guest("Ann")
        assert hall.token is not None
        opened = hall.open("wards", rules={"goal": 2}, bots=[{"seat": 1, "level": "greedy"}])
        table = opened["id"]
        hall.watch(table)
        hall.sit(table, typed="abracadabra")
        events = []
        for update in hall.updates(table):
            events += [event["event"] for event in update.events]
            shown = hall.look(table)
            if shown["over"]:
                break
            if shown["n"] == update.n and shown["view"] and shown["me"] in shown["view"]["turn"]:
                hall.act(table, "hold" if shown["view"]["round_score"] > 1 else "roll")
        assert events[:2] == ["Sat", "Carried"]
        assert {"Words", "Started", "Rolled"} <= set(events)
        with pytest.raises(Refused, match="game_finished"):
            hall.act(table, "roll")
        assert abs(hall.now - hall.look(table)["now"]) < 5_000
