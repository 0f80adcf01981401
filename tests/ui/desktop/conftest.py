from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"

from tests.ui.desktop.window import Window


@pytest.fixture
def window(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Window]:
    """A window that nobody sees, with a results file of its own."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    monkeypatch.setenv("DICEHALL_DATA", str(tmp_path))
    opened = Window()
    yield opened
    opened.close()
