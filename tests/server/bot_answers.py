"""Answers of a referee bot, as one gives them: four matches by the rules of Mana, between people with real keys."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import Any

import msgspec

from dicehall.games.mana.combat import fight
from dicehall.games.mana.commitments import commitment
from dicehall.games.mana.units import army, token_digest
from dicehall.nostr.keys import SecretKey

START = 1_790_000_000  # seconds
PHASES = (
    "WaitingForAcceptance",
    "WaitingForCommitments",
    "WaitingForReveals",
    "ProcessingCombat",
    "RoundComplete",
    "MatchComplete",
    "Abandoned",
)


def digest(*words: object) -> str:
    return hashlib.sha256("/".join(map(str, words)).encode()).hexdigest()


def npub(name: str) -> str:
    return SecretKey(bytes.fromhex(digest("key", name))).npub


@dataclass(slots=True)
class MatchAnswer:
    """The answer to /match/{id}, grown event by event."""

    id: str
    names: tuple[str, str]
    leagues: tuple[int, int] = (0, 1)
    at: int = START
    tokens: tuple[str, str] = ("first", "second")
    answer: dict[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        self.answer = {
            "match_id": self.id,
            "players": [npub(name) for name in self.names],
            "current_round": 1,
            "state": "WaitingForAcceptance",
            "rounds": [],
            "commitments": [],
            "reveals": [],
            "created_at": self.at,
            "timeout_at": self.at + 300,
            "leagues": [None, None],
            "units": [None, None],
            "score": [0, 0],
            "total_damage": [0, 0],
            "winner": None,
            "reason": None,
            "ended_at": None,
            "challenge_event_id": self.event("challenge"),
            "acceptance_event_id": None,
            "events": [],
            "loot": None,
            "verifications": [],
        }
        self.say("match_announcement")

    def event(self, *words: object) -> str:
        return digest(self.id, *words)

    def say(self, name: str, round: int | None = None, published: bool = True) -> str:
        count = len(self.answer["events"])
        told = {"name": name, "event_id": self.event(name, count), "published": published}
        self.answer["events"].append(told if round is None else {**told, "round": round})
        return str(told["event_id"])

    def token(self, seat: int) -> tuple[str, str]:
        name = self.tokens[seat]
        return digest("token", self.id, name), "02" + digest("C", self.id, name)

    def units(self, seat: int) -> Any:
        secret, signature = map(bytes.fromhex, self.token(seat))
        return army(token_digest(secret, signature), self.leagues[seat])

    def accept(self) -> MatchAnswer:
        self.answer |= {"acceptance_event_id": self.event("acceptance"), "state": "WaitingForCommitments"}
        self.say("match_announcement")
        return self

    def commit(self, seat: int, unit: int) -> None:
        number = self.answer["current_round"]
        secret, signature = map(bytes.fromhex, self.token(seat))
        hash = commitment(secret, signature, unit, number, self.id, bytes(32))
        told = {"player": self.answer["players"][seat], "round": number, "hash": hash}
        self.at += 20
        told |= {"event_id": self.event("commitment", number, seat), "timestamp": self.at}
        self.answer["commitments"].append(told)

    def reveal(self, seat: int, unit: int, secret: str | None) -> None:
        number = self.answer["current_round"]
        told = {"player": self.answer["players"][seat], "round": number, "unit": plain(self.units(seat)[unit])}
        told |= {"unit_index": unit, "token_secret": secret, "event_id": self.event("reveal", number, seat)}
        self.answer["reveals"].append(told)
        self.answer["units"][seat] = plain(self.units(seat))
        self.answer["leagues"][seat] = self.leagues[seat]

    def play(self, first: int, second: int) -> MatchAnswer:
        """A whole round with these units."""
        answer, number = self.answer, self.answer["current_round"]
        for seat, unit in enumerate((first, second)):
            self.commit(seat, unit)
        self.say("reveal_request", number)
        for seat, unit in enumerate((first, second)):
            self.reveal(seat, unit, self.token(seat)[0])
        fought = fight(self.units(0)[first], self.units(1)[second])
        winner = fought.winner
        told = {"round": number, "player1_unit": plain(fought.units[0]), "player2_unit": plain(fought.units[1])}
        told |= {"damage_dealt": list(fought.damage), "winner": None if winner is None else answer["players"][winner]}
        answer["rounds"].append({**told, "event_id": self.say("round_result", number)})
        answer["total_damage"] = [old + new for old, new in zip(answer["total_damage"], fought.damage, strict=True)]
        if winner is not None:
            answer["score"][winner] += 1
        answer |= {"current_round": number + 1, "timeout_at": self.at + 300}
        return self

    def end(self, reason: str, winner: int | None = None) -> MatchAnswer:
        answer = self.answer
        answer |= {"state": "Abandoned" if reason == "abandoned" else "MatchComplete", "reason": reason}
        answer |= {"current_round": max(1, len(answer["rounds"])), "timeout_at": None, "ended_at": self.at + 30}
        answer["winner"] = None if winner is None else answer["players"][winner]
        self.say("match_result")
        return self

    def pay(self, amount: int) -> MatchAnswer:
        self.answer["loot"] = {"amount": amount, "state": "paid", "event_id": self.say("loot_reward")}
        return self

    def verify(self, seat: int, valid: bool, reason: str | None = None) -> MatchAnswer:
        told = {"player": self.answer["players"][seat], "valid": valid, "reason": reason}
        self.answer["verifications"].append({**told, "event_id": self.say("verification_result")})
        return self

    def summary(self) -> dict[str, Any]:
        names = ["match_id", "players", "state", "current_round", "score", "winner", "reason", "created_at", "ended_at"]
        return {name: self.answer[name] for name in names}


def plain(value: Any) -> Any:
    return json.loads(msgspec.json.encode(value))


def live(id: str = "friday-night") -> MatchAnswer:
    """In its second round: one has committed."""
    match = MatchAnswer(id, ("ann", "bo"), (0, 3)).accept().play(1, 4)
    match.commit(0, 2)
    return match


def finished(id: str = "won-with-loot") -> MatchAnswer:
    """Won by more rounds, with loot and two verifications."""
    match = MatchAnswer(id, ("cy", "dee"), (2, 1), START - 3600).accept()
    best = won_by(match, 0)
    for _ in range(3):
        match.play(*best)
    return match.end("rounds", 0).pay(100).verify(0, True).verify(1, False, "The token is of another match.")


def won_by(match: MatchAnswer, seat: int) -> tuple[int, int]:
    for first in range(8):
        for second in range(8):
            if fight(match.units(0)[first], match.units(1)[second]).winner == seat:
                return first, second
    raise AssertionError("this seat never wins")


def abandoned(id: str = "nobody-came") -> MatchAnswer:
    return MatchAnswer(id, ("eve", "fay"), at=START - 7200).end("abandoned")


def drawn(id: str = "a-draw") -> MatchAnswer:
    """Equal armies: what one wins, the other wins next."""
    match = MatchAnswer(id, ("gus", "hal"), (1, 1), START - 9000, ("equal", "equal")).accept()
    first, second = won_by(match, 0)
    for _ in range(2):
        match.play(first, second).play(second, first)
    match.play(first, first)
    return match.end("draw")


def answers(*matches: MatchAnswer) -> dict[str, Any]:
    """By path, everything a bot with these matches answers."""
    newest = sorted(matches, key=lambda match: -int(match.answer["created_at"]))
    counts = {phase: sum(match.answer["state"] == phase for match in matches) for phase in PHASES}
    loot = {"queued": 0, "paid": sum(match.answer["loot"] is not None for match in matches)}
    relays = [
        {"url": "wss://relay.example.org", "connected": True, "last_error": None, "rejected": 0},
        {"url": "ws://127.0.0.1:7777", "connected": False, "last_error": "connection refused", "rejected": 2},
    ]
    mint = {"url": "http://127.0.0.1:3333", "ok": True, "last_error": None}
    status = {"ok": True, "npub": npub("bot"), "relays": relays, "mint": mint, "matches": counts, "rejected": {}}
    listed = {"matches": [match.summary() for match in newest], "page": 1, "pages": 1}
    return {
        "/status": {**status, "loot": loot},
        "/matches": listed,
        **{f"/match/{match.id}": match.answer for match in matches},
    }


def all_answers() -> dict[str, Any]:
    return answers(live(), finished(), abandoned(), drawn())
