"""The NUI windows: created once, then only what has changed; what can be pressed is what the rules accept."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from dicehall.core.game import Refused
from dicehall.venue.dice_picture import FACES, PIPS, die_binds
from dicehall.venue.nui_schema import bind_names, check
from dicehall.venue.tableside import latest
from dicehall.venue.window_layout import player_window, spectator_window
from tests.venue.world import BUST, ONE, PLAYER, SPECTATOR, STRAIGHT, World, in_a_world

THREES = (1, 5, 3, 3, 3, 2)  # the roll in the document's picture


def bool_binds(world: World, player: str, prefix: str, suffix: str = "") -> list[int]:
    return [at for at in range(6) if world.sees(player, f"{prefix}{at}{suffix}")]


def test_the_news_are_the_last_sentences_that_fit_into_the_window() -> None:
    told = ["Hot dice! " * 18, "Ann banks 1500 and has 5000.", "Ann wins!"]
    assert latest(told) == told[1:]
    assert latest(["A long sentence. " * 30]) == ["A long sentence. " * 30]


# -- what is shown ------------------------------------------------------------------------------------


@in_a_world()
async def test_the_window_is_the_documents(world: World) -> None:
    """Title, scoreboard with marks, turn and points, dice with tick boxes, held dice, three buttons, status, timer."""
    await world.play("ann", "bo", "cy", rolls=(THREES,))
    await world.click("cy", "fold")
    await world.click("cy", "yes")
    await world.click("ann", "roll")
    await world.tick("ann", 0, 1)
    await world.until(7_000)
    window = world.module.windows["ann", PLAYER]
    assert window.nui["title"] == "Aetharn - Table #1"
    assert window.nui["closable"] is True
    shown = {name: value for name, value in window.binds.items() if not name.startswith(("die", "tick", "board_color"))}
    assert shown == {
        "board_rows": 3,
        "board_mark": [">", "", ""],
        "board_name": ["Ann (you)", "Bo", "Cy"],
        "board_score": ["0 pts", "0 pts", "0 pts"],
        "board_note": ["current turn", "", "folded"],
        "turn": "Current turn: Ann",
        "points": "Turn points: 0",
        "timer": "0:23",
        "timer_left": 0.767,
        "timer_shown": True,
        "held": "Held: none",
        "selected": "Selected: [1] [5] = 150 pts",
        "news": "Rolled 1 5 3 3 3 2; best score: 450.",
        "status": "Roll the other dice, or bank your points.",
        "roll_on": True,
        "bank_on": True,
        "fold_on": True,
        "asking": False,
        "start_label": "START",
        "start_on": False,
        "start_shown": False,
    }
    assert bool_binds(world, "ann", "tick") == [0, 1]
    assert bool_binds(world, "ann", "tick", "_on") == [0, 1, 2, 3, 4]  # the 2 does not score
    assert bool_binds(world, "ann", "die", "_shown") == [0, 1, 2, 3, 4, 5]
    assert bool_binds(world, "ann", "die", "_one") == [0, 1, 2, 3, 4]


@in_a_world()
async def test_held_dice_are_shown_with_their_points_to_everybody(world: World) -> None:
    """A5: the dice of several rolls, until all six are rolled again."""
    await world.play("ann", "bo", rolls=(THREES, (1, 2, 2, 4), (5, 5, 2), (6,), STRAIGHT))
    await world.watch("eve")
    await world.click("ann", "roll")
    await world.tick("ann", 0, 1)
    await world.click("ann", "roll")
    assert world.sees("bo", "held", "points") == ["Held: [1] [5] = 150 pts", "Turn points: 150"]
    assert world.sees("ann", "selected") == "Selected: none"
    assert bool_binds(world, "ann", "tick") == []
    assert bool_binds(world, "ann", "die", "_shown") == [0, 1, 2, 3]
    await world.tick("ann", 0)
    await world.click("ann", "roll")
    held = "Held: [1] [5] [1] = 250 pts"
    assert [world.sees("ann", "held"), world.sees("eve", "held", window=SPECTATOR)] == [held, held]


@in_a_world()
async def test_hot_dice_are_told_and_begin_a_new_row_of_held_dice(world: World) -> None:
    """A8."""
    await world.play("ann", "bo", rolls=(STRAIGHT, STRAIGHT))
    await world.click("ann", "roll")
    await world.tick("ann", *range(6))
    await world.until(20_000)
    await world.click("ann", "roll")
    assert world.sees("ann", "held", "points", "timer") == ["Held: none", "Turn points: 1500", "0:30"]
    assert "Hot dice!" in world.sees("bo", "news")
    await world.tick("ann", *range(6))
    assert world.sees("ann", "roll_on", "bank_on", "status") == [False, True, "Bank your points."]
    assert await world.code(world.click("ann", "roll")) == "only_bank_left"
    await world.click("ann", "bank")
    assert world.sees("ann", "board_score") == ["3000 pts", "0 pts"]


@in_a_world()
async def test_a_bust_and_a_timeout_are_news(world: World) -> None:
    """A7, A9."""
    await world.play("ann", "bo", rolls=(BUST, ONE))
    await world.click("ann", "roll")
    assert world.sees("bo", "news", "status") == [
        "Rolled 2 2 3 3 4 6: no score. Ann busts.",
        "Your turn: roll the dice.",
    ]
    await world.click("bo", "roll")
    await world.until(31_500)
    assert world.sees("ann", "news", "status") == ["Bo ran out of time and banks 0.", "Your turn: roll the dice."]


@in_a_world()
async def test_a_paused_table_says_so_and_goes_on_with_the_next_roll(world: World) -> None:
    """W8."""
    await world.play("ann", "bo", rolls=(ONE,))
    await world.until(92_000)  # everybody ran out of time twice
    paused = "Paused: nobody is playing. The next roll resumes the game."
    assert world.sees("ann", "status", "timer_shown") == [paused, False]
    player = "ann" if world.sees("ann", "roll_on") else "bo"
    await world.click(player, "roll")
    assert world.sees(player, "timer", "status") == ["0:30", "Select dice to hold, then Roll or Bank."]


@pytest.mark.parametrize("face", range(1, 7))
def test_a_die_shows_as_many_pips_as_its_face(face: int) -> None:
    lit = die_binds(0, face, {})
    assert sum(len(places) for group, places in PIPS.items() if lit[f"die0_{group}"]) == face
    assert lit["die0_shown"] is True


def test_no_die_shows_no_pips() -> None:
    assert not any(value for name, value in die_binds(3, None, {}).items() if name not in ("die3_color", "die3_name"))
    assert set(FACES) == set(PIPS)


# -- only what has changed --------------------------------------------------------------------------


@in_a_world()
async def test_a_window_is_created_once_and_then_only_changed_binds_are_sent(world: World) -> None:
    await world.play("ann", "bo", rolls=(THREES,))
    await world.click("ann", "roll")
    await world.until(10_000)
    for player in ("ann", "bo"):
        assert world.module.ops(player).count("create") == 1
    shown: dict[str, Any] = {}
    for command in world.module.commands:
        if command["player"] != "ann" or command["op"] not in ("create", "bind"):
            continue
        assert not any(shown.get(name) == value for name, value in command["binds"].items()), "sent twice"
        shown |= command["binds"]
    assert shown == world.bridge.places.windows.open["ann", PLAYER].binds


@in_a_world()
async def test_a_second_that_passes_changes_the_timer_and_nothing_else(world: World) -> None:
    await world.play("ann", "bo")
    await world.until(1_500)
    await world.until(2_500)
    assert world.module.commands[-1]["binds"] == {"timer": "0:28", "timer_left": 0.933}


@in_a_world()
async def test_every_bind_of_a_window_is_sent_and_none_that_it_does_not_have(world: World) -> None:
    await world.play("ann", "bo", rolls=(THREES,))
    await world.watch("eve")
    for window in world.module.windows.values():
        check(window.nui, window.binds)
        assert bind_names(window.nui) == set(window.binds)


def test_windows_are_those_that_a_client_shows() -> None:
    for made in (player_window("Aetharn - Table #1"), spectator_window("Aetharn - Table #2")):
        check(made)


# -- ticks and buttons --------------------------------------------------------------------------------


@in_a_world()
async def test_a_tick_that_cannot_be_is_taken_back(world: World) -> None:
    await world.play("ann", "bo", rolls=(THREES,))
    await world.click("ann", "roll")
    await world.tick("ann", 5)  # a 2
    await world.tick("bo", 0)  # not his turn
    assert bool_binds(world, "ann", "tick") == []
    assert bool_binds(world, "bo", "tick") == []


@in_a_world()
async def test_dice_that_do_not_score_together_can_be_ticked_but_nothing_is_done_with_them(world: World) -> None:
    """A4."""
    await world.play("ann", "bo", rolls=(THREES,))
    await world.click("ann", "roll")
    await world.tick("ann", 2)
    assert world.sees("ann", "selected", "status") == [
        "Selected: [3] does not score alone",
        "This does not score alone.",
    ]
    await world.tick("ann", 3)
    assert world.sees("ann", "selected", "roll_on", "bank_on", "status") == [
        "Selected: [3] [3] do not score together",
        False,
        False,
        "These dice do not score together.",
    ]
    for button in ("roll", "bank"):
        assert await world.code(world.click("ann", button)) == "does_not_score"
    await world.tick("ann", 4)
    assert world.sees("ann", "selected") == "Selected: [3] [3] [3] = 300 pts"
    await world.tick("ann", 4, ticked=False)
    assert world.sees("ann", "roll_on") is False


@in_a_world()
async def test_fold_asks_back(world: World) -> None:
    """A11."""
    await world.play("ann", "bo", "cy")
    assert await world.code(world.click("bo", "yes")) == "bad_request"
    await world.click("bo", "fold")
    assert world.sees("bo", "asking") is True
    await world.click("bo", "no")
    assert world.sees("bo", "asking") is False
    assert await world.code(world.click("bo", "yes")) == "bad_request"
    await world.click("bo", "fold")
    await world.click("bo", "yes")
    assert world.sees("bo", "asking", "fold_on") == [False, False]
    assert world.sees("bo", "status") == "You are out of this game, but you can see how it ends."
    assert world.sees("ann", "board_note") == ["current turn", "folded", ""]
    assert await world.code(world.click("bo", "fold")) == "seat_is_out"
    assert world.module.messages_to("cy")[-1] == "Bo folds; 2 players are left."
    await world.leave("bo", world.oak[1])
    assert not world.has_window("bo")


@in_a_world()
async def test_in_the_lobby_only_start_can_be_pressed(world: World) -> None:
    await world.lobby("ann", "bo")
    assert world.sees("ann", "roll_on", "bank_on", "fold_on", "start_on") == [False, False, False, True]
    for button in ("roll", "bank", "fold"):
        assert await world.code(world.click("ann", button)) == "too_few_seats"


@in_a_world(goal=2000)
async def test_what_can_be_pressed_is_accepted_and_nothing_else_is(world: World) -> None:
    """Over whole games of players who tick and press anything."""
    chance = Random(16)
    players = ("ann", "bo", "cy")
    for at, player in enumerate(players):
        await world.use(player, world.oak[at])
    await world.click("ann", "start")
    pressed = 0
    while not world.sees("ann", "start_shown") and pressed < 600:
        player, button = chance.choice(players), chance.choice(("roll", "roll", "bank"))
        on = [at for at in range(6) if world.sees(player, f"tick{at}_on")]
        for die in chance.sample(on, min(len(on), chance.randrange(3))):
            await world.tick(player, die, ticked=not world.sees(player, f"tick{die}"))
        offered = world.sees(player, f"{button}_on")
        before = world.bridge.log.last
        try:
            await world.click(player, button)
            accepted = True
        except Refused:
            accepted = False
            assert world.bridge.log.last == before
        assert offered == accepted
        pressed += 1
    assert pressed > 100


# -- closing ------------------------------------------------------------------------------------------


@in_a_world()
async def test_closing_a_window_changes_nothing_and_the_chair_opens_it_again(world: World) -> None:
    await world.play("ann", "bo", rolls=(ONE,))
    await world.send(type="close", player={"key": "bo", "name": "Bo"}, window=PLAYER, element="_window_")
    del world.module.windows["bo", PLAYER]
    assert world.sees("ann", "board_note") == ["current turn", ""]
    before = world.module.ops("bo")
    await world.click("ann", "roll")
    assert world.module.ops("bo") == before  # nothing is sent to a closed window
    await world.leave("ann", world.oak[0])
    assert world.module.messages_to("bo")[-1].startswith("Ann has left the table")  # but messages still are
    await world.use("bo", world.oak[1])
    assert world.sees("bo", "die0_shown", "board_note") == [True, ["absent, 60 s left", ""]]
    assert world.module.ops("bo").count("create") == 2


@in_a_world()
async def test_a_spectator_who_closed_the_window_opens_it_at_the_same_spot(world: World) -> None:
    """A17."""
    await world.play("ann", "bo")
    await world.watch("eve")
    await world.send(type="close", player={"key": "eve", "name": "Eve"}, window=SPECTATOR, element="_window_")
    del world.module.windows["eve", SPECTATOR]
    await world.watch("eve")
    assert world.has_window("eve", SPECTATOR)


@in_a_world()
async def test_using_the_own_chair_again_sends_nothing_where_the_window_is_open(world: World) -> None:
    await world.lobby("ann", "bo")
    answer = await world.use("ann", world.oak[0])
    assert answer["commands"] == []


@in_a_world()
async def test_a_window_is_not_computed_anew_because_somebody_else_watches(world: World) -> None:
    await world.lobby("ann", "bo")
    drawn = list[str]()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(world.bridge.places.windows), "update", lambda _, window, shown: drawn.append(window.key))
        await world.watch("eve")
        await world.watch("flo")
    assert drawn == []
