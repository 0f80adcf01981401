"""DO or DICE in a window: real events in, the state and the scene compared (D1-D11)."""

from __future__ import annotations

import pytest

from dicehall.client.playing import ended
from dicehall.games.doordice.rules import DoOrDice
from dicehall.ui.desktop.scene import Bar, Button, Die, Intent, Portrait
from tests.ui.desktop.window import LONG, Window

ROLL = Intent("roll")


def target(seat: int) -> Intent:
    return Intent("target", seat)


def play_turn(window: Window) -> None:
    """Roll, and choose the first thing that is allowed, with the mouse."""
    window.click(ROLL)
    window.settle()
    choose(window)


def choose(window: Window) -> None:
    stage = window.stage
    if stage.acting is None or stage.view.face is None:
        return
    if len(stage.view.effects) > 1:
        window.click(Intent("effect", stage.view.effects[0]))
    if window.stage.acting is not None:
        window.click(target(stage.view.targets[0]))
    window.settle()


def test_a_hot_seat_of_five_plays_to_its_end_with_the_mouse(window: Window) -> None:
    """D1: the window ends where the record ends."""
    for seat in range(1, 5):
        window.click(Intent("person", seat))
    window.click(Intent("start"))
    window.settle()
    while not window.game.over:
        play_turn(window)
    table = window.game.table
    over = ended(table.playing)  # type: ignore[attr-defined]
    assert over is not None
    assert over.winner is not None
    assert [row.seat for row in window.standings] == [min(place) for place in over.places]
    assert window.game.view == table.view_for(None)  # type: ignore[arg-type]
    assert f"{table.names[over.winner]} wins!" in window.texts
    assert window.program.results("doordice")[0].winner == table.names[over.winner]


def test_the_keyboard_alone_plays_a_game_against_bots(window: Window) -> None:
    window.press("return")
    window.settle()
    while not window.game.over:
        window.press("r")
        window.settle()
        stage = window.stage
        if stage.acting is not None and stage.view.face is not None:
            if len(stage.view.effects) > 1:
                window.press("a")
            if window.stage.acting is not None and window.stage.view.face is not None:
                window.press(str(stage.view.targets[0] + 1))
            window.settle()
    assert window.game.overlay == "result"
    window.press("return")
    assert window.game.position.over is None
    assert window.stage.view.round == 1


@pytest.mark.parametrize("face", range(1, 7))
def test_the_die_lands_on_the_drawn_face_and_nothing_is_told_before(window: Window, face: int) -> None:
    window.sit(DoOrDice(), [(face,)])
    window.settle()
    before = window.game.view
    window.click(ROLL)
    window.pass_time(900)
    assert window.game.view.hp == before.hp
    assert window.game.view.face is None
    assert not any("rolls a" in line for line in window.game.lines)
    assert window.stage.acting is None
    window.pass_time(LONG)
    assert f"Ann rolls a {face}." in window.game.lines
    assert face in [die.face for die in window.of(Die)]
    assert window.game.dice == (face,)


def test_a_wrong_target_is_refused_with_a_reason_and_changes_nothing(window: Window) -> None:
    """D4."""
    table = window.sit(DoOrDice(), [(4,)])
    window.click(ROLL)
    window.settle()
    before = table.playing.record().entries
    window.click(target(0))
    assert "You cannot target yourself." in window.texts
    assert table.playing.record().entries == before
    window.click(target(3))
    window.settle()
    assert table.view_for(None).hp == (20, 20, 20, 16, 20)


def test_the_fallen_cannot_be_targeted_and_a_ghost_needs_another_target(window: Window) -> None:
    """D3, D4, D5: one strike fells at 4 HP."""
    rolls = [(4,), (5,), (5,), (5,), (5,), (2,), (5,)]
    window.sit(DoOrDice(hp=4), [*rolls])
    window.click(ROLL)
    window.settle()
    window.click(target(1))
    window.settle()
    assert [item.ghost for item in window.of(Portrait)][-5:] == [False, True, False, False, False]
    assert any("fallen (0 HP)" in bar.text for bar in window.of(Bar))
    window.click(ROLL)  # the ghost of Bo gives or takes
    window.settle()
    window.click(Intent("effect", "take_vp"))
    window.click(target(0))
    window.settle()
    for _ in range(3):
        window.click(ROLL)
        window.settle()
    window.click(ROLL)  # Ann again, with a jab
    window.settle()
    window.click(target(1))
    assert "Bo has fallen and cannot be targeted." in window.texts
    window.click(target(2))
    window.settle()
    window.click(ROLL)
    window.settle()
    window.click(Intent("effect", "take_vp"))
    window.click(target(0))
    assert "You targeted Ann last round: a ghost needs another target this time." in window.texts


def test_where_a_face_does_two_things_an_effect_is_chosen_first(window: Window) -> None:
    """D2."""
    table = window.sit(DoOrDice(), [(6,), (6,)])
    window.click(ROLL)
    window.settle()
    assert target(1) not in [item.intent for item in window.items]
    window.click(Intent("effect", "power_vp"))
    window.settle()
    assert table.view_for(None).vp == (3, 0, 0, 0, 0)
    window.click(ROLL)
    window.settle()
    assert [item.label for item in window.of(Button) if item.note == "Power Move"] == ["Target -6 HP", "You +3 VP"]
    window.click(Intent("effect", "power_damage"))
    assert table.view_for(None).hp[0] == 20
    window.click(target(0))
    assert table.view_for(None).hp[0] == 14


def test_sudden_death_is_explained_with_the_final_standings(window: Window) -> None:
    """D8, D9."""
    rolls = [(4,), (1,), (1,), (1,), (1,), (4,), (1,), (1,), (1,), (4,), (1,), (1,), (4,)]
    window.sit(DoOrDice(hp=4, rounds=9), [*rolls, *[(4,)] * 9])
    window.settle()
    for _ in range(60):
        if window.game.over:
            break
        play_turn(window)
    assert window.game.over is not None
    assert window.game.over.reason == "last_alive"
    assert any(text.startswith("Sudden death: only one player is left alive") for text in window.texts)
    assert any(text.startswith("Most VP first. Ties go to more HP") for text in window.texts)
    assert [item.ghost for item in window.of(Portrait)][-5:].count(True) == 4


def test_the_ranking_is_live_and_says_what_decided_a_place(window: Window) -> None:
    """D9."""
    window.sit(DoOrDice(), [(1,), (6,)])
    assert window.texts.count("tied") == 5
    window.click(ROLL)
    window.settle()
    assert "VP tied: by HP" in window.texts
    window.click(ROLL)
    window.settle()
    window.click(Intent("effect", "power_vp"))
    window.settle()
    assert "by VP" in window.texts


def test_the_ranking_follows_an_effect_while_it_is_shown(window: Window) -> None:
    """D9: nobody shares the first place with HP that are told to be lost."""
    window.sit(DoOrDice(), [(1,), (6,)])
    window.click(ROLL)
    for _ in range(80):
        if window.stage.event("EffectDone"):
            break
        window.pass_time(50)
    assert window.stage.event("EffectDone")
    assert window.game.view.hp[0] == 17
    assert window.game.view.ranking == ((1, 2, 3, 4), (0,))
    window.settle()
    assert window.game.view.ranking == ((1, 2, 3, 4), (0,))


def test_ties_at_the_end_are_rolled_for_on_the_table(window: Window) -> None:
    """D9: nothing of the final order is told before the last die has landed."""
    window.sit(DoOrDice(rounds=1), [*[(5,)] * 5, (3, 1, 5, 2, 4)])
    for _ in range(4):
        window.click(ROLL)
        window.settle()
    window.click(ROLL)
    for _ in range(80):
        if window.game.playback.current and len(window.game.playback.current.dice) == 5:
            break
        window.pass_time(100)
    window.pass_time(100)
    assert len(window.of(Die)) >= 5
    assert window.game.view.ranking == ((0, 1, 2, 3, 4),)
    assert not any("wins" in line for line in window.game.lines)
    window.settle()
    assert [row.seat for row in window.standings] == [2, 4, 0, 3, 1]
    assert "all tied: by a die" in window.texts


def test_bots_are_followed_move_by_move_and_wait_while_paused(window: Window) -> None:
    table = window.sit(DoOrDice(), [(5,)] * 9, bots=(1, 2, 3, 4))
    window.click(ROLL)
    window.pass_time(1100)
    window.pass_time(800)
    window.press("p")
    for _ in range(5):
        window.pass_time(LONG)
    assert [line for line in window.game.lines if "rolls" in line] == ["Ann rolls a 5."]
    assert len(table.playing.record().entries) == 2
    window.click(Intent("pause"))
    window.settle()
    assert [line.split()[0] for line in window.game.lines if "rolls" in line] == ["Ann", "Bo", "Cy", "Di", "Ed"]
