"""The server under load, against boardgame.io's own server with its storage in memory.

    python bench/server.py [--quick] [--only SETTING] [--rounds N] [--python PYTHON] [folder]

One load generator for both, on a core of its own; the servers take turns on the other. Dicehall runs as in production:
a real SQLite file in *folder* (default: the temporary folder), every commit synced before anybody is told. Only
figures of one run may be compared; the sync latency says what the disk was worth, the generator's share whether it
could have asked for more. Needs Linux, Node 20 and npm.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvloop

from bench.load.boardgame import Boardgame
from bench.load.disk import sync_latency
from bench.load.hall import Hall
from bench.load.phases import Figures, Side, together
from bench.load.processes import LOAD_CORE, SERVER_CORE, boardgame, dicehall, free_port, resident_kb
from bench.load.table import Tally

BUSY = 0.9  # of its core: beyond this the generator, not the server, may be what is measured
Phase = Callable[[Side, float], Awaitable[Figures]]


@dataclass(frozen=True, slots=True)
class Setting:
    name: str
    tables: int
    seconds: float  # of one phase, each server
    spectators: int = 0  # at each table
    per_second: float | None = None  # a fixed pace


SETTINGS = (
    Setting("1 table", 1, 1.5),
    Setting("50 tables", 50, 2),
    Setting("50 tables, 8 spectators each", 50, 3, spectators=8),
    Setting("100 tables", 100, 3),
    Setting("100 tables, 500 moves/s", 100, 4, per_second=500),
    Setting("1000 tables", 1000, 4),
)


def show(what: str, **figures: Any) -> None:
    print(json.dumps({"bench": what, **figures}), flush=True)


async def run(setting: Setting, folder: Path, rounds: int, shorter: float, python: str | None) -> None:
    """Both servers fresh, both with their tables open; then they are measured in turns."""
    with ExitStack() as stack:
        ours, theirs = free_port(), free_port()
        pids = stack.enter_context(dicehall(folder, ours, python)), stack.enter_context(boardgame(theirs))
        tallies = Tally(), Tally()
        dialects = Hall(ours, tallies[0]), Boardgame(theirs, tallies[1])
        sides = [Side(dialects[at], pids[at], tallies[at], []) for at in (0, 1)]
        memory = [await fill(side, setting) for side in sides]
        sync = sync_latency(folder, tries=50)["median_ms"]
        seen: dict[str, list[Figures]] = {side.dialect.name: [] for side in sides}
        for number in range(rounds):
            for side in sides if number % 2 == 0 else reversed(sides):
                seen[side.dialect.name].append(await phase(side, setting, setting.seconds * shorter / rounds))
        report(setting, list(seen.values()), list(seen), memory, sync)


async def fill(side: Side, setting: Setting) -> float:
    """Open the tables; how much memory an idle one takes, in kB."""
    await side.open(1)
    before = resident_kb(side.pid)
    await side.open(setting.tables)
    after = resident_kb(side.pid)
    await side.add_spectators(setting.spectators)
    return (after - before) / max(1, setting.tables - 1)


async def phase(side: Side, setting: Setting, seconds: float) -> Figures:
    if setting.per_second is not None:
        return await side.play_at(setting.per_second, seconds)
    return await side.play(seconds)


def report(
    setting: Setting, rounds: Sequence[Sequence[Figures]], names: Sequence[str], memory: Sequence[float], sync: float
) -> None:
    figures = [together(phases) for phases in rounds]
    for name, one, table_kb in zip(names, figures, memory, strict=True):
        show(
            setting.name,
            server=name,
            moves_per_s=round(one.per_second),
            p50_ms=round(one.percentile_ms(0.5), 2),
            p99_ms=round(one.percentile_ms(0.99), 2),
            cpu_us_per_move=round(one.cpu_us, 1),
            server_share=round(one.server_share, 2),
            generator_share=round(one.generator_share, 2),
            sync_ms=sync,
            **({"memory_kb_per_table": round(table_kb, 1)} if setting.tables >= 100 else {}),
            **({"heard_by_spectators_per_move": round(one.watched / one.moves, 2)} if setting.spectators else {}),
        )
        if one.generator_share > BUSY:
            print(f"Careful: the generator used {one.generator_share:.2f} of its core, so this is its limit.")
    ours, theirs = figures
    show(
        setting.name,
        ratio_moves_per_s=round(ours.per_second / theirs.per_second, 2),
        ratio_by_cpu_per_move=round(theirs.cpu_us / ours.cpu_us, 2),
        ratio_by_cpu_each_round=[round(b.cpu_us / a.cpu_us, 2) for a, b in zip(*rounds, strict=True)],
        ratio_p99=round(ours.percentile_ms(0.99) / theirs.percentile_ms(0.99), 2),
    )


def machine() -> dict[str, Any]:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    name = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "?")
    return {"cpu": name, "cores": os.cpu_count(), "load_average": os.getloadavg()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="shorter phases, and not every setting (about 30 s)")
    parser.add_argument("--only", metavar="SETTING", help="settings whose name begins like this")
    parser.add_argument("--rounds", type=int, default=2, help="how often the servers take turns (default 2)")
    parser.add_argument("--python", help="the Python that serves, with the locked packages (default: this one)")
    parser.add_argument("folder", nargs="?", help="where the store is put")
    options = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    os.sched_setaffinity(0, {LOAD_CORE})
    wanted = [one for one in SETTINGS if one.name.startswith(options.only or "")]
    if options.quick and not options.only:
        wanted = [one for one in wanted if one.tables in (1, 100)]
    show("machine", **machine(), generator_core=LOAD_CORE, server_core=SERVER_CORE)
    with tempfile.TemporaryDirectory(dir=options.folder) as place:
        for setting in wanted:
            shorter = 0.5 if options.quick else 1.0
            uvloop.run(run(setting, Path(place), options.rounds, shorter, options.python))
