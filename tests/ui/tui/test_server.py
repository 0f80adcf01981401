"""A seat at a server's table, on a terminal: a real server on a real port."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dicehall.client.sync import SyncHall, connect
from dicehall.ui.tables.remote_table import RemoteTable
from dicehall.ui.tui.dialogs import EntryScreen
from dicehall.ui.tui.game_screen import GameScreen
from dicehall.ui.tui.result_screen import ResultScreen
from dicehall.ui.tui.server_screen import ServerScreen
from tests.security.live import LiveHall, live_hall
from tests.ui.tui.driver import Driver, check_layout, on_screen


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[LiveHall]:
    with live_hall(tmp_path) as live:
        yield live


@pytest.fixture
def friend(hall: LiveHall) -> Iterator[SyncHall]:
    with connect(hall.url) as other:
        other.guest("Bo")
        yield other


def at_server(play: Any, hall: LiveHall, table: str | None = None) -> None:
    on_screen(play, lambda tables, program: ServerScreen(program, program.connect(hall.url), "Ann", table))


async def signed_in(driver: Driver) -> None:
    await driver.until(lambda: "Play as Ann" in driver.text)
    await driver.press("1")


def is_playing(driver: Driver) -> bool:
    """Whether a game is on the screen, drawn."""
    return isinstance(driver.screen, GameScreen) and driver.screen.is_mounted and driver.screen.stage is not None


@pytest.mark.proof
def test_a_table_with_a_password_is_joined_by_its_link_and_played(hall: LiveHall, friend: SyncHall) -> None:
    opened = friend.open("wards", seats=2, password="open sesame", rules={"goal": 1})
    friend.sit(opened["id"])

    async def play(driver: Driver) -> None:
        await signed_in(driver)
        await driver.until(lambda: isinstance(driver.screen, EntryScreen))
        await driver.until(lambda: "This table needs a password." in driver.text)
        await driver.press(*"wrong", "enter")
        await driver.until(lambda: "Wrong password" in driver.text)
        await driver.press(*"open", "space", *"sesame", "enter")
        await driver.until(lambda: is_playing(driver))
        assert list(driver.game.table.names) == ["Bo", "Ann"]
        await driver.until(lambda: driver.game.clock)
        check_layout(driver)
        friend.act(opened["id"], "hold")
        await driver.until(lambda: driver.game.acting is not None)
        await driver.press("tab", *"bank", "enter")
        assert "There is no command 'bank'" in driver.text
        await driver.press("r")
        await driver.until(lambda: any("Ann rolls a" in line for line in driver.game.logged))

    at_server(play, hall, opened["id"])


def test_a_running_game_is_watched_by_its_link(hall: LiveHall, friend: SyncHall) -> None:
    opened = friend.open("wards", seats=2, bots=[{"seat": 1, "level": "random"}])
    friend.sit(opened["id"])
    friend.start(opened["id"]) if friend.look(opened["id"])["phase"] == "lobby" else None

    async def play(driver: Driver) -> None:
        await signed_in(driver)
        await driver.until(lambda: is_playing(driver))
        assert driver.game.table.people == frozenset()
        friend.act(opened["id"], "roll")
        await driver.until(lambda: any("Bo rolls a" in line for line in driver.game.logged))
        await driver.press("r")  # nothing that a spectator could do
        check_layout(driver)

    at_server(play, hall, opened["id"])


def test_a_new_table_against_a_bot_gives_hints(hall: LiveHall, friend: SyncHall) -> None:
    asked = friend.open("wards", seats=2, hints=True, bots=[{"seat": 1, "level": "random"}])["id"]
    friend.sit(asked)
    friend.wait(friend.hall.hint(asked))  # starts the coach's process while standard error is a real file

    async def play(driver: Driver) -> None:
        await signed_in(driver)
        await driver.until(lambda: "New table" in driver.text)
        await driver.press("n", "5")
        await driver.until(lambda: "Open the table" in driver.text)
        await driver.press("s")
        await driver.until(lambda: is_playing(driver) and driver.game.acting is not None)
        await driver.press("!")
        await driver.until(lambda: "The coach would play:" in driver.text)

    at_server(play, hall)


@pytest.mark.proof  # bots of a server take their time
def test_a_whole_game_and_a_rematch_at_a_server(hall: LiveHall) -> None:
    async def play(driver: Driver) -> None:
        await signed_in(driver)
        await driver.until(lambda: "New table" in driver.text)
        await driver.press("n", "5")
        await driver.until(lambda: "Open the table" in driver.text)
        await driver.press("s")
        await driver.until(lambda: is_playing(driver))
        first = driver.game.table
        assert isinstance(first, RemoteTable)
        while not driver.game.position.over:
            await driver.until(lambda: driver.game.acting is not None or driver.game.position.over)
            if driver.game.acting is not None:
                await driver.press("h" if driver.game.view.round_score >= 25 else "r")
                await driver.pilot.pause(0.05)
        await driver.until(lambda: isinstance(driver.screen, ResultScreen))
        assert hall.request("GET", f"/api/tables/{first.id}")["phase"] == "over"
        await driver.press("enter")
        await driver.until(lambda: is_playing(driver) and driver.game.table is not first)
        again = driver.game.table
        assert isinstance(again, RemoteTable)
        assert again.shown["before"] == first.id

    at_server(play, hall)
