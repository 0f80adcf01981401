"""Joining by a link: one tap on a phone, without a form; and the whole way with the keyboard alone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.page.browsers import PHONE, Visitors, axe
from tests.page.halls import PageHall
from tests.page.played import PASSWORD, enter
from tests.page.tables import go, no_sideways, open_table, person, press, sit, told


def test_a_link_on_a_phone_seats_a_stranger_with_one_tap(people: Visitors, hall: PageHall) -> None:
    hall.script((5,))
    ann = person(people, "Ann")
    path = open_table(ann, "wards", seats=2)
    go(people, ann, path)
    sit(ann)
    phone = people.page(path, viewport=PHONE, color_scheme="dark", has_touch=True, is_mobile=True)
    name = phone.get_by_label("Your name").input_value()
    assert len(name.split()) == 2
    face = phone.locator("main svg.avatar").first.inner_html()
    no_sideways(phone)
    axe(phone)
    phone.get_by_role("button", name="Sit down").tap()
    expect(phone.get_by_role("heading", name="Ann’s turn")).to_be_visible()  # the game began: everybody is here
    expect(phone.get_by_role("link", name=name)).to_be_visible()
    assert phone.locator("header svg.avatar").inner_html() == face
    told(ann, f"{name} sits down.")
    press(ann, "Roll")
    told(phone, "Ann rolls a 5.")


@pytest.mark.proof
def test_a_stranger_may_choose_the_name_and_a_taken_one_gets_a_number(people: Visitors) -> None:
    ann = person(people, "Ann")
    path = open_table(ann, "aetharn", seats=4)
    bea = people.page(path, viewport=PHONE)
    bea.get_by_label("Your name").fill("Ann")
    sit(bea)
    expect(bea.get_by_role("button", name="Stand up")).to_be_visible()
    expect(bea.get_by_role("link", name="Ann 2")).to_be_visible()


@pytest.mark.proof
def test_the_host_chooses_a_name_before_friends_come_and_a_later_one_reaches_the_table(people: Visitors) -> None:
    ann = people.page("/play/wards?friends", viewport=PHONE)
    ann.get_by_label("Your name").fill("Ann")
    expect(ann.get_by_label("Table name")).to_have_attribute("placeholder", "Ann’s table")
    ann.get_by_text("House rules", exact=True).click()
    ann.get_by_label("Points to win").fill("40")
    ann.get_by_label("Password").fill("sesame")
    ann.get_by_role("button", name="Open table").click()
    expect(ann.get_by_role("heading", name="Ann’s table")).to_be_visible()
    expect(ann.get_by_text("Points to win: 40 instead of 100")).to_be_visible()
    expect(ann.get_by_text("also need the password")).to_be_visible()
    bea = people.page(ann.url.removeprefix(people.url), viewport=PHONE)
    expect(bea.get_by_text("Ann", exact=True)).to_be_visible()
    table = ann.url
    go(people, ann, "/me")
    ann.get_by_label("Name", exact=True).fill("Annika")
    ann.get_by_role("button", name="Change").first.click()
    expect(ann.get_by_role("heading", name="Annika")).to_be_visible()
    ann.goto(table)
    for page in (ann, bea):
        expect(page.get_by_role("region", name="seats taken").get_by_text("Annika", exact=True)).to_be_visible()
    expect(bea.get_by_text("also need the password")).to_have_count(0)


@pytest.mark.proof
def test_who_has_an_account_signs_in_on_the_way_and_comes_back_to_the_table(people: Visitors) -> None:
    bea = people.page("/me")
    enter(bea, "Bea", "/api/accounts")
    path = open_table(bea, "aetharn", seats=4)
    phone = people.page(path, viewport=PHONE)
    phone.get_by_role("main").get_by_role("link", name="Sign in").click()
    phone.get_by_label("Name", exact=True).fill("Bea")
    phone.get_by_label("Password", exact=True).fill(PASSWORD)
    phone.keyboard.press("Enter")
    expect(phone.get_by_text("You play as Bea.")).to_be_visible()
    sit(phone)
    expect(phone.get_by_role("button", name="Stand up")).to_be_visible()


@pytest.mark.proof
def test_the_keyboard_alone_leads_from_the_lobby_over_a_form_to_a_roll(people: Visitors, hall: PageHall) -> None:
    hall.script((4,))
    page = people.page()
    expect(page.get_by_role("heading", name="Dice Wards")).to_be_visible()
    tab_to(page, "a", "Dice Wards")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Dice Wards", level=1)).to_be_visible()
    tab_to(page, "summary", "Seats and bots")
    page.keyboard.press("Enter")
    for _ in range(2):
        page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")  # seat 2: the first bot
    tab_to(page, "button", "Open table")
    page.keyboard.press("Enter")
    page.wait_for_url("**/t/*")
    expect(page.get_by_role("heading", name="Your turn")).to_be_visible()
    tab_to(page, "button", "Roll")
    page.keyboard.press("Enter")
    told(page, "rolls a 4.")


def tab_to(page: Page, tag: str, text: str) -> None:
    """Tab until the focus is on it; it must be seen there."""
    wanted = f"""(on => on.matches('{tag}:focus-visible') && on.textContent.trim().startsWith('{text}'))
                 (document.activeElement)"""
    for _ in range(60):
        if page.evaluate(wanted):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the keyboard does not reach {text}")
