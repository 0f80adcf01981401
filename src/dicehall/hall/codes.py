"""Why the hall says no to a person."""

from __future__ import annotations

from enum import StrEnum

from dicehall.core.game import Refused


class Code(StrEnum):
    NOT_SIGNED_IN = "not_signed_in"
    NOT_ALLOWED = "not_allowed"
    WRONG_PASSWORD = "wrong_password"
    NO_SUCH_ACCOUNT = "no_such_account"
    NAME_TAKEN = "name_taken"
    BAD_REQUEST = "bad_request"
    NOT_FOUND = "not_found"


def bad(sentence: str) -> Refused:
    return Refused(Code.BAD_REQUEST, sentence)
