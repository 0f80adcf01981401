"""Records that strangers send to be checked or shown: replayed in a process of their own, for a bounded time."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import msgspec

from dicehall.core.game import Refused
from dicehall.core.house import rules_of
from dicehall.games import Catalogue
from dicehall.launch.checking import check_seal, read_strictly, show_check
from dicehall.launch.worker import Worker
from dicehall.table.requests import Code
from dicehall.wire.answers import Replay, show_invalid
from dicehall.wire.errors import Invalid
from dicehall.wire.replay_steps import record_steps

SECONDS = 10.0  # that one record may take
MOST_WAITING = 8  # records
MOST_EACH = 2  # of one address
MOST_SHOWN = 16 << 20  # bytes of a replay: more than any game needs, and little enough for a browser


@dataclass(frozen=True, slots=True)
class Checker:
    games: Catalogue
    worker: Worker = field(default_factory=lambda: Worker(SECONDS, MOST_WAITING, MOST_EACH))

    async def verify(self, address: str, text: bytes) -> dict[str, Any]:
        return await self.worker.run(verify, text, dict(self.games), who=address)

    async def replay(self, address: str, text: bytes) -> bytes:
        """A record step by step, as JSON; Refused where it cannot be read."""
        found = await self.worker.run(replayed, text, dict(self.games), who=address)
        if isinstance(found, str):
            raise Refused(Code.BAD_REQUEST, found)
        return found

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


def replayed(text: bytes, games: Catalogue) -> bytes | str:
    """The replay of a record as JSON (server/shapes.py), or in a sentence why there is none."""
    try:
        replay = Replay(read_strictly(text, games))
    except Invalid as invalid:
        return f"This is not a record that can be shown: {invalid.sentence}"
    updates, size = list[msgspec.Raw](), 0
    for step in record_steps(replay):
        updates.append(msgspec.Raw(msgspec.json.encode(step)))
        size += len(bytes(updates[-1]))
        if size > MOST_SHOWN:
            return "This record is too long to be shown here."
    shown = {"game": replay.game.key, "rules": rules_of(replay.game), "names": replay.record.names, "updates": updates}
    return msgspec.json.encode({**shown, **verdict_of(replay)})


def verdict_of(replay: Replay) -> dict[str, Any]:
    """What the rules and the seal say of a record that was replayed."""
    if replay.refused is None:
        return {"refused": None, "check": show_check(check_seal(replay, None))}
    index, refused = replay.refused
    return {"refused": f"The rules refuse entry {index + 1}: {refused.sentence}", "check": None}
