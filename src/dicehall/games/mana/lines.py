"""Mana in plain lines: how a position reads, what can be typed, and what it is worth.

Units are typed by the number on their card, from 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from dicehall.core.game import Event, Faces, Refusal, Refused, Seat
from dicehall.games.mana.actions import Action, Pick
from dicehall.games.mana.combat import fight
from dicehall.games.mana.events import RoundFought
from dicehall.games.mana.rules import View
from dicehall.games.mana.state import SEATS
from dicehall.games.mana.units import LEAGUES, UNITS, Ability, Army, Unit

VERBS = {"pick": "pick 3, or just 3: send your unit number 3. It stays secret until both have picked."}
POINTS = "rounds won"  # what the scores of a table of results are
ORDER = "Most rounds won first; ties go to the most damage dealt."
UNIT_HEADING = "attack  defense  health  ability"
SIDE = 40  # columns of an army beside the other
NAME = 20  # characters of a name in a heading
SECRET = frozenset({"pick"})  # what is typed must not be seen by the others in the room
ABILITIES = {
    Ability.NONE: "",
    Ability.BOOST: ", doubles its attack",
    Ability.SHIELD: ", takes no damage",
    Ability.HEAL: ", heals after the fight",
}


def scores(view: View, names: Sequence[str]) -> list[str]:
    return [f"Round {view.round} of {view.last_round}.", *(standing(view, names, seat) for seat in SEATS)]


def standing(view: View, names: Sequence[str], seat: Seat) -> str:
    won = view.wins[seat]
    return f"{names[seat]}: {won} {'round' if won == 1 else 'rounds'} won, {view.damage[seat]} damage dealt"


def table(view: View, names: Sequence[str], me: Seat) -> list[str]:
    """The units in columns: once where both armies are the same, else side by side; it fits 80 columns."""
    if view.units is None:
        return []
    other = Seat(1 - me)
    mine, theirs = view.units[me] or (), view.units[other] or ()
    if mine == theirs:
        return [
            f"Both armies ({league(view, me)} league):",
            shared_heading(names, other),
            *shared_rows(view, mine, me),
        ]
    sides = [side(view, Seat(seat), title) for seat, title in ((me, "Yours"), (other, names[other][:NAME]))]
    return [f"{left:<{SIDE}}  {right}".rstrip() for left, right in zip_longest(*sides, fillvalue="")]


def shared_heading(names: Sequence[str], other: Seat) -> str:
    return f"  unit  {UNIT_HEADING}  you    {names[other][:NAME]}"


def shared_rows(view: View, army: Army, me: Seat) -> list[str]:
    rows = []
    for at, unit in enumerate(army):
        spent = ["spent" if at in view.spent[seat] else "-" for seat in (me, 1 - me)]
        rows.append(f"  {at + 1:>4}  {columns(unit)}  {spent[0]:<5}  {spent[1]}")
    return rows


def side(view: View, seat: Seat, title: str) -> list[str]:
    """One army, a unit a line."""
    army = (view.units or (None, None))[seat] or ()
    rows = [f"{at + 1}  {columns(unit)}{' spent' if at in view.spent[seat] else ''}" for at, unit in enumerate(army)]
    return [f"{title} ({league(view, seat)} league):", f"   {UNIT_HEADING}", *rows]


def columns(unit: Unit) -> str:
    return f"{unit.attack:>6}  {unit.defense:>7}  {unit.health:>6}  {ability(unit) or '-':<7}"


def described(view: View, names: Sequence[str], me: Seat) -> list[str]:
    """The units in sentences, for screens whose letters are not all of one width."""
    if view.units is None:
        return []
    other = Seat(1 - me)
    mine, theirs = view.units[me] or (), view.units[other] or ()
    if mine != theirs:
        yours = [f"Your army ({league(view, me)} league):", *cards(mine, view.spent[me])]
        return [*yours, f"{names[other]} ({league(view, other)} league):", *cards(theirs, view.spent[other])]
    lines = [f"Both armies ({league(view, me)} league):"]
    for at, line in enumerate(cards(mine)):
        sent = [name for name, seat in (("you", me), (names[other], other)) if at in view.spent[seat]]
        lines.append(f"{line} (sent by {' and '.join(sent)})" if sent else line)
    return lines


def league(view: View, seat: Seat) -> str:
    number = (view.leagues or (None, None))[seat]
    return "unknown" if number is None else LEAGUES[number].name


def cards(army: Army, spent: Sequence[int] = ()) -> list[str]:
    return [f"  {at + 1}. {card(unit)}{' (spent)' if at in spent else ''}" for at, unit in enumerate(army)]


def card(unit: Unit) -> str:
    return f"attack {unit.attack}, defense {unit.defense}, health {unit.health}{ABILITIES[unit.ability]}"


def offers(view: View, names: Sequence[str], me: Seat, choices: Sequence[Action]) -> list[tuple[str, str]]:
    mine, left = (view.units or (None, None))[me], still_to_meet(view, me)
    picks = [action.unit for action in choices if isinstance(action, Pick)]
    return [(f"pick {at + 1}", prospect(mine[at], left)) for at in picks] if mine and left else []


def pick_outlook(view: View, me: Seat, unit: int) -> str:
    """How a unit fares against those that the other side can still send."""
    mine = (view.units or (None, None))[me]
    left = still_to_meet(view, me)
    return prospect(mine[unit], left) if mine and left else ""


def still_to_meet(view: View, me: Seat) -> Army:
    """The units that the other side can still send."""
    theirs = (view.units or (None, None))[1 - me] or ()
    return tuple(unit for at, unit in enumerate(theirs) if at not in view.spent[1 - me])


def ability(unit: Unit) -> str:
    return "" if unit.ability is Ability.NONE else unit.ability.name.capitalize()


def prospect(unit: Unit, theirs: Sequence[Unit]) -> str:
    """How it fares against each unit it may meet."""
    won, lost = fights(unit, theirs)
    return f"beats {won} of {len(theirs)} units, loses to {lost}"


def fights(unit: Unit, theirs: Sequence[Unit]) -> tuple[int, int]:
    """How many of these units it beats, and to how many it loses."""
    winners = [fight(unit, other).winner for other in theirs]
    return winners.count(0), winners.count(1)


def read(verb: str, groups: tuple[Faces, ...], view: View) -> Action:
    numbers = [number for group in groups for number in group]
    if len(numbers) != 1 or not 1 <= numbers[0] <= UNITS:
        raise Refused(Refusal.BAD_MOVE, f"Pick one unit by its number, 1 to {UNITS}, such as: pick 3.")
    return Pick(numbers[0] - 1)


def told(event: Event, view: View, names: Sequence[str]) -> list[str] | None:
    """A fight with its units by the numbers on their cards."""
    if not isinstance(event, RoundFought) or view.units is None:
        return None
    won = "Nobody takes" if event.winner is None else f"{names[event.winner]} takes"
    return [*(fighter(event, view, names, seat) for seat in SEATS), f"{won} round {event.round}."]


def fighter(event: RoundFought, view: View, names: Sequence[str], seat: Seat) -> str:
    army, at = (view.units or (None, None))[seat] or (), event.picks[seat]
    fate = f"deals {event.damage[seat]} and is left with {event.health[seat]} health"
    return f"{names[seat]}: unit {at + 1} ({card(army[at])}) {fate}."
