"""Somebody begins the daily challenge many times at once."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from urllib.error import HTTPError

import pytest

from dicehall.launch.wiring import SystemClock
from dicehall.server.limits import Limits, Rate
from dicehall.server.parts import ServerParts
from tests.security.live import Guest, LiveHall, both_ways, live_hall
from tests.security.wire import answer_to, connect
from tests.server.doors import FREE

CHALLENGE = "/api/challenge/wards"
AT_ONCE = 8


def begin_at_once(hall: LiveHall, guest: Guest) -> list[str]:
    """The tables that one guest is given by requests that all arrive in the same moment."""
    head = f"POST {CHALLENGE} HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer {guest.token}\r\nConnection: close\r\n"
    lines = [connect(hall) for _ in range(AT_ONCE)]
    with hall.stalled():
        for line in lines:
            line.sendall(f"{head}Content-Length: 2\r\n\r\n{{}}".encode())
    answers = [json.loads(answer_to(line, b"").partition(b"\r\n\r\n")[2]) for line in lines]
    return [answer["id"] for answer in answers if "id" in answer]


@both_ways
def test_one_person_cannot_use_up_the_attempts_of_everybody_at_their_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """A request that was sent several times at once began one attempt, but counted as several of its address."""
    if not guarded:
        monkeypatch.setattr(ServerParts, "turn_of", lambda self, account: asyncio.Lock())
    limits = Limits(SystemClock(), {**FREE, "challenge_address": Rate(burst=AT_ONCE, per_second=0.001)})
    with live_hall(tmp_path, limits=limits) as hall:
        assert len(set(begin_at_once(hall, hall.guest("Mallory")))) == 1
        if guarded:
            assert hall.guest("Ann").post(CHALLENGE, {})["phase"] == "playing"
        else:
            with pytest.raises(HTTPError, match="429"):
                hall.guest("Ann").post(CHALLENGE, {})
