"""Floods of requests that no endpoint counts: page files, health checks, documents, addresses that do not exist."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from httpx import Response
from starlette.requests import Request
from starlette.routing import BaseRoute, Mount, Route
from starlette.testclient import TestClient

from dicehall.server import webpage
from dicehall.server.limits import RATES, Limits, Rate
from tests.security.live import both_ways
from tests.server.doors import FREE, Doors, StoppedClock, open_doors

NOTHING = Rate(burst=0, per_second=1)
VISITORS = 30  # people behind one address who open the page at the same moment
RATE_LIMITED = 429


def limits(guarded: bool) -> Limits:
    """Of the limits on addresses only the one on requests is kept, and it lets nothing through."""
    return Limits(StoppedClock(), {**FREE, "request_address": NOTHING} if guarded else dict(FREE))


def routes_of(routes: list[BaseRoute]) -> Iterator[tuple[str, str]]:
    """A method and an address for every route."""
    for route in routes:
        if isinstance(route, Mount):
            yield from ((method, route.path + path) for method, path in routes_of(list(route.routes)))
        elif isinstance(route, Route):
            yield from ((method, re.sub(r"{[^}]*}", "x", route.path)) for method in sorted(route.methods or ()))


def is_refused(doors: Doors, method: str, path: str, **headers: str) -> bool:
    answer: Response = doors.client.request(method, path, headers=headers)
    refused = answer.status_code == RATE_LIMITED
    assert not refused or (answer.headers["retry-after"] == "2" and "x-content-type-options" in answer.headers)
    return refused


@both_ways
@pytest.mark.parametrize("url", ["http://hall.example", "http://hall.example/dice"])
def test_no_route_can_be_asked_for_without_a_limit(tmp_path: Path, guarded: bool, url: str) -> None:
    with open_doors(tmp_path, url, limits=limits(guarded)) as doors:
        known = list(routes_of(list(doors.running.app.routes)))
        for wanted in ("healthz", "readyz", "metrics", "docs", "openapi.json", "api/mana/bot/status", "icon.svg"):
            assert any(path.endswith(f"/{wanted}") for _, path in known), wanted
        assert len(known) > 100
        refused = [is_refused(doors, method, path) for method, path in known]
        assert set(refused) == {guarded}


REFUSED_ANYWAY = {
    "an address that does not exist": ("GET", "/nowhere", {}),
    "a page that does not exist": ("GET", "/nowhere", {"accept": "text/html"}),
    "a method that is not taken": ("PUT", "/healthz", {}),
    "a host that is not this one": ("GET", "/api/games", {"host": "evil.example"}),
    "a page of another site": ("POST", "/api/accounts/guest", {"origin": "http://evil.example"}),
    "a token that is not good": ("GET", "/api/me", {"authorization": "Bearer x"}),
}


@both_ways
@pytest.mark.parametrize("kind", REFUSED_ANYWAY)
def test_requests_that_are_refused_anyway_count_as_well(tmp_path: Path, guarded: bool, kind: str) -> None:
    method, path, headers = REFUSED_ANYWAY[kind]
    with open_doors(tmp_path, limits=limits(guarded)) as doors:
        assert is_refused(doors, method, path, **headers) is guarded


def test_a_flood_of_page_files_does_not_refuse_other_addresses(tmp_path: Path) -> None:
    """The guard of the first test, as the attacker's neighbours see it."""
    few = Limits(StoppedClock(), {**FREE, "request_address": Rate(burst=20, per_second=1)})
    with open_doors(tmp_path, limits=few) as doors:
        flood = [is_refused(doors, "GET", "/icon.svg") for _ in range(60)]
        assert flood == [False] * 20 + [True] * 40
        neighbour = TestClient(doors.running.app, base_url="http://hall.example", client=("192.0.2.7", 50_000))
        assert neighbour.get("/icon.svg").status_code == 200


def test_thirty_people_behind_one_address_open_the_page_at_once(tmp_path: Path) -> None:
    """With the limits as shipped and a clock that stands still; one visit takes all files, which no browser does.

    They are the control of the limits above.
    """
    shipped = Limits(StoppedClock(), dict(RATES))
    with open_doors(tmp_path, limits=shipped) as doors:
        page = ["/", "/icon.svg", *(f"/assets/{file.name}" for file in webpage.files(webpage.BUILT / "assets"))]
        assert len(page) > 30
        assert not any(is_refused(doors, "GET", path) for path in [*page, *["/api/games"] * 10])
        left = {kind: level for (kind, _), (level, _) in shipped.buckets.items()}
        assert all(VISITORS * (RATES[kind].burst - level) <= RATES[kind].burst for kind, level in left.items())


def test_a_file_of_the_page_is_read_and_packed_once_and_not_for_a_request(tmp_path: Path) -> None:
    """The guard cannot be switched off: what is sent was made before the first request, and the file is gone."""
    file = tmp_path / "large.js"
    file.write_text("dice " * 100_000)
    send = webpage.sending(file, {})
    file.unlink()
    asking = Request({"type": "http", "headers": [(b"accept-encoding", b"gzip")]})

    async def send_twice() -> None:
        first, second = await send(asking), await send(asking)
        assert first.headers["content-encoding"] == "gzip"
        assert first.body is second.body

    asyncio.run(send_twice())
