"""Every change that is tried on honest records; the name of each says what it changes.

A change is a function of a record (and chance) that changes it in place and returns None, or returns its whole text.
It returns False where a record has nothing of the kind to change.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from enum import Enum
from random import Random
from typing import Any

from dicehall.core.house import house_rules
from tests.laws.playing import GAMES

Record = dict[str, Any]
Change = Callable[[Record, Random], "str | bool | None"]


class Wanted(Enum):
    CAUGHT = "every checker refuses it"
    ACCEPTED = "no checker minds: it is not promised"
    RULES = "only a checker that knows the rules refuses it; the others need not"
    UNSTATED = "only a checker that knows the rules can check it; the others refuse it"


CHANGES: list[tuple[Wanted, Change]] = []


def change(wanted: Wanted) -> Callable[[Change], Change]:
    def listed(function: Change) -> Change:
        CHANGES.append((wanted, function))
        return function

    return listed


def rolls(record: Record) -> list[Record]:
    return [entry for entry in record["entries"] if "roll" in entry]


def default_rules(record: Record) -> dict[str, int | None]:
    return {rule.name: rule.default for rule in house_rules(GAMES[record["game"]])}


def other_digit(text: str, chance: Random) -> str:
    """The text with one hex digit changed."""
    at = chance.randrange(len(text))
    return f"{text[:at]}{int(text[at], 16) ^ chance.randint(1, 15):x}{text[at + 1 :]}"


caught, accepted = change(Wanted.CAUGHT), change(Wanted.ACCEPTED)
rules, unstated = change(Wanted.RULES), change(Wanted.UNSTATED)
NOT_WHOLE: list[Any] = [6.0, 1.0, True, "6", None, [6], 1.5]


def a_roll(record: Record, chance: Random) -> Record:
    return chance.choice(rolls(record))


def with_raw(record: Record, holder: Any, key: Any, raw: str) -> str:
    """The record's text with something at a place that the JSON writer would not write."""
    holder[key] = "RAW"
    return json.dumps(record).replace('"RAW"', raw)


def with_lists(record: Record, levels: int) -> str:
    """The record's text with lists inside each other under a key that nobody knows."""
    return with_raw(record, record, "comment", "[" * levels + "]" * levels)


# --- the header of the seal


@caught
def a_digit_of_the_seal(record: Record, chance: Random) -> None:
    record["seal"]["s0"] = other_digit(record["seal"]["s0"], chance)


@caught
def the_seal_in_capitals(record: Record, chance: Random) -> None:
    record["seal"]["s0"] = record["seal"]["s0"].upper()


@caught
def the_length_of_the_seal(record: Record, chance: Random) -> None:
    record["seal"]["s0"] = chance.choice(["", record["seal"]["s0"][:-2], record["seal"]["s0"] + "00", "0x00"])


@caught
def the_table(record: Record, chance: Random) -> None:
    record["seal"]["table"] += chance.choice(["x", " ", "\n", "\u0085", "1"])


@caught
def a_letter_of_the_words(record: Record, chance: Random) -> None:
    seat = chance.randrange(len(record["seal"]["words"]))
    record["seal"]["words"][seat] += chance.choice("abc \n\u200b")


@caught
def the_order_of_the_words(record: Record, chance: Random) -> None:
    record["seal"]["words"].reverse()


@caught
def the_number_of_the_words(record: Record, chance: Random) -> None:
    chance.choice([record["seal"]["words"].pop, lambda: record["seal"]["words"].append("")])()


@caught
def words_moved_into_the_table_id(record: Record, chance: Random) -> None:
    record["seal"]["table"] += "\n" + record["seal"]["words"].pop(0).encode().hex()


@caught
def the_shape_of_the_seal(record: Record, chance: Random) -> None:
    where = chance.choice(["seal", "table", "s0", "words", "one seat's words"])
    wrongs: list[Any] = [None, 7, [], True]
    wrong = chance.choice(wrongs)
    if where == "seal":
        record["seal"] = wrong
    elif where == "one seat's words":
        record["seal"]["words"][0] = wrong
    else:
        record["seal"][where] = {"words": wrong} if where == "words" else wrong


@caught
def the_seal_left_out(record: Record, chance: Random) -> None:
    del record["seal"]


@caught
def the_seal_emptied(record: Record, chance: Random) -> None:
    record["seal"] = None


@caught
def the_seal_under_another_name(record: Record, chance: Random) -> None:
    record["SEAL"] = record.pop("seal")


@caught
def the_seal_as_a_number_that_is_not_whole(record: Record, chance: Random) -> str:
    return with_raw(record, record, "seal", chance.choice(["1e+300", "6.0"]))


# --- the games that it was continued from


@caught
def a_digit_of_an_earlier_seal(record: Record, chance: Random) -> bool | None:
    if "origins" not in record:
        return False
    seal = record["origins"][0]["seal"]
    seal["s0"] = other_digit(seal["s0"], chance)
    return None


@caught
def the_end_of_an_earlier_game(record: Record, chance: Random) -> bool | None:
    """One roll more or less belongs to the earlier seal."""
    if "origins" not in record:
        return False
    origin = record["origins"][0]
    rolls_at = [at for at, entry in enumerate(record["entries"]) if "roll" in entry]
    later = next(at for at in rolls_at if at >= origin["entries"])
    origin["entries"] = chance.choice([later + 1, max(at for at in rolls_at if at < origin["entries"])])
    return None


@caught
def no_earlier_games(record: Record, chance: Random) -> bool | None:
    return None if record.pop("origins", None) else False


@caught
def origins_that_are_none(record: Record, chance: Random) -> bool | None:
    if "origins" not in record:
        return False
    record["origins"] = chance.choice([{}, "x", [1], [{"entries": 1}], [{**record["origins"][0], "entries": -1}]])
    return None


@caught
def an_end_beyond_the_entries(record: Record, chance: Random) -> bool | None:
    if "origins" not in record:
        return False
    record["origins"][0]["entries"] = len(record["entries"]) + 1
    return None


@caught
def an_earlier_end_that_is_no_whole_number(record: Record, chance: Random) -> bool | None:
    if "origins" not in record:
        return False
    record["origins"][0]["entries"] = chance.choice([8.0, True, "8", None])
    return None


# --- the draw of the seats


@caught
def a_face_of_the_draw(record: Record, chance: Random) -> bool | None:
    if "drawn" not in record["seal"]:
        return False
    faces = record["seal"]["drawn"]["faces"]
    at = chance.randrange(len(faces))
    faces[at] = chance.choice([faces[at] % 5 + 1, float(faces[at]), 0, -1, str(faces[at])])
    return None


@caught
def the_secret_of_the_draw(record: Record, chance: Random) -> bool | None:
    if "drawn" not in record["seal"]:
        return False
    drawn = record["seal"]["drawn"]
    drawn["opened"] = chance.choice([other_digit(drawn["opened"], chance), drawn["opened"].upper(), None, 7])
    return None


@caught
def the_draw_itself(record: Record, chance: Random) -> None:
    """Left out, emptied, or made up."""
    drawn = record["seal"].pop("drawn", None)
    if drawn is None:
        record["seal"]["drawn"] = chance.choice([{}, [], 0, False, {"faces": [], "opened": record["seal"]["s0"]}])
    elif chance.random() < 0.5:
        record["seal"]["drawn"] = chance.choice([{}, {**drawn, "faces": []}, {"faces": drawn["faces"]}, 7])


# --- the dice


@caught
def a_face(record: Record, chance: Random) -> None:
    roll = a_roll(record, chance)
    at = chance.randrange(len(roll["roll"]))
    roll["roll"][at] = roll["roll"][at] % roll["sides"][at] + 1


@caught
def a_face_that_no_die_has(record: Record, chance: Random) -> None:
    roll = a_roll(record, chance)
    roll["roll"][0] = chance.choice([0, -1, roll["sides"][0] + 1, roll["roll"][0] + roll["sides"][0], 2**70])


@caught
def a_face_that_is_not_a_whole_number(record: Record, chance: Random) -> None:
    a_roll(record, chance)["roll"][0] = chance.choice(NOT_WHOLE)


@caught
def a_face_written_as_another_number(record: Record, chance: Random) -> str:
    faces = a_roll(record, chance)["roll"]
    raws = [f"{faces[0]}.0", f"{faces[0]}e0", f"{faces[0]}0e-1", f"0{faces[0]}", f"+{faces[0]}", "NaN", "Infinity"]
    return with_raw(record, faces, 0, chance.choice(raws))


@caught
def an_emptied_roll(record: Record, chance: Random) -> None:
    a_roll(record, chance)["roll"] = []


@caught
def an_emptied_roll_with_emptied_sides(record: Record, chance: Random) -> None:
    a_roll(record, chance).update(roll=[], sides=[])


@caught
def all_rolls_emptied(record: Record, chance: Random) -> None:
    for roll in rolls(record):
        roll.update(roll=[], sides=[])


@caught
def a_die_less(record: Record, chance: Random) -> None:
    a_roll(record, chance)["roll"].pop()


@caught
def a_die_more(record: Record, chance: Random) -> None:
    a_roll(record, chance)["roll"].append(1)


@caught
def the_order_of_the_dice(record: Record, chance: Random) -> bool | None:
    mixed = [roll for roll in rolls(record) if roll["roll"] != roll["roll"][::-1]]
    if not mixed:
        return False
    chance.choice(mixed)["roll"].reverse()
    return None


@caught
def a_roll_of_a_wrong_shape(record: Record, chance: Random) -> None:
    a_roll(record, chance)["roll"] = chance.choice([None, 6, "6", {}, {"0": 6}])


# --- the sides of the dice


@caught
def sides_that_are_no_sides(record: Record, chance: Random) -> None:
    a_roll(record, chance)["sides"] = chance.choice([[], 6, "6", {}, True, [0], [-6], [65537], ["6"], [None]])


@caught
def sides_that_are_not_whole_numbers(record: Record, chance: Random) -> None:
    roll = a_roll(record, chance)
    roll["sides"][0] = chance.choice([float(roll["sides"][0]), True, str(roll["sides"][0])])


@caught
def one_side_less_die(record: Record, chance: Random) -> None:
    roll = a_roll(record, chance)
    roll["sides"] = roll["sides"][:-1]


@caught
def sides_below_the_face(record: Record, chance: Random) -> bool | None:
    high = [roll for roll in rolls(record) if roll["roll"][0] > 1]
    if not high:
        return False
    roll = chance.choice(high)
    roll["sides"] = [roll["roll"][0] - 1, *roll["sides"][1:]]
    return None


@caught
def sides_that_are_one_number_that_is_not_whole(record: Record, chance: Random) -> str:
    return with_raw(record, a_roll(record, chance), "sides", chance.choice(["6.0", "-0.0", "6e0"]))


# --- the secrets


@caught
def a_digit_of_a_secret(record: Record, chance: Random) -> None:
    roll = a_roll(record, chance)
    roll["opened"] = other_digit(roll["opened"], chance)


@caught
def a_secret_in_another_form(record: Record, chance: Random) -> None:
    roll = a_roll(record, chance)
    secret = roll["opened"]
    roll["opened"] = chance.choice([secret.upper(), secret[:-2], secret + "00", f" {secret}", f"{secret}\n", ""])


@caught
def a_secret_that_is_missing(record: Record, chance: Random) -> None:
    roll = a_roll(record, chance)
    del roll["opened"]
    wrongs: list[Any] = ["left out", None, 7, [], True]
    if (wrong := chance.choice(wrongs)) != "left out":
        roll["opened"] = wrong


@caught
def the_secret_of_another_roll(record: Record, chance: Random) -> None:
    first, last = rolls(record)[0], rolls(record)[-1]
    first["opened"], last["opened"] = last["opened"], first["opened"]
    if first is last:
        first["opened"] = record["seal"]["s0"]


# --- the entries


@caught
def a_roll_left_out(record: Record, chance: Random) -> None:
    record["entries"].remove(a_roll(record, chance))


@caught
def a_roll_repeated(record: Record, chance: Random) -> None:
    at = record["entries"].index(a_roll(record, chance))
    record["entries"].insert(at, dict(record["entries"][at]))


@caught
def two_rolls_in_another_order(record: Record, chance: Random) -> bool | None:
    places = [at for at, entry in enumerate(record["entries"]) if "roll" in entry]
    if len(places) < 2:
        return False
    i, j = chance.sample(places, 2)
    record["entries"][i], record["entries"][j] = record["entries"][j], record["entries"][i]
    return None


@caught
def the_last_entry_left_out(record: Record, chance: Random) -> None:
    record["entries"].pop()


@caught
def the_end_cut_off(record: Record, chance: Random) -> None:
    del record["entries"][chance.randrange(len(record["entries"])) :]


@caught
def an_entry_added_after_the_end(record: Record, chance: Random) -> None:
    record["entries"].append(dict(chance.choice(record["entries"])))


@caught
def what_else_an_entry_is(record: Record, chance: Random) -> None:
    """A roll that is also a move, belongs to a seat, or is nothing at all."""
    roll = a_roll(record, chance)
    roll.update(chance.choice([{"move": "roll"}, {"expired": True}, {"attend": "away"}, {"seat": 0}]))


@caught
def an_entry_of_a_wrong_shape(record: Record, chance: Random) -> None:
    at = chance.randrange(len(record["entries"]))
    record["entries"][at] = chance.choice([None, 7, [], "roll", {}, {"seat": 0}])


@caught
def the_shape_of_the_entries(record: Record, chance: Random) -> None:
    record["entries"] = chance.choice([None, {}, "roll", 7, []])
    if record["entries"] == [] and "drawn" in record["seal"]:
        record["entries"] = None


@caught
def the_number_of_entries_at_the_end(record: Record, chance: Random) -> None:
    count = record["end"]["entries"]
    record["end"]["entries"] = chance.choice([count + 1, count - 1, 0, -count, float(count), True, str(count), None])


@caught
def the_shape_of_the_end(record: Record, chance: Random) -> None:
    record["end"] = chance.choice([{}, [], True, False, 0, len(record["entries"]), "over", [len(record["entries"])]])


@caught
def the_end_as_a_number_that_is_not_whole(record: Record, chance: Random) -> str:
    return with_raw(record, record, "end", chance.choice(["6.0", "-0.0", "1e300"]))


# --- the document


@caught
def the_version(record: Record, chance: Random) -> None:
    record["dicehall"] = chance.choice([0, 2, 1.0, True, "1", None, [1]])


@caught
def a_header_left_out(record: Record, chance: Random) -> None:
    del record[chance.choice(["dicehall", "game", "seats", "entries"])]


@caught
def the_shape_of_the_seats(record: Record, chance: Random) -> None:
    seats = record["seats"]
    wrongs = [None, {}, len(seats), "ann", seats[1:], [*seats, "one more"], [7, *seats[1:]], ["a\nb", *seats[1:]]]
    record["seats"] = chance.choice(wrongs)


@caught
def a_key_that_appears_twice(record: Record, chance: Random) -> str:
    text = json.dumps(record)
    key = chance.choice(["dicehall", "game", "seats", "seal", "table", "s0", "words", "roll", "opened", "end", "sides"])
    places = [at for at in range(len(text)) if text.startswith(f'"{key}": ', at)]
    at = chance.choice(places)
    return f'{text[:at]}"{key}": {chance.choice(["1", "[6]", "null"])}, {text[at:]}'


@caught
def a_key_that_appears_twice_in_other_letters(record: Record, chance: Random) -> str:
    return json.dumps(record).replace('"roll": ', '"\\u0072oll": [1], "roll": ', 1)


@caught
def text_that_is_not_json(record: Record, chance: Random) -> str:
    text = json.dumps(record)
    torn = text[: chance.randrange(len(text))]
    return chance.choice(
        [torn, f"{text}}}", f"{text} 1", text[:-1] + ",}", f"\ufeff{text}", text.replace('"', "'"), ""]
    )


@caught
def a_document_that_is_not_an_object(record: Record, chance: Random) -> str:
    return chance.choice([json.dumps([record]), "null", "7", '"record"', "[]", "{}", "true"])


@caught
def half_a_character(record: Record, chance: Random) -> str:
    return with_raw(record, chance.choice([record["seats"], record["seal"]["words"]]), 0, '"a\\ud800"')


@caught
def lists_that_are_nested_too_deeply(record: Record, chance: Random) -> str:
    return with_lists(record, chance.choice([100, 3000]))


@caught
def a_face_of_thousands_of_digits(record: Record, chance: Random) -> str:
    return with_raw(record, a_roll(record, chance)["roll"], 0, "9" * 5000)


# --- what is not promised


@accepted
def a_name(record: Record, chance: Random) -> None:
    record["seats"][chance.randrange(len(record["seats"]))] = chance.choice(["Bob", "", "würfel", "\u200b", "a" * 99])


@accepted
def the_order_of_the_names(record: Record, chance: Random) -> None:
    record["seats"].reverse()


@accepted
def a_rule_at_its_default(record: Record, chance: Random) -> None:
    usual = {name: value for name, value in default_rules(record).items() if name not in record["rules"]}
    name = chance.choice(sorted(usual))
    record["rules"] = {**record["rules"], name: usual[name]}


@accepted
def keys_that_nobody_knows(record: Record, chance: Random) -> None:
    where = chance.choice([record, record["seal"], record["end"], chance.choice(record["entries"])])
    where["comment"] = chance.choice(["hello", None, 1.5, [1, {"roll": []}], {"seal": 1}])


@accepted
def lists_that_are_nested_as_deeply_as_may_be(record: Record, chance: Random) -> str:
    return with_lists(record, 99)


@accepted
def a_number_of_thousands_of_digits_that_nobody_reads(record: Record, chance: Random) -> str:
    return with_raw(record, record, "comment", chance.choice(["9" * 5000, "-" + "9" * 5000, "1e999"]))


@accepted
def times(record: Record, chance: Random) -> None:
    for at, entry in enumerate(record["entries"]):
        entry["at"] = 1_700_000_000_000 + at


@accepted
def what_happened_at_the_table(record: Record, chance: Random) -> None:
    record["table"] = [{"n": 1, "at": 5, "act": "opened", "s0": "0" * 64}]


@accepted
def the_layout(record: Record, chance: Random) -> str:
    if chance.random() < 0.5:
        return json.dumps(record, indent=chance.choice([0, 1, 4]), ensure_ascii=False) + "\n"
    return json.dumps(dict(reversed(record.items())), separators=(",", ":"))


@accepted
def an_end_that_is_not_stated(record: Record, chance: Random) -> None:
    del record["end"]
    if chance.random() < 0.3:
        record["end"] = None


@accepted
def a_game_that_is_shown_up_to_here(record: Record, chance: Random) -> None:
    """The end cut off, and nothing that says it was there: as of a game that still runs."""
    del record["end"]
    first = next(at for at, entry in enumerate(record["entries"]) if "roll" in entry)
    del record["entries"][chance.randrange(first + 1, len(record["entries"])) :]


@accepted
def sides_left_out_as_older_records_do(record: Record, chance: Random) -> bool | None:
    if record["game"] == "piglet":
        return False
    for roll in rolls(record) if chance.random() < 0.5 else [a_roll(record, chance)]:
        del roll["sides"]
    return None


@accepted
def a_draw_of_nothing(record: Record, chance: Random) -> bool | None:
    if "drawn" in record["seal"]:
        return False
    record["seal"]["drawn"] = None
    return None


# --- what only the rules know


@rules
def a_die_and_its_sides_left_out(record: Record, chance: Random) -> bool | None:
    several = [roll for roll in rolls(record) if len(roll["roll"]) > 1]
    if not several:
        return False
    roll = chance.choice(several)
    roll["roll"].pop()
    roll["sides"] = roll["sides"][:-1]
    return None


@rules
def other_sides(record: Record, chance: Random) -> None:
    roll = a_roll(record, chance)
    roll["sides"] = [roll["sides"][0] + chance.choice([1, 6, 300]), *roll["sides"][1:]]


@rules
def an_earlier_end(record: Record, chance: Random) -> None:
    first = next(at for at, entry in enumerate(record["entries"]) if "roll" in entry)
    del record["entries"][chance.randrange(first + 1, len(record["entries"])) :]
    record["end"]["entries"] = len(record["entries"])


@rules
def a_move_that_is_no_move(record: Record, chance: Random) -> None:
    moves = [entry for entry in record["entries"] if "move" in entry]
    chance.choice(moves).update(chance.choice([{"seat": 9}, {"move": "cheat"}, {"seat": "ann"}]))


@rules
def a_game_or_rule_that_nobody_knows(record: Record, chance: Random) -> None:
    record.update(chance.choice([{"game": "chess"}, {"rules": {"luck": 7}}, {"edition": 999}, {"rules": 7}]))


@unstated
def sides_left_out_of_a_game_of_other_dice(record: Record, chance: Random) -> bool | None:
    if record["game"] != "piglet":
        return False
    del a_roll(record, chance)["sides"]
    return None
