"""What operators and programmers look at: health, metrics, the OpenAPI document and its page; all under a prefix."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from dicehall.server.app import ENDPOINTS
from dicehall.table.ports import Unavailable
from tests.server.doors import Doors, open_doors

METHODS = {"get", "post", "delete", "patch"}


def refs(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [value["$ref"], *refs(list(value.values()))] if "$ref" in value else refs(list(value.values()))
    return [ref for one in value for ref in refs(one)] if isinstance(value, list) else []


def test_the_document_is_openapi_3_1_with_every_endpoint(doors: Doors) -> None:
    document = doors.nobody.get("/openapi.json")
    assert document["openapi"] == "3.1.0"
    assert document["servers"] == [{"url": "http://hall.example"}]
    told = {(method.upper(), path) for path, one in document["paths"].items() for method in one}
    assert told == {(one.method, one.shown_path) for one in ENDPOINTS}
    assert {method for one in document["paths"].values() for method in one} <= METHODS
    schemas = document["components"]["schemas"]
    assert all(re.fullmatch(r"[\w.-]+", name) for name in schemas)
    for ref in refs(document):
        assert ref.removeprefix("#/components/schemas/") in schemas


def test_every_operation_names_itself_its_parameters_and_its_answers(doors: Doors) -> None:
    document = doors.nobody.get("/openapi.json")
    operations = [(path, one) for path, methods in document["paths"].items() for one in methods.values()]
    assert len({one["operationId"] for _, one in operations}) == len(operations)
    for path, one in operations:
        named = {parameter["name"] for parameter in one["parameters"] if parameter["in"] == "path"}
        assert named == set(re.findall(r"{(\w+)}", path))
        assert one["summary"]
        assert {"200", "4XX", "503"} == one["responses"].keys()
        assert one["responses"]["200"]["content"]["application/json"]["schema"] is not None


def test_what_an_endpoint_takes_and_gives_is_in_the_document(doors: Doors) -> None:
    document = doors.nobody.get("/openapi.json")
    roll = document["paths"]["/api/wards/engine/roll"]["post"]
    given = [ref.rpartition("/")[2] for ref in refs(roll["responses"]["200"])]
    assert [document["components"]["schemas"][name]["required"] for name in given] == [["ok"], ["err", "detail"]]
    act = document["paths"]["/api/tables/{id}/act"]["post"]
    assert act["requestBody"]["required"]
    found = document["paths"]["/api/tables"]["get"]["parameters"]
    assert {one["name"] for one in found} == {"game", "phase", "page"}


def test_the_page_needs_no_script_and_no_other_host(doors: Doors) -> None:
    page = doors.nobody.ask("GET", "/docs").text
    for one in ENDPOINTS:
        assert f"<code>{one.shown_path}</code>" in page
    assert not re.search(r"<script|<link|<img|<iframe|@import|url\(|\bsrc=|(?:href|src)=['\"]?(?:https?:)?//", page)


def test_health_and_readiness_are_answered(doors: Doors) -> None:
    assert doors.nobody.get("/healthz") == {"ok": True}
    assert doors.nobody.get("/readyz") == {"ok": True}


def test_a_hall_whose_store_or_pulse_is_away_lives_but_is_not_ready(
    doors: Doors, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away() -> int:
        raise Unavailable("the disk is full")

    monkeypatch.setattr(doors.running.host.pulse, "last", 0)
    assert doors.nobody.wrong("GET", "/readyz") == (503, "store_unavailable")
    monkeypatch.setattr(type(doors.running.journal), "last_pulse", lambda self: away())
    assert doors.nobody.wrong("GET", "/readyz") == (503, "store_unavailable")
    assert doors.nobody.get("/healthz") == {"ok": True}


def test_a_hall_that_stops_is_not_ready(doors: Doors) -> None:
    doors.running.sockets.draining = True
    assert doors.nobody.wrong("GET", "/readyz") == (503, "shutting_down")


def test_metrics_are_for_prometheus_and_name_no_table_and_nobody(doors: Doors) -> None:
    ann, bo, table = doors.pair()
    answer = doors.nobody.ask("GET", "/metrics")
    assert answer.headers["content-type"].startswith("text/plain")
    assert 'dicehall_tables{game="wards",phase="playing"} 1.0' in answer.text
    labels = {name for shown in re.findall(r"{(.*?)}", answer.text) for name in re.findall(r"(\w+)=", shown)}
    assert labels == {"game", "phase"}
    for secret in (table, ann.id, bo.id, ann.token or "", ann.name):
        assert secret not in answer.text


def test_a_hall_under_a_prefix_answers_there_and_nowhere_else(tmp_path: Path) -> None:
    with open_doors(tmp_path, "https://example.org/dice") as doors:
        assert doors.client.get("/dice/healthz").json() == {"ok": True}
        entered = doors.client.post("/dice/api/accounts/guest", json={"name": "Ann"})
        cookie = entered.headers["set-cookie"]
        assert "Path=/dice;" in cookie
        assert doors.client.get("/dice/api/me").json()["name"] == "Ann"
        assert doors.client.get("/dice/openapi.json").json()["servers"] == [{"url": "https://example.org/dice"}]
        with doors.client.websocket_connect("/dice/ws") as socket:
            socket.send_json({"id": 1, "do": "ping"})
            assert socket.receive_json()["re"] == 1
        for path in ("/healthz", "/api/me", "/dices/healthz"):
            assert doors.client.get(path).json()["error"]["code"] == "not_found"
        assert doors.client.get("/dice/docs").status_code == 200
        assert "href=openapi.json" in doors.client.get("/dice/docs").text
