"""Signing in with a Nostr key on the page, through a browser extension (NIP-07)."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.page.browsers import DESK, PHONE, Visitors, axe, visitors
from tests.page.halls import PageHall, page_hall
from tests.page.nostr_extension import NostrExtension
from tests.page.played import PASSWORD, enter, me, win
from tests.page.tables import go, person

SIGN_IN, SIGN_UP = "Sign in with a Nostr key", "Sign up with a Nostr key"


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def turn_to(page: Page, way: str) -> None:
    page.get_by_role("group", name="Sign in or sign up").get_by_role("button", name=way).click()


def refused(page: Page, sentence: str) -> None:
    expect(page.get_by_role("alert").filter(has_text=sentence)).to_be_visible()


def test_a_key_signs_in_and_is_the_same_account_in_another_browser(people: Visitors, hall: PageHall) -> None:
    page = people.page("/sign-in")
    extension = NostrExtension().install(page)
    press(page, SIGN_IN)
    name = extension.key.npub[:12]
    expect(page.get_by_role("link", name=name)).to_be_visible()
    win(people, hall, page)
    other = people.page("/sign-in?to=/me")
    NostrExtension(extension.key).install(other)
    press(other, SIGN_IN)
    expect(other.get_by_role("heading", name=name)).to_be_visible()
    expect(other.get_by_role("link", name="won against")).to_be_visible()
    assert me(other) == me(page)


def test_only_this_one_request_is_signed(people: Visitors) -> None:
    page = people.page("/sign-in")
    extension = NostrExtension().install(page)
    turn_to(page, "Sign up")
    page.get_by_label("Name", exact=True).fill("Zoë")
    press(page, SIGN_UP)
    expect(page.get_by_role("link", name="Zoë")).to_be_visible()
    (event,) = extension.asked
    body = '{"name":"Zoë"}'.encode()
    tags = [["u", f"{people.url}/api/sessions"], ["method", "POST"], ["payload", hashlib.sha256(body).hexdigest()]]
    assert (event["kind"], event["content"], event["tags"]) == (27235, "", tags)


def test_without_an_extension_the_page_says_what_is_missing_and_sends_nothing(people: Visitors) -> None:
    page = people.page("/sign-in")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for way, button in (("Sign in", SIGN_IN), ("Sign up", SIGN_UP)):
        turn_to(page, way)
        press(page, button)
        refused(page, "This browser has no Nostr extension. Install one")
    assert [url for url in asked if "/api/" in url] == []


def test_whoever_refuses_to_sign_stays_where_they_are_and_can_try_again(people: Visitors) -> None:
    page = people.page("/sign-in")
    extension = NostrExtension(is_refused=True).install(page)
    press(page, SIGN_IN)
    refused(page, "The Nostr extension did not sign.")
    extension.is_refused = False
    press(page, SIGN_IN)
    expect(page.get_by_role("link", name=extension.key.npub[:12])).to_be_visible()


@pytest.mark.proof
def test_a_guest_who_signs_up_with_a_key_keeps_games_and_gets_the_new_name(people: Visitors, hall: PageHall) -> None:
    page = person(people, "Ann")
    extension = NostrExtension().install(page)
    before = me(page)
    win(people, hall, page)
    go(people, page, "/sign-in?to=/me")
    page.get_by_label("Name", exact=True).fill("Anna")
    press(page, SIGN_UP)
    expect(page.get_by_text("Player since")).to_be_visible()
    expect(page.get_by_role("heading", name="Anna")).to_be_visible()
    expect(page.get_by_role("link", name="won against")).to_be_visible()
    assert me(page) == before
    other = people.page("/sign-in")
    NostrExtension(extension.key).install(other)
    press(other, SIGN_IN)
    expect(other.get_by_role("link", name="Anna")).to_be_visible()


@pytest.mark.proof
def test_a_key_of_somebody_else_is_refused_to_a_guest(people: Visitors) -> None:
    page = people.page("/sign-in")
    extension = NostrExtension().install(page)
    press(page, SIGN_IN)
    expect(page.get_by_role("link", name=extension.key.npub[:12])).to_be_visible()
    guest = person(people, "Bo", "/sign-in")
    NostrExtension(extension.key).install(guest)
    press(guest, SIGN_UP)
    refused(guest, "This key belongs to another account.")


@pytest.mark.proof
def test_an_account_adds_a_key_with_its_password_and_removes_it(people: Visitors) -> None:
    page = people.page("/me")
    enter(page, "Ann", "/api/accounts")
    extension = NostrExtension().install(page)
    page.get_by_text("Nostr keys").click()
    press(page, "Add a Nostr key")
    refused(page, "Enter the password of this account to add a key.")
    page.get_by_label("Your password").fill(PASSWORD)
    press(page, "Add a Nostr key")
    expect(page.get_by_role("status").filter(has_text="Key added")).to_be_visible()
    other = people.page("/sign-in")
    NostrExtension(extension.key).install(other)
    press(other, SIGN_IN)
    expect(other.get_by_role("link", name="Ann", exact=True)).to_be_visible()
    page.get_by_role("button", name=f"Remove {extension.key.npub[:12]}").click()
    expect(page.get_by_role("status").filter(has_text="signed out everywhere else")).to_be_visible()
    other.reload()
    expect(other.get_by_role("link", name="Sign in")).to_be_visible()


@pytest.mark.proof
def test_an_account_without_a_password_can_set_one_and_keeps_its_last_key(people: Visitors) -> None:
    page = people.page("/sign-in?to=/me")
    extension = NostrExtension().install(page)
    press(page, SIGN_IN)
    page.get_by_text("Nostr keys").click()
    remove = page.get_by_role("button", name=f"Remove {extension.key.npub[:12]}")
    remove.click()
    refused(page, "This is the only way to sign in to this account.")
    page.get_by_text("Set a password", exact=True).click()
    page.get_by_label("New password").fill(PASSWORD)
    press(page, "Set password")
    expect(page.get_by_label("Old password")).to_be_visible()
    assert [event["tags"][1] for event in extension.asked] == [["method", "POST"], ["method", "PATCH"]]
    page.get_by_label("New password").fill("a forgotten one")
    press(page, "Change password")
    expect(page.get_by_role("status").filter(has_text="Password changed.")).to_be_visible()
    remove.click()
    expect(page.get_by_role("status").filter(has_text="Key removed")).to_be_visible()


def test_at_another_address_than_its_own_the_hall_asks_for_no_signature(browser: Browser, hall: PageHall) -> None:
    """An event for an address that many halls have, such as localhost, would be good at all of them."""
    with visitors(browser, hall.url.replace("127.0.0.1", "localhost")) as people:
        page = people.page("/sign-in")
        extension = NostrExtension().install(page)
        press(page, SIGN_IN)
        refused(page, f"Signing in with a Nostr key works only at {hall.url}.")
        assert extension.asked == []


def test_under_a_path_prefix_the_whole_address_is_signed(browser: Browser, tmp_path: Path, built: Path) -> None:
    with page_hall(tmp_path, "/dice", built) as hall, visitors(browser, hall.url) as people:
        page = people.page("/sign-in")
        extension = NostrExtension().install(page)
        press(page, SIGN_IN)
        expect(page.get_by_role("link", name=extension.key.npub[:12])).to_be_visible()
        assert extension.asked[0]["tags"][0] == ["u", f"{hall.url}/api/sessions"]


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.proof)])
@pytest.mark.parametrize(
    "viewport", [pytest.param(PHONE, id="phone"), pytest.param(DESK, id="desk", marks=pytest.mark.proof)]
)
def test_the_keys_of_an_account_are_accessible(people: Visitors, scheme: str, viewport: dict[str, int]) -> None:
    page = people.page("/sign-in?to=/me", color_scheme=scheme, viewport=viewport)
    NostrExtension().install(page)
    press(page, SIGN_IN)
    page.get_by_text("Nostr keys").click()
    page.get_by_text("Set a password", exact=True).click()
    expect(page.get_by_text("You confirm it with your Nostr key.")).to_be_visible()
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
