"""Figures for Prometheus; never labelled by table or account."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric

from dicehall.server.parts import ServerParts
from dicehall.server.sockets import Sockets

FRESH_MS = 1_000


class HallCollector:
    def __init__(self, parts: ServerParts, sockets: Sockets) -> None:
        self.parts = parts
        self.sockets = sockets

    def collect(self) -> list[Metric]:
        host = self.parts.hall.host
        tables = GaugeMetricFamily("dicehall_tables", "Tables in memory.", labels=["game", "phase"])
        counted = Counter((live.state.game.key, live.state.phase) for live in host.tables.values())
        for labels, count in sorted(counted.items()):
            tables.add_metric(labels, count)
        waiting = sum(len(live.inbox) for live in host.tables.values())
        pulse = (self.parts.now - host.pulse.last) / 1000
        return [
            tables,
            GaugeMetricFamily("dicehall_sockets", "Open sockets.", value=len(self.sockets.open)),
            GaugeMetricFamily("dicehall_waiting_requests", "Requests waiting at tables.", value=waiting),
            GaugeMetricFamily("dicehall_pulse_age_seconds", "Age of the last stored heartbeat.", value=pulse),
            GaugeMetricFamily("dicehall_outages", "Outages known.", value=len(host.pulse.known)),
        ]


@dataclass(slots=True)
class Figures:
    """The figures as text, made at most once a second: every table is counted for them."""

    parts: ServerParts
    sockets: Sockets
    made: bytes = b""
    at: int = -FRESH_MS

    def text(self) -> bytes:
        now = self.parts.now
        if not 0 <= now - self.at < FRESH_MS:
            self.made, self.at = exposition(self.parts, self.sockets), now
        return self.made


def exposition(parts: ServerParts, sockets: Sockets) -> bytes:
    registry = CollectorRegistry(auto_describe=False)
    registry.register(HallCollector(parts, sockets))
    return generate_latest(registry)
