"""DO or DICE: roll, do what the face says, and have the most victory points after six rounds.

Clauses D1-D10. Nothing is hidden. A fallen seat keeps rolling, on the table for the fallen.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, ClassVar, TypeAlias, assert_never

from dicehall.core.game import (
    Attend,
    Awaited,
    Dice,
    Entry,
    Event,
    Expired,
    Move,
    Over,
    Policy,
    Refusal,
    Refused,
    Roll,
    Seat,
    Step,
    Turn,
)
from dicehall.core.house import check_rules, check_seats, seconds, whole
from dicehall.games.doordice.effects import ALIVE, FALLEN, Effect, FaceTable, choosable, resolves_itself
from dicehall.games.doordice.events import (
    ChoiceForgone,
    EffectDone,
    EliminationScored,
    Fell,
    GameEnded,
    Rolled,
    RoundEnded,
    RoundStarted,
    Tied,
    TieDiceRolled,
)
from dicehall.games.doordice.ranking import break_ties, listed, tied
from dicehall.games.doordice.state import (
    SEATS,
    State,
    aimed_at,
    alive,
    living,
    put,
    reason,
    standing,
    targets,
)


class Word(StrEnum):
    ROLL = "roll"


@dataclass(frozen=True, slots=True)
class Choose:
    effect: str
    target: Seat | None = None


Action: TypeAlias = Word | Choose


class Code(StrEnum):
    MUST_ROLL = "must_roll"
    MUST_CHOOSE = "must_choose"
    WRONG_EFFECT = "wrong_effect"
    BAD_TARGET = "bad_target"


@dataclass(frozen=True, slots=True)
class View:
    hp: tuple[int, ...]
    vp: tuple[int, ...]
    round: int
    fallen_rounds: tuple[int, ...]
    last_targets: tuple[Seat | None, ...]
    face: int | None
    effects: tuple[str, ...]
    targets: tuple[Seat, ...]
    ranking: tuple[tuple[Seat, ...], ...]  # best first; while the game runs equals share a place
    last_round: int


@dataclass(frozen=True, slots=True)
class DoOrDice:
    hp: int = whole(20, hall_most=1000)
    rounds: int = whole(6, hall_most=100)
    elimination_vp: int = whole(2, least=0)
    survival_vp: int = whole(1, least=0)
    turn_seconds: int | None = seconds(None)
    alive: FaceTable = ALIVE
    fallen: FaceTable = FALLEN

    key: ClassVar[str] = "doordice"
    edition: ClassVar[int] = 1
    seats: ClassVar[range] = range(5, 6)
    action: ClassVar[Any] = Action

    def __post_init__(self) -> None:
        check_rules(self)

    @property
    def policy(self) -> Policy:
        return Policy("full", clock="turn", clock_seconds=self.turn_seconds, drawn=True)

    def start(self, seats: int) -> State:
        check_seats(self, seats)
        return State((self.hp,) * seats)

    def awaits(self, state: State) -> Awaited:
        if state.places:
            still_tied = tied(state.places)
            return Dice((6,) * len(still_tied)) if still_tied else Over(state.places, reason(state))
        if state.rolling:
            return Dice((6,), by=frozenset({state.seat}))
        return Turn(frozenset({state.seat}))

    def count(self, state: State) -> int:
        return len(SEATS)

    def barred(self, state: State, seat: Seat) -> Refused | None:
        return None

    def anytime(self, action: Action) -> bool:
        return False

    def choices(self, state: State, seat: Seat) -> tuple[Action, ...]:
        if self.awaits(state) != Turn(frozenset({seat})):
            return ()
        if state.face is None:
            return (Word.ROLL,)
        aims = {True: targets(state), False: (None,)}
        return tuple(Choose(effect.name, aim) for effect in self.effects(state) for aim in aims[effect.aimed])

    def step(self, state: State, entry: Entry[Action]) -> Step[State]:
        match entry:
            case Move(action=Choose() as choice):
                return self.choose(state, choice)
            case Move():
                return roll(state)
            case Expired():
                return roll(state, late=True) if state.face is None else self.forgo(state)
            case Roll(faces):
                return self.rolled(state, faces[0]) if state.rolling else untied(state, faces)
            case Attend():  # C9: absence changes nothing here
                return Step(state)
            case _:
                assert_never(entry)

    def view(self, state: State, seat: Seat | None) -> View:
        return View(
            state.hp,
            state.vp,
            state.round,
            state.fallen_rounds,
            state.last_targets,
            state.face,
            tuple(sorted(effect.name for effect in self.effects(state))),
            targets(state) if state.face else (),
            listed(state.places or standing(state)),
            self.rounds,
        )

    def effects(self, state: State) -> tuple[Effect, ...]:
        """What the seat that rolled may choose from; nothing while no choice is due."""
        if state.face is None:
            return ()
        return (self.alive if alive(state, state.seat) else self.fallen)[state.face - 1]

    def rolled(self, state: State, face: int) -> Step[State]:
        """Read the face on the seat's table: some faces resolve themselves, the others ask for a choice."""
        told = Rolled(state.seat, face, alive(state, state.seat), not state.late)
        chosen = replace(state, rolling=False, late=False, face=face)
        effects = self.effects(chosen)
        if resolves_itself(effects):
            return after((told,), self.act(chosen, effects[0], None))
        return after((told,), self.forgo(chosen) if state.late else Step(chosen))

    def choose(self, state: State, choice: Choose) -> Step[State]:
        if choice.effect not in choosable(self.alive, self.fallen):
            raise Refused(Refusal.BAD_MOVE, "No die face has that effect.")
        if state.face is None:
            raise Refused(Code.MUST_ROLL, "Roll first: there is nothing to choose yet.")
        effects = {effect.name: effect for effect in self.effects(state)}
        if choice.effect not in effects:
            raise Refused(Code.WRONG_EFFECT, f"A {state.face} lets you choose {' or '.join(sorted(effects))}.")
        effect = effects[choice.effect]
        if effect.aimed and choice.target not in targets(state):
            allowed = ", ".join(map(str, targets(state)))
            raise Refused(Code.BAD_TARGET, f"{effect.name} needs one of these seats as its target: {allowed}.")
        if not effect.aimed and choice.target is not None:
            raise Refused(Code.BAD_TARGET, f"{effect.name} applies to you and takes no target.")
        return self.act(state, effect, choice.target)

    def forgo(self, state: State) -> Step[State]:
        """Let a choice go by; a turn without a target frees the last one (D4)."""
        names = tuple(sorted(effect.name for effect in self.effects(state)))
        told = ChoiceForgone(state.seat, state.face or 0, names)
        return after((told,), self.pass_on(aimed_at(state, None)))

    def act(self, state: State, effect: Effect, target: Seat | None) -> Step[State]:
        """Do what was rolled and chosen, and pass the die."""
        changed, events = self.do(state, effect, target)
        return after(events, self.pass_on(changed))

    def do(self, state: State, effect: Effect, target: Seat | None) -> tuple[State, tuple[Event, ...]]:
        """An effect, and the credit for whom it felled."""
        changed, events = self.affect(aimed_at(state, target), effect, target)
        whom = state.seat if target is None else target
        if alive(state, whom) and not alive(changed, whom):
            events += (Fell(whom, changed.hp[whom], state.round),)
            if target is not None and alive(state, state.seat):  # D6: neither a suicide nor a haunting
                changed, credit = self.credit(changed, target)
                events += (credit,)
        return changed, events

    def affect(self, state: State, effect: Effect, target: Seat | None) -> tuple[State, tuple[Event, ...]]:
        """Hit points stop at the cap above only, victory points at 0 below (D5, D7, D10)."""
        whom = state.seat if target is None else target
        hp = min(self.hp, state.hp[whom] + effect.hp)
        vp = max(0, state.vp[whom] + effect.vp)
        hp_change, vp_change = hp - state.hp[whom], vp - state.vp[whom]
        stolen = -vp_change if effect.stolen else 0
        changed = replace(state, hp=put(state.hp, whom, hp), vp=put(state.vp, whom, vp))
        changed = replace(changed, vp=put(changed.vp, state.seat, changed.vp[state.seat] + stolen))
        nothing = hp_change == vp_change == 0
        return changed, (EffectDone(state.seat, effect.name, target, hp_change, vp_change, hp, vp, stolen, nothing),)

    def credit(self, state: State, target: Seat) -> tuple[State, EliminationScored]:
        vp = state.vp[state.seat] + self.elimination_vp
        told = EliminationScored(state.seat, target, self.elimination_vp, vp)
        return replace(state, vp=put(state.vp, state.seat, vp)), told

    def pass_on(self, state: State) -> Step[State]:
        """The next seat's turn; or the end of the round, or of the game where one seat is left alive (D8)."""
        state = replace(state, face=None)
        if len(living(state)) == 1:
            return finish(state)
        if state.seat != SEATS[-1]:
            return Step(replace(state, seat=Seat(state.seat + 1)), fresh_clock=True)
        return self.end_round(state)

    def end_round(self, state: State) -> Step[State]:
        vp = tuple(state.vp[seat] + self.survival_vp * alive(state, seat) for seat in SEATS)
        fallen_rounds = tuple(state.fallen_rounds[seat] + (not alive(state, seat)) for seat in SEATS)
        told = RoundEnded(state.round, living(state), self.survival_vp, vp, fallen_rounds)
        state = replace(state, vp=vp, fallen_rounds=fallen_rounds)
        if state.round >= self.rounds:
            return after((told,), finish(state))
        return Step(replace(state, round=state.round + 1, seat=SEATS[0]), (told,), fresh_clock=True)


def roll(state: State, *, late: bool = False) -> Step[State]:
    if state.face is not None:
        raise Refused(Code.MUST_CHOOSE, f"You rolled a {state.face}: choose what it does.")
    told = (RoundStarted(state.round),) if state.seat == SEATS[0] else ()
    return Step(replace(state, rolling=True, late=late), told)


def finish(state: State) -> Step[State]:
    """The last act is done: places are final, or dice are still to part equals."""
    return settle(replace(state, places=standing(state)))


def untied(state: State, faces: tuple[int, ...]) -> Step[State]:
    seats = tied(state.places)
    places = break_ties(state.places, dict(zip(seats, faces, strict=True)))
    return after((TieDiceRolled(seats, faces),), settle(replace(state, places=places)))


def settle(state: State) -> Step[State]:
    if seats := tied(state.places):
        return Step(state, (Tied(seats, listed(state.places)),))
    ranking = tuple(min(place) for place in state.places)
    numbers = (state.vp, state.hp, state.fallen_rounds, state.round)
    return Step(state, (GameEnded(reason(state), ranking[0], ranking, listed(state.places), *numbers),))


def after(events: tuple[Event, ...], step: Step[State]) -> Step[State]:
    """The same step, with these events told before its own."""
    return replace(step, events=events + step.events)
