"""Solved tables as files: what they are of, a checksum, and the chances as little-endian 64-bit numbers."""

from __future__ import annotations

import os
import sys
from array import array
from hashlib import sha256
from pathlib import Path

from dicehall.solvers.places import READY
from dicehall.solvers.shape import Shape
from dicehall.solvers.solving import Chances

MAGIC = b"dicehall race 1\n"
HASH = 32  # bytes of each of the two hashes: of the shape, then of the numbers


def shipped_file(key: str) -> Path:
    return READY / f"{key}.bin"


def kept_file(folder: Path, key: str, shape: Shape) -> Path:
    return folder / f"{key}-{shape.hash[:16]}.bin"


def packed(shape: Shape, chances: Chances) -> bytes:
    numbers = little_endian(chances).tobytes()
    return MAGIC + bytes.fromhex(shape.hash) + sha256(numbers).digest() + numbers


def unpacked(data: bytes, shape: Shape) -> Chances | None:
    """The chances, if this is a whole table of exactly this shape."""
    of, check, numbers = (
        data[len(MAGIC) :][part] for part in (slice(HASH), slice(HASH, 2 * HASH), slice(2 * HASH, None))
    )
    if not data.startswith(MAGIC) or of.hex() != shape.hash or sha256(numbers).digest() != check:
        return None
    if len(numbers) != 8 * len(shape.scores) ** 2:
        return None
    return little_endian(array("d", numbers))


def load(file: Path, shape: Shape) -> Chances | None:
    """The table in a file; None where there is no such file or it holds something else."""
    try:
        return unpacked(file.read_bytes(), shape)
    except OSError:
        return None


def keep(file: Path, shape: Shape, chances: Chances) -> bool:
    """Write a table whole or not at all; False where it cannot be written, which only costs solving it again."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        part = file.with_suffix(f".{os.getpid()}.part")
        part.write_bytes(packed(shape, chances))
        os.replace(part, file)
    except OSError:
        return False
    return True


def trim(folder: Path, most_bytes: int) -> None:
    """Delete the oldest files of a folder of tables, halves of one that was being written too, until the rest fits."""
    try:
        files = [(file.stat(), file) for file in folder.iterdir() if file.is_file()]
        total = sum(about.st_size for about, _ in files)
        for about, file in sorted(files, key=lambda known: known[0].st_mtime_ns):
            if total <= most_bytes:
                return
            file.unlink(missing_ok=True)
            total -= about.st_size
    except OSError:  # there is no such folder, or somebody else deletes from it
        return


def little_endian(numbers: Chances) -> Chances:
    """To or from the byte order of files; nearly everywhere they are the same."""
    if sys.byteorder == "big":
        numbers = numbers[:]
        numbers.byteswap()
    return numbers
