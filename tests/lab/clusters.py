"""A real Dask cluster on this machine: a scheduler and workers in processes of their own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep

WAIT_S = 60
QUIET = {
    "DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "critical",
    "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "10s",
    "DASK_DISTRIBUTED__DEPLOY__LOST_WORKER_TIMEOUT": "1s",
}


@dataclass(slots=True)
class TestCluster:
    __test__ = False

    folder: Path
    address: str = ""
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def start(self, *words: str) -> subprocess.Popen[bytes]:
        settings = {**os.environ, **QUIET, "DICEHALL_CACHE": str(self.folder / f"cache-{len(self.processes)}")}
        process = subprocess.Popen(
            [sys.executable, "-m", *words],
            cwd=self.folder,
            env=settings,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.processes.append(process)
        return process

    def start_scheduler(self) -> None:
        file = self.folder / "scheduler.json"
        words = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file))
        scheduler = self.start("distributed.cli.dask_scheduler", *words)
        end = monotonic() + WAIT_S
        while not file.exists():
            assert scheduler.poll() is None, "the scheduler ended"
            assert monotonic() < end, "the scheduler did not start"
            sleep(0.05)
        self.address = json.loads(file.read_text())["address"]

    def start_worker(self) -> subprocess.Popen[bytes]:
        """One thread, and no nanny: a worker that is killed stays dead."""
        words = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1")
        return self.start("distributed.cli.dask_worker", self.address, *words)

    def stop(self) -> None:
        for process in reversed(self.processes):
            process.send_signal(signal.SIGKILL)
            process.wait(WAIT_S)


@contextmanager
def cluster(folder: Path, workers: int) -> Iterator[TestCluster]:
    running = TestCluster(folder)
    try:
        running.start_scheduler()
        for _ in range(workers):
            running.start_worker()
        yield running
    finally:
        running.stop()
