"""What a report of DO or DICE costs the coach: rough and fine, against playing every position out on dice of its own.

    python bench/coach.py [GAMES]

Each recorded game has one seat that chooses at random and four greedy ones. Prints one JSON line: seconds of CPU per
report, how far luck is off in it by its own account (the mean standard error), and the ratios of CPU: `rough` at least
5 times and `fine` at least twice as quick as `apart` are required, and `fine` more certain.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from math import sqrt
from random import Random
from statistics import mean
from time import process_time

from dicehall.bots.doordice import greedy
from dicehall.core.fold import play
from dicehall.core.game import Dice, Move, Over, Roll, Seat
from dicehall.games.doordice.rules import Action, DoOrDice, View
from dicehall.games.doordice.state import State
from dicehall.lab.coach import Report, report_of
from dicehall.lab.moments import Course, Moment
from dicehall.solvers.doordice import BATCH, DoOrDiceSolver, Option, Shares, state_of

GAME = DoOrDice()
GAMES = 2
TURNS = 60_000  # that were played out for a decision, shared out among its choices


class Apart(DoOrDiceSolver):
    """Each position on dice of its own: nothing is shared, and nothing cancels out."""

    def play_out(self, view: View, mover: Seat, choices: Sequence[Action]) -> list[Option]:
        before = state_of(view, mover)
        options = [Option(self.chosen(before, mover, choice)) for choice in choices]
        chance, batches = Random(f"{view} {mover}"), TURNS // self.ahead(before) // BATCH // len(options)
        for option in options:
            option.batches = [self.batch(option.state, chance) for _ in range(batches)]
        return options

    def batch(self, state: State, chance: Random) -> Shares:
        if state.places:
            return ()
        futures = ([chance.random() * 6 for _ in range(self.ahead(state))] for _ in range(BATCH))
        games = [self.outcome(state, future) for future in futures]
        return tuple(sum(got) / BATCH for got in zip(*games, strict=True))


def recorded(seed: int) -> Course:
    chance, moments = Random(seed), list[Moment]()
    start = state = GAME.start(5)
    while not isinstance(awaited := GAME.awaits(state), Over):
        if isinstance(awaited, Dice):
            entry: Roll | Move[Action] = Roll(tuple(chance.randint(1, sides) for sides in awaited.sides))
        else:
            (seat,) = awaited.seats
            choices = GAME.choices(state, seat)
            chosen = greedy(GAME.view(state, seat), seat, choices, chance) if seat else chance.choice(choices)
            entry = Move(seat, chosen)
        step = play(GAME, state, entry)
        moments.append(Moment(len(moments), entry, state, step.state, step.events))
        state = step.state
    return Course(GAME, ("Ann", "Bo", "Cy", "Di", "Ed"), start, tuple(moments), state)


def luck_error(report: Report, *, telescoped: bool) -> float:
    """Mean over the seats; where every position has dice of its own, each counts for every roll beside it."""
    if telescoped:
        return mean(seat.luck_stderr for seat in report.seats)
    rolls = [line for line in report.lines if line.kind == "roll"]
    errors = [[side[seat].stderr ** 2 for line in rolls for side in (line.before, line.after)] for seat in range(5)]
    return mean(sqrt(sum(one)) for one in errors)


def main(games: int) -> int:
    seconds: dict[str, list[float]] = {"rough": [], "fine": [], "apart": []}
    errors: dict[str, list[float]] = {name: [] for name in seconds}
    for seed in range(games):
        course, fine = recorded(seed), DoOrDiceSolver(GAME)
        for name, solver in (("rough", fine.rougher()), ("fine", fine), ("apart", Apart(GAME))):
            assert solver is not None
            started = process_time()
            report = report_of(course, solver)
            seconds[name].append(process_time() - started)
            errors[name].append(luck_error(report, telescoped=name != "apart"))
        seconds["fine"][-1] += seconds["rough"][-1]  # it goes on where the rough one stopped
    cpu = {name: round(mean(took), 2) for name, took in seconds.items()}
    luck = {name: round(mean(found), 3) for name, found in errors.items()}
    ratio = {name: round(cpu["apart"] / cpu[name], 1) for name in ("rough", "fine")}
    enough = ratio["rough"] >= 5 and ratio["fine"] >= 2 and luck["fine"] <= luck["apart"]
    print(json.dumps({"bench": "coach", "cpu_seconds": cpu, "luck_stderr": luck, "ratio": ratio, "enough": enough}))
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else GAMES))
