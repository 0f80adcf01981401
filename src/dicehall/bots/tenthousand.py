"""Hands at Dice 10 000."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from dicehall.bots.best import Best
from dicehall.bots.farkle import stake, turns_for
from dicehall.bots.levels import Bot, always
from dicehall.core.game import AnyGame, Seat
from dicehall.games.tenthousand.actions import Action, Lock, Word
from dicehall.games.tenthousand.rules import TenThousand
from dicehall.games.tenthousand.scoring import TABLE
from dicehall.games.tenthousand.state import View

ENOUGH = (10_000, 250, 300, 400, 600, 1500, 10_000)  # by dice left: yield from here on (0: six fresh ones are coming)


def greedy(view: View, me: Seat, choices: Sequence[Action], chance: Random) -> Action:
    """Locks the best it sees and yields what is worth keeping."""
    if view.must_lock:
        return max(locks(choices), key=worth)
    if Word.YIELD in choices and content(view, me):  # before the opening it is no choice at all (T7)
        return Word.YIELD
    return Word.ROLL


def locks(choices: Sequence[Action]) -> list[Lock]:
    return [action for action in choices if isinstance(action, Lock)]


def worth(lock: Lock) -> tuple[int, int]:
    """Points first; of equals the one that leaves more dice."""
    return sum(TABLE.worth[subset] for subset in lock.subsets), -sum(map(len, lock.subsets))


def content(view: View, me: Seat) -> bool:
    """Whether the turn's points are better kept than risked."""
    return view.scores[me] + view.turn_points >= view.goal or view.turn_points >= ENOUGH[view.dice_left]


@dataclass(frozen=True, slots=True)
class Good:
    """Plays every turn for the most points that it can expect."""

    game: TenThousand

    def __call__(self, view: View, me: Seat, choices: Sequence[Action], chance: Random) -> Action:
        score = view.scores[me]
        turns = turns_for(self.game, stake(self.game.goal - score, 0 if score else self.game.opening, None))
        if view.must_lock:
            points, left = view.turn_points, view.dice_left
            table = self.game.table.worth

            def prospect(lock: Lock) -> float:
                more = sum(table[subset] for subset in lock.subsets)
                return turns.worth(points + more, left - sum(map(len, lock.subsets)))

            return max(locks(choices), key=prospect)
        keep = Word.YIELD in choices and turns.bank(view.turn_points, view.dice_left)
        return Word.YIELD if keep else Word.ROLL


def good(game: AnyGame) -> Bot:
    assert isinstance(game, TenThousand)
    return Good(game)


def exact(game: AnyGame) -> Bot:
    return Best(game, good(game), "good")


LEVELS = {"greedy": always(greedy), "good": good, "exact": exact}
