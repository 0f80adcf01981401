"""What the referee shows of a match: the source document's MatchState, and a line for lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from dicehall.core.game import Seat
from dicehall.games.mana.combat import fight
from dicehall.games.mana.state import SEATS, damage, wins
from dicehall.games.mana.state import Phase as Awaited
from dicehall.games.mana.units import Army, Unit
from dicehall.referee.entries import Phase
from dicehall.referee.match import Match
from dicehall.referee.store import Loot, Outgoing

if TYPE_CHECKING:
    from dicehall.referee.referee import Referee


def phase_of(match: Match, referee: Referee) -> Phase:
    if match.over is not None:
        return Phase.ABANDONED if match.over.reason == "abandoned" else Phase.MATCH_COMPLETE
    if match.acceptance_id is None:
        return Phase.WAITING_FOR_ACCEPTANCE
    if match.awaited is Awaited.REVEAL:
        there = sum(pick is not None for pick in match.state.picks) + len(list(referee.tokens.reveals(match.id)))
        return Phase.PROCESSING_COMBAT if there == len(SEATS) else Phase.WAITING_FOR_REVEALS
    if match.results and not referee.outbox.is_published(match.id, f"round_result/{len(match.results)}"):
        return Phase.ROUND_COMPLETE
    return Phase.WAITING_FOR_COMMITMENTS


def summary_of(match: Match, phase: Phase) -> str:
    return msgspec.json.encode(summary(match, phase)).decode()


def summary(match: Match, phase: Phase) -> dict[str, Any]:
    return {
        "match_id": match.id,
        "players": match.npubs,
        "state": phase,
        "current_round": match.round,
        "score": wins(match.state),
        "winner": None if match.winner is None else match.npubs[match.winner],
        "reason": None if match.over is None else match.over.reason,
        "created_at": match.created_ms // 1000,
        "ended_at": None if match.ended_ms is None else match.ended_ms // 1000,
    }


def show_match(match: Match, phase: Phase, events: list[Outgoing], loot: Loot | None) -> dict[str, Any]:
    rewards = [one.event.id for one in events if one.key == "loot_reward"]
    return {
        **summary(match, phase),
        "rounds": [show_round(match, number) for number in range(1, len(match.state.rounds) + 1)],
        "commitments": [
            {"player": match.npubs[seat], "round": number, **data_of(one)}
            for (seat, number), one in match.commitments.items()
        ],
        "reveals": [
            {"player": match.npubs[seat], "round": number, **show_reveal(match, seat, number)}
            for seat, number in match.reveals
        ],
        "timeout_at": None if match.over is not None else match.deadline_ms // 1000,
        "leagues": match.state.leagues,
        "units": [show_army(army) for army in match.state.armies],
        "total_damage": damage(match.state),
        "challenge_event_id": match.challenge_id,
        "acceptance_event_id": match.acceptance_id,
        "events": [show_event(one) for one in events],
        "loot": None if loot is None else show_loot(loot, rewards),
        "verifications": [
            {
                "player": match.npubs[one.seat],
                "valid": one.refusal is None,
                "reason": one.refusal,
                "event_id": one.event_id,
            }
            for one in match.verifications
        ],
    }


def data_of(commitment: Any) -> dict[str, Any]:
    return {"hash": commitment.hash, "event_id": commitment.event_id, "timestamp": commitment.timestamp}


def show_round(match: Match, number: int) -> dict[str, Any]:
    played = match.state.rounds[number - 1]
    shown = match.reveals[SEATS[0], number], match.reveals[SEATS[1], number]
    units = fight(shown[0].unit, shown[1].unit).units
    return {
        "round": number,
        "player1_unit": show_unit(units[0]),
        "player2_unit": show_unit(units[1]),
        "damage_dealt": played.damage,
        "winner": None if played.winner is None else match.npubs[played.winner],
        "event_id": match.results[number - 1],
    }


def show_reveal(match: Match, seat: Seat, number: int) -> dict[str, Any]:
    """The token is shown once the round has been fought; the event on the relay has shown it before."""
    reveal = match.reveals[seat, number]
    fought = number <= len(match.state.rounds)
    return {
        "unit": show_unit(reveal.unit),
        "unit_index": reveal.unit_index,
        "token_secret": reveal.secret if fought else None,
        "event_id": reveal.event_id,
    }


def show_army(army: Army | None) -> list[dict[str, Any]] | None:
    return None if army is None else [show_unit(unit) for unit in army]


def show_unit(unit: Unit) -> dict[str, Any]:
    return {
        "attack": unit.attack,
        "defense": unit.defense,
        "health": unit.health,
        "max_health": unit.max_health,
        "ability": unit.ability,
    }


def show_event(outgoing: Outgoing) -> dict[str, Any]:
    name, _, rest = outgoing.key.partition("/")
    shown = {"name": "match_announcement" if name in ("announcement", "refused") else name}
    number = {"round": int(rest)} if rest.isdigit() else {}
    return {**shown, **number, "event_id": outgoing.event.id, "published": outgoing.published}


def show_loot(loot: Loot, rewards: list[str]) -> dict[str, Any]:
    return {
        "amount": loot.amount,
        "state": "queued" if loot.token is None else "paid",
        "event_id": rewards[0] if rewards else None,
    }
