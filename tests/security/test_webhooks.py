"""Somebody opens tables to make the hall send requests where they could not send them, or more than it can bear."""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest

from dicehall.hall import deliveries, webhooks
from dicehall.hall.webhooks import Mode, new_secret
from dicehall.launch import webhook_client
from dicehall.launch.webhook_client import MOST_LOOKUPS, Lookups, WebhookClient
from dicehall.launch.wiring import SystemClock
from dicehall.server.limits import RATES, Limits
from dicehall.server.parts import Settings
from dicehall.store import webhooks as stored
from tests.security.live import Guest, both_ways, live_hall
from tests.server.doors import FREE
from tests.server.receivers import Receiver, receiver

SECRET = new_secret(b"m" * 32)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deliveries, "POLL_S", 0.02)


@pytest.fixture
def inside() -> Iterator[Receiver]:
    """A service that only this machine should reach."""
    with receiver() as service:
        yield service


def hall_with(folder: Path, mode: Mode, sender: WebhookClient | None = None, **more: Any) -> Any:
    return live_hall(folder, settings=Settings(webhooks=mode), webhook_sender=sender, **more)


def close_with_webhook(guest: Guest, url: str) -> str:
    """Open a table with a webhook and close it, which sends it."""
    table = guest.post("/api/tables", {"game": "wards", "webhook": {"url": url, "secret": SECRET}})["id"]
    guest.hall.request("DELETE", f"/api/tables/{table}", None, guest.token)
    return str(table)


def wait_for(guest: Guest, table: str, outcome: str) -> None:
    """Until the webhook is delivered, or has met this problem."""
    while outcome not in ((shown := guest.get(f"/api/tables/{table}/webhook"))["problem"], shown["state"]):
        time.sleep(0.02)  # asked without a pause the hall would refuse so many connections


@both_ways
def test_a_name_that_resolves_to_this_machine_reaches_no_service_here(
    tmp_path: Path, inside: Receiver, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """The check of addresses is the guard. Without TLS, because a service inside would not have a certificate."""

    async def rebound(host: str, port: int) -> list[str]:
        return ["127.0.0.1"]

    monkeypatch.setitem(webhooks.SCHEMES, "public", ("https", "http"))
    if not guarded:
        monkeypatch.setattr(webhook_client, "is_public", lambda address: True)
    sender = WebhookClient("public", rebound)
    with hall_with(tmp_path, "public", sender) as hall:
        mallory = hall.guest("Mallory")
        table = close_with_webhook(mallory, f"http://hooks.example.org:{inside.port}/admin")
        wait_for(mallory, table, "address" if guarded else "delivered")
        assert len(inside.received) == (0 if guarded else 1)


def test_a_receiver_that_redirects_leads_the_hall_to_no_service_inside(tmp_path: Path, inside: Receiver) -> None:
    """There is no guard to switch off: nothing in the client reads where a redirect leads."""
    with receiver() as outside, hall_with(tmp_path, "any") as hall:
        outside.status, outside.location = 307, inside.url
        mallory = hall.guest("Mallory")
        table = close_with_webhook(mallory, outside.url)
        wait_for(mallory, table, "status")
        assert (len(outside.received), inside.received) == (1, [])


@both_ways
def test_one_account_cannot_make_the_hall_send_without_limit(tmp_path: Path, inside: Receiver, guarded: bool) -> None:
    rates = {**FREE, "webhook": RATES["webhook"], "webhook_address": RATES["webhook_address"]} if guarded else FREE
    with hall_with(tmp_path, "any", limits=Limits(SystemClock(), dict(rates))) as hall:
        mallory, opened = hall.guest("Mallory"), 0
        for _ in range(30):
            try:
                close_with_webhook(mallory, inside.url)
                opened += 1
            except HTTPError:
                continue
        assert (opened == 30) is not guarded


class Hanging(WebhookClient):
    """Receivers that take the connection and never answer."""

    async def send(self, url: str, headers: dict[str, str], body: bytes) -> int:
        await asyncio.Event().wait()
        return 0


@both_ways
def test_receivers_that_never_answer_hold_up_nobody_who_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """Counted: the connections to them that are open at once."""
    most = deliveries.MOST_AT_ONCE
    if not guarded:
        monkeypatch.setattr(deliveries, "MOST_AT_ONCE", 10**9)
    with hall_with(tmp_path, "any", Hanging("any"), limits=Limits(SystemClock(), dict(FREE))) as hall:
        honest, mallory = hall.honest_pair(), hall.guest("Mallory")
        tables = [close_with_webhook(mallory, "http://127.0.0.1:1/") for _ in range(3 * most)]
        while (under_way := hall.call(lambda: len(hall.running.deliveries.tasks))) < (most if guarded else 3 * most):
            pass
        assert all("ok" in honest.act() for _ in range(10))
        tried = sum(mallory.get(f"/api/tables/{table}/webhook")["tries"] for table in tables)
        assert under_way == tried
        assert (tried <= most) is guarded


async def read_to_the_end(reader: asyncio.StreamReader) -> int:
    """Switches the guard off: all of an answer is read, as most clients do."""
    while await reader.read(1 << 20):
        pass
    return 200


@both_ways
def test_an_answer_without_end_costs_the_hall_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """A receiver that goes on sending is cut off behind its status: it cannot even send what it wanted to."""
    if not guarded:
        monkeypatch.setattr(webhook_client, "read_status", read_to_the_end)
    with receiver() as endless, hall_with(tmp_path, "any") as hall:
        endless.body = b"x" * (64 << 20)
        mallory = hall.guest("Mallory")
        table = close_with_webhook(mallory, endless.url)
        wait_for(mallory, table, "delivered")
    assert (endless.answered == 1) is not guarded


class Stuck(WebhookClient):
    """Mallory's receivers never answer, Ann's does at once; nobody's time is up before all webhooks are there."""

    all_there = False

    async def send(self, url: str, headers: dict[str, str], body: bytes) -> int:
        if "mallory" in url:
            while not self.all_there:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.2)
            raise deliveries.NotSent("time")
        return 204


@both_ways
def test_a_heap_of_receivers_that_hang_does_not_delay_webhooks_that_come_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """Counted: how many of Mallory's were tried before Ann's. The order in which they are claimed is the guard."""
    if not guarded:
        monkeypatch.setattr(stored, "DUE", stored.DUE.replace("due DESC", "due"))
    stuck = Stuck("any")
    with hall_with(tmp_path, "any", stuck, limits=Limits(SystemClock(), dict(FREE))) as hall:
        ann, mallory = hall.guest("Ann"), hall.guest("Mallory")
        heap = [close_with_webhook(mallory, "http://mallory.example.org/") for _ in range(12 * deliveries.MOST_AT_ONCE)]
        hers = close_with_webhook(ann, "http://ann.example.org/")
        stuck.all_there = True
        wait_for(ann, hers, "delivered")
        left = sum(mallory.get(f"/api/tables/{table}/webhook")["tries"] == 0 for table in heap)
        assert (left > 2 * deliveries.MOST_AT_ONCE) is guarded


@both_ways
def test_names_whose_server_never_answers_do_not_keep_others_from_being_looked_up(
    monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """Enough threads are the guard: before, the event loop's own few were used, which other work needs as well."""
    answer, real = threading.Event(), socket.getaddrinfo

    def look_up(host: str, port: int, **more: Any) -> Any:
        if host.startswith("silent"):
            answer.wait(60)
        return real("127.0.0.1", port, **more)

    async def attack() -> bool:
        client = WebhookClient("any", Lookups(MOST_LOOKUPS if guarded else deliveries.MOST_AT_ONCE).resolve, 0.05)
        for _ in range(4):  # a lookup goes on for several times as long as a webhook may take
            silent = (client.send(f"http://silent{i}.example.org/", {}, b"") for i in range(deliveries.MOST_AT_ONCE))
            await asyncio.gather(*silent, return_exceptions=True)
        try:
            found = await client.resolve("ann.example.org", 80)
        except deliveries.NotSent:
            return False
        await asyncio.to_thread(time.sleep, 0)  # other work has its threads
        return found == ["127.0.0.1"]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    try:
        assert asyncio.run(attack()) is guarded
    finally:
        answer.set()


def test_names_that_cannot_exist_fill_no_log_with_errors(caplog: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    """They are not sent to. There is no guard to switch off."""
    with caplog.at_level(logging.ERROR), hall_with(tmp_path, "any") as hall:
        mallory = hall.guest("Mallory")
        for name in ("a" * 64 + ".org", "a..org"):
            wait_for(mallory, close_with_webhook(mallory, f"http://{name}/"), "address")
    assert not caplog.records
