"""One mint for all tests of this folder that do not change its settings."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.mint.minting import LiveMint, live_mint


@pytest.fixture(scope="module")
def mint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveMint]:
    with live_mint(tmp_path_factory.mktemp("mint")) as live:
        yield live
