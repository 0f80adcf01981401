"""What goes back over a socket: every request has an answer, whatever became of it."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import msgspec

from dicehall.core.game import Refused
from dicehall.server.errors import show_error, show_refusal
from dicehall.table.coming import Answer
from dicehall.table.ports import JournalError
from dicehall.table.requests import Code

log = logging.getLogger("dicehall.sockets")

encode = msgspec.json.Encoder().encode


def acted(re: Any, answered: asyncio.Future[Answer], language: str) -> bytes:
    """The answer to a move; its update comes to everybody by itself, so that is only its number."""
    try:
        return encode({"re": re, "ok": {"n": answered.result().n}})
    except Exception as trouble:
        return failed(re, trouble, language)


def failed(re: Any, trouble: Exception, language: str) -> bytes:
    """What is answered where something was refused, or broke."""
    match trouble:
        case Refused():
            return encode({"re": re, **show_refusal(trouble, language)})
        case JournalError():
            sentence = str(trouble) or "The database is not responding."
            return encode({"re": re, **show_error(Code.STORE_UNAVAILABLE, sentence, language)})
    log.error("a socket request failed", exc_info=trouble)
    return encode(
        {"re": re, **show_error("internal", "Something went wrong on our side. The error was logged.", language)}
    )
