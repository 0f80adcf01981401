"""What the module is asked to do, numbered, and kept for a while so that what was missed can be read again.

A cursor names a number of one run of the bridge, ``"k3v9x2.128"``: after a restart every earlier cursor is known to be
of another run.
"""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

Command: TypeAlias = dict[str, Any]
Reset: TypeAlias = Literal["", "start", "restarted", "too_old"]

KEPT = 4096  # commands
MOST_AT_ONCE = 256  # in one answer, counted before they are merged
MOST_WAITING = 8  # polls; one more ends the oldest
CROWDED_S = 0.5  # until it is answered, or nine that ask again at once would drive one another round and round
CURSOR = re.compile(r"([a-z0-9]{1,16})\.([0-9]{1,15})")


@dataclass(slots=True, eq=False)
class CommandLog:
    run: str  # the name of this run of the bridge
    kept: deque[Command] = field(default_factory=lambda: deque(maxlen=KEPT))
    last: int = 0
    waiting: deque[asyncio.Future[bool]] = field(default_factory=deque)
    closed: bool = False

    def add(self, op: str, player: str, **fields: Any) -> None:
        self.last += 1
        self.kept.append({"seq": self.last, "op": op, "player": player, **fields})
        self.wake()

    def cursor(self, seq: int) -> str:
        return f"{self.run}.{seq}"

    def stale(self, since: str | None) -> Reset:
        """Why nothing can be read from a cursor on; "" where all that came after it is still kept."""
        if since is None:
            return "start"
        found = CURSOR.fullmatch(since)
        if found is None or found[1] != self.run or int(found[2]) > self.last:
            return "restarted"
        return "too_old" if int(found[2]) < self.last - len(self.kept) else ""

    def after(self, since: str) -> tuple[list[Command], int]:
        """The next commands after a cursor that is not stale, merged, and the number of the last of them."""
        seq = int(since.partition(".")[2])
        skipped = len(self.kept) - (self.last - seq)
        found = [self.kept[at] for at in range(skipped, min(len(self.kept), skipped + MOST_AT_ONCE))]
        return merged(found), (found[-1]["seq"] if found else seq)

    # -- waiting ------------------------------------------------------------------------------------------

    async def wait(self, since: str, wait_s: float) -> None:
        """Until there is something after a cursor, or the time is over, or too many others wait."""
        if self.closed or wait_s <= 0 or self.cursor(self.last) != since:
            return
        while len(self.waiting) >= MOST_WAITING:
            wake_one(self.waiting.popleft(), crowded=True)
        woken: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self.waiting.append(woken)
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(wait_s):
                    if await woken:
                        await asyncio.sleep(CROWDED_S)
        finally:  # also where who waits has gone
            if woken in self.waiting:
                self.waiting.remove(woken)

    def wake(self) -> None:
        while self.waiting:
            wake_one(self.waiting.popleft())

    def close(self) -> None:
        self.closed = True
        self.wake()


def wake_one(woken: asyncio.Future[bool], *, crowded: bool = False) -> None:
    """*crowded*: because another one takes its place."""
    if not woken.done():
        woken.set_result(crowded)


def merged(commands: Sequence[Command]) -> list[Command]:
    """Several changes of one window become one, with the last values and the last number."""
    kept: list[Command] = []
    changes: dict[tuple[str, str], int] = {}  # where in *kept* the last change of a window stands
    for command in commands:
        window = (command["player"], command.get("window", ""))
        if command["op"] == "bind" and window in changes:
            before = kept[changes[window]]
            kept[changes[window]] = {**command, "binds": {**before["binds"], **command["binds"]}}
            continue
        if command["op"] == "bind":
            changes[window] = len(kept)
        elif command["op"] != "message":
            changes.pop(window, None)
        kept.append(command)
    return kept
