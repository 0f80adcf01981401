"""The coach's ledger: every change of a seat's chance, entered under luck, play, clock or what is left over.

For each seat and each line   after - before = luck + play + clock + rest,   so over a whole game
result = start + luck + play + clock + rest. In an exact game of two seats the rest is nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from dicehall.core.fold import play
from dicehall.core.game import Dice, Expired, Move, Refused, Roll, Seat, Turn
from dicehall.lab.decisions import Decision, decide
from dicehall.lab.moments import Course, Moment
from dicehall.lab.values import Chances, Values, everybody_here

Changes: TypeAlias = tuple[tuple[float, float], ...]  # for each seat: by the moment itself, and by absences
Kind: TypeAlias = Literal["roll", "decision", "expired", "attend"]


@dataclass(frozen=True, slots=True)
class Part:
    """What one line did to the chance of one seat."""

    luck: float = 0.0  # dice, and how picks made at the same time met
    play: float = 0.0  # less one's own losses, and those of the others gained
    clock: float = 0.0  # time that ran out, absences, removals
    rest: float = 0.0  # what a view of two seats, or rollouts, cannot explain


@dataclass(frozen=True, slots=True)
class Line:
    moment: Moment
    kind: Kind
    seat: Seat | None  # whose roll, decision or time it was; nobody's where seats or armies are drawn
    before: Chances
    after: Chances
    parts: tuple[Part, ...]
    decision: Decision | None = None

    def swing(self, seat: Seat) -> float:
        return self.after[seat].value - self.before[seat].value


@dataclass(slots=True)
class Ledger:
    course: Course
    values: Values
    unseen: dict[Seat, float] = field(default_factory=dict)  # losses of who chose in an open round, by seat

    def lines(self) -> Iterator[Line]:
        for moment in self.course.moments:
            match moment.entry:
                case Roll():
                    yield self.rolled(moment)
                case Move(seat):
                    if moment.before != moment.after:  # a commitment shows nothing yet
                        yield self.moved(moment, seat)
                case _:
                    yield self.by_clock(moment)

    def rolled(self, moment: Moment) -> Line:
        awaited = self.course.game.awaits(moment.before)
        by = min(awaited.by, default=None) if isinstance(awaited, Dice) else None
        before, fair, after = self.chances(moment)
        parts = []
        for seat, (change, clock) in enumerate(changes(before, fair, after)):
            others = self.values.by_leader and by not in (None, seat)
            parts.append(Part(clock=clock, rest=change) if others else Part(luck=change, clock=clock))
        return Line(moment, "roll", by, before, after, tuple(parts))

    def by_clock(self, moment: Moment) -> Line:
        before, after = self.values.of(moment.before), self.values.of(moment.after)
        parts = tuple(Part(clock=then.value - now.value) for now, then in zip(before, after, strict=True))
        if moment.before != moment.after:  # the round in which somebody had chosen is over
            self.unseen.clear()
        assert not isinstance(moment.entry, Roll)
        kind: Kind = "expired" if isinstance(moment.entry, Expired) else "attend"
        return Line(moment, kind, moment.entry.seat, before, after, parts)

    def moved(self, moment: Moment, seat: Seat) -> Line:
        before, fair, after = self.chances(moment)
        decision = decide(self.values, moment, seat, before[seat], fair[seat])
        changed = changes(before, fair, after)
        parts = self.together(moment, seat, decision.loss, changed) or tuple(
            self.part(Seat(other), seat, decision.loss, *change) for other, change in enumerate(changed)
        )
        return Line(moment, "decision", seat, before, after, parts, decision)

    def part(self, seat: Seat, mover: Seat, loss: float, change: float, clock: float) -> Part:
        """A seat's share of a decision that everybody sees."""
        if seat == mover:
            return Part(play=-loss, clock=clock, rest=change + loss)
        if self.values.by_leader:
            return Part(clock=clock, rest=change)
        if len(self.course.names) > 2:  # whom of several a loss goes to is what it did
            return Part(play=change, clock=clock)
        return Part(play=loss, clock=clock, rest=change - loss)

    def together(self, moment: Moment, mover: Seat, loss: float, changed: Changes) -> tuple[Part, ...]:
        """The shares of a choice that others make at the same time: how the choices meet is luck. Else nothing."""
        awaited, then = self.course.game.awaits(moment.before), self.course.game.awaits(moment.after)
        if isinstance(awaited, Turn) and len(awaited.seats) > 1 and isinstance(then, Turn):
            self.unseen[mover] = loss
            return tuple(
                Part(play=-loss, clock=clock, rest=change + loss) if seat == mover else Part(clock=clock, rest=change)
                for seat, (change, clock) in enumerate(changed)
            )
        if not self.unseen:
            return ()
        given = sum(self.unseen.values())
        shares = [given - loss if seat == mover else loss for seat in range(len(changed))]
        self.unseen.clear()
        return tuple(
            Part(luck=change - share, play=share, clock=clock)
            for share, (change, clock) in zip(shares, changed, strict=True)
        )

    def chances(self, moment: Moment) -> tuple[Chances, Chances, Chances]:
        """Before, after if everybody had been here, and after: between the last two lies neither luck nor skill."""
        game, before, after = self.course.game, self.values.of(moment.before), self.values.of(moment.after)
        here = everybody_here(game, moment.before)
        if here == moment.before:
            return before, after, after
        try:
            return before, self.values.of(play(game, here, moment.entry).state), after
        except Refused:
            return before, after, after


def changes(before: Chances, fair: Chances, after: Chances) -> Changes:
    return tuple((f.value - b.value, a.value - f.value) for b, f, a in zip(before, fair, after, strict=True))
