from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def own_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Results and the last game of a test lie in a folder of its own."""
    monkeypatch.setenv("DICEHALL_DATA", str(tmp_path))
