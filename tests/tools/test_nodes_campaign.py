"""Two nodes on one PostgreSQL that are killed under their clients lose nothing, and a bug in them is found out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.test_campaign import MANY, campaign
from tools.campaign import COUNTS
from tools.campaign_bugs import BUGS


@pytest.mark.proof
def test_nodes_that_are_killed_twice_under_ten_clients_lose_nothing(tmp_path: Path) -> None:
    code, counts, said = campaign(tmp_path, "--part", "nodes", "--clients", "10", "--seed", "541", "--kills", "2")
    assert {name: counts[name] for name in COUNTS} == dict.fromkeys(COUNTS, 0), said
    assert (counts["kills"], code) == (2, 0), said
    assert counts["moves"] > 0


@pytest.mark.proof
@pytest.mark.parametrize("bug", ["ignore-dead-nodes", "skip-update"])
def test_deliberate_bugs_in_nodes_turn_their_counts(tmp_path: Path, bug: str) -> None:
    code, counts, said = campaign(tmp_path, "--part", "nodes", "--kills", MANY, "--bug", bug)
    assert sum(counts[count] for count in BUGS[bug].turns) > 0, said
    assert code == 1
