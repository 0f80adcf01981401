"""Every test in tests/security can fail: it is also run with its guard switched off, or says what shows that it could.

`docs/security.md` promises it.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

SECURITY = Path(__file__).parents[1] / "security"
SHOWN = re.compile(r"\b(guards?|control|switch|switched)\b", re.IGNORECASE)


def is_shown_to_fail(test: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    taken = {one.arg for one in (*test.args.args, *test.args.kwonlyargs)}
    return "guarded" in taken or SHOWN.search(ast.get_docstring(test) or "") is not None


def test_every_attack_is_run_without_its_guard_or_names_its_control_or_says_why_not() -> None:
    nodes = [
        node for file in sorted(SECURITY.glob("test_*.py")) for node in ast.walk(ast.parse(file.read_text("utf-8")))
    ]
    defined = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    tests = [node for node in defined if node.name.startswith("test_")]
    assert len(tests) > 200
    assert [test.name for test in tests if not is_shown_to_fail(test)] == []
