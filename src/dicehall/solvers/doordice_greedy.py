"""What a choice in DO or DICE is good for at a glance: greedy bots play by it, and so does everybody in playouts."""

from __future__ import annotations

from dicehall.games.doordice.effects import ALIVE, FALLEN

DAMAGE = {
    effect.name: -effect.hp
    for table in (ALIVE, FALLEN)
    for face in table
    for effect in face
    if effect.aimed and effect.hp < 0
}
KILL, GLORY, THEFT = 50, 30, 20


def glance(effect: str, aimed: bool, hp: int, vp: int, alive: bool) -> int:
    """Roughly in tenths of a victory point: an effect on a seat with so many points, by one who is alive or fallen."""
    if not aimed:
        return GLORY
    match effect:
        case "pickpocket":
            return THEFT + vp if vp else 0
        case "take_vp":
            return 10 + vp if vp else 0
        case "give_hp" | "give_vp":  # a gift has to go somewhere: to who is furthest behind
            return -vp - (effect == "give_vp") * 10
        case hurting:
            damage = DAMAGE.get(hurting, 0)
            credit = KILL if hp <= damage and alive else 0
            return credit + vp + damage
