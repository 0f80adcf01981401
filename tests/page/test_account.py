"""Accounts: a guest who signs up keeps everything; signing in and out; name, avatar and password."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.page.browsers import PHONE, Visitors
from tests.page.halls import PageHall
from tests.page.played import PASSWORD, enter, me, win
from tests.page.tables import go, person

# Where something lies within its form, however far the page is scrolled.
PLACE = "of => [of.offsetLeft, of.offsetTop, of.offsetWidth, of.offsetHeight]"


def fill(page: Page, name: str, password: str) -> None:
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Password", exact=True).fill(password)


def form(page: Page, button: str) -> None:
    page.locator("form").get_by_role("button", name=button).click()


def test_a_guest_who_signs_up_keeps_games_and_history(people: Visitors, hall: PageHall) -> None:
    page = person(people, "Ann")
    before = me(page)
    win(people, hall, page)
    go(people, page, "/me")
    page.get_by_role("link", name="Sign up").click()
    expect(page.get_by_label("Name", exact=True)).to_have_value("Ann")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    form(page, "Sign up")
    expect(page.get_by_text("Player since")).to_be_visible()
    expect(page.get_by_role("link", name="won against")).to_be_visible()
    expect(page.get_by_role("row", name="Casual 1 1 100 %")).to_be_visible()
    assert me(page) == before


@pytest.mark.proof
def test_signing_out_and_in_again_from_another_browser(people: Visitors, hall: PageHall) -> None:
    page = people.page("/me")
    enter(page, "Ann", "/api/accounts")
    win(people, hall, page)
    go(people, page, "/me")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()
    assert page.request.get(people.url + "/api/me").status == 401
    other = people.page("/sign-in")
    fill(other, "ann", "not-her-password")
    form(other, "Sign in")
    expect(other.locator("[data-code=wrong_password]")).to_be_visible()
    fill(other, "ann", PASSWORD)
    other.keyboard.press("Enter")
    other.get_by_role("link", name="Ann", exact=True).click()
    expect(other.get_by_role("link", name="won against")).to_be_visible()


def test_an_empty_name_or_password_is_not_sent_and_gets_a_sentence(people: Visitors) -> None:
    page = people.page("/sign-in")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for name, password, sentence in (("", PASSWORD, "Use 1 to 24"), ("Ann", "", "Enter a password.")):
        fill(page, name, password)
        for way in ("Sign in", "Sign up"):
            page.get_by_role("group", name="Sign in or sign up").get_by_role("button", name=way).click()
            form(page, way)
            expect(page.get_by_role("alert").filter(has_text=sentence)).to_be_visible()
    page.get_by_label("Or play as a guest").fill(" ")
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("alert").filter(has_text="Use 1 to 24 characters.").last).to_be_visible()
    assert [url for url in asked if "/api/" in url] == []


@pytest.mark.proof
def test_a_changed_name_and_avatar_are_seen_by_others_and_a_bad_name_is_refused(people: Visitors) -> None:
    ann, bea = person(people, "Ann", viewport=PHONE), person(people, "Bea")
    field, change = ann.get_by_label("Name", exact=True), ann.get_by_role("button", name="Change", exact=True)
    field.fill("   ")
    places = [thing.evaluate(PLACE) for thing in (field, change)]
    change.click()
    expect(ann.get_by_role("alert").filter(has_text="Use 1 to 24 characters.")).to_be_visible()
    assert [thing.evaluate(PLACE) for thing in (field, change)] == places, "the refusal moved what it is about"
    ann.get_by_label("Name", exact=True).fill("Anna")
    ann.keyboard.press("Enter")
    expect(ann.get_by_role("status").filter(has_text="Name changed.")).to_be_visible()
    ann.get_by_role("button", name="toad").click()
    expect(ann.get_by_role("button", name="toad")).to_have_attribute("aria-pressed", "true")
    expect(ann.get_by_role("heading", name="Anna")).to_be_visible()
    ann.reload()
    expect(ann.get_by_role("link", name="Anna")).to_be_visible()
    expect(ann.get_by_role("button", name="toad")).to_have_attribute("aria-pressed", "true")
    go(people, bea, f"/players/{me(ann)}")
    expect(bea.get_by_role("heading", name="Anna")).to_be_visible()
    assert bea.locator("main svg.avatar").first.inner_html() == ann.locator("main svg.avatar").first.inner_html()


@pytest.mark.proof
def test_a_changed_password_is_the_only_one_that_opens(people: Visitors) -> None:
    page = people.page("/me")
    enter(page, "Ann", "/api/accounts")
    page.get_by_text("Change password").first.click()
    page.get_by_label("Old password").fill("not-it")
    page.get_by_label("New password").fill("seven-ivory-dice")
    page.get_by_role("button", name="Change password").click()
    expect(page.locator("[data-code=wrong_password]")).to_be_visible()
    page.get_by_label("Old password").fill(PASSWORD)
    page.get_by_role("button", name="Change password").click()
    expect(page.get_by_role("status").filter(has_text="Password changed.")).to_be_visible()
    other = people.page("/sign-in")
    assert not enter(other, "Ann", "/api/sessions")
    fill(other, "Ann", "seven-ivory-dice")
    form(other, "Sign in")
    expect(other.get_by_role("link", name="Ann", exact=True)).to_be_visible()


def test_a_guest_is_forgotten_only_when_asked_twice(people: Visitors) -> None:
    page = person(people, "Ann")
    page.get_by_role("button", name="Delete guest").click()
    dialog = page.get_by_role("dialog", name="Delete this guest?")
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("link", name="Ann")).to_be_visible()
    page.get_by_role("button", name="Delete guest").click()
    dialog.get_by_role("button", name="Delete guest for good").click()
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()
