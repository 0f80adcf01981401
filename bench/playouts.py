"""Random games of Dice Wards through the clean rules, against OpenSpiel's pig from Python.

    python bench/playouts.py [SECONDS]

Both play the same game (two seats, one die, 100 to win) with moves and dice at random, in turns of a second or so,
so that a busy machine slows both. Prints one JSON line; `ratio` is entries per second of ours to OpenSpiel's own
example loop (at least 1 is required), `ratio_lean` to the leanest loop its Python interface allows.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from random import Random
from statistics import median
from time import process_time
from typing import Any

from dicehall.core.fold import play
from dicehall.core.game import Dice, Move, Over, Roll
from dicehall.games.wards.rules import Wards

SECONDS = 8.0
TURNS = 12
FACES = (1, 2, 3, 4, 5, 6)
WARDS = Wards()


def wards(chance: Random) -> int:
    """One random game through play(); how many entries it took."""
    state, entries = WARDS.start(2), 0
    while not isinstance(awaited := WARDS.awaits(state), Over):
        if isinstance(awaited, Dice):
            state = play(WARDS, state, Roll((chance.choice(FACES),))).state
        else:
            (seat,) = awaited.seats
            state = play(WARDS, state, Move(seat, chance.choice(WARDS.choices(state, seat)))).state
        entries += 1
    return entries


def open_spiel_games() -> dict[str, Callable[[Random], int]]:
    try:
        import numpy
        import pyspiel
    except ImportError:
        raise SystemExit("OpenSpiel is not installed here: `make bench` installs it.") from None

    pig = pyspiel.load_game("pig(horizon=100000)")

    def idiomatic(chance: Random) -> int:
        """As in OpenSpiel's own example.py."""
        state: Any = pig.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(numpy.random.choice(outcomes, p=weights))
            else:
                state.apply_action(chance.choice(state.legal_actions(state.current_player())))
        return int(state.move_number())

    def lean(chance: Random) -> int:
        """Without weights: every face of pig's die is as likely as the others."""
        state: Any = pig.new_initial_state()
        while not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
        return int(state.move_number())

    return {"open_spiel": idiomatic, "open_spiel_lean": lean}


def measured(game: Callable[[Random], int], chance: Random, seconds: float) -> tuple[float, float]:
    """Games and entries per second."""
    games = entries = 0
    started = process_time()
    while (took := process_time() - started) < seconds:
        entries += game(chance)
        games += 1
    return games / took, entries / took


def ratios(ours: list[tuple[float, float]], theirs: list[tuple[float, float]]) -> list[float]:
    """Entries per second of ours to theirs, turn by turn."""
    return [mine / other for (_, mine), (_, other) in zip(ours, theirs, strict=True)]


def main(seconds: float) -> int:
    players = {"wards": wards, **open_spiel_games()}
    speeds: dict[str, list[tuple[float, float]]] = {name: [] for name in players}
    for turn in range(TURNS):
        for name, game in players.items():
            speeds[name].append(measured(game, Random(turn), seconds / TURNS / len(players)))
    games = {name: round(median(games for games, _ in told)) for name, told in speeds.items()}
    entries = {name: round(median(entries for _, entries in told)) for name, told in speeds.items()}
    ratio, lean = (
        round(median(ratios(speeds["wards"], speeds[name])), 2) for name in ("open_spiel", "open_spiel_lean")
    )
    line = {"bench": "playouts", "games_per_second": games, "entries_per_second": entries}
    print(json.dumps({**line, "ratio": ratio, "ratio_lean": lean, "enough": ratio >= 1}))
    return 0


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]) if sys.argv[1:] else SECONDS))
