"""The clock of several processes on one database follows the database, and never goes back."""

from __future__ import annotations

from dataclasses import dataclass

from dicehall.table.hall_clock import NS_PER_MS
from dicehall.table.shared_clock import SharedClock
from tests.table.virtual import START_MS

HOUR_MS = 3_600_000


@dataclass(slots=True)
class Machine:
    """A machine whose time of day is wrong, and the database that it reads; times in ms."""

    wrong: int = 0
    elapsed: int = 5_000
    database: int = START_MS

    def clock(self) -> SharedClock:
        return SharedClock(lambda: (START_MS + self.wrong) * NS_PER_MS, lambda: self.elapsed * NS_PER_MS)

    def read(self, clock: SharedClock) -> None:
        clock.set(self.database, self.elapsed, self.elapsed)

    def passes(self, ms: int) -> None:
        self.database += ms
        self.elapsed += ms


def test_the_first_reading_counts_whatever_the_machine_believed() -> None:
    for wrong in (-HOUR_MS, 0, HOUR_MS):
        machine = Machine(wrong)
        clock = machine.clock()
        assert clock.now() == START_MS + wrong
        machine.read(clock)
        assert clock.now() == machine.database
        machine.passes(700)
        assert clock.now() == machine.database


def test_it_follows_a_database_that_is_ahead_at_once() -> None:
    machine = Machine()
    clock = machine.clock()
    machine.read(clock)
    machine.database += 800
    machine.read(clock)
    assert clock.now() == machine.database


def test_it_runs_slower_while_the_database_is_behind_and_never_stands_still() -> None:
    machine = Machine()
    clock = machine.clock()
    machine.read(clock)
    machine.database -= 5_000
    last = clock.now()
    for _ in range(600):
        machine.passes(1_000)
        machine.read(clock)
        assert last + 900 <= clock.now() <= last + 1_000
        last = clock.now()
    assert clock.now() == machine.database


def test_a_reading_that_took_long_says_little() -> None:
    machine = Machine()
    clock = machine.clock()
    machine.read(clock)
    before = machine.elapsed
    machine.passes(3_000)
    clock.set(machine.database - 3_000, before, machine.elapsed)
    assert clock.now() == machine.database


def test_it_begins_no_earlier_than_the_times_of_other_processes() -> None:
    machine = Machine()
    clock = machine.clock()
    machine.read(clock)
    clock.not_before(machine.database + 20_000)
    assert clock.now() == machine.database + 20_000
    machine.passes(1_000)
    assert clock.now() == machine.database + 19_990
