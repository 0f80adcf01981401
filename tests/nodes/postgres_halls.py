"""Several halls on one real PostgreSQL: processes as it were, with everything but a network between them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from dicehall.games import catalogue
from dicehall.launch.serving import Running, put_together
from dicehall.server.parts import Settings
from dicehall.store.postgres import open_postgres
from tests.postgres import emptied_database


@asynccontextmanager
async def halls(count: int, settings: Settings | None = None, **changed: Any) -> AsyncIterator[list[Running]]:
    """So many processes; *changed* are parts that tests bring along."""
    url = emptied_database()
    async with AsyncExitStack() as stack:
        running = []
        for _ in range(count):
            hall = put_together(await open_postgres(url), catalogue(), settings or Settings(), **changed)
            await hall.start()
            stack.push_async_callback(hall.stop)
            running.append(hall)
        yield running


async def until(condition: Callable[[], bool]) -> None:
    while not condition():
        await asyncio.sleep(0.01)
