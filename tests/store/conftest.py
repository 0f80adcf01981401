from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dicehall.store import MemoryJournal, SqliteJournal, StoreJournal


@pytest.fixture(params=["sqlite", "memory"])
def journal(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[StoreJournal]:
    journal: StoreJournal = SqliteJournal(tmp_path / "hall.db") if request.param == "sqlite" else MemoryJournal()
    yield journal
    journal.close()
