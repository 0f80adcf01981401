"""Check the dice of a Dicehall record: python3 check_dice.py RECORD.json [SEAL]

SEAL is the seal as you saw it before the game; without it the record is only checked against itself.
This needs nothing but Python. It knows no rules and takes the number of dice from the record; to have that
checked too, use `dicehall replay RECORD.json --check`. Exit codes: 0 agrees, 4 does not, 2 cannot be read.
"""

import hashlib
import hmac
import json
import re
import sys
from collections.abc import Iterator
from typing import Any


def stream(secret: bytes, salt: bytes) -> Iterator[int]:
    for number in range(2**32):
        yield from hmac.digest(secret, salt + number.to_bytes(4, "big"), "sha256")


def face(stream: Iterator[int], n: int) -> int:
    values = 256 if n <= 256 else 65536
    while True:
        value = next(stream) if n <= 256 else next(stream) * 256 + next(stream)
        if value < values - values % n:  # beyond that low faces would be favoured
            return value % n + 1


def rolls_of(record: Any) -> Iterator[Any]:
    """Every roll as (faces, opened secret, sides). All dice have six sides, but for draws and Mana's armies."""
    if drawn := record["seal"].get("drawn"):  # who sits where was roll 1
        yield drawn["faces"], drawn.get("opened"), range(len(record["seal"]["words"]), 1, -1)
    rolls = [entry for entry in record["entries"] if "roll" in entry]
    armies = 2 if rolls and len(rolls[0]["roll"]) == 66 else 1
    firsts = {"aetharn": range(len(record["seats"]), 1, -1), "mana": [256] * 32 * armies + [4] * armies}
    for number, entry in enumerate(rolls):
        sides = firsts.get(record["game"]) if number == 0 else None
        yield entry["roll"], entry.get("opened"), sides or [6] * len(entry["roll"])


def faults(record: Any, known: str | None) -> Iterator[str]:
    """What is wrong, in order. Only the first counts: what follows may be wrong because of it."""
    seal, number = record["seal"], 0
    if known not in (None, seal["s0"]):
        yield f"The record's seal is {seal['s0']}, not {known}."
    if re.search(r"[\x00-\x1f\x7f-\x9f]", seal["table"]):
        yield "The table id holds a control character."
    lines = ["dicehall/1", seal["table"], *(words.encode().hex() for words in seal["words"])]
    salt, before = hashlib.sha256("\n".join(lines).encode()).digest(), seal["s0"]
    for number, (faces, opened, sides) in enumerate(rolls_of(record), start=1):
        if not re.fullmatch("[0-9a-f]{64}", str(opened)):
            yield f"Roll {number} has no secret of 64 hex digits."
        if hashlib.sha256(bytes.fromhex(opened)).hexdigest() != before:
            yield f"The secret of roll {number} is not the sealed one."
        bytes_ = stream(bytes.fromhex(opened), salt)
        fell = [face(bytes_, n) for n in sides]
        if json.dumps(faces) != json.dumps(fell):
            yield f"Roll {number} shows {faces}, but the sealed dice fell {fell}."
        before = opened
    if number == 0:
        yield "There are no rolls: nothing to check."


def main(path: str, known: str | None = None) -> str | None:
    with open(path, encoding="utf-8") as file:
        record = json.load(file)
    if record["dicehall"] != 1:
        raise ValueError("a version of records that is not known here")
    if "seal" not in record:
        return "The record has no seal: nothing to check."
    if fault := next(faults(record, known and known.strip().lower()), None):
        return fault
    print("All rolls agree with", "the seal you gave." if known else "the record itself; give the seal you saw, too.")
    print("Words mixed in, seat by seat (yours should be among them):", json.dumps(record["seal"]["words"]))
    return None


if __name__ == "__main__":
    try:
        fault = main(*sys.argv[1:])
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        print(f"{__doc__}\nThis cannot be read as a record: {error!r}", file=sys.stderr)
        sys.exit(2)
    if fault:
        print(fault)
        sys.exit(4)
