from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dicehall.store import MemoryJournal, SqliteJournal, StoreJournal
from tests.postgres import postgres_journal


@pytest.fixture(params=["sqlite", "memory", "postgres"])
def journal(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[StoreJournal]:
    if request.param == "postgres":
        with postgres_journal() as journal:
            yield journal
        return
    local: StoreJournal = SqliteJournal(tmp_path / "hall.db") if request.param == "sqlite" else MemoryJournal()
    yield local
    local.close()
