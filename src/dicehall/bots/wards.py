"""A greedy ward: gathers twenty, then holds."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from dicehall.core.game import Seat
from dicehall.games.wards.rules import Action, View

ENOUGH = 20


def greedy(view: View, me: Seat, choices: Sequence[Action], chance: Random) -> Action:
    wins = view.scores[me] + view.round_score >= view.goal
    return Action.HOLD if wins or view.round_score >= ENOUGH else Action.ROLL


LEVELS = {"greedy": greedy}
