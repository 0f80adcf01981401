"""A real server that is killed under its clients loses nothing, and one with a bug in it is found out."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.tools.test_campaign import KEYS, MANY, campaign
from tools.campaign import COUNTS
from tools.campaign_bugs import BUGS
from tools.campaign_hall import HallProcess
from tools.campaign_http import HttpPerson
from tools.campaign_known import Fault
from tools.campaign_results import Finished, counted, standings, statistics
from tools.campaign_server import PLANS, gather
from tools.campaign_wire import Ledger

SMALL = ("--part", "server", "--clients", "10", "--seed", "541")  # whose kills come soon after one another


@pytest.mark.proof
def test_a_server_that_is_killed_twice_under_ten_clients_loses_nothing(tmp_path: Path) -> None:
    code, counts, said = campaign(tmp_path, *SMALL, "--kills", "2")
    assert list(counts) == KEYS
    assert {name: counts[name] for name in COUNTS} == dict.fromkeys(COUNTS, 0), said
    assert (counts["kills"], code) == (2, 0), said
    assert counts["moves"] > 0
    assert "to the end" in said


@pytest.mark.proof
def test_a_server_that_answers_before_it_stores_is_found_out_by_its_clients(tmp_path: Path) -> None:
    code, counts, said = campaign(tmp_path, *SMALL, "--kills", "12", "--bug", "answer-first")
    assert counts["lost"] > 0, said
    assert code == 1


@pytest.mark.proof
@pytest.mark.parametrize("bug", ["ignore-outages", "skip-update", "forget-ids"])
def test_other_deliberate_bugs_turn_their_counts_over_the_network_too(tmp_path: Path, bug: str) -> None:
    code, counts, said = campaign(tmp_path, "--part", "server", "--kills", MANY, "--bug", bug)
    assert sum(counts[count] for count in BUGS[bug].turns) > 0, said
    assert code == 1


# -- who plays ----------------------------------------------------------------------------------------------


def test_forty_clients_have_both_examples_and_people_without_a_socket_among_them(tmp_path: Path) -> None:
    teams = gather(40, Ledger(HallProcess(tmp_path / "hall.db", None)), Random(1))
    assert sum(team.size + len(team.spectators) for team in teams) == 40
    assert sum(isinstance(person, HttpPerson) for team in teams for person in team.people) >= 5
    assert {bot.example for team in teams for bot in team.examples} >= {"bot.py"}
    assert all(any(team.size in plan.people for plan in PLANS.values()) for team in teams)


# -- what is counted ----------------------------------------------------------------------------------------


WON = Finished("t1", "wards", b"", {"places": [[1], [0]], "reason": "goal"}, ("ann", None))
TIED = Finished("t2", "aetharn", b"", {"places": [[0, 2], [1]], "reason": "last"}, ("ann", "bo", "cy"))
CLOSED = Finished("t3", "wards", b"", None, ())


def test_places_are_shared_and_a_shared_first_place_is_won_by_nobody() -> None:
    """C8."""
    assert standings(WON) == [(0, "ann", 2, False), (1, None, 1, True)]
    assert standings(TIED) == [(0, "ann", 1, False), (1, "bo", 3, False), (2, "cy", 1, False)]
    assert standings(CLOSED) == []


@pytest.mark.parametrize(
    ("played", "kinds"), [(1, []), (2, ["doubled"]), (0, ["lost"])], ids=["right", "twice", "never"]
)
def test_a_game_counts_once(played: int, kinds: list[str]) -> None:
    rated = {"wards": {"played": played, "won": 0}}
    told = {"statistics": {"games": rated, "casual": {"played": 1, "won": 0}}}
    found: list[Fault] = list(statistics("ann", told, counted([WON, TIED, CLOSED])["ann"]))
    assert [fault.kind for fault in found] == kinds
