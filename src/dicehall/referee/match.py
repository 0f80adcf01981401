"""One match: which events count, and what the referee says to them. A function of its entries, without a clock.

The rules of the game are those of ``games/mana``; what is added here is who sent an event and when it came.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from dicehall.core.game import Expired as TimeRanOut
from dicehall.core.game import Move, Over, Refusal, Refused, Seat
from dicehall.games.mana.actions import Code, Commit
from dicehall.games.mana.actions import Reveal as RevealMove
from dicehall.games.mana.combat import fight
from dicehall.games.mana.rules import NOSTR, Mana
from dicehall.games.mana.state import SEATS, State, damage, wins
from dicehall.games.mana.state import Match as MatchHeader
from dicehall.games.mana.state import Phase as Awaited
from dicehall.games.mana.units import Unit, token_digest
from dicehall.nostr.events import Event
from dicehall.nostr.keys import npub_of
from dicehall.nostr.match_events import (
    Acceptance,
    Challenge,
    Commitment,
    MatchAnnouncement,
    MatchResult,
    PlayerEvent,
    Reason,
    Reveal,
    RevealContent,
    RevealRequest,
    RoundResult,
    RoundUnits,
    TokenProof,
    UnitAfterCombat,
    Verification,
    VerificationResult,
)
from dicehall.referee.entries import (
    Accepted,
    CommitmentData,
    Limits,
    Rejected,
    RevealData,
    Say,
    Saying,
    VerificationData,
)

REVEAL_MS = 30_000  # at least, from the second commitment on: a late commitment must not leave the other no time
MAX_PROOFS = 8
MAX_VERIFICATIONS = 5  # of a player for a match: each costs the mint work
npub = lru_cache(10_000)(npub_of)


@dataclass(slots=True, eq=False)
class Match:
    id: str
    players: tuple[str, str]  # hex; the challenger first
    challenge_id: str
    created_ms: int
    limits: Limits
    game: Mana
    state: State = field(default_factory=State)
    acceptance_id: str | None = None
    accepted_ms: int = 0
    round_ms: int = 0  # when the open round began
    both_committed_ms: int | None = None
    commitments: dict[tuple[Seat, int], CommitmentData] = field(default_factory=dict)
    reveals: dict[tuple[Seat, int], RevealData] = field(default_factory=dict)
    results: list[str] = field(default_factory=list)  # ids of the round results
    verifications: list[VerificationData] = field(default_factory=list)
    opened_ms: int = field(init=False)  # when the challenge began to wait
    over: Over | None = None
    ended_ms: int | None = None
    known: set[str] = field(default_factory=set)  # ids of the events that counted
    tried: tuple[State, Seat, Commit | RevealMove, State] | None = None  # the last move that was worked out

    def __post_init__(self) -> None:
        self.opened_ms = self.created_ms

    @classmethod
    def challenged(cls, said: Challenge, event: Event, at_ms: int, limits: Limits) -> Match:
        players = event.pubkey, said.challenged
        if players[0] == players[1]:
            raise Rejected(Reason.INVALID_CHALLENGE, "You cannot challenge yourself.")
        game = Mana(match=MatchHeader(said.match_id, players), **NOSTR)
        match = cls(said.match_id, players, event.id, at_ms, limits, game)
        match.known.add(event.id)
        return match

    # -- looking -------------------------------------------------------------------------------------------

    @property
    def round(self) -> int:
        return self.game.round(self.state)

    @property
    def awaited(self) -> Awaited:
        return self.game.phase(self.state)

    @property
    def npubs(self) -> tuple[str, str]:
        return npub(self.players[0]), npub(self.players[1])

    @property
    def winner(self) -> Seat | None:
        return None if self.over is None else self.over.winner

    @property
    def deadline_ms(self) -> int:
        if self.acceptance_id is None:
            return self.opened_ms + self.limits.round_ms
        ends = min(self.round_ms + self.limits.round_ms, self.accepted_ms + self.limits.match_ms)
        if self.both_committed_ms is None:
            return ends
        return max(ends, self.both_committed_ms + min(REVEAL_MS, self.limits.round_ms))

    def seat_of(self, event: Event) -> Seat:
        for seat in SEATS:
            if self.players[seat] == event.pubkey:
                return seat
        raise Rejected(Reason.INVALID_SENDER, "The sender is not a player in this match.")

    # -- checking ------------------------------------------------------------------------------------------

    def check(self, said: PlayerEvent, event: Event) -> None:
        """Rejected unless this event may count now. The token of a reveal is for the mint to judge."""
        seat = self.seat_of(event)
        if isinstance(said, Verification):
            return self.check_verification(said, seat)
        if self.over is not None:
            raise not_now("This match is over.")
        match said:
            case Acceptance():
                self.check_acceptance(said, seat)
            case Commitment():
                self.check_round(said.round)
                self.try_move(seat, Commit(said.hash))
                if said.hash in self.state.commitments:  # a copy could be opened with what the other reveals
                    raise Rejected(Reason.INVALID_COMMITMENT, "This is the other player's commitment.")
            case Reveal():
                self.check_round(said.content.round)
                self.check_reveal(said, seat)
            case Challenge():
                raise not_now("This match id is taken.")

    def check_acceptance(self, said: Acceptance, seat: Seat) -> None:
        if self.acceptance_id is not None:
            raise not_now("This challenge has already been accepted.")
        if seat != SEATS[1]:
            raise Rejected(Reason.INVALID_SENDER, "Only the player who was challenged can accept.")
        if said.challenge_id != self.challenge_id:
            raise not_now("This accepts a different challenge.")

    def check_round(self, number: int) -> None:
        if self.acceptance_id is None:
            raise not_now("This challenge has not been accepted.")
        if number != self.round:
            raise not_now(f"This is round {self.round}.")

    def check_reveal(self, said: Reveal, seat: Seat) -> None:
        content = said.content
        if self.awaited is not Awaited.REVEAL:
            raise not_now("Both players must commit before anybody reveals.")
        if content.nonce is None and self.limits.nonce_required:
            raise Rejected(Reason.INVALID_COMMITMENT, "A commitment needs a nonce.")
        if content.commitment_event_id != self.commitments[seat, self.round].event_id:
            raise Rejected(Reason.COMMITMENT_MISMATCH, "This reveal names another commitment.")
        self.try_move(seat, move_of(said, self.state.leagues[seat] or 0))
        if digest_of(content) == self.state.tokens[1 - seat]:
            raise Rejected(Reason.INVALID_TOKEN, "The other player is using this token.")

    def check_verification(self, said: Verification, seat: Seat) -> None:
        if self.acceptance_id is None:
            raise not_now("This challenge has not been accepted.")
        if not 1 <= len(said.token_proofs) <= MAX_PROOFS:
            raise Rejected(Reason.EVENT_PARSING_ERROR, f"A verification must have 1 to {MAX_PROOFS} proofs.")
        if sum(one.seat == seat for one in self.verifications) >= MAX_VERIFICATIONS:
            raise not_now(f"A player can ask for at most {MAX_VERIFICATIONS} verifications per match.")

    def disagreement(self, seat: Seat, proof: TokenProof) -> str | None:
        """What is wrong with a proof beside what this player revealed."""
        shown = [self.reveals[seat, number] for number in range(1, self.round + 1) if (seat, number) in self.reveals]
        if any((one.secret, one.signature) != (proof.secret, proof.C) for one in shown):
            return "The token is not the one that was revealed."
        if proof.unit_indices and list(proof.unit_indices) != [one.unit_index for one in shown]:
            return "The units are not those that were revealed."
        return None

    def try_move(self, seat: Seat, action: Commit | RevealMove) -> None:
        if self.state.picks[seat] is not None or (isinstance(action, Commit) and self.state.commitments[seat]):
            raise not_now("This player has already done this in this round.")
        try:
            self.step(seat, action)
        except Refused as refused:
            raise Rejected(REASONS.get(refused.code, Reason.EVENT_PARSING_ERROR), str(refused)) from None

    def step(self, seat: Seat, action: Commit | RevealMove) -> State:
        """The state after a move. What was tried last is usually what is done next, so it is not worked out again."""
        if self.tried is None or self.tried[0] is not self.state or self.tried[1:3] != (seat, action):
            self.tried = self.state, seat, action, self.game.step(self.state, Move(seat, action)).state
        return self.tried[3]

    def has_token(self, seat: Seat) -> bool:
        """Whether the mint has said what this player's token is: one token serves a whole match (M9)."""
        return self.state.tokens[seat] is not None

    # -- changing ------------------------------------------------------------------------------------------

    def announce(self, say: Say) -> None:
        content = MatchAnnouncement(self.id, self.npubs, "waiting_for_acceptance", self.created_ms // 1000)
        say(Saying(self.id, "announcement/challenge", content, self.created_ms, self.players, (self.challenge_id,)))

    def apply(self, said: PlayerEvent, entry: Accepted, say: Say) -> None:
        """What follows from an event that was checked."""
        event = entry.event
        seat = self.seat_of(event)
        self.known.add(event.id)
        match said:
            case Acceptance():
                self.accept(entry, say)
            case Commitment():
                self.commit(said, entry, seat, say)
            case Reveal():
                self.reveal(said, entry, seat, say)
            case Verification():
                self.answer(entry, seat, say)
            case Challenge():
                raise AssertionError("a match has one challenge")

    def answer(self, entry: Accepted, seat: Seat, say: Say) -> None:
        content = VerificationResult(self.id, self.npubs[seat], entry.refusal is None, entry.refusal)
        key, asked = f"verification_result/{entry.event.id}", (entry.event.id,)
        answer = say(Saying(self.id, key, content, entry.at_ms, (self.players[seat],), asked))
        self.verifications.append(VerificationData(seat, entry.refusal, answer))

    def pause(self, ms: int) -> None:
        self.opened_ms += ms
        self.accepted_ms += ms
        self.round_ms += ms
        if self.both_committed_ms is not None:
            self.both_committed_ms += ms

    def accept(self, entry: Accepted, say: Say) -> None:
        self.acceptance_id = entry.event.id
        self.accepted_ms = self.round_ms = entry.at_ms
        content = MatchAnnouncement(self.id, self.npubs, "waiting_for_commitments", self.created_ms // 1000)
        asked = self.challenge_id, entry.event.id
        say(Saying(self.id, "announcement/acceptance", content, entry.at_ms, self.players, asked))

    def commit(self, said: Commitment, entry: Accepted, seat: Seat, say: Say) -> None:
        number = self.round
        self.state = self.step(seat, Commit(said.hash))
        self.commitments[seat, number] = CommitmentData(said.hash, entry.event.id, entry.event.created_at)
        if self.awaited is Awaited.REVEAL:
            self.both_committed_ms = entry.at_ms
            content = RevealRequest(self.id, number, "waiting_for_reveals")
            asked = tuple(self.commitments[one, number].event_id for one in SEATS)
            say(Saying(self.id, f"reveal_request/{number}", content, entry.at_ms, self.players, asked))

    def reveal(self, said: Reveal, entry: Accepted, seat: Seat, say: Say) -> None:
        number, content = self.round, said.content
        self.accepted_ms += entry.waited_ms
        league = self.state.leagues[seat] if entry.league is None else entry.league
        assert league is not None
        state = self.step(seat, move_of(said, league))
        army = state.armies[seat]
        assert army is not None
        self.reveals[seat, number] = RevealData(
            content.unit_index,
            army[content.unit_index],
            content.mana_token_secret,
            content.mana_token_signature,
            entry.event.id,
        )
        fought = len(state.rounds) > len(self.state.rounds)
        self.state = state
        if fought:
            self.tell_round(number, entry.at_ms, say)
            self.round_ms, self.both_committed_ms = entry.at_ms, None
            self.tell_end(entry.at_ms, say)

    def tell_round(self, number: int, at_ms: int, say: Say) -> None:
        shown = self.reveals[SEATS[0], number], self.reveals[SEATS[1], number]
        played = self.state.rounds[number - 1]
        units = fight(shown[0].unit, shown[1].unit).units
        winner = None if played.winner is None else self.npubs[played.winner]
        content = RoundResult(number, winner, played.damage, RoundUnits(after(units[0]), after(units[1])))
        asked = shown[0].event_id, shown[1].event_id
        self.results.append(say(Saying(self.id, f"round_result/{number}", content, at_ms, self.players, asked)))

    def expire(self, at_ms: int, say: Say) -> None:
        """Time is up: a player who has acted beats one who has not, and an unaccepted challenge ends (M10)."""
        if self.acceptance_id is None:
            self.over = Over((), "abandoned")
        else:
            self.state = self.game.step(self.state, TimeRanOut(SEATS[0])).state  # one judges both seats
        self.tell_end(at_ms, say)

    def tell_end(self, at_ms: int, say: Say) -> None:
        self.over = self.over or self.state.over
        if self.over is None:
            return
        self.ended_ms = at_ms
        winner = None if self.winner is None else self.npubs[self.winner]
        content = MatchResult(
            self.id,
            winner,
            wins(self.state),
            damage(self.state),
            len(self.state.rounds),
            self.over.reason,
            at_ms // 1000,
        )
        asked = tuple(self.results) or (self.challenge_id,)
        say(Saying(self.id, "match_result", content, at_ms, self.players, asked))


REASONS = {
    Refusal.NOT_YOUR_TURN: Reason.INVALID_STATE_TRANSITION,
    Code.NO_SUCH_UNIT: Reason.INVALID_UNIT_INDEX,
    Code.COMMITMENT_MISMATCH: Reason.COMMITMENT_MISMATCH,
}


def not_now(sentence: str) -> Rejected:
    return Rejected(Reason.INVALID_STATE_TRANSITION, sentence)


def move_of(said: Reveal, league: int) -> RevealMove:
    content = said.content
    return RevealMove(
        content.mana_token_secret, content.mana_token_signature, content.unit_index, content.nonce, league
    )


def digest_of(content: RevealContent) -> bytes:
    return token_digest(bytes.fromhex(content.mana_token_secret), bytes.fromhex(content.mana_token_signature))


def after(unit: Unit) -> UnitAfterCombat:
    return UnitAfterCombat(unit.attack, unit.defense, unit.health, unit.max_health, str(unit.ability))
