from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store.power.shim import build


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """In memory where there is some: here a real sync would only cost time."""
    memory = Path("/dev/shm")
    folder = Path(tempfile.mkdtemp(prefix="dicehall-", dir=memory if memory.is_dir() else None))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def shim(folder: Path) -> Path:
    return build(folder)
