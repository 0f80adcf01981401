"""The other games in the window: one of each kind to its end, with real events."""

from __future__ import annotations

from typing import Any

import pytest

from dicehall.core.game import Seat
from dicehall.dice.sources import Seeded
from dicehall.games.aetharn.actions import Word
from dicehall.games.aetharn.rules import Aetharn
from dicehall.games.mana.rules import Mana
from dicehall.games.tenthousand.actions import Word as TenThousandWord
from dicehall.games.tenthousand.rules import TenThousand
from dicehall.games.wards.rules import Wards
from dicehall.ui.desktop.scene import Button, Die, Intent, Label
from tests.piglet.rules import Piglet
from tests.ui.desktop.window import LONG, NAMES, Window


def test_dice_wards_is_played_to_its_end_with_the_mouse(window: Window) -> None:
    table = window.sit(Wards(goal=20), [(6,), (5,), (1,), (6,), (6,), (6,), (6,)], seats=2)
    window.click(Intent("roll"))
    window.settle()
    window.click(Intent("roll"))
    window.settle()
    assert "On the pile: 11" in window.texts
    window.click(Intent("hold"))
    window.settle()
    assert table.view_for(None).scores == (11, 0)
    window.click(Intent("roll"))
    window.pass_time(900)
    assert len([line for line in window.game.lines if "Bo" in line]) == 0
    window.settle()
    for _ in range(2):
        window.click(Intent("roll"))
        window.settle()
    window.click(Intent("hold"))
    window.settle()
    assert "Ann wins!" in window.texts
    assert [row.columns for row in window.standings] == [("23",), ("0",)]


def test_dice_wards_against_a_bot_is_played_with_keys_alone(window: Window) -> None:
    window.click(Intent("game", "wards"))
    window.press("return")
    window.settle()
    while not window.game.over:
        window.press("h" if window.stage.view.round_score >= 20 else "r")
        window.settle()
    assert window.game.overlay == "result"


def test_aetharn_holds_rolls_and_banks_by_clicking_dice(window: Window) -> None:
    """A4, A6, A10."""
    table = window.sit(Aetharn(goal=1000), [(1,), (1, 1, 1, 5, 2, 3)], seats=2)
    window.click(Intent("roll"))
    window.settle()
    window.click(Intent("die", 4))
    assert "These dice do not score together." in window.texts
    window.click(Intent("hold"))
    assert "Every die you hold must score." in window.texts
    window.click(Intent("die", 4))
    for die in (0, 1, 2):
        window.click(Intent("die", die))
    assert "Selected: 1000 points" in window.texts
    window.click(Intent("hold"))
    window.settle()
    assert [die.held for die in window.of(Die)] == [True, True, True, False, False, False]
    window.click(Intent("bank"))
    window.settle()
    assert table.view_for(None).scores == (1000, 0)
    assert "Ann wins!" in window.texts


def test_aetharn_against_bots_is_played_to_its_end_with_keys_alone(window: Window) -> None:
    window.click(Intent("game", "aetharn"))
    window.press("return")
    window.settle()
    for _ in range(2000):
        if window.game.over:
            break
        stage = window.stage
        if stage.view.must_hold:
            window.press("a", "return")
        else:
            window.press("b" if Word.BANK in stage.choices and stage.view.turn_points >= 300 else "r")
        window.settle()
    assert window.game.overlay == "result"
    assert len(window.standings) == 2


def test_folding_asks_back_first(window: Window) -> None:
    """A11."""
    table = window.sit(Aetharn(), [(1,)], seats=2)
    window.click(Intent("fold"))
    assert "If you fold, you are out of the game for good. Fold?" in window.texts
    window.press("escape")
    assert not window.game.over
    window.click(Intent("fold"))
    window.press("return")
    window.settle()
    assert table.view_for(None).out == {"0": "folded"}
    assert "Everybody else is out, so the last player left wins." in window.texts


def test_whoever_folds_ranks_behind_those_still_in_whatever_the_points(window: Window) -> None:
    """A18: the ranking beside the table is that of the rules."""
    window.sit(Aetharn(), [(1, 1), (1, 1, 1, 2, 2, 3), (2, 2, 3, 3, 4, 6), (2, 2, 3, 3, 4, 6)], seats=3)
    window.press("r")
    window.settle()
    window.press("a", "return")
    window.settle()
    window.press("b")
    window.settle()
    assert ranked(window) == [("1.", "Ann"), ("2.", "Bo"), ("2.", "Cy")]
    window.press("r")
    window.settle()
    window.press("r")
    window.settle()
    window.click(Intent("fold"))
    window.press("return")
    window.settle()
    assert ranked(window) == [("1.", "Bo"), ("1.", "Cy"), ("3.", "Ann")]


def ranked(window: Window) -> list[tuple[str, str]]:
    """Places and names beside the table."""
    texts = window.texts[window.texts.index("Ranking") + 1 : window.texts.index("History")]
    return list(zip(texts[0::3], texts[1::3], strict=True))


def play_choices(window: Window) -> None:
    """Take one choice after another, with the mouse, until the game is over."""
    board: Any = window.game.board
    for turn in range(300):
        window.settle()
        if window.game.over:
            return
        stage = window.stage
        if board.curtain(stage):
            window.click(Intent("show"))
        else:
            offers = [text for text, _, _ in board.offers(stage)]
            window.click(Intent("choice", "bank" if "bank" in offers else offers[turn % min(8, len(offers))]))
    raise AssertionError("the game does not end")


def test_mana_is_played_to_its_end_with_the_mouse(window: Window) -> None:
    table = window.sit(Mana(), [], seats=2, roll=Seeded("plain").roll)
    play_choices(window)
    assert window.game.overlay == "result"
    assert window.game.view == table.view_for(None)


@pytest.mark.parametrize("seats", [3, 12])
def test_dice_10000_is_played_to_its_end_with_keys_alone(window: Window, seats: int) -> None:
    table = window.sit(TenThousand(goal=1000, opening=0), [], seats=seats, roll=Seeded("plain").roll)
    for _ in range(300):
        window.settle()
        if window.game.over:
            break
        if window.stage.view.must_lock:
            window.press("a", "return")
        else:
            window.press("b" if TenThousandWord.YIELD in window.stage.choices else "r")
    assert window.game.overlay == "result"
    assert window.game.view == table.view_for(None)


def test_dice_10000_locks_rolls_and_banks_by_clicking_dice(window: Window) -> None:
    """T2, T3, T6, T7."""
    table = window.sit(TenThousand(goal=1000), [(1, 1, 1, 5, 2, 3), (5, 2, 3)], seats=2)
    window.click(Intent("roll"))
    window.settle()
    assert "Click the dice you want to lock." in window.texts
    window.click(Intent("die", 4))
    assert "These dice do not score together." in window.texts
    window.click(Intent("lock"))
    assert "2 does not score." in window.texts
    window.click(Intent("die", 4))
    window.click(Intent("die", 0))
    assert "Selected: 100 points" in window.texts
    window.click(Intent("lock"))
    window.settle()
    assert [die.held for die in window.of(Die)] == [True, False, False, False, False, False]
    assert "You need 1000 to open; 900 to go." in window.texts
    window.click(Intent("best"))
    assert "Selected: 250 points" in window.texts
    window.click(Intent("lock"))
    window.settle()
    assert [die.held for die in window.of(Die)] == [True, True, True, True, False, False]
    assert not next(button for button in window.of(Button) if button.label == "Bank").enabled
    assert table.view_for(None).turn_points == 350


def test_every_one_of_twelve_seats_has_a_card_inside_the_window(window: Window) -> None:
    window.sit(TenThousand(), [], seats=12, roll=Seeded("twelve").roll)
    cards = [item for item in window.of(Label) if item.text in NAMES and item.rect.y < 160 and item.rect.x < 620]
    assert [card.text for card in cards] == list(NAMES)
    assert all(card.rect.x >= 0 and card.rect.right <= 660 for card in cards)


def test_a_game_that_is_in_no_catalogue_gets_the_plain_board(window: Window) -> None:
    """docs/adding-a-game.md: a sixth game needs nothing here."""
    window.sit(Piglet(), [], seats=2, roll=Seeded("pig").roll)
    play_choices(window)
    assert window.game.overlay == "result"


def test_a_secret_pick_is_shown_to_nobody_else_at_this_window(window: Window) -> None:
    """M1: two people at one window."""
    window.sit(Mana(), [], seats=2, roll=Seeded("m").roll)
    window.settle()
    assert "Ann, take the seat; the others look away." in window.texts
    assert not [item for item in window.of(Button) if item.label.startswith("Pick")]
    window.press("return")
    assert [item for item in window.of(Button) if item.label.startswith("Pick")]
    window.press("3")
    window.pass_time(LONG)
    window.settle()
    assert window.stage.acting == Seat(1)
    assert "Bo, take the seat; the others look away." in window.texts
    assert not [item for item in window.of(Button) if item.label.startswith("Pick")]


def test_a_fight_lies_on_the_felt_until_the_next_one(window: Window) -> None:
    """M4: what each unit dealt, what is left of it, and who took the round."""
    window.sit(Mana(), [], seats=2, bots=[1], roll=Seeded("m").roll)
    assert [button.label for button in window.of(Button) if "Pick" in button.label] == [
        f"Pick {n}" for n in range(1, 9)
    ]
    window.press("3")
    window.settle()
    played = window.stage.view.rounds[0]
    for seat in (0, 1):
        assert f"deals {played.damage[seat]}" in window.texts
        assert f"{played.health[seat]} health left" in window.texts
    assert ("A draw" if played.winner is None else f"{window.stage.names[played.winner]} wins") in window.texts
    assert "Pick 3" not in [button.label for button in window.of(Button)]
    assert window.texts.count("spent") == 2


def test_a_draw_says_who_shares_the_first_place(window: Window) -> None:
    """M6."""
    window.sit(Mana(rounds=1), [], seats=2, roll=Seeded("m").roll)
    for _ in range(2):
        window.settle()
        window.press("return", "3")
    window.settle()
    assert "A draw: Ann and Bo share first place." in window.texts
    assert [standing.place for standing in window.standings] == [1, 1]


def test_the_help_names_the_house_rules_of_the_table(window: Window) -> None:
    window.sit(Mana(rounds=3, same_army=0), [], seats=2, roll=Seeded("m").roll)
    window.press("f1")
    assert any("House rules of this table: Rounds 3, Same army off." in text for text in window.texts)
    window.sit(Mana(), [], seats=2, roll=Seeded("m").roll)
    window.press("f1")
    assert not any("House rules" in text for text in window.texts)
