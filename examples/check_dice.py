"""Check the dice of a Dicehall record: python3 check_dice.py RECORD.json [SEAL]

SEAL is the seal as you saw it before the game; without it the record is only checked against itself.
This needs nothing but Python. It does not know the rules of the games: it takes the dice that were asked for and the
end of the game from the record. To have those checked too, use `dicehall replay RECORD.json --check`.
Exit codes: 0 everything agrees, 4 something does not (or there is nothing to check), 2 this cannot be read as a record.
"""

import hashlib
import hmac
import json
import re
import sys
from collections.abc import Iterator
from typing import Any

KINDS = ("roll", "move", "expired", "attend")
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


class Unreadable(Exception):
    """Not a record, or not one that this program can check."""


def need(good: bool, sentence: str) -> None:
    if not good:
        raise Unreadable(sentence)


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON. A key that appears twice is refused: readers differ in which of the two they take."""
    need(len(dict(pairs)) == len(pairs), "A key appears twice in one object.")
    return dict(pairs)


def no_number(name: str) -> None:
    raise Unreadable(f"{name} is not JSON.")


def read(text: bytes) -> Any:
    """A record of the right shape, as far as it is looked at here."""
    record = json.loads(text.decode(), object_pairs_hook=once, parse_constant=no_number)
    need(isinstance(record, dict), "A record is a JSON object.")
    json.dumps(record, ensure_ascii=False).encode()  # halves of characters are no text
    need(is_whole(record.get("dicehall")) and record["dicehall"] == 1, "This is not a record of version 1.")
    need(isinstance(record.get("game"), str), "The game is a text.")
    need(are_texts(record.get("seats")) and not any(map(CONTROL.search, record["seats"])), "The seats are names.")
    need(isinstance(record.get("entries"), list), "The entries are a list.")
    for entry in record["entries"]:
        need(isinstance(entry, dict) and sum(kind in entry for kind in KINDS) == 1, "An entry has one of its kinds.")
        need("roll" not in entry or (are_whole(entry["roll"]) and "seat" not in entry), "A roll is a list of faces.")
    if (seal := record.get("seal")) is not None:
        need(isinstance(seal, dict) and are_texts([seal.get("table"), seal.get("s0")]), "The seal has table and s0.")
        need(are_texts(seal.get("words")), "The words are a list of texts.")
    return record


def is_whole(number: Any) -> bool:
    return type(number) is int  # 6.0 and true are not


def are_whole(numbers: Any) -> bool:
    return isinstance(numbers, list) and all(map(is_whole, numbers))


def are_sides(sides: Any) -> bool:
    return are_whole(sides) and len(sides) > 0 and all(1 <= n <= 65536 for n in sides)


def are_texts(texts: Any) -> bool:
    return isinstance(texts, list) and all(isinstance(text, str) for text in texts)


def stream(secret: bytes, salt: bytes) -> Iterator[int]:
    for number in range(2**32):
        yield from hmac.digest(secret, salt + number.to_bytes(4, "big"), "sha256")


def face(stream: Iterator[int], n: int) -> int:
    values = 256 if n <= 256 else 65536
    while True:
        value = next(stream) if n <= 256 else next(stream) * 256 + next(stream)
        if value < values - values % n:  # beyond that low faces would be favoured
            return value % n + 1


def order_of(seats: int) -> list[int]:
    return list(range(seats, 1, -1))


def rolls_of(record: Any) -> Iterator[Any]:
    """Every roll as (faces, opened secret, sides), the draw of the seats first."""
    if (drawn := record["seal"].get("drawn")) is not None:
        drawn = drawn if isinstance(drawn, dict) else {}
        yield drawn.get("faces"), drawn.get("opened"), order_of(len(record["seal"]["words"]))
    rolls = [entry for entry in record["entries"] if "roll" in entry]
    for index, entry in enumerate(rolls):
        stated = entry.get("sides")
        yield entry["roll"], entry.get("opened"), sides_before(record, index, entry) if stated is None else stated


def sides_before(record: Any, index: int, entry: Any) -> list[int]:
    """Records made before sides were written down: six, but for Aetharn's order and Mana's armies."""
    game, known = record["game"], ("wards", "aetharn", "doordice", "tenthousand", "mana")
    need(game in known, "A roll does not state the sides of its dice.")
    armies = 2 if len(entry["roll"]) == 66 else 1  # both sides may have the same one
    first = {"aetharn": order_of(len(record["seats"])), "mana": [256] * 32 * armies + [4] * armies}
    return first[game] if index == 0 and game in first else [6] * len(entry["roll"])


def faults(record: Any, known: str | None) -> Iterator[str]:
    """What is wrong, in order. Only the first counts: what follows may be wrong because of it."""
    seal, number, end = record["seal"], 0, record.get("end")
    if not re.fullmatch("[0-9a-f]{64}", seal["s0"]):
        yield "The record's seal is not 64 hex digits in lower case."
    if known not in (None, seal["s0"]):
        yield f"The record's seal is {seal['s0']}, not {known}."
    if CONTROL.search(seal["table"]):
        yield "The table id holds a control character."
    if len(seal["words"]) != len(record["seats"]):
        yield f"The seal has words for {len(seal['words'])} seats, but {len(record['seats'])} play."
    lines = ["dicehall/1", seal["table"], *(words.encode().hex() for words in seal["words"])]
    salt, before = hashlib.sha256("\n".join(lines).encode()).digest(), seal["s0"]
    for number, (faces, opened, sides) in enumerate(rolls_of(record), start=1):
        if not isinstance(opened, str) or not re.fullmatch("[0-9a-f]{64}", opened):
            yield f"Roll {number} has no secret of 64 hex digits."
        if hashlib.sha256(bytes.fromhex(opened)).hexdigest() != before:
            yield f"The secret of roll {number} is not the sealed one."
        if not are_sides(sides):
            yield f"Roll {number} does not state the sides of its dice."
        bytes_ = stream(bytes.fromhex(opened), salt)
        fell = [face(bytes_, n) for n in sides]
        if not are_whole(faces) or faces != fell:
            yield f"Roll {number} shows {faces}, but the sealed dice fell {fell}."
        before = opened
    if number == 0:
        yield "There are no rolls: nothing to check."
    count = end.get("entries") if isinstance(end, dict) else None
    if end is not None and not (is_whole(count) and count == len(record["entries"])):
        yield f"The record has {len(record['entries'])} entries, but states another number at its end."


def main(path: str, known: str | None = None) -> str | None:
    with open(path, "rb") as file:
        record = read(file.read())
    if record.get("seal") is None:
        return "The record has no seal: nothing to check."
    if fault := next(faults(record, None if known is None else known.strip().lower()), None):
        return fault
    print("All rolls agree with", "the seal you gave." if known else "the record itself; give the seal you saw, too.")
    print("Words mixed in, seat by seat (yours should be among them):", json.dumps(record["seal"]["words"]))
    print("The record", "does not state" if record.get("end") is None else "states", "that the game is over.")
    return None


def run(arguments: list[str]) -> int:
    try:
        fault = main(*arguments)
    except (Unreadable, OSError, ValueError, TypeError, RecursionError) as error:
        print(f"{__doc__}\nThis cannot be read as a record: {error}", file=sys.stderr)
        return 2
    if fault:
        print(fault)
    return 4 if fault else 0


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
