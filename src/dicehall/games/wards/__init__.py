"""Dice Wards: two seats, one die, the first to hold 100."""

from dicehall.games.wards.rules import Wards as GAME

__all__ = ["GAME"]
