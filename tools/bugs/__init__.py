"""Deliberate bugs, each a small patch from outside: nothing in the program itself knows of them."""

from tools.bugs import people, storing, times
from tools.bugs.switching import BUGS

__all__ = ["BUGS", "people", "storing", "times"]
