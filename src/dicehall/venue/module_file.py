"""Modules of Neverwinter Nights: an archive (ERF V1.0), of which only the areas are read.

The `nwn` package has a reader for archives, too, but it fails on a module that is described in two languages, and it
allocates whatever size a header names. All that is needed here is two tables.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import BinaryIO

from dicehall.venue.areas import DamagedArea, make_name

KINDS = (b"MOD ", b"ERF ", b"HAK ", b"NWM ")
VERSION = b"V1.0"
HEADER = struct.Struct("<4s4s9I")
KEY = struct.Struct("<16sIHH")  # name, number, type, unused
PLACE = struct.Struct("<II")  # offset, size
AREA_TYPE = 2023  # .git
MOST_ENTRIES = 100_000


class ModuleError(ValueError):
    """A file that is not a module; the sentence is for a person."""


@dataclass(frozen=True, slots=True)
class Entry:
    name: str
    offset: int
    size: int


def find_areas(file: BinaryIO, file_bytes: int) -> Sequence[Entry]:
    """The areas of a module, in its order."""
    head = file.read(HEADER.size)
    if len(head) < HEADER.size or head[:4] not in KINDS or head[4:8] != VERSION:
        raise ModuleError("it is not a module of Neverwinter Nights (MOD V1.0)")
    _, _, _, _, count, _, keys_at, places_at, *_ = HEADER.unpack(head)
    ends = (keys_at + count * KEY.size, places_at + count * PLACE.size)
    if count > MOST_ENTRIES or max(ends) > file_bytes:
        raise ModuleError("its list of files is damaged")
    keys = KEY.iter_unpack(read_at(file, keys_at, count * KEY.size))
    places = PLACE.iter_unpack(read_at(file, places_at, count * PLACE.size))
    return [
        Entry(make_name(name.rstrip(b"\0").decode("ascii", "replace")), *place)
        for (name, _, kind, _), place in zip(keys, places, strict=True)
        if kind == AREA_TYPE
    ]


def read_entry(file: BinaryIO, file_bytes: int, entry: Entry) -> bytes:
    if entry.offset + entry.size > file_bytes:
        raise DamagedArea("The area is not in the module: the file is cut short.")
    return read_at(file, entry.offset, entry.size)


def read_at(file: BinaryIO, offset: int, size: int) -> bytes:
    file.seek(offset)
    return file.read(size)
