"""Logs as lines of JSON: what happened, when, and what went with it; never a token, a password or a secret."""

from __future__ import annotations

import logging
import re
import sys

import msgspec

QUERY = re.compile(r"\?[^\s\"]*")


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


def set_up_logs(level: str) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    handler.addFilter(NoQueries())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    logging.getLogger("uvicorn.access").disabled = True
    if logging.getLogger().level < logging.INFO:  # it would write down headers and messages, tokens among them
        logging.getLogger("uvicorn").setLevel(logging.INFO)
