"""What all tests share."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from tempfile import TemporaryDirectory

import pytest

# What a hall that runs here may be set up with.
OF_A_HALL = ("DICEHALL_DB", "DICEHALL_PUBLIC_URL", "DICEHALL_SERVICE_TOKEN", "DICEHALL_MANA_BOT")

# A shell without job control has its background jobs ignore Ctrl-C, and so would every program that tests interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def a_home_of_their_own() -> Iterator[None]:
    """Nothing that tests play or solve is kept among the files of whoever runs them."""
    with TemporaryDirectory(prefix="dicehall-tests-") as folder:
        for setting in ("DICEHALL_DATA", "DICEHALL_CACHE"):
            os.environ.setdefault(setting, folder)
        for setting in OF_A_HALL:
            os.environ.pop(setting, None)
        yield
