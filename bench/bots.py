"""How long bots think: the slowest and the middle move of every level, with the usual rules, in seconds of one core."""

from __future__ import annotations

from random import Random
from statistics import median
from time import process_time

from dicehall.bots.levels import bots_for
from dicehall.core.fold import play
from dicehall.core.game import AnyGame, Dice, Move, Over, Roll
from dicehall.games import catalogue

MOVES = 60


def main() -> None:
    for key, kind in catalogue().items():
        game = kind()
        for level in bots_for(game):
            times = sorted(thinking(game, level))
            print(f"{key:12} {level:7} median {1000 * median(times):7.1f} ms, slowest {1000 * times[-1]:7.1f} ms")


def thinking(game: AnyGame, level: str) -> list[float]:
    """Seconds of one core per move; the first one, which may have to make tables ready, is counted too."""
    chance, bot, times = Random(f"{game.key} {level}"), bots_for(game)[level], list[float]()
    state = game.start(game.seats[0])
    while len(times) < MOVES:
        awaited = game.awaits(state)
        if isinstance(awaited, Over):
            state = game.start(game.seats[0])
        elif isinstance(awaited, Dice):
            state = play(game, state, Roll(tuple(chance.randint(1, n) for n in awaited.sides))).state
        else:
            seat = min(awaited.seats)
            view, choices = game.view(state, seat), game.choices(state, seat)
            started = process_time()
            action = bot(view, seat, choices, chance)
            times.append(process_time() - started)
            state = play(game, state, Move(seat, action)).state
    return times


if __name__ == "__main__":
    main()
