"""Cutting the power: an acknowledged act is on the disk, and the database opens (docs/decisions/008-power-cut-test.md).

kill -9 cannot show that: the system keeps what a dead process wrote. So a child's writes and syncs are recorded, and
the files are made anew as a disk would have them after a cut at some point of that record.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.store.power.checking import cuts
from tests.store.power.disk import Disk
from tests.store.power.shim import Op, read_log, run


def recorded(shim: Path, folder: Path, synchronous: str, seed: int) -> list[Op]:
    disk = folder / f"{synchronous}-{seed}"
    run(shim, disk, "work", synchronous, str(seed))
    shutil.rmtree(disk)
    return read_log(disk)


def test_after_any_of_200_power_cuts_no_acknowledged_act_is_lost(shim: Path, folder: Path) -> None:
    log = recorded(shim, folder, "FULL", 1)
    assert Disk(log).told, "the worker stored nothing"
    assert cuts(log, folder, 200, 1) == []


@pytest.mark.proof
@pytest.mark.parametrize("seed", range(2, 12))
def test_after_any_of_1000_more_power_cuts_no_acknowledged_act_is_lost(shim: Path, folder: Path, seed: int) -> None:
    assert cuts(recorded(shim, folder, "FULL", seed), folder, 1000, seed) == []


@pytest.mark.proof
@pytest.mark.parametrize("synchronous", ["OFF", "NORMAL"])
def test_control_without_a_sync_for_every_commit_acts_are_lost(shim: Path, folder: Path, synchronous: str) -> None:
    faults = cuts(recorded(shim, folder, synchronous, 1), folder, 40, 1)
    assert any("acknowledged" in fault for fault in faults)
