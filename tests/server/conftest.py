"""One real server for all tests of this folder that do not kill it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.server.running import RunningServer, running_server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running_server(tmp_path_factory.mktemp("hall")) as running:
        yield running
