"""The referee itself: takes events, keeps deadlines, and knows what to publish, to ask the mint and to pay next.

It does nothing by itself: whoever runs it passes in events, the time, and the answers of relays and mint. All of its
changes are written with ``commit`` before anybody hears of them.
"""

from __future__ import annotations

import logging
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import msgspec

from dicehall.nostr.events import Event, sign_event
from dicehall.nostr.keys import SecretKey
from dicehall.nostr.match_events import (
    BotEvent,
    Challenge,
    LootReward,
    MatchAnnouncement,
    PlayerEvent,
    Reason,
    Reveal,
    TokenProof,
    Unclassified,
    Verification,
    classify,
)
from dicehall.referee.attempts import Attempts
from dicehall.referee.early import EarlyEvents
from dicehall.referee.match import (
    Accepted,
    Entry,
    Expired,
    Limits,
    Match,
    Paused,
    Phase,
    Rejected,
    Say,
    Saying,
    npub,
)
from dicehall.referee.rejections import Rejections
from dicehall.referee.store import Loot, Outgoing, Store, Waiting
from dicehall.referee.views import phase_of, summary_of

log = logging.getLogger("dicehall.referee")

VERIFIABLE_MS = 3_600_000  # after its end a match can be verified for an hour (M13)
MAX_OPEN_CHALLENGES = 5  # of one challenger
MAX_REFUSED_TOKENS = 5  # of a player for a match: each costs the mint work
REFUSALS_AN_HOUR = 1000  # challenges that are answered with a refusal; the others are only counted
ALIVE_MS = 5_000  # how exactly the store knows until when the referee was there


@dataclass(frozen=True, slots=True)
class Question:
    """Something to ask the mint about the tokens of one event."""

    event: Event
    match_id: str
    proofs: tuple[TokenProof, ...]
    bind: bool  # a reveal's token is bound to the match


@dataclass(frozen=True, slots=True)
class TokenAnswer:
    """The mint's word on one token."""

    valid: bool
    league: int | None = None
    sentence: str = ""


@dataclass(slots=True)
class Referee:
    key: SecretKey
    store: Store
    kind: int = 1
    limits: Limits = field(default_factory=Limits)
    max_matches: int = 100
    loot_amount: int = 1000
    matches: dict[str, Match] = field(default_factory=dict)
    said: dict[str, dict[str, str]] = field(default_factory=dict)  # by match and key: the ids of our events
    unpublished: dict[str, deque[Outgoing]] = field(default_factory=dict)
    waiting: dict[str, Waiting] = field(default_factory=dict)  # by event id: reveals and verifications
    owed: dict[str, Loot] = field(default_factory=dict)
    paid: int = 0
    rejections: Rejections = field(default_factory=Rejections)
    early: EarlyEvents = field(default_factory=EarlyEvents)
    publishing: Attempts = field(default_factory=Attempts)  # by match
    asking: Attempts = field(default_factory=Attempts)  # by event
    paying: Attempts = field(default_factory=Attempts)  # by match
    refused_tokens: Counter[tuple[str, str]] = field(default_factory=Counter)  # by match and player
    changed: set[str] = field(default_factory=set)
    refusals: deque[int] = field(default_factory=deque)
    alive_ms: int = 0

    # -- starting ------------------------------------------------------------------------------------------

    def resume(self, now_ms: int) -> None:
        """Everything as it was when the referee stopped; the time in between costs the players nothing."""
        for id in self.store.unfinished(now_ms - VERIFIABLE_MS):
            self.load(id)
        self.waiting = {one.event.id: one for one in self.store.waiting()}
        self.paid = self.store.paid()
        stopped_ms = self.store.note("alive")
        if stopped_ms is not None and now_ms != stopped_ms:  # before it where the clock was set back
            self.pause(now_ms - stopped_ms)
        self.alive(now_ms)
        self.commit()

    def rebuild(self, entries: Sequence[Entry], say: Say) -> Match:
        first = entries[0]
        assert isinstance(first, Accepted)
        said = classify(first.event)
        assert isinstance(said, Challenge)
        match = Match.challenged(said, first.event, first.at_ms, self.limits)
        for entry in entries[1:]:
            match entry:
                case Accepted(event=event):
                    match.apply(classify(event), entry, say)
                case Expired(at_ms=at_ms):
                    match.expire(at_ms, say)
                case Paused(ms=ms):
                    match.pause(ms)
        return match

    def rebuild_old(self, id: str, entries: Sequence[Entry]) -> Match:
        """A match that ended long ago, to look at."""
        said = {one.key: one.event.id for one in self.store.outgoing(id)}
        return self.rebuild(entries, lambda saying: said[saying.key])

    def pause(self, ms: int) -> None:
        """Nobody could reach the referee for so long."""
        for match in self.live():
            match.pause(ms)
            self.store.add_entry(match.id, None, Paused(ms))

    def alive(self, now_ms: int) -> None:
        """Called now and then: how long an outage was is counted from the last call."""
        if abs(now_ms - self.alive_ms) >= ALIVE_MS:
            self.alive_ms = now_ms
            self.store.put_note("alive", now_ms)

    def adopt(self, event: Event) -> None:
        """An event of our own that a relay has and the store has not: it was said, and is not said again."""
        try:
            found = BotEvent.decode(event)
        except Unclassified:
            return
        key = key_of(found, event)
        if key is None or key in self.said.get(found.match_id, {}) or self.store.has_match(found.match_id):
            return
        self.said.setdefault(found.match_id, {})[key] = event.id
        self.store.add_outgoing(Outgoing(found.match_id, key, event, event.created_at * 1000, published=True))
        if key == "match_result":
            self.store.add_match(found.match_id, event.created_at * 1000, Phase.MATCH_COMPLETE, "{}")
            self.store.update_match(found.match_id, event.created_at * 1000, Phase.MATCH_COMPLETE, "{}")
        self.commit()

    # -- events --------------------------------------------------------------------------------------------

    def receive(self, event: Event, now_ms: int) -> None:
        """One event from a relay, whoever sent it."""
        if event.pubkey == self.key.public_hex or event.id in self.waiting or event.id in self.rejections:
            return
        before = len(self.store.batch)
        said: PlayerEvent | None = None
        try:
            said = classify(event)
            self.judge(said, event, now_ms)
        except (Unclassified, Rejected) as error:
            self.rejections.add(event, error.reason, str(error), now_ms)
            if said is not None:
                self.early.hold(said, event, self.matches.get(said.match_id), now_ms)
        except Exception:  # a mistake of ours costs one event, not the other matches
            log.exception("event %s could not be judged", event.id)
            del self.store.batch[before:]
            self.rejections.add(event, Reason.INTERNAL_ERROR, "The referee made a mistake and logged it.", now_ms)
            if said is not None:
                self.reload(said.match_id)

    def reload(self, match_id: str) -> None:
        """A match as the store has it."""
        self.changed.discard(match_id)
        self.store.commit()
        for kept in (self.matches, self.said, self.unpublished, self.owed):
            kept.pop(match_id, None)
        self.waiting = {one.event.id: one for one in self.store.waiting()}
        self.load(match_id)

    def load(self, match_id: str) -> None:
        outgoing = self.store.outgoing(match_id)
        self.said[match_id] = {one.key: one.event.id for one in outgoing}
        if entries := self.store.entries(match_id):
            self.matches[match_id] = self.rebuild(entries, self.say)
        if unpublished := deque(one for one in outgoing if not one.published):
            self.unpublished[match_id] = unpublished
        loot = self.store.loot_of(match_id)
        if loot is not None and loot.token is None:
            self.owed[match_id] = loot

    def judge(self, said: PlayerEvent, event: Event, now_ms: int) -> None:
        match = self.matches.get(said.match_id)
        if match is not None and event.id in match.known:
            return
        if isinstance(said, Challenge):
            return self.challenge(said, event, now_ms)
        if match is None:
            raise Rejected(Reason.MATCH_NOT_FOUND, "There is no such match, or it ended long ago.")
        self.expire_if_due(match, now_ms)
        match.check(said, event)
        if isinstance(said, Verification):
            if match.ended_ms is not None and now_ms >= match.ended_ms + VERIFIABLE_MS:
                raise Rejected(Reason.INVALID_STATE_TRANSITION, "This match ended too long ago to be verified.")
            return self.wait(said, event, now_ms)
        if now_ms >= match.deadline_ms:
            raise Rejected(Reason.INVALID_STATE_TRANSITION, "This event came too late.")
        if isinstance(said, Reveal) and not match.has_token(match.seat_of(event)):
            self.check_token(said, event)
            return self.wait(said, event, now_ms)
        self.accept(match, said, Accepted(event, now_ms))

    def challenge(self, said: Challenge, event: Event, now_ms: int) -> None:
        if said.match_id in self.matches or self.store.has_match(said.match_id):
            raise Rejected(Reason.INVALID_STATE_TRANSITION, "This match id is taken.")
        match = Match.challenged(said, event, now_ms, self.limits)
        if self.is_refused(match):
            raise Rejected(Reason.INVALID_STATE_TRANSITION, "This challenge was refused before.")
        live = list(self.live())
        if len(live) >= self.max_matches:
            self.refuse(match, "busy", now_ms)
            raise Rejected(Reason.BUSY, "The referee has as many matches as it can take.")
        mine = [one for one in live if one.players[0] == event.pubkey and one.acceptance_id is None]
        if len(mine) >= MAX_OPEN_CHALLENGES:
            self.refuse(match, "too_many_challenges", now_ms)
            raise Rejected(Reason.TOO_MANY_CHALLENGES, f"A player can have {MAX_OPEN_CHALLENGES} open challenges.")
        self.matches[match.id] = match
        self.store.add_match(match.id, now_ms, Phase.WAITING_FOR_ACCEPTANCE, "{}")
        self.store.add_entry(match.id, event.id, Accepted(event, now_ms))
        match.announce(self.say)
        self.follow(match, now_ms)

    def refuse(self, match: Match, reason: str, now_ms: int) -> None:
        """Tell the challenger why, once; a flood of challenges is not answered with a flood of refusals."""
        while self.refusals and self.refusals[0] <= now_ms - 3_600_000:
            self.refusals.popleft()
        if len(self.refusals) >= REFUSALS_AN_HOUR:
            return
        self.refusals.append(now_ms)
        content = MatchAnnouncement(match.id, match.npubs, "refused", now_ms // 1000, reason)
        self.say(Saying(match.id, refusal_key(match), content, now_ms, match.players, (match.challenge_id,)))

    def is_refused(self, match: Match) -> bool:
        key = refusal_key(match)
        return key in self.said.get(match.id, {}) or self.store.has_said(match.id, key)

    def accept(self, match: Match, said: PlayerEvent, entry: Accepted) -> None:
        match.apply(said, entry, self.say)
        self.store.add_entry(match.id, entry.event.id, entry)
        self.follow(match, entry.at_ms)

    def follow(self, match: Match, now_ms: int) -> None:
        """What comes after every change of a match."""
        self.changed.add(match.id)
        if match.ended_ms is not None and match.winner is not None and match.id not in self.owed:
            self.owe(match)
        for event, at_ms in self.early.take(match.id, now_ms):
            self.rejections.forget(event.id)
            self.receive(event, max(at_ms, now_ms))

    def owe(self, match: Match) -> None:
        if self.store.loot_of(match.id) is None:
            assert match.winner is not None
            self.owed[match.id] = Loot(match.id, match.players[match.winner], self.loot_amount)
            self.store.put_loot(self.owed[match.id])

    # -- time ----------------------------------------------------------------------------------------------

    def live(self) -> Iterator[Match]:
        return (match for match in tuple(self.matches.values()) if match.over is None)

    def check_deadlines(self, now_ms: int) -> None:
        for match in self.live():
            self.expire_if_due(match, now_ms)
        self.drop_settled(now_ms)

    def next_deadline_ms(self) -> int | None:
        return min((match.deadline_ms for match in self.live() if not self.is_waiting(match)), default=None)

    def expire_if_due(self, match: Match, now_ms: int) -> None:
        """What came in time is judged first, also where the mint has to be asked about it."""
        if match.over is None and now_ms >= match.deadline_ms and not self.is_waiting(match):
            match.expire(now_ms, self.say)
            self.store.add_entry(match.id, None, Expired(now_ms))
            self.follow(match, now_ms)

    def is_waiting(self, match: Match) -> bool:
        return any(self.waiting_reveals(match))

    def waiting_reveals(self, match: Match) -> Iterator[Waiting]:
        return (one for one in self.waiting.values() if one.event.tag("match_id") == match.id and is_reveal(one.event))

    def drop_settled(self, now_ms: int) -> None:
        for match in tuple(self.matches.values()):
            ended_ms = match.ended_ms
            if ended_ms is None or ended_ms + VERIFIABLE_MS > now_ms:
                continue
            if match.id not in self.unpublished and match.id not in self.owed:
                del self.matches[match.id]
                self.said.pop(match.id, None)
                for player in match.players:
                    self.refused_tokens.pop((match.id, player), None)

    # -- the mint's word on tokens -------------------------------------------------------------------------

    def check_token(self, said: Reveal, event: Event) -> None:
        """While the mint is away, who reads a reveal could play with its token elsewhere, and be asked about first."""
        if self.refused_tokens[said.match_id, event.pubkey] >= MAX_REFUSED_TOKENS:
            raise Rejected(Reason.INVALID_TOKEN, "The mint has refused too many tokens of this player.")
        for other in [classify(one.event) for one in self.waiting.values() if one.event.pubkey != event.pubkey]:
            if isinstance(other, Reveal) and other.content.mana_token_secret == said.content.mana_token_secret:
                raise Rejected(Reason.INVALID_TOKEN, "Another reveal of this token waits for the mint.")

    def wait(self, said: Reveal | Verification, event: Event, now_ms: int) -> None:
        if any(one.event.pubkey == event.pubkey for one in self.waiting_of(said)):
            raise Rejected(Reason.INVALID_STATE_TRANSITION, "An event of this player waits for the mint.")
        self.waiting[event.id] = Waiting(event, now_ms)
        self.store.add_waiting(said.match_id, event, now_ms)
        self.changed.add(said.match_id)

    def waiting_of(self, said: Reveal | Verification) -> Iterator[Waiting]:
        reveal = isinstance(said, Reveal)
        for one in self.waiting.values():
            if one.event.tag("match_id") == said.match_id and is_reveal(one.event) == reveal:
                yield one

    def questions(self, now_ms: int) -> list[Question]:
        """What to ask the mint now; each stays ours until it is answered or failed."""
        return [question(one.event) for id, one in self.waiting.items() if self.asking.start(id, now_ms)]

    def answered(self, asked: Question, answers: Sequence[TokenAnswer], now_ms: int) -> None:
        waiting = self.waiting.pop(asked.event.id, None)
        self.asking.done(asked.event.id)
        if waiting is None:
            return
        self.store.remove_waiting(asked.event.id)
        match, said = self.matches.get(asked.match_id), classify(asked.event)
        if match is None:
            return
        entry = Accepted(asked.event, now_ms, now_ms - waiting.at_ms)
        try:
            match.check(said, asked.event)
            if isinstance(said, Verification):
                entry = msgspec.structs.replace(entry, refusal=refusal_of(match, said, asked.event, answers))
            else:
                (answer,) = answers
                if not answer.valid:
                    self.refused_tokens[match.id, asked.event.pubkey] += 1
                    raise Rejected(Reason.INVALID_TOKEN, answer.sentence or "The mint does not know this token.")
                entry = msgspec.structs.replace(entry, league=answer.league)
            self.accept(match, said, entry)
        except Rejected as error:
            self.rejections.add(asked.event, error.reason, str(error), now_ms)
        self.expire_if_due(match, now_ms)
        self.changed.add(match.id)

    def not_answered(self, asked: Question, error: str, now_ms: int) -> None:
        self.asking.failed(asked.event.id, error, now_ms)

    # -- publishing ----------------------------------------------------------------------------------------

    def say(self, saying: Saying) -> str:
        """Sign and store what there is to say, unless it was said; the id of the event that says it."""
        said = self.said.setdefault(saying.match_id, {})
        if saying.key not in said:
            tags, content = BotEvent(saying.match_id, saying.content, saying.people, saying.events).encode()
            event = sign_event(self.key, saying.at_ms // 1000, self.kind, tags, content)
            outgoing = Outgoing(saying.match_id, saying.key, event, saying.at_ms)
            said[saying.key] = event.id
            self.store.add_outgoing(outgoing)
            self.unpublished.setdefault(saying.match_id, deque()).append(outgoing)
        return said[saying.key]

    def publications(self, now_ms: int) -> list[Outgoing]:
        """What to publish now: of every match the first event that no relay has taken."""
        return [queue[0] for id, queue in self.unpublished.items() if self.publishing.start(id, now_ms)]

    def published(self, outgoing: Outgoing, now_ms: int) -> None:
        queue = self.unpublished[outgoing.match_id]
        assert queue.popleft() == outgoing
        if not queue:
            del self.unpublished[outgoing.match_id]
        self.publishing.done(outgoing.match_id)
        self.store.mark_published(outgoing.event.id, now_ms)
        if outgoing.match_id in self.matches:
            self.changed.add(outgoing.match_id)
        else:
            self.said.pop(outgoing.match_id, None)  # a refused challenge

    def not_published(self, outgoing: Outgoing, error: str, now_ms: int) -> None:
        self.publishing.failed(outgoing.match_id, error, now_ms)

    def is_published(self, match_id: str, key: str) -> bool:
        return all(one.key != key for one in self.unpublished.get(match_id, ()))

    # -- loot ----------------------------------------------------------------------------------------------

    def payments(self, now_ms: int) -> list[Loot]:
        """What to pay now: only what a published result says (M11)."""
        due = (loot for id, loot in self.owed.items() if self.is_published(id, "match_result"))
        return [loot for loot in due if self.paying.start(loot.match_id, now_ms)]

    def prepared(self, loot: Loot, request: str, blindings: str) -> Loot:
        """The request that will be sent to the mint, now and whenever it has to be repeated."""
        ready = replace(loot, request=request, blindings=blindings)
        self.owed[loot.match_id] = ready
        self.store.put_loot(ready)
        return ready

    def paid_out(self, match_id: str, token: str, now_ms: int) -> None:
        loot = replace(self.owed.pop(match_id), token=token)
        self.paying.done(match_id)
        self.store.put_loot(loot)
        self.paid += 1
        content = LootReward(match_id, npub(loot.winner), loot.amount, token)
        result = self.said[match_id]["match_result"]
        self.say(Saying(match_id, "loot_reward", content, now_ms, (loot.winner,), (result,)))
        self.changed.add(match_id)

    def not_paid(self, match_id: str, error: str, now_ms: int) -> None:
        self.paying.failed(match_id, error, now_ms)

    # -- the store -----------------------------------------------------------------------------------------

    def commit(self) -> None:
        for id in self.changed:
            if (match := self.matches.get(id)) is not None:
                phase = phase_of(match, self)
                self.store.update_match(id, match.ended_ms, phase, summary_of(match, phase))
        self.changed.clear()
        self.store.commit()

    def counts(self) -> dict[str, int]:
        """Matches by phase; those that ended long ago are not among them."""
        found = Counter(phase_of(match, self) for match in self.matches.values())
        return {str(phase): found[phase] for phase in Phase}


def refusal_key(match: Match) -> str:
    return f"refused/{match.challenge_id}"


def is_reveal(event: Event) -> bool:
    return event.tag("reveal") is not None


def question(event: Event) -> Question:
    said = classify(event)
    if isinstance(said, Verification):
        return Question(event, said.match_id, said.token_proofs, bind=False)
    assert isinstance(said, Reveal)
    shown = said.content
    proof = TokenProof(shown.mana_token_secret, shown.mana_token_signature, shown.keyset)
    return Question(event, said.match_id, (proof,), bind=True)


def refusal_of(match: Match, said: Verification, event: Event, answers: Sequence[TokenAnswer]) -> str | None:
    """Why a verification fails; None where every proof is good."""
    seat = match.seat_of(event)
    for proof, answer in zip(said.token_proofs, answers, strict=True):
        if not answer.valid:
            return answer.sentence or "The mint does not know this token."
        if (wrong := match.disagreement(seat, proof)) is not None:
            return wrong
    return None


def key_of(found: BotEvent, event: Event) -> str | None:
    """The key that an event of our own was said under."""
    match found.content.name:
        case "match_announcement":
            status = event.tag("match_announcement")
            if status == "refused" and found.events:
                return f"refused/{found.events[0]}"
            keys = {
                "waiting_for_acceptance": "announcement/challenge",
                "waiting_for_commitments": "announcement/acceptance",
            }
            return keys.get(status or "")
        case "reveal_request" | "round_result" as name:
            return f"{name}/{event.tag(name)}"
        case "verification_result" as name:
            return f"{name}/{found.events[0]}" if found.events else None
        case name:
            return name
