"""Figures for Prometheus; never labelled by table or account."""

from __future__ import annotations

from collections import Counter

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric

from dicehall.server.parts import ServerParts
from dicehall.server.sockets import Sockets


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
            GaugeMetricFamily("dicehall_waiting_requests", "Requests that wait at tables.", value=waiting),
            GaugeMetricFamily("dicehall_pulse_age_seconds", "Age of the last stored pulse.", value=pulse),
            GaugeMetricFamily("dicehall_outages", "Outages known.", value=len(host.pulse.known)),
        ]


def exposition(parts: ServerParts, sockets: Sockets) -> bytes:
    registry = CollectorRegistry(auto_describe=False)
    registry.register(HallCollector(parts, sockets))
    return generate_latest(registry)
