"""Positions of DO or DICE: ``20/2 *17/3>5 -2/1f1 14/2 8/4 round 3 face 4``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from dicehall.core.game import Seat
from dicehall.games.doordice.effects import resolves_itself
from dicehall.games.doordice.ranking import Places
from dicehall.games.doordice.rules import DoOrDice
from dicehall.games.doordice.state import SEATS, State, living
from dicehall.lab.fight_history import why_not
from dicehall.lab.phrases import BadPosition, alone, number_after, phrases, shown

EXAMPLES = ("20/0 20/0 20/0 20/0 20/0", "20/2 *17/3>5 -2/1f1>2 14/2 14/4 round 3 face 4")
ABOUT = (
    "for each of five seats HP/VP, f and the rounds it ended as fallen, > and its last target (seats count from 1);\n"
    "a star before the seat to act, if not the first; round N, face N (a choice is due), rolling, late,\n"
    "places 3 1,2 4 5 (the last turn is over; tied seats roll for their place)"
)
SEAT = re.compile(r"(\*?)(-?[0-9]{1,9})/([0-9]{1,9})(?:f([0-9]{1,9}))?(?:>([1-5]))?")


def write(game: DoOrDice, state: State, viewer: Seat | None) -> str:
    parts = [seat_text(state, seat) for seat in SEATS]
    parts += ["round", str(state.round)] if state.round != 1 else []
    parts += ["face", str(state.face)] if state.face is not None else []
    parts += [word for word, said in (("rolling", state.rolling), ("late", state.late)) if said]
    if state.places:
        parts += ["places", *(",".join(str(seat + 1) for seat in sorted(place)) for place in state.places)]
    return " ".join(parts)


def seat_text(state: State, seat: Seat) -> str:
    star = "*" if seat == state.seat and seat else ""
    fallen = f"f{state.fallen_rounds[seat]}" if state.fallen_rounds[seat] else ""
    target = state.last_targets[seat]
    return f"{star}{state.hp[seat]}/{state.vp[seat]}{fallen}{'' if target is None else f'>{target + 1}'}"


def read(game: DoOrDice, text: str) -> State:
    words = text.split()
    seats = [SEAT.fullmatch(word) for word in words[: len(SEATS)]]
    if len(seats) < len(SEATS) or not all(seats):
        wrong = next((f"not {shown(word)}" for word, seat in zip(words, seats, strict=False) if not seat), "")
        counted = wrong or f"not {len(seats)}"
        raise BadPosition(f"A position starts with five seats as HP/VP, such as {EXAMPLES[0]}, {counted}.")
    found = phrases(words[len(SEATS) :], ("round", "face", "rolling", "late", "places"))
    groups = [seat.groups() for seat in seats if seat]
    stars = [Seat(at) for at, group in enumerate(groups) if group[0]]
    if len(stars) > 1:
        raise BadPosition("Only one seat can have a star.")
    state = State(
        hp=tuple(int(group[1]) for group in groups),
        vp=tuple(int(group[2]) for group in groups),
        fallen_rounds=tuple(int(group[3] or 0) for group in groups),
        last_targets=tuple(Seat(int(group[4]) - 1) if group[4] else None for group in groups),
        round=number_after(found, "round", 1, game.rounds, 1),
        seat=stars[0] if stars else Seat(0),
        rolling=alone(found, "rolling"),
        late=alone(found, "late"),
        face=number_after(found, "face", 1, 6, 0) or None,
    )
    return checked(game, replace(state, places=places(found)))


def places(found: Mapping[str, list[str]]) -> Places:
    if "places" not in found:
        return ()
    groups = [word.split(",") for word in found["places"]]
    if sorted(seat for group in groups for seat in group) != [str(seat + 1) for seat in SEATS]:
        raise BadPosition("List each of the five seats once, such as places 3 1,2 4 5.")
    return tuple(frozenset(Seat(int(seat) - 1) for seat in group) for group in groups)


def checked(game: DoOrDice, state: State) -> State:
    if max(state.hp) > game.hp:
        raise BadPosition(f"Nobody can have more than {game.hp} HP.")
    if state.places:
        if state.rolling or state.face or state.late:
            raise BadPosition("With places given, the last turn is over: leave out face, rolling and late.")
    elif len(living(state)) < 2:
        raise BadPosition("Only one seat is alive, so the last turn is over: give the places.")
    elif state.face is not None and (state.rolling or resolves_itself(game.effects(state))):
        raise BadPosition(f"A {state.face} leaves nothing to choose here, or the die is still rolling.")
    elif state.late and not state.rolling:
        raise BadPosition("late can only follow rolling, for a die rolled by the clock: rolling late.")
    if wrong := why_not(game, state):
        raise BadPosition(f"This cannot occur: {wrong}")
    return state
