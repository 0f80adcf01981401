"""What a coach answers who is asked for a hint: the best choice, what each is worth, and how far to trust it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from dicehall.bots.levels import bots_for
from dicehall.core.game import AnyGame, Seat
from dicehall.solvers.answers import Solver, Worth
from dicehall.wire.actions import codec_of


@dataclass(frozen=True, slots=True)
class Advice:
    best: Any  # an action
    worths: tuple[Worth, ...]  # the best first; none where nobody worked them out
    note: str


def advise(game: AnyGame, solver: Solver | None, view: Any, seat: Seat, choices: Sequence[Any], seed: str) -> Advice:
    """From what a seat sees and may do. Where nothing is solved, what the best of the bots would do."""
    worths = solver.worths(view, seat, choices) if solver else ()
    if solver is None or not worths:
        level, bot = list(bots_for(game).items())[-1]
        return Advice(bot(view, seat, choices, Random(seed)), (), f"not solved: what a {level} bot would do")
    ranked = tuple(sorted(worths, key=lambda worth: -worth.chance.value))
    return Advice(ranked[0].action, ranked, solver.note)


def show_advice(game: AnyGame, advice: Advice) -> dict[str, Any]:
    """Advice as it stands on the wire."""
    codec = codec_of(type(game))
    worths = [{"move": codec.encode(worth.action), **show_chance(worth.chance)} for worth in advice.worths]
    return {"best": codec.encode(advice.best), "worths": worths, "note": advice.note}


def show_chance(chance: Any) -> dict[str, float]:
    return {"chance": chance.value, "stderr": chance.stderr}
