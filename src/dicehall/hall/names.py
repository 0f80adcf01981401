"""What people may be called.

A name is 1 to 24 characters in Unicode's form NFKC, without anything that cannot be seen or that turns the direction
of reading. White space at its ends is dropped, and between words it is one space. Its letters are of one script, or of
scripts that are written together. Two names are the same if they look alike as they are written, in small letters or in
capitals.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from unicodedata import category, normalize

from dicehall.core.text import is_visible
from dicehall.hall.codes import bad
from dicehall.hall.skeletons import skeleton

LONGEST = 24
RAW = 200  # characters that are looked at at all
MARKS = 4  # accents on one letter

# Scripts that are written together; every other mixture is more often a disguise than a name (Unicode's report 39).
TOGETHER = (
    frozenset({"LATIN", "HAN", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "HAN", "HANGUL"}),
    frozenset({"LATIN", "HAN", "BOPOMOFO"}),
)


@dataclass(frozen=True, slots=True)
class Name:
    text: str
    folded: str  # whoever types it in another case means the same name
    skeletons: frozenset[str]  # no two accounts share one


def read_name(raw: str) -> Name:
    """A name as it is kept, or Refused."""
    if len(raw) > RAW:
        raise bad(f"Names can have at most {LONGEST} characters.")
    text = re.sub(" +", " ", normalize("NFKC", raw)).strip(" ")
    check(text)
    return Name(text, folded(text), skeletons_of(text))


def find_name(raw: str) -> str:
    """The folded form of a name that somebody typed to be found by, whether or not it would be given to anybody now."""
    text = re.sub(" +", " ", normalize("NFKC", raw[:RAW])).strip(" ")
    return folded(text) if is_visible(text) else ""  # nobody's


def folded(text: str) -> str:
    return normalize("NFKC", text.casefold())


def skeletons_of(text: str) -> frozenset[str]:
    return frozenset(skeleton(written).casefold() for written in (text, folded(text), text.upper()))


def check(text: str) -> None:
    if not 1 <= len(text) <= LONGEST:
        raise bad(f"Names must have 1 to {LONGEST} characters.")
    if not is_visible(text):
        raise bad("Names cannot contain control characters or invisible characters.")
    kinds = "".join(kind_of(char) for char in text)
    if "Z" in kinds:
        raise bad("Use plain spaces between the words of a name.")
    if re.search(rf"(^|_)M|M{{{MARKS + 1}}}", kinds):
        raise bad(f"Accents must follow a letter, at most {MARKS} per letter.")
    if not is_one_script(text):
        raise bad("Names cannot mix letters of different scripts, such as Latin and Cyrillic.")


def is_one_script(text: str) -> bool:
    from confusable_homoglyphs.categories import alias  # half a megabyte, read when the first name is

    scripts = {alias(char) for char in text} - {"COMMON", "INHERITED"}
    return len(scripts) < 2 or any(scripts <= together for together in TOGETHER)


def kind_of(char: str) -> str:
    """The first letter of a character's category in Unicode: Control, Mark, Z for spaces; _ is the plain one."""
    return "_" if char == " " else category(char)[0]


def numbered(name: Name, number: int) -> Name:
    """The name with a number behind it, shortened where there is no room for both."""
    ending = f" {number}"
    return read_name(name.text[: LONGEST - len(ending)].rstrip() + ending)
