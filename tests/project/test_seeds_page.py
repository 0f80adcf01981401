"""docs/seeds.md: every place and every test that it names is there, and no row gets lost."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "seeds.md").read_text(encoding="utf-8")
HEADER = "| thing | kind | here | test |"
LEAST = {  # rows of each document, so that none can vanish unseen
    "Dice Wards (seed 000)": 118,
    "Aetharn (seed 001)": 389,
    "DO or DICE (seed 002)": 137,
    "Dice 10 000 (seed 003)": 91,
    "Mana (seed 004)": 214,
}


@dataclass(frozen=True, slots=True)
class Row:
    seed: str
    line: str

    @property
    def cells(self) -> list[str]:
        return [cell.strip() for cell in self.line.strip("|").split("|")]


def rows_of(page: str) -> Iterator[Row]:
    """Every line of every table, with the document under whose heading it stands."""
    seed = ""
    for line in page.splitlines():
        if line.startswith("## "):
            seed = line.removeprefix("## ")
        elif line.startswith("|") and line != HEADER and not re.fullmatch(r"[|-]+", line):
            yield Row(seed, line)


def faults(row: Row) -> list[str]:
    """What is wrong with a row, in a few words each; nothing if it is true."""
    if len(row.cells) != 4 or not all(row.cells[:3]):
        return ["a row has a thing, its kind, a place and a test"]
    *_, here, test = row.cells
    place, named = re.fullmatch(r"`([^`]+)`(?: \(.+\))?", here), re.fullmatch(r"`([^`]+)`", test)
    if place is None or named is None:
        return ["a row names a place and a test"]
    wrong = [] if is_there(place[1]) else [f"no place {place[1]}"]
    return wrong if is_test(named[1]) else [*wrong, f"no test {named[1]}"]


def is_there(place: str) -> bool:
    """A name in a module, written module:Class.name; or a file."""
    module, colon, name = place.partition(":")
    if not colon:
        return (ROOT / place).is_file()
    try:
        owner: object = import_module(module)
    except ModuleNotFoundError:
        return False
    for part in name.split("."):
        if not hasattr(owner, part):
            return part in getattr(owner, "__dataclass_fields__", {})
        owner = getattr(owner, part)
    return True


def is_test(named: str) -> bool:
    path, _, name = named.partition("::")
    return path.startswith("tests/") and name in named_in(ROOT / path)


@cache
def named_in(path: Path) -> frozenset[str]:
    """The tests of a file: functions, and methods as Class::test_name."""
    if not path.is_file():
        return frozenset()
    body = ast.parse(path.read_text(encoding="utf-8")).body
    classes = [node for node in body if isinstance(node, ast.ClassDef) and node.name.startswith("Test")]
    methods = {f"{node.name}::{name}" for node in classes for name in defined(node.body)}
    return frozenset(methods | set(defined(body)))


def defined(body: list[ast.stmt]) -> list[str]:
    functions = [node.name for node in body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return [name for name in functions if name.startswith("test_")]


ROWS = list(rows_of(PAGE))


def test_every_table_belongs_to_one_of_the_five_documents() -> None:
    assert {row.seed for row in ROWS} == set(LEAST)


@pytest.mark.parametrize("seed", LEAST)
def test_no_row_has_vanished(seed: str) -> None:
    assert len([row for row in ROWS if row.seed == seed]) >= LEAST[seed]


@pytest.mark.parametrize("seed", LEAST)
def test_what_the_rows_name_is_there(seed: str) -> None:
    wrong = {row.line: found for row in ROWS if row.seed == seed and (found := faults(row))}
    assert wrong == {}


def test_no_row_is_written_twice() -> None:
    """The same thing under the same heading, with the same place, would only make up the number."""
    assert len({(row.seed, row.line) for row in ROWS}) == len(ROWS)


# -- a page that is not true is noticed ---------------------------------------------------------------

GOOD_PLACE = "`dicehall.core.fold:play`"
GOOD_TEST = "`tests/project/test_seeds_page.py::test_no_row_has_vanished`"
A_PAGE = f"""# A page
## Chess (seed 999)
Some words.
{HEADER}
|---|---|---|---|
| king | class | {GOOD_PLACE} | {GOOD_TEST} |

### More
{HEADER}
|---|---|---|---|
| queen | class | {GOOD_PLACE} | {GOOD_TEST} |
"""


def test_rows_are_found_in_every_table_of_a_document() -> None:
    assert [(row.seed, row.cells[0]) for row in rows_of(A_PAGE)] == [
        ("Chess (seed 999)", "king"),
        ("Chess (seed 999)", "queen"),
    ]


@pytest.mark.parametrize(
    "row",
    [
        f"| king | class | {GOOD_PLACE} | {GOOD_TEST} |",
        f"| king | class | {GOOD_PLACE} (instead of a crown) | {GOOD_TEST} |",
        f"| king | field | `dicehall.core.game:Step.fresh_clock` | {GOOD_TEST} |",
        f"| king | field | `dicehall.games.farkle:ScoreTable.rows` | {GOOD_TEST} |",  # without a default, nor a slot
        f"| king | page | `docs/seeds.md` | {GOOD_TEST} |",
    ],
)
def test_a_row_that_is_true_passes(row: str) -> None:
    assert faults(Row("Chess", row)) == []


@pytest.mark.parametrize(
    "row",
    [
        f"| king | class | `dicehall.core.fold:checkmate` | {GOOD_TEST} |",
        f"| king | class | `dicehall.core.game:Step.checkmate` | {GOOD_TEST} |",
        f"| king | class | `dicehall.core.game:Nobody.fresh_clock` | {GOOD_TEST} |",
        f"| king | class | `dicehall.chess:play` | {GOOD_TEST} |",
        f"| king | class | `dicehall.core.fold:` | {GOOD_TEST} |",
        f"| king | class | `docs/chess.md` | {GOOD_TEST} |",
        f"| king | class | `docs` | {GOOD_TEST} |",
        f"| king | class | {GOOD_PLACE} | `tests/project/test_seeds_page.py::test_checkmate` |",
        f"| king | class | {GOOD_PLACE} | `tests/project/test_seeds_page.py::faults` |",
        f"| king | class | {GOOD_PLACE} | `tests/project/test_chess.py::test_no_row_has_vanished` |",
        f"| king | class | {GOOD_PLACE} | `tests/project/test_seeds_page.py` |",
        f"| king | class | {GOOD_PLACE} | |",
        f"| king | class | | {GOOD_TEST} |",
        f"| king | class | somewhere | {GOOD_TEST} |",
        f"| king | | {GOOD_PLACE} | {GOOD_TEST} |",
        f"| king | {GOOD_PLACE} | {GOOD_TEST} |",
        "| king | class | later: page | |",
        f"| king | class | later: page | {GOOD_TEST} |",
    ],
)
def test_a_row_that_is_not_true_is_noticed(row: str) -> None:
    assert faults(Row("Chess", row))
