"""DO or DICE in plain lines: how a position reads, what can be typed, and what it is worth.

A target is typed by the number before its name, from 1.
"""

from __future__ import annotations

from collections.abc import Sequence

from dicehall.core.game import Faces, Refusal, Refused, Seat
from dicehall.games.doordice.effects import ALIVE, FALLEN, Effect
from dicehall.games.doordice.rules import Action, Choose, DoOrDice, View, Word
from dicehall.games.doordice.standings import TieBreak

EFFECTS = {effect.name: effect for face_table in (ALIVE, FALLEN) for effects in face_table for effect in effects}
CHOSEN = [
    ("jab", "jab 2: player 2 loses 2 HP."),
    ("pickpocket", "pickpocket 2: steal 1 VP from player 2."),
    ("strike", "strike 2: player 2 loses 4 HP."),
    ("power_damage", "power damage 2: player 2 loses 6 HP."),
    ("power_vp", "power vp: take 3 VP."),
    ("give_hp", "give hp 2: as a ghost, give player 2 HP."),
    ("give_vp", "give vp 2: as a ghost, give player 2 a VP."),
    ("take_hp", "take hp 2: as a ghost, take 2 HP from player 2."),
    ("take_vp", "take vp 2: as a ghost, take a VP from player 2."),
]
VERBS = {"roll": "roll: throw the die and see what you can do.", **dict(CHOSEN)}

TITLES = {
    "backfire": "Backfire",
    "jab": "Jab",
    "pickpocket": "Pickpocket",
    "strike": "Strike",
    "recover": "Recover",
    "power_damage": "Power Move",
    "power_vp": "Power Move",
    "void": "Void",
    "give_hp": "Haunt (good)",
    "give_vp": "Haunt (good)",
    "take_hp": "Haunt (bad)",
    "take_vp": "Haunt (bad)",
}
DECIDED = {
    TieBreak.VP: "by VP",
    TieBreak.HP: "VP tied: by HP",
    TieBreak.FALLEN_ROUNDS: "VP and HP tied: by rounds fallen",
    TieBreak.DIE: "all tied: by a die",
}
POINTS = "VP earned"  # what the scores of a table of results are
ORDER = "Most VP first. Ties go to more HP, then to fewer rounds spent fallen, then to a die."


def title(effect: str) -> str:
    return TITLES.get(effect, effect.replace("_", " ").capitalize())


def summary(effect: str) -> str:
    """What an effect does, and to whom."""
    known = EFFECTS[effect]
    if known.stolen:
        return f"steal {-known.vp} VP"
    if not (known.hp or known.vp):
        return "nothing happens"
    return f"{'target' if known.aimed else 'you'} {gain(known)}"


def legend(game: DoOrDice, *, living: bool) -> list[tuple[int, str, str]]:
    """Each face with its title and what it does."""
    told = []
    for face, effects in enumerate(game.alive if living else game.fallen, start=1):
        told.append((face, title(effects[0].name), " or ".join(summary(effect.name) for effect in effects)))
    return told


def why_no_target(view: View, names: Sequence[str], me: Seat, target: Seat) -> str | None:
    """Why a seat cannot be chosen, in words for people; None where it can (D4)."""
    if target in view.targets:
        return None
    if target == me:
        return "You cannot target yourself."
    if view.hp[target] <= 0:
        return f"{names[target]} has fallen and cannot be targeted."
    return f"You targeted {names[target]} last round: a ghost needs another target this time."


def ending(reason: str, rounds: int) -> str:
    """Why the game is over."""
    if reason == "last_alive":
        return "Sudden death: only one player is left alive, so the game stops at once, without a survival bonus."
    return f"All {rounds} rounds have been played."


def scores(view: View, names: Sequence[str]) -> list[str]:
    return [f"Round {view.round} of {view.last_round}.", *(standing(view, names, Seat(at)) for at in range(len(names)))]


def standing(view: View, names: Sequence[str], seat: Seat) -> str:
    fallen = "" if view.hp[seat] > 0 else ", fallen"
    return f"{seat + 1}. {names[seat]}: {view.hp[seat]} HP, {view.vp[seat]} VP{fallen}"


def table(view: View, names: Sequence[str], me: Seat) -> list[str]:
    if view.face is None:
        return [] if view.hp[me] > 0 else ["You have fallen: your die haunts the living."]
    return [f"Die: [{view.face}]"]


def offers(view: View, names: Sequence[str], me: Seat, choices: Sequence[Action]) -> list[tuple[str, str]]:
    return [offer(view, names, me, action) for action in choices]


def offer(view: View, names: Sequence[str], me: Seat, action: Action) -> tuple[str, str]:
    if isinstance(action, Word):
        return action.value, "throw the die"
    effect, words = EFFECTS[action.effect], action.effect.replace("_", " ")
    if action.target is None:
        return words, f"{gain(effect)} for yourself, which makes {view.vp[me] + effect.vp} VP"
    return f"{words} {action.target + 1}", f"{names[action.target]}: {outcome(view, effect, action.target)}"


def gain(effect: Effect) -> str:
    return f"{effect.hp:+d} HP" if effect.hp else f"{effect.vp:+d} VP"


def outcome(view: View, effect: Effect, target: Seat) -> str:
    """What the target has now and would have then."""
    hp, vp = view.hp[target], view.vp[target]
    if effect.hp < 0 and hp + effect.hp <= 0:
        return f"{hp} -> {hp + effect.hp} HP: falls"
    if effect.vp < 0 and vp == 0:
        return "has no VP to lose"
    if effect.hp < 0:
        return f"{hp} -> {hp + effect.hp} HP, {vp} VP"
    return f"{gain(effect)} (now {hp} HP, {vp} VP)"


def read(verb: str, groups: tuple[Faces, ...], view: View) -> Action:
    numbers = [number for group in groups for number in group]
    if verb == "roll":
        if numbers:
            raise Refused(Refusal.BAD_MOVE, "roll takes no numbers.")
        return Word.ROLL
    return Choose(verb, target_of(verb, numbers, view))


def target_of(verb: str, numbers: Sequence[int], view: View) -> Seat | None:
    """Refusals in the numbers people see; everything else is left to the rules."""
    if view.face is None:
        return None
    words, allowed = verb.replace("_", " "), " or ".join(str(seat + 1) for seat in view.targets)
    if verb not in view.effects:
        may = " or ".join(effect.replace("_", " ") for effect in view.effects)
        raise Refused(Refusal.BAD_MOVE, f"A {view.face} does not allow {words}. Choose {may}.")
    if not EFFECTS[verb].aimed:
        if numbers:
            raise Refused(Refusal.BAD_MOVE, f"{words} has no target: type it without a number.")
        return None
    if len(numbers) != 1 or Seat(numbers[0] - 1) not in view.targets:
        raise Refused(Refusal.BAD_MOVE, f"{words} needs one target: {allowed}.")
    return Seat(numbers[0] - 1)
