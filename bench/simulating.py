"""Games a second of Dice Wards by the simulator, plain and compiled, against OpenSpiel's pig from Python.

    python bench/simulating.py [SECONDS]

All play the same game (two seats, one die, 100 to win) in the same way: gather 20 or what wins, then hold. They take
turns of a part of a second on one core, so that a busy machine slows all. Prints one JSON line. `ratio_plain` (10 is
required) and `ratio_fast` (extra `fast`; 100 is required) are to OpenSpiel's own example loop, `..._lean` to the
leanest loop there can be: it keeps its own count and asks OpenSpiel for nothing but to apply what happens. `whole` are
games per second of CPU time of one run of a million games from nothing, with filling tables and loading the compiler.
The random games of bench/playouts.py are there too: bots that take chances are played by the rules.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from random import Random
from statistics import median
from time import process_time
from typing import Any

from dicehall.bots.levels import bots_for
from dicehall.games.wards.rules import Wards
from dicehall.lab.simulating_fast import CompiledTurns, fast_is_here
from dicehall.lab.simulator import ByRules, Job, Way, by_turns

SECONDS = 20.0
TURNS = 10
GOAL, ENOUGH = 100, 20
MILLION = 1_000_000
ROLL, HOLD = 0, 1  # OpenSpiel's actions
JOB = Job(Wards(), ("greedy", "greedy"), MILLION, "bench")
Player = Callable[[int, Random], Any]  # plays so many games


class Count:
    """What the policy goes by; it keeps its own count, for reading OpenSpiel's would cost more."""

    def __init__(self) -> None:
        self.scores, self.seat, self.pile = [0, 0], 0, 0

    def action(self) -> int:
        return HOLD if self.pile >= ENOUGH or self.scores[self.seat] + self.pile >= GOAL else ROLL

    def held(self) -> None:
        self.scores[self.seat] += self.pile
        self.seat, self.pile = 1 - self.seat, 0

    def rolled(self, face: int) -> None:
        """OpenSpiel counts faces from 0."""
        if face:
            self.pile += face + 1
        else:
            self.seat, self.pile = 1 - self.seat, 0


def open_spiel() -> dict[str, Player]:
    try:
        import numpy
        import pyspiel
    except ImportError:
        raise SystemExit("OpenSpiel is not installed here: `make bench` installs it.") from None

    pig = pyspiel.load_game("pig(horizon=100000)")

    def idiomatic(games: int, chance: Random) -> None:
        """As in OpenSpiel's own example.py."""
        for _ in range(games):
            state, count = pig.new_initial_state(), Count()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                    face = numpy.random.choice(outcomes, p=weights)
                    state.apply_action(face)
                    count.rolled(face)
                else:
                    action = count.action()
                    assert action in state.legal_actions(state.current_player())
                    state.apply_action(action)
                    if action == HOLD:
                        count.held()

    def lean(games: int, chance: Random) -> None:
        for _ in range(games):
            state = pig.new_initial_state()
            apply, score, seat, pile = state.apply_action, [0, 0], 0, 0
            while True:
                if pile >= ENOUGH or score[seat] + pile >= GOAL:
                    apply(HOLD)
                    score[seat] += pile
                    if score[seat] >= GOAL:
                        break
                    seat, pile = 1 - seat, 0
                    continue
                apply(ROLL)
                face = int(chance.random() * 6)
                apply(face)
                if face:
                    pile += face + 1
                else:
                    seat, pile = 1 - seat, 0
            assert state.is_terminal(), "the count kept here is OpenSpiel's"

    def at_random(games: int, chance: Random) -> None:
        for _ in range(games):
            state = pig.new_initial_state()
            while not state.is_terminal():
                state.apply_action(chance.choice(state.legal_actions()))

    return {"open_spiel": idiomatic, "open_spiel_lean": lean, "random open_spiel_lean": at_random}


def measured(player: Player, games: int, chance: Random, seconds: float) -> float:
    """Games a second of CPU time."""
    done, started = 0, process_time()
    while (took := process_time() - started) < seconds:
        player(games, chance)
        done += games
    return done / took


def whole(make: Callable[[], Way]) -> float:
    started = process_time()
    make().play(MILLION, Random(0))
    return MILLION / (process_time() - started)


def ratio_of(ours: list[float], theirs: list[float]) -> float:
    """Turn by turn."""
    return round(median(mine / other for mine, other in zip(ours, theirs, strict=True)), 1)


def main(seconds: float) -> int:
    theirs = open_spiel()
    fresh: dict[str, Callable[[], Way]] = {"plain": lambda: by_turns(JOB)}
    if fast_is_here():
        fresh["fast"] = lambda: CompiledTurns(by_turns(JOB))
    runs = {name: whole(make) for name, make in fresh.items()}
    rules = {level: ByRules(Wards(), (bots_for(Wards())[level],) * 2) for level in ("random", "greedy")}
    players: dict[str, tuple[Player, int]] = {
        **{name: (player, 10) for name, player in theirs.items()},
        **{name: (make().play, 20_000 if name == "fast" else 500) for name, make in fresh.items()},
        "rules": (rules["greedy"].play, 10),
        "random rules": (rules["random"].play, 10),
    }
    for player, games in players.values():
        player(games, Random(0))  # tables are filled; that is in `whole`
    speeds: dict[str, list[float]] = {name: [] for name in players}
    for turn in range(TURNS):
        for name, (player, games) in players.items():
            speeds[name].append(measured(player, games, Random(turn), seconds / TURNS / len(players)))
    told: dict[str, Any] = {"bench": "simulating", "games_per_second": {n: round(median(s)) for n, s in speeds.items()}}
    told["whole"] = {name: round(speed) for name, speed in runs.items()}
    for name, wanted in {"plain": 10, "fast": 100}.items():
        if name in speeds:
            ratio, lean = (ratio_of(speeds[name], speeds[other]) for other in ("open_spiel", "open_spiel_lean"))
            told |= {f"ratio_{name}": ratio, f"ratio_{name}_lean": lean, f"enough_{name}": ratio >= wanted}
    print(json.dumps(told))
    return 0


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]) if sys.argv[1:] else SECONDS))
