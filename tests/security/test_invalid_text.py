"""Bytes that are not UTF-8, at every door: refused with a code, and no traceback in the log.

There is no guard to switch off: each of these must be read without an exception, wherever it stands.
"""

from __future__ import annotations

import json
import logging

import pytest
from websockets.frames import Opcode

from tests.security.live import LiveHall
from tests.security.wire import answer_to, connect, status_of, wire
from tests.server.wire import frame

BAD = b"\xff\xfe\xed\xa0\x80"
UPGRADE = b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
KEY = b"Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n"
CLOSE = b"Connection: close\r\n\r\n"
POST = b"POST /api/accounts/guest HTTP/1.1\r\nHost: 127.0.0.1\r\n"
REQUESTS = {
    "a path": b"GET /" + BAD + b" HTTP/1.1\r\n" + CLOSE,
    "an encoded path": b"GET /t/%ff%fe%ed%a0%80 HTTP/1.1\r\n" + CLOSE,
    "an encoded path of the API": b"GET /api/tables/%ff%fe%ed%a0%80 HTTP/1.1\r\n" + CLOSE,
    "an encoded path of a picture": b"GET /t/%ff%fe%ed%a0%80/qr.svg HTTP/1.1\r\n" + CLOSE,
    "a query": b"GET /api/tables?game=" + BAD + b" HTTP/1.1\r\n" + CLOSE,
    "an encoded query": b"GET /api/tables?game=%ff%fe%ed%a0%80 HTTP/1.1\r\n" + CLOSE,
    "a header": b"GET /api/games HTTP/1.1\r\nAccept: " + BAD + b"\r\n" + CLOSE,
    "a token": b"GET /api/me HTTP/1.1\r\nAuthorization: Bearer " + BAD + b"\r\n" + CLOSE,
    "a cookie": b"GET /api/me HTTP/1.1\r\nCookie: dicehall=" + BAD + b"\r\n" + CLOSE,
    "a host": b"GET /api/games HTTP/1.1\r\nHost: " + BAD + b"\r\n" + CLOSE,
    "a broken host": b"GET /nowhere/ HTTP/1.1\r\nHost: [\r\n" + CLOSE,
    "an origin": POST + b"Origin: " + BAD + b"\r\nContent-Length: 2\r\n" + CLOSE + b"{}",
    "a body": POST + b"Content-Length: 9\r\n" + CLOSE + b'{"' + BAD + b'":',
    "a name in a body": POST + b"Content-Length: 16\r\n" + CLOSE + b'{"name":"' + BAD + b'"}',
    "half a surrogate pair": POST + b"Content-Length: 17\r\n" + CLOSE + b'{"name":"\\ud800"}',
    "a method": BAD + b" / HTTP/1.1\r\n" + CLOSE,
    "the path of a socket": b"GET /ws" + BAD + b" HTTP/1.1\r\n" + UPGRADE + KEY + b"\r\n",
    "the encoded path of a socket": b"GET /ws%ff%fe HTTP/1.1\r\n" + UPGRADE + KEY + b"\r\n",
    "the key of a socket": b"GET /ws HTTP/1.1\r\n" + UPGRADE + b"Sec-WebSocket-Key: " + BAD + b"\r\n\r\n",
    "the protocol of a socket": b"GET /ws HTTP/1.1\r\n" + UPGRADE + b"Sec-WebSocket-Protocol: " + BAD + b"\r\n\r\n",
}


def tracebacks(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.exc_info or record.levelno >= logging.ERROR]


@pytest.mark.parametrize("where", REQUESTS)
def test_a_request_that_is_not_utf_8_gives_no_traceback(
    hall: LiveHall, caplog: pytest.LogCaptureFixture, where: str
) -> None:
    """There is no guard to switch off, as said above. The control is the next request, which is answered."""
    status = status_of(answer_to(connect(hall), REQUESTS[where]))
    assert status == 200 or 400 <= status < 500
    assert tracebacks(caplog) == []
    assert hall.request("GET", "/healthz") == {"ok": True}


@pytest.mark.parametrize("where", ["authorization: Bearer ", "cookie: dicehall=", "origin: ", "user-agent: "])
def test_a_socket_whose_headers_are_not_utf_8_gives_no_traceback(
    hall: LiveHall, caplog: pytest.LogCaptureFixture, where: str
) -> None:
    """There is no guard to switch off, as said above. The control is a message over the same socket."""
    if where.startswith("origin"):
        with pytest.raises(AssertionError):
            wire(hall, where + BAD.decode("latin-1"))
    else:
        assert wire(hall, where + BAD.decode("latin-1")).ask(1, do="ping")["ok"]
    assert tracebacks(caplog) == []


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (frame(BAD), 1007),
        (frame(b'"', fin=False) + frame(BAD, Opcode.CONT), 1007),
        (frame(b"\x03\xe8" + BAD, Opcode.CLOSE), 1007),
    ],
    ids=["a message", "a message in fragments", "the reason of a close frame"],
)
def test_a_frame_that_is_not_utf_8_closes_its_socket_without_a_traceback(
    hall: LiveHall, caplog: pytest.LogCaptureFixture, data: bytes, code: int
) -> None:
    """There is no guard to switch off: what is not UTF-8 cannot be read as text."""
    line = wire(hall)
    line.send(data)
    assert line.close_code() == code
    assert tracebacks(caplog) == []


@pytest.mark.parametrize("content", [BAD, b'{"id": 1, "do": "guest", "name": "\\ud800"}', b'{"id": "\\udfff"}'])
def test_a_binary_message_or_an_escape_that_is_not_text_is_answered(
    hall: LiveHall, caplog: pytest.LogCaptureFixture, content: bytes
) -> None:
    """There is no guard to switch off, as said above. The control is the next message, which is answered."""
    line = wire(hall)
    line.send(frame(content, Opcode.BINARY))
    assert json.loads(line.receive()[1])["error"]["code"] == "bad_request"
    assert line.ask(2, do="ping")["ok"]
    assert tracebacks(caplog) == []
