"""One browser for all tests of the page, one hall for those that do not stop it, and people who visit it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from dicehall.server.webpage import BUILT
from tests.page.browsers import Visitors, launch, visitors
from tests.page.halls import PageHall, page_hall


@pytest.fixture(scope="session")
def built() -> Path:
    """The page under test: the one that is served, or one that somebody built elsewhere to try it."""
    folder = Path(os.environ.get("DICEHALL_TRY_PAGE", BUILT))
    assert (folder / "index.html").exists(), "the page is not built: python3 bootstrap.py builds it"
    return folder


@pytest.fixture(scope="package")  # no longer: while playwright runs, no other test of this process has an event loop
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@pytest.fixture
def hall(built: Path, tmp_path: Path) -> Iterator[PageHall]:
    with page_hall(tmp_path, built=built) as opened:
        yield opened


@pytest.fixture
def people(browser: Browser, hall: PageHall) -> Iterator[Visitors]:
    with visitors(browser, hall.url) as visiting:
        yield visiting
