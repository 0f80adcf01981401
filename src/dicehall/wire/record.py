"""The record: one document in which any game leaves the program and comes back."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from dicehall.core.game import AnyGame
from dicehall.core.house import BadRule, Extra, check_edition, check_seats, rules_of, with_rules
from dicehall.games import Catalogue
from dicehall.wire.actions import codec_of
from dicehall.wire.decode_errors import describe
from dicehall.wire.documents import read_document as read_document
from dicehall.wire.entries import Logged, decode_entry, encode_entry, is_whole
from dicehall.wire.errors import Invalid

VERSION = 1


@dataclass(frozen=True, slots=True)
class Seal:
    """What checks the dice of a record: see docs/sealed-dice.md."""

    table: str
    s0: str
    words: tuple[str, ...]
    drawn: Any = None  # where seats were drawn: {"faces", "opened"}
    challenge: str | None = None  # the day of a daily challenge
    opened: str | None = None  # the secret of that day, once it is opened


@dataclass(frozen=True, slots=True)
class Origin:
    """An earlier game that this one plays on from: its seal, and how many entries had been played when it ended."""

    entries: int
    seal: Seal


@dataclass(frozen=True, slots=True)
class Record:
    """A game's header, and its entries as they were written: each is read when its turn comes."""

    game: AnyGame
    names: tuple[str, ...]
    entries: tuple[Any, ...] = ()
    seal: Seal | None = None
    table: tuple[Any, ...] = field(default=())  # acts of the table, which replay skips
    end: Any = None  # of a finished game: {"entries"}, how many there are
    origins: tuple[Origin, ...] = ()  # earlier games, whose dice the first entries were rolled with

    def logged(self) -> Iterator[Logged]:
        """The entries in order; a malformed one is refused where it stands."""
        codec, last_at = codec_of(type(self.game)), None
        for document in self.entries:
            logged = decode_entry(codec, document, last_at)
            last_at = last_at if logged.at is None else logged.at
            yield logged

    def chairs(self) -> tuple[int, ...]:
        """The chair of each seat, by which acts of the table name people."""
        started = (act for act in self.table if isinstance(act, dict) and act.get("act") == "started")
        order = next((act.get("order") for act in started), None)
        good = isinstance(order, list) and len(order) == len(self.names) and all(map(is_whole, order))
        return tuple(order) if isinstance(order, list) and good else tuple(range(len(self.names)))

    def with_entry(self, logged: Logged) -> Record:
        return replace(self, entries=(*self.entries, encode_entry(codec_of(type(self.game)), logged)))


def read_record(text: bytes, games: Catalogue) -> Record:
    """A record from its bytes; the header is checked here, the entries when they are replayed."""
    return parse_record(read_document(text), games)


def parse_record(document: object, games: Catalogue) -> Record:
    if not isinstance(document, dict):
        raise Invalid("malformed", "", "A record must be a JSON object.")
    if not is_whole(version := required(document, "dicehall")):
        raise Invalid("malformed", "dicehall", "The version of a record must be a whole number.")
    if version != VERSION:
        raise Invalid("unknown_version", "dicehall", f"This version of Dicehall reads records of version {VERSION}.")
    game = read_game(document, games)
    names = read_names(document, game)
    entries = required(document, "entries")
    if not isinstance(entries, list):
        raise Invalid("malformed", "entries", "The entries must be a list.")
    table = document.get("table")
    acts = tuple(table) if isinstance(table, list) else ()
    seal, origins = read_seal(document.get("seal")), read_origins(document.get("origins"), len(entries))
    return Record(game, names, tuple(entries), seal, acts, document.get("end"), origins)


def required(document: dict[str, Any], name: str) -> Any:
    if name not in document:
        raise Invalid("malformed", name, f"A record must have {name!r}.")
    return document[name]


def read_game(document: dict[str, Any], games: Catalogue) -> AnyGame:
    key = required(document, "game")
    if not isinstance(key, str) or key not in games:
        raise Invalid("unknown_game", "game", f"Unknown game. The games are {', '.join(games)}.")
    kind = games[key]
    edition, rules = read_edition(document, kind), document.get("rules", {})
    if not isinstance(rules, dict):
        raise Invalid("malformed", "rules", "The rules must be an object of house rules.")
    extras = {name: extra for name, extra in extras_of(kind).items() if document.get(name) is not None}
    usual = {name: number for extra in extras.values() for name, number in extra.rules.items()}
    try:
        game = with_rules(kind, {**usual, **rules}, edition)
    except BadRule as bad:
        raise Invalid(bad.code, f"rules.{bad.name}", bad.sentence) from None
    return read_extras(game, document, extras)


def read_edition(document: dict[str, Any], kind: type[Any]) -> int | None:
    """The edition of the rules that a record was written by; None where it does not say."""
    edition: Any = document.get("edition")
    if not is_whole(edition):
        return None
    try:
        check_edition(kind, edition)
    except BadRule as bad:
        raise Invalid(bad.code, bad.name, bad.sentence) from None
    return int(edition)


def extras_of(kind: type[Any]) -> Mapping[str, Extra]:
    extras: Mapping[str, Extra] = getattr(kind, "header", {})
    return extras


def read_extras(game: Any, document: dict[str, Any], extras: Mapping[str, Extra]) -> AnyGame:
    """What else a game keeps in the header, by the names it declares itself."""
    for name, extra in extras.items():
        try:
            game = replace(game, **{name: msgspec.convert(document[name], extra.type)})
        except (msgspec.ValidationError, RecursionError) as wrong:
            raise Invalid("malformed", name, describe(wrong, f"`{name}`")) from None
        except ValueError as wrong:  # a sentence of the game itself
            raise Invalid("malformed", name, f"{str(wrong).rstrip('.')}.") from None
    return game  # type: ignore[no-any-return]  # a catalogue holds classes of Any


def read_names(document: dict[str, Any], game: AnyGame) -> tuple[str, ...]:
    names = required(document, "seats")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise Invalid("malformed", "seats", "The seats must be a list of names.")
    for seat, name in enumerate(names):
        if any(unicodedata.category(character) == "Cc" for character in name):
            raise Invalid("malformed", f"seats[{seat}]", "A name cannot contain control characters.")
    try:
        check_seats(game, len(names))
    except BadRule as bad:
        raise Invalid(bad.code, "seats", bad.sentence) from None
    return tuple(names)


def read_seal(document: object) -> Seal | None:
    if document is None:
        return None
    try:
        return msgspec.convert(document, Seal)
    except (msgspec.ValidationError, RecursionError) as wrong:
        raise Invalid("malformed", "seal", describe(wrong, "The seal")) from None


def read_origins(document: object, entries: int) -> tuple[Origin, ...]:
    if document is None:
        return ()
    try:
        origins = msgspec.convert(document, tuple[Origin, ...])
    except (msgspec.ValidationError, RecursionError) as wrong:
        raise Invalid("malformed", "origins", describe(wrong, "The origins")) from None
    counts = [origin.entries for origin in origins]
    if counts != sorted(counts) or not all(is_whole(count) and 0 <= count <= entries for count in counts):
        raise Invalid("malformed", "origins", "The origins must be in order and end within the entries.")
    return origins


def write_record(record: Record) -> dict[str, Any]:
    """A record as the document it is kept in, house rules written out in full."""
    document: dict[str, Any] = {"dicehall": VERSION, "game": record.game.key, "edition": record.game.edition}
    document["rules"] = rules_of(record.game)
    for name in extras_of(type(record.game)):
        if (kept := getattr(record.game, name)) is not None:
            document[name] = msgspec.to_builtins(kept)
    document["seats"] = list(record.names)
    if record.seal:
        document["seal"] = write_seal(record.seal)
    if record.origins:
        document["origins"] = [write_origin(origin) for origin in record.origins]
    if record.table:
        document["table"] = list(record.table)
    if record.end is not None:
        document["end"] = record.end
    document["entries"] = list(record.entries)
    return document


def write_seal(seal: Seal) -> dict[str, Any]:
    return {name: value for name, value in msgspec.to_builtins(seal).items() if value is not None}


def write_origin(origin: Origin) -> dict[str, Any]:
    return {"entries": origin.entries, "seal": write_seal(origin.seal)}


def record_text(record: Record) -> bytes:
    """A record for a file: one line per entry, so that people and diffs can read it."""
    return text_of_document(write_record(record))


def text_of_document(document: dict[str, Any]) -> bytes:
    entries = document.pop("entries")
    head = msgspec.json.encode(document)[:-1].decode()
    lines = ",\n  ".join(msgspec.json.encode(entry).decode() for entry in entries)
    return f'{head},\n "entries": [\n  {lines}\n ]}}\n'.encode() if entries else f'{head},\n "entries": []}}\n'.encode()
