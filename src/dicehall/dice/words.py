"""The words people mix into the dice, committed to when they sit down and opened when the game starts.

Full words are what a person typed (perhaps nothing) followed by 32 random hex digits from their client.
A seat without words, such as a bot's, has the empty text instead, which is never committed to or opened.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from hashlib import sha256

from dicehall.core.text import is_visible

TYPED = 64  # characters, counted as code points after NFC
RANDOM = 32  # hex digits
ENDING = re.compile(rf"[0-9a-f]{{{RANDOM}}}\Z")


class BadWords(ValueError):
    """Words that nobody may bring to a table."""


class BadTable(ValueError):
    """A table id that would make a salt ambiguous."""


def full_words(typed: str, random: bytes) -> str:
    """What a client brings: the typed text in its one normal form, and 16 random bytes as hex digits."""
    words = unicodedata.normalize("NFC", typed) + random.hex()
    check_words(words)
    return words


def check_words(text: str) -> None:
    """Refuse words that a client should not have committed to. They are judged as they are, never mended."""
    if not ENDING.search(text):
        raise BadWords(f"Words must end with {RANDOM} random lowercase hex digits.")
    typed = text[:-RANDOM]
    if len(typed) > TYPED:
        raise BadWords(f"The typed words can have at most {TYPED} characters, not {len(typed)}.")
    if not is_visible(typed):
        raise BadWords("The typed words cannot contain control characters or invisible characters.")
    if not unicodedata.is_normalized("NFC", text):
        raise BadWords("The typed words must be in Unicode normal form C.")


def commitment(words: str) -> str:
    """What a seat says of its words before it says the words."""
    return sha256(f"dicehall/words\n{words}".encode()).hexdigest()


def opens(words: str, committed: str) -> bool:
    """Whether these are the words that were committed to."""
    return is_text(words) and commitment(words) == committed


def salt(table: str, words: Sequence[str]) -> bytes:
    """What a table mixes into every roll: its id and the words of all seats in sitting order."""
    if not is_text(table):  # a line feed in the id could pass for the words of a seat
        raise BadTable("A table id cannot contain control characters.")
    lines = ["dicehall/1", table, *(spelled(seat) for seat in words)]
    return sha256("\n".join(lines).encode()).digest()


def spelled(words: str) -> str:
    """Words as hex digits, so that no words can be mistaken for two seats' words."""
    try:
        return words.encode().hex()
    except UnicodeEncodeError as error:
        raise BadWords("Words must be valid UTF-8.") from error


def is_text(text: str) -> bool:
    """Free of control characters, and of halves of characters, which UTF-8 cannot hold."""
    return not any(unicodedata.category(character) in {"Cc", "Cs"} for character in text)
