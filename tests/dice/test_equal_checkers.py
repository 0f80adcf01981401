"""Every checker of a record says the same of five hundred changed records, and of the honest ones."""

from __future__ import annotations

import importlib.util
import io
import json
import subprocess
from collections import Counter
from contextlib import redirect_stdout
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from dicehall.launch.checker import verify
from dicehall.launch.replay import answer
from tests.dice.changes import Wanted
from tests.dice.mutations import COUNT, Mutation, honest, mutations
from tests.dice.test_check_dice_examples import EXAMPLES, node
from tests.laws.playing import GAMES

AGREES, UNREADABLE, DIFFERS = 0, 2, 4
BATCH = Path(__file__).with_name("check_batch.mjs")


@cache
def python_script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("check_dice", EXAMPLES / "check_dice.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def texts() -> list[str]:
    """The honest records first, then the changed ones."""
    return [*map(json.dumps, honest().values()), *(mutation.text for mutation in mutations())]


@pytest.fixture(scope="module")
def by_python(texts: list[str], tmp_path_factory: pytest.TempPathFactory) -> list[int]:
    """Exit codes of examples/check_dice.py."""
    file = tmp_path_factory.mktemp("records") / "record.json"
    codes = []
    for text in texts:
        file.write_text(text, encoding="utf-8")
        codes.append(python_script().run([str(file)]))
    return codes


def in_node(checker: str, texts: list[str]) -> list[int]:
    given = "\n".join(map(json.dumps, texts))
    ran = subprocess.run([node(), str(BATCH), checker], input=given, capture_output=True, encoding="utf-8")
    assert ran.returncode == 0, ran.stderr
    return [int(line) for line in ran.stdout.split()]


@pytest.fixture(scope="module")
def by_javascript(texts: list[str]) -> list[int]:
    """Exit codes of examples/check_dice.mjs."""
    return in_node("script", texts)


@pytest.fixture(scope="module")
def by_page(texts: list[str]) -> list[int]:
    return in_node("page", texts)


@pytest.fixture(scope="module")
def by_command(texts: list[str]) -> list[int]:
    """Exit codes of ``dicehall replay --check``."""
    with redirect_stdout(io.StringIO()):
        return [answer(text.encode(), GAMES, True, None, whole=False) for text in texts]


@pytest.fixture(scope="module")
def by_hall(texts: list[str]) -> list[bool]:
    """Whether ``POST /api/verify`` calls the dice good."""
    said = [verify(text.encode(), GAMES) for text in texts]
    return [bool(answer.get("check", {}).get("good")) for answer in said]


def named(codes: list[int]) -> list[tuple[Mutation, int]]:
    """The verdicts on the changed records, each with what was changed."""
    return list(zip(mutations(), codes[len(honest()) :], strict=True))


def accepted(codes: list[int]) -> list[bool]:
    return [code == AGREES for code in codes]


def test_there_are_five_hundred_changes_of_every_kind() -> None:
    assert len(mutations()) == COUNT
    kinds = Counter(mutation.wanted for mutation in mutations())
    assert kinds[Wanted.CAUGHT] > 300
    assert kinds[Wanted.ACCEPTED] > 50
    assert kinds[Wanted.RULES] > 20
    assert kinds[Wanted.UNSTATED] > 0
    assert {mutation.record for mutation in mutations()} == set(honest())


def test_they_are_the_same_every_time() -> None:
    first = mutations()
    mutations.cache_clear()
    assert mutations() == first


def test_every_checker_accepts_the_honest_records_of_all_games(
    by_python: list[int], by_javascript: list[int], by_page: list[int], by_command: list[int], by_hall: list[bool]
) -> None:
    count = len(honest())
    for codes in (by_python, by_javascript, by_page, by_command):
        assert codes[:count] == [AGREES] * count
    assert by_hall[:count] == [True] * count


def test_the_two_scripts_give_the_same_exit_code_for_every_change(
    by_python: list[int], by_javascript: list[int]
) -> None:
    assert named(by_python) == named(by_javascript)


def test_the_page_tells_apart_what_the_scripts_tell_apart(by_python: list[int], by_page: list[int]) -> None:
    assert named(by_python) == named(by_page)


def test_the_hall_accepts_what_the_command_accepts(by_command: list[int], by_hall: list[bool]) -> None:
    assert accepted(by_command) == by_hall


def test_what_is_promised_is_caught_and_what_is_not_is_accepted_by_every_checker(
    by_python: list[int], by_command: list[int]
) -> None:
    for codes in (by_python, by_command):
        shared = [(one, code) for one, code in named(codes) if one.wanted in (Wanted.CAUGHT, Wanted.ACCEPTED)]
        wrong = [
            (one.change, one.record, code)
            for one, code in shared
            if (code == AGREES) is not (one.wanted is Wanted.ACCEPTED)
        ]
        assert wrong == []


def test_what_only_the_rules_know_is_caught_by_the_checkers_that_know_them(by_command: list[int]) -> None:
    wrong = [
        (one.change, one.record)
        for one, code in named(by_command)
        if one.wanted is Wanted.RULES and code not in (UNREADABLE, DIFFERS)
    ]
    assert wrong == []


def test_dice_whose_sides_are_not_stated_are_checked_by_the_rules_and_cannot_be_checked_without(
    by_python: list[int], by_command: list[int]
) -> None:
    without = [code for one, code in named(by_python) if one.wanted is Wanted.UNSTATED]
    assert without == [UNREADABLE] * len(without)
    assert [code for one, code in named(by_command) if one.wanted is Wanted.UNSTATED] == [AGREES] * len(without)
