"""Looking back: finished games as they looked, their turning points, their dice, and records from files."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.page.browsers import Visitors, axe, entered
from tests.page.halls import PageHall
from tests.page.tables import no_sideways, opened, person, post, seat_of, sit

PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 800}
ROLLS = ((6,), (5,), (1,), (1,), (2,), (4,))
BO, ANN = 0, 1
COACH_MS = 120_000  # its process has to start first
MOVES = [(BO, "roll"), (BO, "hold"), (ANN, "roll"), (ANN, "roll"), (BO, "roll"), (ANN, "roll"), (ANN, "hold")]
MOVES += [(BO, "roll"), (BO, "hold")]


def begun(hall: PageHall) -> tuple[str, list[Any]]:
    """Dice Wards to 10 between Bo and Ann; nobody looks at it, so no page is needed for its moves."""
    kept = [entered(hall.url, name) for name in ("Bo", "Ann")]
    table = opened(hall, "wards", seats=2, rules={"goal": 10}, drawn=False).removeprefix("/t/")
    for one in kept:
        post(hall, f"/api/tables/{table}/sit", {}, one)
    return table, kept


def lost(hall: PageHall) -> tuple[str, list[Any]]:
    """A game that Ann loses."""
    table, kept = begun(hall)
    hall.script(*ROLLS)
    for seat, move in MOVES:
        post(hall, f"/api/tables/{table}/act", {"move": move}, kept[seat])
    return table, kept


def fair(hall: PageHall) -> str:
    """A game with the sealed dice as they fall: whoever has something on the pile holds it."""
    table, kept = begun(hall)
    while (shown := post(hall, f"/api/tables/{table}/watch", {}, kept[0]))["phase"] == "playing":
        move = "hold" if shown["view"]["round_score"] else "roll"
        post(hall, f"/api/tables/{table}/act", {"move": move}, kept[shown["view"]["turn"][0]])
    return table


def at_step(page: Page, step: int) -> None:
    expect(page.get_by_role("slider", name="Position in the game")).to_have_value(str(step))


ARROW = """select => {
    const style = getComputedStyle(select), pen = document.createElement('canvas').getContext('2d')
    pen.font = style.font
    const text = Math.max(...[...select.options].map(option => pen.measureText(option.text).width))
    const arrow = Math.max(...[...style.backgroundPositionX.matchAll(/([\\d.]+)px/g)].map(found => Number(found[1])))
    return select.clientWidth - arrow - parseFloat(style.backgroundSize) - (parseFloat(style.paddingLeft) + text)
}"""


def test_the_arrow_of_the_speed_menu_leaves_its_words_free(people: Visitors, hall: PageHall) -> None:
    table, _ = lost(hall)
    for width in (390, 360):
        page = people.page(f"/replay/{table}", viewport={"width": width, "height": 740})
        assert page.get_by_role("combobox", name="Speed").evaluate(ARROW) >= 2


@pytest.mark.proof
def test_a_game_is_stepped_through_forwards_and_backwards_on_its_own_board(people: Visitors, hall: PageHall) -> None:
    table, _ = lost(hall)
    page = people.page(f"/replay/{table}", viewport=PHONE)
    board = page.get_by_role("region", name="The board")
    at_step(page, 0)
    page.get_by_role("button", name="Step forward").click()
    at_step(page, 1)
    expect(board.get_by_text("Bo rolls a 6.")).to_be_visible()
    page.get_by_role("button", name="Step forward").click()
    expect(page.get_by_role("region", name="Scoreboard").get_by_role("listitem").filter(has_text="Bo")).to_contain_text(
        "6"
    )
    page.keyboard.press("ArrowLeft")
    at_step(page, 1)
    expect(page).to_have_url(f"{people.url}/replay/{table}?at=2")
    page.get_by_role("slider").fill("4")
    expect(board.get_by_text("rolled a 1 and lost the pile")).to_be_visible()
    page.get_by_role("slider").fill("5")  # a 1 as well, but there was nothing on the pile
    expect(board.get_by_text("Bo rolled a 1. The turn passes.")).to_be_visible()
    page.get_by_role("button", name="To the end").click()
    expect(page.get_by_role("heading", name="Bo wins")).to_be_visible()
    page.get_by_role("button", name="Play", exact=True).click()
    at_step(page, len(MOVES))
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    expect(page.get_by_role("heading", name="Turning points")).to_be_visible()  # for visitors without a name, too
    no_sideways(page)
    axe(page)


def test_a_lost_game_is_found_in_three_taps_and_opens_where_it_turned(people: Visitors, hall: PageHall) -> None:
    _, kept = lost(hall)
    page = people.page("/", storage_state=kept[1], viewport=PHONE)
    page.get_by_role("link", name="Ann").click()
    expect(page.get_by_role("link", name="lost to Bo")).to_be_in_viewport()  # games come first
    page.get_by_role("link", name="lost to Bo").click()
    expect(page.get_by_role("heading", name="Turning points")).to_be_visible()
    expect(page.get_by_role("slider", name="Position in the game")).not_to_have_value("0")
    expect(page.get_by_text("Your chance to win:")).to_be_visible()
    moments = page.get_by_role("region", name="Turning points").get_by_role("button")
    moments.last.click()
    expect(moments.last).to_have_attribute("aria-current", "step")
    expect(page.get_by_role("region", name="The board")).to_be_in_viewport(ratio=0.9)  # the list is below it
    no_sideways(page)
    axe(page)


def test_games_are_filtered_by_outcome_opponents_game_and_period(people: Visitors, hall: PageHall) -> None:
    _, kept = lost(hall)
    page = people.page("/me", storage_state=kept[1])
    games = page.get_by_role("region", name="Games")
    expect(games.get_by_role("link", name="lost to Bo")).to_be_visible()
    for label, none, some in (
        ("Result", "Won", "Not won"),
        ("Game", "Mana", "Dice Wards"),
        ("Opponents", "Bots only", "People"),
    ):
        page.get_by_label(label, exact=True).select_option(none)
        expect(games.get_by_text("No games match your filter.")).to_be_visible()
        page.get_by_label(label, exact=True).select_option(some)
        expect(games.get_by_role("link", name="lost to Bo")).to_be_visible()
    page.get_by_label("Period").select_option("Last 2 days")
    expect(games.get_by_role("link", name="lost to Bo")).to_be_visible()
    axe(page)


def test_all_rolls_are_checked_with_one_press_and_one_sentence(people: Visitors, hall: PageHall) -> None:
    page = people.page(f"/replay/{fair(hall)}")
    page.get_by_role("button", name="Check all rolls").click()
    expect(page.get_by_text("were sealed before the game and have not changed.")).to_be_visible()


@pytest.mark.proof
def test_a_record_is_downloaded_uploaded_and_marked_as_not_played_here(
    people: Visitors, hall: PageHall, tmp_path: Path
) -> None:
    table, kept = lost(hall)
    page = people.page(f"/t/{table}", storage_state=kept[1])
    with page.expect_download() as saved:
        page.get_by_role("button", name="Download record").click()
    text = saved.value.path().read_text()
    file = tmp_path / "game.json"
    page.goto(f"{people.url}/replay")
    upload = page.get_by_label("Record file")
    for wrong, said in (
        ("no", "This is not JSON."),
        ("{}", "not a Dicehall game record"),
        ("9" * (4 << 20), "too large"),
    ):
        file.write_text(wrong + " ")
        upload.set_input_files(file)
        expect(page.get_by_role("alert")).to_contain_text(said)
    file.write_text(text)
    upload.set_input_files(file)
    expect(page.get_by_text("Not played here.")).to_be_visible()
    page.get_by_role("button", name="To the end").click()
    expect(page.get_by_role("heading", name="Bo wins")).to_be_visible()
    page.get_by_role("button", name="Check all rolls").click()
    # The dice were scripted; one of them may fall as it was sealed by chance, all six do not.
    expect(page.get_by_text(re.compile(r"Roll \d is not the one that was sealed"))).to_be_visible()
    forged = json.loads(text)
    forged["entries"][0]["seat"] = 7
    file.write_text(json.dumps(forged))
    upload.set_input_files(file)
    expect(page.get_by_text("The rules refuse entry 1")).to_be_visible()
    axe(page)


@pytest.mark.proof
def test_the_coachs_choice_opens_the_replay_at_that_decision(people: Visitors, hall: PageHall) -> None:
    table, kept = lost(hall)
    page = people.page(f"/t/{table}", storage_state=kept[1])
    page.get_by_role("button", name="Analyse my game").click()
    line = page.get_by_role("link", name="See it in the replay").first
    address = line.get_attribute("href") or ""
    line.click()
    at = int(address.rpartition("=")[2])
    assert at >= 0
    expect(page.get_by_role("slider", name="Position in the game")).to_be_visible()
    expect(page).to_have_url(people.url + address)


def test_a_lost_game_is_played_on_from_the_decision_before_its_bust_against_a_bot(
    people: Visitors, hall: PageHall
) -> None:
    table, kept = lost(hall)
    page = people.page(f"/replay/{table}?at=7", storage_state=kept[ANN], viewport=PHONE)
    at_step(page, 4)  # Ann rolled a 1
    page.get_by_role("button", name="Play on from here").click()
    dialog = page.get_by_role("dialog", name="Play on from here")
    expect(dialog.get_by_label("Ann", exact=True)).to_be_checked()
    expect(dialog.get_by_label("At Ann’s last decision (step 3)")).to_be_checked()
    expect(dialog.get_by_label("Exactly here (step 4), Bo to move")).not_to_be_checked()
    axe(page)
    dialog.get_by_role("button", name="Play on").click()
    expect(page.get_by_role("heading", name="Your turn")).to_be_visible()
    board = page.get_by_role("region", name="The board")
    expect(board.get_by_text("On the pile")).to_be_visible()
    expect(board.get_by_role("button", name="Hold")).to_contain_text("+5")
    page.get_by_role("link", name="Continued from an earlier game").click()
    expect(page.get_by_role("link", name="Continued in game 1")).to_be_visible()
    at_step(page, 3)


def test_a_continued_game_is_marked_in_the_history(people: Visitors, hall: PageHall) -> None:
    table, kept = lost(hall)
    seats = {"entries": 0, "seat": BO, "bots": []}
    again = post(hall, f"/api/tables/{table}/continue", seats, kept[BO])["id"]
    for one in kept:
        post(hall, f"/api/tables/{again}/sit", {}, one)
    hall.script((6,), (5,))
    for move in ("roll", "roll", "hold"):
        post(hall, f"/api/tables/{again}/act", {"move": move}, kept[BO])
    page = people.page("/me", storage_state=kept[ANN], viewport=PHONE)
    games = page.get_by_role("region", name="Games").get_by_role("link", name="lost to Bo")
    expect(games).to_have_count(2)
    expect(games.filter(has_text="Continued from an earlier game")).to_have_count(1)
    no_sideways(page)


@pytest.mark.proof
def test_a_friend_comes_by_the_link_and_takes_the_other_seat(people: Visitors, hall: PageHall) -> None:
    table, kept = lost(hall)
    page = people.page(f"/replay/{table}?at=5", storage_state=kept[ANN])
    page.get_by_role("button", name="Play on from here").click()
    dialog = page.get_by_role("dialog", name="Play on from here")
    dialog.get_by_label("Friends, by link").check()
    dialog.get_by_role("button", name="Play on").click()
    expect(page.get_by_role("heading", name="1 of 2 seats taken")).to_be_visible()
    friend = people.page(page.url.removeprefix(people.url), "Zoe")
    sit(friend)
    expect(page.get_by_role("heading", name="Your turn")).to_be_visible()
    expect(seat_of(friend, "Zoe")).to_contain_text("6")


@pytest.mark.proof
@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("light", ["light", "dark"])
def test_a_replay_is_open_to_everybody(people: Visitors, hall: PageHall, viewport: dict[str, int], light: str) -> None:
    table, kept = lost(hall)
    page = people.page(f"/replay/{table}?at=2", storage_state=kept[1], viewport=viewport, color_scheme=light)
    expect(page.get_by_role("heading", name="Turning points")).to_be_visible(timeout=COACH_MS)
    no_sideways(page)
    axe(page)
    page.goto(f"{people.url}/replay")
    axe(page)


@pytest.mark.proof
def test_nobody_finds_a_private_game_in_somebodys_history(people: Visitors, hall: PageHall) -> None:
    lost(hall)
    stranger = person(people, "Zoe")
    ann = stranger.evaluate("fetch('/api/leaderboards/all?who=guests').then(found => found.json())")
    assert all("table" not in leader for leader in ann["leaders"])
