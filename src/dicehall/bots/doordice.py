"""Fighters at DO or DICE: one goes by what it sees at a glance, one plays every choice out many times."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from dicehall.bots.best import Best
from dicehall.bots.levels import Bot, always
from dicehall.core.game import AnyGame, Seat
from dicehall.games.doordice.rules import Action, Choose, View, Word
from dicehall.solvers.doordice_greedy import glance


def greedy(view: View, me: Seat, choices: Sequence[Action], chance: Random) -> Action:
    """Fells who can be felled, takes points where they lie, and hits whoever leads."""
    aims = [action for action in choices if isinstance(action, Choose)]
    return max(aims, key=lambda choice: (worth(view, me, choice), chance.random())) if aims else Word.ROLL


def worth(view: View, me: Seat, choice: Choose) -> int:
    alive, target = view.hp[me] > 0, choice.target
    if target is None:
        return glance(choice.effect, False, 0, 0, alive)
    return glance(choice.effect, True, view.hp[target], view.vp[target], alive)


def good(game: AnyGame) -> Bot:
    """What wins most often when everybody is greedy from there on, with the same dice for every choice."""
    return Best(game, greedy, "greedy", "good")


LEVELS = {"greedy": always(greedy), "good": good}
