"""Many accounts at one address that each keep to their limit: together they have one, too."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from urllib.error import HTTPError

from dicehall.launch.wiring import SystemClock
from dicehall.server.limits import Limits, Rate
from tests.security.live import LiveHall, both_ways, live_hall
from tests.security.wire import wire
from tests.server.doors import FREE
from tests.server.wire import frame

SENDERS = 8
EACH = 50
FEW = Rate(burst=200, per_second=0.01)  # for all accounts of an address


def limits(guarded: bool) -> Limits:
    return Limits(SystemClock(), {**FREE, "request_address": FEW} if guarded else dict(FREE))


def tokens(hall: LiveHall) -> list[str]:
    return [hall.guest(f"Mallory {nth}").token for nth in range(SENDERS)]


@both_ways
def test_eight_senders_at_one_address_do_not_get_eight_times_the_limit(tmp_path: Path, guarded: bool) -> None:
    """Honest players at another address are not counted with them."""
    with live_hall(tmp_path, limits=limits(guarded)) as hall:
        honest, answered = hall.honest_pair(), 0
        accounts = tokens(hall)
        for token in accounts:
            attacker = wire(hall, f"Authorization: Bearer {token}", source="127.0.0.66")
            attacker.send(b"".join(frame(json.dumps({"id": n, "do": "ping"}).encode()) for n in range(EACH)))
            answered += sum("ok" in json.loads(attacker.receive()[1]) for _ in range(EACH))
        assert (answered > FEW.burst) is not guarded
        assert all("ok" in honest.act() for _ in range(4))


@both_ways
def test_eight_accounts_over_http_do_not_get_eight_times_the_limit(tmp_path: Path, guarded: bool) -> None:
    with live_hall(tmp_path, limits=limits(guarded)) as hall:
        answered = 0
        for token in tokens(hall):
            for _ in range(EACH):
                with suppress(HTTPError):
                    answered += bool(hall.request("GET", "/api/me", None, token))
        assert (answered > FEW.burst) is not guarded
