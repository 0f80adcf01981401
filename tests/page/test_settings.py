"""What somebody chooses on the page of settings: it applies at once, everywhere, and is still there after a reload."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.page.browsers import PHONE, Visitors
from tests.page.tables import no_sideways

CONTRAST = "High contrast"


def choose(page: Page, group: str, name: str) -> None:
    page.get_by_role("group", name=group).get_by_role("radio", name=name).check()


def set_volume(page: Page, percent: int) -> None:
    page.get_by_role("slider", name="Sound volume").fill(str(percent))


@pytest.mark.proof
def test_the_settings_are_one_tap_away_from_every_page(people: Visitors) -> None:
    page = people.page("/sealed", "Ann")
    page.get_by_role("link", name="Settings").click()
    expect(page.get_by_role("heading", level=1, name="Settings")).to_be_visible()
    people.tab(page.context, "/me").get_by_role("link", name="Settings for this browser").click()


def test_what_is_chosen_applies_at_once_and_after_a_reload(people: Visitors) -> None:
    page = people.page("/settings", "Ann", speed="normal")
    choose(page, "Theme", "Dark")
    choose(page, "Dice colours", CONTRAST)
    choose(page, "Bot speed", "Fast")
    set_volume(page, 35)
    page.get_by_role("checkbox", name="Show keys on the buttons").check()
    for _ in range(2):
        expect(page.locator("html[data-theme=dark][data-dice=contrast][data-keys=true]")).to_be_attached()
        expect(page.get_by_role("button", name="Theme: dark")).to_be_visible()
        expect(page.get_by_role("button", name="Sound", exact=True)).to_have_attribute("aria-pressed", "true")
        expect(page.get_by_role("radio", name="Fast")).to_be_checked()
        expect(page.get_by_role("slider", name="Sound volume")).to_have_value("35")
        page.reload()


def test_the_samples_of_the_dice_keep_their_colours_whatever_set_is_chosen(people: Visitors) -> None:
    page = people.page("/settings", "Ann")
    sets = page.get_by_role("group", name="Dice colours")
    names = ("--die-face", "--die-glint", "--held-face", "--aside-face")
    read = "(samples, names) => samples.map(one => names.map(name => getComputedStyle(one).getPropertyValue(name)))"
    before = sets.locator("[data-dice]").evaluate_all(read, names)
    assert len({tuple(colours) for colours in before}) == 4
    for name in ("Ebony", CONTRAST):
        choose(page, "Dice colours", name)
        expect(page.locator("html[data-dice]")).to_be_attached()
        assert sets.locator("[data-dice]").evaluate_all(read, names) == before


@pytest.mark.proof
def test_settings_and_the_switches_elsewhere_stay_in_step(people: Visitors) -> None:
    page = people.page("/settings", "Ann", speed="fast")
    set_volume(page, 35)
    sound = page.get_by_role("button", name="Sound", exact=True)
    for loud, percent in (("false", "0"), ("true", "35")):
        sound.click()
        expect(sound).to_have_attribute("aria-pressed", loud)
        expect(page.get_by_role("slider", name="Sound volume")).to_have_value(percent)
    page.get_by_role("button", name="Theme:").click()
    expect(page.get_by_role("radio", name="Light")).to_be_checked()
    table = people.tab(page.context, "/play/wards")
    table.get_by_role("button", name="Play against bots").click()
    expect(table.get_by_label("Bot speed")).to_have_value("fast")


def test_there_is_no_sound_until_somebody_asks_for_it(people: Visitors) -> None:
    page = people.page("/settings")
    expect(page.get_by_role("slider", name="Sound volume")).to_have_value("0")
    expect(page.get_by_role("slider", name="Sound volume")).to_have_attribute("aria-valuetext", "off")


def test_every_key_of_every_game_is_listed(people: Visitors) -> None:
    page = people.page("/settings", viewport={**PHONE, "width": 320})
    page.get_by_text("List of keys").click()
    for title in ("At every table", "Dice Wards", "Aetharn", "Dice 10 000", "DO or DICE", "Mana"):
        expect(page.get_by_role("region", name=title).locator("kbd").first).to_be_visible()
    no_sideways(page)
