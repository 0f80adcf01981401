from __future__ import annotations

from typing import Any

import pytest

from dicehall.core.fold import play
from dicehall.core.game import Move, Refused, Seat
from dicehall.games import catalogue
from dicehall.games.aetharn.actions import Hold, Word
from dicehall.games.doordice.rules import Choose
from dicehall.games.mana.actions import Pick
from dicehall.games.tenthousand.actions import Lock
from dicehall.games.wards.rules import Action
from dicehall.ui.terminal.game_lines import lines_of
from dicehall.ui.terminal.typed import Command, understand
from dicehall.wire.actions import codec_of
from tests.ui.terminal.positions import AETHARN, DOORDICE, MANA, ME, TENTHOUSAND, WARDS, Position

GOOD: list[tuple[Position, str, Any]] = [
    (WARDS, "roll", Action.ROLL),
    (WARDS, "  ROLL  ", Action.ROLL),
    (WARDS, "r", Action.ROLL),
    (WARDS, "ho", Action.HOLD),
    (WARDS, '"hold"', Action.HOLD),
    (AETHARN, "hold 1 3 5", Hold((0, 2, 4))),
    (AETHARN, "h 1 3", Hold((0, 2))),
    (AETHARN, "h 13", Hold((0, 2))),
    (AETHARN, "hold 1, 3", Hold((0, 2))),
    (AETHARN, "h1 3", Hold((0, 2))),
    (AETHARN, "b", Word.BANK),
    (AETHARN, "f", Word.FOLD),
    (AETHARN, '{"hold": [0, 2]}', Hold((0, 2))),
    (TENTHOUSAND, "lock 1 1 1, 5", Lock(((1, 1, 1), (5,)))),
    (TENTHOUSAND, "l 111,5", Lock(((1, 1, 1), (5,)))),
    (TENTHOUSAND, "lock 1,1,1", Lock(((1,), (1,), (1,)))),
    (TENTHOUSAND, "y", "yield"),
    (TENTHOUSAND, "yield", "yield"),
    (TENTHOUSAND, "bank", "yield"),
    (TENTHOUSAND, "b", "yield"),
    (DOORDICE, "power damage 2", Choose("power_damage", Seat(1))),
    (DOORDICE, "power_damage 2", Choose("power_damage", Seat(1))),
    (DOORDICE, "p d 2", Choose("power_damage", Seat(1))),
    (DOORDICE, "power vp", Choose("power_vp")),
    (MANA, "pick 3", Pick(2)),
    (MANA, "p 8", Pick(7)),
    (MANA, "3", Pick(2)),
    (MANA, " 8 ", Pick(7)),
    (AETHARN, "1 3", Hold((0, 2))),
    (AETHARN, "135", Hold((0, 2, 4))),
    (TENTHOUSAND, "1 1 1, 5", Lock(((1, 1, 1), (5,)))),
    (TENTHOUSAND, "111,5", Lock(((1, 1, 1), (5,)))),
]


@pytest.mark.parametrize(("at", "text", "meant"), GOOD, ids=[f"{row[0].key}: {row[1]}" for row in GOOD])
def test_words_long_and_short_are_understood(at: Position, text: str, meant: Any) -> None:
    assert asked(at, text) == meant


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("help", Command("help", "")),
        ("?", Command("help", "")),
        ("he", Command("help", "")),
        ("sc", Command("score", "")),
        ("save My File 2.json", Command("save", "My File 2.json")),
        ("q", Command("quit", "")),
        ("QUIT", Command("quit", "")),
    ],
)
def test_commands_are_understood_next_to_the_moves(text: str, meant: Command) -> None:
    assert asked(AETHARN, text) == meant


def test_a_short_form_stands_for_what_may_be_done_now_before_anything_else() -> None:
    """p is the pickpocket when a 3 lies there, though power moves begin with it too."""
    view = DOORDICE.seen(face=3, effects=("pickpocket",))
    assert understand("p 4", lines_of(DOORDICE.game), view, ["pickpocket"], codec_of(DOORDICE.game)) == Choose(
        "pickpocket", Seat(3)
    )


def test_numbers_alone_stand_for_the_only_move_that_takes_them() -> None:
    view, codec = DOORDICE.seen(face=4, effects=("strike",)), codec_of(DOORDICE.game)
    assert understand("3", lines_of(DOORDICE.game), view, ["strike"], codec) == Choose("strike", Seat(2))
    with pytest.raises(Refused, match="Type roll or help"):
        understand("3", lines_of(DOORDICE.game), view, ["roll"], codec)


def test_programs_name_their_moves_also_where_one_takes_numbers() -> None:
    """Numbers count from 0 in JSON and from 1 in words: alone they would be one or the other."""
    with pytest.raises(Refused, match="Type pick or help"):
        understand("3", lines_of(MANA.game), MANA.view, (), codec_of(MANA.game))


WRONG: list[tuple[Position, str, str]] = [
    (WARDS, "", "Type roll, hold or help."),
    (WARDS, "6", "Type roll, hold or help."),
    (WARDS, "dance", "There is no command 'dance'. Type roll, hold or help."),
    (WARDS, "hold 3", "hold takes no numbers: there is only one die."),
    (WARDS, "h", "'h' could mean hold, help or hint. Which one?"),
    (AETHARN, "h", "'h' could mean hold, help or hint. Which one?"),
    (WARDS, "s", "'s' could mean score or save. Which one?"),
    (WARDS, "\x1b[31mred", r"There is no command '\x1b['. Type roll, hold or help."),
    (AETHARN, "hold", "Which dice? Name them by their numbers, for example: hold 1 3"),
    (AETHARN, "hold 7", "There is no die 7: the dice of this roll are 1 to 6."),
    (AETHARN, "hold 0", "There is no die 0: the dice of this roll are 1 to 6."),
    (AETHARN, "hold 1 1", "Name each die only once."),
    (AETHARN, "hold 6", "Die 6 is already held."),
    (
        AETHARN,
        "hold one",
        "'one' is not a number. hold 1 3: set dice 1 and 3 aside; each of them has to score.",
    ),
    (
        AETHARN,
        "hold 1 -3",
        "'-3' is not a number. hold 1 3: set dice 1 and 3 aside; each of them has to score.",
    ),
    (AETHARN, "bank 3", "bank takes no numbers."),
    (TENTHOUSAND, "lock", "Which faces? For example: lock 1 1 1, 5"),
    (TENTHOUSAND, "lock 1 1 1 5", "Separate the groups with commas: lock 1 1 1, 5."),
    (TENTHOUSAND, "yield 5", "bank takes no numbers."),
    (TENTHOUSAND, "bank x", "'x' is not a number. bank: keep the points of this turn and pass the dice."),
    (DOORDICE, "p", "'p' could mean power damage or power vp. Which one?"),
    (DOORDICE, "power 2", "'power' could mean power damage or power vp. Which one?"),
    (DOORDICE, "power damage", "power damage needs one target: 2 or 3 or 4 or 5."),
    (DOORDICE, "power damage 1", "power damage needs one target: 2 or 3 or 4 or 5."),
    (DOORDICE, "power vp 2", "power vp has no target: type it without a number."),
    (DOORDICE, "strike 2", "A 6 does not allow strike. Choose power damage or power vp."),
    (DOORDICE, "roll 2", "roll takes no numbers."),
    (DOORDICE, "2", "Type power damage, power vp or help."),
    (MANA, "", "Type pick or help."),
    (MANA, "9", "Pick one unit by its number, 1 to 8, such as: pick 3."),
    (MANA, "0", "Pick one unit by its number, 1 to 8, such as: pick 3."),
    (MANA, "1 2", "Pick one unit by its number, 1 to 8, such as: pick 3."),
    (MANA, "-1", "There is no command '-'. Type pick or help."),
    (MANA, "pick", "Pick one unit by its number, 1 to 8, such as: pick 3."),
    (MANA, "pick 9", "Pick one unit by its number, 1 to 8, such as: pick 3."),
    (MANA, "pick 1 2", "Pick one unit by its number, 1 to 8, such as: pick 3."),
]


@pytest.mark.parametrize(("at", "text", "said"), WRONG, ids=[f"{row[0].key}: {row[1]!r}" for row in WRONG])
def test_a_wrong_input_is_explained_in_the_numbers_that_are_shown(at: Position, text: str, said: str) -> None:
    with pytest.raises(Refused) as refused:
        asked(at, text)
    assert refused.value.sentence == said


@pytest.mark.parametrize(
    "text", ["hold " + "9" * 5000, "x" * 100_000, "hold ²", "hold １", '{"hold": ' * 5000, '"\ud800"']
)
def test_no_text_whatever_breaks_the_reading(text: str) -> None:
    with pytest.raises(Refused) as refused:
        play(AETHARN.game(), AETHARN.state, Move(ME, asked(AETHARN, text)))
    assert len(refused.value.sentence) < 250


def test_json_that_breaks_off_is_told_as_such() -> None:
    with pytest.raises(Refused, match="malformed: This is not valid JSON"):
        asked(WARDS, '{"hold": ')


@pytest.mark.parametrize("key", list(catalogue()))
def test_no_verb_of_a_game_hides_a_command(key: str) -> None:
    game: Any = catalogue()[key]
    assert not {"help", "score", "save", "quit"} & set(lines_of(game).VERBS)


def asked(at: Position, text: str) -> Any:
    return understand(text, lines_of(at.game), at.view, at.likely, codec_of(at.game))
