"""One match as its events on the relays show it, in whatever order they come.

Only what the referee's own key signed counts as the referee's word, and only what the two players signed counts as
theirs. Everything else that carries the match id is left out.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from dicehall.games.mana.rules import NOSTR, Mana, goes_on
from dicehall.games.mana.state import SEATS, Pair
from dicehall.nostr.events import Event
from dicehall.nostr.keys import npub_of
from dicehall.nostr.match_events import (
    BotEvent,
    Commitment,
    LootReward,
    MatchAnnouncement,
    MatchResult,
    Reveal,
    RevealRequest,
    RoundResult,
    Unclassified,
    VerificationResult,
    classify,
)

MAX_EVENTS_PER_PLAYER = 100  # that are kept; what the referee refers to beyond them is asked for by its id

ROUNDS = Mana(**NOSTR).rounds
WAITING_FOR_ACCEPTANCE = "waiting_for_acceptance"
WAITING_FOR_COMMITMENTS = "waiting_for_commitments"
REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Signed:
    """An event of the referee with its id."""

    id: str
    said: BotEvent


@dataclass(slots=True, eq=False)
class MatchView:
    match_id: str
    referee: str  # hex, as all people here
    players: Pair[str]  # the challenger first
    known: dict[str, Event] = field(default_factory=dict)  # all events that count, by id
    announcements: dict[str, MatchAnnouncement] = field(default_factory=dict)  # by status
    reveal_requests: dict[int, Signed] = field(default_factory=dict)  # by round
    round_results: dict[int, Signed] = field(default_factory=dict)
    match_result: Signed | None = None
    loot_reward: LootReward | None = None
    commitments: dict[str, tuple[str, Commitment]] = field(default_factory=dict)  # author and event, by id
    reveals: dict[str, tuple[str, Reveal]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)  # events of each player
    contradictions: list[str] = field(default_factory=list)
    taken_by_others: bool = False  # the referee announced this match id for other players

    @property
    def npubs(self) -> Pair[str]:
        return npub_of(self.players[0]), npub_of(self.players[1])

    @property
    def authors(self) -> tuple[str, ...]:
        return (self.referee, *self.players)

    @property
    def round(self) -> int:
        """The open round: the first one without a result."""
        number = 1
        while number in self.round_results:
            number += 1
        return number

    @property
    def is_decided(self) -> bool:
        """Whether the rounds so far leave nothing to play for (M6); the result of the match is then on its way."""
        winners = [self.result_of(number).winner for number in range(1, self.round)]
        won = winners.count(self.npubs[0]), winners.count(self.npubs[1])
        return not goes_on(won, ROUNDS - len(winners))

    @property
    def result(self) -> MatchResult | None:
        if self.match_result is None:
            return None
        assert isinstance(self.match_result.said.content, MatchResult)
        return self.match_result.said.content

    @property
    def is_accepted(self) -> bool:
        """The second announcement, or anything that can only come after it, should a relay have lost that one."""
        return WAITING_FOR_COMMITMENTS in self.announcements or bool(self.reveal_requests or self.round_results)

    @property
    def is_announced(self) -> bool:
        return WAITING_FOR_ACCEPTANCE in self.announcements or self.is_accepted

    @property
    def refusal(self) -> MatchAnnouncement | None:
        return None if self.is_announced else self.announcements.get(REFUSED)

    def result_of(self, number: int) -> RoundResult:
        content = self.round_results[number].said.content
        assert isinstance(content, RoundResult)
        return content

    def has_committed(self, seat: int, number: int) -> bool:
        return any(author == self.players[seat] and said.round == number for author, said in self.commitments.values())

    # -- reading ------------------------------------------------------------------------------------------

    def add(self, event: Event, *, asked_for: bool = False) -> bool:
        """True if the event is news about this match. Its signature has already been checked.

        A player who floods the relays fills only a part of memory and disk; what was *asked_for* by id still counts.
        """
        if event.id in self.known:
            return False
        try:
            counts = self.add_by_author(event, asked_for)
        except Unclassified:
            return False
        if counts:
            self.known[event.id] = event
        return counts

    def add_by_author(self, event: Event, asked_for: bool) -> bool:
        if event.pubkey == self.referee:
            return self.add_referees(event)
        full = self.counts.get(event.pubkey, 0) >= MAX_EVENTS_PER_PLAYER
        return event.pubkey in self.players and (asked_for or not full) and self.add_players(event)

    def add_players(self, event: Event) -> bool:
        said = classify(event)
        if said.match_id != self.match_id:
            return False
        self.counts[event.pubkey] = self.counts.get(event.pubkey, 0) + 1
        if isinstance(said, Commitment):
            self.commitments[event.id] = event.pubkey, said
        elif isinstance(said, Reveal):
            self.reveals[event.id] = event.pubkey, said
        return True

    def add_referees(self, event: Event) -> bool:
        said = BotEvent.decode(event)
        if said.match_id != self.match_id:
            return False
        match said.content:
            case MatchAnnouncement() as content:
                return self.announce(content)
            case RevealRequest() as content:
                return self.put(self.reveal_requests, content.round, Signed(event.id, said))
            case RoundResult() as content:
                return self.put(self.round_results, content.round, Signed(event.id, said))
            case MatchResult():
                return self.end(Signed(event.id, said))
            case LootReward() as content:
                return self.reward(content)
            case VerificationResult():
                return True
            case _:
                return False

    def announce(self, content: MatchAnnouncement) -> bool:
        if content.players != self.npubs:
            # a refused challenge by somebody else is not about this match
            self.taken_by_others = self.taken_by_others or content.status != REFUSED
            return False
        self.announcements.setdefault(content.status, content)
        return True

    def end(self, signed: Signed) -> bool:
        if self.match_result is not None and self.match_result.said.content != signed.said.content:
            self.contradictions.append("published two different results of this match")
        self.match_result = self.match_result or signed
        return True

    def reward(self, content: LootReward) -> bool:
        if self.loot_reward is not None and self.loot_reward != content:
            self.contradictions.append("published two different loot rewards for this match")
        self.loot_reward = self.loot_reward or content
        return True

    def put(self, found: dict[int, Signed], number: int, signed: Signed) -> bool:
        first = found.setdefault(number, signed)
        if first.said.content != signed.said.content or first.said.events != signed.said.events:
            self.contradictions.append(f"published two different events {signed.said.content.name} for round {number}")
        return True


def seat_of(view: MatchView, author: str) -> int | None:
    return next((seat for seat in SEATS if view.players[seat] == author), None)
