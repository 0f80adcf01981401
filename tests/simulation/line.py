"""A connection between a person and the host: in order while it lasts, and it may break at any update."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.simulation.person import Person
    from tests.simulation.process import Process

NUMBER = re.compile(rb'\{"table":"\w+","n":(\d+)')


class Line:
    def __init__(self, person: Person, number: int) -> None:
        self.person = person
        self.world = person.world
        self.number = number
        self.id = ""
        self.process: Process | None = None
        self.open = True
        self.pushed: int | None = None  # the last number, as the host pushed it
        self.busy_till = 0.0
        self.ended: float | None = None  # when its end began, on whichever side

    def attach(self, process: Process) -> None:
        self.process = process
        self.id = f"{process.name}:{self.person.account or self.person.name}/{self.number}"
        process.lines[self.id] = self
        self.world.lines[self.id] = self

    def offer(self, message: bytes) -> None:
        self.push(message)

    def push(self, message: bytes) -> None:
        """The host tells something; the process may die here, having told some and not others."""
        world = self.world
        self.hold_against_disk(message)
        if world.stormy and self.process is not None:
            roll = world.telling.random()
            if roll < world.weather.telling:
                self.process.die(f"while it tells {self.person.name}")
            if roll < world.weather.telling + world.weather.flaky:
                self.ends()
        if self.open:
            delay = world.network.delay() if world.stormy else 0.001
            self.busy_till = max(self.busy_till, world.clock.elapsed + delay)
            world.later(self.busy_till - world.clock.elapsed, self.person.hears, self, message)

    def hold_against_disk(self, message: bytes) -> None:
        """Numbers come one after the other, and never before their act is durable."""
        found = NUMBER.match(message)
        if found is None:
            return
        n, table = int(found[1]), self.person.table
        if self.pushed is not None and n != self.pushed + 1:
            self.world.wrong("numbers without gaps", table, f"{self.id} was told {n} after {self.pushed}")
        if n > len(self.world.chronicles[table].stored):
            self.world.wrong("stored before told", table, f"{self.id} was told {n}, which is not stored")
        self.pushed = n

    def ends(self, *, at_host: bool = True) -> None:
        """It breaks: the client notices soon, the host perhaps only after a while."""
        if not self.open:
            return
        self.open = False
        self.ended = self.world.clock.elapsed
        chance = self.world.telling
        self.world.later(chance.uniform(0.0, 0.5), self.person.lost_line, self)
        if at_host and self.process is not None:
            self.world.later(chance.choice((0.0, 0.01, chance.uniform(0.0, 8.0))), self.process.lost, self)
