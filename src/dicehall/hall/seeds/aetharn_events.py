"""Events by subscription, every one under its own name with its own fields (A19); nobody has to poll."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

LAST = "GameDestroyed"  # after this a game tells nothing more


@dataclass(frozen=True, slots=True)
class Happened:
    """One event: ``event.name``, ``event["player"]``."""

    name: str
    fields: Mapping[str, Any]

    def __getitem__(self, field: str) -> Any:
        return self.fields[field]


Callback: TypeAlias = Callable[[Happened], None]
Stop: TypeAlias = Callable[[], None]


@dataclass(slots=True, eq=False)
class Subscribers:
    callbacks: list[Callback] = field(default_factory=list)

    def subscribe(self, callback: Callback, *names: str) -> Stop:
        """Call back for every event, or for those named; what is returned ends it."""

        def wanted(event: Happened) -> None:
            if not names or event.name in names:
                callback(event)

        def stop() -> None:
            if wanted in self.callbacks:
                self.callbacks.remove(wanted)

        self.callbacks.append(wanted)
        return stop

    def tell(self, name: str, **fields: Any) -> None:
        """A subscriber that fails is the loop's to report; it keeps nobody else from hearing."""
        event = Happened(name, fields)
        for callback in tuple(self.callbacks):
            try:
                callback(event)
            except Exception as trouble:
                context = {"message": f"A subscriber failed on {name}.", "exception": trouble}
                asyncio.get_running_loop().call_exception_handler(context)


async def heard(subscribe: Callable[[Callback], Stop], last: str | None = None) -> AsyncGenerator[Happened, None]:
    """Every event from now on, to be read at one's own pace; *last* ends it."""
    queue: asyncio.Queue[Happened] = asyncio.Queue()
    stop = subscribe(queue.put_nowait)
    try:
        while True:
            event = await queue.get()
            yield event
            if event.name == last:
                return
    finally:
        stop()
