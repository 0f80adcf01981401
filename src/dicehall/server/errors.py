"""What a refusal looks like over HTTP: one status per code, and always a code and a sentence in a person's language."""

from __future__ import annotations

from typing import Any

import msgspec
from starlette.responses import Response

from dicehall.core.game import Refused
from dicehall.server.languages import translated
from dicehall.wire.languages import ENGLISH

STATUS = {
    "not_signed_in": 401,
    "not_allowed": 403,
    "wrong_password": 403,
    "no_such_table": 404,
    "no_such_account": 404,
    "not_found": 404,
    "method_not_allowed": 405,
    "table_full": 409,
    "already_seated": 409,
    "seat_taken": 409,
    "not_seated": 409,
    "too_few_seats": 409,
    "already_started": 409,
    "name_taken": 409,
    "too_large": 413,
    "bad_request": 422,
    "rate_limited": 429,
    "internal": 500,
    "shutting_down": 503,
    "store_unavailable": 503,
    "bot_unavailable": 503,
}
RULES = 409  # whatever else: the rules said no


def status_of(code: str) -> int:
    return STATUS.get(code, RULES)


def show_error(code: str, message: str, language: str = ENGLISH, **more: Any) -> dict[str, Any]:
    if code == "rate_limited":
        more.setdefault("retry_after", 1)
    return {"error": {"code": code, "message": translated(message, language), **more}}


def show_refusal(refused: Refused, language: str = ENGLISH) -> dict[str, Any]:
    return show_error(str(refused.code), refused.sentence, language, **refused.more)


def error_response(code: str, message: str, language: str = ENGLISH, **more: Any) -> Response:
    shown = show_error(code, message, language, **more)
    again = shown["error"].get("retry_after")
    headers = None if again is None else {"retry-after": str(again)}
    return Response(msgspec.json.encode(shown), status_of(code), headers, media_type="application/json")


def refusal_response(refused: Refused, language: str = ENGLISH) -> Response:
    return error_response(str(refused.code), refused.sentence, language, **refused.more)
