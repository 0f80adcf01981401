"""DO or DICE by playouts: every option meets the same dice, and whoever falls behind for certain is left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import sqrt
from pathlib import Path
from random import Random

from dicehall.core.game import AnyGame, Awaited, Dice, Move, Over, Seat
from dicehall.games.doordice.rules import Action, DoOrDice, View, Word
from dicehall.games.doordice.state import SEATS, State, standing
from dicehall.solvers.answers import Estimate, Worth, share
from dicehall.solvers.doordice_playouts import Future, Playouts

TURNS = 60_000  # that are played out for one decision: about a third of a second
BATCHES = 12  # after each, options that are clearly worse are left out
CLEARLY = 3.0  # standard errors
HORIZON = 30  # rounds that a playout looks ahead, then whoever leads has won: house rules can make endless games
GAMES = 8  # whose playouts are remembered
POSITIONS = 64  # of a game, for who asks about the same one for every seat


class Option:
    """What came of the playouts of one choice, in the order of the dice."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.shares: list[tuple[float, ...]] = []  # of the first place, by seat

    def estimate(self, seat: Seat) -> Estimate:
        got = [shared[seat] for shared in self.shares]
        return Estimate(*mean(got))

    def behind(self, other: Option, seat: Seat) -> bool:
        """Whether a seat is clearly worse off than with the other, on the dice that both have met."""
        lost = [theirs[seat] - mine[seat] for mine, theirs in zip(self.shares, other.shares, strict=False)]
        less, stderr = mean(lost)
        return less > CLEARLY * stderr


class DoOrDiceSolver:
    note = "rollouts"

    def __init__(self, game: DoOrDice, turns: int = TURNS) -> None:
        self.game, self.turns = game, turns
        self.playouts = Playouts(game)
        self.tried: Callable[[View, Seat, Sequence[Action]], list[Option]] = lru_cache(POSITIONS)(self.play_out)

    def chance(self, view: View, awaits: Awaited, seat: Seat) -> Estimate:
        """Where a choice is due, after the one that is best for who has to choose."""
        if isinstance(awaits, Over):
            return Estimate(share(awaits, seat))
        if isinstance(awaits, Dice) and not awaits.by:  # all who are equal have the same chance (D9)
            first = view.ranking[0]
            return Estimate(1 / len(first) if seat in first else 0.0)
        mover = min(awaits.by if isinstance(awaits, Dice) else awaits.seats)
        state = state_of(view, mover)
        choices = self.game.choices(state, mover)
        options = self.tried(view, mover, choices)
        best = max(options, key=lambda option: option.estimate(mover).value)
        return best.estimate(seat)

    def worths(self, view: View, seat: Seat, choices: Sequence[Action]) -> Sequence[Worth]:
        options = self.tried(view, seat, tuple(choices))
        return [Worth(choice, option.estimate(seat)) for choice, option in zip(choices, options, strict=True)]

    def play_out(self, view: View, mover: Seat, choices: Sequence[Action]) -> list[Option]:
        """Play out what follows each choice: the same view always meets the same dice."""
        before = state_of(view, mover)
        options = [Option(self.chosen(before, mover, choice)) for choice in choices]
        ahead = self.ahead(view)
        chance = Random(f"{view} {mover}")
        games, still = max(BATCHES * 2, self.turns // ahead), options
        for _ in range(BATCHES):
            for _ in range(max(2, games // (BATCHES * len(still)))):
                future = [chance.random() * 6 for _ in range(ahead)]
                for option in still:
                    option.shares.append(self.outcome(option.state, future))
            best = max(still, key=lambda option: option.estimate(mover).value)
            still = [option for option in still if not option.behind(best, mover)]
        return options

    def ahead(self, view: View) -> int:
        """The most turns that a playout looks at."""
        return min(self.game.rounds - view.round + 1, HORIZON) * len(SEATS)

    def chosen(self, state: State, seat: Seat, choice: Action) -> State:
        """The position after a choice; to roll is the position before it, as dice come from the playout."""
        return state if choice is Word.ROLL else self.game.step(state, Move(seat, choice)).state

    def outcome(self, state: State, future: Future) -> tuple[float, ...]:
        first = (state.places or standing(self.playouts.play(state, future)))[0]
        return SHARES[first]


SHARES = {
    frozenset(seat for seat in SEATS if mask >> seat & 1): tuple(
        (mask >> seat & 1) / mask.bit_count() for seat in SEATS
    )
    for mask in range(1, 1 << len(SEATS))
}


def state_of(view: View, mover: Seat) -> State:
    """The position before a roll or a choice; nothing in this game is hidden."""
    return State(view.hp, view.vp, view.fallen_rounds, view.last_targets, view.round, mover, face=view.face)


def mean(numbers: Sequence[float]) -> tuple[float, float]:
    """The mean and its standard error."""
    count = len(numbers)
    middle = sum(numbers) / count
    spread = sum((number - middle) ** 2 for number in numbers)
    return middle, sqrt(spread / (count * max(1, count - 1)))


@lru_cache(maxsize=GAMES)
def remembered(game: DoOrDice) -> DoOrDiceSolver:
    return DoOrDiceSolver(game)


def solver(
    game: AnyGame,
    seats: int,
    folder: Path | None = None,
    solve: bool = False,
    progress: Callable[[float], None] | None = None,
) -> DoOrDiceSolver | None:
    """Playouts need no table: any house rules are played out as they are."""
    return remembered(game) if isinstance(game, DoOrDice) else None
