"""Two players and a referee without a network: events made by hand, so that a test can bend any of them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

import msgspec

from dicehall.core.game import Move, Seat
from dicehall.games.mana.actions import Commit
from dicehall.games.mana.actions import Reveal as RevealMove
from dicehall.games.mana.combat import fight
from dicehall.games.mana.commitments import commitment
from dicehall.games.mana.rules import NOSTR, Mana
from dicehall.games.mana.state import SEATS, Match, State, damage, wins
from dicehall.games.mana.units import Army, army, token_digest
from dicehall.mint.messages import Proof
from dicehall.nostr.events import Event, sign_event
from dicehall.nostr.keys import SecretKey
from dicehall.nostr.match_events import (
    BotContent,
    BotEvent,
    Commitment,
    LootReward,
    MatchAnnouncement,
    MatchResult,
    PlayerEvent,
    Reveal,
    RevealContent,
    RevealRequest,
    RoundResult,
    RoundUnits,
    UnitAfterCombat,
)
from dicehall.player.audit import after
from dicehall.player.match_view import MatchView

ANN, BO, REFEREE, STRANGER = (SecretKey(bytes(31) + bytes([n])) for n in (1, 2, 5, 9))
MATCH_ID = "m-1"
KEYSET = "00" * 8
LEAGUES = {KEYSET: 2}


def token(name: str) -> Proof:
    """A token that no mint signed: enough where only arithmetic is checked."""
    secret, C = (hashlib.sha256(f"{name} {part}".encode()).hexdigest() for part in ("secret", "C"))
    return Proof(1, KEYSET, secret, "02" + C)


def nonce(seat: int, number: int) -> str:
    return hashlib.sha256(f"{seat} {number}".encode()).hexdigest()


@dataclass(slots=True)
class Scripted:
    """A match in which both players send the units that the test names, and the referee is honest."""

    keys: tuple[SecretKey, SecretKey] = (ANN, BO)
    tokens: tuple[Proof, Proof] = field(default_factory=lambda: (token("Ann"), token("Bo")))
    state: State = field(default_factory=State)
    events: list[Event] = field(default_factory=list)
    now_s: int = 1_800_000_000

    @property
    def players(self) -> tuple[str, str]:
        return self.keys[0].public_hex, self.keys[1].public_hex

    @property
    def npubs(self) -> tuple[str, str]:
        return self.keys[0].npub, self.keys[1].npub

    @property
    def game(self) -> Mana:
        return Mana(match=Match(MATCH_ID, self.players), **NOSTR)

    def view(self, *events: Event) -> MatchView:
        view = MatchView(MATCH_ID, REFEREE.public_hex, self.players)
        for event in events or self.events:
            view.add(event)
        return view

    def say(self, key: SecretKey, said: PlayerEvent | BotEvent) -> Event:
        self.now_s += 1
        event = sign_event(key, self.now_s, 1, *said.encode())
        self.events.append(event)
        return event

    def referee(self, content: BotContent, *events: Event, key: SecretKey = REFEREE) -> Event:
        return self.say(key, BotEvent(MATCH_ID, content, self.players, tuple(one.id for one in events)))

    def announce(self, status: str, reason: str | None = None) -> Event:
        return self.referee(MatchAnnouncement(MATCH_ID, self.npubs, status, self.now_s, reason))

    def begin(self) -> None:
        self.announce("waiting_for_acceptance")
        self.announce("waiting_for_commitments")

    def commit(self, seat: Seat, number: int, unit: int) -> Event:
        event = self.commitment(seat, number, unit)
        self.state = self.game.step(self.state, Move(seat, Commit(event.content))).state
        return event

    def commitment(self, seat: Seat, number: int, unit: int, proof: Proof | None = None) -> Event:
        one = proof or self.tokens[seat]
        secret, C = bytes.fromhex(one.secret), bytes.fromhex(one.C)
        hash = commitment(secret, C, unit, number, MATCH_ID, bytes.fromhex(nonce(seat, number)))
        return self.say(self.keys[seat], Commitment(MATCH_ID, number, hash))

    def reveal(self, seat: Seat, number: int, unit: int, committed: Event) -> Event:
        one = self.tokens[seat]
        move = RevealMove(one.secret, one.C, unit, nonce(seat, number), LEAGUES[KEYSET])
        self.state = self.game.step(self.state, Move(seat, move)).state
        return self.opening(seat, number, unit, committed)

    def opening(self, seat: Seat, number: int, unit: int, committed: Event, proof: Proof | None = None) -> Event:
        """A reveal, whether it is right or not."""
        one = proof or self.tokens[seat]
        content = RevealContent(number, one.secret, one.C, KEYSET, unit, committed.id, nonce(seat, number))
        return self.say(self.keys[seat], Reveal(MATCH_ID, content))

    def request(self, number: int, *commitments: Event) -> Event:
        return self.referee(RevealRequest(MATCH_ID, number, "waiting_for_reveals"), *commitments)

    def round(self, first: int, second: int) -> None:
        """A whole round with these units."""
        number, units = len(self.state.rounds) + 1, (first, second)
        committed = [self.commit(seat, number, units[seat]) for seat in SEATS]
        self.request(number, *committed)
        shown = [self.reveal(seat, number, units[seat], committed[seat]) for seat in SEATS]
        self.referee(self.round_result(number), *shown)

    def round_result(self, number: int) -> RoundResult:
        played, (mine, theirs) = self.state.rounds[number - 1], self.state.armies
        assert mine is not None
        assert theirs is not None
        units = fight(mine[played.picks[0]], theirs[played.picks[1]]).units
        winner = None if played.winner is None else self.npubs[played.winner]
        return RoundResult(number, winner, played.damage, RoundUnits(after(units[0]), after(units[1])))

    @staticmethod
    def tied() -> RoundResult:
        """Some result; what it says does not matter."""
        unit = UnitAfterCombat(1, 1, 1, 1, "None")
        return RoundResult(1, None, (0, 0), RoundUnits(unit, unit))

    def match_result(self) -> MatchResult:
        over = self.state.over
        assert over is not None
        winner = None if over.winner is None else self.npubs[over.winner]
        counted = wins(self.state), damage(self.state), len(self.state.rounds)
        return MatchResult(MATCH_ID, winner, *counted, over.reason, self.now_s)

    def play(self) -> None:
        """A whole match, always with the same two units."""
        self.begin()
        while self.state.over is None:
            self.round(*self.decisive())
        self.referee(self.match_result())

    def decisive(self) -> tuple[int, int]:
        """Two units of which one wins."""
        return self.units_with_winner(0)

    def units_with_winner(self, winner: int) -> tuple[int, int]:
        armies = [token_army(one) for one in self.tokens]
        pairs = [(a, b) for a in range(8) for b in range(8)]
        return next((a, b) for a, b in pairs if fight(armies[0][a], armies[1][b]).winner == winner)

    def reward(self, winner: SecretKey, text: str = "cashuBx", amount: int = 1000) -> Event:
        return self.referee(LootReward(MATCH_ID, winner.npub, amount, text))

    def replace(self, event: Event, content: BotContent) -> list[Event]:
        """The same events, but for one in which the referee says something else."""
        said = BotEvent.decode(event)
        bent = msgspec.structs.replace(said, content=content)
        return [sign_event(REFEREE, one.created_at, 1, *bent.encode()) if one is event else one for one in self.events]

    def find(self, kind: type[BotContent]) -> tuple[Event, BotContent]:
        """The last event of the referee of this kind."""
        for event in reversed(self.events):
            if event.pubkey == REFEREE.public_hex and isinstance(BotEvent.decode(event).content, kind):
                return event, BotEvent.decode(event).content
        raise LookupError(kind)


def token_army(proof: Proof) -> Army:
    return army(token_digest(bytes.fromhex(proof.secret), bytes.fromhex(proof.C)), LEAGUES[KEYSET])
