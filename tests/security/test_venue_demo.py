"""``dicehall venue demo`` against pages of other sites that its user looks at: only its own page reaches it."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from dicehall.games import catalogue
from dicehall.launch.venue_demo import make_demo

OWN = "http://127.0.0.1:8090"
PATHS = ("/", "/assets/demo.js", "/world/people", "/world/commands?wait=0", "/nwn/tables")
EVENT = json.dumps({"type": "open", "player": {"key": "visitor/ann", "name": "Ann"}}).encode()


@pytest.fixture
def client() -> Iterator[TestClient]:
    with TestClient(make_demo(catalogue(), 5000, 0.0).app, base_url=OWN) as client:
        yield client


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8090", "127.0.0.1.evil.example", "[::1.evil"])
def test_a_name_that_leads_to_this_machine_shows_nothing(client: TestClient, host: str) -> None:
    """DNS rebinding: the browser believes that our port is part of the attacker's site."""
    answers = [client.get(path, headers={"host": host}) for path in PATHS]
    answers.append(client.post("/world/events", content=EVENT, headers={"host": host}))
    assert {answer.status_code for answer in answers} == {403}


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://[", "http://localhost:1", "http://127.0.0.1:80"]
)
def test_pages_of_other_sites_cannot_play(client: TestClient, origin: str) -> None:
    answer = client.post("/world/events", content=EVENT, headers={"origin": origin})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "bad_request")


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
@pytest.mark.parametrize("path", ["/world/people", "/world/commands?wait=0"])
def test_pages_of_other_sites_cannot_take_the_places_of_polls(client: TestClient, site: str, path: str) -> None:
    assert client.get(path, headers={"sec-fetch-site": site}).status_code == 422


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
