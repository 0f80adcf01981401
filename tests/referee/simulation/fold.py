"""One match judged by the clauses: whether each stored entry was right to count, and what had to be said to it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from dicehall.nostr.keys import npub_of
from tests.referee.simulation.rules import Fought, fought, hashed, standing, unit_of, verdict
from tests.referee.simulation.world import World

REVEAL_MS = 30_000


class Unlawful(Exception):
    """An entry that the rules do not allow; the check that says so, and a sentence."""

    def __init__(self, check: str, sentence: str) -> None:
        super().__init__(sentence)
        self.check = check


def require(allowed: bool, check: str, sentence: str = "") -> None:
    if not allowed:
        raise Unlawful(check, sentence)


@dataclass(frozen=True, slots=True)
class Statement:
    """Something that the referee had to say, and which entry was the reason."""

    key: str
    content: dict[str, Any]
    events: tuple[str, ...]
    number: int  # of the entry


@dataclass(slots=True)
class Ended:
    winner: int | None
    reason: str
    at_ms: int


@dataclass(slots=True)
class Folded:
    world: World
    match_id: str
    players: list[str] = field(default_factory=list)
    challenge_id: str = ""
    created_ms: int = 0
    accepted: bool = False
    opened_ms: int = 0  # the challenge, then the open round; pauses are added
    match_ms: int = 0
    waited_ms: int = 0  # for the mint
    second_ms: int | None = None  # when the second commitment came
    commitments: dict[int, tuple[str, str]] = field(default_factory=dict)  # of the open round: hash, id
    shown: dict[int, tuple[int, str]] = field(default_factory=dict)  # of the open round: unit, id
    tokens: dict[int, tuple[str, str]] = field(default_factory=dict)
    leagues: dict[int, int] = field(default_factory=dict)
    picks: dict[int, list[int]] = field(default_factory=lambda: {0: [], 1: []})
    rounds: list[Fought] = field(default_factory=list)
    round_keys: list[str] = field(default_factory=list)
    ended: Ended | None = None
    statements: list[Statement] = field(default_factory=list)
    pauses: list[tuple[int, int]] = field(default_factory=list)  # after which entry, how long
    number: int = 0

    @property
    def npubs(self) -> list[str]:
        return [npub_of(one) for one in self.players]

    def fold(self, bodies: Sequence[dict[str, Any]]) -> Folded:
        for self.number, body in enumerate(bodies):
            match body["type"]:
                case "event":
                    self.event(body["event"], body)
                case "expired":
                    self.expire(body["at_ms"])
                case "paused":
                    self.pause(body["ms"])
        return self

    # -- time ------------------------------------------------------------------------------------------------

    def pause(self, ms: int) -> None:
        require(ms >= 0, "pauses are time that passed")
        self.opened_ms, self.match_ms = self.opened_ms + ms, self.match_ms + ms
        self.second_ms = None if self.second_ms is None else self.second_ms + ms
        self.pauses.append((self.number, ms))

    def deadline(self, waited_ms: int) -> int:
        limits = self.world.limits
        if not self.accepted:
            return self.opened_ms + limits.round_ms
        ends = min(self.opened_ms + limits.round_ms, self.match_ms + waited_ms + limits.match_ms)
        return ends if self.second_ms is None else max(ends, self.second_ms + min(REVEAL_MS, limits.round_ms))

    def in_time(self, body: dict[str, Any]) -> None:
        came_ms = body["at_ms"] - body.get("waited_ms", 0)
        late = came_ms - self.deadline(self.waited_ms)
        require(late < 0, "nothing counts after its deadline", f"an event came {late} ms too late")

    # -- events ----------------------------------------------------------------------------------------------

    def event(self, event: dict[str, Any], body: dict[str, Any]) -> None:
        tags = {tag[0]: tag[1] for tag in reversed(event["tags"]) if len(tag) > 1}
        require(event["id"] in self.world.published, "only what players sent counts", event["id"])
        if not self.players:
            return self.challenge(event, tags, body)
        require(event["pubkey"] in self.players, "only the two players count")
        seat = self.players.index(event["pubkey"])
        if "verification" in tags:
            return self.verification(event, seat, body)
        require(self.ended is None, "nothing counts after the end")
        self.in_time(body)
        if "challenge_accepted" in tags:
            self.acceptance(event, tags, seat, body)
        elif "commitment" in tags:
            self.commitment(event, tags, seat, body)
        else:
            self.reveal(event, tags, seat, body)

    def challenge(self, event: dict[str, Any], tags: dict[str, str], body: dict[str, Any]) -> None:
        require("challenge" in tags, "a match begins with a challenge")
        require(event["pubkey"] != tags["challenge"], "nobody challenges himself")
        self.players, self.challenge_id = [event["pubkey"], tags["challenge"]], event["id"]
        self.created_ms = self.opened_ms = body["at_ms"]
        self.announce("waiting_for_acceptance", "announcement/challenge", (event["id"],))

    def announce(self, status: str, key: str, events: tuple[str, ...]) -> None:
        content = {"match_id": self.match_id, "players": self.npubs, "status": status}
        self.say(key, {**content, "created_at": self.created_ms // 1000}, events)

    def acceptance(self, event: dict[str, Any], tags: dict[str, str], seat: int, body: dict[str, Any]) -> None:
        require(not self.accepted and seat == 1, "the challenged accepts, once")
        require(tags["challenge_accepted"] == self.challenge_id, "an acceptance names its challenge")
        self.accepted, self.opened_ms, self.match_ms = True, body["at_ms"], body["at_ms"]
        self.announce("waiting_for_commitments", "announcement/acceptance", (self.challenge_id, event["id"]))

    def commitment(self, event: dict[str, Any], tags: dict[str, str], seat: int, body: dict[str, Any]) -> None:
        number = len(self.rounds) + 1
        require(self.accepted and tags["round"] == str(number), "only the open round counts")
        require(seat not in self.commitments, "one commitment a round", f"seat {seat} in round {number}")
        require(all(tags["commitment"] != one for one, _ in self.commitments.values()), "no copied commitments")
        self.commitments[seat] = tags["commitment"], event["id"]
        if len(self.commitments) == 2:
            self.second_ms = body["at_ms"]
            content = {"match_id": self.match_id, "round": number, "status": "waiting_for_reveals"}
            self.say(f"reveal_request/{number}", content, (self.commitments[0][1], self.commitments[1][1]))

    def reveal(self, event: dict[str, Any], tags: dict[str, str], seat: int, body: dict[str, Any]) -> None:
        number, shown = len(self.rounds) + 1, json.loads(event["content"])
        require(tags["reveal"] == str(number) == str(shown["round"]), "only the open round counts")
        require(len(self.commitments) == 2, "nobody reveals before both have committed")
        require(seat not in self.shown, "one reveal a round")
        secret, C, unit = shown["mana_token_secret"], shown["mana_token_signature"], shown["unit_index"]
        opened = hashed(secret, C, unit, number, self.match_id, shown["nonce"])
        require(0 <= unit < 8 and opened == self.commitments[seat][0], "a reveal opens its commitment")
        require(shown["commitment_event_id"] == self.commitments[seat][1], "a reveal opens its commitment")
        require(self.tokens.setdefault(seat, (secret, C)) == (secret, C), "one token for a match")
        require(self.tokens.get(1 - seat) != (secret, C), "one token for each player")
        league = self.world.mint.tokens.get((secret, C))
        require(league is not None, "only tokens of the mint count")
        require(self.world.mint.bound.get(secret) == self.match_id, "a token is bound to its match")
        self.leagues[seat] = league or 0
        self.shown[seat] = unit, event["id"]
        self.waited_ms += body.get("waited_ms", 0)
        if len(self.shown) == 2:
            self.fight(number, body["at_ms"])

    def fight(self, number: int, at_ms: int) -> None:
        units = [unit_of(*self.tokens[at], self.leagues[at], self.shown[at][0]) for at in (0, 1)]
        result = fought(units[0], units[1])
        self.rounds.append(result)
        content = {
            "round": number,
            "winner": None if result.winner is None else self.npubs[result.winner],
            "damage_dealt": list(result.damage),
            "units": {"player1": result.units[0], "player2": result.units[1]},
        }
        self.say(f"round_result/{number}", content, (self.shown[0][1], self.shown[1][1]))
        for seat in (0, 1):
            self.picks[seat].append(self.shown[seat][0])
        self.commitments, self.shown, self.second_ms, self.opened_ms = {}, {}, None, at_ms
        if (end := verdict(self.rounds)) is not None:
            self.end(*end, at_ms)

    def expire(self, at_ms: int) -> None:
        require(self.ended is None, "nothing counts after the end")
        early = self.deadline(0) - at_ms
        require(early <= 0, "nobody runs out of time early", f"{early} ms before the deadline")
        done = self.shown if len(self.commitments) == 2 else self.commitments
        if len(done) == 1:
            self.end(next(iter(done)), "forfeit", at_ms)
        else:
            self.end(None, "abandoned", at_ms)

    def end(self, winner: int | None, reason: str, at_ms: int) -> None:
        self.ended = Ended(winner, reason, at_ms)
        score, damage = standing(self.rounds)
        content = {
            "match_id": self.match_id,
            "winner": None if winner is None else self.npubs[winner],
            "score": score,
            "total_damage": damage,
            "rounds": len(self.rounds),
            "reason": reason,
            "completed_at": at_ms // 1000,
        }
        self.say("match_result", content, ())

    def verification(self, event: dict[str, Any], seat: int, body: dict[str, Any]) -> None:
        require(self.accepted, "a match is verified after its acceptance")
        proofs = json.loads(event["content"])["token_proofs"]
        valid = all(self.is_good(seat, proof) for proof in proofs)
        if "refusal" not in body or not self.is_contested(proofs):
            require(valid is ("refusal" not in body), "a verification tells the truth", str(body.get("refusal")))
        refusal = body.get("refusal")
        content = {"match_id": self.match_id, "player": self.npubs[seat], "valid": refusal is None, "reason": refusal}
        self.say(f"verification_result/{event['id']}", content, (event["id"],))

    def is_good(self, seat: int, proof: dict[str, Any]) -> bool:
        revealed = [*self.picks[seat], *(one for at, (one, _) in self.shown.items() if at == seat)]
        if not revealed:
            return (proof["secret"], proof["C"]) in self.world.mint.tokens and not proof["unit_indices"]
        same = self.tokens[seat] == (proof["secret"], proof["C"])
        return same and proof["unit_indices"] in ([], revealed)

    def is_contested(self, proofs: list[dict[str, Any]]) -> bool:
        """Whether another match may have had the token, which depends on when the mint was asked."""
        return any(self.world.mint.bound.get(proof["secret"], self.match_id) != self.match_id for proof in proofs)

    def say(self, key: str, content: dict[str, Any], events: tuple[str, ...]) -> None:
        self.statements.append(Statement(key, content, events, self.number))
