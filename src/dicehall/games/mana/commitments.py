"""Commitments: what a seat publishes before it shows its unit (M7)."""

from __future__ import annotations

import re
from hashlib import sha256

HASH = re.compile("[0-9a-f]{64}")
SECRET = NONCE = re.compile("[0-9a-fA-F]{64}")
SIGNATURE = re.compile("[0-9a-fA-F]{66}")  # C, a compressed point


def commitment(secret: bytes, signature: bytes, unit: int, round: int, match_id: str, nonce: bytes | None) -> str:
    """The hash that binds a seat to a unit; without a nonce a token used twice can be opened by trying."""
    return sha256(secret + signature + bytes((unit, round)) + match_id.encode() + (nonce or b"")).hexdigest()
