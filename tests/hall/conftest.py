"""What the tests of people share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dicehall.store import MemoryJournal, MemoryPeople, SqliteJournal, SqlitePeople
from tests.hall.fakes import Hallway


@pytest.fixture(params=["memory", "sqlite"])
def hallway(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Hallway]:
    if request.param == "memory":
        yield Hallway(MemoryPeople(MemoryJournal()))
        return
    journal = SqliteJournal(tmp_path / "hall.db")
    yield Hallway(SqlitePeople(journal))
    journal.close()
