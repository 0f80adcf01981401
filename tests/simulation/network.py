"""The way between clients and the host: messages get lost, come late and come twice, each way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.simulation.messages import Connect, Message, Outcome

if TYPE_CHECKING:
    from tests.simulation.world import World


class Network:
    def __init__(self, world: World) -> None:
        self.world = world
        self.chance = world.chance("network")

    def to_host(self, message: Message, after: float | None = None) -> None:
        """Send to whichever process is there when it arrives; *after* fixes the moment of arrival."""
        delays = self.delays() if after is None else [after]
        if isinstance(message.what, Connect):  # nobody connects twice with one connection
            delays = delays[:1]
        for delay in delays:
            self.world.later(delay, self.arrives, message)

    def arrives(self, message: Message) -> None:
        if self.world.process is not None:
            self.world.process.take(message)

    def to_client(self, message: Message, outcome: Outcome) -> None:
        for delay in self.delays():
            self.world.later(delay, message.person.answered, message, outcome)

    def delays(self) -> list[float]:
        """When the copies of a message arrive; none where it is lost."""
        weather = self.world.weather
        if not self.world.stormy:
            return [0.002]
        if self.chance.random() < weather.lost:
            return []
        copies = 2 if self.chance.random() < weather.doubled else 1
        return [self.delay() for _ in range(copies)]

    def delay(self) -> float:
        if self.chance.random() < self.world.weather.late:
            return self.chance.uniform(0.1, 3.0)
        return self.chance.choice((0.0, 0.001, 0.01, 0.03))
