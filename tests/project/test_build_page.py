"""When the page is built anew, and what is said where it cannot be; with a made-up npm that leaves what ours would."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tools.build_page import INPUTS, NotBuilt, Workshop

NPM = f"""#!{sys.executable}
import pathlib, sys
web = pathlib.Path.cwd()
if (web / "broken").exists():
    sys.exit("npm error: no network\\nnpm error: really none")
with (web / "calls").open("a") as calls:
    calls.write(sys.argv[1] + "\\n")
made = web / "node_modules" if sys.argv[1] == "ci" else web.parent / "src/dicehall/server/page"
made.mkdir(parents=True, exist_ok=True)
(made / "index.html").touch()
"""


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    """A checkout with a page, and an environment with an npm."""
    for name in INPUTS:
        write(tmp_path / "web" / name, name)
    write(tmp_path / "web/src/main.ts", "main")
    write(tmp_path / "src/dicehall/games/wards/words/en.json", "{}")
    write(tmp_path / "bin/npm", NPM)
    (tmp_path / "bin/npm").chmod(0o755)
    return Workshop(tmp_path)


def write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def make(shop: Workshop) -> list[str]:
    """Builds as the set-up does, and tells what npm was asked."""
    calls = shop.web / "calls"
    calls.write_text("")
    if not shop.current():
        if not shop.fetched():
            shop.fetch(shop.root / "bin")
        shop.build(shop.root / "bin")
    return calls.read_text().split()


def test_a_second_build_has_nothing_to_do(shop: Workshop) -> None:
    assert make(shop) == ["ci", "run"]
    assert make(shop) == []


@pytest.mark.parametrize("changed", ["web/src/main.ts", "web/index.html", "src/dicehall/games/wards/words/en.json"])
def test_what_changed_is_built_but_nothing_is_fetched(shop: Workshop, changed: str) -> None:
    make(shop)
    write(shop.root / changed, "changed")
    assert make(shop) == ["run"]


def test_a_new_file_and_a_renamed_one_count_as_changes(shop: Workshop) -> None:
    make(shop)
    write(shop.web / "src/more.ts", "")
    assert make(shop) == ["run"]
    (shop.web / "src/more.ts").rename(shop.web / "src/other.ts")
    assert make(shop) == ["run"]


def test_a_new_lock_is_fetched(shop: Workshop) -> None:
    make(shop)
    write(shop.web / "package-lock.json", "newer")
    assert make(shop) == ["ci", "run"]


def test_a_page_that_somebody_removed_is_built(shop: Workshop) -> None:
    make(shop)
    (shop.built / "index.html").unlink()
    assert make(shop) == ["run"]


def test_a_checkout_without_the_pages_sources_needs_no_page(tmp_path: Path) -> None:
    assert Workshop(tmp_path).current()


def test_what_went_wrong_is_said_and_nothing_counts_as_built(shop: Workshop) -> None:
    write(shop.web / "broken", "")
    with pytest.raises(NotBuilt, match="really none"):
        make(shop)
    assert not shop.fetched()
    assert not shop.current()


def test_an_environment_without_npm_is_said(shop: Workshop) -> None:
    (shop.root / "bin/npm").unlink()
    with pytest.raises(NotBuilt, match="There is no npm in the environment"):
        make(shop)
