"""Area files of Neverwinter Nights: the GFF structure ``GIT ``, in its binary form or as the JSON that tools make.

The binary form is read by the `nwn` package. Its reader trusts offsets and counts, and a small file can name the same
megabyte a million times over, so `check_sizes` first adds up what reading would take.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any

import msgspec

from dicehall.venue.areas import (
    LONGEST_TAG,
    Area,
    DamagedArea,
    Placeable,
    Trigger,
    check_count,
    make_position,
    make_trigger,
)

MISSING_PACKAGE = (
    "Reading .mod and .git files needs the nwn package, which is not installed. "
    "Install it with: pip install 'dicehall[nwn]'. A venue file or *.git.json files need nothing more."
)
KIND = b"GIT "
VERSION = b"V3.2"
HEADER = struct.Struct("<4s4s12I")
ENTRY = struct.Struct("<III")
WORD = struct.Struct("<I")
LABEL_BYTES = 16
LOCALIZED_KIND, LIST_KIND, MOST_KIND = 12, 15, 15
TEXT_KINDS = frozenset({10, LOCALIZED_KIND})
QUESTION_MARKS = bytes(byte if byte < 128 else ord("?") for byte in range(256))
SIZED_KINDS = TEXT_KINDS | {13}  # strings, localized strings and blobs begin with their length
MOST_LANGUAGES = 32  # of one text: six languages, male and female
MOST_WORDS = 3_000_000  # that are read of one area


def has_package() -> bool:
    return find_spec("nwn") is not None


def read_binary(name: str, data: bytes) -> Area:
    check_sizes(data)
    from nwn import gff  # an extra

    try:
        try:
            root, _ = gff.read(io.BytesIO(data))
        except UnicodeDecodeError:
            root, _ = gff.read(io.BytesIO(with_ascii_texts(data)))
    except DamagedArea:
        raise
    except Exception as error:  # whatever a foreign parser raises about bytes that a stranger wrote
        raise DamagedArea(f"The area cannot be read ({type(error).__name__}).") from None
    return area_of(name, root)


def with_ascii_texts(data: bytes) -> bytes:
    """The same file with question marks in its texts, which are in another code page than this machine's."""
    fields, values_at = parts_of(data)[1], HEADER.unpack_from(data)[8]
    plain, changed = bytearray(data), 0
    for kind, _, where in ENTRY.iter_unpack(fields):
        if kind in TEXT_KINDS:
            start = values_at + where + WORD.size
            end = start + word_at(data, values_at + where)
            plain[start:end] = ascii_only(kind, data[start:end])
            changed += end - start
        if changed > len(data):
            raise DamagedArea("The file has the same text in several places.")
    return bytes(plain)


def ascii_only(kind: int, text: bytes) -> bytes:
    """A text, or several in different languages, each after its number and its length."""
    if kind != LOCALIZED_KIND:
        return text.translate(QUESTION_MARKS)
    at, plain = 2 * WORD.size, bytearray(text)
    for _ in range(word_at(text, WORD.size)):
        start = at + 2 * WORD.size
        at = start + word_at(text, at + WORD.size)
        plain[start:at] = text[start:at].translate(QUESTION_MARKS)
    return bytes(plain)


def read_json(name: str, data: bytes) -> Area:
    try:
        root = msgspec.json.decode(data)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        raise DamagedArea("The file is not valid JSON.") from None
    if not is_area_json(root):
        raise DamagedArea("The JSON does not describe an area.")
    return area_of(name, JsonFields(root))


def is_area_json(root: object) -> bool:
    return isinstance(root, dict) and root.get("__data_type") == KIND.decode()


class JsonFields(Mapping[str, Any]):
    """A structure in JSON, where a value is ``{"type": ..., "value": ...}``, read as if it were in binary form."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self.fields = fields

    def __getitem__(self, label: str) -> Any:
        wrapped = self.fields[label]
        if not isinstance(wrapped, dict) or "value" not in wrapped:
            raise KeyError(label)
        value = wrapped["value"]
        return list(map(unwrapped, value)) if isinstance(value, list) else value

    def __iter__(self) -> Any:
        return iter(self.fields)

    def __len__(self) -> int:
        return len(self.fields)


def unwrapped(value: object) -> object:
    return JsonFields(value) if isinstance(value, dict) else value


# -- from fields to an area -------------------------------------------------------------------------------


def area_of(name: str, root: Mapping[str, Any]) -> Area:
    triggers, placeables = structures(root, "TriggerList"), structures(root, "Placeable List")
    check_count(len(triggers), len(placeables))
    return Area(name, tuple(map(trigger_of, triggers)), tuple(map(placeable_of, placeables)))


def structures(fields: Mapping[str, Any], label: str) -> Sequence[Mapping[str, Any]]:
    """A list of structures, which is empty where the file has none."""
    found = fields.get(label, [])
    if not isinstance(found, list) or not all(isinstance(one, Mapping) for one in found):
        raise DamagedArea(f"{label} is not a list.")
    return found


def placeable_of(fields: Mapping[str, Any]) -> Placeable:
    x, y, z = (number(fields, axis) for axis in ("X", "Y", "Z"))
    return Placeable(tag_of(fields), make_position(x, y, z))


def trigger_of(fields: Mapping[str, Any]) -> Trigger:
    x, y, z = (number(fields, f"{axis}Position") for axis in ("X", "Y", "Z"))
    corners = [
        (number(point, "PointX"), number(point, "PointY"), number(point, "PointZ"))
        for point in structures(fields, "Geometry")
    ]
    return make_trigger(tag_of(fields), make_position(x, y, z), corners)


def tag_of(fields: Mapping[str, Any]) -> str:
    tag = fields.get("Tag", "")
    if not isinstance(tag, str) or len(tag) > LONGEST_TAG:
        raise DamagedArea("An object has a tag that is not a short string.")
    return str(tag)


def number(fields: Mapping[str, Any], label: str) -> float:
    value = fields.get(label)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise DamagedArea(f"An object has no {label}.")
    return float(value) if abs(value) < 1e9 else float("inf")


# -- how much there is to read ----------------------------------------------------------------------------


def check_sizes(data: bytes) -> None:
    """Refuse a file whose parts are not in it, or whose structures name more than it can hold."""
    structs, fields, values, indices, lists = parts_of(data)
    costs = [cost_of(kind, where, values, lists) for kind, _, where in ENTRY.iter_unpack(fields)]
    most = min(MOST_WORDS, len(data))  # no word is counted twice in a sound file, and a word is four bytes
    words = 0
    for _, where, count in ENTRY.iter_unpack(structs):
        words += count
        if words <= most:
            words += sum(costs[index] for index in fields_of(where, count, indices) if index < len(costs))
        if words > most:
            raise DamagedArea("The area names more values than the file can hold.")


def parts_of(data: bytes) -> tuple[bytes, bytes, bytes, Sequence[int], bytes]:
    """Structures, fields, values, indices of fields, and lists; the labels are short."""
    if len(data) < HEADER.size:
        raise DamagedArea("The file is too short for an area.")
    kind, version, *sizes = HEADER.unpack_from(data)
    if kind != KIND or version != VERSION:
        raise DamagedArea("The file is not an area of Neverwinter Nights (GIT V3.2).")
    units = (ENTRY.size, ENTRY.size, LABEL_BYTES, 1, 1, 1)
    parts = [(sizes[2 * n], sizes[2 * n + 1] * unit) for n, unit in enumerate(units)]
    if any(offset + size > len(data) for offset, size in parts):
        raise DamagedArea("The file is cut short.")
    structs, fields, _, values, indices, lists = (data[offset : offset + size] for offset, size in parts)
    return structs, fields, values, struct.unpack_from(f"<{len(indices) // WORD.size}I", indices), lists


def fields_of(where: int, count: int, indices: Sequence[int]) -> Sequence[int]:
    if count == 1:
        return (where,)
    return indices[where // WORD.size : where // WORD.size + count]


def cost_of(kind: int, where: int, values: bytes, lists: bytes) -> int:
    """How many words reading one field takes."""
    if kind > MOST_KIND:
        raise DamagedArea("The file has a value of an unknown kind.")
    if kind == LIST_KIND:
        return word_at(lists, where - where % WORD.size)
    if kind not in SIZED_KINDS:
        return 1
    size = word_at(values, where)
    if where + size > len(values):
        raise DamagedArea("The file has a text that is longer than the file.")
    if kind == LOCALIZED_KIND:
        check_localized(values[where : where + WORD.size + size])
    return 1 + size // WORD.size


def check_localized(text: bytes) -> None:
    """The texts in several languages fill the length that they declare."""
    at, count = 3 * WORD.size, word_at(text, 2 * WORD.size)
    for _ in range(min(count, MOST_LANGUAGES + 1)):
        at += 2 * WORD.size + word_at(text, at + WORD.size)
    if count > MOST_LANGUAGES or at > len(text):
        raise DamagedArea("The file has a text that is longer than it says.")


def word_at(data: bytes, where: int) -> int:
    if where + WORD.size > len(data):
        raise DamagedArea("The file points outside of itself.")
    return int(WORD.unpack_from(data, where)[0])
