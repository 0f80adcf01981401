"""What people may be called.

A name is 1 to 24 characters in Unicode's form NFKC, without anything that cannot be seen or that turns the direction
of reading. White space at its ends is dropped, and between words it is one space. Two names are the same if they look
alike as they are written, in small letters or in capitals.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from unicodedata import category, normalize

from dicehall.hall.codes import bad
from dicehall.hall.skeletons import skeleton

LONGEST = 24
RAW = 200  # characters that are looked at at all
MARKS = 4  # accents on one letter

# Seen by nobody, and yet no control characters: joiners, fillers, selectors of variants, the empty Braille cell.
HIDDEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")


@dataclass(frozen=True, slots=True)
class Name:
    text: str
    folded: str  # whoever types it in another case means the same name
    skeletons: frozenset[str]  # no two accounts share one


def read_name(raw: str) -> Name:
    """A name as it is kept, or Refused."""
    if len(raw) > RAW:
        raise bad(f"A name has at most {LONGEST} characters.")
    text = re.sub(" +", " ", normalize("NFKC", raw)).strip(" ")
    check(text)
    folded = normalize("NFKC", text.casefold())
    looks = (skeleton(written).casefold() for written in (text, folded, text.upper()))
    return Name(text, folded, frozenset(looks))


def check(text: str) -> None:
    if not 1 <= len(text) <= LONGEST:
        raise bad(f"A name has 1 to {LONGEST} characters.")
    kinds = "".join(kind_of(char) for char in text)
    if "C" in kinds or HIDDEN.search(text):
        raise bad("A name holds no control characters and none that cannot be seen.")
    if "Z" in kinds:
        raise bad("Between the words of a name are plain spaces.")
    if re.search(rf"(^|_)M|M{{{MARKS + 1}}}", kinds):
        raise bad("An accent belongs on a letter, and not too many on one.")


def kind_of(char: str) -> str:
    """The first letter of a character's category in Unicode: Control, Mark, Z for spaces; _ is the plain one."""
    return "_" if char == " " else category(char)[0]


def numbered(name: Name, number: int) -> Name:
    """The name with a number behind it, shortened where there is no room for both."""
    ending = f" {number}"
    return read_name(name.text[: LONGEST - len(ending)].rstrip() + ending)
