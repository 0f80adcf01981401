"""DO or DICE in words: ``In round 3 with 14 HP and 2 VP, after rolling a 4``."""

from __future__ import annotations

from collections.abc import Sequence

from dicehall.core.game import Seat
from dicehall.games.doordice.rules import Action, Choose, View, Word
from dicehall.lab.wording import Deed, ShownDie

VERBS = {  # what was done, and doing it; the name of the target takes the place of the braces
    "jab": ("jabbed {}", "jabbing {}", "Jab {}"),
    "pickpocket": ("stole from {}", "stealing from {}", "Steal from {}"),
    "strike": ("struck {}", "striking {}", "Strike {}"),
    "power_damage": ("hit {} with the Power Move", "hitting {} with the Power Move", "Hit {} for 6 HP"),
    "power_vp": ("took 3 VP with the Power Move", "taking 3 VP with the Power Move", "Take 3 VP"),
    "give_hp": ("healed {}", "healing {}", "Heal {}"),
    "give_vp": ("gave a VP to {}", "giving a VP to {}", "Give {} a VP"),
    "take_hp": ("took HP from {}", "taking HP from {}", "Take HP from {}"),
    "take_vp": ("took a VP from {}", "taking a VP from {}", "Take a VP from {}"),
}


def situation(view: View, seat: Seat, names: Sequence[str]) -> str:
    fallen = view.hp[seat] <= 0
    have = f"as a ghost with {view.vp[seat]} VP" if fallen else f"with {view.hp[seat]} HP and {view.vp[seat]} VP"
    after = f", after rolling a {view.face}" if view.face else ""
    return f"In round {view.round} {have}{after}"


def deed(view: View, seat: Seat, action: Action, names: Sequence[str]) -> Deed:
    if not isinstance(action, Choose):
        assert action is Word.ROLL
        return Deed("rolled", "rolling", "Roll")
    usual = (f"used {action.effect} on {{}}", f"using {action.effect} on {{}}", f"{action.effect} on {{}}")
    target = "" if action.target is None else names[action.target]
    past, doing, label = (form.format(target) for form in VERBS.get(action.effect, usual))
    return Deed(past, doing, label)


def dice(view: View) -> tuple[ShownDie, ...]:
    return (ShownDie(view.face),) if view.face else ()


def round_of(view: View) -> int:
    return view.round
