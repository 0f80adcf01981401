"""Work that a real cluster shares: the same numbers as on one machine, also when a worker dies."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from dicehall.core.game import AnyGame
from dicehall.core.house import with_rules
from dicehall.games import catalogue
from dicehall.lab.cluster import Cluster, ClusterError, check_fingerprints, cluster_at, fingerprint, run_alike
from dicehall.lab.simulator import Job, simulate
from dicehall.solvers.finding import find
from dicehall.solvers.solving import solve
from tests.lab.clusters import WAIT_S, TestCluster, cluster
from tests.lab.test_tiles import shape
from tests.launch.running import run


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestCluster]:
    with cluster(tmp_path_factory.mktemp("cluster"), workers=2) as started:
        yield started


@pytest.fixture
def shared(running: TestCluster, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cluster]:
    monkeypatch.setattr("dicehall.lab.cluster.PATIENCE_S", WAIT_S)
    with cluster_at(running.address) as connected:
        yield connected


def game(key: str, **rules: int) -> AnyGame:
    made: AnyGame = with_rules(catalogue()[key], rules)
    return made


def test_a_seed_gives_the_same_numbers_on_a_cluster_as_on_one_machine(shared: Cluster) -> None:
    job = Job(game("doordice", rounds=2), ("greedy",) * 5, 120, "7")
    there = simulate(job, pool=shared)
    assert there.tally == simulate(job, 1).tally
    assert there.way == "rules"


def test_bots_that_are_drawn_from_tables_play_the_same_games_there(shared: Cluster) -> None:
    job = Job(game("wards", goal=20), ("greedy", "greedy"), 30_000, "7")
    there = simulate(job, pool=shared)
    assert there.tally == simulate(job, 1).tally
    assert there.way == "tables"


@pytest.mark.proof
def test_exact_bots_play_by_a_table_that_only_this_machine_had(
    shared: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without it the workers would play as they can, which is not exact."""
    monkeypatch.setenv("DICEHALL_CACHE", str(tmp_path))
    wards = game("wards", goal=101)  # below, workers solve it themselves
    find(wards, 2, solve=True)
    job = Job(wards, ("exact", "random"), 60, "3")
    assert simulate(job, pool=shared).tally == simulate(job, 1).tally


@pytest.mark.proof
def test_a_race_is_solved_by_the_workers_and_kept_here(
    shared: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DICEHALL_CACHE", str(tmp_path))
    heard = list[float]()
    wards = game("wards", goal=47)
    assert shared.solve(shape("wards", goal=47), heard.append) == solve(shape("wards", goal=47))
    assert heard == sorted(heard)
    assert heard[-1] == 1
    assert shared.prepare(wards)
    assert not shared.prepare(wards)  # it is there now


def test_the_commands_take_a_cluster(running: TestCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DICEHALL_CACHE", str(tmp_path))
    cluster = ("--cluster", running.address)
    words = ("simulate", "mana", "--games", "60", "--seed", "5", "--json")
    here, there = (json.loads(run(*words, *more).out) for more in ((), cluster))
    assert (here["wins"], here["length"]) == (there["wins"], there["length"])
    solved = json.loads(run("solve", "wards", "--rules", "goal=23", "--json", *cluster).out)
    assert solved["source"] == "solved"
    assert solved["first_seat"] == json.loads(run("solve", "wards", "--rules", "goal=23", "--json").out)["first_seat"]
    lab = ("lab", "wards", "--vary", "goal=21,22", "--games", "50", "--seed", "5", "--solve", "--json")
    assert json.loads(run(*lab, *cluster).out) == json.loads(run(*lab).out)


def test_a_worker_that_is_killed_in_the_middle_costs_nothing(running: TestCluster, shared: Cluster) -> None:
    job = Job(game("doordice", rounds=2), ("greedy",) * 5, 600, "11")
    before = shared.threads
    mortal = running.start_worker()
    shared.client.wait_for_workers(before + 1, timeout=WAIT_S)
    killed = list[float]()

    def kill_one(done: float) -> None:
        if done > 0.2 and not killed:
            killed.append(done)
            mortal.kill()

    there = simulate(job, progress=kill_one, pool=shared)
    assert killed
    assert there.tally == simulate(job, 1).tally


def test_a_cluster_that_is_not_there_is_said_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dicehall.lab.cluster.PATIENCE_S", 1)
    ran = run("simulate", "wards", "--cluster", "tcp://127.0.0.1:9")
    assert (ran.code, ran.err) == (1, "dicehall: There is no Dask scheduler at tcp://127.0.0.1:9.\n")


def test_an_address_that_is_none_is_said_in_a_sentence() -> None:
    ran = run("solve", "wards", "--cluster", "carrier-pigeon://loft")
    assert ran.code == 1
    assert ran.err.startswith("dicehall: carrier-pigeon://loft is not the address of a Dask scheduler")
    assert ran.err.count("\n") == 1


@pytest.mark.proof
def test_a_cluster_without_workers_is_said_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dicehall.lab.cluster.PATIENCE_S", 20)
    with cluster(tmp_path, workers=0) as started:
        ran = run("simulate", "wards", "--cluster", started.address)
        assert (ran.code, ran.err) == (1, f"dicehall: The cluster at {started.address} has no workers.\n")


def test_without_dask_the_command_that_installs_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dicehall.launch.cluster.find_spec", lambda name: None)
    ran = run("simulate", "wards", "--cluster", "tcp://127.0.0.1:9")
    assert ran.code != 0
    assert "pip install 'dicehall[cluster]'" in ran.err


def test_workers_with_another_dicehall_are_refused() -> None:
    check_fingerprints({"tcp://a": fingerprint()})
    with pytest.raises(ClusterError, match="tcp://b has another version"):
        check_fingerprints({"tcp://a": fingerprint(), "tcp://b": "another"})
    with pytest.raises(ClusterError, match="tcp://b cannot run dicehall"):
        check_fingerprints({"tcp://b": ModuleNotFoundError("dicehall")})
    with pytest.raises(ClusterError, match="joined"):
        run_alike("another", len, "work")
