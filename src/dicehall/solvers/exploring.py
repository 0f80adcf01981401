"""Walking through one turn with a game's own rules: what every throw can lead to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from math import gcd
from typing import Any, NamedTuple, TypeAlias

from dicehall.core.game import Dice, Faces, Move, Over, Roll, Turn
from dicehall.solvers.race import ME, Race, Unsolvable
from dicehall.solvers.throws import throws_of

MOST_KINDS = 300
ENOUGH = 10**15  # points with which banking is allowed if it ever is


class Gain(NamedTuple):
    """The points that can be gathered on the way to one kind of throw."""

    least: int
    most: int


ONLY_BANK = "only banking is left"
Ends: TypeAlias = Mapping[Hashable, Gain]  # by the kind that would be thrown next, or ONLY_BANK


@dataclass
class Throw:
    """All that a throw of one kind can come to."""

    lowest: int  # the least points it is made with
    bust: int  # in how many ways the turn is lost
    classes: Counter[tuple[tuple[Hashable, int], ...]]  # ends with their most points -> in how many ways


@dataclass
class Explorer:
    race: Race[Any]
    seen: dict[Hashable, Ends] = field(default_factory=dict)  # by sight
    thrown: dict[Hashable, Any] = field(default_factory=dict)  # by kind: a position with these dice in the air
    rested: Any = None  # a position in which throwing and, with enough points, banking is allowed
    unit: int = 0  # divides all points that were seen

    def ends(self, state: Any) -> Ends:
        """Every throw, or none, that a seat can get to by setting dice aside from here, with what it gathers."""
        sight = self.race.sight(state)
        if sight not in self.seen:
            self.seen[sight] = dict(self.look(state))
        return self.seen[sight]

    def look(self, state: Any) -> Ends:
        game, found = self.race.game, dict[Hashable, Gain]()
        choices = game.choices(state, ME)
        if self.race.roll in choices:
            self.rested = self.rested or state
            found[self.throw(game.step(state, Move(ME, self.race.roll)).state)] = Gain(0, 0)
        elif self.race.bank in game.choices(self.race.holding(state, (0, 0), ENOUGH), ME):
            found[ONLY_BANK] = Gain(0, 0)
        for lock in self.race.locks(state, choices):
            for kind, gain in self.following(state, game.step(state, Move(ME, lock)).state).items():
                add(found, kind, gain)
        return found

    def following(self, before: Any, after: Any) -> Ends:
        """The ends of a position as seen from the one before it."""
        more = self.race.points(after) - self.race.points(before)
        self.unit = gcd(self.unit, more)
        return {kind: Gain(gain.least + more, gain.most + more) for kind, gain in self.ends(after).items()}

    def throw(self, state: Any) -> Hashable:
        kind = self.race.kind(state)
        self.thrown.setdefault(kind, state)
        return kind

    def outcome(self, state: Any, faces: Faces) -> Ends:
        """What a throw offers; nothing where it loses the turn."""
        game = self.race.game
        after = game.step(state, Roll(faces)).state
        if game.awaits(after) == Turn(frozenset({ME})):
            return self.following(state, after)
        if after.scores != state.scores:
            raise Unsolvable("A lost turn that costs points cannot be solved.")
        return {}

    def bust(self, state: Any) -> float:
        """The chance that the dice in the air lose the turn."""
        falls = [(ways, self.outcome(state, faces)) for faces, ways in multisets(self.race.game.awaits(state))]
        return sum(ways for ways, ends in falls if not ends) / sum(ways for ways, _ in falls)

    def first(self) -> Hashable:
        """The first throw of a turn."""
        begin = self.race.begin((0, 0))
        return self.throw(self.race.game.step(begin, Move(ME, self.race.roll)).state)

    def rest(self) -> Any:
        """A position in a turn in which its points may be banked, if they are enough."""
        first = self.thrown[self.first()]
        for faces, _ in multisets(self.race.game.awaits(first)):
            self.outcome(first, faces)
            if self.rested is not None:
                return self.rested
        raise Unsolvable("No first throw of this game leads on.")

    def throws(self, horizon: int) -> dict[Hashable, Throw]:
        """Every kind of throw that a turn below so many points can come to, the first one first."""
        lowest = {self.first(): 0}
        found: dict[Hashable, Throw] = {}
        while open_kinds := [kind for kind in lowest if kind not in found and lowest[kind] < horizon]:
            if len(found) == MOST_KINDS:
                raise Unsolvable(
                    f"A turn of these rules has more than {MOST_KINDS} kinds of throws: too many to solve."
                )
            kind = min(open_kinds, key=lambda kind: lowest[kind])
            found[kind] = throw = Throw(lowest[kind], 0, Counter())
            for faces, ways in multisets(self.race.game.awaits(self.thrown[kind])):
                ends = self.outcome(self.thrown[kind], faces)
                if not ends:
                    throw.bust += ways
                    continue
                throw.classes[tuple((after, gain.most) for after, gain in ends.items())] += ways
                for after, gain in ends.items():
                    if gain.least < 1:
                        raise Unsolvable("A throw that adds nothing to a turn makes it endless.")
                    lowest[after] = min(lowest.get(after, horizon), lowest[kind] + gain.least)
            lowest.pop(ONLY_BANK, None)
        return found


def add(found: dict[Hashable, Gain], kind: Hashable, gain: Gain) -> None:
    known = found.get(kind, gain)
    found[kind] = Gain(min(known.least, gain.least), max(known.most, gain.most))


def multisets(awaited: Dice | Turn | Over) -> Iterator[tuple[Faces, int]]:
    """Every throw that can be awaited, with the number of ways it falls in."""
    if not isinstance(awaited, Dice) or len(set(awaited.sides)) != 1:
        raise Unsolvable("Only throws of like dice can be solved.")
    return throws_of(len(awaited.sides), awaited.sides[0])
