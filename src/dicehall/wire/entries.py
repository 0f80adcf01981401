"""The entries of a record: what is written down for each thing that happened to a game."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from dicehall.core.game import Attend, Entry, Expired, Move, Presence, Roll, Seat
from dicehall.wire.actions import ActionCodec
from dicehall.wire.errors import malformed

KINDS = ("roll", "move", "expired", "attend")
PRESENCES = {presence.value: presence for presence in Presence}


class Logged(Struct, frozen=True):
    """An entry as a record holds it: with its time, and for dice their sides and the secret behind them."""

    entry: Entry[Any]
    at: int | None = None
    opened: str | None = None
    sides: Any = None  # of the dice, as the record states them; a replay takes them from the rules


def encode_entry(codec: ActionCodec, logged: Logged) -> dict[str, Any]:
    document = encode_bare(codec, logged.entry)
    if logged.sides is not None:
        document["sides"] = list(logged.sides)
    if logged.opened is not None:
        document["opened"] = logged.opened
    if logged.at is not None:
        document["at"] = logged.at
    return document


def encode_bare(codec: ActionCodec, entry: Entry[Any]) -> dict[str, Any]:
    if isinstance(entry, Roll):  # most entries are rolls and moves, and a match takes three times as long
        return {"roll": list(entry.faces)}
    if isinstance(entry, Move):
        return {"seat": entry.seat, "move": codec.encode(entry.action)}
    if isinstance(entry, Expired):
        return {"seat": entry.seat, "expired": True}
    return {"seat": entry.seat, "attend": entry.presence.value}


def decode_entry(codec: ActionCodec, document: object, last_at: int | None = None) -> Logged:
    """Read an entry, or refuse it as malformed; a move that no game knows is left to the rules."""
    if not isinstance(document, dict):
        raise malformed("An entry must be an object.")
    kinds = [kind for kind in KINDS if kind in document]
    if len(kinds) != 1:
        raise malformed(f"An entry must have exactly one of {', '.join(KINDS)}.")
    kind = kinds[0]
    at = read_at(document.get("at"), last_at)
    if kind == "roll":
        return Logged(read_roll(document), at, read_opened(document.get("opened")), document.get("sides"))
    return Logged(read_seated(codec, kind, document), at)


def read_seated(codec: ActionCodec, kind: str, document: dict[str, Any]) -> Entry[Any]:
    seat = document.get("seat")
    if not isinstance(seat, int) or isinstance(seat, bool):
        raise malformed("A seat must be a whole number.")
    told = document[kind]
    if kind == "move":
        return Move(Seat(seat), codec.decode(told))
    if kind == "expired":
        if told is not True:
            raise malformed("expired must be true.")
        return Expired(Seat(seat))
    if not isinstance(told, str) or told not in PRESENCES:
        raise malformed("attend must be here, away or gone.")
    return Attend(Seat(seat), PRESENCES[told])


def read_roll(document: dict[str, Any]) -> Roll:
    faces = document["roll"]
    if "seat" in document:
        raise malformed("A roll takes no seat: its dice belong to the seat whose turn it is.")
    if not isinstance(faces, list) or not all(is_whole(face) for face in faces):
        raise malformed("A roll must be a list of whole numbers.")
    return Roll(tuple(faces))


def read_at(at: object, last_at: int | None) -> int | None:
    if at is None:
        return None
    if not isinstance(at, int) or not is_whole(at):
        raise malformed("at must be a time in whole milliseconds.")
    if last_at is not None and at < last_at:
        raise malformed("at cannot go back in time.")
    return at


def read_opened(opened: object) -> str | None:
    if opened is not None and not isinstance(opened, str):
        raise malformed("opened must be the secret as hex digits.")
    return opened


def is_whole(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool)
