"""Reading a record: its header, the shape of its entries, and the order in which refusals are found."""

import re
from typing import Any

from .aetharn import Aetharn
from .doordice import DoOrDice
from .mana import Mana
from .table import No, Table, is_whole
from .tenthousand import TenThousand
from .wards import Wards

GAMES: dict[str, type[Table]] = {
    "wards": Wards,
    "aetharn": Aetharn,
    "tenthousand": TenThousand,
    "doordice": DoOrDice,
    "mana": Mana,
}
SEATS = {"wards": (2, 2), "aetharn": (2, 6), "tenthousand": (2, 12), "doordice": (5, 5), "mana": (2, 2)}
HOUSE_RULES: dict[str, dict[str, int | None]] = {
    "wards": {"goal": 100, "turn_seconds": 30},
    "aetharn": {"goal": 5000, "turn_seconds": 30, "grace_seconds": 60, "hot_dice": 1},
    "tenthousand": {"goal": 10_000, "opening": 1000, "turn_seconds": None},
    "doordice": {"hp": 20, "rounds": 6, "elimination_vp": 2, "survival_vp": 1, "turn_seconds": None},
    "mana": {"rounds": 5, "round_seconds": 300, "match_seconds": 1800, "same_army": 1, "fight_once": 1},
}
SWITCHES = {"same_army", "fight_once"}  # M15
MAY_BE_ZERO = {"elimination_vp", "survival_vp", "hot_dice", "opening"} | SWITCHES
MOST = 1_000_000_000
KINDS = ["roll", "move", "expired", "attend"]


class Invalid(Exception):
    """The header cannot be read."""


def replay(document: object) -> dict[str, Any]:
    """The state a record leads to, or where and why it was refused."""
    try:
        table = open_table(document)
    except Invalid:
        return {"invalid": {"code": "malformed"}}
    assert isinstance(document, dict)
    clock = Clock()
    for index, entry in enumerate(document["entries"]):
        try:
            feed(table, entry, clock)
        except No as no:
            return {"refused": {"index": index, "code": no.code}} | answer(table)
    return answer(table)


def answer(table: Table) -> dict[str, Any]:
    return {"over": table.over, "state": table.state()}


# The header


def open_table(document: object) -> Table:
    if not isinstance(document, dict):
        raise Invalid
    version, game = document.get("dicehall"), document.get("game")
    if not is_whole(version) or version != 1 or not isinstance(game, str) or game not in GAMES:
        raise Invalid
    if not isinstance(document.get("entries"), list):
        raise Invalid
    count = count_seats(game, document.get("seats"))
    rules = read_rules(game, document.get("rules", {}))
    if game == "mana":
        return open_mana(document, rules | read_switches(document, rules))
    return GAMES[game](count, rules)


def count_seats(game: str, names: object) -> int:
    fewest, most = SEATS[game]
    if not isinstance(names, list) or not fewest <= len(names) <= most:
        raise Invalid
    if not all(isinstance(name, str) for name in names):
        raise Invalid
    return len(names)


def read_rules(game: str, given: object) -> dict[str, Any]:
    if not isinstance(given, dict) or not set(given) <= set(HOUSE_RULES[game]):
        raise Invalid
    for name, value in given.items():
        if name == "turn_seconds" and value is None:
            continue
        most = 1 if name in SWITCHES else MOST
        if not is_whole(value) or not (0 if name in MAY_BE_ZERO else 1) <= value <= most:
            raise Invalid
    return HOUSE_RULES[game] | given


def read_switches(document: dict[str, Any], rules: dict[str, Any]) -> dict[str, Any]:
    """M15: off in matches over Nostr and in records of the first edition that do not name them."""
    edition = document.get("edition", 2)
    if is_whole(edition) and edition not in (1, 2):
        raise Invalid
    named = document.get("rules", {})
    old = edition == 1 or "match" in document
    return {name: 0 if old and name not in named else rules[name] for name in SWITCHES}


def open_mana(document: dict[str, Any], rules: dict[str, Any]) -> Table:
    if rules["fight_once"] and rules["rounds"] > 8:
        raise Invalid
    if "match" not in document:
        return Mana(2, rules)
    if rules["same_army"] or rules["fight_once"]:
        raise Invalid
    return Mana(2, rules, read_match(document["match"]))


def read_match(match: object) -> str:
    """M8: a name of its own, and two players who are not the same."""
    if not isinstance(match, dict):
        raise Invalid
    name, players = match.get("id"), match.get("players")
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z0-9._-]{1,64}", name):
        raise Invalid
    if not isinstance(players, list) or len(players) != 2 or not all(isinstance(player, str) for player in players):
        raise Invalid
    if players[0] == players[1]:
        raise Invalid
    return name


# The entries


class Clock:
    """The latest `at` seen so far."""

    def __init__(self) -> None:
        self.latest: int | None = None

    def allows(self, at: Any) -> bool:
        if at is None:
            return True
        return is_whole(at) and (self.latest is None or at >= self.latest)


def feed(table: Table, entry: object, clock: Clock) -> None:
    """One entry happens to the table, or `No` is raised and nothing happened."""
    if not isinstance(entry, dict) or not well_shaped(entry) or not clock.allows(entry.get("at")):
        raise No("malformed")
    if table.over:
        raise No("game_finished")
    if "roll" in entry:
        throw(table, entry["roll"])
    else:
        act(table, entry)
    if entry.get("at") is not None:
        clock.latest = entry["at"]


def well_shaped(entry: dict[str, Any]) -> bool:
    kinds = [kind for kind in KINDS if kind in entry]
    if len(kinds) != 1:
        return False
    value = entry[kinds[0]]
    if kinds == ["roll"]:
        opened_fits = isinstance(entry.get("opened", ""), str)
        return opened_fits and "seat" not in entry and isinstance(value, list) and all(map(is_whole, value))
    if not is_whole(entry.get("seat")):
        return False
    if kinds == ["expired"]:
        return value is True
    if kinds == ["attend"]:
        return isinstance(value, str) and value in ("here", "away", "gone")
    return True


def throw(table: Table, faces: list[int]) -> None:
    if table.sides is None:
        raise No("no_dice_awaited")
    if len(faces) != len(table.sides):
        raise No("wrong_dice")
    if not all(1 <= face <= sides for face, sides in zip(faces, table.sides, strict=True)):
        raise No("wrong_dice")
    table.on_dice(faces)


def act(table: Table, entry: dict[str, Any]) -> None:
    seat = entry["seat"]
    if not 0 <= seat < table.count:
        raise No("no_such_seat")
    if table.sides is not None:
        raise No("awaiting_dice")  # C7, also for coming and going
    if "attend" in entry:
        table.on_attend(seat, entry["attend"])
    elif "expired" in entry:
        if seat not in table.acting:
            raise No("not_your_turn")
        table.on_expired(seat)
    else:
        move(table, seat, entry["move"])


def move(table: Table, seat: int, what: object) -> None:
    barred = table.barred(seat)
    if barred:
        raise No(barred)
    in_turn = seat in table.acting and table.phase_allows(what)
    if not in_turn and not table.anytime(what):
        raise No("not_your_turn")
    table.on_move(seat, what)
