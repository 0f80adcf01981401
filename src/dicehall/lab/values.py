"""What a position is worth to each seat, as the coach reckons it: with everybody at the table."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, TypeAlias

from dicehall.core.game import AnyGame, Attend, Over, Presence, Refused, Seat
from dicehall.solvers.answers import Estimate, Solver, Worth, share

Chances: TypeAlias = tuple[Estimate, ...]  # one for each seat

LEADER = "against the leader"


class Values:
    """The chances of all seats, asked of a solver once for each position."""

    def __init__(self, game: AnyGame, solver: Solver) -> None:
        self.game, self.solver = game, solver
        self.known: dict[Any, Chances] = {}

    @property
    def by_leader(self) -> bool:
        """Whether each seat is measured against the leader alone, so that chances do not add up to one."""
        return LEADER in self.solver.note

    def of(self, state: Any) -> Chances:
        if state not in self.known:
            here = everybody_here(self.game, state)
            self.known[state] = tuple(self.chance(here, Seat(seat)) for seat in range(self.game.count(state)))
        return self.known[state]

    def chance(self, state: Any, seat: Seat) -> Estimate:
        awaited = self.game.awaits(state)
        if isinstance(awaited, Over):
            return Estimate(share(awaited, seat))
        if self.game.barred(state, seat):  # everybody is here, so this seat is out for good
            return Estimate(0.0)
        return self.solver.chance(self.game.view(state, seat), awaited, seat)

    def worths(self, state: Any, seat: Seat) -> Sequence[Worth]:
        choices = self.game.choices(state, seat)
        return self.solver.worths(self.game.view(state, seat), seat, choices) if choices else ()


def everybody_here(game: AnyGame, state: Any) -> Any:
    """The position if everybody who is away came back at once; only some games know absence."""
    if not game.policy.grace:
        return state
    for seat in range(game.count(state)):
        with suppress(Refused):  # here already, or out for good
            state = game.step(state, Attend(Seat(seat), Presence.HERE)).state  # also while dice are in the air
    return state
