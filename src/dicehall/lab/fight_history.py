"""Which positions of DO or DICE no game can reach: each act so far changed one seat, and by so much at most."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain

from dicehall.core.game import Seat
from dicehall.games.doordice.effects import Effect
from dicehall.games.doordice.ranking import Places
from dicehall.games.doordice.rules import DoOrDice
from dicehall.games.doordice.state import SEATS, State, alive, living, standing


@dataclass(frozen=True, slots=True)
class Past:
    """What lies behind a position."""

    rounds: int  # that have ended
    acts: int  # of all seats

    @classmethod
    def of(cls, state: State) -> Past:
        if state.places and len(living(state)) > 1:  # the last round ended
            return cls(state.round, state.round * len(SEATS))
        acts = (state.round - 1) * len(SEATS) + state.seat + bool(state.places)
        return cls(state.round - 1, acts)


def why_not(game: DoOrDice, state: State) -> str | None:
    """A sentence, where it is certain that the position cannot occur."""
    past = Past.of(state)
    return places_wrong(game, state) or seats_wrong(game, state, past) or acts_wrong(game, state, past)


def places_wrong(game: DoOrDice, state: State) -> str | None:
    if not state.places:
        return None
    if not living(state):
        return "the game ends while one seat is still alive."
    if len(living(state)) > 1 and state.round < game.rounds:
        return f"the game ends after round {game.rounds}, or when one seat is left alive."
    if not refines(state.places, standing(state)):
        return "the places do not follow from VP, HP and rounds fallen."
    return None


def refines(places: Places, standing: Places) -> bool:
    """Whether the places are those of the position, with some ties broken."""
    rank = {seat: at for at, place in enumerate(standing) for seat in place}
    ranks = [{rank[seat] for seat in place} for place in places]
    return all(len(shared) == 1 for shared in ranks) and ranks == sorted(ranks, key=min)


def seats_wrong(game: DoOrDice, state: State, past: Past) -> str | None:
    started = bool(state.seat or state.places)
    for seat in SEATS:
        fallen, name = state.fallen_rounds[seat], f"seat {seat + 1}"
        if state.hp[seat] <= -hardest(game):
            return f"a seat falls at 0 HP, and no blow takes more than {hardest(game)}, so {name} has too few HP."
        if alive(state, seat) and fallen:
            return f"{name} is alive, so it cannot have ended a round as fallen."
        if fallen > past.rounds:
            return f"{name} cannot have ended {fallen} rounds as fallen when {past.rounds} have ended."
        if not alive(state, seat) and not fallen and not started:
            return f"{name} fell in an earlier round, so write f and the rounds it ended as fallen."
        if wrong := target_wrong(state, seat):
            return wrong
    return None


def target_wrong(state: State, seat: Seat) -> str | None:
    target = state.last_targets[seat]
    if target == seat:
        return f"seat {seat + 1} cannot target itself."
    if target is not None and state.round == 1 and seat >= state.seat and not state.places:
        return f"seat {seat + 1} has not acted yet, so it has no last target."
    return None


def acts_wrong(game: DoOrDice, state: State, past: Past) -> str | None:
    """Count the acts that the position needs: blows, thefts, and gains that neither thefts nor kills explain."""
    hits = [-(-(game.hp - hp) // hardest(game)) for hp in state.hp]
    for seat in SEATS:
        in_time = (past.rounds - state.fallen_rounds[seat] + 1) * len(SEATS)
        if not alive(state, seat) and hits[seat] > in_time:
            return f"seat {seat + 1} cannot have fallen so early."
    bonus = [game.survival_vp * (past.rounds - fallen) for fallen in state.fallen_rounds]
    lost = sum(max(0, due - vp) for due, vp in zip(bonus, state.vp, strict=True))
    won = sum(max(0, vp - due) for due, vp in zip(bonus, state.vp, strict=True))
    most_taken, most_gained = most(-effect.vp for effect in effects(game)), most(gain(e) for e in effects(game))
    thefts = -(-lost // most_taken)
    rest = won - game.elimination_vp * (len(SEATS) - len(living(state))) - thefts * most_taken
    if sum(hits) + thefts + max(0, -(-rest // most_gained)) > past.acts:
        return f"{past.acts} {'act' if past.acts == 1 else 'acts'} so far cannot have led to these HP and VP."
    if sum(state.vp) < sum(bonus) - vanished(game, state):
        return f"the seats have {sum(state.vp)} VP in all, fewer than they earned by surviving."
    return None


def vanished(game: DoOrDice, state: State) -> int:
    """The most VP that can have gone to nobody: a theft moves them, and a haunt takes them away."""
    haunts = sum(rounds + 1 for seat, rounds in enumerate(state.fallen_rounds) if not alive(state, Seat(seat)))
    acts = state.round * len(SEATS) if any(effect.vp < 0 and not effect.stolen for effect in chain(*game.alive)) else 0
    return max(haunts, acts) * most(-effect.vp for effect in effects(game) if not effect.stolen)


def effects(game: DoOrDice) -> list[Effect]:
    return [effect for table in (game.alive, game.fallen) for face in table for effect in face]


def hardest(game: DoOrDice) -> int:
    """What one act takes from a seat's HP at most."""
    return most(-effect.hp for effect in effects(game))


def gain(effect: Effect) -> int:
    return abs(effect.vp) if effect.stolen else effect.vp


def most(numbers: Iterable[int]) -> int:
    return max(1, *numbers)
