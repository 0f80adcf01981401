"""Every game is played to its end in 80x24, by keys, and nothing is ever cut off or scrolled out of sight."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from dicehall.client.results import ResultsFile
from dicehall.core.house import with_rules
from dicehall.games import catalogue
from dicehall.launch.full_screen import Tables
from dicehall.launch.game_folder import results_file
from dicehall.launch.line_game import Wanted
from dicehall.ui.tui.game_screen import GameScreen
from dicehall.ui.tui.program import Program
from dicehall.ui.tui.result_screen import ResultScreen
from dicehall.wire.bot_names import first_name
from dicehall.wire.record import Record
from tests.piglet import GAME as PIGLET
from tests.ui.tui.driver import Driver, check_layout, on_screen, playing

BOT = "Mira {} (Casual)"


async def play_to_the_end(driver: Driver, choose: Callable[[GameScreen], str]) -> int:
    """Press what somebody would press until the game is over; how many moves that took."""
    for moves in range(400):
        await driver.settle()
        if driver.game.position.over:
            await driver.until(lambda: isinstance(driver.screen, ResultScreen))
            return moves
        check_layout(driver)
        if driver.game.is_covered:
            await driver.press("enter")
            check_layout(driver)
        await driver.press(choose(driver.game))
    raise AssertionError("the game does not end")


def first(game: GameScreen) -> str:
    """Enter where there is one choice, else the first that is listed."""
    if game.only_choice is not None:
        return "enter"
    return next(key for key in game.actions() if key.isdigit())


def bank_early(game: GameScreen) -> str:
    """As soon as there is something to keep; else the best of what is listed."""
    words = [key for key in "byh" if key in game.actions()]
    keep = getattr(game.view, "turn_points", None) or getattr(game.view, "round_score", 0)
    return words[0] if words and keep >= game.view.goal / 4 else first(game)


OTHER_SIZES = [
    ("mana", (60, 18)),
    ("doordice", (60, 18)),
    ("aetharn", (100, 30)),
    ("doordice", (132, 43)),
    ("mana", (200, 60)),
]
CASES: list[tuple[str, list[str], dict[str, Any], Callable[[GameScreen], str]]] = [
    ("wards", ["Ann", BOT.format(2)], {"goal": 30}, bank_early),
    ("aetharn", ["Ann", "Bo", BOT.format(3)], {"goal": 500}, bank_early),
    ("tenthousand", ["Ann", BOT.format(2), BOT.format(3)], {"goal": 600, "opening": 200}, bank_early),
    ("doordice", ["Ann", *map(BOT.format, (2, 3, 4, 5))], {"rounds": 2}, first),
    ("mana", ["Ann", BOT.format(2)], {"same_army": 0, "fight_once": 0}, first),
]
LONG_CASES = [
    ("doordice", ["Ann", "Bo", *map(BOT.format, (3, 4, 5))], {"rounds": 3}, first),
    ("mana", ["Ann", "Bo"], {}, first),
]


@pytest.mark.parametrize(
    ("key", "names", "rules", "choose"),
    [*CASES, *(pytest.param(*case, marks=pytest.mark.proof) for case in LONG_CASES)],
)
def test_a_game_is_played_to_its_end_and_counted(
    key: str, names: list[str], rules: dict[str, Any], choose: Callable[[GameScreen], str]
) -> None:
    async def play(driver: Driver) -> None:
        assert await play_to_the_end(driver, choose) > 1
        over = driver.game.position.over
        assert over is not None
        text = driver.text
        shown = [first_name(name) for name in names]
        winner = "draw" if over.winner is None else f"{shown[over.winner]} wins!"
        assert winner in text
        assert "Enter play again" in text
        assert all(name in text for name in shown)

    on_screen(play, playing(key, names, rules))
    kept: ResultsFile = results_file()
    assert [result.game for result in kept.all()] == [key]


@pytest.mark.proof
def test_a_sixth_game_is_played_on_the_plain_board() -> None:
    def make(tables: Tables, program: Program) -> GameScreen:
        tables.games = program.games = {**catalogue(), "piglet": PIGLET}
        return GameScreen(program, tables.table(Wanted(Record(with_rules(PIGLET, {}), ("Ann", "Bo")), "x")))

    async def play(driver: Driver) -> None:
        await driver.settle()
        check_layout(driver)
        assert "stake: 0" in driver.text
        await play_to_the_end(driver, lambda game: "h" if game.view.stake else "f")

    on_screen(play, make)


@pytest.mark.proof
def test_twelve_seats_fit_the_screen() -> None:
    async def play(driver: Driver) -> None:
        for _ in range(6):
            await driver.settle()
            check_layout(driver)
            await driver.press(first(driver.game))

    on_screen(play, playing("tenthousand", [f"Somebody no. {n}" for n in range(1, 13)]))


@pytest.mark.parametrize(
    ("key", "size"),
    [
        *((key, (40, 12)) for key in ("doordice", "mana")),
        *(pytest.param(key, (40, 12), marks=pytest.mark.proof) for key in catalogue()),
        *(pytest.param(*case, marks=pytest.mark.proof) for case in OTHER_SIZES[:-1]),
        OTHER_SIZES[-1],
    ],
)
def test_other_sizes_keep_the_board_and_the_choices_in_sight(key: str, size: tuple[int, int]) -> None:
    seats = catalogue()[key].seats[0]

    async def play(driver: Driver) -> None:
        await driver.settle()
        for _ in range(2):
            if driver.game.is_covered:
                await driver.press("enter")
            assert driver.game.query_one("#choices").size.height >= 1, driver.text
            assert driver.game.query_one("#keys").region.bottom == size[1]
            await driver.press(first(driver.game))
            await driver.settle()

    on_screen(play, playing(key, ["Ann", *(f"Player {n}" for n in range(2, seats + 1))]), size)
