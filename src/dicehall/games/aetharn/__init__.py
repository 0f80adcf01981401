"""Aetharn: six dice, two to six seats, the first to bank 5000."""

from dicehall.games.aetharn.rules import Aetharn as GAME

__all__ = ["GAME"]
