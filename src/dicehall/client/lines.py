"""A line to a hall: messages go both ways until it is closed. A socket is one; a hall in this process has another."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeAlias


class LineClosed(Exception):
    """The line is closed, or could not be opened; a new one can be tried."""


class Line(Protocol):
    async def send(self, text: bytes) -> None:
        """Raises LineClosed."""

    async def receive(self) -> bytes:
        """The next message of the hall; raises LineClosed."""
        ...

    async def close(self) -> None: ...


Dial: TypeAlias = Callable[[], Awaitable[Line]]  # a new line; raises LineClosed where none can be had now
