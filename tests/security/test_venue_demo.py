"""``dicehall venue demo`` against pages of other sites that its user looks at: only its own page reaches it."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from dicehall.games import catalogue
from dicehall.launch import venue_demo
from dicehall.launch.venue_demo import make_demo
from dicehall.server import hosts
from tests.security.live import both_ways

OWN = "http://127.0.0.1:8090"
PATHS = ("/", "/assets/demo.js", "/world/people", "/world/commands?wait=0", "/nwn/tables")
EVENT = json.dumps({"type": "open", "player": {"key": "visitor/ann", "name": "Ann"}}).encode()


@pytest.fixture
def client() -> Iterator[TestClient]:
    with TestClient(make_demo(catalogue(), 5000, 0.0).app, base_url=OWN) as client:
        yield client


@both_ways
@pytest.mark.parametrize("host", ["evil.example", "evil.example:8090", "127.0.0.1.evil.example", "[::1.evil"])
def test_a_name_that_leads_to_this_machine_shows_nothing(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, host: str, guarded: bool
) -> None:
    """DNS rebinding: the browser believes that our port is part of the attacker's site."""
    if not guarded:
        monkeypatch.setattr(hosts, "is_known_host", lambda *_: True)
    answers = [client.get(path, headers={"host": host}) for path in PATHS]
    answers.append(client.post("/world/events", content=EVENT, headers={"host": host}))
    assert [answer.status_code == 403 for answer in answers] == [guarded] * len(answers)


@both_ways
@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://[", "http://localhost:1", "http://127.0.0.1:80"]
)
def test_pages_of_other_sites_cannot_play(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, origin: str, guarded: bool
) -> None:
    if not guarded:
        monkeypatch.setattr(venue_demo, "same_origin", lambda *_: True)
    answer = client.post("/world/events", content=EVENT, headers={"origin": origin})
    harmed = answer.status_code == 200
    assert harmed is not guarded
    assert harmed or (answer.status_code, answer.json()["error"]["code"]) == (422, "bad_request")


@both_ways
@pytest.mark.parametrize("site", ["cross-site", "same-site"])
@pytest.mark.parametrize("path", ["/world/people", "/world/commands?wait=0"])
def test_pages_of_other_sites_cannot_take_the_places_of_polls(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, site: str, path: str, guarded: bool
) -> None:
    if not guarded:
        monkeypatch.setattr(venue_demo, "same_origin", lambda *_: True)
    assert client.get(path, headers={"sec-fetch-site": site}).status_code == (422 if guarded else 200)


@pytest.mark.parametrize("headers", [{}, {"origin": OWN}, {"sec-fetch-site": "same-origin"}])
def test_its_own_page_plays(client: TestClient, headers: dict[str, str]) -> None:
    """The control of the attacks above."""
    assert client.post("/world/events", content=EVENT, headers=headers).status_code == 200
    assert client.get("/world/people", headers=headers).status_code == 200
    assert client.get("/world/commands?wait=0", headers=headers).status_code == 200


@pytest.mark.parametrize("headers", [{"host": "["}, {"host": ""}, {"origin": "http://["}, {"origin": ""}])
def test_headers_that_are_not_addresses_cause_no_error_of_the_server(
    client: TestClient, headers: dict[str, str]
) -> None:
    """There is no guard to switch off: what cannot be read is a name like any other."""
    assert client.post("/world/events", content=EVENT, headers=headers).status_code < 500
