"""Cookies, origins, headers and sizes: what keeps a foreign page out of somebody's browser, and bodies small."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.websockets import WebSocketDisconnect

from tests.server.doors import HOME, Doors, open_doors

FOREIGN = ["http://evil.example", "null", "http://hall.example.evil.example", "http://[", "", "hall.example"]


def test_a_cookie_is_out_of_reach_for_scripts_and_other_sites(doors: Doors) -> None:
    cookie = doors.client.post("/api/accounts/guest", json={}).headers["set-cookie"]
    parts = {part.strip().lower() for part in cookie.split(";")}
    assert {"httponly", "samesite=strict", "path=/"} <= parts
    assert "secure" not in parts


def test_under_https_a_cookie_is_secure(tmp_path: Path) -> None:
    with open_doors(tmp_path, "https://hall.example") as doors:
        entered = doors.client.post("/api/accounts/guest", json={})
        assert "secure" in entered.headers["set-cookie"].lower()
        out = doors.client.delete("/api/sessions").headers["set-cookie"].lower()
        assert "secure" in out
        assert "max-age=0" in out


def test_a_cookie_signs_in_and_signing_out_takes_it_away(doors: Doors) -> None:
    entered = doors.client.post("/api/accounts/guest", json={"name": "Ann"}).json()
    assert doors.client.get("/api/me").json()["name"] == "Ann"
    kept = dict(doors.client.cookies)
    assert doors.client.delete("/api/sessions").status_code == 200
    assert not dict(doors.client.cookies)
    doors.client.cookies.update(kept)
    assert doors.client.get("/api/me").status_code == 401
    assert doors.client.get("/api/me", headers={"authorization": f"Bearer {entered['token']}"}).status_code == 401


@pytest.mark.parametrize("origin", FOREIGN)
def test_a_page_of_another_site_changes_nothing_with_somebodys_cookie(doors: Doors, origin: str) -> None:
    doors.client.post("/api/accounts/guest", json={})
    headers = {"origin": origin}
    assert doors.nobody.wrong("POST", "/api/tables", {"game": "wards"}, headers=headers) == (403, "not_allowed")
    assert doors.nobody.wrong("DELETE", "/api/sessions", headers=headers) == (403, "not_allowed")
    wards = doors.client.post("/api/wards/lobbies/createRoom", json={"name": "x"}, headers=headers)
    assert wards.status_code == 403
    assert doors.nobody.get("/api/tables")["tables"] == []


@pytest.mark.parametrize("origin", FOREIGN)
def test_a_page_of_another_site_signs_nobody_in(doors: Doors, origin: str) -> None:
    answer = doors.nobody.ask("POST", "/api/accounts/guest", {"name": "Eve"}, headers={"origin": origin})
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers


def test_a_browser_that_says_cross_site_is_believed(doors: Doors) -> None:
    doors.client.post("/api/accounts/guest", json={})
    headers = {"sec-fetch-site": "cross-site"}
    assert doors.nobody.wrong("POST", "/api/tables", {"game": "wards"}, headers=headers) == (403, "not_allowed")


def test_our_own_pages_may(doors: Doors) -> None:
    doors.client.post("/api/accounts/guest", json={})
    assert doors.nobody.post("/api/tables", {"game": "wards"}, headers={"origin": HOME})["game"] == "wards"


def test_who_shows_a_token_may_come_from_anywhere(doors: Doors) -> None:
    ann = doors.guest("Ann")
    assert ann.post("/api/tables", {"game": "wards"}, headers={"origin": "http://evil.example"})["game"] == "wards"


@pytest.mark.parametrize("origin", FOREIGN)
def test_a_page_of_another_site_gets_no_socket(doors: Doors, origin: str) -> None:
    with pytest.raises(WebSocketDisconnect) as closed, doors.socket(None, origin=origin):
        pass
    assert closed.value.code == 4003


def test_our_own_pages_get_a_socket_and_are_known_by_their_cookie(doors: Doors) -> None:
    doors.client.post("/api/accounts/guest", json={"name": "Ann"})
    with doors.socket(None, origin=HOME) as line:
        assert line.ok("open", game="wards")["game"] == "wards"


@pytest.mark.parametrize("path", ["/api/games", "/api/nothing", "/docs", "/healthz", "/openapi.json"])
def test_every_answer_has_the_usual_headers(doors: Doors, path: str) -> None:
    headers = doors.client.get(path).headers
    assert "default-src 'self'" in headers["content-security-policy"]
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers.get("cache-control") == ("no-store" if path.startswith("/api/") else None)


def test_something_that_breaks_is_answered_with_a_code_and_the_headers(
    doors: Doors, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def breaks(*_: object) -> None:
        raise RuntimeError("a bug with a secret in it")

    monkeypatch.setattr(type(doors.running.parts.people), "guest", breaks)
    answer = doors.nobody.ask("POST", "/api/accounts/guest", {})
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "internal")
    assert "secret" not in answer.text
    assert "content-security-policy" in answer.headers
    with doors.socket() as line:
        assert line.code("guest") == "internal"
        assert line.ok("ping")


def test_a_body_has_at_most_64_kib_and_a_record_4_mib(doors: Doors) -> None:
    ann = doors.guest("Ann")
    small = {"game": "wards", "name": "x" * 65_000}
    assert ann.wrong("POST", "/api/tables", small)[1] == "bad_request"
    assert ann.wrong("POST", "/api/tables", {"game": "wards", "name": "x" * 66_000}) == (413, "too_large")
    assert ann.wrong("POST", "/api/wards/lobbies/createRoom", {"name": "x" * 66_000}) == (413, "too_large")
    assert ann.wrong("POST", "/api/verify", {"padding": "x" * (4 << 20)}) == (413, "too_large")
    assert "invalid" in ann.post("/api/verify", {"padding": "x" * 100_000})
