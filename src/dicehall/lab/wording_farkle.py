"""What the two Farkle games have in common, in words."""

from __future__ import annotations

from collections.abc import Iterable

from dicehall.core.game import Faces
from dicehall.lab.wording import Deed

ALL = 6  # dice


def at_stake(points: int, roll: Faces | None) -> str:
    """What a turn has gathered, and the roll that has to be answered."""
    told = [f"{points} at stake"] if points else []
    told += [f"a roll of {spaced(roll)}"] if roll else []
    return f" with {' and '.join(told)}" if told else ""


def kept(groups: Iterable[Iterable[int]], points: int) -> Deed:
    told = f"{' + '.join(spaced(sorted(group)) for group in groups)} for {points}"
    return Deed(f"kept {told}", f"keeping {told}", f"Keep {told}")


def rolled(dice: int, *, first: bool) -> Deed:
    if first:
        return Deed("rolled", "rolling", "Roll")
    told = "all six dice again" if dice == ALL else "the last die" if dice == 1 else f"the other {dice} dice"
    return Deed(f"rolled {told}", f"rolling {told}", f"Roll {told}")


def spaced(faces: Iterable[int]) -> str:
    return " ".join(map(str, faces))
