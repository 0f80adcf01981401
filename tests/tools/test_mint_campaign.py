"""A mint that is killed under its wallets neither loses nor makes value, and one with a bug in it is found out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.test_campaign import campaign
from tools.campaign import COUNTS


@pytest.mark.proof
def test_a_mint_that_is_killed_three_times_under_its_wallets_loses_and_makes_nothing(tmp_path: Path) -> None:
    code, counts, said = campaign(tmp_path, "--part", "mint", "--kills", "3", "--seed", "7")
    assert {name: counts[name] for name in COUNTS} == dict.fromkeys(COUNTS, 0), said
    assert (counts["kills"], code) == (3, 0), said
    assert counts["moves"] > 0


@pytest.mark.proof  # every day tests/tools/test_campaign.py shows that a campaign finds such a bug
def test_a_mint_that_answers_before_it_stores_is_found_out(tmp_path: Path) -> None:
    code, counts, said = campaign(tmp_path, "--part", "mint", "--kills", "3", "--seed", "7", "--bug", "commit-late")
    assert counts["doubled"] + counts["lost"] > 0, said
    assert code == 1
