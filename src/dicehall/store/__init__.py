"""Where acts are kept: one SQLite file, or memory for tables that need not outlive the process."""

from dicehall.store.errors import StoreError
from dicehall.store.host import HostJournal
from dicehall.store.memory import MemoryJournal
from dicehall.store.sqlite import SqliteJournal

__all__ = ["HostJournal", "MemoryJournal", "SqliteJournal", "StoreError"]
