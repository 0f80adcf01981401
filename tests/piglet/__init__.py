"""A sixth game that only the tests know: it shows that a game needs no edit outside its own folder."""

from tests.piglet.rules import Piglet as GAME

__all__ = ["GAME"]
