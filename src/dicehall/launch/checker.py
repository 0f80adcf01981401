"""Records that strangers send to be checked: replayed in a process of their own, for a bounded time."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from dicehall.games import Catalogue
from dicehall.launch.checking import check_seal, read_strictly, show_check
from dicehall.launch.worker import Worker
from dicehall.wire.answers import Replay, show_invalid
from dicehall.wire.errors import Invalid

SECONDS = 10.0  # that one record may take
MOST_WAITING = 8  # records
MOST_EACH = 2  # of one address


@dataclass(frozen=True, slots=True)
class Checker:
    games: Catalogue
    worker: Worker = field(default_factory=lambda: Worker(SECONDS, MOST_WAITING, MOST_EACH))

    async def verify(self, address: str, text: bytes) -> dict[str, Any]:
        return await self.worker.run(verify, text, dict(self.games), who=address)

    def close(self) -> None:
        self.worker.close()


def verify(text: bytes, games: Catalogue) -> dict[str, Any]:
    """What ``dicehall replay --check`` says of a record."""
    try:
        replay = Replay(read_strictly(text, games))
    except Invalid as invalid:
        return show_invalid(invalid)
    for _ in replay.steps():
        pass
    last = replay.last()
    return last if replay.refused else {**last, "check": show_check(check_seal(replay, None))}
