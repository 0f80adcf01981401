"""Mana, clauses M1 to M10 and M15: a hall table, or a match that was played over Nostr."""

import hashlib
import re
from typing import Any

from .table import No, Table, is_whole, payload

ABILITIES = ["None", "Boost", "Shield", "Heal"]
# M3: attack, defense, health
LEAGUES = [(10, 0, 0), (0, 0, 20), (5, 5, 0), (0, 5, 15)]

Unit = dict[str, Any]


def army(digest: bytes, league: int) -> list[Unit]:
    """M2 and M3: eight units of four bytes each."""
    attack, defense, health = LEAGUES[league % 4]
    units = []
    for start in range(0, 32, 4):
        a, d, h, ability = digest[start : start + 4]
        strength = min(255, 20 + h % 30 + health)
        units.append(
            {
                "attack": min(255, 10 + a % 20 + attack),
                "defense": min(255, 5 + d % 15 + defense),
                "health": strength,
                "max_health": strength,
                "ability": ABILITIES[ability % 4],
            }
        )
    return units


def damage_of(attacker: Unit, defender: Unit) -> int:
    attack: int = attacker["attack"]
    if attacker["ability"] == "Boost":
        attack = min(255, attack * 2)
    if defender["ability"] == "Shield":
        return 0
    return max(0, attack - int(defender["defense"]))


def health_after(unit: Unit, damage: int) -> int:
    health = max(0, int(unit["health"]) - damage)
    if health > 0 and unit["ability"] == "Heal":
        health = min(int(unit["max_health"]), health + max(1, unit["max_health"] // 2))
    return health


def commitment(secret: str, c: str, unit: int, round_number: int, match_id: str, nonce: str) -> str:
    """M7."""
    told = bytes.fromhex(secret) + bytes.fromhex(c) + bytes([unit, round_number % 256])
    return hashlib.sha256(told + match_id.encode() + bytes.fromhex(nonce)).hexdigest()


def is_hex(value: object, digits: int) -> bool:
    return isinstance(value, str) and re.fullmatch(f"[0-9a-f]{{{digits}}}", value) is not None


class Mana(Table):
    def __init__(self, count: int, rules: dict[str, Any], match_id: str | None = None) -> None:
        super().__init__(count, rules)
        self.match_id = match_id
        self.leagues: list[int | None] = [None, None]
        self.units: list[list[Unit] | None] = [None, None]
        self.round = 1
        self.wins = [0, 0]
        self.damage = [0, 0]
        self.rounds: list[dict[str, Any]] = []
        self.tokens: dict[int, tuple[str, str, int]] = {}
        self.commits: dict[int, str] = {}
        self.picks: dict[int, int] = {}
        if match_id is None:
            armies = 1 if rules["same_army"] else 2
            self.ask_dice(*[256] * (32 * armies), *[4] * armies)
        else:
            self.acting = [0, 1]

    def on_dice(self, faces: list[int]) -> None:
        self.sides = None
        for seat in (0, 1):
            drawn = 0 if self.rules["same_army"] else seat
            digest = bytes(face - 1 for face in faces[32 * drawn : 32 * drawn + 32])
            self.enlist(seat, digest, faces[len(faces) // 33 * 32 + drawn] - 1)
        self.acting = [0, 1]

    def enlist(self, seat: int, digest: bytes, league: int) -> None:
        self.leagues[seat] = league
        self.units[seat] = army(digest, league)

    # Moves

    def revealing(self) -> bool:
        return len(self.commits) == 2

    def phase_allows(self, move: object) -> bool:
        if self.match_id is None:
            return True
        early_reveal = payload(move, "reveal")[0] and not self.revealing()
        late_commit = payload(move, "commit")[0] and self.revealing()
        return not early_reveal and not late_commit

    def on_move(self, seat: int, move: object) -> None:
        is_pick, unit = payload(move, "pick")
        is_commit, hashed = payload(move, "commit")
        is_reveal, told = payload(move, "reveal")
        over_nostr = self.match_id is not None
        if is_pick and not over_nostr and is_whole(unit):
            self.pick(seat, unit)
        elif is_commit and over_nostr and is_hex(hashed, 64):
            self.commit(seat, hashed)
        elif is_reveal and over_nostr and legible(told):
            self.reveal(seat, told)
        else:
            raise No("bad_move")

    def pick(self, seat: int, unit: int) -> None:
        if not 0 <= unit < 8:
            raise No("no_such_unit")
        if self.rules["fight_once"] and unit in [fought["picks"][seat] for fought in self.rounds]:
            raise No("unit_spent")
        self.picks[seat] = unit
        self.acting.remove(seat)
        if len(self.picks) == 2:
            self.fight()

    def commit(self, seat: int, hashed: str) -> None:
        self.commits[seat] = hashed
        self.acting = [0, 1] if self.revealing() else [1 - seat]

    def reveal(self, seat: int, told: dict[str, Any]) -> None:
        assert self.match_id is not None
        secret, c, unit, league = told["secret"], told["C"], told["unit"], told["league"]
        if not 0 <= unit < 8:
            raise No("no_such_unit")
        if commitment(secret, c, unit, self.round, self.match_id, told["nonce"]) != self.commits[seat]:
            raise No("commitment_mismatch")
        if self.tokens.setdefault(seat, (secret, c, league)) != (secret, c, league):
            raise No("commitment_mismatch")  # M9: one token per match
        digest = hashlib.sha256(bytes.fromhex(secret) + bytes.fromhex(c)).digest()
        self.enlist(seat, digest, league)
        self.pick(seat, unit)

    # Rounds

    def fight(self) -> None:
        picked = [self.picks[0], self.picks[1]]
        first, second = (self.army_of(seat)[unit] for seat, unit in enumerate(picked))
        damage = [damage_of(first, second), damage_of(second, first)]
        health = [health_after(first, damage[1]), health_after(second, damage[0])]
        winner = None if health[0] == health[1] else 0 if health[0] > health[1] else 1
        self.rounds.append({"picks": picked, "damage": damage, "health": health, "winner": winner})
        self.damage = [self.damage[0] + damage[0], self.damage[1] + damage[1]]
        if winner is not None:
            self.wins[winner] += 1
        self.commits = {}
        self.picks = {}
        self.go_on()

    def army_of(self, seat: int) -> list[Unit]:
        units = self.units[seat]
        assert units is not None
        return units

    def go_on(self) -> None:
        """M6."""
        lead = abs(self.wins[0] - self.wins[1])
        rounds_left = self.rules["rounds"] - self.round
        if rounds_left > 0 and lead <= rounds_left:
            self.round += 1
            self.acting = [0, 1]
            return
        mine, theirs = ((self.wins[seat], self.damage[seat]) for seat in (0, 1))
        if mine == theirs:
            self.finish([[0, 1]], "draw")
        else:
            self.finish([[0], [1]] if mine > theirs else [[1], [0]], "rounds")

    def on_expired(self, seat: int) -> None:
        """M10: whoever is still to act loses to who has acted."""
        late = list(self.acting)
        self.commits = {}
        self.picks = {}
        if len(late) == 2:
            self.finish([], "abandoned")
        else:
            self.finish([[1 - late[0]], [late[0]]], "forfeit")

    def own_state(self) -> dict[str, Any]:
        known = None not in self.units
        return {
            "round": self.round,
            "wins": list(self.wins),
            "damage": list(self.damage),
            "leagues": list(self.leagues) if known else None,
            "units": [[dict(unit) for unit in self.army_of(seat)] for seat in (0, 1)] if known else None,
            "picked": sorted(self.picks if self.match_id is None else self.commits),
            "rounds": [dict(result) for result in self.rounds],
        }


def legible(told: object) -> bool:
    """A reveal whose parts all have their form; whether they fit the commitment comes later."""
    if not isinstance(told, dict):
        return False
    right_hex = is_hex(told.get("secret"), 64) and is_hex(told.get("C"), 66) and is_hex(told.get("nonce"), 64)
    league = told.get("league")
    return right_hex and is_whole(told.get("unit")) and type(league) is int and league >= 0
