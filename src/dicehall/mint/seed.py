"""The seed of a mint: a BIP-39 phrase in a file that only its owner can read. Whoever has it can sign any token."""

from __future__ import annotations

import os
from pathlib import Path

from mnemonic import Mnemonic

STRENGTH_BITS = 256
WORDS = Mnemonic("english")


class SeedError(Exception):
    """The seed cannot be read or stored; the sentence says why."""


def load_or_create_seed(path: Path) -> tuple[bytes, bool]:
    """The seed, and whether it is new."""
    try:
        return read_seed(path), False
    except FileNotFoundError:
        return create_seed(path), True


def create_seed(path: Path) -> bytes:
    phrase = WORDS.generate(STRENGTH_BITS)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w") as file:
        file.write(phrase + "\n")
        file.flush()
        os.fsync(file.fileno())
    return bytes(WORDS.to_seed(phrase))


def read_seed(path: Path) -> bytes:
    if path.stat().st_mode & 0o077:
        raise SeedError(f"{path} can be read by others. Run: chmod 600 {path}")
    phrase = " ".join(path.read_text().split())
    if not WORDS.check(phrase):
        raise SeedError(f"{path} does not hold a seed phrase.")
    return bytes(WORDS.to_seed(phrase))
