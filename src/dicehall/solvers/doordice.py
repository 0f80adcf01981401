"""DO or DICE by playouts. Positions at the same turn of a game meet the same dice, and each is played out once.

So the choices of a turn, and the position that one of them led to, are compared on equal terms: the difference between
them is known better than the chances themselves. A choice that is clearly worse is left out of further games.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import repeat
from math import exp
from pathlib import Path
from random import Random
from typing import TypeAlias

from dicehall.core.game import AnyGame, Awaited, Dice, Move, Over, Seat
from dicehall.games.doordice.rules import Action, DoOrDice, View, Word
from dicehall.games.doordice.state import SEATS, State, standing
from dicehall.solvers.answers import Estimate, Worth, blended, difference_stderr, sampled, share
from dicehall.solvers.doordice_playouts import Future, Playouts

GAMES = 960  # that are played out for a position: a decision at the start takes half a second
ROUGH_GAMES = 192  # for a first answer
BATCH = 12  # games, in which each die shows each face twice
CHECK = 4  # batches after which options that are clearly worse are left out
CLEARLY = 3.0  # standard errors
LEAST = 8  # batches that show what is clear
HORIZON = 30  # rounds that a playout looks ahead, then whoever leads has won: house rules can make endless games
TURNS = 60_000  # that are played out for a position at most, where games are long
HOUSES = 8  # house rules whose playouts are remembered
POSITIONS = 1024  # of one of them
DECISIONS = 64  # for who asks about the same one for every seat
DICE = 256  # batches
ABOUT_EQUAL = 0.02  # of a game: a choice that is worth so much less is made a third as often
NEVER = 0.01  # how often a choice is not made at all

Shares: TypeAlias = tuple[float, ...]  # of the first place, by seat


class Option:
    """A choice, and the position it leads to as it came out of the playouts."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.batches: Sequence[Shares] = ()

    def estimate(self, seat: Seat) -> Estimate:
        if self.state.places:
            return Estimate(SHARES[self.state.places[0]][seat])
        dice = f"round {self.state.round} seat {self.state.seat}"
        return sampled(dice, [shares[seat] for shares in self.batches])

    def behind(self, other: Option, seat: Seat) -> bool:
        """Whether a seat is clearly worse off than with the other, on the dice that both have met."""
        mine, theirs = self.estimate(seat), other.estimate(seat)
        return theirs.value - mine.value > CLEARLY * difference_stderr(mine, theirs)


class DoOrDiceSolver:
    note = "rollouts"

    def __init__(self, game: DoOrDice, games: int = GAMES, rough_games: int = ROUGH_GAMES) -> None:
        self.game, self.games, self.rough_games = game, games, rough_games
        self.playouts = Playouts(game)
        self.positions: OrderedDict[State, list[Shares]] = OrderedDict()
        self.tried: Callable[[View, Seat, Sequence[Action]], list[Option]] = lru_cache(DECISIONS)(self.play_out)

    def rougher(self) -> DoOrDiceSolver | None:
        """Its playouts are the first of this one's, which are not played out again."""
        if self.games <= self.rough_games:
            return None
        rough = DoOrDiceSolver(self.game, self.rough_games)
        rough.playouts, rough.positions = self.playouts, self.positions
        return rough

    def chance(self, view: View, awaits: Awaited, seat: Seat) -> Estimate:
        """Where a choice is due, after a good one.

        Whom a fighter hits to whom all are equal decides much for the others. So choices that are about as good are
        about as likely: noise in what they are worth must not make all the difference.
        """
        if isinstance(awaits, Over):
            return Estimate(share(awaits, seat))
        if isinstance(awaits, Dice) and not awaits.by:  # all who are equal have the same chance (D9)
            first = view.ranking[0]
            return Estimate(1 / len(first) if seat in first else 0.0)
        mover = min(awaits.by if isinstance(awaits, Dice) else awaits.seats)
        options = self.tried(view, mover, self.game.choices(state_of(view, mover), mover))
        worths = [option.estimate(mover).value for option in options]
        return blended([option.estimate(seat) for option in options], [*map(likely, worths, repeat(max(worths)))])

    def worths(self, view: View, seat: Seat, choices: Sequence[Action]) -> Sequence[Worth]:
        options = self.tried(view, seat, tuple(choices))
        return [Worth(choice, option.estimate(seat)) for choice, option in zip(choices, options, strict=True)]

    def play_out(self, view: View, mover: Seat, choices: Sequence[Action]) -> list[Option]:
        """Play out what follows each choice; the answer depends on nothing but the view."""
        before = state_of(view, mover)
        options = still = [Option(self.chosen(before, mover, choice)) for choice in choices]
        most = self.most_batches(before)
        for batches in range(min(CHECK, most), most + 1, CHECK):
            for option in still:
                option.batches = self.batches(option.state, batches)
            if batches >= LEAST and len(still) > 1:
                best = max(still, key=lambda option: option.estimate(mover).value)
                still = [option for option in still if not option.behind(best, mover)]
        return options

    def most_batches(self, state: State) -> int:
        batches = max(2 * BATCH, min(self.games, TURNS // self.ahead(state))) // BATCH
        return max(2, batches // CHECK * CHECK)

    def batches(self, state: State, count: int) -> Sequence[Shares]:
        """What became of a position in so many batches of games; those that were played before are remembered."""
        played = self.positions.setdefault(state, [])
        self.positions.move_to_end(state)
        if len(self.positions) > POSITIONS:
            self.positions.popitem(last=False)
        while len(played) < count and not state.places:
            dice = futures(state.round, state.seat, self.ahead(state), len(played))
            games = [self.outcome(state, future) for future in dice]
            played.append(tuple(sum(got) / BATCH for got in zip(*games, strict=True)))
        return played[:count]

    def ahead(self, state: State) -> int:
        """The most turns that a playout looks at."""
        return min(self.game.rounds - state.round + 1, HORIZON) * len(SEATS) - state.seat

    def chosen(self, state: State, seat: Seat, choice: Action) -> State:
        """The position after a choice; to roll is the position before it, as dice come from the playout."""
        return state if choice is Word.ROLL else self.game.step(state, Move(seat, choice)).state

    def outcome(self, state: State, future: Future) -> Shares:
        return SHARES[standing(self.playouts.play(state, future))[0]]


@lru_cache(DICE)
def futures(number: int, seat: Seat, ahead: int, batch: int) -> list[Future]:
    """The dice of a batch of games from a turn on: each die shows each face equally often, which evens out luck."""
    chance = Random(f"{number} {seat} {ahead} {batch}")
    dice = [[game % 6 + chance.random() for game in range(BATCH)] for _ in range(ahead)]
    for one in dice:
        chance.shuffle(one)
    return list(zip(*dice, strict=True))


SHARES = {
    frozenset(seat for seat in SEATS if mask >> seat & 1): tuple(
        (mask >> seat & 1) / mask.bit_count() for seat in SEATS
    )
    for mask in range(1, 1 << len(SEATS))
}


def likely(worth: float, best: float) -> float:
    """How often a good player makes a choice, to how often the best one."""
    often = exp((worth - best) / ABOUT_EQUAL)
    return often if often > NEVER else 0.0


def state_of(view: View, mover: Seat) -> State:
    """The position before a roll or a choice; nothing in this game is hidden."""
    return State(view.hp, view.vp, view.fallen_rounds, view.last_targets, view.round, mover, face=view.face)


@lru_cache(maxsize=HOUSES)
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
