"""DO or DICE: five seats, one die each a round, and the fallen haunt the living."""

from dicehall.games.doordice.rules import DoOrDice as GAME

__all__ = ["GAME"]
