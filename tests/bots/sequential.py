"""Sequential probability ratio tests (Wald): play on until it is clear who is better, with error rates said beforehand.

``BETTER`` or ``NOT_BETTER`` is concluded wrongly with a chance of at most ERROR each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import log
from random import Random

from dicehall.bots.levels import Bot
from dicehall.core.fold import play
from dicehall.core.game import AnyGame, Dice, Move, Over, Roll, Seat
from dicehall.solvers.answers import Solver
from tests.bots.playing import LIMIT, bots_play

ERROR = 0.01
SEEDS = "proof"  # not those of the pilot runs by which chances, gains and spreads were set
BOUND = log((1 - ERROR) / ERROR)
BETTER, NOT_BETTER = "better", "not better"


def by_coin(results: Iterable[int], chance: float) -> str:
    """Of pairs of games that one side won: H0 says either side as often, H1 the better one with this chance."""
    up, down = log(chance / 0.5), log((1 - chance) / 0.5)
    return concluded(up if result > 0 else down for result in results if result)


def by_gain(gains: Iterable[float], least: float, spread: float) -> str:
    """Of what is gained per game: H0 says nothing on average, H1 at least this; the spread is that of a pilot run."""
    return concluded(least / spread**2 * (gain - least / 2) for gain in gains)


def concluded(steps: Iterable[float]) -> str:
    ratio = 0.0
    for step in steps:
        ratio += step
        if abs(ratio) >= BOUND:
            return BETTER if ratio > 0 else NOT_BETTER
    raise AssertionError(f"undecided, at {ratio:.2f} of {BOUND:.2f}")


def pairs(game: AnyGame, better: Bot, worse: Bot, most: int) -> Iterator[int]:
    """Two games from one seed with seats exchanged: 1 if the better one won more of them, -1 if fewer."""
    for number in range(most):
        one = bots_play(game, [better, worse], f"{SEEDS} {number}").winner
        two = bots_play(game, [worse, better], f"{SEEDS} {number}").winner
        yield sign((one == 0) + (two == 1) - (one == 1) - (two == 0))


def guests(game: AnyGame, better: Bot, worse: Bot, seats: int, most: int) -> Iterator[int]:
    """One seat among worse ones, from one seed twice: with the better bot on it, and with a worse one."""
    for number in range(most):
        seat = number % seats
        one = (
            bots_play(game, [better if at == seat else worse for at in range(seats)], f"{SEEDS} {number}").winner
            == seat
        )
        two = bots_play(game, [worse] * seats, f"{SEEDS} {number}").winner == seat
        yield sign(one - two)


def sign(number: int) -> int:
    return (number > 0) - (number < 0)


def losses(game: AnyGame, solver: Solver, worse: Bot, exact: Bot, most: int) -> Iterator[float]:
    """What the decisions of one seat cost in chance to win, game by game, against the exact bot.

    What a side wins against exact play is what it could win less what its decisions cost on average, so this is exactly
    how far it is behind, with far less noise than who won.
    """
    for number in range(most):
        yield sum(decisions(game, [worse, exact], Seat(number % 2), f"{SEEDS} {number}", solver))


def decisions(game: AnyGame, bots: Sequence[Bot], seat: Seat, seed: str, solver: Solver) -> Iterator[float]:
    ordered = bots if seat == 0 else bots[::-1]

    def cost(view: object, choices: Sequence[object], chosen: object) -> float:
        worths = {worth.action: worth.chance.value for worth in solver.worths(view, seat, choices)}
        return max(worths.values()) - worths[chosen]

    return watched(game, ordered, seat, seed, cost)


def watched(
    game: AnyGame,
    bots: Sequence[Bot],
    seat: Seat,
    seed: str,
    worth: Callable[..., float],
) -> Iterator[float]:
    """A game, with what is said of every decision of a seat that has one."""
    chance, state = Random(seed), game.start(len(bots))
    for _ in range(LIMIT):
        awaited = game.awaits(state)
        if isinstance(awaited, Over):
            return
        if isinstance(awaited, Dice):
            state = play(game, state, Roll(tuple(chance.randint(1, n) for n in awaited.sides))).state
            continue
        acting = min(awaited.seats)
        view, choices = game.view(state, acting), game.choices(state, acting)
        action = bots[acting](view, acting, choices, chance)
        if acting == seat and len(choices) > 1:
            yield worth(view, choices, action)
        state = play(game, state, Move(acting, action)).state
    raise AssertionError("the game did not end")
