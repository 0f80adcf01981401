"""The dependencies of a host."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dicehall.games import Catalogue
from dicehall.table.heartbeat import Heartbeat
from dicehall.table.ports import Chooser, Clock, DiceBox, HostJournal, Nodes
from dicehall.table.retiring import Archive
from dicehall.table.state import TableState


@dataclass(frozen=True, slots=True)
class Parts:
    """Passed in, never defaulted."""

    journal: HostJournal
    clock: Clock
    box: DiceBox
    chooser: Chooser
    games: Catalogue
    process: str  # a name no other process ever had
    frozen: Callable[[str, Exception], None]  # told of tables whose journal cannot be folded
    facts: Callable[[TableState], tuple[Any, ...]] = lambda state: ()  # true with its end, or when others sit there
    archive: Archive | None = None  # where finished tables go; without one they stay in the journal
    heartbeat: Heartbeat | None = None  # tells a busy event loop from a process that stood still
    nodes: Nodes | None = None  # other processes on the same journal
    not_before: Callable[[int], None] = lambda at: None  # told the latest time that an earlier process stored
