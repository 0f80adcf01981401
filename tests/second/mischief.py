"""Entries and headers that ought to be refused, in all the ways somebody might get them wrong."""

import random
from collections.abc import Callable
from typing import Any

from .doordice import EFFECTS
from .mana import Mana
from .play import Player
from .record import HOUSE_RULES
from .table import Table

HUGE = 10**20
WRONG_SEATS: list[Any] = [None, True, False, "0", 0.0, 1.5, [0], {}]
WORDS: list[Any] = [
    *["pass", "Roll", "ROLL", " roll", "", "roll!", "lock", "choose", "pick", "hold", "bank", "fold", "yield"],
    *[None, True, 0, 3, 2.5, [], ["roll"], {}, {"roll": True}, {"bank": 1}, {"move": "roll"}],
    *[{"hold": None}, {"hold": 0}, {"hold": "0"}, {"hold": ["0"]}, {"hold": [True]}, {"hold": [0.0]}, {"hold": {}}],
    *[{"choose": None}, {"choose": "jab"}, {"choose": {}}, {"choose": {"target": 1}}, {"choose": ["jab", 1]}],
    *[{"choose": {"effect": "smite", "target": 1}}, {"choose": {"effect": 4, "target": 1}}],
    *[{"choose": {"effect": "jab", "target": "1"}}, {"choose": {"effect": "jab", "target": True}}],
    *[{"pick": None}, {"pick": "0"}, {"pick": True}, {"pick": 1.0}, {"pick": [0]}],
    *[{"commit": 5}, {"commit": "abc"}, {"commit": None}, {"commit": "z" * 64}],
    *[{"reveal": None}, {"reveal": {}}, {"reveal": "secret"}],
]
LOCKS: list[Any] = [
    *[None, 1, "1", [], [1], [1, 1], [None], [[1], 5], [["1"]], [[True]], [[1.0]], {"0": [1]}],
    *[[[]], [[1], []], [[0]], [[7]], [[-1]], [[2]], [[1, 5]], [[2, 2]], [[1, 2, 3, 4, 5, 6]], [[1] * 7], [[HUGE]]],
]


class Mischief:
    def __init__(self, rng: random.Random, player: Player, latest: int | None) -> None:
        self.rng = rng
        self.player = player
        self.latest = latest

    def entry(self, table: Table, code: str) -> Any:
        """An attempt at an entry refused with that code; the caller finds out whether it is."""
        makers: dict[str, Callable[[Table], Any]] = {
            "malformed": self.malformed,
            "no_dice_awaited": self.wrong_dice,
            "wrong_dice": self.wrong_dice,
            "no_such_seat": self.strange_seat,
            "game_finished": self.anything,
            "awaiting_dice": self.by_anybody,
            "not_your_turn": self.by_anybody,
            "seat_is_out": self.by_anybody,
            "seat_is_away": self.by_anybody,
            "bad_move": self.bad_word,
            "no_change": self.presence,
            "not_away": self.presence,
        }
        return makers.get(code, self.wild_move)(table)

    def anything(self, table: Table) -> Any:
        makers = [self.malformed, self.wrong_dice, self.strange_seat, self.by_anybody, self.bad_word, self.presence]
        return self.rng.choice([*makers, self.wild_move, self.wild_move])(table)

    def anyone(self, table: Table) -> int:
        return self.rng.randrange(table.count)

    def on_turn(self, table: Table) -> int:
        return self.rng.choice(table.acting) if table.acting else self.anyone(table)

    def malformed(self, table: Table) -> Any:
        seat = self.on_turn(table)
        good: dict[str, Any] = {"roll": [1]} if table.sides is not None else {"seat": seat, "move": "roll"}
        at: list[Any] = ["now", True, 1.5, [5]]
        if self.latest is not None:
            at += [self.latest - 1] * 4
        wrong_roll = self.rng.choice([None, 3, "3", True, {"0": 1}, [True], ["1"], [1.0], [None], [[1]], [1, None]])
        choices: list[Any] = [
            self.rng.choice([None, True, 5, "roll", [], [1], {}, {"seat": seat}, {"rol": [1]}]),
            {"move": self.rng.choice(["roll", "hold", "bank"])},
            {self.rng.choice(["expired", "attend"]): self.rng.choice([True, "away"])},
            {"seat": self.rng.choice(WRONG_SEATS), "move": "roll"},
            {"seat": self.rng.choice(WRONG_SEATS), "expired": True},
            {"seat": self.rng.choice(WRONG_SEATS), "attend": "away"},
            {"seat": seat, "roll": [self.rng.randint(1, 6) for _ in table.sides or [6]]},
            {"roll": wrong_roll},
            {"seat": seat, "expired": self.rng.choice([False, 1, None, "true"])},
            {"seat": seat, "attend": self.rng.choice(["lost", "HERE", None, True, ["here"], {}])},
            {"seat": seat, "move": "roll", "expired": True},
            {"seat": seat, "attend": "away", "expired": True},
            {"roll": [1], "move": "roll"},
            good | {"at": self.rng.choice(at)},
        ]
        return self.rng.choice(choices)

    def wrong_dice(self, table: Table) -> Any:
        sides = table.sides or [6] * self.rng.randint(1, 6)
        faces = [self.rng.randint(1, side) for side in sides]
        spoil = self.rng.choice(["more", "fewer", "none", "face", "face", "right"])
        if spoil == "more":
            faces.append(1)
        elif spoil == "fewer":
            faces.pop()
        elif spoil == "none":
            faces = []
        elif spoil == "face":
            place = self.rng.randrange(len(faces))
            faces[place] = self.rng.choice([0, -1, sides[place] + 1, HUGE])
        return {"roll": faces}

    def strange_seat(self, table: Table) -> Any:
        what: dict[str, Any] = self.rng.choice(
            [{"move": "roll"}, {"move": "nonsense"}, {"expired": True}, {"attend": "away"}]
        )
        return {"seat": self.rng.choice([-1, -HUGE, table.count, HUGE]), **what}

    def by_anybody(self, table: Table) -> Any:
        seat = self.anyone(table)
        if self.rng.random() < 0.3:
            return {"seat": seat, "expired": True}
        if self.rng.random() < 0.3:
            return self.presence(table)
        if isinstance(table, Mana) and table.match_id is not None and self.rng.random() < 0.6:
            return {"seat": seat, "move": self.nostr_move(table, seat)}
        usual = ["roll", "hold", "bank", "fold", "yield", "nonsense", {"hold": [0]}, {"lock": [[1]]}, {"pick": 0}]
        return {"seat": seat, "move": self.rng.choice(usual)}

    def presence(self, table: Table) -> Any:
        return {"seat": self.anyone(table), "attend": self.rng.choice(["here", "away", "gone"])}

    def bad_word(self, table: Table) -> Any:
        return {"seat": self.on_turn(table), "move": self.rng.choice(WORDS)}

    def wild_move(self, table: Table) -> Any:
        """One of the game's own moves, though probably not the right one."""
        seat = self.on_turn(table)
        game = type(table).__name__
        if game == "Aetharn":
            move = self.rng.choice(["roll", "bank", {"hold": self.positions()}, {"hold": self.positions()}])
        elif game == "TenThousand":
            move = self.rng.choice(["roll", "yield", {"lock": self.rng.choice(LOCKS)}, {"lock": self.subsets()}])
        elif game == "DoOrDice":
            move = self.rng.choice(["roll", {"choose": self.choice(table)}, {"choose": self.choice(table)}])
        elif isinstance(table, Mana):
            picks = {"pick": self.rng.choice([-1, 8, 255, HUGE, *range(8)])}
            move = self.nostr_move(table, seat) if table.match_id else picks
        else:
            move = self.rng.choice(["roll", "hold", "bank"])
        return {"seat": seat, "move": move}

    def positions(self) -> list[int]:
        usual = self.rng.choices(range(7), k=self.rng.randint(1, 4))
        return self.rng.choice([usual, sorted(set(usual)), [], [-1], [6], [0, 0], [HUGE]])

    def subsets(self) -> list[list[int]]:
        return [[self.rng.randint(1, 6)] * self.rng.randint(1, 4) for _ in range(self.rng.randint(1, 3))]

    def choice(self, table: Table) -> dict[str, Any]:
        chosen: dict[str, Any] = {"effect": self.rng.choice(sorted(EFFECTS))}
        if self.rng.random() < 0.85:
            chosen["target"] = self.rng.choice([*range(table.count), *table.acting, -1, table.count, HUGE])
        return chosen

    def nostr_move(self, table: Mana, seat: int) -> Any:
        """A commit or a reveal, well formed but perhaps at a wrong time or not what was committed to."""
        told = dict(self.player.plans.get(seat) or self.player.token() | {"unit": 0, "nonce": "00" * 32})
        spoil = self.rng.choice(["commit", "unit", "other unit", "nonce", "secret", "none"])
        if spoil == "commit":
            return {"commit": self.rng.randbytes(32).hex()}
        if spoil == "unit":
            told["unit"] = self.rng.choice([-1, 8, 300, HUGE])
        elif spoil == "other unit":
            told["unit"] = (told["unit"] + 1) % 8
        elif spoil != "none":
            told[spoil] = self.rng.randbytes(32).hex()
        return {"reveal": told}


def spoil_header(rng: random.Random, document: dict[str, Any]) -> dict[str, Any]:
    """The document with a header nobody can read."""
    game, seats = document["game"], document["seats"]
    rule = rng.choice(sorted(HOUSE_RULES[game]))
    worst = rng.choice([-1, True, "5", 2.5, [], 1_000_000_001, HUGE])
    changes: list[dict[str, Any]] = [
        {"dicehall": rng.choice([0, 2, "1", True, 1.5, None])},
        {"game": rng.choice(["chess", "Wards", "", None, 5, ["wards"], {}])},
        {
            "seats": rng.choice(
                [
                    None,
                    "ann",
                    {},
                    [],
                    seats[:1],
                    ["x"] * (13 if game != "tenthousand" else 1),
                    [5] * len(seats),
                    [None, *seats[1:]],
                ]
            )
        },
        {"entries": rng.choice([None, {}, "roll", 0])},
        {"rules": rng.choice([None, [], "goal", 5, {"gaol": 5}, {"Goal": 5}, {"dice": 6}])},
        {"rules": {rule: worst}},
        {"rules": {rng.choice(["goal", "turn_seconds"] if game == "wards" else ["rounds"]): 0}},
    ]
    if game == "mana":
        names: list[Any] = [None, 7, "", "a b", "x" * 65, "no/slash", "tab\n"]
        changes.append({"match": {"id": rng.choice(names), "players": ["a" * 64, "b" * 64]}})
        changes.append({"rules": {"rounds": 9, "fight_once": 1}})
        changes.append({"rules": {rng.choice(["same_army", "fight_once"]): 2}})
        changes.append({"rules": {"same_army": 1}, "match": {"id": "fine", "players": ["a" * 64, "b" * 64]}})
        changes.append({"edition": rng.choice([0, 3, -1])})
        changes.append({"match": {"id": "fine", "players": rng.choice([None, [], ["a" * 64], [1, 2]])}})
    missing = rng.choice(["dicehall", "game", "seats", "entries"])
    if rng.random() < 0.2:
        return {key: value for key, value in document.items() if key != missing}
    return document | rng.choice(changes)
