"""What docs/venue.md says about discovery, venue files and the demo is so."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import msgspec

from dicehall.venue import areas, sources
from dicehall.venue.layout import WarningCode
from dicehall.venue.settings import DiscoverySettings
from tests.launch.running import ROOT, run

PAGE = (ROOT / "docs" / "venue.md").read_text(encoding="utf-8")
(EXAMPLE,) = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.M | re.S)


def test_the_venue_file_of_the_page_has_a_table(tmp_path: Path) -> None:
    file = tmp_path / "venue.toml"
    file.write_text(EXAMPLE, encoding="utf-8")
    ran = run("venue", str(file), "--json")
    assert (ran.code, len(ran.last["tables"]), ran.last["warnings"]) == (0, 1, [])


def test_the_same_venue_in_json_is_the_same(tmp_path: Path) -> None:
    by_hand, as_json = tmp_path / "venue.toml", tmp_path / "venue.json"
    by_hand.write_text(EXAMPLE, encoding="utf-8")
    as_json.write_text(json.dumps(tomllib.loads(EXAMPLE)), encoding="utf-8")
    assert run("venue", str(by_hand), "--json").out == run("venue", str(as_json), "--json").out


def test_the_settings_of_the_page_are_the_defaults() -> None:
    assert tomllib.loads(EXAMPLE)["settings"] == msgspec.to_builtins(DiscoverySettings())


def test_the_page_lists_every_warning_and_every_flag() -> None:
    text = run("venue", "--help").out
    flags: list[Any] = re.findall(r"^  (--[a-z-]+)", text, re.M)
    assert len(flags) >= 12
    for name in [*WarningCode, *flags]:
        assert f"`{name}`" in PAGE or f"`{name} " in PAGE or f"{name} " in PAGE


def test_the_limits_of_the_page_are_those_of_reading() -> None:
    for line in (
        f"| one area, or a venue file | {sources.MOST_AREA_BYTES // 2**20} MiB |",
        f"| {sources.MOST_TOTAL_BYTES // 2**20} MiB, {sources.MOST_AREAS} areas |",
        f"| objects of one area | {areas.MOST_OBJECTS:,} |",
        f"| corners of one trigger | {areas.MOST_CORNERS} |",
    ):
        assert line in PAGE
