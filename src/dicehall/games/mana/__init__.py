"""Mana: two seats, eight units each, five rounds of picking blind and fighting."""

from dicehall.games.mana.rules import Mana as GAME

__all__ = ["GAME"]
