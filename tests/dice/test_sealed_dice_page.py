"""What docs/sealed-dice.md promises and shows."""

from __future__ import annotations

import json
import re
from pathlib import Path

from dicehall.core.fold import play
from dicehall.core.game import Dice, Move, Over, Roll, Seat
from dicehall.dice.checking import Checked, Seal, SealedRoll, check
from dicehall.games.wards.rules import Action, Wards
from tests.dice.test_equal_checkers import in_node, python_script
from tests.launch.running import replayed

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


def changed(old: str, new: str) -> str:
    text = re.search(r"```json\n(.*?)```", PAGE, re.DOTALL)
    assert text
    assert old in text[1]
    return text[1].replace(old, new, 1)


CHANGES = [
    ("ann", "ann", True),
    ('"roll": [5]', '"roll": [4]', False),  # a face
    ("3419e313", "3419e314", False),  # a digit of a secret
    ("14c8ec28", "14c8ec29", False),  # a digit of the seal
    ("lucky", "Lucky", False),  # a letter of the words
    ("oak-7", "oak-8", False),  # the name of the table
    (',\n  {"seat": 0, "move": "hold"}\n', "\n", False),  # the last entry
    ('"ann"', '"eve"', True),  # the name of a player
    ('"goal": 15', '"goal": 15, "turn_seconds": 30', True),  # a house rule at its default
]


def test_what_the_page_says_of_changes_to_its_record_is_true_of_every_checker(tmp_path: Path) -> None:
    texts = [changed(old, new) for old, new, _ in CHANGES]
    wanted = [good for *_, good in CHANGES]
    file, by_script = tmp_path / "record.json", []
    for text in texts:
        file.write_text(text, encoding="utf-8")
        by_script.append(python_script().run([str(file)]) == 0)
    by_command = [replayed(text.encode(), "--check").code == 0 for text in texts]
    by_node = [[code == 0 for code in in_node(checker, texts)] for checker in ("script", "page")]
    assert [by_script, by_command, *by_node] == [wanted] * 4
