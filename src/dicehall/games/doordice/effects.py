"""What the faces do: one table for the living, one for the fallen (D2, D3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Effect:
    """A change of hit points or victory points, to a target if it is aimed, else to oneself."""

    name: str
    hp: int = 0
    vp: int = 0
    aimed: bool = True
    stolen: bool = False  # what the target loses in VP goes to who took it


FaceTable: TypeAlias = tuple[tuple[Effect, ...], ...]  # for each face from 1 the effects one may choose from

BACKFIRE = Effect("backfire", hp=-3, aimed=False)
JAB = Effect("jab", hp=-2)
PICKPOCKET = Effect("pickpocket", vp=-1, stolen=True)
STRIKE = Effect("strike", hp=-4)
RECOVER = Effect("recover", hp=3, aimed=False)
POWER_DAMAGE = Effect("power_damage", hp=-6)
POWER_VP = Effect("power_vp", vp=3, aimed=False)
VOID = Effect("void", aimed=False)
GIVE_HP = Effect("give_hp", hp=2)
GIVE_VP = Effect("give_vp", vp=1)
TAKE_HP = Effect("take_hp", hp=-2)
TAKE_VP = Effect("take_vp", vp=-1)

ALIVE: FaceTable = ((BACKFIRE,), (JAB,), (PICKPOCKET,), (STRIKE,), (RECOVER,), (POWER_DAMAGE, POWER_VP))
GOOD_HAUNT = (GIVE_HP, GIVE_VP)
BAD_HAUNT = (TAKE_HP, TAKE_VP)
FALLEN: FaceTable = ((VOID,), (VOID,), GOOD_HAUNT, GOOD_HAUNT, BAD_HAUNT, BAD_HAUNT)


def choosable(*tables: FaceTable) -> frozenset[str]:
    """The names of all effects that some face lets one choose."""
    return frozenset(effect.name for table in tables for face in table if not resolves_itself(face) for effect in face)


def resolves_itself(effects: tuple[Effect, ...]) -> bool:
    """Whether a face leaves nothing to choose (C7)."""
    return len(effects) == 1 and not effects[0].aimed
