"""Bots that other processes can import, for tests: each looks at something of its own."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from dicehall.core.game import Seat
from dicehall.games.wards.rules import Action, View

NOTE = "DICEHALL_TEST_NOTE"
ENOUGH = 8  # little, so that every way through a turn can be walked


def gathers(view: View, me: Seat, enough: int) -> Action:
    return Action.HOLD if view.round_score >= enough or view.scores[me] + view.round_score >= view.goal else Action.ROLL


def own_score(view: View, me: Seat, choices: Sequence[Action], chance: Random) -> Action:
    return gathers(view, me, ENOUGH)


def both_scores(view: View, me: Seat, choices: Sequence[Action], chance: Random) -> Action:
    mine, theirs = sorted(view.scores) if view.scores[me] < max(view.scores) else sorted(view.scores, reverse=True)
    return gathers(view, me, ENOUGH + (theirs - mine) // 4)


def last_roll(view: View, me: Seat, choices: Sequence[Action], chance: Random) -> Action:
    return gathers(view, me, 7 if view.last_roll == 6 else 12)


def last_roll_near_the_end(view: View, me: Seat, choices: Sequence[Action], chance: Random) -> Action:
    return last_roll(view, me, choices, chance) if view.scores[me] > 60 else own_score(view, me, choices, chance)


def whole_view(view: View, me: Seat, choices: Sequence[Action], chance: Random) -> Action:
    return gathers(view, me, 8 + hash(view) % 5)


def chancy(view: View, me: Seat, choices: Sequence[Action], chance: Random) -> Action:
    return gathers(view, me, chance.choice((7, 9)))


def thinks_for_ever(view: Any, me: Seat, choices: Sequence[Any], chance: Random) -> Any:
    """Leaves a note that it has begun."""
    Path(os.environ[NOTE]).touch()
    while True:
        pass


def never_holds(view: View, me: Seat, choices: Sequence[Action], chance: Random) -> Action:
    return Action.ROLL
