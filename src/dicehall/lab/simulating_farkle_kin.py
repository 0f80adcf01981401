"""Which games are Farkle's kin, and what their views call what `simulating_farkle` has to tell apart."""

from __future__ import annotations

from typing import Any, NamedTuple

from dicehall.games.aetharn import state as aetharn
from dicehall.games.tenthousand import state as tenthousand


class Kin(NamedTuple):
    """Fields of a view, by what they show."""

    view: type[Any]
    held: str  # what is set aside
    order: str  # who came when
    thrown: tuple[str, ...]  # what beside the points matters to a throw


KIN = {
    "aetharn": Kin(aetharn.View, "held", "order", ("dice_left", "hot_dice_used")),
    "tenthousand": Kin(tenthousand.View, "locked", "round", ("dice_left",)),
}
