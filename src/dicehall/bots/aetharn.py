"""Hands at Aetharn; none of them ever folds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from dicehall.bots.best import Best
from dicehall.bots.farkle import Turns, stake, turns_for
from dicehall.bots.levels import Bot, always
from dicehall.core.game import AnyGame, Seat
from dicehall.games.aetharn.actions import Action, Hold, Word
from dicehall.games.aetharn.rules import Aetharn
from dicehall.games.aetharn.scoring import TABLE
from dicehall.games.aetharn.state import View

ENOUGH = (0, 150, 200, 300, 450, 1000, 10_000)  # by dice left: bank from here on (0: all six lie, so roll them again)


def greedy(view: View, me: Seat, choices: Sequence[Action], chance: Random) -> Action:
    """Holds the best it sees and banks what is worth keeping."""
    if view.must_hold:
        return max(holds(choices), key=lambda hold: worth(view, hold))
    if Word.BANK in choices and (Word.ROLL not in choices or content(view, me)):
        return Word.BANK
    return Word.ROLL


def calm(view: View, me: Seat, choices: Sequence[Action], chance: Random) -> Action:
    """Plays at random like its kin elsewhere, but stays at the table."""
    staying = [action for action in choices if action is not Word.FOLD]
    return chance.choice(staying)


def holds(choices: Sequence[Action]) -> list[Hold]:
    return [action for action in choices if isinstance(action, Hold)]


def worth(view: View, hold: Hold) -> tuple[int, int]:
    """Points first; of equals the one that leaves more dice."""
    roll = view.roll or ()
    return TABLE.points([roll[at] for at in hold.dice]), -len(hold.dice)


def content(view: View, me: Seat) -> bool:
    """Whether the turn's points are better kept than risked."""
    if view.scores[me] + view.turn_points >= view.goal:
        return True
    return view.dice_left > 0 and view.turn_points >= ENOUGH[view.dice_left]


@dataclass(frozen=True, slots=True)
class Good:
    """Plays every turn for the most points that it can expect."""

    game: Aetharn

    def __call__(self, view: View, me: Seat, choices: Sequence[Action], chance: Random) -> Action:
        turns = turns_for(self.game, stake(self.game.goal - view.scores[me], 0, self.game.hot_dice))
        if view.must_hold:
            return max(holds(choices), key=lambda hold: self.prospect(turns, view, hold))
        again = self.game.hot_dice - view.hot_dice_used
        if Word.BANK in choices and (Word.ROLL not in choices or turns.bank(view.turn_points, view.dice_left, again)):
            return Word.BANK
        return Word.ROLL

    def prospect(self, turns: Turns, view: View, hold: Hold) -> float:
        points = self.game.table.points([(view.roll or ())[at] for at in hold.dice])
        again = self.game.hot_dice - view.hot_dice_used
        return turns.worth(view.turn_points + points, view.dice_left - len(hold.dice), again)


def exact(game: AnyGame) -> Bot:
    return Best(game, good(game), "good")


def good(game: AnyGame) -> Bot:
    assert isinstance(game, Aetharn)
    return Good(game)


LEVELS = {"random": always(calm), "greedy": always(greedy), "good": good, "exact": exact}
