"""A disk that is really full: a small one in memory, seen by a child alone (a mount namespace of its own)."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.store.processes import child

FULL = """
import asyncio, json, os, subprocess, sys
from pathlib import Path
from dicehall.store import SqliteJournal, StoreError
from dicehall.table.ports import JournalError
from tests.store.journals import act, numbers, outcome

async def main(folder):
    said, path = {}, folder / "hall.db"
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", folder], check=True)
    ballast = folder / "ballast"

    def fill():
        try:
            with ballast.open("ab", 0) as file:
                while True:
                    file.write(bytes(4096))
        except OSError as error:
            said["errno"] = error.errno

    fill()
    try:
        SqliteJournal(path)
    except StoreError as error:
        said["new"], said["left"] = str(error), os.listdir(folder)
    ballast.unlink()
    journal = SqliteJournal(path)
    fill()
    seq = 0
    while seq < 1000:
        try:
            await journal.append(act(seq + 1, text=bytes(2000)))
        except JournalError as error:
            said["append"] = f"{type(error).__name__}: {error}"
            break
        seq += 1
    said["kept"] = await numbers(journal) == list(range(1, seq + 1))
    said["again"] = await outcome(journal.append(act(seq + 1, text=bytes(2000))))
    ballast.unlink()
    said["after"] = await outcome(journal.append(act(seq + 1)))
    fill()
    journal.close()
    try:
        journal = SqliteJournal(path)
        said["rows"] = await numbers(journal) == list(range(1, seq + 2))
        journal.close()
    except StoreError as error:
        said["open"] = str(error)
    ballast.unlink()
    journal = SqliteJournal(path)
    said["at last"] = await numbers(journal) == list(range(1, seq + 2))
    print(json.dumps(said))

asyncio.run(main(Path(sys.argv[1])))
"""


def namespace(folder: Path) -> tuple[str, ...]:
    """How to run a child that may mount; root, and most people on Linux."""
    if shutil.which("unshare") is None:
        pytest.skip("There is no unshare here to mount a small disk with.")
    command = ("unshare", "-m") if os.geteuid() == 0 else ("unshare", "-rm")
    if subprocess.run([*command, "mount", "-t", "tmpfs", "none", str(folder)], capture_output=True).returncode != 0:
        pytest.skip("Nothing can be mounted here.")
    return command


def test_a_full_disk_is_told_of_loses_nothing_and_is_outlived(tmp_path: Path) -> None:
    with child(FULL, tmp_path, first=namespace(tmp_path)) as process:
        said = json.loads(process.communicate()[0])
    assert said["errno"] == 28
    assert "no space left on device" in said["new"] or "is full" in said["new"]
    assert said["left"] == ["ballast"]
    assert said["append"] == f"Unavailable: The disk that holds {tmp_path}/hall.db is full."
    assert (said["kept"], said["again"], said["after"], said["at last"]) == (True, "Unavailable", "stored", True)
    assert said.get("rows") is True or "disk" in said["open"] or "cannot be opened" in said["open"]
