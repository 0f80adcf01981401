"""The screens around a game: the start, statistics, help, and what holds for every one of them."""

from __future__ import annotations

import pygame
import pytest

from dicehall.client.results import GameResult, SeatResult
from dicehall.core.house import house_rules, rules_of
from dicehall.games import catalogue
from dicehall.games.doordice.rules import DoOrDice
from dicehall.games.mana.rules import Mana
from dicehall.launch.game_folder import last_game, results_file
from dicehall.launch.game_lock import GameLock
from dicehall.ui.desktop.scene import Bar, Button, Intent, Item, Portrait, TextField
from dicehall.ui.desktop.start_screen import StartScreen
from dicehall.ui.desktop.stats_screen import StatsScreen
from tests.ui.desktop.window import Window

BOTS = ("Tilda (Good)", "Mira (Casual)", "Luna (Casual)")  # of DO or DICE, from the third seat on
SIZES = [(1280, 800), (900, 600), (640, 440)]


def start(window: Window) -> StartScreen:
    assert isinstance(window.app.screen, StartScreen)
    return window.app.screen


def resize(window: Window, size: tuple[int, int]) -> None:
    pygame.display.set_mode(size, pygame.RESIZABLE)
    pygame.event.post(pygame.event.Event(pygame.VIDEORESIZE, w=size[0], h=size[1], size=size))
    window.pass_time(0)


def test_names_avatars_and_levels_are_chosen_at_the_start(window: Window) -> None:
    window.click(Intent("name", 0))
    window.enter("Zo")  # replaces what was there
    window.enter("ë")
    window.press("return")
    window.click(Intent("person", 1))
    before = start(window).seats[1].avatar
    window.click(Intent("avatar", 1))
    assert start(window).seats[1].avatar != before
    window.click(Intent("level", (2, "good")))
    assert "Tilda" in window.texts
    window.click(Intent("start"))
    assert window.game.table.record().result().names == ("Zoë", "Bo", *BOTS)
    assert list(window.game.table.names) == ["Zoë", "Bo", "Tilda", "Mira", "Luna"]  # levels are not in every sentence
    assert sorted(window.game.table.people) == [0, 1]


@pytest.mark.parametrize(
    ("name", "why"), [("", "needs a name"), ("bo", "must be unique"), ("Tilda (Good)", "Only bots")]
)
def test_a_bad_name_is_refused_with_a_reason(window: Window, name: str, why: str) -> None:
    window.click(Intent("person", 1))
    window.click(Intent("name", 0))
    window.press("backspace")
    if name:
        window.enter(name)
    window.click(Intent("start"))
    assert any(why in text for text in window.texts)


def test_letters_typed_into_a_name_press_no_buttons(window: Window) -> None:
    window.click(Intent("name", 0))
    window.press("m", "t")
    window.enter("mt" * 20)
    assert window.of(TextField)[0].text == ("mt" * 20)[:24]
    assert not window.program.sound_on


def test_a_key_that_is_held_down_presses_once(window: Window) -> None:
    window.click(Intent("start"))
    window.settle()
    window.hold("escape", repeats=3)
    assert window.game.question is not None  # neither closed again nor opened once more
    window.release("escape")
    window.press("escape")
    window.hold("f", repeats=1)
    assert window.program.speed == "fast"


def test_a_backspace_that_is_held_down_deletes_letter_by_letter(window: Window) -> None:
    window.click(Intent("name", 0))
    window.enter("Annabella")
    window.hold("backspace", repeats=4)
    assert window.of(TextField)[0].text == "Anna"


@pytest.mark.parametrize("game", catalogue())
def test_every_game_can_be_started_and_left(window: Window, game: str) -> None:
    window.click(Intent("game", game))
    window.click(Intent("start"))
    window.settle()
    window.press("escape")
    assert "Leave this game? It has not begun." in window.texts
    window.press("escape")
    assert window.game.question is None
    window.press("escape", "return")
    assert start(window)


def test_the_next_game_starts_with_the_seats_the_rules_and_the_speed_of_the_last_one(window: Window) -> None:
    window.click(Intent("game", "wards"))
    window.click(Intent("name", 0))
    window.enter("Zoë")
    window.click(Intent("avatar", 0))
    window.click(Intent("level", (1, "good")))
    start(window).rules = {"goal": 20}
    window.click(Intent("start"))
    window.settle()
    before = window.program.setup
    window.press("f", "escape", "return")
    again = start(window)
    assert (again.game, again.rules) == ("wards", {"goal": 20})
    assert [(plan.name, plan.level) for plan in again.seats] == [("Zoë", None), ("", "good")]
    window.press("return")
    assert window.program.setup == before
    assert window.game.playback.speed > 1


def test_whoever_changes_the_game_keeps_name_and_picture(window: Window) -> None:
    window.click(Intent("name", 0))
    window.enter("Zoë")
    window.click(Intent("avatar", 0))
    me = start(window).seats[0]
    window.click(Intent("game", "mana"))
    assert start(window).seats[0] == me
    window.click(Intent("level", (0, "greedy")))
    window.click(Intent("game", "wards"))
    assert start(window).seats[0].name == "Ann"


def test_a_game_that_was_left_is_resumed_and_one_that_is_open_elsewhere_is_not(window: Window) -> None:
    window.click(Intent("game", "wards"))
    window.click(Intent("start"))
    window.settle()
    window.click(Intent("roll"))
    window.settle()
    rolled = window.game.view
    window.press("escape")
    assert "Leave this game? It is saved: you can resume it later." in window.texts
    window.press("return")
    assert start(window).last_game == "Dice Wards: Ann, Kaya (Casual)"
    path = last_game()
    assert path is not None
    elsewhere = GameLock(path.with_suffix(".lock"))
    window.press("r")
    assert any(text.startswith("This game is open in another window or terminal") for text in window.texts)
    elsewhere.release()
    window.click(Intent("resume"))
    window.settle()
    assert window.game.view == rolled
    assert sorted(window.game.table.people) == [0]


def test_house_rules_are_changed_before_a_game_and_kept_for_the_next_one(window: Window) -> None:
    window.click(Intent("game", "mana"))
    window.press("h")
    rules = {rule.name: rule for rule in house_rules(Mana)}
    window.click(Intent("number", rules["rounds"]))
    window.enter("3")
    window.click(Intent("set", (rules["same_army"], "0")))
    window.press("return")
    assert start(window).rules == {"rounds": 3, "same_army": 0}
    window.click(Intent("start"))
    assert rules_of(window.game.table.game)["rounds"] == 3
    again = window.game.table.again()
    assert again is not None
    assert again.game == window.game.table.game


def test_a_wrong_number_is_refused_and_all_rules_can_be_reset(window: Window) -> None:
    window.press("h")
    (hp,) = (rule for rule in house_rules(DoOrDice) if rule.name == "hp")
    window.click(Intent("number", hp))
    window.enter("0")
    window.press("return")
    assert any(text.startswith("hp must be from 1") for text in window.texts)
    window.click(Intent("number", hp))
    window.enter("30")
    window.press("return", "u", "escape")
    assert start(window).rules == {}


def test_seats_are_added_and_removed_where_a_game_allows_it(window: Window) -> None:
    window.click(Intent("game", "aetharn"))
    for _ in range(9):
        window.click(Intent("more"))
    assert len(start(window).seats) == 6
    for _ in range(9):
        window.click(Intent("fewer"))
    assert len(start(window).seats) == 2


def test_the_tab_key_reaches_every_button(window: Window) -> None:
    stops = {item.intent for item in window.app.scene().stops}
    seen = set()
    for _ in range(len(stops)):
        window.press("tab")
        seen.add(window.app.focus)
    assert seen == stops
    window.app.focus = Intent("game", "wards")
    window.press("return")
    assert start(window).game == "wards"


def test_sound_is_off_until_it_is_turned_on(window: Window) -> None:
    assert not window.sounds.on
    window.press("m")
    assert window.sounds.on
    for name in ("roll", "hit", "win"):
        window.sounds.play(name)
    assert set(window.sounds.made) == {"roll", "hit", "win"}
    window.click(Intent("sound"))
    assert not window.sounds.on


def test_statistics_count_games_wins_and_points(window: Window) -> None:
    """D11."""
    for id, winner in (("a", 0), ("b", 0), ("c", 1)):
        seats = [
            SeatResult(name, "person", 1 + (at != winner), at == winner, 7) for at, name in enumerate(("Ann", "Bo"))
        ]
        results_file().add(GameResult(id, 1_700_000_000_000, "doordice", "rounds", 6, tuple(seats)))
    window.press("t")
    assert isinstance(window.app.screen, StatsScreen)
    texts = window.texts
    at = texts.index("Ann")
    assert texts[at - 1 : at + 4] == ["1.", "Ann", "3", "2", "21"]
    assert "VP earned" in texts
    window.click(Intent("game", "wards"))
    assert any(text.startswith("No games yet") for text in window.texts)
    window.press("escape")
    assert start(window)


def test_help_tells_the_rules_and_the_keys(window: Window) -> None:
    window.sit(DoOrDice(), [])
    window.press("f1")
    (text,) = [text for text in window.texts if text.startswith("- Everyone starts with")]
    assert "Tab and Enter" in text
    window.press("escape")
    assert window.game.overlay == ""


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_everything_that_can_be_clicked_is_inside_the_window(window: Window, size: tuple[int, int]) -> None:
    resize(window, size)
    check_inside(window.items, size)
    window.sit(DoOrDice(), [(6,)] * 9)
    check_inside(window.items, size)
    window.click(Intent("roll"))
    window.settle()
    window.click(Intent("effect", "power_damage"))
    check_inside(window.items, size)


def test_in_the_smallest_window_one_button_goes_through_people_and_levels(window: Window) -> None:
    resize(window, SIZES[-1])
    window.click(Intent("game", "aetharn"))
    seen = []
    for _ in range(5):
        (button,) = (
            item for item in window.of(Button) if item.intent.name in ("person", "level") and row_of(item) == 1
        )
        seen.append(button.label)
        window.click(button.intent)
    assert seen == ["Casual", "Good", "Exact", "Person", "Easy"]
    assert {"Start", "Rules", "+", "-"} <= {item.label for item in window.of(Button)}


def row_of(button: Button) -> int:
    assert button.intent is not None
    value = button.intent.value
    return int(value[0] if isinstance(value, tuple) else value)


def check_inside(items: tuple[Item, ...], size: tuple[int, int]) -> None:
    for item in items:
        if item.intent is not None or isinstance(item, Bar | Portrait):
            assert item.rect.x >= 0, item
            assert item.rect.y >= 0, item
            assert item.rect.right <= size[0] + 1, item
            assert item.rect.bottom <= size[1] + 1, item


def test_a_window_that_is_made_too_small_grows_again(window: Window) -> None:
    resize(window, (300, 200))
    assert window.app.surface.get_size() == (640, 440)


def test_closing_the_window_ends_the_loop(window: Window) -> None:
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    window.pass_time(0)
    assert not window.app.running
