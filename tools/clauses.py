"""Lists every rule clause with the tests that cite it: `python -m tools.clauses [folder]`.

A clause is described where a line of `docs/rules/*.md` begins with it (`- W3. ...`, bold or not). A test function cites
it when its docstring, a comment in it or a comment right above it holds the number as a word of its own. A clause that
nobody tests yet needs a line in `docs/rules/pending.md` (`- W3. why`, or `- M1-M14. why`); it may be cited already.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

LAST = {"C": 12, "W": 13, "A": 20, "D": 11, "T": 10, "M": 15}
ALL = tuple(f"{letter}{number}" for letter, last in LAST.items() for number in range(1, last + 1))

WORD = re.compile(rf"\b[{''.join(LAST)}][1-9]\d*\b")
HEAD = re.compile(r"\s*(?:[-*]\s+)?(?:\*\*)?((?:[A-Z]\d+(?:-[A-Z]\d+)?(?:,\s*)?)+)\.?(?:\*\*)?[.:\s]")
BULLET = re.compile(r"\s*(?:[-*]\s|\*\*)")

Test = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Found:
    """What a checkout says about the clauses."""

    described: frozenset[str]
    pending: frozenset[str]
    cited: dict[str, list[str]]


def look(root: Path) -> Found:
    rules = root / "docs" / "rules"
    pages = [page for page in sorted(rules.glob("*.md")) if page.name != "pending.md"]
    described = {clause for page in pages for clause in heads(page.read_text(encoding="utf-8"))}
    waiting = rules / "pending.md"
    pending = set(heads(waiting.read_text(encoding="utf-8"))) if waiting.exists() else set()
    return Found(frozenset(described), frozenset(pending), citations(root))


# --- the pages -------------------------------------------------------------------------------------------------------


def heads(page: str) -> Iterator[str]:
    """The clauses that lines of a page begin with."""
    for line in page.splitlines():
        head = HEAD.match(line) if BULLET.match(line) else None
        for part in re.split(r",\s*", head[1]) if head else []:
            yield from span(part)


def span(part: str) -> Iterator[str]:
    """`M2-M4` is M2, M3 and M4; `M2` is itself."""
    first, _, last = part.partition("-")
    for number in range(int(first[1:]), int((last or first)[1:]) + 1):
        yield f"{first[0]}{number}"


# --- the tests -------------------------------------------------------------------------------------------------------


def citations(root: Path) -> dict[str, list[str]]:
    """Each cited clause with its tests, as pytest names them."""
    cited: dict[str, list[str]] = {}
    for file in sorted((root / "tests").rglob("test_*.py")):
        for name, clauses in cited_in(file.read_text(encoding="utf-8")):
            for clause in clauses:
                cited.setdefault(clause, []).append(f"{file.relative_to(root).as_posix()}::{name}")
    return cited


def cited_in(source: str) -> Iterator[tuple[str, list[str]]]:
    """The test functions of a file, each with the clauses it cites."""
    comments, lines = comments_of(source), source.splitlines()
    for name, test in named_tests(ast.parse(source)):
        words = [ast.get_docstring(test) or "", *(comments.get(line, "") for line in lines_of(test, lines))]
        yield name, sorted(set(WORD.findall("\n".join(words))))


def named_tests(tree: ast.Module | ast.ClassDef, inside: str = "") -> Iterator[tuple[str, Test]]:
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield from named_tests(node, f"{inside}{node.name}::")
        elif isinstance(node, Test) and node.name.startswith("test"):
            yield inside + node.name, node


def lines_of(test: Test, lines: list[str]) -> range:
    """The lines of a test: its decorators, its body, and the comments right above them."""
    first = min([test.lineno, *(mark.lineno for mark in test.decorator_list)])
    while first > 1 and lines[first - 2].lstrip().startswith("#"):
        first -= 1
    return range(first, (test.end_lineno or test.lineno) + 1)


def comments_of(source: str) -> dict[int, str]:
    """The comments of a file by line; a '#' in a string is none."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return {token.start[0]: token.string for token in tokens if token.type == tokenize.COMMENT}


# --- the report ------------------------------------------------------------------------------------------------------


def problems(found: Found, clauses: Iterable[str]) -> list[str]:
    """One sentence for each thing that is wrong."""
    expected = list(clauses)
    missing = [f"{clause} is not described in docs/rules." for clause in expected if clause not in found.described]
    untested = [
        f"{clause} has no test, and no line in docs/rules/pending.md."
        for clause in expected
        if clause not in found.cited and clause not in found.pending
    ]
    strangers = sorted((found.described | found.pending) - set(expected))
    return (
        missing
        + untested
        + [f"{clause} is on a page of docs/rules, but there is no such clause." for clause in strangers]
    )


def listing(found: Found, clauses: Iterable[str]) -> Iterator[str]:
    for clause in clauses:
        tests = found.cited.get(clause, [])
        state = f"pending, cited by {len(tests)}" if clause in found.pending else f"cited by {len(tests)}"
        yield f"{clause}: {state}"
        yield from (f"    {test}" for test in tests)


def report(root: Path, clauses: Iterable[str] = ALL) -> int:
    expected, found = list(clauses), look(root)
    wrong = problems(found, expected)
    for line in [*listing(found, expected), *wrong]:
        print(line)
    tested = sum(clause in found.cited for clause in expected)
    waiting = sum(clause in found.pending for clause in expected)
    print(f"{len(expected)} clauses: {tested} cited by tests, {waiting} pending, {len(wrong)} problems.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(report(Path(sys.argv[1]) if sys.argv[1:] else Path(__file__).resolve().parent.parent))
