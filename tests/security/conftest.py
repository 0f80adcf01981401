"""A fresh hall on a real port for every attack."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.security.live import LiveHall, live_hall


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[LiveHall]:
    with live_hall(tmp_path) as live:
        yield live
