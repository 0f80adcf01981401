"""What docs/sealed-dice.md promises and shows."""

from __future__ import annotations

import json
import re
from pathlib import Path

from dicehall.core.fold import play
from dicehall.core.game import Dice, Move, Over, Roll, Seat
from dicehall.dice.checking import Checked, Seal, SealedRoll, check
from dicehall.games.wards.rules import Action, Wards

PAGE = (Path(__file__).parents[2] / "docs" / "sealed-dice.md").read_text(encoding="utf-8")
PROMISE = (
    "the dice were fixed before anybody sat down, "
    "mixed with words the host could not know when it fixed them, and never changed."
)


def test_the_promise_is_on_the_page_in_exactly_these_words() -> None:
    assert PROMISE in PAGE


def test_the_record_on_the_page_is_a_whole_game_whose_dice_agree() -> None:
    shown = re.search(r"```json\n(.*?)```", PAGE, re.DOTALL)
    assert shown
    record = json.loads(shown[1])
    game, rolls = Wards(**record["rules"]), []
    state = game.start(2)
    for entry in record["entries"]:
        awaited = game.awaits(state)
        if isinstance(awaited, Dice):
            rolls.append(SealedRoll(awaited.sides, tuple(entry["roll"]), entry["opened"]))
            state = play(game, state, Roll(rolls[-1].faces)).state
        else:
            state = play(game, state, Move(Seat(entry["seat"]), Action(entry["move"]))).state
    assert isinstance(game.awaits(state), Over)
    seal = Seal(record["seal"]["table"], record["seal"]["s0"], tuple(record["seal"]["words"]))
    assert check(seal, rolls, record["seal"]["s0"]) == Checked(rolls=7, seal_known=True)
