"""What German texts must not have in them: English words that a template or a piece of code left behind."""

from __future__ import annotations

import re

# Words of both languages, such as "was" and "die", are no sign of either.
WORDS = """
    the a of to and or with from is are were has have had you your they their it its this that for on at by not no
    nobody point points win wins won lost roll rolls rolled dice hold holds held bank banked keep kept score
    scores seat table turn round game games luck lucky unlucky choice best better cost send sent unit behind
    ahead level give take took about almost never always
"""
ENGLISH = frozenset(WORDS.split())


def english_words(text: str) -> list[str]:
    """The English words in a text; names of games, addresses and codes in backquotes do not count."""
    bare = re.sub(r"`[^`]*`|https?://\S+|DO or DICE|Dice Wards|Dice 10 000|Aetharn", " ", text)
    return [word for word in re.findall(r"[A-Za-zÄÖÜäöüß]+", bare) if word.lower() in ENGLISH]
