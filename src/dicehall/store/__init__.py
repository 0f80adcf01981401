"""Where acts are kept: one SQLite file, or memory for tables that need not outlive the process."""

from dicehall.store.errors import StoreError
from dicehall.store.host import StoreJournal
from dicehall.store.memory import MemoryJournal
from dicehall.store.memory_people import MemoryPeople
from dicehall.store.people import SqlitePeople
from dicehall.store.sqlite import SqliteJournal

__all__ = ["MemoryJournal", "MemoryPeople", "SqliteJournal", "SqlitePeople", "StoreError", "StoreJournal"]
