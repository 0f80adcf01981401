"""Deliberate bugs, each a small patch from outside: nothing in the program itself knows of them."""

from tools.bugs import people, storing, times
from tools.bugs.nodes import NODE_BUGS
from tools.bugs.referee import REFEREE_BUGS
from tools.bugs.switching import BUGS

__all__ = ["BUGS", "NODE_BUGS", "REFEREE_BUGS", "people", "storing", "times"]
