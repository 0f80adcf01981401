"""Mana, exactly: how often to send which unit so that nothing the other side does can gain by it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from dicehall.core.game import AnyGame, Awaited, Over, Seat
from dicehall.games.mana.actions import Action, Pick
from dicehall.games.mana.rules import View
from dicehall.games.mana.state import other
from dicehall.games.mana.units import UNITS, Army
from dicehall.solvers.answers import Estimate, Worth, share
from dicehall.solvers.mana_matrix import Matrix, Mix, Solved, dot
from dicehall.solvers.mana_once import MEMBERS, UnitsOnce, without
from dicehall.solvers.mana_rounds import Rounds, Stand

READY = 6  # rounds that are solved while somebody waits
MOST = 24  # rounds that are solved at all
READY_ONCE = 5  # the same where every unit fights once: a quarter of a second for the first pick of a match
MOST_ONCE = UNITS  # some seconds
MATCHES = 64  # whose rounds are remembered
MATCHES_ONCE = 16  # of some megabytes each


@dataclass(frozen=True, slots=True)
class OpenRound:
    """The round in which a match stands: the units each side can send, what they get, and the best mixes."""

    units: tuple[Sequence[int], Sequence[int]]
    matrix: Matrix  # what seat 0 gets
    solved: Solved

    def gets(self, seat: Seat) -> dict[int, float]:
        """What each unit of a seat gets if the other side keeps to its mix."""
        if seat == 0:
            found = [dot(row, self.solved.columns) for row in self.matrix]
        else:
            found = [1 - dot(self.solved.rows, column) for column in zip(*self.matrix, strict=True)]
        return dict(zip(self.units[seat], found, strict=True))

    def mix(self, seat: Seat) -> dict[int, float]:
        return dict(zip(self.units[seat], self.solved.columns if seat else self.solved.rows, strict=True))


@dataclass(frozen=True, slots=True)
class ManaSolver:
    fight_once: bool = False
    note: str = "exact"

    def chance(self, view: View, awaits: Awaited, seat: Seat) -> Estimate:
        """Before the armies are shown both sides are equal; a pick that this view shows is reckoned with."""
        if isinstance(awaits, Over):
            return Estimate(share(awaits, seat))
        if view.units is None:
            return Estimate(0.5)
        for picker in (seat, other(seat)):
            pick = view.picks[picker]
            if pick is not None and view.picks[other(picker)] is None:
                mine = self.open_round(view).gets(picker)[pick]
                return Estimate(mine if picker == seat else 1 - mine)
        value = self.open_round(view).solved.value
        return Estimate(value if seat == 0 else 1 - value)

    def worths(self, view: View, seat: Seat, choices: Sequence[Action]) -> Sequence[Worth]:
        """What each pick gets if the other side keeps to its mix."""
        now = self.open_round(view)
        gets, mix = now.gets(seat), now.mix(seat)
        picks = [pick for pick in choices if isinstance(pick, Pick)]
        return [Worth(pick, Estimate(gets[pick.unit]), mix[pick.unit]) for pick in picks]

    def rougher(self) -> None:
        """There is none: answers are exact."""

    def mix(self, view: View, seat: Seat) -> Mix:
        """How often to send which unit."""
        mix = self.open_round(view).mix(seat)
        return tuple(mix.get(unit, 0.0) for unit in range(UNITS))

    def open_round(self, view: View) -> OpenRound:
        assert view.units is not None
        mine, theirs = view.units
        assert mine is not None
        assert theirs is not None
        left = view.last_round - len(view.rounds)
        lead, edge = view.wins[0] - view.wins[1], view.damage[0] - view.damage[1]
        if self.fight_once:
            return once(units_once(mine, theirs, view.last_round), view, lead, edge)
        rounds, stand = rounds_of(mine, theirs), Stand(left, lead, edge)
        every = range(len(mine)), range(len(theirs))
        return OpenRound(every, rounds.matrix(rounds.plain(*stand)), rounds.at(stand))


def once(match: UnitsOnce, view: View, lead: int, edge: int) -> OpenRound:
    mine, theirs = without(view.spent[0]), without(view.spent[1])
    return OpenRound((MEMBERS[mine], MEMBERS[theirs]), *match.at(mine, theirs, lead, edge))


rounds_of: Callable[[Army, Army], Rounds] = lru_cache(maxsize=MATCHES)(Rounds)
units_once: Callable[[Army, Army, int], UnitsOnce] = lru_cache(maxsize=MATCHES_ONCE)(UnitsOnce)


def solver(
    game: AnyGame,
    seats: int,
    folder: Path | None = None,
    solve: bool = False,
    progress: Callable[[float], None] | None = None,
) -> ManaSolver | None:
    """Armies are drawn anew for every match, so nothing is kept on disk; long matches are solved only if asked."""
    rounds, fight_once = getattr(game, "rounds", READY), bool(getattr(game, "fight_once", 0))
    ready, most = (READY_ONCE, MOST_ONCE) if fight_once else (READY, MOST)
    return ManaSolver(fight_once) if rounds <= (most if solve else ready) else None
