"""The sentences in which a match is told, each with the same facts as JSON."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from dicehall.games.mana.lines import card
from dicehall.games.mana.state import Pair
from dicehall.games.mana.units import Army
from dicehall.nostr.keys import npub_of
from dicehall.nostr.match_events import MatchResult

SHOWN = 12  # characters at the beginning of a shortened npub


CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    """What a referee, a mint or a relay wrote cannot move the cursor, colour the screen or turn the text round."""
    return CONTROL.sub("?", text)


@dataclass(frozen=True, slots=True)
class Note:
    """One thing that happened: a sentence for people, its facts for programs."""

    event: str
    sentence: str
    facts: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "sentence", printable(self.sentence))

    def to_json(self) -> dict[str, Any]:
        return {"event": self.event, "sentence": self.sentence, **self.facts}


Tell: TypeAlias = Callable[[Note], None]


def short(npub: str) -> str:
    return f"{npub[:SHOWN]}...{npub[-4:]}"


@dataclass(frozen=True, slots=True)
class Names:
    """What people are called: names that were given, else shortened npubs. The reader is "you" if there is one."""

    me: str | None = None  # hex
    given: Mapping[str, str] = field(default_factory=dict)  # by hex

    def of(self, person: str) -> str:
        return "you" if person == self.me else self.given.get(person) or short(npub_of(person))

    def start(self, person: str) -> str:
        name = self.of(person)
        return "You" if name == "you" else name

    def possessive(self, person: str) -> str:
        return "your" if person == self.me else f"{self.of(person)}'s"

    def verb(self, person: str, plain: str, third: str) -> str:
        return f"{self.start(person)} {plain if person == self.me else third}"


@dataclass(frozen=True, slots=True)
class Fought:
    """One round as it was worked out from the reveals."""

    round: int
    picks: Pair[int]
    damage: Pair[int]
    health: Pair[int]
    winner: int | None
    armies: Pair[Army]


def challenged(names: Names, players: Pair[str], match_id: str) -> Note:
    sentence = f"{names.verb(players[0], 'challenge', 'challenges')} {names.of(players[1])} to match {match_id}."
    return Note("challenge", sentence, {"match_id": match_id, "players": npubs(players)})


def refused(reason: str | None) -> Note:
    """The referee's reason, in words where it is one that we know."""
    named = reason or "no reason was given"
    sentence = f"The referee refused the challenge: {REFUSALS.get(named, f'{named}.')}"
    return Note("refused", sentence, {"reason": named})


REFUSALS = {
    "busy": "it cannot take any more matches right now. Try again in a few minutes.",
    "too_many_challenges": "you have too many open challenges. Wait until one is accepted or has run out.",
}


def accepted(names: Names, players: Pair[str], match_id: str) -> Note:
    whose = names.possessive(players[0])
    sentence = f"{names.verb(players[1], 'accept', 'accepts')} {whose} challenge. The match begins."
    return Note("acceptance", sentence, {"match_id": match_id, "players": npubs(players)})


def committed(names: Names, player: str, number: int) -> Note:
    sentence = f"{names.verb(player, 'have', 'has')} picked a unit for round {number}; it stays hidden for now."
    return Note("commitment", sentence, {"player": npub_of(player), "round": number})


def copied(names: Names, opponent: str, number: int) -> Note:
    sentence = f"{names.start(opponent)} copied your commitment, so your pick is committed again under a new one."
    return Note("copied", sentence, {"player": npub_of(opponent), "round": number})


def revealed(names: Names, player: str, number: int, unit: int, army: Army) -> Note:
    sentence = f"{names.verb(player, 'reveal', 'reveals')} unit {unit + 1}: {card(army[unit])}."
    return Note("reveal", sentence, {"player": npub_of(player), "round": number, "unit": unit + 1})


def round_fought(names: Names, players: Pair[str], fought: Fought) -> Note:
    numbers = zip(players, fought.picks, fought.damage, fought.health, strict=True)
    did = [
        f"{names.possessive(one)} unit {unit + 1} deals {dealt} and has {health} left"
        for one, unit, dealt, health in numbers
    ]
    won = "The round is a tie" if fought.winner is None else won_text(names, players[fought.winner], "the round")
    facts = {
        "round": fought.round,
        "units": [unit + 1 for unit in fought.picks],
        "damage": fought.damage,
        "health": fought.health,
        "winner": None if fought.winner is None else npub_of(players[fought.winner]),
    }
    return Note("round", f"Round {fought.round}: {did[0]}; {did[1]}. {won}.", facts)


def match_over(names: Names, players: Pair[str], result: MatchResult, winner: str | None) -> Note:
    facts = {
        "match_id": result.match_id,
        "winner": result.winner,
        "score": result.score,
        "total_damage": result.total_damage,
        "reason": result.reason,
    }
    return Note("result", over_text(names, players, result, winner), facts)


def over_text(names: Names, players: Pair[str], result: MatchResult, winner: str | None) -> str:
    """The winner's numbers come first."""
    order = (1, 0) if winner == players[1] else (0, 1)
    score = "-".join(str(result.score[at]) for at in order)
    total = "total damage " + "-".join(str(result.total_damage[at]) for at in order)
    if winner is not None and result.reason == "forfeit":
        won = won_text(names, winner, "the match")
        return f"{names.start(players[order[1]])} ran out of time. {won} by forfeit, {score}."
    if winner is not None:
        return f"{won_text(names, winner, 'the match')} {score} ({total})."
    if result.reason == "draw":
        return f"The match is a draw, {score} ({total}). There is no loot."
    if result.reason == "abandoned":
        return f"The match was abandoned at {score}: nobody acted in time. There is no loot."
    return f"The referee ended the match at {score} without a winner who played in it."


def won_text(names: Names, winner: str, what: str) -> str:
    return f"{names.verb(winner, 'win', 'wins')} {what}"


def redeemed(names: Names, winner: str, amount: int, balance: int) -> Note:
    whose = names.possessive(winner)
    sentence = f"{names.verb(winner, 'redeem', 'redeems')} {amount} loot; {whose} wallet now holds {balance} loot."
    return Note("loot", sentence, {"amount": amount, "balance": balance})


def cheating(referee: str, finding: str) -> Note:
    """A referee whose word does not agree with what both players published."""
    sentence = f"The referee {npub_of(referee)} is wrong or cheats: it {finding}."
    return Note("finding", sentence, {"referee": npub_of(referee), "finding": finding})


def npubs(players: Pair[str]) -> list[str]:
    return [npub_of(one) for one in players]
