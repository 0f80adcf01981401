"""docs/seeds.md: every place and every test that it names is there."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROW = re.compile(r"\| (?P<thing>.+) \| `(?P<here>[^`]+)` \| `(?P<test>[^`]+)` \|")


def tables(page: str) -> list[str]:
    """The lines of all tables that say where a seed's things are."""
    found = re.findall(r"^\| the seed's \| here \| test \|\n\|[-|]+\|\n((?:\|.*\n)+)", page, flags=re.MULTILINE)
    return [line for table in found for line in table.splitlines()]


ROWS = tables((ROOT / "docs" / "seeds.md").read_text(encoding="utf-8"))


@cache
def names(path: Path) -> frozenset[str]:
    """What a module defines at its top level, and in its classes as Class.name."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = set(defined(tree.body))
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{name}" for name in defined(node.body)}
    return frozenset(found)


def defined(body: list[ast.stmt]) -> list[str]:
    found = []
    for node in body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            found.append(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.append(node.target.id)
        elif isinstance(node, ast.Assign):
            found += [target.id for target in node.targets if isinstance(target, ast.Name)]
    return found


def missing(place: str, below: Path) -> bool:
    path, _, name = place.partition("::")
    return not (below / path).is_file() or name not in names(below / path)


def test_the_page_has_rows() -> None:
    assert len(ROWS) > 100


@pytest.mark.parametrize("line", ROWS)
def test_what_a_row_names_is_there(line: str) -> None:
    row = ROW.fullmatch(line)
    assert row is not None, "a row names a thing, one place and one test"
    assert not missing(row["here"], ROOT / "src" / "dicehall"), row["here"]
    assert not missing(row["test"], ROOT / "tests"), row["test"]


def test_a_place_that_is_not_there_is_noticed() -> None:
    assert missing("hall/seeds/wards.py::Profiles.fly", ROOT / "src" / "dicehall")
    assert missing("hall/seeds/nowhere.py::Profiles", ROOT / "src" / "dicehall")
    assert not missing("hall/seeds/wards.py::Profiles.getProfile", ROOT / "src" / "dicehall")
