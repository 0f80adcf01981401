"""A table with a webhook: its result reaches a real receiver, signed, once it is over and however often it takes."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from dicehall.hall import deliveries
from dicehall.hall.webhooks import new_secret
from dicehall.server.limits import RATES, Limits
from examples.verify_webhook import is_genuine
from tests.launch.running import run
from tests.server.doors import FREE, Doors, Person, StoppedClock, open_doors
from tests.server.receivers import receiver
from tests.server.running import running_server

SECRET = new_secret(b"s" * 32)
ELSEWHERE = "http://127.0.0.1:1/hook"  # where nobody listens


def play(doors: Doors, webhook: dict[str, Any] | None, **more: Any) -> tuple[Person, str]:
    """A game that Ann, who opened the table, wins at once."""
    doors.box.named[1] = (6,)
    ann, _, table = doors.pair(rules={"goal": 6}, webhook=webhook, **more)
    for move in ("roll", "hold"):
        ann.act(table, move)
    return ann, table


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deliveries, "POLL_S", 0.02)


async def nothing(_: deliveries.Deliveries) -> None:
    return


def shown(person: Person, table: str) -> Any:
    return person.get(f"/api/tables/{table}/webhook")


def wait_until(person: Person, table: str, state: str) -> Any:
    while (webhook := shown(person, table))["state"] != state:
        time.sleep(0.01)
    return webhook


def test_the_result_is_posted_once_and_its_signature_can_be_verified(tmp_path: Path) -> None:
    with receiver() as target, open_doors(tmp_path, webhooks="any") as doors:
        ann, table = play(doors, {"url": target.url})
        secret = shown(ann, table)["secret"] or ""
        (received,) = target.wait_for(1)
        done = wait_until(ann, table, "delivered")
        if secret:  # it is deleted as soon as nobody needs it
            assert is_genuine(secret, received.headers, received.body)
        assert received.path == "/dice?from=hall"
        assert received.headers["webhook-id"] == f"{table}.ended"
        assert received.headers["content-type"] == "application/json"
        said = json.loads(received.body)
        assert (said["table"], said["game"], said["reason"]) == (table, "wards", "goal")
        assert [(one["name"], one["place"]) for one in said["results"]] == [("Ann", 1), ("Bo", 2)]
        assert (done["secret"], done["tries"], done["next_try"]) == (None, 1, None)
        assert len(target.received) == 1


def test_a_secret_of_ones_own_signs_the_webhook(tmp_path: Path) -> None:
    with receiver() as target, open_doors(tmp_path, webhooks="any") as doors:
        play(doors, {"url": target.url, "secret": SECRET})
        (received,) = target.wait_for(1)
        assert is_genuine(SECRET, received.headers, received.body)


def test_a_table_that_is_closed_sends_that_it_was_abandoned(tmp_path: Path) -> None:
    with receiver() as target, open_doors(tmp_path, webhooks="any") as doors:
        ann = doors.guest("Ann")
        table = ann.open(webhook={"url": target.url, "secret": SECRET})
        assert ann.ask("DELETE", f"/api/tables/{table}").status_code == 200
        (received,) = target.wait_for(1)
        said = json.loads(received.body)
        assert (said["abandoned"], said["results"]) == (True, [])


def test_only_the_opener_sees_the_webhook_and_nobody_finds_it_elsewhere(tmp_path: Path) -> None:
    with open_doors(tmp_path, webhooks="any") as doors:
        ann, bo = doors.guest("Ann"), doors.guest("Bo")
        table, plain = ann.open(webhook={"url": ELSEWHERE, "secret": SECRET}), ann.open()
        assert shown(ann, table)["secret"] == SECRET
        assert bo.wrong("GET", f"/api/tables/{table}/webhook") == (403, "not_allowed")
        assert doors.nobody.wrong("GET", f"/api/tables/{table}/webhook") == (401, "not_signed_in")
        assert ann.wrong("GET", f"/api/tables/{plain}/webhook") == (404, "not_found")
        ann.sit(table)
        bo.sit(table)
        seen = [ann.ask("GET", f"/api/tables/{table}{rest}").text for rest in ("", "/events", "/record")]
        assert not [text for text in seen if SECRET in text or ELSEWHERE in text]
        with doors.socket(ann) as line:
            assert line.ok("webhook", table=table)["url"] == ELSEWHERE


@pytest.mark.parametrize(
    ("mode", "webhook", "status"),
    [
        ("off", {"url": "https://example.org/"}, 403),
        ("public", {"url": "http://example.org/"}, 422),
        ("public", {"url": "https://127.0.0.1/"}, 422),
        ("any", {"url": "nonsense"}, 422),
        ("any", {"url": "https://example.org/", "secret": "short"}, 422),
        ("any", {}, 422),
        ("any", "https://example.org/", 422),
    ],
)
def test_a_webhook_that_cannot_be_opens_no_table(tmp_path: Path, mode: Any, webhook: Any, status: int) -> None:
    with open_doors(tmp_path, webhooks=mode) as doors:
        ann = doors.guest("Ann")
        answer = ann.ask("POST", "/api/tables", {"game": "wards", "webhook": webhook})
        assert answer.status_code == status, answer.text
        assert ann.get("/api/tables")["tables"] == []


def test_one_that_cannot_be_delivered_is_sent_again_when_its_receiver_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deliveries, "RETRY_S", (0,) * 1000)
    with receiver() as target:
        port, url = target.port, target.url
    with open_doors(tmp_path, webhooks="any") as doors:
        ann, table = play(doors, {"url": url, "secret": SECRET})
        while shown(ann, table)["problem"] != "connection":
            time.sleep(0.01)
        with receiver(port, status=503) as target:
            target.wait_for(2)
            target.status = 200
            assert wait_until(ann, table, "delivered")["tries"] >= 3
            ids = {one.headers["webhook-id"] for one in target.received}
            assert (ids, len({one.body for one in target.received})) == ({f"{table}.ended"}, 1)


def test_a_hall_that_stops_between_the_end_and_the_delivery_delivers_after_its_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with receiver() as target:
        with monkeypatch.context() as patch, open_doors(tmp_path, webhooks="any") as doors:
            patch.setattr(deliveries.Deliveries, "send_due", nothing)
            ann, table = play(doors, {"url": target.url, "secret": SECRET})
            assert shown(ann, table)["state"] == "pending"
        assert target.received == []
        with open_doors(tmp_path, webhooks="any") as doors:
            (received,) = target.wait_for(1)
            assert is_genuine(SECRET, received.headers, received.body)


def test_a_rematch_has_no_webhook(tmp_path: Path) -> None:
    with receiver() as target, open_doors(tmp_path, webhooks="any") as doors:
        ann, table = play(doors, {"url": target.url})
        again = ann.post(f"/api/tables/{table}/rematch")["id"]
        assert ann.wrong("GET", f"/api/tables/{again}/webhook") == (404, "not_found")


def test_the_same_request_opens_one_table_with_one_webhook(tmp_path: Path) -> None:
    with open_doors(tmp_path, webhooks="any") as doors:
        ann = doors.guest("Ann")
        first, second = (ann.open(webhook={"url": ELSEWHERE}, id="once") for _ in range(2))
        assert first == second
        assert shown(ann, first)["secret"].startswith("whsec_")


def test_one_account_opens_only_so_many_tables_with_a_webhook(tmp_path: Path) -> None:
    limits = Limits(StoppedClock(), {**FREE, "webhook": RATES["webhook"]})
    with open_doors(tmp_path, limits=limits, webhooks="any") as doors:
        ann, body = doors.guest("Ann"), {"game": "wards", "webhook": {"url": ELSEWHERE}}
        answers = [ann.ask("POST", "/api/tables", body).status_code for _ in range(22)]
        assert answers == [200] * 20 + [429] * 2
        assert ann.open()


@pytest.mark.proof
def test_a_server_that_is_killed_before_its_receiver_answers_sends_the_result_after_its_restart(
    tmp_path: Path,
) -> None:
    with receiver(status=500) as target, running_server(tmp_path, "--webhooks", "any") as server:
        token = server.post("/api/accounts/guest", {"name": "Ann"})["token"]
        wanted = {"game": "wards", "webhook": {"url": target.url, "secret": SECRET}}
        table = server.post("/api/tables", wanted, token)["id"]
        server.http("DELETE", f"/api/tables/{table}", None, token)
        target.wait_for(1)
        while server.get(f"/api/tables/{table}/webhook", token)["problem"] != "status":
            time.sleep(0.05)  # asked without a pause it would refuse so many connections
        server.kill()
        before, target.status = len(target.received), 200
        server.start()
        first, *_, last = target.wait_for(before + 1)
        assert first.headers["webhook-id"] == last.headers["webhook-id"] == f"{table}.ended"
        assert first.body == last.body


def test_the_command_line_says_which_modes_there_are() -> None:
    ran = run("serve", "--port", "0", "--webhooks", "everything")
    assert (ran.code, ran.err) == (
        2,
        "dicehall: --webhooks must be one of off, public, any, not 'everything'.\n",
    )
