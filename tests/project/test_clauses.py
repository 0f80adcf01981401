"""The tool behind `make clauses`, on small made-up checkouts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.clauses import ALL, cited_in, heads, report

PAGE = "# Wards\n- W1. Two seats.\n- **W2.** Roll: one die, as in W1.\n"
CITES_BOTH = '''
def test_two_seats():
    """W1: two seats sit."""

def test_rolls():
    assert True  # W2
'''
CITES_THE_FIRST = 'def test_two_seats():\n    """W1."""\n'


def checkout(folder: Path, page: str = PAGE, tests: str = CITES_BOTH, pending: str | None = None) -> Path:
    (folder / "docs" / "rules").mkdir(parents=True)
    (folder / "tests" / "games").mkdir(parents=True)
    (folder / "docs" / "rules" / "wards.md").write_text(page)
    (folder / "tests" / "games" / "test_wards.py").write_text(tests)
    if pending is not None:
        (folder / "docs" / "rules" / "pending.md").write_text(pending)
    return folder


def said(folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    return report(folder, ("W1", "W2")), capsys.readouterr().out


def test_every_clause_with_a_test_passes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out = said(checkout(tmp_path), capsys)
    assert code == 0
    assert "W1: cited by 1\n    tests/games/test_wards.py::test_two_seats\n" in out
    assert "2 clauses: 2 cited by tests, 0 pending, 0 problems." in out


def test_a_clause_without_a_test_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out = said(checkout(tmp_path, tests=CITES_THE_FIRST), capsys)
    assert code == 1
    assert "W2 has no test, and no line in docs/rules/pending.md." in out


def test_a_pending_clause_may_wait(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out = said(checkout(tmp_path, tests=CITES_THE_FIRST, pending="- W2. The die is not cast yet.\n"), capsys)
    assert code == 0
    assert "W2: pending, cited by 0" in out


def test_a_pending_clause_may_be_cited_already(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out = said(checkout(tmp_path, pending="- W2. Half done.\n"), capsys)
    assert code == 0
    assert "W2: pending, cited by 1" in out


def test_a_clause_named_only_in_the_reason_of_another_is_not_pending(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _ = said(checkout(tmp_path, tests="", pending="- W1. Waits for W2.\n"), capsys)
    assert code == 1


def test_a_clause_that_no_page_describes_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out = said(
        checkout(tmp_path, page="- W1. Two seats.\nW2 is named here, but a line begins with it nowhere.\n"), capsys
    )
    assert code == 1
    assert "W2 is not described in docs/rules." in out


def test_a_clause_that_does_not_exist_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out = said(checkout(tmp_path, page=PAGE + "- W3. A third.\n"), capsys)
    assert code == 1
    assert "W3 is on a page of docs/rules, but there is no such clause." in out


@pytest.mark.parametrize(
    ("source", "clauses"),
    [
        ('"""W1."""\n\ndef test_a(): pass\n', []),  # a module cites nothing
        ("# W1\ndef test_a(): pass\n", ["W1"]),
        ("# W1\n\ndef test_a(): pass\n", []),  # not right above
        ("# W1\n# and more\n@mark\ndef test_a(): pass\n", ["W1"]),
        ("@mark(1)  # W1\ndef test_a(): pass\n", ["W1"]),
        ("def test_a():\n    pass  # W1, not W13\n", ["W1", "W13"]),
        ("def test_a():\n    x = '# W1'\n", []),  # a string is no comment
        ("def test_a():\n    pass  # XW1 W1a SW1\n", []),  # a whole word only
        ("class TestHold:\n    def test_a(self):\n        '''W1'''\n", ["W1"]),
        ("async def test_a():\n    '''W1'''\n", ["W1"]),
    ],
)
def test_what_cites_a_clause(source: str, clauses: list[str]) -> None:
    assert [found for _, found in cited_in(source)] == [clauses]


def test_a_helper_cites_nothing() -> None:
    assert list(cited_in("def helper():\n    '''W1'''\n")) == []


@pytest.mark.parametrize(
    ("line", "clauses"),
    [
        ("- W3. Hold.", ["W3"]),
        ("* **W3.** Hold.", ["W3"]),
        ("- **W3**. Hold.", ["W3"]),
        ("**W3.** Hold.", ["W3"]),
        ("- W1, W3. Both.", ["W1", "W3"]),
        ("- M2-M4. Three.", ["M2", "M3", "M4"]),
        ("- Hold (W3).", []),
        ("W3. Hold.", []),
    ],
)
def test_what_a_line_begins_with(line: str, clauses: list[str]) -> None:
    assert list(heads(line)) == clauses


def test_there_are_eighty_one_clauses() -> None:
    assert len(ALL) == len(set(ALL)) == 81
