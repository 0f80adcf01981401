from __future__ import annotations

from typing import Any

import pytest

from dicehall.games import catalogue
from dicehall.wire.sentences import words_of
from tests.ui.terminal.command import Here, dicehall, lines, tail


def test_without_arguments_a_menu_of_the_games_is_shown(here: Here) -> None:
    ran = here()
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "Dicehall. Which game?",
        "  1: Aetharn (2-6 seats). Keep the dice that score, push your luck, and be the first to bank 5000.",
        "  2: DO or DICE (5 seats). Five fighters, six rounds, one die each. The fallen come back to haunt the living.",
        "  3: Mana (2 seats). Same eight units for both players: pick in secret, let them fight, win the most rounds.",
        "  4: Dice 10 000 (2-12 seats). Keep the dice that score, then roll on or bank. The first to 10 000 wins.",
        "  5: Dice Wards (2 seats). Roll one die for as long as you dare. The first to bank 100 wins.",
        "  6: Piglet (2-3 seats). Flip a coin; the first to hold two heads wins.",
        "  quit: leave",
        "Type a number or a name.",
    ]


def test_an_empty_answer_takes_what_is_usual(here: Here) -> None:
    assert "Dice Wards: Player 1 and Kaya (Casual)." in here(typed=lines("5", "", "")).out
    assert "Aetharn: Player 1 and Hana (Casual)." in here(typed=lines("aet", "", "", "")).out


def test_seats_bots_and_their_level_can_be_chosen(here: Here) -> None:
    ran = here(typed=lines("aetharn", "4", "2", "ea"))
    assert "Aetharn: Player 1, Player 2, Cosmo (Easy) and Enzo (Easy)." in ran.out
    assert "Piglet: Player 1, Player 2 and Player 3." in here(typed=lines("piglet", "3", "0")).out


def test_the_levels_of_bots_are_asked_for_by_their_names(here: Here) -> None:
    ran = here(typed=lines("aetharn", "2", "1", "e", "EASY"))
    assert "Which bots, Easy or Casual or Good or Exact? [casual]" in ran.out
    assert "Please answer easy, casual, good, exact, or quit." in ran.out
    assert "Hana (Easy)" in ran.out


def test_a_wrong_answer_is_explained_and_asked_again(here: Here) -> None:
    ran = here(typed=lines("chess", "", "9", "1", "seven", "3", "3", ""))
    assert (
        ran.out.count("Please answer 1, 2, 3, 4, 5, 6, aetharn, doordice, mana, tenthousand, wards, piglet, or quit.")
        == 3
    )
    assert ran.out.count("Please answer 2, 3, 4, 5, 6, or quit.") == 1
    assert "Aetharn: Nico (Casual), Hana (Casual) and Cosmo (Casual)." in ran.out


def test_after_a_game_the_menu_comes_back(here: Here) -> None:
    ran = here(typed=lines("piglet", "2", "2", "", "quit"))
    assert ran.out.count("Which game?") == 2
    assert tail(ran, 1) == ["Type a number or a name."]


def test_the_menu_works_through_a_pipe() -> None:
    ran = dicehall(typed=lines("wards", "1", "random", "hold", "quit", "quit"))
    assert (ran.code, ran.err) == (0, "")
    assert "Player 1 holds 0" in ran.out
    assert "\x1b" not in ran.out


@pytest.mark.parametrize("key", list(catalogue()))
def test_every_game_tells_about_itself_in_short_sentences(key: str) -> None:
    game: Any = catalogue()[key]
    about = words_of(game)["about"]
    assert set(about) == {"name", "line", "how", "rules"}
    assert 4 <= len(about["how"]) <= 14  # a game whose faces differ tells each in a line
    assert all(sentence.endswith(".") for sentence in (about["line"], *about["how"], *about["rules"].values()))
