"""Playing games of DO or DICE to their end, quickly: greedy fighters, dice given from outside.

The rules are asked once for every small question (what an effect does to these points, whom one may aim at, what the
end of a turn brings) and their answers are remembered, so that nothing about them is written a second time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from dicehall.core.game import Seat
from dicehall.games.doordice.effects import Effect, resolves_itself
from dicehall.games.doordice.rules import DoOrDice
from dicehall.games.doordice.state import SEATS, State, targets
from dicehall.games.farkle.table import Remembered
from dicehall.solvers.doordice_greedy import glance

Mask: TypeAlias = int  # of the living, a bit for each seat
Future: TypeAlias = Sequence[float]  # a number from 0 to 6 per turn: its whole part is the face, the rest parts equals
Aims: TypeAlias = tuple[Seat, ...]


class Act(NamedTuple):
    """An effect by its number: numbers are looked up quicker than effects."""

    number: int
    aimed: bool


class Passed(NamedTuple):
    """What the end of a turn brings."""

    over: bool
    seat: Seat
    rounds: int  # 1 where a round ended
    vp: tuple[int, ...] | None  # to each seat; None where nothing changes
    fallen: tuple[int, ...]


class Playouts:
    def __init__(self, game: DoOrDice) -> None:
        self.game = game
        self.effects: list[Effect] = []
        self.faces = [[*map(self.face, table)] for table in (game.fallen, game.alive)]
        self.done: Remembered[tuple[int, int, bool, int, int, int], tuple[int, int, int]] = Remembered(self.ask_done)
        self.aims: Remembered[tuple[Mask, Seat, Seat | None], Aims] = Remembered(self.ask_aims)
        self.passed: Remembered[tuple[Mask, Seat, bool], Passed] = Remembered(self.ask_passed)
        self.glances: Remembered[tuple[int, int, int, int], int] = Remembered(self.ask_glance)

    def face(self, effects: tuple[Effect, ...]) -> tuple[tuple[Act, ...], bool]:
        self.effects += effects
        first = len(self.effects) - len(effects)
        return tuple(Act(first + at, effect.aimed) for at, effect in enumerate(effects)), resolves_itself(effects)

    def play(self, state: State, future: Future) -> State:
        """To the end, or to the end of the dice, from the beginning of a turn; only points and rounds are kept."""
        hp, vp, fallen, last = [*state.hp], [*state.vp], [*state.fallen_rounds], [*state.last_targets]
        living, number, seat, rounds = mask_of(state.hp), state.round, state.seat, self.game.rounds
        for chance in future:
            face = int(chance)
            alive = living >> seat & 1
            acts, itself = self.faces[alive][face]
            act, target = acts[0], None
            if not itself:
                act, target = self.choice(acts, self.aims[living, seat, last[seat]], hp, vp, alive, chance - face)
            whom = seat if target is None else target
            hp[whom], vp[whom], vp[seat] = self.done[act[0], alive, whom == seat, hp[whom], vp[whom], vp[seat]]
            last[seat] = target
            if hp[whom] <= 0:
                living &= ~(1 << whom)
            over, seat, more, bonus, fell = self.passed[living, seat, number >= rounds]
            if bonus is not None:
                vp = [had + got for had, got in zip(vp, bonus, strict=True)]
                fallen = [had + got for had, got in zip(fallen, fell, strict=True)]
            if over:
                break
            number += more
        return State(tuple(hp), tuple(vp), tuple(fallen), round=number)

    def choice(
        self, acts: tuple[Act, ...], aims: Aims, hp: list[int], vp: list[int], alive: int, chance: float
    ) -> tuple[Act, Seat | None]:
        """What the greedy bot would choose; equals are parted by chance."""
        best: list[tuple[Act, Seat | None]] = []
        most, glances = -1_000_000_000, self.glances
        for act in acts:
            for target in aims if act[1] else (None,):
                worth = (
                    glances[act[0], 0, 0, alive] if target is None else glances[act[0], hp[target], vp[target], alive]
                )
                if worth > most:
                    most, best = worth, [(act, target)]
                elif worth == most:
                    best.append((act, target))
        return best[int(chance * len(best))]

    def ask_done(self, asked: tuple[int, int, bool, int, int, int]) -> tuple[int, int, int]:
        """Points of whom it is done to, and victory points of who does it, after an effect."""
        number, alive, myself, hp, vp, mine = asked
        effect, whom = self.effects[number], SEATS[0 if myself else 1]
        state = State((hp if myself else alive, hp, 1, 1, 1), (mine, vp, 0, 0, 0))
        after, _ = self.game.do(state, effect, whom if effect.aimed else None)
        return after.hp[whom], after.vp[whom], after.vp[SEATS[0]]

    def ask_aims(self, asked: tuple[Mask, Seat, Seat | None]) -> Aims:
        living, seat, spared = asked
        last = tuple(spared if other == seat else None for other in SEATS)
        return targets(State(health_of(living), last_targets=last, seat=seat))

    def ask_passed(self, asked: tuple[Mask, Seat, bool]) -> Passed:
        living, seat, last = asked
        state = State(health_of(living), round=self.game.rounds if last else 0, seat=seat)
        after = self.game.pass_on(state).state
        changed = any(after.vp + after.fallen_rounds)
        more = after.round - state.round
        return Passed(bool(after.places), after.seat, more, after.vp if changed else None, after.fallen_rounds)

    def ask_glance(self, asked: tuple[int, int, int, int]) -> int:
        number, hp, vp, alive = asked
        return glance(self.effects[number].name, self.effects[number].aimed, hp, vp, bool(alive))


def mask_of(hp: Sequence[int]) -> Mask:
    return sum((points > 0) << seat for seat, points in enumerate(hp))


def health_of(living: Mask) -> tuple[int, ...]:
    return tuple(living >> seat & 1 for seat in SEATS)
