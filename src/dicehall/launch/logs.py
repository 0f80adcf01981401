"""Log lines, for people on a terminal and as JSON elsewhere; never a token, a password or a secret."""

from __future__ import annotations

import logging
import re
import sys

import msgspec

QUERY = re.compile(r"\?[^\s\"]*")
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class NoQueries(logging.Filter):
    """The web server writes down which address a socket asked for: of what comes after it, nothing is kept."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name.startswith("uvicorn"):
            record.msg, record.args = QUERY.sub("?...", record.getMessage()), ()
        return True


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        told = {
            "at": round(record.created * 1000),
            "level": record.levelname.lower(),
            "from": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            told["trace"] = self.formatException(record.exc_info)
        return msgspec.json.encode(told).decode()


class TextLines(logging.Formatter):
    """``12:30:05 warning: table x is frozen``. What a client sent cannot move the cursor or colour the screen."""

    def __init__(self, time: str = "%H:%M:%S") -> None:
        super().__init__("{asctime} {levelname}: {message}", datefmt=time, style="{")

    def format(self, record: logging.LogRecord) -> str:
        shown = logging.makeLogRecord({**record.__dict__, "levelname": record.levelname.lower()})
        return CONTROL.sub("?", super().format(shown))


def set_up_logs(level: str, form: str | None = None) -> None:
    """In *form* ``text`` or ``json``; without one, text where a person reads along."""
    form = form or ("text" if sys.stderr.isatty() else "json")
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(TextLines() if form == "text" else JsonLines())
    handler.addFilter(NoQueries())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    logging.getLogger("uvicorn.access").disabled = True
    logging.getLogger("uvicorn").setLevel(web_server_level(level, form))


def web_server_level(level: str, form: str) -> int:
    """Its debug lines hold headers and messages, tokens among them; its steps and sockets say nothing to a person."""
    least = logging.WARNING if form == "text" and level != "debug" else logging.INFO
    return max(least, logging.getLevelNamesMapping()[level.upper()])
