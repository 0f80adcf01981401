"""Positions of Mana: the army, or two where the seats have different ones, the rounds that were fought, who has picked.

``fire 21/9/33b ... | rounds 4x7 1x1 picked 1:4``, and with same_army=0 ``fire 21/9/33b ... | ice 14/17/52 ... | ...``
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from dicehall.core.game import Expired, Move, Refused, Seat
from dicehall.games.mana.actions import Pick
from dicehall.games.mana.rules import Mana
from dicehall.games.mana.state import SEATS, State
from dicehall.games.mana.units import ATTACK, DEFENSE, HEALTH, LEAGUES, U8, UNITS, Ability, Army, League, Unit
from dicehall.lab.phrases import BadPosition, phrases, shown

ARMY = "fire 20/10/30 20/10/30b 20/10/30s 20/10/30h 25/12/40 25/12/40b 25/12/40s 25/12/40h"
EXAMPLES = (ARMY, f"{ARMY} | rounds 1x2 picked 1")
ABOUT = (
    "LEAGUE and eight units ATTACK/DEFENSE/HEALTH (b boost, s shield, h heal), with same_army=0 a bar and the other\n"
    "army, then a bar and\n"
    "rounds 4x7 1x1 (the units sent, from 1), picked 1:4 (seat 1 sent unit 4; picked 1 if it is hidden), expired;\n"
    "undrawn if the armies are not drawn yet"
)
LETTERS = {Ability.NONE: "", Ability.BOOST: "b", Ability.SHIELD: "s", Ability.HEAL: "h"}
UNIT = re.compile(r"([0-9]{1,3})/([0-9]{1,3})/([0-9]{1,3})([bsh]?)")
ROUND = re.compile(r"([1-8])x([1-8])")
PICKED = re.compile(r"([12])(?::([1-8]))?")


def write(game: Mana, state: State, viewer: Seat | None) -> str:
    if not all(state.armies):
        return "undrawn"
    parts = [army_text(state, seat) for seat in (SEATS[:1] if game.same_army else SEATS)]
    told = ["rounds", *(f"{one.picks[0] + 1}x{one.picks[1] + 1}" for one in state.rounds)] if state.rounds else []
    picks = game.view(state, viewer)
    told += [picked_text(seat, picks.picks[seat]) for seat in picks.picked]
    if state.over and state.over.reason in ("forfeit", "abandoned"):
        told += ["expired", *(str(seat + 1) for seat in sorted(state.over.places[0] if state.over.places else ()))]
    return " | ".join([*parts, " ".join(told)] if told else parts)


def picked_text(seat: Seat, pick: int | None) -> str:
    return f"picked {seat + 1}" + ("" if pick is None else f":{pick + 1}")


def army_text(state: State, seat: Seat) -> str:
    army, league = state.armies[seat] or (), state.leagues[seat] or 0
    units = (f"{unit.attack}/{unit.defense}/{unit.health}{LETTERS[unit.ability]}" for unit in army)
    return " ".join([LEAGUES[league].name.lower(), *units])


def read(game: Mana, text: str) -> State:
    if text.split() == ["undrawn"]:
        return State()
    parts = [part.split() for part in text.lower().split("|")]
    armies = parts[: 1 if game.same_army else len(SEATS)]
    if not len(SEATS) - game.same_army == len(armies) >= len(parts) - 1:
        raise BadPosition(expected(game))
    (my_league, mine), (their_league, theirs) = read_army(armies[0]), read_army(armies[-1])
    state = State(armies=(mine, theirs), leagues=(my_league, their_league))
    found = phrases(parts[len(armies)] if len(parts) > len(armies) else [], ("rounds", "picked", "expired"))
    for word in found.get("rounds", []):
        picks = read_pair(word)
        for seat in SEATS:
            state = sent(game, state, seat, picks[seat])
    return late(game, picking(game, state, found), found)


def expected(game: Mana) -> str:
    if game.same_army:
        return "Write the army that both seats share, then a bar and what happened; for two armies, use same_army=0."
    return "Write two armies with a bar between them, then another bar and what happened."


def read_army(words: list[str]) -> tuple[int, Army]:
    names = [league.name.lower() for league in LEAGUES]
    if not words or words[0] not in names:
        raise BadPosition(f"An army begins with its league: {', '.join(names)}.")
    if len(words) != 1 + UNITS:
        raise BadPosition(f"An army has {UNITS} units, not {len(words) - 1}.")
    league, units = LEAGUES[names.index(words[0])], tuple(map(read_unit, words[1:]))
    for unit in units:
        check_unit(league, unit)
    return names.index(words[0]), units


def read_unit(word: str) -> Unit:
    found = UNIT.fullmatch(word)
    if not found or max(map(int, found.groups()[:3])) > U8 or not int(found[3]):
        raise BadPosition(f"Write a unit as ATTACK/DEFENSE/HEALTH, such as 20/10/30b, not {shown(word)}.")
    ability = next(ability for ability, letter in LETTERS.items() if letter == found[4])
    return Unit(int(found[1]), int(found[2]), int(found[3]), int(found[3]), ability)


def check_unit(league: League, unit: Unit) -> None:
    """A unit is drawn within limits (M2), to which its league adds (M3)."""
    for name, given, bonus, drawn in (
        ("attack", unit.attack, league.attack, ATTACK),
        ("defense", unit.defense, league.defense, DEFENSE),
        ("health", unit.health, league.health, HEALTH),
    ):
        least, most = drawn.start + bonus, drawn.stop - 1 + bonus
        if not least <= given <= most:
            raise BadPosition(
                f"This cannot occur: {name} in the league {league.name} is {least} to {most}, not {given}."
            )


def read_pair(word: str) -> tuple[int, int]:
    found = ROUND.fullmatch(word)
    if not found:
        raise BadPosition(f"Write a round as 4x7, the units of both seats from 1 to {UNITS}, not {shown(word)}.")
    return int(found[1]) - 1, int(found[2]) - 1


def sent(game: Mana, state: State, seat: Seat, unit: int) -> State:
    try:
        if state.over:
            raise BadPosition("There are more rounds than the match can have.")
        return game.step(state, Move(seat, Pick(unit))).state
    except Refused as refused:
        raise BadPosition(refused.sentence) from None


def picking(game: Mana, state: State, found: Mapping[str, list[str]]) -> State:
    """A pick that is hidden is some pick: who sees the position does not see which."""
    words = found.get("picked", [])
    matched = PICKED.fullmatch(words[0]) if len(words) == 1 else None
    if words and not matched:
        raise BadPosition("Write picked 1, or picked 1:4 if the unit is known.")
    if not matched:
        return state
    seat = Seat(int(matched[1]) - 1)
    return sent(game, state, seat, int(matched[2]) - 1 if matched[2] else some(game, state, seat))


def some(game: Mana, state: State, seat: Seat) -> int:
    """A unit that could be picked here."""
    picks = [pick.unit for pick in game.choices(state, seat) if isinstance(pick, Pick)]
    return picks[0] if picks else 0


def late(game: Mana, state: State, found: Mapping[str, list[str]]) -> State:
    """Time ran out: whoever had picked has won, if anybody had."""
    if "expired" not in found:
        return state
    winner = found["expired"]
    if state.over or len(winner) > 1 or not set(winner) <= {"1", "2"}:
        raise BadPosition("expired can be followed by the seat that had picked, such as expired 1.")
    for seat in winner:
        state = sent(game, state, Seat(int(seat) - 1), some(game, state, Seat(int(seat) - 1)))
    return game.step(state, Expired(Seat(0))).state
