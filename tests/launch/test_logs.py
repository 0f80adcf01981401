"""Log lines: text for people, JSON for programs, and no secret in either."""

from __future__ import annotations

import json
import logging
import re
import sys
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


def test_on_a_terminal_a_line_is_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    set_up_logs("info", "text")
    logging.getLogger("dicehall.launch").warning("table %s is frozen", "abc")
    logging.getLogger("uvicorn.error").info("Started server process [1]")
    assert re.fullmatch(r"\d\d:\d\d:\d\d warning: table abc is frozen\n", capsys.readouterr().err)


def test_what_a_client_sent_cannot_colour_a_terminal_or_move_its_cursor(capsys: pytest.CaptureFixture[str]) -> None:
    set_up_logs("info", "text")
    logging.getLogger("uvicorn.error").warning('"WebSocket /ws\x1b[2J\x9b31m\rx" rejected')
    assert '"WebSocket /ws?[2J?31m?x" rejected\n' in capsys.readouterr().err


@pytest.mark.parametrize("terminal", [True, False])
def test_lines_are_text_on_a_terminal_and_json_elsewhere(
    terminal: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal, raising=False)
    set_up_logs("info")
    logging.getLogger("dicehall.launch").error("x")
    line = capsys.readouterr().err
    assert line.startswith("{") is not terminal


def test_json_can_be_asked_for_on_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    set_up_logs("info", "json")
    logging.getLogger("dicehall.launch").error("x")
    assert json.loads(capsys.readouterr().err)["message"] == "x"
