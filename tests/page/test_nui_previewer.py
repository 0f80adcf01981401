"""The previewer shows any NUI window in a browser, changes only what is bound, and reports what a person does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from dicehall.venue.nui_elements import ELEMENTS
from dicehall.venue.previewer import preview_page
from tests.page.browsers import axe
from tests.venue.windows import GALLERY, GALLERY_BINDS, row, window


@pytest.fixture
def tab(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 760, "height": 1000})
    page, troubles = context.new_page(), list[str]()
    page.on("console", lambda message: troubles.append(message.text))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    yield page
    context.close()
    assert troubles == []


def show(tab: Page, folder: Path, nui: object, binds: dict[str, Any] | None = None) -> Page:
    """The page as a file on a disk."""
    file = folder / "window.html"
    file.write_text(preview_page(nui, binds or {}), encoding="utf-8")
    tab.goto(file.as_uri())
    return tab


def update(tab: Page, **changed: object) -> None:
    tab.evaluate("(changed) => window.shown.update(changed)", changed)


def last_event(tab: Page) -> Any:
    return json.loads(tab.locator("#events").inner_text())


def test_every_element_is_shown_and_accessible(tab: Page, tmp_path: Path) -> None:
    show(tab, tmp_path, GALLERY, GALLERY_BINDS)
    for kind in ELEMENTS:
        expect(tab.locator(f".nui-is-{kind}").first).to_be_attached()
    expect(tab.get_by_role("heading", name="Gallery").first).to_be_visible()
    expect(tab.get_by_role("progressbar")).to_have_attribute("value", "0.4")
    expect(tab.get_by_role("checkbox", name="Hold")).to_be_checked()
    expect(tab.get_by_role("radio", name="B")).to_be_checked()
    expect(tab.get_by_role("listitem")).to_have_count(3)
    expect(tab.get_by_text("Hidden")).to_be_hidden()
    expect(tab.locator(".nui-drawing ellipse")).to_have_count(1)
    axe(tab)


def test_an_update_changes_only_the_parts_that_are_bound_to_it(tab: Page, tmp_path: Path) -> None:
    show(tab, tmp_path, GALLERY, GALLERY_BINDS)
    tab.evaluate(
        """() => {
            window.changes = [];
            const note = (records) => records.forEach((one) => {
                const cell = (one.target.nodeType === 1 ? one.target : one.target.parentElement).closest('.nui-cell');
                window.changes.push(cell.dataset.nuiId ?? cell.className);
            });
            window.observer = new MutationObserver(note);
            const options = {subtree: true, childList: true, attributes: true, characterData: true};
            window.observer.observe(document.querySelector('.nui-body'), options);
        }"""
    )
    update(tab, label="Changed", secret_shown=True)
    expect(tab.get_by_text("Changed")).to_be_visible()
    expect(tab.get_by_text("Hidden")).to_be_visible()
    assert set(tab.evaluate("() => window.changes")) == {"name", "secret"}


def test_binds_drive_enabled_rows_pips_and_colours(tab: Page, tmp_path: Path) -> None:
    show(tab, tmp_path, GALLERY, GALLERY_BINDS)
    update(tab, may_roll=False, count=2, names=["Dee", "Eli"], pip_shown=False, bars=[])
    expect(tab.get_by_role("button", name="ROLL")).to_be_disabled()
    expect(tab.get_by_role("listitem")).to_have_count(2)
    expect(tab.get_by_role("listitem").first).to_contain_text("Dee")
    expect(tab.locator(".nui-drawing ellipse")).to_have_count(0)
    update(tab, names=["Dee", "Fay"], pip_shown=True)
    expect(tab.get_by_role("listitem").nth(1)).to_contain_text("Fay")
    expect(tab.locator(".nui-drawing ellipse")).to_have_attribute("fill", "rgb(40 60 200 / 1)")


def test_what_a_person_does_is_reported_as_the_game_would(tab: Page, tmp_path: Path) -> None:
    show(tab, tmp_path, GALLERY, GALLERY_BINDS)
    tab.get_by_role("button", name="ROLL").click()
    assert last_event(tab) == {"type": "click", "element": "roll", "index": -1, "payload": None}
    tab.get_by_role("button", name="Pick").nth(2).click()
    assert last_event(tab) == {"type": "click", "element": "pick", "index": 2, "payload": None}
    tab.get_by_role("checkbox", name="Hold").uncheck()
    assert last_event(tab) == {"type": "watch", "element": "ticked", "index": -1, "payload": {"value": False}}
    tab.get_by_role("textbox", name="edit").fill("yes")
    assert last_event(tab)["payload"] == {"value": "yes"}
    tab.get_by_role("combobox").select_option("One")
    assert last_event(tab) == {"type": "watch", "element": "choice", "index": -1, "payload": {"value": 1}}
    tab.get_by_role("radio", name="Left").focus()
    tab.keyboard.press("ArrowRight")
    assert last_event(tab) == {"type": "watch", "element": "tab", "index": -1, "payload": {"value": 1}}
    tab.get_by_role("button", name="Close the window").click()
    assert last_event(tab)["type"] == "close"


def test_a_button_that_is_off_reports_nothing_and_keeps_the_focus(tab: Page, tmp_path: Path) -> None:
    show(tab, tmp_path, GALLERY, GALLERY_BINDS)
    roll = tab.get_by_role("button", name="ROLL")
    roll.focus()
    update(tab, may_roll=False)
    expect(roll).to_be_focused()
    tab.keyboard.press("Enter")
    expect(tab.locator("#events")).to_have_text("none yet")


@pytest.mark.parametrize("name", ["dial", "toString", "<img src=x>"])
def test_an_unknown_element_is_an_error_with_its_name_and_path(tab: Page, tmp_path: Path, name: str) -> None:
    show(tab, tmp_path, window(row({"type": "label", "value": "x"}, {"type": name})))
    alert = tab.get_by_role("alert")
    expect(alert).to_have_text(f"root.children[1]: there is no element '{name}'")
    assert tab.locator(".nui-body").count() == 0


def test_an_unknown_drawing_is_an_error_with_its_path(tab: Page, tmp_path: Path) -> None:
    show(tab, tmp_path, window(row({"type": "label", "value": "x", "draw_list": [{"type": 9}]})))
    expect(tab.get_by_role("alert")).to_have_text("root.children[0].draw_list[0]: there is no drawing of type 9")


def test_fields_that_are_off_cannot_be_changed(tab: Page, tmp_path: Path) -> None:
    edit = {"type": "textedit", "id": "edit", "value": {"bind": "typed"}, "enabled": {"bind": "on"}}
    show(tab, tmp_path, window(row(edit)), {"typed": "hello", "on": False})
    expect(tab.get_by_role("textbox", name="edit")).to_be_disabled()
    update(tab, on=True)
    tab.get_by_role("textbox", name="edit").fill("yes")
    assert last_event(tab)["payload"] == {"value": "yes"}


def test_text_in_a_window_is_never_markup(tab: Page, tmp_path: Path) -> None:
    evil = "</script><img src=x onerror=alert(1)>"
    show(tab, tmp_path, window({"type": "label", "value": {"bind": "evil"}}, title=evil), {"evil": evil})
    expect(tab.locator(".nui-label")).to_have_text(evil)
    assert tab.locator("img").count() == 0


def test_a_window_wider_than_the_page_is_shown_smaller(tab: Page, tmp_path: Path) -> None:
    tab.set_viewport_size({"width": 390, "height": 844})
    show(tab, tmp_path, GALLERY, GALLERY_BINDS)
    expect(tab.locator(".nui-window")).to_have_css("zoom", "0.577419")
    assert tab.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
