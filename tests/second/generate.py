"""Random records: mostly legal play, often with one entry that must be refused, now and then a bad header."""

import copy
import pickle
import random
from typing import Any

from .mischief import Mischief, spoil_header
from .play import Player
from .record import SWITCHES, Clock, feed, open_table
from .table import No, Table

COMMON = "malformed game_finished no_dice_awaited wrong_dice no_such_seat awaiting_dice not_your_turn bad_move"
CODES = {
    "wards": "",
    "aetharn": "seat_is_out seat_is_away nothing_rolled must_hold bad_index does_not_score only_bank_left "
    "no_change not_away seat_is_out seat_is_away",
    "tenthousand": "nothing_rolled must_lock bad_lock does_not_score not_in_roll below_opening",
    "doordice": "must_roll must_choose wrong_effect bad_target",
    "mana": "no_such_unit unit_spent unit_spent",
    "nostr": "no_such_unit commitment_mismatch commitment_mismatch not_your_turn",
}
HOUSES: dict[str, dict[str, list[int | None]]] = {
    "wards": {"goal": [1, 5, 10, 20, 40, 100], "turn_seconds": [1, 30, None]},
    "aetharn": {
        "goal": [1, 1000, 2500, 4000, 8000],
        "hot_dice": [0, 1, 2, 5],
        "turn_seconds": [5, None],
        "grace_seconds": [1, 90],
    },
    "tenthousand": {"goal": [1, 300, 1500, 4000], "opening": [0, 50, 300, 1000, 2000], "turn_seconds": [20, None]},
    "doordice": {
        "hp": [1, 2, 3, 4, 6, 8, 12],
        "rounds": [1, 2, 3, 4, 8],
        "elimination_vp": [0, 1, 2, 5],
        "survival_vp": [0, 0, 1, 3],
        "turn_seconds": [15, None],
    },
    "mana": {
        "rounds": [1, 1, 2, 3, 4, 5, 7, 8],
        "round_seconds": [60],
        "match_seconds": [600, 1_000_000_000],
        "same_army": [0, 1],
        "fight_once": [0, 1],
    },
}
NAMES = ["ann", "bo", "cy", "dee", "eve", "fay", "gus", "hal", "ida", "jo", "kim", "lou"]


def records(game: str, seed: int) -> dict[str, Any]:
    """One record of `game`, the same for the same seed."""
    rng = random.Random(f"{game}/{seed}")
    document = header(game, rng)
    Writer(document, rng).write()
    return spoil_header(rng, document) if rng.random() < 0.04 else document


def header(game: str, rng: random.Random) -> dict[str, Any]:
    document: dict[str, Any] = {"dicehall": 1, "game": game, "seats": NAMES[: seats(game, rng)], "entries": []}
    if rng.random() < 0.85:
        document["rules"] = {name: rng.choice(some) for name, some in HOUSES[game].items() if rng.random() < 0.7}
    if game == "mana" and rng.random() < 0.45:
        document["match"] = {"id": f"m-{rng.randrange(10**6)}", "players": [rng.randbytes(32).hex() for _ in "01"]}
        document.get("rules", {}).update(dict.fromkeys(SWITCHES & document.get("rules", {}).keys(), 0))
    if game == "mana" and rng.random() < 0.2:
        document["edition"] = rng.choice([1, 2])
    if rng.random() < 0.1:
        document |= {"note": "a friendly game", "x": None}
    return document


def seats(game: str, rng: random.Random) -> int:
    if game == "aetharn":
        return rng.choice([2, 2, 3, 3, 4, 5, 6])
    if game == "tenthousand":
        return rng.choice([2, 2, 2, 3, 4, 6, 12])
    return 5 if game == "doordice" else 2


class Writer:
    def __init__(self, document: dict[str, Any], rng: random.Random) -> None:
        self.document = document
        self.rng = rng
        self.table: Table = open_table(document)
        self.clock = Clock()
        self.player = Player(rng, rng.choice([0, 0.03, 0.15, 0.4]), rng.choice([0, 0.02, 0.1]))
        self.timed = rng.random() < 0.3
        self.opened = rng.random() < 0.1
        self.longest = rng.choice([rng.randint(0, 30), rng.randint(20, 120), 260])
        codes = f"{COMMON} {CODES['nostr' if 'match' in document else document['game']]}".split()
        self.wanted: str | None = rng.choice(codes) if rng.random() < 0.6 else None
        self.quiet = rng.choice([0, rng.randint(0, 12), rng.randint(0, 60)])

    def write(self) -> None:
        entries = self.document["entries"]
        while len(entries) < self.longest:
            if self.wanted and self.table.over:
                self.wanted = "game_finished"
            if self.wanted and (len(entries) >= self.quiet or self.table.over) and self.misbehave():
                break
            if self.table.over:
                break
            entry = self.dressed(self.player.entry(self.table))
            feed(self.table, entry, self.clock)
            entries.append(entry)

    def dressed(self, entry: dict[str, Any]) -> dict[str, Any]:
        if self.timed and self.rng.random() < 0.9:
            entry["at"] = (self.clock.latest or 1_700_000_000_000) + self.rng.choice([0, 1, 900, 30_000])
        if self.opened and "roll" in entry:
            entry["opened"] = self.rng.randbytes(32).hex()
        if self.rng.random() < 0.02:
            entry |= {"note": [1, {"roll": 2}], "moves": 3}
        return entry

    def misbehave(self) -> bool:
        """Try for the wanted refusal here; if found, write it, and perhaps some more that no longer matters."""
        mischief, here = Mischief(self.rng, self.player, self.clock.latest), pickle.dumps(self.table)
        for _ in range(10):
            entry = mischief.entry(self.table, self.wanted or "")
            if self.code_of(entry, here) == self.wanted:
                self.document["entries"].append(entry)
                for _ in range(self.rng.choice([0, 0, 1, 4])):
                    self.document["entries"].append(self.ignored(mischief))
                return True
        return False

    def ignored(self, mischief: Mischief) -> Any:
        if self.table.over or self.rng.random() < 0.3:
            return mischief.anything(self.table)
        return self.player.entry(self.table)

    def code_of(self, entry: object, here: bytes) -> str | None:
        """What a table that stands like this one says to it."""
        try:
            feed(pickle.loads(here), entry, copy.copy(self.clock))
        except No as no:
            return no.code
        return None
