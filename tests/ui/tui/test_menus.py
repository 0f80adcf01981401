"""The menu: a game, who plays it, house rules, statistics."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dicehall.client.results import GameResult, SeatResult
from dicehall.core.house import rules_of
from dicehall.launch.game_folder import last_game, results_file
from dicehall.launch.game_lock import GameLock
from dicehall.ui.tui.dialogs import TextScreen
from dicehall.ui.tui.game_screen import GameScreen
from dicehall.ui.tui.menu_screen import MenuScreen
from dicehall.ui.tui.rules_screen import RulesScreen
from dicehall.ui.tui.setup_screen import SetupScreen
from dicehall.ui.tui.stats_screen import StatsScreen
from tests.ui.tui.driver import Driver, on_screen


def at_menu(play: Any) -> None:
    on_screen(play, lambda tables, program: MenuScreen(program))


def record_names(driver: Driver) -> tuple[str, ...]:
    return tuple(driver.game.table.record().result().names)


def test_a_number_and_enter_start_a_game_against_a_bot() -> None:
    async def play(driver: Driver) -> None:
        assert "What shall we play?" in driver.text
        await driver.press("5")
        assert isinstance(driver.screen, SetupScreen)
        await driver.press("enter")
        assert isinstance(driver.screen, GameScreen)
        assert record_names(driver) == ("Player 1", "Kaya (Casual)")
        assert list(driver.game.table.names) == ["Player 1", "Kaya"]

    at_menu(play)


def test_what_is_said_of_a_game_keeps_its_margin_on_every_row() -> None:
    async def play(driver: Driver) -> None:
        await driver.press("2")
        assert driver.text.splitlines()[1:3] == [
            " Five fighters, six rounds, one die each. The fallen come back to haunt the",
            " living.",
        ]

    at_menu(play)


@pytest.mark.proof
def test_arrow_keys_and_the_mouse_choose_too() -> None:
    async def play(driver: Driver) -> None:
        await driver.press("down", "enter")
        assert "DO or DICE: who plays?" in driver.text
        await driver.press("escape")
        assert isinstance(driver.screen, MenuScreen)
        await driver.pilot.click("#list", offset=(6, 0))
        assert "Aetharn: who plays?" in driver.text

    at_menu(play)


@pytest.mark.proof
def test_seats_levels_and_names_are_chosen() -> None:
    async def play(driver: Driver) -> None:
        await driver.press("1", "n", "4")  # four seats
        await driver.press("2", "p")  # a person on the second one
        for _ in range(24):
            await driver.press("backspace")
        await driver.press(*"Bo", "enter")
        await driver.press("3", "1")  # random
        await driver.press("down", "right")  # the next seat: another level
        await driver.press("s")
        names = record_names(driver)
        assert names[:3] == ("Player 1", "Bo", "Cosmo (Easy)")
        assert names[3].startswith("Enzo (")
        assert names[3] != "Enzo (Casual)"

    at_menu(play)


def test_every_level_has_a_key_of_its_own() -> None:
    async def play(driver: Driver) -> None:
        await driver.press("1")
        for key, level in enumerate(("Easy", "Casual", "Good", "Exact"), 1):
            await driver.press("2", str(key))
            assert f"Hana ({level}), a bot" in driver.text

    at_menu(play)


@pytest.mark.proof
def test_two_people_cannot_have_one_name() -> None:
    async def play(driver: Driver) -> None:
        await driver.press("5", "2", "p")
        for _ in range(24):
            await driver.press("backspace")
        await driver.press(*"Player", "space", "1", "enter", "s")
        assert isinstance(driver.screen, SetupScreen)
        assert "names must be unique" in driver.text

    at_menu(play)


@pytest.mark.proof
def test_house_rules_are_changed_and_checked() -> None:
    async def play(driver: Driver) -> None:
        await driver.press("5", "h")
        assert isinstance(driver.screen, RulesScreen)
        await driver.press("1", "backspace", "backspace", "backspace", "0", "enter")
        assert "goal must be from 1" in driver.text
        await driver.press("1", "backspace", "backspace", "backspace", "4", "0", "enter")
        assert "40  (usually 100)" in driver.text
        await driver.press("d")
        assert "goal=40" in driver.text
        await driver.press("s")
        assert rules_of(driver.game.table.game)["goal"] == 40

    at_menu(play)


def test_a_damaged_game_is_named_in_the_menu(tmp_path: Path) -> None:
    file = tmp_path / "games" / "home-0123456789abcdef.json"
    file.parent.mkdir()
    file.write_text("{")

    async def play(driver: Driver) -> None:
        assert "A saved game is damaged" in driver.text
        await driver.press("d")
        assert isinstance(driver.screen, TextScreen)
        text = "\n".join(map(str, driver.screen.lines))
        assert str(file) in text
        assert "move it to another folder" in text

    at_menu(play)
    assert file.read_text() == "{"


def test_a_game_that_is_open_elsewhere_is_not_resumed_from_the_menu() -> None:
    async def play(driver: Driver) -> None:
        await driver.press("5", "s")
        await driver.settle()
        await driver.press("r")
        await driver.settle()
        await driver.press("escape", "m")
        assert isinstance(driver.screen, MenuScreen)
        path = last_game()
        assert path is not None
        elsewhere = GameLock(path.with_suffix(".lock"))  # the game was released when it was left
        await driver.press("r")
        assert "This game is open in another window or terminal" in driver.text
        elsewhere.release()
        await driver.press("r")
        assert isinstance(driver.screen, GameScreen)

    at_menu(play)


def test_statistics_show_the_games_that_ended_here() -> None:
    seats = (SeatResult("Ann", "person", 1, True, 100), SeatResult("Bot (greedy)", "bot", 2, False, 40))
    results_file().add(GameResult("x", 0, "wards", "goal", None, seats))

    async def play(driver: Driver) -> None:
        await driver.press("t")
        assert isinstance(driver.screen, StatsScreen)
        assert "Dice Wards" in driver.text
        assert "1. Ann" in driver.text
        assert "Casual bots" in driver.text
        await driver.press("right")
        assert "No games yet." in driver.text
        await driver.press("escape")
        assert isinstance(driver.screen, MenuScreen)

    at_menu(play)


def test_nothing_in_the_menus_is_wider_than_the_screen() -> None:
    async def play(driver: Driver) -> None:
        for keys in ((), ("1",), ("h",)):
            await driver.press(*keys)
            assert all("…" not in row for row in driver.text.splitlines()), driver.text

    at_menu(play)
