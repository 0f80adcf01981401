"""No secret gets into the log through the web server's own lines."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator

import pytest

from dicehall.launch.logs import set_up_logs

LOGGERS = ("", "uvicorn", "uvicorn.access", "uvicorn.error")


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    found = [logging.getLogger(name) for name in LOGGERS]
    kept = [(one.level, one.disabled, one.handlers[:]) for one in found]
    yield
    for one, (level, disabled, handlers) in zip(found, kept, strict=True):
        one.setLevel(level)
        one.disabled, one.handlers = disabled, handlers


def test_the_query_of_a_socket_is_not_written_down(capsys: pytest.CaptureFixture[str]) -> None:
    set_up_logs("info")
    logging.getLogger("uvicorn.error").info('%s - "WebSocket %s" [accepted]', "1.2.3.4:5", "/ws?token=s3cret&x=1")
    line = json.loads(capsys.readouterr().err)
    assert line["message"] == '1.2.3.4:5 - "WebSocket /ws?..." [accepted]'


def test_headers_and_messages_of_sockets_are_not_written_down_at_any_level(capsys: pytest.CaptureFixture[str]) -> None:
    set_up_logs("debug")
    logging.getLogger("uvicorn.error").debug("< Authorization: Bearer s3cret")
    logging.getLogger("dicehall.x").debug("mine")
    assert [json.loads(line)["message"] for line in capsys.readouterr().err.splitlines()] == ["mine"]
