"""Choices by number, and the one that Enter takes."""

from __future__ import annotations

import pytest

from dicehall.ui.terminal.game_lines import lines_of
from dicehall.ui.terminal.picks import Picks
from dicehall.wire.actions import codec_of
from tests.ui.terminal.command import Here, lines
from tests.ui.terminal.positions import AETHARN, DOORDICE, MANA, TENTHOUSAND, WARDS, Position


def picks(at: Position, *offers: str) -> Picks:
    return Picks(offers, lines_of(at.game), codec_of(at.game))


@pytest.mark.parametrize(
    ("at", "offers", "numbers"),
    [
        (WARDS, ("roll", "hold"), ["1.", "2."]),
        (AETHARN, ("roll", "bank", "fold"), ["1.", "2.", "3."]),
        (AETHARN, ("hold 1 3", "hold ...", "bank"), ["#1", "", "#3"]),
        (TENTHOUSAND, ("lock 1 1 1, 5", "lock 5"), ["#1", "#2"]),
        (DOORDICE, ("power damage 2", "power vp"), ["#1", "#2"]),
        (DOORDICE, ("strike 2", "strike 3"), ["", ""]),
        (MANA, ("pick 1", "pick 8"), ["", ""]),
    ],
)
def test_choices_have_numbers_that_mean_nothing_else(at: Position, offers: tuple[str, ...], numbers: list[str]) -> None:
    assert picks(at, *offers).numbers == numbers


@pytest.mark.parametrize(
    ("at", "offers", "typed", "meant"),
    [
        (WARDS, ("roll", "hold"), "2", "hold"),
        (WARDS, ("roll", "hold"), "#1", "roll"),
        (WARDS, ("roll", "hold"), "2.", "hold"),
        (WARDS, ("roll", "hold"), "3", "3"),
        (AETHARN, ("hold 1 3", "hold 1", "bank"), "#2", "hold 1"),
        (AETHARN, ("hold 1 3", "hold 1", "bank"), "2", "2"),  # the second die
        (MANA, ("pick 2", "pick 3"), "2", "2"),  # the second unit
        (WARDS, ("roll", "hold"), "#99999999999", "99999999999"),
    ],
)
def test_a_number_picks_its_choice(at: Position, offers: tuple[str, ...], typed: str, meant: str) -> None:
    assert picks(at, *offers).typed(typed) == meant


def test_enter_takes_the_only_choice_but_never_what_loses_for_good() -> None:
    assert picks(AETHARN, "roll", "fold").typed("  ") == "roll"
    assert picks(AETHARN, "bank", "roll", "fold").typed("") == ""
    assert picks(AETHARN, "fold").typed("") == ""
    assert picks(AETHARN, "hold ...").typed("") == ""


def test_a_game_is_played_by_numbers_and_enter(here: Here) -> None:
    out = here("play", "aetharn", "--seed", "b", typed=lines("", "#1", "2")).out
    assert "  #1 hold " in out
    assert "banks" in out


def test_what_tab_completes_are_the_choices_and_their_verbs() -> None:
    assert picks(DOORDICE, "power damage 2", "power vp").words == ["power damage 2", "power vp", "power damage"]
