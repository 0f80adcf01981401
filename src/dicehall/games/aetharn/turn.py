"""One turn of Aetharn: what lies on the table, and what may be done with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dicehall.core.game import Faces, Refused, Seat
from dicehall.games.aetharn.actions import Code
from dicehall.games.farkle import Positions

DICE = 6


@dataclass(frozen=True, slots=True)
class TurnState:
    """A turn that runs."""

    seat: Seat
    points: int = 0
    roll: Faces | None = None  # the current roll; None before the first, and while dice are in the air
    held: Positions = ()  # in the current roll
    dice_left: int = DICE
    hot_dice_used: int = 0
    rolling: bool = False

    @property
    def must_hold(self) -> bool:
        return self.roll is not None and not self.held

    @property
    def loose(self) -> Positions:
        """The dice of the current roll that are not held."""
        return tuple(at for at in range(len(self.roll or ())) if at not in self.held)


def thrown(turn: TurnState) -> TurnState:
    """Throw what is left, or all six again; hot dice are used up here, not by the hold (A8)."""
    hot = not turn.dice_left
    dice, used = (DICE, turn.hot_dice_used + 1) if hot else (turn.dice_left, turn.hot_dice_used)
    return TurnState(turn.seat, turn.points, dice_left=dice, hot_dice_used=used, rolling=True)


def why_no_roll(turn: TurnState, hot_dice: int) -> Refused | None:
    if turn.must_hold:
        return Refused(Code.MUST_HOLD, "Hold something from this roll before you roll again.")
    if not turn.dice_left and turn.hot_dice_used >= hot_dice:
        return Refused(
            Code.ONLY_BANK_LEFT, "You hold all six dice and have no hot-dice rerolls left, so you can only bank."
        )
    return None


def why_no_bank(turn: TurnState) -> Refused | None:
    if turn.roll is None:
        return Refused(Code.NOTHING_ROLLED, "There is nothing to bank before the first roll.")
    if turn.must_hold:
        return Refused(Code.MUST_HOLD, "Hold something from this roll before you bank.")
    return None


def named(turn: TurnState, dice: Sequence[int]) -> Faces:
    """The faces a hold names, by position (A4, A5)."""
    if turn.roll is None:
        raise Refused(Code.NOTHING_ROLLED, "There is nothing to hold before the first roll.")
    if not dice or len(set(dice)) < len(dice) or not set(dice) <= set(turn.loose):
        raise Refused(
            Code.BAD_INDEX, "Choose loose dice of the current roll by position, counting from 0, each only once."
        )
    return tuple(turn.roll[at] for at in sorted(dice))
