"""A disk that fails while a journal is open: nothing is lost or half stored, and it goes on when the trouble ends."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from pathlib import Path
from random import Random

import pytest

from dicehall.store import SqliteJournal
from tests.store.journals import numbers
from tests.store.power.disk import Disk
from tests.store.power.shim import Op, read_log, run
from tests.store.power.worker import FULL, NO_SYNC, NO_WRITE


@pytest.mark.parametrize(
    ("kind", "told", "sentence", "read"),
    [
        (FULL, "Unavailable", "The disk that holds .* is full.", "stored"),
        (NO_SYNC, "Uncertain", "The disk that holds .* is failing", "Unavailable"),
        (NO_WRITE, "Uncertain", "The disk that holds .* is failing", "Unavailable"),
    ],
    ids=["full", "no sync", "no write"],
)
def test_trouble_is_told_to_all_and_forgotten_when_it_ends(
    shim: Path, folder: Path, kind: int, told: str, sentence: str, read: str
) -> None:
    said = json.loads(run(shim, folder / f"trouble-{kind}", "trouble", str(kind), "settling"))
    assert re.search(sentence, said.pop("sentence"))
    assert said == {
        "before": "stored",
        "in": told,
        "together": "Unavailable",
        "read in": read,
        "read": "[1]",
        "heads": "[('oak', 1)]",
        "after": "stored",
        "rows": "['act 1 of oak', 'kept']",
    }


def found(log: list[Op], folder: Path) -> set[tuple[int, ...]]:
    """The acts of the table that may be found after a cut at the end of the log."""
    seen = set()
    for number in range(60):
        Disk(log).rebuild(folder / "found", Random(number))
        journal = SqliteJournal(folder / "found" / "hall.db")
        seen.add(tuple(asyncio.run(numbers(journal))))
        journal.close()
        shutil.rmtree(folder / "found")
    return seen


@pytest.mark.parametrize(("settling", "possible"), [("settling", {(1,)}), ("trusting", {(1,), (1, 2)})])
def test_an_act_read_as_absent_stays_absent_after_a_power_cut(
    shim: Path, folder: Path, settling: str, possible: set[tuple[int, ...]]
) -> None:
    """With its control: a journal that trusts what it reads after a failed sync finds the act again."""
    disk = folder / settling
    run(shim, disk, "trouble", str(NO_SYNC), settling)
    log = read_log(disk)
    absent = next(at for at, op in enumerate(log) if op.data == b"absent oak 2\n")
    assert found(log[: absent + 1], folder) == possible
