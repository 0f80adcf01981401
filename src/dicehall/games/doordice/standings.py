"""The ranking of a game of DO or DICE, with what decided each place (D9)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from dicehall.games.doordice.rules import View


class TieBreak(StrEnum):
    VP = "VP"
    HP = "HP"
    FALLEN_ROUNDS = "fallen rounds"
    DIE = "die"


@dataclass(frozen=True, slots=True)
class Ranked:
    place: int  # from 1; while the game runs equals share one
    player_id: int
    vp: int
    hp: int
    fallen_rounds_count: int
    decided_by: TieBreak | None  # what parts this place from the next, the last from the one before; None: nothing yet


def ranking(view: View) -> tuple[Ranked, ...]:
    """Best first."""
    ranked: list[Ranked] = []
    for at, equals in enumerate(view.ranking):
        other = view.ranking[at + 1] if at + 1 < len(view.ranking) else view.ranking[at - 1] if at else None
        decided = None if other is None else decided_by(view, equals[0], other[0])
        place = len(ranked) + 1
        for seat in equals:
            ranked.append(Ranked(place, seat, view.vp[seat], view.hp[seat], view.fallen_rounds[seat], decided))
    return tuple(ranked)


def decided_by(view: View, one: int, other: int) -> TieBreak:
    """The first thing in which two seats of different places differ."""
    compared = ((TieBreak.VP, view.vp), (TieBreak.HP, view.hp), (TieBreak.FALLEN_ROUNDS, view.fallen_rounds))
    return next((name for name, values in compared if values[one] != values[other]), TieBreak.DIE)
