"""Opening a table: its form is made from what the hall says of the game, and the table is as it was asked for."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.page.browsers import PHONE, Visitors, axe, visitors
from tests.page.halls import page_hall
from tests.page.played import shown
from tests.page.tables import go, person, sit

RULES = {
    "wards": ["Points to win", "Turn clock (seconds)"],
    "doordice": [
        "Starting HP",
        "Rounds",
        "VP per knockout",
        "VP per round survived",
        "Turn clock (seconds)",
    ],
}


def unfold(page: Page, *parts: str) -> None:
    for part in parts:
        page.locator("summary").filter(has_text=part).click()


def open_it(page: Page) -> None:
    page.get_by_role("button", name="Open table").click()


def test_the_form_has_a_field_for_every_house_rule_of_the_game(people: Visitors) -> None:
    page = people.page()
    for game, rules in RULES.items():
        go(people, page, f"/play/{game}")
        unfold(page, "House rules")
        for rule in rules:
            expect(page.get_by_role("spinbutton", name=rule, exact=True)).to_be_visible()
        expect(page.get_by_role("spinbutton")).to_have_count(len(rules))


def test_a_changed_house_rule_a_bot_and_the_name_are_really_in_the_table(people: Visitors) -> None:
    page = person(people, "Ann", "/play/aetharn")
    page.get_by_label("Table name").fill("Short evening")
    page.get_by_role("region", name="Play with friends").get_by_role(
        "combobox", name="Seats", exact=True
    ).select_option("3")
    unfold(page, "Seats and bots", "House rules")
    page.get_by_label("Seat 3").select_option("random")
    page.get_by_label("Points to win").fill("700")
    page.get_by_label("Turn clock (seconds)").fill("")
    page.evaluate(
        """() => new MutationObserver(() => {
            if (document.body.textContent.includes('a seat for you')) window.asked = true;
        }).observe(document.body, {childList: true, subtree: true})"""
    )
    open_it(page)
    page.wait_for_url("**/t/*")
    expect(page.get_by_role("heading", name="Short evening")).to_be_visible()
    expect(page.get_by_role("heading", name="2 of 3 seats taken")).to_be_visible()  # the host sits already
    assert page.evaluate("window.asked") is None  # and was not asked to, not even for a moment
    expect(page.get_by_role("listitem").filter(has_text="Easy bot")).to_be_visible()
    table = shown(page)
    assert (table["rules"]["goal"], table["rules"]["turn_seconds"]) == (700, None)
    assert table["rules"]["grace_seconds"] == 60
    assert (table["public"], table["seats"][2]["bot"]) == (False, "random")


def test_a_rule_that_no_game_can_have_is_refused_next_to_the_button(people: Visitors) -> None:
    page = person(people, "Ann", "/play/wards")
    unfold(page, "House rules")
    page.get_by_label("Points to win").fill("0")
    open_it(page)
    refusal = page.locator("[data-code=bad_request]")
    expect(refusal).to_have_text("Points to win must be a whole number from 1 to 1000.")
    button = page.get_by_role("button", name="Open table").bounding_box()
    said = refusal.bounding_box()
    assert button is not None
    assert said is not None
    assert 0 <= said["y"] - (button["y"] + button["height"]) < 20
    page.get_by_label("Points to win").fill("30")
    open_it(page)
    page.wait_for_url("**/t/*")


@pytest.mark.proof
def test_the_form_follows_the_rule_that_units_which_fight_once_last_for_eight_rounds(people: Visitors) -> None:
    page = person(people, "Ann", "/play/mana")
    unfold(page, "House rules")
    rounds, once = page.get_by_label("Rounds", exact=True), page.get_by_label("Each unit fights once")
    expect(rounds).to_have_attribute("max", "8")
    expect(page.get_by_text("at most 8 while “Each unit fights once” is on")).to_be_visible()
    rounds.fill("9")
    open_it(page)
    sentence = "Rounds must be a whole number from 1 to 8 while “Each unit fights once” is on."
    expect(page.locator("[data-code=bad_request]")).to_have_text(sentence)
    once.uncheck()
    expect(rounds).to_have_attribute("max", "100")
    open_it(page)
    page.wait_for_url("**/t/*")
    assert shown(page)["rules"]["rounds"] == 9


@pytest.mark.proof
def test_a_public_table_with_a_password_is_listed_and_lets_in_who_knows_it(people: Visitors) -> None:
    ann, bea = person(people, "Ann", "/play/aetharn"), person(people, "Bea")
    ann.get_by_label("Table name").fill("Club night")
    ann.get_by_role("radio", name="Everyone").check()
    ann.get_by_label("Password (optional)").fill("walnut")
    open_it(ann)
    ann.wait_for_url("**/t/*")
    expect(ann.get_by_role("button", name="Stand up")).to_be_visible()
    go(people, bea, "/")
    row = bea.get_by_role("link", name="Club night")
    expect(row).to_contain_text("password")
    row.click()
    bea.get_by_label("Table password").fill("hazelnut")
    sit(bea)
    expect(bea.locator("[data-code=wrong_password]")).to_have_text("Wrong password.")
    bea.get_by_label("Table password").fill("walnut")
    sit(bea)
    expect(bea.get_by_role("button", name="Stand up")).to_be_visible()


def test_the_short_address_opens_dice_10_000(people: Visitors) -> None:
    page = people.page("/dice-10-000")
    expect(page.get_by_role("heading", name="Dice 10 000", level=1)).to_be_visible()
    page.get_by_role("button", name="Play against bots").click()
    expect(page.get_by_role("heading", name="turn")).to_be_visible()
    expect(page.get_by_text("Dice 10 000").first).to_be_visible()


def test_a_game_that_this_hall_has_not_is_said_in_a_sentence(people: Visitors) -> None:
    page = people.page("/play/chess")
    expect(page.get_by_role("alert").filter(has_text="This game is not available here.")).to_be_visible()
    page.get_by_role("link", name="All games").click()
    expect(page.get_by_role("heading", name="Mana")).to_be_visible()


def test_a_table_can_be_opened_without_reactions_and_with_a_webhook(
    browser: Browser, built: Path, tmp_path: Path
) -> None:
    with page_hall(tmp_path, built=built, webhooks="any") as hall, visitors(browser, hall.url) as people:
        page = person(people, "Ann", "/play/wards")
        unfold(page, "More options")
        page.get_by_label("Allow reactions").uncheck()
        page.get_by_label("Send the result to (webhook)").fill("http://127.0.0.1:1/hook")
        secret = page.locator("code").inner_text()
        axe(page)
        open_it(page)
        page.wait_for_url("**/t/*")
        expect(page.get_by_role("heading", name="1 of 2 seats taken")).to_be_visible()
        expect(page.get_by_role("button", name="React")).to_have_count(0)
        webhook = page.evaluate("fetch(`/api/tables/${location.pathname.slice(3)}/webhook`).then((one) => one.json())")
        assert (webhook["url"], webhook["secret"], webhook["state"]) == ("http://127.0.0.1:1/hook", secret, "waiting")


def test_a_hall_that_sends_no_webhooks_has_no_field_for_them(people: Visitors) -> None:
    page = people.page("/play/wards")
    unfold(page, "More options")
    expect(page.get_by_label("Allow reactions")).to_be_checked()
    expect(page.get_by_label("webhook")).to_have_count(0)


def test_on_a_phone_the_rules_come_first_and_no_button_lies_on_the_form(people: Visitors) -> None:
    page = person(people, "Ann", "/play/doordice", viewport=PHONE)
    how = page.get_by_role("button", name="How to play")
    expect(how).to_be_in_viewport(ratio=1)
    how.click()
    rules = page.get_by_role("dialog", name="How to play DO or DICE")
    expect(rules.get_by_text("Roll a 1: you lose 3 HP.")).to_be_visible()
    page.keyboard.press("Escape")
    page.evaluate("scrollTo(0, 0)")
    button = page.get_by_role("button", name="Open table").bounding_box()
    last = page.locator("summary").filter(has_text="More options").bounding_box()
    assert button is not None
    assert last is not None
    assert last["y"] + last["height"] <= button["y"]  # also where the form is longer than the screen


def test_whoever_chose_a_game_to_play_with_friends_finds_that_form_on_the_screen(people: Visitors) -> None:
    page = person(people, "Ann", "/", viewport=PHONE)
    page.get_by_role("article").filter(has_text="With friends").get_by_role("link", name="Aetharn").click()
    expect(page.get_by_role("heading", name="Play with friends")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Open table")).to_be_in_viewport(ratio=1)
