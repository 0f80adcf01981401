"""A seat at a server's table, in the window: a real server on a real port."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from dicehall.client.sync import SyncHall, connect
from dicehall.core.house import house_rules
from dicehall.games import catalogue
from dicehall.games.aetharn.rules import Aetharn
from dicehall.ui.desktop.game_screen import GameScreen
from dicehall.ui.desktop.panels import TypedText
from dicehall.ui.desktop.plain_board import GameBoard as PlainBoard
from dicehall.ui.desktop.scene import Button, Intent, TextField
from dicehall.ui.desktop.server_screen import ServerScreen
from dicehall.ui.tables.remote_table import RemoteTable
from dicehall.ui.tables.server_link import ServerLink, split_link
from dicehall.ui.tables.server_visit import ServerVisit
from tests.security.live import LiveHall, live_hall
from tests.ui.desktop.window import LONG, Window

PATIENCE_S = 30.0


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[LiveHall]:
    with live_hall(tmp_path) as live:
        yield live


@pytest.fixture
def online(window: Window, hall: LiveHall) -> Iterator[Window]:
    """A window that begins with the tables of that server."""
    link = ServerLink(connect(hall.url), hall.url)
    window.program.home = lambda: ServerScreen(
        window.program, ServerVisit(window.program.games, link), TypedText("Ann")
    )
    window.app.screen = window.program.home()
    yield window
    link.close()


def until(window: Window, true: Callable[[], Any]) -> None:
    """Let the window run until something is true; the server has its own time."""
    deadline = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < deadline, window.texts
        window.pass_time(LONG)
        time.sleep(0.002)


def signed_in(window: Window) -> None:
    window.press("return")
    until(window, lambda: "New table" in window.texts)


def to_act(window: Window) -> bool:
    screen = window.app.screen
    return isinstance(screen, GameScreen) and (screen.acting is not None or bool(screen.over and screen.playback.idle))


@pytest.mark.proof  # bots of a server take their time
def test_wards_against_a_bot_at_a_server_is_played_to_its_end(online: Window, hall: LiveHall) -> None:
    signed_in(online)
    online.click(Intent("open", ("wards", True)))
    online.click(Intent("open_table"))
    until(online, lambda: to_act(online))
    assert not any(text.endswith(" s") for text in online.texts)  # no clock runs against bots only (decision 066)
    while not online.game.over:
        online.click(Intent("hold" if online.stage.view.round_score >= 25 else "roll"))
        until(online, lambda: to_act(online))
    table = online.game.table
    assert isinstance(table, RemoteTable)
    shown = hall.request("GET", f"/api/tables/{table.id}")
    assert shown["phase"] == "over"
    assert list(online.game.view.scores) == shown["view"]["scores"]
    assert online.game.overlay == "result"
    online.press("return")  # a rematch
    until(online, lambda: isinstance(online.app.screen, GameScreen) and online.app.screen.table is not table)
    again = online.game.table
    assert isinstance(again, RemoteTable)
    assert again.shown["before"] == table.id


@pytest.mark.proof
def test_a_friend_joins_by_the_link_and_do_or_dice_is_refused_with_names(online: Window, hall: LiveHall) -> None:
    """D4: what the server refuses is said in words for people."""
    signed_in(online)
    online.click(Intent("open", ("doordice", False)))
    online.press("return")
    until(online, lambda: any("waiting for players" in text for text in online.texts))
    screen = online.app.screen
    assert isinstance(screen, ServerScreen)
    assert screen.visit.lobby is not None
    table = screen.visit.lobby["id"]
    assert f"Invite friends: {hall.url}/t/{table}" in online.texts
    with connect(hall.url) as friend:
        friend.guest("Bo")
        friend.sit(table)
        for _ in range(3):
            online.click(Intent("bot"))
            until(online, lambda: screen.visit.pending is None)
        play_friend(friend, table, online)


def play_friend(friend: SyncHall, table: str, online: Window) -> None:
    """Bo rolls and takes the first choice until Ann has something to aim; then she aims at herself."""
    until(online, lambda: isinstance(online.app.screen, GameScreen))
    deadline = time.monotonic() + 3 * PATIENCE_S
    while time.monotonic() < deadline:
        shown = friend.look(table)
        choices = shown["choices"].get(str(shown["me"]), [])
        if choices:
            friend.act(table, choices[0])
        online.pass_time(LONG)
        time.sleep(0.05)
        if online.game.acting is None:
            continue
        stage = online.stage
        if stage.view.face is None:
            online.click(Intent("roll"))
        elif len(stage.view.effects) > 1:
            online.click(Intent("effect", stage.view.effects[-1]))
            if online.game.acting is not None and not online.game.in_flight:
                break
        else:
            break
    assert online.game.acting is not None
    online.click(Intent("target", online.game.acting))
    until(online, lambda: "You cannot target yourself." in online.texts)


@pytest.mark.proof
@pytest.mark.parametrize("game", catalogue())
def test_every_game_shows_its_table_at_a_server(online: Window, hall: LiveHall, game: str) -> None:
    signed_in(online)
    online.click(Intent("open", (game, True)))
    online.click(Intent("open_table"))
    if catalogue()[game]().policy.starts == "asked":
        until(online, lambda: Intent("begin") in [item.intent for item in online.items])
        online.click(Intent("begin"))
    until(online, lambda: to_act(online))
    assert online.stage.choices
    if isinstance(online.game.board, PlainBoard):
        assert online.game.board.offers(online.stage)


def test_leaving_gives_the_seat_up_so_that_nobody_waits_for_it(online: Window, hall: LiveHall) -> None:
    with connect(hall.url) as friend:
        friend.guest("Bo")
        table = friend.open("aetharn", seats=2)["id"]
        friend.sit(table)
        signed_in(online)
        until(online, lambda: Intent("join", table) in [item.intent for item in online.items])
        online.click(Intent("join", table))
        until(online, lambda: Intent("begin") in [item.intent for item in online.items])
        online.click(Intent("begin"))
        until(online, lambda: isinstance(online.app.screen, GameScreen))
        me = friend.look(table)["me"]
        online.press("escape", "return")
        until(online, lambda: isinstance(online.app.screen, ServerScreen))
        until(online, lambda: [seat["presence"] for seat in friend.look(table)["seats"]][1 - me] != "here")


def test_a_refused_name_is_said_and_another_can_be_typed(online: Window) -> None:
    online.enter("\u200b")  # the name that was there is replaced
    online.press("return")
    until(online, lambda: isinstance(online.app.screen, ServerScreen) and online.app.screen.visit.notice)


def locked_table(friend: SyncHall) -> str:
    friend.guest("Bo")
    table = str(friend.open("wards", seats=2, password="open sesame")["id"])
    friend.sit(table, password="open sesame")
    return table


def test_a_locked_table_asks_for_its_password_and_says_when_it_is_wrong(online: Window, hall: LiveHall) -> None:
    with connect(hall.url) as friend:
        table = locked_table(friend)
        signed_in(online)
        until(online, lambda: Intent("join", table) in [item.intent for item in online.items])
        assert any("password" in item.note for item in online.of(Button))
        online.click(Intent("join", table))
        until(online, lambda: "This table needs a password." in online.texts)
        online.enter("wrong")
        assert online.of(TextField)[-1].text == "*****"
        online.press("return")
        until(online, lambda: "Wrong password." in online.texts)
        online.press("escape")
        assert "Wrong password." not in online.texts
        online.click(Intent("join", table))
        until(online, lambda: "This table needs a password." in online.texts)
        online.enter("open sesame")
        online.click(Intent("unlock"))
        until(online, lambda: isinstance(online.app.screen, GameScreen))
        assert list(online.game.table.names) == ["Bo", "Ann"]


def test_a_new_table_has_the_password_and_the_house_rules_that_were_chosen(online: Window, hall: LiveHall) -> None:
    signed_in(online)
    online.click(Intent("open", ("aetharn", False)))
    online.click(Intent("seats", 1))
    online.click(Intent("password"))
    online.enter("open sesame")
    online.press("return")
    online.click(Intent("rules"))
    (goal,) = (rule for rule in house_rules(Aetharn) if rule.name == "goal")
    online.click(Intent("number", goal))
    online.enter("0")
    online.press("return")
    assert any(text.startswith("goal must be from 1") for text in online.texts)
    online.click(Intent("number", goal))
    online.enter("2000")
    online.click(Intent("back"))
    assert "goal=2000" in [item.label for item in online.of(Button)]
    online.click(Intent("open_table"))
    until(online, lambda: any("waiting for players" in text for text in online.texts))
    screen = online.app.screen
    assert isinstance(screen, ServerScreen)
    assert screen.visit.lobby is not None
    shown = hall.request("GET", f"/api/tables/{screen.visit.lobby['id']}")
    assert (shown["locked"], shown["rules"]["goal"], len(shown["seats"])) == (True, 2000, 3)
    online.click(Intent("bot"))
    until(online, lambda: any(text.endswith("(Casual bot)") for text in online.texts))


def test_a_link_names_the_hall_and_the_table() -> None:
    assert split_link("http://host:8000/t/abc") == ("http://host:8000", "abc")
    assert split_link("https://host/dice/t/abc/") == ("https://host/dice", "abc")
    assert split_link("http://host:8000/") == ("http://host:8000", None)
