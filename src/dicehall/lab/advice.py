"""What a coach answers who is asked for a hint: the best choice, what each is worth, and how far to trust it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from dicehall.bots.levels import bots_for, plays_as
from dicehall.core.game import Seat
from dicehall.lab.solved import solver_ready
from dicehall.solvers.answers import Worth
from dicehall.wire.bot_levels import level_name

NOTHING = 1e-9  # a chance below this is none


@dataclass(frozen=True, slots=True)
class Advice:
    best: Any  # an action
    worths: tuple[Worth, ...]  # the best first; none where these house rules are not solved
    note: str


def advise(game: Any, seats: int, view: Any, seat: Seat, choices: Sequence[Any], seed: str) -> Advice:
    """From what a seat sees and may do. Where nothing is solved, what the best of the bots would do."""
    solver = solver_ready(game, seats)
    worths = solver.worths(view, seat, choices) if solver else ()
    if solver is None or not worths:
        level, bot = list(bots_for(game).items())[-1]
        note = f"not solved; this is what a {level_name(plays_as(game, level, seats))} bot would do"
        return Advice(bot(view, seat, choices, Random(seed)), (), note)
    ranked = tuple(sorted(worths, key=lambda worth: (-worth.chance.value, -(worth.often or 0.0))))
    return Advice(chosen(ranked, Random(seed)), ranked, noted(solver.note, ranked[0]))


def chosen(ranked: Sequence[Worth], chance: Random) -> Any:
    """The best choice; where perfect play mixes, one drawn from the mix, so that nobody can foresee the advice."""
    if ranked[0].often is None:
        return ranked[0].action
    (drawn,) = chance.choices(ranked, [worth.often or 0.0 for worth in ranked])
    return drawn.action


def noted(note: str, best: Worth) -> str:
    """How far to trust it, and where nothing can be lost any more, that."""
    if best.chance.stderr == 0.0 and best.chance.value < NOTHING:
        return f"{note}; the position is lost against perfect play, so this hopes for a mistake"
    return note
