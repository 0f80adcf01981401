"""Text that people write for each other: all characters are visible, and none changes the reading direction."""

from __future__ import annotations

import re
from unicodedata import category

# Invisible, yet not control characters: joiners, fillers, selectors of variants, the empty Braille cell.
HIDDEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})  # Cf: no width, or another direction


def is_visible(text: str) -> bool:
    return text == only_visible(text)


def only_visible(text: str) -> str:
    """The text without the characters that cannot be seen."""
    return HIDDEN.sub("", "".join(char for char in text if category(char) not in INVISIBLE))
