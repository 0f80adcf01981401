"""Names of bots at home, which say their level."""

from __future__ import annotations

from itertools import islice

import pytest

from dicehall.wire.bot_levels import LEVEL_NAMES, level_key, level_name, usual_level
from dicehall.wire.bot_names import NAMES, bot_names, bot_of, first_name, home_bot_name


@pytest.mark.parametrize("level", [*LEVEL_NAMES, "as_written"])
def test_the_level_of_a_bot_can_be_read_from_its_name(level: str) -> None:
    name = home_bot_name("Mira", level, level)
    assert name == f"Mira ({level_name(level)})"
    assert (bot_of(name), first_name(name)) == (level, "Mira")
    assert level_key(level_name(level)) == level


def test_a_bot_that_plays_on_another_level_says_both() -> None:
    name = home_bot_name("Mira 2", "exact", "good")
    assert name == "Mira 2 (Exact, as Good)"
    assert (bot_of(name), first_name(name)) == ("good", "Mira 2")


@pytest.mark.parametrize(
    "name", ["Mira", "Ann (Casual)", "Mira (casual)", "Mira (Casual) ", "Bot 2", "Bot (greedy)", ""]
)
def test_anything_else_is_the_name_of_a_person(name: str) -> None:
    assert bot_of(name) is None
    assert first_name(name) == name


def test_bots_of_old_records_are_still_bots() -> None:
    assert bot_of("Bot 2 (greedy)") == "greedy"
    assert bot_of("Bot 12 (exact, as good)") == "good"


def test_names_do_not_run_out_and_are_never_taken() -> None:
    drawn = list(islice(bot_names("wards", ["KAYA"]), 2 * len(NAMES)))
    assert len(set(drawn)) == len(drawn)
    assert "Kaya" not in drawn
    assert all(bot_of(home_bot_name(name, "good", "good")) == "good" for name in drawn)


def test_the_usual_level_is_one_that_the_game_has() -> None:
    assert usual_level(["random", "greedy", "good"]) == "greedy"
    assert usual_level(["random"]) == "random"
