"""Mana, exactly: how often to send which unit so that nothing the other side does can gain by it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

from dicehall.core.game import AnyGame, Awaited, Over, Seat
from dicehall.games.mana.actions import Action, Pick
from dicehall.games.mana.rules import View
from dicehall.games.mana.state import other
from dicehall.games.mana.units import Army
from dicehall.solvers.answers import Estimate, Worth, share
from dicehall.solvers.mana_matrix import Mix, Solved, dot
from dicehall.solvers.mana_rounds import Rounds, Stand

READY = 6  # rounds that are solved while somebody waits
MOST = 24  # rounds that are solved at all
MATCHES = 64  # whose rounds are remembered


class ManaSolver:
    note = "exact"

    def chance(self, view: View, awaits: Awaited, seat: Seat) -> Estimate:
        """Before the armies are shown both sides are equal; a pick that this view shows is reckoned with."""
        if isinstance(awaits, Over):
            return Estimate(share(awaits, seat))
        if view.units is None:
            return Estimate(0.5)
        for picker in (seat, other(seat)):
            pick = view.picks[picker]
            if pick is not None and view.picks[other(picker)] is None:
                mine = self.gets(view, picker)[pick]
                return Estimate(mine if picker == seat else 1 - mine)
        value = self.solved(view).value
        return Estimate(value if seat == 0 else 1 - value)

    def worths(self, view: View, seat: Seat, choices: Sequence[Action]) -> Sequence[Worth]:
        """What each pick gets if the other side keeps to its mix."""
        gets = self.gets(view, seat)
        return [Worth(pick, Estimate(gets[pick.unit])) for pick in choices if isinstance(pick, Pick)]

    def mix(self, view: View, seat: Seat) -> Mix:
        """How often to send which unit."""
        solved = self.solved(view)
        return solved.columns if seat else solved.rows

    def gets(self, view: View, seat: Seat) -> list[float]:
        rounds, stand = match_of(view)
        solved, matrix = rounds.at(stand), rounds.matrix(rounds.plain(*stand))
        if seat == 0:
            return [dot(row, solved.columns) for row in matrix]
        return [1 - dot(solved.rows, column) for column in zip(*matrix, strict=True)]

    def solved(self, view: View) -> Solved:
        rounds, stand = match_of(view)
        return rounds.at(stand)


def match_of(view: View) -> tuple[Rounds, Stand]:
    assert view.units is not None
    mine, theirs = view.units
    assert mine is not None
    assert theirs is not None
    lead, edge = view.wins[0] - view.wins[1], view.damage[0] - view.damage[1]
    return rounds_of(mine, theirs), Stand(view.last_round - len(view.rounds), lead, edge)


rounds_of: Callable[[Army, Army], Rounds] = lru_cache(maxsize=MATCHES)(Rounds)


def solver(
    game: AnyGame,
    seats: int,
    folder: Path | None = None,
    solve: bool = False,
    progress: Callable[[float], None] | None = None,
) -> ManaSolver | None:
    """Armies are drawn anew for every match, so nothing is kept on disk; long matches are solved only if asked."""
    rounds: int = getattr(game, "rounds", READY)
    return ManaSolver() if rounds <= (MOST if solve else READY) else None
