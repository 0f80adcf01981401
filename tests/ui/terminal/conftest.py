from __future__ import annotations

import pytest

from tests.ui.terminal.command import Here


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> Here:
    return Here(monkeypatch)
