"""One decision, judged: what was chosen, what every alternative was worth, and what the choice cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dicehall.core.game import AnyGame, Move, Seat
from dicehall.lab.moments import Moment
from dicehall.lab.values import Values, everybody_here
from dicehall.solvers.answers import Estimate, Worth, difference_stderr

NOTHING = 1e-9  # a loss below this is none: numbers of a computer have so many places
CLEAR = 2  # standard errors by which a loss has to stand out
CONTESTED = 0.01  # of a game: choices that differ by less are all the same to a grade


@dataclass(frozen=True, slots=True)
class Decision:
    action: Any  # what was chosen
    chosen: Estimate
    best: Worth | None  # None where nothing else could be chosen, or is known
    worths: Sequence[Worth]
    loss: float
    stderr: float  # of the loss
    real: bool  # whether there was more to choose from than one move, leaving the game not counted
    stake: float = 0.0  # what a choice at random would have cost on average; 0 unless the decision was contested

    @property
    def clear(self) -> bool:
        """Whether the loss stands out of the noise; an exact one does."""
        return self.loss > max(NOTHING, CLEAR * self.stderr)


def decide(values: Values, moment: Moment, seat: Seat, before: Estimate, after: Estimate) -> Decision:
    """Judge a move; one out of turn, as leaving a game is, costs what it changed."""
    assert isinstance(moment.entry, Move)
    action, game = moment.entry.action, values.game
    worths = values.worths(everybody_here(game, moment.before), seat)
    if not worths:
        loss = max(0.0, before.value - after.value)
        return Decision(action, after, None, (), loss, before.stderr, real=loss > 0)
    return judged(game, action, worths, after)


def judged(game: AnyGame, action: Any, worths: Sequence[Worth], after: Estimate) -> Decision:
    """A choice among others whose worths are known; *after* is its own where it is not among them."""
    chosen = next((worth.chance for worth in worths if worth.action == action), after)
    staying = [worth for worth in worths if not game.anytime(worth.action)]
    best = max(worths, key=lambda worth: worth.chance.value)
    loss = max(0.0, best.chance.value - chosen.value)
    stderr = difference_stderr(best.chance, chosen) if loss else 0.0
    real = len(staying) > 1 or game.anytime(action)
    return Decision(action, chosen, best, worths, loss, stderr, real, stake_of(staying))


def stake_of(staying: Sequence[Worth]) -> float:
    """What choosing at random costs where the choices really differ; leaving the game is no choice to compare with."""
    if len(staying) < 2:
        return 0.0
    best = max(staying, key=lambda worth: worth.chance.value).chance
    worst = min(staying, key=lambda worth: worth.chance.value).chance
    if best.value - worst.value <= max(CONTESTED, CLEAR * difference_stderr(best, worst)):
        return 0.0
    return best.value - sum(worth.chance.value for worth in staying) / len(staying)
