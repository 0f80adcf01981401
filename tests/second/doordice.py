"""DO or DICE, clauses D1 to D10."""

from typing import Any

from .table import No, Table, is_whole, payload, ranked

# D2 and D3: the effects among which a face lets a seat choose; the other faces resolve themselves.
LIVING_CHOICES = {2: ["jab"], 3: ["pickpocket"], 4: ["strike"], 6: ["power_damage", "power_vp"]}
FALLEN_CHOICES = {face: ["give_hp", "give_vp"] if face < 5 else ["take_hp", "take_vp"] for face in (3, 4, 5, 6)}
WOUNDS = {"jab": 2, "strike": 4, "power_damage": 6, "take_hp": 2}
EFFECTS = {*WOUNDS, "pickpocket", "power_vp", "give_hp", "give_vp", "take_vp"}


class DoOrDice(Table):
    def __init__(self, count: int, rules: dict[str, Any]) -> None:
        super().__init__(count, rules)
        self.hp = [rules["hp"]] * count
        self.vp = [0] * count
        self.round = 1
        self.fallen_rounds = [0] * count
        self.last_targets: list[int | None] = [None] * count
        self.face: int | None = None
        self.forgoing = False
        self.acting = [0]
        self.undecided: list[list[int]] | None = None  # places so far, once the last turn is over
        self.reason = ""

    def alive(self, seat: int) -> bool:
        return bool(self.hp[seat] > 0)

    def living(self) -> list[int]:
        return [seat for seat in range(self.count) if self.alive(seat)]

    # Moves

    def on_move(self, seat: int, move: object) -> None:
        is_choice, choice = payload(move, "choose")
        if move == "roll":
            if self.face is not None:
                raise No("must_choose")
            self.ask_dice(6)
        elif is_choice and legible(choice):
            self.choose(seat, choice["effect"], choice.get("target"))
        else:
            raise No("bad_move")

    def choose(self, seat: int, effect: str, target: int | None) -> None:
        if self.face is None:
            raise No("must_roll")
        if effect not in self.effects():
            raise No("wrong_effect")
        if effect == "power_vp":
            if target is not None:
                raise No("bad_target")
            self.vp[seat] += 3
        else:
            if target is None or target not in self.targets():
                raise No("bad_target")
            self.apply(seat, effect, target)
        self.end_turn(target)

    def on_expired(self, seat: int) -> None:
        if self.face is None:
            self.forgoing = True  # D10: the die is drawn all the same
            self.ask_dice(6)
        else:
            self.end_turn(None)

    def effects(self) -> list[str]:
        if self.face is None:
            return []
        table = LIVING_CHOICES if self.alive(self.acting[0]) else FALLEN_CHOICES
        return table.get(self.face, [])

    def targets(self) -> list[int]:
        """D4."""
        if self.face is None:
            return []
        me = self.acting[0]
        spared = None if self.alive(me) else self.last_targets[me]
        return [seat for seat in self.living() if seat not in (me, spared)]

    # Dice

    def on_dice(self, faces: list[int]) -> None:
        self.sides = None
        if self.undecided is not None:
            self.break_ties(faces)
            return
        seat = self.acting[0]
        self.face = faces[0]
        if self.effects() and not self.forgoing:
            return
        if self.alive(seat):
            if self.face == 1:
                self.hp[seat] -= 3
            elif self.face == 5:
                self.heal(seat, 3)
        self.end_turn(None)

    def heal(self, seat: int, much: int) -> None:
        self.hp[seat] = min(self.rules["hp"], self.hp[seat] + much)

    def apply(self, seat: int, effect: str, target: int) -> None:
        if effect in WOUNDS:
            self.hp[target] -= WOUNDS[effect]
            if self.alive(seat) and not self.alive(target):
                self.vp[seat] += self.rules["elimination_vp"]  # D6
        elif effect == "give_hp":
            self.heal(target, 2)
        elif effect == "give_vp":
            self.vp[target] += 1
        elif self.vp[target] > 0:  # D7
            self.vp[target] -= 1
            if effect == "pickpocket":
                self.vp[seat] += 1

    # Turns, rounds, the end

    def end_turn(self, target: int | None) -> None:
        seat = self.acting[0]
        self.last_targets[seat] = target
        self.face = None
        self.forgoing = False
        if len(self.living()) == 1:
            self.rank("last_alive")  # D8
        elif seat + 1 < self.count:
            self.acting = [seat + 1]
        else:
            self.end_round()

    def end_round(self) -> None:
        for seat in range(self.count):
            if self.alive(seat):
                self.vp[seat] += self.rules["survival_vp"]
            else:
                self.fallen_rounds[seat] += 1
        if self.round == self.rules["rounds"]:
            self.rank("rounds")
        else:
            self.round += 1
            self.acting = [0]

    def rank(self, reason: str) -> None:
        self.reason = reason
        self.acting = []
        self.settle(ranked(range(self.count), lambda seat: (self.vp[seat], self.hp[seat], -self.fallen_rounds[seat])))

    def settle(self, places: list[list[int]]) -> None:
        self.undecided = places
        tied = tied_seats(places)
        if tied:
            self.ask_dice(*[6] * len(tied))
        else:
            self.finish(places, self.reason)

    def break_ties(self, faces: list[int]) -> None:
        """D9: all tied seats rolled together; each group is put in order by its own dice."""
        assert self.undecided is not None
        shown = dict(zip(tied_seats(self.undecided), faces, strict=True))
        places: list[list[int]] = []
        for group in self.undecided:
            places += ranked(group, lambda seat: shown.get(seat, 0))
        self.settle(places)

    def own_state(self) -> dict[str, Any]:
        return {
            "hp": list(self.hp),
            "vp": list(self.vp),
            "round": self.round,
            "fallen_rounds": list(self.fallen_rounds),
            "last_targets": list(self.last_targets),
            "face": self.face,
            "effects": sorted(self.effects()),
            "targets": self.targets(),
        }


def tied_seats(places: list[list[int]]) -> list[int]:
    return sorted(seat for group in places if len(group) > 1 for seat in group)


def legible(choice: object) -> bool:
    """An effect by its name and, if any, a whole number as target."""
    if not isinstance(choice, dict) or not set(choice) <= {"effect", "target"}:
        return False
    effect, target = choice.get("effect"), choice.get("target")
    return isinstance(effect, str) and effect in EFFECTS and (target is None or is_whole(target))
