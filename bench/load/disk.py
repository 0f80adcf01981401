"""What the disk is worth: how long it takes to say that a page is safe."""

from __future__ import annotations

import os
import statistics
import time
from pathlib import Path


def sync_latency(folder: Path, tries: int = 200) -> dict[str, float]:
    file, times = os.open(folder / "sync", os.O_WRONLY | os.O_CREAT), []
    for number in range(tries):
        os.pwrite(file, b"x" * 4096, number * 4096)
        begun = time.perf_counter()
        os.fdatasync(file)
        times.append((time.perf_counter() - begun) * 1000)
    os.close(file)
    return {"median_ms": round(statistics.median(times), 3), "p99_ms": round(sorted(times)[int(tries * 0.99)], 3)}
