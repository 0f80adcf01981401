"""Legal entries for a table in progress, chosen at random but with a taste for interesting positions."""

import hashlib
import random
from collections import Counter
from functools import cache
from itertools import combinations
from typing import Any

from . import aetharn, tenthousand
from .aetharn import Aetharn
from .doordice import DoOrDice
from .mana import Mana, Unit, army, commitment
from .table import Table
from .tenthousand import TenThousand
from .wards import Wards

Entry = dict[str, Any]
PRIME = 2**256 - 2**32 - 977


class Player:
    """Everybody at the table. `restless` is how often somebody comes or goes, `slow` how often time runs out."""

    def __init__(self, rng: random.Random, restless: float, slow: float) -> None:
        self.rng = rng
        self.restless = restless
        self.slow = slow
        self.tokens: dict[int, Entry] = {}
        self.plans: dict[int, Entry] = {}
        self.even = rng.random() < 0.3  # mana: armies alike, so that draws happen

    def entry(self, table: Table) -> Entry:
        """Something the rules accept here; the game must not be over."""
        if table.sides is not None:
            return {"roll": self.dice(table)}
        if not table.acting or self.rng.random() < self.restless:
            return self.attend(table)
        seat = self.rng.choice(table.acting)
        if seat in getattr(table, "away", ()):
            return self.about_absent(table, seat)
        if self.rng.random() < self.slow:
            return {"seat": seat, "expired": True}
        return self.move(table, seat)

    def move(self, table: Table, seat: int) -> Entry:
        if isinstance(table, Wards):
            return {"seat": seat, "move": self.rng.choice(["roll", "roll", "roll", "hold"])}
        if isinstance(table, Aetharn):
            return self.aetharn(table, seat)
        if isinstance(table, TenThousand):
            return {"seat": seat, "move": self.ten_thousand(table, seat)}
        if isinstance(table, DoOrDice):
            return {"seat": seat, "move": self.do_or_dice(table)}
        assert isinstance(table, Mana)
        return {"seat": seat, "move": self.mana(table, seat)}

    # Presence

    def attend(self, table: Table) -> Entry:
        if not isinstance(table, Aetharn):
            return {"seat": self.rng.randrange(table.count), "attend": self.rng.choice(["here", "away", "gone"])}
        seat = self.rng.choice(table.still_in())
        if seat not in table.away:
            return {"seat": seat, "attend": "away"}
        return {"seat": seat, "attend": self.rng.choice(["here"] * 4 + ["gone"])}

    def about_absent(self, table: Table, seat: int) -> Entry:
        """The seat on turn has left: its clock runs out, it returns, it is removed, or others come and go."""
        kind = self.rng.choice(["expired", "here", "gone", "others", "others"])
        if kind == "expired":
            return {"seat": seat, "expired": True}
        return self.attend(table) if kind == "others" else {"seat": seat, "attend": kind}

    # Dice

    def dice(self, table: Table) -> list[int]:
        assert table.sides is not None
        if isinstance(table, Mana):
            return self.armies(table)
        if isinstance(table, DoOrDice) and not table.acting and self.rng.random() < 0.4:
            return [self.rng.choice([3, 4]) for _ in table.sides]  # ties that stay ties
        if isinstance(table, (Aetharn, TenThousand)) and table.acting and self.rng.random() < 0.4:
            return self.lucky(len(table.sides))
        return [self.rng.randint(1, sides) for sides in table.sides]

    def lucky(self, many: int) -> list[int]:
        a, b, c = self.rng.sample(range(1, 7), 3)
        faces = self.rng.choices([1, 5], k=many)
        if many >= 3 and self.rng.random() < 0.6:
            faces = [a] * 3 + self.rng.choices([1, 5, a, b], k=many - 3)
        if many == 6:
            patterns = [[1, 2, 3, 4, 5, 6], [a, a, b, b, c, c], [a] * 3 + [b] * 3, [a] * 6, [a] * 4 + [b] * 2]
            faces = self.rng.choice([*patterns, faces, faces])
        self.rng.shuffle(faces)
        return faces

    def armies(self, table: Mana) -> list[int]:
        first = self.rng.choices(range(1, 257), k=32)
        second = list(first) if self.even else self.rng.choices(range(1, 257), k=32)
        league = self.rng.randint(1, 4)
        if table.rules["same_army"]:
            return [*first, league]
        return [*first, *second, league, league if self.even else self.rng.randint(1, 4)]

    # Aetharn

    def aetharn(self, table: Aetharn, seat: int) -> Entry:
        present = [other for other in table.still_in() if other not in table.away]
        if self.rng.random() < self.restless / 10 + 0.004:
            return {"seat": self.rng.choice(present), "move": "fold"}
        if table.roll is None:
            return {"seat": seat, "move": "roll"}
        holds = scoring_sets(table)
        if not table.held or (holds and self.rng.random() < 0.2):
            all_of_them = max(holds, key=len)
            positions = list(all_of_them if self.rng.random() < 0.6 else self.rng.choice(holds))
            self.rng.shuffle(positions)
            return {"seat": seat, "move": {"hold": positions}}
        may_roll = table.left > 0 or table.hot_used < table.rules["hot_dice"]
        keen = 0.75 if table.left in (0, 6, 5, 4) else 0.5
        return {"seat": seat, "move": "roll" if may_roll and self.rng.random() < keen else "bank"}

    # Dice 10 000

    def ten_thousand(self, table: TenThousand, seat: int) -> object:
        if table.roll is None:
            return "roll"
        subsets = self.some_rows(table)
        if table.must_lock() or (subsets and self.rng.random() < 0.2):
            return {"lock": subsets}
        too_little = table.scores[seat] == 0 and table.points < table.rules["opening"]
        return "roll" if too_little or self.rng.random() < 0.5 else "yield"

    def some_rows(self, table: TenThousand) -> list[list[int]]:
        loose = loose_dice(table)
        greedy = self.rng.random() < 0.6
        chosen: list[list[int]] = []
        while True:
            rows = [[f] * n for f, have in loose.items() for n in range(1, have + 1) if tenthousand.POINTS[f][n]]
            if not rows or (chosen and not greedy and self.rng.random() < 0.5):
                return chosen
            row = max(rows, key=tenthousand.row_value) if self.rng.random() < 0.5 else self.rng.choice(rows)
            loose.subtract(row)
            chosen.append(row)

    # DO or DICE

    def do_or_dice(self, table: DoOrDice) -> object:
        if table.face is None:
            return "roll"
        effect = self.rng.choice(table.effects())
        if effect == "power_vp":
            return {"choose": {"effect": effect}}
        targets = table.targets()
        weakest = min(targets, key=lambda seat: table.hp[seat])
        return {"choose": {"effect": effect, "target": self.rng.choice([*targets, weakest, weakest])}}

    # Mana

    def mana(self, table: Mana, seat: int) -> object:
        if table.match_id is None:
            same = self.even and self.rng.random() < 0.8
            spent = [fought["picks"][seat] for fought in table.rounds] if table.rules["fight_once"] else []
            free = [unit for unit in range(8) if unit not in spent]
            wanted = table.picks.get(1 - seat, free[0])
            return {"pick": wanted if same and wanted in free else self.rng.choice(free)}
        if not table.revealing():
            return {"commit": self.plan(table, seat)}
        return {"reveal": dict(self.plans[seat])}

    def plan(self, table: Mana, seat: int) -> str:
        if not self.tokens:
            self.tokens = {0: self.token(), 1: self.token()}
        plan = self.tokens[seat] | {"unit": self.rng.randrange(8), "nonce": self.rng.randbytes(32).hex()}
        if self.even:
            plan["unit"] = sturdiest(plan)
        self.plans[seat] = plan
        match_id = table.match_id or ""
        return commitment(plan["secret"], plan["C"], plan["unit"], table.round, match_id, plan["nonce"])

    def token(self) -> Entry:
        """A secret and a point of the curve; if evenness is wanted, one with a shield of a usual strength."""
        while True:
            told = {"secret": self.rng.randbytes(32).hex(), "C": self.point(), "league": self.rng.randrange(4)}
            if self.even:
                told["league"] = 2
                if [unit for unit in units_of(told) if unit["ability"] == "Shield" and unit["health"] % 10 == 0] == []:
                    continue
            return told

    def point(self) -> str:
        while True:
            x = self.rng.randrange(1, PRIME)
            if pow(x**3 + 7, (PRIME - 1) // 2, PRIME) == 1:
                return self.rng.choice(["02", "03"]) + f"{x:064x}"


def scoring_sets(table: Aetharn) -> list[tuple[int, ...]]:
    assert table.roll is not None
    free = [position for position in range(len(table.roll)) if position not in table.held]
    sets = [chosen for many in range(1, len(free) + 1) for chosen in combinations(free, many)]
    return [chosen for chosen in sets if scores(tuple(sorted(table.roll[position] for position in chosen)))]


@cache
def scores(faces: tuple[int, ...]) -> bool:
    return bool(aetharn.whole_value(list(faces)))


def loose_dice(table: TenThousand) -> Counter[int]:
    loose = Counter(table.roll or [])
    for subset in table.locked:
        loose.subtract(subset)
    return loose


def units_of(told: Entry) -> list[Unit]:
    digest = hashlib.sha256(bytes.fromhex(told["secret"]) + bytes.fromhex(told["C"])).digest()
    return army(digest, told["league"])


def sturdiest(told: Entry) -> int:
    units = units_of(told)
    fitting = [n for n, unit in enumerate(units) if unit["ability"] == "Shield" and unit["health"] % 10 == 0]
    return fitting[0]
