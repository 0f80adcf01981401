"""A greedy fighter: fells who can be felled, takes points where they lie, and hits whoever leads."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from dicehall.core.game import Seat
from dicehall.games.doordice.rules import Action, Choose, View, Word

DAMAGE = {"jab": 2, "strike": 4, "power_damage": 6, "take_hp": 2}
KILL, GLORY, THEFT = 50, 30, 20


def greedy(view: View, me: Seat, choices: Sequence[Action], chance: Random) -> Action:
    aims = [action for action in choices if isinstance(action, Choose)]
    return max(aims, key=lambda choice: (worth(view, me, choice), chance.random())) if aims else Word.ROLL


def worth(view: View, me: Seat, choice: Choose) -> int:
    """What a choice is good for, roughly in tenths of a victory point."""
    if choice.target is None:
        return GLORY
    vp, hp = view.vp[choice.target], view.hp[choice.target]
    match choice.effect:
        case "pickpocket":
            return THEFT + vp if vp else 0
        case "take_vp":
            return 10 + vp if vp else 0
        case "give_hp" | "give_vp":  # a gift has to go somewhere: to who is furthest behind
            return -vp - (choice.effect == "give_vp") * 10
        case hurting:
            felled = hp <= DAMAGE.get(hurting, 0)
            credit = KILL if felled and view.hp[me] > 0 else 0
            return credit + vp + DAMAGE.get(hurting, 0)


LEVELS = {"greedy": greedy}
