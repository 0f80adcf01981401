"""README and examples do what they say."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

from dicehall.games import catalogue

ROOT = Path(__file__).parents[2]


def test_the_readme_is_a_doctest() -> None:
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert tried >= 6
    assert failed == 0


def test_the_readme_names_every_game() -> None:
    listed = re.findall(r"^\| \[[^|]+\| `(\w+)` \|", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert sorted(listed) == sorted(catalogue())


def test_every_link_of_the_documents_leads_somewhere() -> None:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/**/*.md")]
    for page in pages:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


@pytest.mark.parametrize(
    ("example", "says"),
    [
        ("play_a_game.py", "bytes as a record"),
        ("house_rules.py", "goal 100"),
        pytest.param("hall.py", "wards: goal", marks=pytest.mark.proof),  # it waits for bots
        ("do_or_dice.py", "needs one of these seats as its target"),
    ],
)
def test_examples_run(example: str, says: str) -> None:
    ran = subprocess.run([sys.executable, ROOT / "examples" / example], capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr
    assert says in ran.stdout


def test_every_example_is_run_by_some_test() -> None:
    tests = "".join(path.read_text() for path in (ROOT / "tests").rglob("test_*.py"))
    examples = [path for path in (ROOT / "examples").iterdir() if path.suffix in {".py", ".mjs"}]
    assert examples
    missing = [path.name for path in examples if path.name not in tests and f"examples.{path.stem} " not in tests]
    assert missing == []
