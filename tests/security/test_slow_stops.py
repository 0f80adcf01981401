"""Clients that take for ever when the hall is asked to stop."""

from __future__ import annotations

import asyncio
import logging
import socket
from pathlib import Path
from typing import Any

import pytest

from dicehall.launch import listening
from dicehall.server import app
from dicehall.server.sockets import Sockets
from dicehall.table.slices import Slices, asking
from tests.security.journals import write_long_table
from tests.security.live import WAIT_S, both_ways, live_hall
from tests.server.wire import frame, shake_hands

FOR_EVER = 10**6
UPLOAD = b"POST /api/replay HTTP/1.1\r\nHost: here\r\nContent-Length: 4000\r\n\r\n{"
ANSWERS = b"GET /docs HTTP/1.1\r\nHost: here\r\n\r\n" * 16
MESSAGE = frame(b'{"id": 1, "do": "ping"}')
RECORD = b"GET /api/tables/long/record HTTP/1.1\r\nHost: here\r\n\r\n"


@pytest.fixture(autouse=True)
def in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "FINISH_S", 0.05)
    monkeypatch.setattr(listening, "STOP_S", 1)


async def never_answer(self: Sockets, *_: Any) -> None:
    await asyncio.Event().wait()


async def never_pause(self: Slices) -> None:
    if asking.get():
        await asyncio.Event().wait()


def stop_meanwhile(folder: Path, sent: bytes) -> None:
    """A hall that starts and stops, with a client that sends this and then neither reads nor sends anything."""
    with socket.socket() as line:
        line.settimeout(WAIT_S)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        with live_hall(folder) as hall:
            line.connect(("127.0.0.1", hall.port))
            if sent is MESSAGE:
                shake_hands(line, hall.port)
            line.sendall(sent)
            hall.request("GET", "/healthz")  # by now the bytes above were read


def has_traceback(caplog: pytest.LogCaptureFixture) -> bool:
    return any(record.exc_info for record in caplog.records)


@both_ways
@pytest.mark.parametrize("sent", [UPLOAD, MESSAGE], ids=["half an upload", "a request that is never answered"])
def test_a_client_that_takes_for_ever_leaves_no_traceback_when_the_hall_stops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, sent: bytes, guarded: bool
) -> None:
    """Its request was cancelled by the web server, which logged that as an error with twenty lines of code."""
    monkeypatch.setattr(Sockets, "do", never_answer)
    if not guarded:
        monkeypatch.setattr(listening, "FINISH_S", FOR_EVER)
        monkeypatch.setattr(Sockets, "stopped", property(lambda _: False, lambda *_: None))
    with caplog.at_level(logging.ERROR):
        stop_meanwhile(tmp_path, sent)
    assert has_traceback(caplog) is not guarded


def test_a_client_that_never_reads_its_answers_does_not_keep_the_hall_from_stopping(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Not tried without its guard: closing the event loop of this process would wait for the client."""
    with caplog.at_level(logging.ERROR):
        stop_meanwhile(tmp_path, ANSWERS)
    assert not has_traceback(caplog)


@both_ways
def test_a_record_that_is_not_put_together_yet_leaves_no_traceback_when_the_hall_stops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, guarded: bool
) -> None:
    """A flood of them waited for their turns: each was cancelled with sixty lines in the log."""
    monkeypatch.setattr(Slices, "pause", never_pause)
    if not guarded:
        monkeypatch.setattr(app, "unless_gone", lambda request, work: work)
    write_long_table(tmp_path, "long", 20)
    with caplog.at_level(logging.ERROR):
        stop_meanwhile(tmp_path, RECORD)
    assert has_traceback(caplog) is not guarded
