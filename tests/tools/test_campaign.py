"""The campaign finds nothing where nothing is wrong, and finds what is."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tools.campaign import COUNTS, Totals, keep, kept
from tools.campaign_bugs import BUGS

# The seeds have short waits, a kill in the middle of a commit and a burst of kills.
ROOT = Path(__file__).parents[2]
MANY = "400"
KEYS = ["kills", "moves", "lost", "doubled", "unfair_timeouts", "divergent_views", "redrawn_dice", "seconds"]


def campaign(folder: Path, *words: str) -> tuple[int, dict[str, Any], str]:
    """How it exits, its last line, and all it said."""
    command = [sys.executable, "-m", "tools.campaign", "--dir", str(folder), *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=900, check=False)
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout.splitlines()[-1]), done.stdout + done.stderr


def test_a_host_that_is_killed_a_few_times_loses_nothing(tmp_path: Path) -> None:
    code, counted, said = campaign(tmp_path, "--kills", "3", "--tables", "5", "--seed", "335")
    assert list(counted) == KEYS
    assert {name: counted[name] for name in COUNTS} == dict.fromkeys(COUNTS, 0), said
    assert (counted["kills"], code) == (3, 0), said
    assert counted["moves"] > 0


@pytest.mark.proof
def test_a_host_that_answers_before_it_stores_is_found_out(tmp_path: Path) -> None:
    code, counted, said = campaign(tmp_path, "--bug", "answer-first", "--kills", "20", "--tables", "5", "--seed", "177")
    assert counted["lost"] > 0, said
    assert code == 1


@pytest.mark.proof
@pytest.mark.parametrize("bug", sorted(BUGS.keys() - {"ignore-dead-nodes"}))
def test_every_deliberate_bug_turns_its_count(tmp_path: Path, bug: str) -> None:
    """It ends with the first fault, so that so many kills are a limit which no chance comes near."""
    code, counted, said = campaign(tmp_path, "--bug", bug, "--kills", MANY)
    assert sum(counted[count] for count in BUGS[bug].turns) > 0, said
    assert code == 1


def test_too_few_kills_are_no_success(tmp_path: Path) -> None:
    code, counted, _ = campaign(tmp_path, "--kills", "3", "--tables", "1", "--minutes", "0")
    assert (code, counted["kills"]) == (1, 0)


# -- stopped and begun again ------------------------------------------------------------------------------


FAULT = ("lost", "t1", "Do ann-1 was acknowledged as 7 and is not stored")


def test_a_stopped_campaign_goes_on_with_what_it_had_found(tmp_path: Path) -> None:
    stopped = Totals(7, kills=40, moves=900, faults=[FAULT])
    keep(tmp_path, stopped)
    (tmp_path / "journal.db").touch()
    assert kept(tmp_path, 8, fresh=False) == stopped
    assert (tmp_path / "journal.db").exists()
    assert stopped.counts()["lost"] == 1


@pytest.mark.parametrize(("done", "fresh"), [(True, False), (False, True)])
def test_a_finished_or_fresh_one_begins_with_an_empty_folder(tmp_path: Path, done: bool, fresh: bool) -> None:
    keep(tmp_path, Totals(7, kills=40, done=done))
    (tmp_path / "journal.db").touch()
    assert kept(tmp_path, 8, fresh=fresh) == Totals(8)
    assert list(tmp_path.iterdir()) == []
