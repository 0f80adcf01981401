"""Scores, hit points, victory points and places of every golden game are rebuilt from its events alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.golden.rebuilding import REBUILD
from tests.launch.running import Ran, replayed
from tests.laws.playing import GAMES
from tests.wire.samples import GOLDEN, title


def check_rebuilt(record: Path, ran: Ran) -> None:
    document = json.loads(record.read_text(encoding="utf-8"))
    events = [event for line in ran.lines[:-1] for event in line["events"]]
    rebuilt = REBUILD[record.parent.name](len(document["seats"]), document.get("rules", {}), events)
    places = rebuilt.pop("places")
    assert rebuilt == {name: ran.last["state"][name] for name in rebuilt}
    assert places == (ran.last["over"] or {"places": None})["places"]


@pytest.mark.parametrize("record", GOLDEN, ids=title)
def test_how_a_golden_game_stands_is_rebuilt_from_its_events(record: Path) -> None:
    check_rebuilt(record, replayed(record.read_bytes()))


@pytest.mark.parametrize("record", GOLDEN[::9], ids=title)
def test_and_so_is_every_moment_of_some_of_them(record: Path) -> None:
    document = json.loads(record.read_text(encoding="utf-8"))
    for length in range(0, len(document["entries"]), 1 + len(document["entries"]) // 8):
        text = json.dumps({**document, "entries": document["entries"][:length]}).encode()
        check_rebuilt(record, replayed(text))


def test_every_game_is_rebuilt() -> None:
    assert {*REBUILD, "piglet"} == GAMES.keys()
