"""The caller of a Dice Wards method and its arguments: the first checks of W11, before any room is read."""

from __future__ import annotations

from dicehall.hall.seeds.wards_words import Caller, Operator, RoomStatus, WardsError, Wrong


def signed_in(caller: Caller) -> None:
    if caller is None:
        raise WardsError(Wrong.UNAUTHORIZED, "Sign in first.")


def person(caller: Caller) -> str:
    signed_in(caller)
    if not isinstance(caller, str):
        raise WardsError(Wrong.UNAUTHORIZED, "Only a person can do this.")
    return caller


def operator(caller: Caller) -> None:
    if not isinstance(caller, Operator):
        raise WardsError(Wrong.UNAUTHORIZED, "Only the operator can do this.")


def text(argument: object, name: str) -> str:
    if not isinstance(argument, str):
        raise WardsError(Wrong.INVALID_STATE, f"{name} is missing or is not text.")
    return argument


def wanted_status(status: object) -> RoomStatus | None:
    if status is None:
        return None
    if not isinstance(status, str) or status not in tuple(RoomStatus):
        raise WardsError(Wrong.INVALID_STATE, f"status must be one of {', '.join(RoomStatus)}.")
    return RoomStatus(status)


def page_number(page: object) -> int:
    if page is None:
        return 0
    if not isinstance(page, int) or isinstance(page, bool) or page < 0:
        raise WardsError(Wrong.INVALID_STATE, "page must be a whole number, 0 or more.")
    return page
