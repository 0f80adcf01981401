"""The pictures people may have: the names of the drawn set. What they look like is the page's business."""

from __future__ import annotations

AVATARS = (
    "badger", "bear", "beaver", "boar", "cat", "crow", "deer", "dog",
    "fox", "frog", "goat", "hare", "hedgehog", "heron", "horse", "lynx",
    "mole", "otter", "owl", "seal", "squirrel", "toad", "wolf", "wren",
)  # fmt: skip


def drawn(random: bytes) -> str:
    return AVATARS[int.from_bytes(random, "big") % len(AVATARS)]
