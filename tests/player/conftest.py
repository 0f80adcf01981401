from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.mint.minting import LiveMint
from tests.referee.live import honest_mint


@pytest.fixture
def mint(tmp_path: Path) -> Iterator[LiveMint]:
    with honest_mint(tmp_path) as mint:
        yield mint
