"""What keys do at a table, and what is shown when."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from rich.text import Text
from textual.widgets import OptionList, Static

from dicehall.launch.full_screen import Tables, report
from dicehall.launch.game_folder import last_game
from dicehall.ui.tables.playback import DICE_MS
from dicehall.ui.tui.command_line import CommandLine
from dicehall.ui.tui.dialogs import QuestionScreen, TextScreen
from dicehall.ui.tui.game_screen import GameScreen
from dicehall.ui.tui.menu_screen import MenuScreen
from dicehall.ui.tui.program import Program
from dicehall.ui.tui.result_screen import ResultScreen
from dicehall.ui.tui.text_graphics import hanging
from tests.ui.tui.driver import Driver, on_screen, playing

BOT = "Kaya (Casual)"


def at_table(play: Any, key: str = "wards", names: tuple[str, ...] = ("Ann", BOT), **rules: Any) -> None:
    async def settled(driver: Driver) -> None:
        await driver.settle()
        await play(driver)

    on_screen(settled, playing(key, names, rules))


def entries(driver: Driver) -> int:
    return len(driver.game.table.record().result().entries)


def test_a_letter_rolls_and_the_rest_of_the_word_is_not_taken_for_something_else() -> None:
    async def play(driver: Driver) -> None:
        await driver.press(*"roll")
        assert entries(driver) == 2  # the move and its die
        assert driver.game.query_one(CommandLine).value == ""
        await driver.settle()
        await driver.press("r")
        assert entries(driver) > 2

    at_table(play)


def test_while_a_move_is_shown_nobody_is_said_to_be_on_turn() -> None:
    async def play(driver: Driver) -> None:
        driver.game.playback.speed = 1.0
        await driver.press("enter")
        prompts = []
        while not driver.game.playback.idle:
            driver.game.advance(100)
            prompts.append(str(driver.game.query_one("#prompt", Static).content))
        assert "Ann recovers and has 20 HP." in prompts
        assert not any("is to move" in prompt for prompt in prompts)

    at_table(play, "doordice", ("Ann", "Bo", "Cy", "Di", "Ed"))


def test_the_later_rows_of_a_list_begin_where_its_words_do() -> None:
    console = Console(width=20, file=io.StringIO())
    console.print(hanging([Text("A heading"), Text("  - two words, and then some more")]))
    assert isinstance(console.file, io.StringIO)
    shown = [row.rstrip() for row in console.file.getvalue().splitlines()]
    assert shown == ["A heading", "  - two words, and", "    then some more"]


def test_moves_can_be_typed_completed_and_recalled() -> None:
    async def play(driver: Driver) -> None:
        line = driver.game.query_one(CommandLine)
        await driver.press("tab", "r", "o")
        await driver.pilot.pause()
        await driver.press("tab")
        assert line.value == "roll"
        await driver.press("enter")
        assert entries(driver) == 2
        await driver.settle()
        await driver.press("tab", "up")
        assert line.value == "roll"
        await driver.press("down")
        assert line.value == ""
        await driver.press("escape")
        assert isinstance(driver.game.focused, OptionList)

    at_table(play)


def test_another_letter_begins_a_typed_line_and_nonsense_is_explained() -> None:
    async def play(driver: Driver) -> None:
        await driver.press(*"jump", "enter")
        assert "There is no command 'jump'" in driver.text
        assert entries(driver) == 0

    at_table(play)


def test_enter_takes_the_only_choice_and_chooses_nothing_among_several() -> None:
    async def play(driver: Driver) -> None:
        assert driver.game.only_choice is None
        await driver.press("enter", "space")
        assert entries(driver) == 0

    at_table(play)

    async def play_doordice(driver: Driver) -> None:
        before = entries(driver)
        await driver.press("enter")
        assert entries(driver) > before

    at_table(play_doordice, "doordice", ("Ann", "Bo", "Cy", "Di", "Ed"))


def test_choices_are_clicked() -> None:
    async def play(driver: Driver) -> None:
        await driver.pilot.click("#choices", offset=(6, 0))
        assert entries(driver) == 2

    at_table(play)


def test_folding_asks_back_whether_it_is_picked_or_typed() -> None:
    async def play(driver: Driver) -> None:
        await driver.press("f")
        assert "If you fold, you are out of the game for good." in driver.text
        await driver.press("enter")  # no is what Enter does
        assert driver.game.position.over is None
        await driver.press("tab", *"fold", "enter")
        assert isinstance(driver.screen, QuestionScreen)
        await driver.press("y")
        await driver.settle()
        await driver.until(lambda: isinstance(driver.screen, ResultScreen))
        assert "Bo wins!" in driver.text

    at_table(play, "aetharn", ("Ann", "Bo"))


def test_a_pick_is_secret_where_two_people_share_the_terminal() -> None:
    async def play(driver: Driver) -> None:
        assert driver.game.query_one(OptionList).option_count == 0
        assert "Ann picks in secret" in driver.text
        await driver.press("7")  # nothing to pick yet
        await driver.press("enter")
        assert driver.game.query_one(CommandLine).password
        await driver.press("7")
        await driver.settle()
        assert "Bo picks in secret" in driver.text
        assert driver.game.query_one(OptionList).option_count == 0
        assert driver.game.stage is not None
        assert driver.game.stage.view.picks == (None, None)
        await driver.press("enter", "2")
        await driver.settle()
        assert any("unit 7" in line for line in driver.game.logged)

    at_table(play, "mana", ("Ann", "Bo"))


def test_nothing_is_told_before_the_dice_rest_and_space_skips() -> None:
    async def play(driver: Driver) -> None:
        game = driver.game
        game.playback.speed = 1.0
        await driver.press("r")
        game.advance(DICE_MS / 2)
        assert game.logged == []
        assert game.view.last_roll is None
        assert game.stage is not None
        assert game.stage.rolling
        await driver.press("space")
        assert game.logged[0].startswith("Ann rolls a ")
        assert game.stage.rolling == ()

    at_table(play)


def test_the_speed_is_kept_for_the_next_game() -> None:
    async def play(driver: Driver) -> None:
        assert "speed: instant" in driver.text
        await driver.press("s")
        assert driver.program.speed == "normal"
        assert "speed: normal" in driver.text

    at_table(play)


def test_a_hint_is_given_and_noted_in_the_record() -> None:
    async def play(driver: Driver) -> None:
        await driver.press("!")
        driver.game.advance(10)
        await driver.pilot.pause()
        assert isinstance(driver.screen, TextScreen)
        assert "The coach would play: roll" in driver.text
        assert "% to win" in driver.text
        assert driver.game.table.record().result().table[-1]["act"] == "hinted"

    at_table(play)


def test_there_are_no_hints_among_people_unless_allowed() -> None:
    async def play(driver: Driver) -> None:
        assert "hint" not in driver.text.splitlines()[-1]
        await driver.press("!")
        assert "Hints are off in this game." in driver.text

    at_table(play, "wards", ("Ann", "Bo"))


def test_help_shows_the_rules_and_the_keys() -> None:
    async def play(driver: Driver) -> None:
        await driver.press("?")
        assert "How to play Dice Wards" in driver.text
        assert "Two players share one die." in driver.text
        assert "House rules of this table: Goal 50." in driver.text
        await driver.press("escape")
        assert isinstance(driver.screen, GameScreen)

    at_table(play, goal=50)


def test_more_ways_are_listed_on_demand() -> None:
    async def play(driver: Driver) -> None:
        for _ in range(40):
            if driver.game.offers.rest:
                break
            await driver.press("r" if "r" in driver.game.actions() else "1")
            await driver.settle()
        fewer = driver.game.query_one(OptionList).option_count
        assert "more ways" in driver.text
        await driver.press("+")
        assert driver.game.query_one(OptionList).option_count > fewer

    on_screen(play, playing("tenthousand", ["Ann", "Bo"], seed="many ways 22"))


def test_a_game_is_saved_in_a_file_that_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = Path("game.json")

    async def play(driver: Driver) -> None:
        await driver.press("tab", *f"save {file}", "enter")
        assert file.exists()
        await driver.press("r")
        assert b'"roll"' in file.read_bytes()

    at_table(play)


def test_leaving_asks_and_keeps_the_game_for_the_menu() -> None:
    async def play(driver: Driver) -> None:
        await driver.press("r")
        await driver.settle()
        await driver.press("escape")
        assert "It is saved: you can resume it later." in driver.text
        await driver.press("m")
        assert isinstance(driver.screen, MenuScreen)
        assert last_game() is not None
        assert driver.options[0].split() == ["r", "Resume", "last", "game", "Dice", "Wards:", "Ann,", *BOT.split()]
        await driver.press("r")
        assert entries(driver) >= 2

    at_table(play)


def test_the_end_has_the_coachs_report_and_another_game() -> None:
    def make(tables: Tables, program: Program) -> GameScreen:
        program.report = report
        return playing("wards", ("Ann", "Bo"), {"goal": 2})(tables, program)

    async def play(driver: Driver) -> None:
        while not driver.game.position.over:
            await driver.settle()
            await driver.press("h" if driver.game.view.round_score >= 2 else "r")
            await driver.settle()
        await driver.until(lambda: "best possible" in driver.text)
        assert "The first to hold 2 points wins." in driver.text
        await driver.press("c")
        assert "The coach's report" in driver.text
        await driver.press("escape", "enter")
        assert isinstance(driver.screen, GameScreen)
        assert driver.game.position.over is None

    on_screen(play, make)


@pytest.mark.parametrize("key", ["ctrl+c", "ctrl+q"])
def test_the_program_can_be_left_at_any_time(key: str) -> None:
    async def play(driver: Driver) -> None:
        await driver.press(key)
        await driver.until(lambda: not driver.app.is_running)

    at_table(play)
