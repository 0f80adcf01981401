"""A whole game of Aetharn between two simple strategies, on the rules alone, and its record at the end.

Run it: python examples/play_a_game.py [SEED]
"""

from __future__ import annotations

import sys
from random import Random

from dicehall.core import Dice, Move, Over, Roll, play
from dicehall.games.aetharn.actions import Action, Word
from dicehall.games.aetharn.rules import Aetharn
from dicehall.wire.entries import Logged
from dicehall.wire.record import Record, record_text
from dicehall.wire.sentences import sentence

NAMES = ("Ann", "Bo")


def main(seed: str) -> None:
    chance, game = Random(seed), Aetharn(goal=2000)
    state, record = game.start(len(NAMES)), Record(game, NAMES)
    while not isinstance(awaited := game.awaits(state), Over):
        if isinstance(awaited, Dice):
            entry: Move[Action] | Roll = Roll(tuple(chance.randint(1, sides) for sides in awaited.sides))
        else:
            (seat,) = awaited.seats
            moves = [move for move in game.choices(state, seat) if move != Word.FOLD]
            enough = Word.BANK in moves and chance.random() < 0.5
            entry = Move(seat, Word.BANK if enough else chance.choice(moves))
        step = play(game, state, entry)
        for event in step.events:
            print(sentence(game, event, NAMES))
        state, record = step.state, record.with_entry(Logged(entry))
    print(f"\n{len(record.entries)} entries, {len(record_text(record))} bytes as a record.")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "tea")
