"""A cache of the pictures that the server draws: each is drawn once, and the most recently used are kept."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, Generic, TypeVar

K = TypeVar("K", bound=Hashable)


class Drawings(Generic[K]):
    def __init__(self, most: int) -> None:
        self.most = most
        self.kept: OrderedDict[K, asyncio.Task[bytes]] = OrderedDict()

    async def get(self, key: K, draw: Callable[[], Coroutine[Any, Any, bytes]]) -> bytes:
        """The picture for this key. A caller who gives up does not stop the others; a failed drawing is repeated."""
        drawing = self.kept.pop(key, None)
        if drawing is None or failed(drawing):
            drawing = asyncio.create_task(draw())
        self.kept[key] = drawing
        while len(self.kept) > self.most:
            self.kept.popitem(last=False)
        return await asyncio.shield(drawing)


def failed(drawing: asyncio.Task[bytes]) -> bool:
    return drawing.done() and (drawing.cancelled() or drawing.exception() is not None)
