"""Killed under its players, a referee pays every winner once; one with a bug in it is found out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.test_campaign import campaign
from tools.campaign import COUNTS


@pytest.mark.proof
def test_referee_mint_and_relay_are_killed_and_every_winner_is_paid_once(tmp_path: Path) -> None:
    code, counts, said = campaign(tmp_path, "--part", "mana", "--kills", "5", "--seed", "3")
    assert {name: counts[name] for name in COUNTS} == dict.fromkeys(COUNTS, 0), said
    assert code == 0, said
    assert counts["moves"] > 0


@pytest.mark.proof
def test_a_referee_that_pays_before_it_stores_is_found_out(tmp_path: Path) -> None:
    code, counts, said = campaign(tmp_path, "--part", "mana", "--kills", "24", "--seed", "5", "--bug", "pay-first")
    assert counts["doubled"] + counts["lost"] + counts["divergent_views"] > 0, said
    assert code == 1
