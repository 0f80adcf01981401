"""Mana: pick one of your eight units in secret, let the two fight, win more rounds of five.

Clauses M1-M7, M9, M10 and M15. At a hall table the armies are drawn and a pick is one hidden move; in a match refereed
over Nostr they come from the seats' tokens, and a pick is a commitment followed by its reveal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, assert_never

from dicehall.core.fold import not_your_turn
from dicehall.core.game import (
    Attend,
    Awaited,
    Dice,
    Entry,
    Event,
    Expired,
    Faces,
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
from dicehall.core.house import BadRule, Extra, check_rules, check_seats, switch, whole
from dicehall.games.mana.actions import Action, Code, Commit, Pick, Reveal
from dicehall.games.mana.combat import fight
from dicehall.games.mana.commitments import HASH, NONCE, SECRET, SIGNATURE, commitment
from dicehall.games.mana.events import (
    ArmiesDrawn,
    ArmyShown,
    Committed,
    GameEnded,
    Picked,
    Revealed,
    RoundFought,
    TimeRanOut,
)
from dicehall.games.mana.state import SEATS, Match, Pair, Phase, Round, State, damage, lacking, other, put, spent, wins
from dicehall.games.mana.units import DIGEST, LEAGUES, U8, UNITS, Army, army, league_of, token_digest


@dataclass(frozen=True, slots=True)
class View:
    round: int
    wins: Pair[int]
    damage: Pair[int]
    leagues: Pair[int | None] | None
    units: Pair[Army | None] | None
    picked: tuple[Seat, ...]
    rounds: tuple[Round, ...]
    phase: Phase
    picks: Pair[int | None]  # of the open round, as far as this viewer may know
    commitments: Pair[str | None]
    last_round: int
    spent: Pair[tuple[int, ...]]  # units that cannot be picked again (M15)


NOSTR: dict[str, Any] = {"same_army": 0, "fight_once": 0}  # M15: what a match over Nostr is played by


@dataclass(frozen=True, slots=True)
class Mana:
    rounds: int = whole(5, hall_most=100, most_with={"fight_once": UNITS})
    round_seconds: int = whole(300, hall_most=604_800)
    match_seconds: int = whole(1800, hall_most=604_800)
    same_army: int = switch(1, earlier={1: 0})
    fight_once: int = switch(1, earlier={1: 0})
    match: Match | None = None

    key: ClassVar[str] = "mana"
    edition: ClassVar[int] = 2
    seats: ClassVar[range] = range(2, 3)
    action: ClassVar[Any] = Action
    secret: ClassVar[bool] = True  # a pick is hidden until both have picked
    header: ClassVar[Mapping[str, Extra]] = {"match": Extra(Match, NOSTR)}  # what a record keeps beside house rules

    def __post_init__(self) -> None:
        check_rules(self)
        if self.match and self.rounds > U8:  # M7: a commitment has one byte for the round
            raise BadRule("bad_rule", "rounds", f"A match can have at most {U8} rounds, not {self.rounds}.")
        for name in NOSTR:
            if self.match and getattr(self, name):
                raise BadRule("bad_rule", name, f"{name} is a rule of hall tables; a match over Nostr cannot have it.")

    @property
    def policy(self) -> Policy:
        return Policy("full", clock="round", clock_seconds=self.round_seconds, game_seconds=self.match_seconds)

    def start(self, seats: int) -> State:
        check_seats(self, seats)
        return State()

    def awaits(self, state: State) -> Awaited:
        match self.phase(state):
            case Phase.DRAW:
                armies = 1 if self.same_army else len(SEATS)
                return Dice((256,) * (DIGEST * armies) + (len(LEAGUES),) * armies)
            case Phase.COMMIT:
                return Turn(lacking(state.commitments))
            case _:
                return state.over or Turn(lacking(state.picks))

    def count(self, state: State) -> int:
        return len(SEATS)

    def barred(self, state: State, seat: Seat) -> Refused | None:
        return None

    def anytime(self, action: Action) -> bool:
        return False

    def choices(self, state: State, seat: Seat) -> tuple[Action, ...]:
        """The units to pick from; commitments cannot be listed."""
        if self.phase(state) is not Phase.PICK or state.picks[seat] is not None:
            return ()
        gone = self.spent(state, seat)
        return tuple(Pick(unit) for unit in range(UNITS) if unit not in gone)

    def step(self, state: State, entry: Entry[Action]) -> Step[State]:
        match entry:
            case Move(seat, action):
                return self.act(state, seat, action)
            case Expired():
                return self.time_out(state)
            case Roll(faces):
                return self.draw(state, faces)
            case Attend():  # C9: absence changes nothing here
                return Step(state)
            case _:
                assert_never(entry)

    def act(self, state: State, seat: Seat, action: Action) -> Step[State]:
        if isinstance(action, Pick) == (self.match is not None):
            raise Refused(Refusal.BAD_MOVE, "Hall tables pick; matches over Nostr commit and reveal.")
        match action:
            case Pick(unit):
                check_unit(unit)
                self.check_fresh(state, seat, unit)
                return self.show(state, seat, unit, (Picked(seat, self.round(state)),))
            case Commit(hashed):
                return self.commit(state, seat, hashed)
            case Reveal():
                return self.reveal(state, seat, action)
            case _:
                assert_never(action)

    def view(self, state: State, seat: Seat | None) -> View:
        chosen = state.commitments if self.match else state.picks
        return View(
            self.round(state),
            wins(state),
            damage(state),
            state.leagues if all(state.armies) else None,
            state.armies if all(state.armies) else None,
            tuple(at for at in SEATS if chosen[at] is not None),
            state.rounds,
            self.phase(state),
            state.picks if self.match else seen_by(seat, state.picks),
            state.commitments,
            self.rounds,
            (self.spent(state, SEATS[0]), self.spent(state, SEATS[1])),
        )

    def spent(self, state: State, seat: Seat) -> tuple[int, ...]:
        """The units that this seat cannot pick again (M15)."""
        return spent(state, seat) if self.fight_once else ()

    def phase(self, state: State) -> Phase:
        if state.over:
            return Phase.OVER
        if self.match:
            return Phase.COMMIT if lacking(state.commitments) else Phase.REVEAL
        return Phase.PICK if all(state.armies) else Phase.DRAW

    def round(self, state: State) -> int:
        """The open round, from 1; after the end the last one."""
        finished = state.over is not None and state.over.reason in ("rounds", "draw")
        return len(state.rounds) + (not finished)

    def draw(self, state: State, faces: Faces) -> Step[State]:
        """Read the dice as digests, then leagues (M1, M15): a face is one more than what it stands for."""
        armies = len(faces) // (DIGEST + 1)
        drawn = bytes(face - 1 for face in faces)
        first, second = drawn[-armies], drawn[-1]
        digests = drawn[:DIGEST], drawn[DIGEST * (armies - 1) : DIGEST * armies]
        units = army(digests[0], first), army(digests[1], second)
        told = ArmiesDrawn((first, second), (LEAGUES[first].name, LEAGUES[second].name), units, bool(self.same_army))
        return Step(replace(state, armies=units, leagues=(first, second)), (told,), fresh_clock=True)

    def check_fresh(self, state: State, seat: Seat, unit: int) -> None:
        if unit in self.spent(state, seat):
            raise Refused(Code.UNIT_SPENT, "This unit has already fought; at this table each unit fights only once.")

    def commit(self, state: State, seat: Seat, hashed: str) -> Step[State]:
        if self.phase(state) is not Phase.COMMIT:
            raise not_your_turn(seat)
        if not HASH.fullmatch(hashed):
            raise Refused(Refusal.BAD_MOVE, "A commitment must be 64 hex digits in lower case.")
        told = Committed(seat, self.round(state), hashed)
        return Step(replace(state, commitments=put(state.commitments, seat, hashed)), (told,))

    def reveal(self, state: State, seat: Seat, reveal: Reveal) -> Step[State]:
        """Open a commitment; the first one that is right binds the seat's token and shows its army (M9)."""
        if self.phase(state) is not Phase.REVEAL:
            raise not_your_turn(seat)
        digest = self.opened(state, seat, reveal)
        told: tuple[Event, ...] = (Revealed(seat, self.round(state), reveal.unit),)
        if state.tokens[seat] is None:
            league = league_of(reveal.league)
            shown = army(digest, league)
            told = (ArmyShown(seat, league, LEAGUES[league].name, shown), *told)
            state = replace(
                state,
                armies=put(state.armies, seat, shown),
                leagues=put(state.leagues, seat, league),
                tokens=put(state.tokens, seat, digest),
            )
        elif state.tokens[seat] != digest:
            raise Refused(Code.COMMITMENT_MISMATCH, "A match must be played with the token that was revealed first.")
        return self.show(state, seat, reveal.unit, told)

    def opened(self, state: State, seat: Seat, reveal: Reveal) -> bytes:
        """The digest of the token, where the reveal is what the seat committed to."""
        shapes = ((SECRET, reveal.secret), (SIGNATURE, reveal.C), (NONCE, reveal.nonce))
        if not self.match or not all(text is None or shape.fullmatch(text) for shape, text in shapes):
            raise Refused(Refusal.BAD_MOVE, "A reveal must have 64 hex digits of secret, 66 of C and 64 of nonce.")
        check_unit(reveal.unit)
        secret, signature = bytes.fromhex(reveal.secret), bytes.fromhex(reveal.C)
        nonce = None if reveal.nonce is None else bytes.fromhex(reveal.nonce)
        hashed = commitment(secret, signature, reveal.unit, self.round(state), self.match.id, nonce)
        if hashed != state.commitments[seat]:
            raise Refused(Code.COMMITMENT_MISMATCH, "This reveal does not match its commitment.")
        return token_digest(secret, signature)

    def show(self, state: State, seat: Seat, unit: int, told: tuple[Event, ...]) -> Step[State]:
        """Put a unit down; when both are down they fight."""
        state = replace(state, picks=put(state.picks, seat, unit))
        first, second = state.picks
        if first is None or second is None:
            return Step(state, told)
        return self.resolve(state, (first, second), told)

    def resolve(self, state: State, picks: Pair[int], told: tuple[Event, ...]) -> Step[State]:
        """Units are fresh every round (M9), so a fight leaves nothing behind but its result."""
        mine, theirs = state.armies
        assert mine is not None
        assert theirs is not None
        fought = fight(mine[picks[0]], theirs[picks[1]])
        winner = None if fought.winner is None else Seat(fought.winner)
        number = self.round(state)
        played = Round(picks, fought.damage, fought.health, winner)
        state = replace(state, rounds=(*state.rounds, played), picks=(None, None), commitments=(None, None))
        score = wins(state), damage(state)
        told += (RoundFought(number, picks, fought.damage, fought.health, winner, *score),)
        left = self.rounds - number
        if goes_on(score[0], left):
            return Step(state, told, fresh_clock=True)
        return self.end(state, result(*score), told)

    def time_out(self, state: State) -> Step[State]:
        """A seat that has not acted in this phase forfeits to one that has; if neither has, nobody wins (M10)."""
        absent = lacking(state.commitments if self.phase(state) is Phase.COMMIT else state.picks)
        told = TimeRanOut(tuple(sorted(absent)), self.phase(state), self.round(state))
        if absent == frozenset(SEATS):
            return self.end(state, Over((), "abandoned"), (told,))
        (loser,) = absent
        return self.end(state, Over(ranked(other(loser)), "forfeit"), (told,))

    def end(self, state: State, over: Over, told: tuple[Event, ...]) -> Step[State]:
        state = replace(state, over=over, picks=(None, None), commitments=(None, None))
        places = tuple(tuple(sorted(place)) for place in over.places)
        ended = GameEnded(over.reason, over.winner, places, wins(state), damage(state), self.round(state))
        return Step(state, (*told, ended))


def check_unit(unit: int) -> None:
    if not 0 <= unit < UNITS:
        raise Refused(Code.NO_SUCH_UNIT, f"Units are numbered 0 to {UNITS - 1}.")


def seen_by(seat: Seat | None, picks: Pair[int | None]) -> Pair[int | None]:
    """A pick is its own seat's secret until both have picked (M1)."""
    return (picks[0] if seat == 0 else None, picks[1] if seat == 1 else None)


def goes_on(won: Pair[int], left: int) -> bool:
    """A match ends early when the lead is larger than the rounds left (M6)."""
    return left > 0 and abs(won[0] - won[1]) <= left


def result(won: Pair[int], dealt: Pair[int]) -> Over:
    """More rounds, then more damage, else both are first (M6)."""
    mine, theirs = (won[0], dealt[0]), (won[1], dealt[1])
    if mine == theirs:
        return Over((frozenset(SEATS),), "draw")
    return Over(ranked(SEATS[0] if mine > theirs else SEATS[1]), "rounds")


def ranked(winner: Seat) -> tuple[frozenset[Seat], ...]:
    return frozenset({winner}), frozenset({other(winner)})
