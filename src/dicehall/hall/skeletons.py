"""What a name looks like: the skeleton of Unicode's report 39, from the characters that can be taken for one another.

Two names look alike if their skeletons are the same: `раypal` with two Cyrillic letters and `paypal`, `rn` and `m`.
Small capitals, most of which the report leaves out, are taken for capitals: `ᴀnn` and `Ann`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from string import ascii_uppercase
from unicodedata import lookup, normalize

MARK = "\N{LEFT-TO-RIGHT MARK}"  # stands around right-to-left characters in Unicode's list


def skeleton(text: str) -> str:
    bones = replaced(text)
    while (again := replaced(bones)) != bones:  # an accent that came with a prototype has one of its own
        bones = again
    return bones


def replaced(text: str) -> str:
    return normalize("NFD", normalize("NFD", text).translate(prototypes()))


@cache
def prototypes() -> dict[int, str]:
    """For each character that looks like another, or like several, what it is taken for."""
    near = neighbours()
    inside = frozenset(char for text in near if len(text) > 1 for char in text)
    found = {char: prototype_of(char, near, inside) for char in near if len(char) == 1}
    return small_capitals() | {ord(char): prototype for char, prototype in found.items() if prototype != char}


def small_capitals() -> dict[int, str]:
    """All letters but X, which is not in Unicode."""
    return {ord(lookup(f"LATIN LETTER SMALL CAPITAL {letter}")): letter for letter in ascii_uppercase if letter != "X"}


def neighbours() -> dict[str, set[str]]:
    """The pairs of Unicode's list, from both of their ends: the library does not keep which end is the prototype."""
    from confusable_homoglyphs.confusables import confusables_data  # a megabyte, read when the first name is

    near: dict[str, set[str]] = {}
    for text, others in confusables_data.items():
        near.setdefault(text.replace(MARK, ""), set()).update(other["c"].replace(MARK, "") for other in others)
    return near


def prototype_of(char: str, near: Mapping[str, Collection[str]], inside: Collection[str]) -> str:
    """The list is a set of stars with prototypes in their middle, since no character has two prototypes."""
    if len(near[char]) > 1:
        return char
    (other,) = near[char]
    if len(other) > 1 or len(near[other]) > 1:
        return other
    # Of a lone pair either could be the prototype; one that is part of longer prototypes has to be.
    return min(char, other, key=lambda one: (one not in inside, one))
