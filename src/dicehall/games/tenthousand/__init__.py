"""Dice 10 000: six dice, two to twelve seats, the first to earn 10 000."""

from dicehall.games.tenthousand.rules import TenThousand as GAME

__all__ = ["GAME"]
