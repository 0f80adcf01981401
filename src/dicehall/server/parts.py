"""What the endpoints work with: a hall, its people, and the settings of this server."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from dicehall.hall.hall import Hall
from dicehall.hall.people import People
from dicehall.server.limits import Limits
from dicehall.server.presence import HttpPresence
from dicehall.server.tokens import Tokens


@dataclass(frozen=True, slots=True)
class Settings:
    public_url: str = "http://127.0.0.1:8000"  # where people reach this server, with a path prefix perhaps
    service_token: str | None = None  # lets an operator's program use the service methods of the seeds' doors
    trust_proxy: bool = False  # whether a proxy in front says who is asking


@dataclass(frozen=True, slots=True)
class ServerParts:
    hall: Hall
    people: People
    tokens: Tokens
    limits: Limits
    presence: HttpPresence
    verify: Callable[[bytes], dict[str, Any]]  # replays a record and checks its dice
    settings: Settings = field(default_factory=Settings)

    @property
    def now(self) -> int:
        return self.hall.host.parts.clock.now()
