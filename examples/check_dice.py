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
FIRST_GAMES = ("wards", "aetharn", "doordice", "tenthousand", "mana")  # recorded before sides were written down
MOST_LEVELS = 100  # of objects and lists inside each other
MOST_DIGITS = 15  # of a whole number: every reader of JSON reads as many exactly
NOT_WHOLE = 0.5
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


def whole(digits: str) -> float:
    return int(digits) if len(digits.lstrip("-")) <= MOST_DIGITS else NOT_WHOLE


def check_levels(record: Any) -> None:
    """How deep a reader of JSON can go differs, so all stop at the same depth."""
    inside = [record]
    for _ in range(MOST_LEVELS):
        values = [value for outer in inside for value in (outer.values() if isinstance(outer, dict) else outer)]
        inside = [value for value in values if isinstance(value, dict | list)]
    need(not inside, "This document is nested too deeply.")


def read(text: bytes) -> Any:
    """A record of the right shape, as far as it is looked at here."""
    record = json.loads(text.decode(), object_pairs_hook=once, parse_int=whole, parse_constant=no_number)
    need(isinstance(record, dict), "A record must be a JSON object.")
    check_levels(record)
    json.dumps(record, ensure_ascii=False).encode()  # halves of characters are no text
    need(is_whole(record.get("dicehall")) and record["dicehall"] == 1, "This is not a record of version 1.")
    need(isinstance(record.get("game"), str), "The game must be text.")
    need(are_texts(record.get("seats")) and not any(map(CONTROL.search, record["seats"])), "The seats must be names.")
    need(isinstance(record.get("entries"), list), "The entries must be a list.")
    for entry in record["entries"]:
        need(
            isinstance(entry, dict) and sum(kind in entry for kind in KINDS) == 1,
            "An entry must have exactly one kind.",
        )
        need(
            "roll" not in entry or (are_whole(entry["roll"]) and "seat" not in entry), "A roll must be a list of faces."
        )
    if record.get("seal") is not None:
        check_shape(record["seal"])
    origins, before = record.get("origins"), 0
    need(origins is None or isinstance(origins, list), "The origins must be a list.")
    for origin in origins or []:
        need(isinstance(origin, dict) and is_whole(origin.get("entries")), "An origin must state its entries.")
        need(before <= origin["entries"] <= len(record["entries"]), "The origins must be in order, within the entries.")
        check_shape(origin.get("seal"))
        before = origin["entries"]
    if record.get("seal") is not None:
        check_stated(record)
        check_seated(record)
    return record


def check_stated(record: Any) -> None:
    older = record["game"] in FIRST_GAMES and record["seal"].get("challenge") is None
    stated = all(entry.get("sides") is not None for entry in record["entries"] if "roll" in entry)
    need(older or stated, "A roll does not state the sides of its dice.")


def check_seated(record: Any) -> None:
    """The dice of a daily challenge are counted by the turns of the seats."""
    if record["seal"].get("challenge") is None:
        return
    for entry in record["entries"]:
        known = "roll" in entry or (is_whole(entry.get("seat")) and 0 <= entry["seat"] < len(record["seats"]))
        need(known, "A seat must be the number of a player.")


def check_shape(seal: Any) -> None:
    need(isinstance(seal, dict) and are_texts([seal.get("table"), seal.get("s0")]), "The seal must have table and s0.")
    need(are_texts(seal.get("words")), "The words must be a list of strings.")
    later = [seal[key] for key in ("challenge", "opened") if seal.get(key) is not None]
    need(are_texts(later), "The day of a challenge and its secret must be texts.")


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


def parts_of(record: Any) -> Iterator[Any]:
    """Every seal with the entries that were rolled with it: those of games it was continued from, then its own."""
    begin = 0
    for origin in record.get("origins") or []:
        yield origin["seal"], range(begin, origin["entries"])
        begin = origin["entries"]
    yield record["seal"], range(begin, len(record["entries"]))


def rolls_of(record: Any, seal: Any, part: range) -> Iterator[Any]:
    """Every roll of a part as (faces, opened secret, sides), the draw of the seats first."""
    if (drawn := seal.get("drawn")) is not None:
        drawn = drawn if isinstance(drawn, dict) else {}
        yield drawn.get("faces"), drawn.get("opened"), order_of(len(seal["words"]))
    rolls = [(at, entry) for at, entry in enumerate(record["entries"]) if "roll" in entry]
    for index, (at, entry) in enumerate(rolls):
        stated = entry.get("sides")
        if at in part:
            yield entry["roll"], entry.get("opened"), sides_before(record, index, entry) if stated is None else stated


def sides_before(record: Any, index: int, entry: Any) -> list[int]:
    """Records made before sides were written down: six, but for Aetharn's order and Mana's armies."""
    game = record["game"]
    armies = 2 if len(entry["roll"]) == 66 else 1  # both sides may have the same one
    first = {"aetharn": order_of(len(record["seats"])), "mana": [256] * 32 * armies + [4] * armies}
    return first[game] if index == 0 and game in first else [6] * len(entry["roll"])


def challenge_rolls(record: Any) -> Iterator[Any]:
    """Every roll of a daily challenge as (faces, salt, sides). The salt names the roll in the turn of a seat."""
    seat, turn, rolls, turns = 0, 0, 0, dict[int, int]()
    for entry in record["entries"]:
        if "roll" in entry:
            rolls += 1
            lines = ["dicehall/challenge", record["seal"]["challenge"], record["game"], *map(str, (seat, turn, rolls))]
            yield entry["roll"], hashlib.sha256("\n".join(lines).encode()).digest(), entry.get("sides")
        elif "attend" not in entry and (turn == 0 or entry["seat"] != seat):
            seat, rolls = entry["seat"], 0
            turn = turns[seat] = turns.get(seat, 0) + 1


def challenge_faults(record: Any) -> Iterator[str]:
    """What is wrong with the dice of a daily challenge: one secret for all of them, opened the day after."""
    seal = record["seal"]
    if not re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", seal["challenge"]) or any(seal["words"]):
        yield "A challenge must name its day, and no words are mixed into its dice."
    if seal.get("drawn") is not None:
        yield "The seats of a challenge are not drawn."
    if not re.fullmatch("[0-9a-f]{64}", seal.get("opened") or ""):
        yield "The secret of the day is not in this record: it is opened the day after."
    secret = bytes.fromhex(seal["opened"])
    if hashlib.sha256(secret).hexdigest() != seal["s0"]:
        yield "The secret of the day is not the sealed one."
    for number, (faces, salt, sides) in enumerate(challenge_rolls(record), start=1):
        if not are_sides(sides):
            yield f"Roll {number} does not state the sides of its dice."
        bytes_ = stream(secret, salt)
        fell = [face(bytes_, n) for n in sides]
        if faces != fell:
            yield f"Roll {number} shows {faces}, but the sealed dice fell {fell}."


def faults(record: Any, known: str | None) -> Iterator[str]:
    """What is wrong, in order. Only the first counts: what follows may be wrong because of it."""
    end, drawn = record.get("end"), False
    for seal, part in parts_of(record):
        yield from faults_of(record, seal, rolls_of(record, seal, part), known if seal is record["seal"] else None)
        drawn = drawn or seal.get("drawn") is not None
    if not drawn and not any("roll" in entry for entry in record["entries"]):
        yield "There are no rolls: nothing to check."
    count = end.get("entries") if isinstance(end, dict) else None
    if end is not None and not (is_whole(count) and count == len(record["entries"])):
        yield f"The record has {len(record['entries'])} entries, but states a different number at its end."


def faults_of(record: Any, seal: Any, rolls: Any, known: str | None) -> Iterator[str]:
    """What is wrong with the rolls of one seal."""
    if not re.fullmatch("[0-9a-f]{64}", seal["s0"]):
        yield "The record's seal is not 64 hex digits in lower case."
    if known not in (None, seal["s0"]):
        yield f"The record's seal is {seal['s0']}, not {known}."
    if CONTROL.search(seal["table"]):
        yield "The table id contains a control character."
    if len(seal["words"]) != len(record["seats"]):
        yield f"The seal has words for {len(seal['words'])} seats, but {len(record['seats'])} play."
    if seal.get("challenge") is not None and record.get("origins"):
        yield "A daily challenge is never continued."
    yield from chain_faults(seal, rolls) if seal.get("challenge") is None else challenge_faults(record)


def chain_faults(seal: Any, rolls: Any) -> Iterator[str]:
    """What is wrong with the dice of any other table: each roll opens the next secret of the chain."""
    lines = ["dicehall/1", seal["table"], *(words.encode().hex() for words in seal["words"])]
    salt, before = hashlib.sha256("\n".join(lines).encode()).digest(), seal["s0"]
    for number, (faces, opened, sides) in enumerate(rolls, start=1):
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
