"""A disk that forgets: from a log of operations, what may be found after the power was cut.

What was synced is there. Of what was not, any part may be there: each write or truncation or not, and of a write each
of its sectors or not. A file's name is not synced by its file but by its folder; unsynced changes of names survive up
to some point.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from random import Random

from tests.store.power.shim import Op

SECTOR = 512
NOTES = "told"  # what the worker told its clients; no part of the disk
PASSING = ("-shm", ".lock")  # mean nothing after a restart


@dataclass
class File:
    ops: list[Op] = field(default_factory=list)
    synced: int = 0

    def content(self, chance: Random) -> bytes:
        content = bytearray()
        for op in self.ops[: self.synced]:
            apply(content, op)
        luck = chance.choice([0.0, 1.0, chance.random(), chance.random()])  # nothing, all, or something of it
        for op in self.ops[self.synced :]:
            if chance.random() < luck:
                for part in [op] if luck == 1.0 else torn(op, chance):
                    apply(content, part)
        return bytes(content)


class Disk:
    """All files as they were when the power was cut."""

    def __init__(self, ops: Sequence[Op]) -> None:
        self.files: dict[str, File] = {}
        self.told: list[str] = []
        self._names: list[dict[str, File]] = [{}]  # since the folder was last synced
        for op in ops:
            self._follow(op)

    def _follow(self, op: Op) -> None:
        if op.name == NOTES:
            self.told += op.data.decode().splitlines()
        elif op.what == "S" and op.name == "":
            self._names = self._names[-1:]
        elif op.what == "S":
            self.files[op.name].synced = len(self.files[op.name].ops)
        elif op.what in "WT":
            self.files[op.name].ops.append(op)
        else:
            self._rename(op)
            self._names.append(dict(self.files))

    def _rename(self, op: Op) -> None:
        if op.what == "C":
            self.files[op.name] = File()
        elif op.what == "U":
            del self.files[op.name]
        else:
            self.files[op.data.decode()] = self.files.pop(op.name)

    def rebuild(self, folder: Path, chance: Random) -> None:
        folder.mkdir()
        for name, file in chance.choice(self._names).items():
            (folder / name).write_bytes(chance.randbytes(32768) if name.endswith(PASSING) else file.content(chance))


def apply(content: bytearray, op: Op) -> None:
    end = op.at + len(op.data)
    if len(content) < end:
        content.extend(bytes(end - len(content)))
    if op.what == "T":
        content[op.at :] = b""
    else:
        content[op.at : end] = op.data


def torn(op: Op, chance: Random) -> list[Op]:
    """The write whole, or some of the sectors it touches."""
    if op.what != "W" or chance.random() < 0.7:
        return [op]
    cuts = [0, *range(SECTOR - op.at % SECTOR, len(op.data), SECTOR), len(op.data)]
    parts = pairwise(cuts)
    return [Op("W", op.name, op.at + a, op.data[a:b]) for a, b in parts if chance.random() < 0.5]
