"""Where an interface without ``await`` runs the hall's coroutines (see decision 013)."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from threading import Thread
from typing import Any, Protocol, TypeVar

T = TypeVar("T")


class Loop(Protocol):
    """An event loop of one's own; ``asyncio.Runner`` is one that stands still between two calls."""

    def run(self, coro: Coroutine[Any, Any, T], /) -> T: ...
    def close(self) -> None: ...


class LoopThread:
    """A loop that runs on a thread of its own: clocks, pulses and bots go on while the caller draws a picture."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="dicehall", daemon=True)
        self._thread.start()

    def run(self, coro: Coroutine[Any, Any, T], /) -> T:
        return asyncio.run_coroutine_threadsafe(coro, self._loop).result()

    def close(self) -> None:
        """Stop the loop and wait for its thread; closing twice is closing once."""
        if self._loop.is_closed():
            return
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
