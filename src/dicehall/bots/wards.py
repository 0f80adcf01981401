"""Wards: one gathers twenty, one keeps pace and then races, one knows the table."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from dicehall.bots.best import Best
from dicehall.bots.levels import Bot, always
from dicehall.core.game import AnyGame, Seat
from dicehall.games.wards.rules import Action, View

ENOUGH = 20
PACE, CATCHING_UP = 21, 8  # gather 21, and a point more for every eight one is behind
LAST_LAP = 29  # from the goal: who lets the other roll from here may not roll again


def greedy(view: View, me: Seat, choices: Sequence[Action], chance: Random) -> Action:
    return Action.HOLD if wins(view, me) or view.round_score >= ENOUGH else Action.ROLL


def good(view: View, me: Seat, choices: Sequence[Action], chance: Random) -> Action:
    """Keep pace and end race (Neller and Presser, "Practical Play of the Dice Game Pig", 2010)."""
    mine, other = view.scores[me], view.scores[1 - me]
    racing = max(mine, other) >= view.goal - LAST_LAP
    enough = PACE + round((other - mine) / CATCHING_UP)
    return Action.HOLD if wins(view, me) or (not racing and view.round_score >= enough) else Action.ROLL


def wins(view: View, me: Seat) -> bool:
    return view.scores[me] + view.round_score >= view.goal


def exact(game: AnyGame) -> Bot:
    return Best(game, good, "good")


LEVELS = {"greedy": always(greedy), "good": always(good), "exact": exact}
