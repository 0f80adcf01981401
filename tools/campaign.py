"""The long search for faults: `python -m tools.campaign [--kills N] [--part PART] [--bug NAME]`.

A host under load (part `table`), a server with clients on the network (part `server`), two such servers on one
PostgreSQL (part `nodes`), a mint with wallets (part `mint`), or the relay, mint and referee of matches over Nostr (part
`mana`) are killed with kill -9 at random moments, N times, on real files. The last line is JSON with what was counted;
it exits with 1 if a count that must be 0 is not, or fewer kills happened. An interrupted campaign goes on where it was
stopped: what is counted was checked, and is kept in the folder.
"""

from __future__ import annotations

import argparse
import asyncio
import fcntl
import json
import os
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Protocol

from tools.campaign_bugs import BUGS
from tools.campaign_known import Fault
from tools.campaign_mana import BUGS as MANA_BUGS
from tools.campaign_mana import ManaCampaign
from tools.campaign_mint import BUGS as MINT_BUGS
from tools.campaign_mint import MintCampaign
from tools.campaign_nodes import NodesCampaign
from tools.campaign_pipe import HostFailed
from tools.campaign_server import ServerCampaign
from tools.campaign_table import TableCampaign

COUNTS = ("lost", "doubled", "unfair_timeouts", "divergent_views", "redrawn_dice")
SHOWN = 10  # faults that are told in words at the end


@dataclass(slots=True)
class Totals:
    """What a campaign has come to; kept in its folder."""

    seed: int
    kills: int = 0
    moves: int = 0
    finished: int = 0
    seconds: float = 0.0
    done: bool = False
    faults: list[tuple[str, str, str]] = field(default_factory=list)

    def counts(self) -> dict[str, int]:
        found = Counter(count for count, _, _ in self.faults)
        return {name: found[name] for name in COUNTS}

    def last_line(self) -> str:
        return json.dumps({"kills": self.kills, "moves": self.moves, **self.counts(), "seconds": round(self.seconds)})


@dataclass(frozen=True, slots=True)
class Wish:
    kills: int
    seconds: float  # after which it stops by itself
    tables: int
    clients: int
    bug: str | None
    folder: Path


class Campaign(Protocol):
    """What a part of the search counts, and how it runs."""

    @property
    def kills(self) -> int: ...
    @property
    def finished(self) -> int: ...
    @property
    def faults(self) -> AbstractSet[Fault]: ...
    def acknowledged(self) -> int: ...
    async def run(self, wanted: int, seconds: float) -> None: ...


class Begin(Protocol):
    def __call__(self, wish: Wish, chance: Random, timing: Random, report: Callable[[], None]) -> Campaign: ...


def table_part(wish: Wish, chance: Random, timing: Random, report: Callable[[], None]) -> Campaign:
    """One host and its journal."""
    return TableCampaign(wish.folder / "journal.db", chance, timing, wish.tables, wish.bug, report)


def server_part(wish: Wish, chance: Random, timing: Random, report: Callable[[], None]) -> Campaign:
    """A server and its clients; one that was stopped goes on with a new file, because its clients are gone."""
    taken = len(list(wish.folder.glob("hall-*.db")))
    return ServerCampaign(wish.folder / f"hall-{taken}.db", chance, timing, wish.clients, wish.bug, report)


def mint_part(wish: Wish, chance: Random, timing: Random, report: Callable[[], None]) -> Campaign:
    """A mint and its wallets; each run has a ledger of its own."""
    folder = wish.folder / f"mint-{len(list(wish.folder.glob('mint-*')))}"
    folder.mkdir()
    return MintCampaign(folder, chance, timing, wish.bug, report)


def mana_part(wish: Wish, chance: Random, timing: Random, report: Callable[[], None]) -> Campaign:
    """Matches over Nostr; each run has services of its own."""
    folder = wish.folder / f"mana-{len(list(wish.folder.glob('mana-*')))}"
    folder.mkdir()
    return ManaCampaign(folder, chance, timing, wish.bug, report)


def nodes_part(wish: Wish, chance: Random, timing: Random, report: Callable[[], None]) -> Campaign:
    """Several servers on one PostgreSQL, which is new for each run."""
    taken = len(list(wish.folder.glob("nodes-*")))
    folder = wish.folder / f"nodes-{taken}"
    folder.mkdir()
    return NodesCampaign(folder / "hall.db", chance, timing, wish.clients, wish.bug, report)


PARTS: dict[str, Begin] = {
    "table": table_part,
    "server": server_part,
    "nodes": nodes_part,
    "mint": mint_part,
    "mana": mana_part,
}


def run_part(begin: Begin, wish: Wish, totals: Totals, save: Callable[[], None]) -> None:
    begun, before = time.monotonic(), (totals.kills, totals.moves, totals.finished, totals.seconds)
    known = {Fault(*fault) for fault in totals.faults}

    def report() -> None:
        totals.kills, totals.moves = before[0] + campaign.kills, before[1] + campaign.acknowledged()
        totals.finished = before[2] + campaign.finished
        totals.seconds = before[3] + time.monotonic() - begun
        totals.faults = sorted((fault.kind, fault.table, fault.what) for fault in known | campaign.faults)
        save()
        print(
            f"{totals.kills} of {wish.kills} kills, {totals.moves} moves, {totals.finished} tables finished, "
            f"{len(totals.faults)} faults, {totals.seconds:.0f} s",
            flush=True,
        )

    chance, timing = (Random(f"{totals.seed}/{totals.kills}/{name}") for name in ("people", "kills"))
    campaign = begin(wish, chance, timing, report)
    try:
        with stopped_by_signals():
            asyncio.run(campaign.run(wish.kills - totals.kills, wish.seconds))
    except (KeyboardInterrupt, asyncio.CancelledError):
        print("Stopped; the same command goes on from here.", flush=True)
    except HostFailed as failed:
        known.add(Fault("lost", "", str(failed)))
    report()


@contextmanager
def stopped_by_signals() -> Iterator[None]:
    """A polite end is an interruption like Ctrl-C, after which all is checked and kept."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


# -- the folder ------------------------------------------------------------------------------------------


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    folder.mkdir(parents=True, exist_ok=True)
    file = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise SystemExit(f"Another campaign runs in {folder}.") from None
    try:
        yield
    finally:
        os.close(file)


def kept(folder: Path, seed: int, *, fresh: bool) -> Totals:
    """The campaign that was stopped in this folder, or a new one where there is none or it came to its end."""
    with suppress(FileNotFoundError, ValueError, TypeError):
        totals = Totals(**json.loads((folder / "campaign.json").read_text("utf-8")))
        totals.faults = [(count, table, what) for count, table, what in totals.faults]
        if not (fresh or totals.done):
            print(f"Going on after {totals.kills} kills, in {folder}.", flush=True)
            return totals
    for old in folder.glob("*"):
        if old.name != "lock":
            shutil.rmtree(old) if old.is_dir() else old.unlink()
    return Totals(seed)


def keep(folder: Path, totals: Totals) -> None:
    draft = folder / "campaign.json.new"
    draft.write_text(json.dumps(asdict(totals)), "utf-8")
    draft.replace(folder / "campaign.json")


# -- the command line ----------------------------------------------------------------------------------------


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.campaign", description=__doc__)
    parser.add_argument("--kills", "-n", type=int, default=100, help="how many kills (100)")
    parser.add_argument("--part", choices=sorted(PARTS), default="table")
    parser.add_argument(
        "--bug", choices=sorted([*BUGS, *MINT_BUGS, *MANA_BUGS]), help="a deliberate bug, which must be found"
    )
    parser.add_argument("--dir", type=Path, help="where the campaign is kept (under the system's temporary folder)")
    parser.add_argument("--fresh", action="store_true", help="begin anew even if one was stopped")
    parser.add_argument("--minutes", type=float, help="stop after this long (5, and 1 more for every 10 kills)")
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4), "big"), help="when to kill")
    parser.add_argument("--tables", type=int, default=10, help="tables at a time, in the part table (10)")
    parser.add_argument("--clients", type=int, default=40, help="clients at a time, in the part server (40)")
    asked = parser.parse_args(words)
    name = "-".join(["dicehall-campaign", asked.part, *([asked.bug] if asked.bug else [])])
    folder: Path = (asked.dir or Path(tempfile.gettempdir()) / name).resolve()
    minutes = asked.minutes if asked.minutes is not None else 5 + asked.kills / 10
    with alone_in(folder):
        totals = kept(folder, asked.seed, fresh=asked.fresh)
        wish = Wish(asked.kills, minutes * 60, asked.tables, asked.clients, asked.bug, folder)
        run_part(PARTS[asked.part], wish, totals, lambda: keep(folder, totals))
        totals.done = totals.kills >= asked.kills
        keep(folder, totals)
    for count, table, what in totals.faults[:SHOWN]:
        print(f"{count}: {what} [{table}]"[:500])
    print(totals.last_line(), flush=True)
    return 0 if totals.done and not totals.faults else 1


if __name__ == "__main__":
    sys.exit(main())
